"""What may be said, how firmly it holds, and under which assumptions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from decimal import Decimal, InvalidOperation
from enum import StrEnum
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdfast.assumptions import Assumption as Assumption
from holdfast.errors import HoldfastError
from holdfast.evidence import numbers, shown
from holdfast.plain import Count, Share, read_keys

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


class Source(NamedTuple):
    """A key of docs/references.bib and a place in that work."""

    key: str
    place: str

    def __str__(self) -> str:
        return f"{self.key} {self.place}"


KINDS: dict[str, Any] = {  # of what one claim says in JSON
    "measure": str,
    "estimate": float | None,
    "lower": float,
    "upper": float,
    "delta": Share,
    "side": Side,
    "n": Count,
    "per": Per,
    "method": str,
    "guarantee": Guarantee,
    "assumes": tuple[str, ...],
    "source": str,
}


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

    @classmethod
    def from_dict(cls, value: Any) -> Claim:
        """What `to_dict` gave of one claim, checked."""
        return cls.from_keys(read_keys(KINDS, value, optional=("per",)))

    @classmethod
    def from_keys(cls, read: Mapping[str, Any]) -> Claim:
        """The claim that stands among what was read; an assumption that was worded otherwise then stays as it was."""
        kept = {name: read[name] for name in KINDS if name in read}
        key, _, place = kept["source"].partition(" ")
        known: dict[str, Any] = {str(assumption): assumption for assumption in Assumption}
        assumes = tuple(known.get(sentence, sentence) for sentence in kept["assumes"])
        return cls(**{**kept, "assumes": assumes, "source": Source(key, place)})

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

    def one(self, place: int) -> PValue:
        """The one at this place, where there are several."""
        given: tuple[Any, Any] = self.value, self.statistic
        value, statistic = (each[place] if isinstance(each, np.ndarray) and each.ndim else each for each in given)
        return replace(self, value=value, statistic=statistic)

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
    if type(delta) in (float, np.ndarray):
        plain = np.asarray(delta)
        if plain.ndim == 0 and plain.dtype == np.float64 and 0 < plain.item() < 1:  # as most are
            return plain
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
