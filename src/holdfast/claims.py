"""What may be said, how firmly it holds, and under which assumptions."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdfast.errors import HoldfastError
from holdfast.evidence import numbers, shown

Side = Literal["upper", "lower", "both"]
SIDES: tuple[Side, ...] = ("upper", "lower", "both")
Per = Literal["row", "cluster", "fold", "dataset"]


class Guarantee(StrEnum):
    """How firmly an interval holds."""

    FINITE = "FINITE"
    ASYMPTOTIC = "ASYMPTOTIC"
    HEURISTIC = "HEURISTIC"

    @property
    def sentence(self) -> str:
        return {
            Guarantee.FINITE: "holds at every sample size",
            Guarantee.ASYMPTOTIC: "holds only as the sample grows",
            Guarantee.HEURISTIC: "comes without proof",
        }[self]


class Assumption(StrEnum):
    """A sentence that must be true for a claim to hold; every output prints it."""

    INDEPENDENT = "the examples are independent draws from the population the claim is about"
    FIXED_MODEL = "the model was fixed before these labels were used"
    FIXED_THRESHOLD = "the operating point, from which score on to say yes, was fixed before these labels were seen"
    FIXED_PLAN = "method, confidence, side and number of examples were chosen before looking at the results"
    KNOWN_RANGE = "every loss lies in the stated range, which is a property of the loss and not of these values"
    OWN_RANGES = "every loss lies in its own stated range, known before the losses were seen"
    DRAWN_ORDER = "the rows stand in the order in which they were drawn, as was stated"
    SHUFFLED = "the rows were taken in an order that they decide themselves, which nothing proves to be fair"
    ANY_TIME = "method and confidence were chosen before the first result; one may look, and stop, whenever one likes"
    CLUSTERS = "the clusters are independent draws; the examples of a cluster may depend on each other in any way"
    CAPPED_CLUSTERS = "no cluster can hold more examples than the number stated, which was fixed beforehand"
    FIXED_SAMPLES = "the samples of a question are exchangeable, and how many there are was fixed before any was drawn"
    WITHIN_CLASSES = "within each class the examples are independent draws; how many there are of each may be chosen"
    STATED_PREVALENCE = "in the population the classes are as frequent as was stated"
    FIXED_BINS = "the bins were chosen before looking at the scores"
    EXCHANGEABLE = "which examples were labelled was decided by chance alone"
    RANDOM_DATASETS = "the data sets are taken for a random sample of data sets"
    SAME_FOLDS = "in every fold all models were trained and tested on the same examples"
    NORMAL_FOLDS = "the results of the folds, or the differences of two models on them, follow a normal law"
    UNRELATED_FOLDS = "the folds tell independently of each other, which folds that share training examples do not"
    RELATED_FOLDS = "any two folds are correlated by the share of examples tested on, which is a guess"
    REBUILT = "the model can be rebuilt from examples it keeps and a message; nothing else was learned from the rest"
    TRAINED_APART = "each model was trained without the examples it is tested on"
    RANDOM_FOLDS = "the folds were made without looking at the labels"
    STABLE = "the learner is stable: the change of a loss by one training example has a mean square far below 1/n"
    ONE_MODEL = "the models of all folds are taken for one, and their errors for independent, which they are not"
    EVERY_FOLD = "an average of limits is taken for a limit of the average, which it is not"
    FIXED_MODELS = "the set of models was fixed before these labels were used; which of them is selected need not be"
    PRIOR_WEIGHTS = "models and prior weights were fixed before these labels were used; the weights need not be"
    FIXED_CORES = "the core classifiers were not chosen by labels, nor by the labelled or the unlabelled inputs alone"
    EVERY_CLASS = "every class of the population occurs here"
    TWO_LABELS = "every true label is one of the two that were seen"
    NESTED = "how far an inner cross-validation is from an outer fold tells how far cross-validation is from the truth"


class Source(NamedTuple):
    """A key of docs/references.bib and a place in that work."""

    key: str
    place: str

    def __str__(self) -> str:
        return f"{self.key} {self.place}"


@dataclass(frozen=True, eq=False, repr=False)
class Claim:
    """An estimate with its limits, and everything needed to judge them.

    A one-sided claim leaves its other limit at the end of the range. With arrays as evidence every number
    is an array; with a single sample every number is a plain float. `estimate` is None (NaN inside an
    array) where there are no data. `per` says what it is an average over: rows weigh the same, or clusters of them do.
    """

    measure: str
    estimate: float | NDArray[np.float64] | None
    lower: float | NDArray[np.float64]
    upper: float | NDArray[np.float64]
    delta: float | NDArray[np.float64]
    side: Side
    n: int | NDArray[np.int64]
    method: str
    guarantee: Guarantee
    assumes: tuple[Assumption, ...]
    source: Source
    per: Per = "row"

    @property
    def slack(self) -> float | NDArray[np.float64] | None:
        """The upper limit minus the estimate: the survey's unluckiness factor."""
        return None if self.estimate is None else self.upper - self.estimate

    @property
    def width(self) -> float | NDArray[np.float64]:
        return self.upper - self.lower

    def one(self, place: int, **said: Any) -> Claim:
        """One element of a claim about many, and what else it says; a number that all share stays as it is."""
        stated = {name: np.asarray(getattr(self, name)) for name in ("estimate", "lower", "upper", "n")}
        numbers = {name: (each[place] if each.ndim else each).item() for name, each in stated.items()}
        if numbers["estimate"] != numbers["estimate"]:
            numbers["estimate"] = None
        return Claim(**{**vars(self), **numbers, **said})

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON; what is undefined is None."""
        return {
            "measure": self.measure,
            "estimate": _plain(self.estimate),
            "lower": _plain(self.lower),
            "upper": _plain(self.upper),
            "delta": _plain(self.delta),
            "side": self.side,
            "n": _plain(self.n),
            "per": self.per,
            "method": self.method,
            "guarantee": str(self.guarantee),
            "assumes": [str(sentence) for sentence in self.assumes],
            "source": str(self.source),
        }

    def __str__(self) -> str:
        from holdfast.render.text.text import claim_line

        return claim_line(self)

    def _repr_html_(self) -> str:
        from holdfast.render.notebook import claim_html

        return claim_html(self)

    def __repr__(self) -> str:
        return f"<Claim {self}>"


@dataclass(frozen=True, eq=False)
class PValue:
    """How surprising such data would be if the null held; never 0, and 1 where there is no surprise.

    With arrays as evidence `value` is an array.
    """

    test: str
    value: float | NDArray[np.float64]
    null: str  # the sentence that was tested, such as "both models err equally often"
    guarantee: Guarantee
    source: Source
    statistic: float | NDArray[np.float64] | None = None
    assumes: tuple[Assumption, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "test": self.test,
            "p": _plain(self.value),
            "null": self.null,
            "statistic": _plain(self.statistic),
            "guarantee": str(self.guarantee),
            "source": str(self.source),
        }


@dataclass(frozen=True)
class Coverage:
    """The least coverage found, where it happens, and whether that breaks the promise of 1 - delta."""

    method: str
    n: int
    delta: float
    side: Side
    coverage: float
    at: float
    law: str = "binomial"  # what the examples were drawn from: 0/1 losses by enumeration, or a simulated law
    misses: int | None = None
    repeats: int | None = None
    kept: bool = True

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


def chance_of_error(confidence: float | str | None = None, delta: ArrayLike | None = None) -> NDArray[np.float64]:
    """delta, from whichever of the two was given; 0.05 if neither was.

    The confidence is read as the decimal it is written as, so that 0.999999999999 means 1e-12 and not
    1.00003e-12, which is what subtracting floats would give.
    """
    if confidence is not None and delta is not None:
        raise HoldfastError("Give confidence= or delta=, not both: delta is one minus the confidence.")
    if confidence is None:
        return check_delta(0.05 if delta is None else delta)
    try:
        level = Decimal(str(confidence))
        inside = 0 < level < 1
    except InvalidOperation:
        raise HoldfastError(f"The confidence must be a number such as 0.95; got {shown(confidence)}.") from None
    if not inside:
        hint = f" Did you mean {level / 100}?" if 1 < level < 100 else ""
        raise HoldfastError(f"The confidence must lie strictly between 0 and 1; got {confidence}.{hint}")
    chance = float(1 - level)
    if not 0 < chance < 1:
        raise HoldfastError(f"The confidence {shown(confidence)} is too near to {round(level)} to be told from it.")
    return check_delta(chance)


def check_delta(delta: ArrayLike) -> NDArray[np.float64]:
    """Delta as numbers strictly between 0 and 1."""
    if type(delta) is np.ndarray and delta.ndim == 0 and delta.dtype == np.float64 and 0 < delta < 1:  # as most are
        return delta
    checked = numbers("delta, the chance of being wrong,", delta)
    if not np.all((checked > 0) & (checked < 1)):
        raise HoldfastError(f"delta, the chance of being wrong, must lie strictly between 0 and 1; got {shown(delta)}.")
    return checked


def _plain(value: Any) -> Any:
    """Lists and numbers instead of arrays, None instead of NaN."""
    if isinstance(value, np.ndarray):
        return [_plain(item) for item in value] if value.ndim else _plain(value[()])
    if isinstance(value, np.generic):
        return _plain(value.item())
    return None if isinstance(value, float) and value != value else value
