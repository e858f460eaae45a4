"""Who is better, in a sentence that a machine can read too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, Self, get_args

from holdfast.claims import Guarantee
from holdfast.plain import read_keys
from holdfast.wording import printable

Outcome = Literal["better", "worse", "not inferior", "not superior", "equivalent", "no difference", "not settled"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)
DECIDED = (
    "better",
    "worse",
    "not inferior",
    "not superior",
)  # an undecided sentence names its outcome, a decided one none of those
UNDECIDED = ("not settled", "no difference", "equivalent")
LONGEST_NAME = 40  # characters of a model in a sentence


@dataclass(frozen=True)
class Subject:
    """What a verdict is about: a measure, perhaps of a class, which way is better, and how firmly what is said holds.

    Examples
    --------
    >>> Subject().because, Subject("auc", "higher").because, Subject("recall", "higher", "spam").inside
    ('it errs less often', 'its auc is higher', ' in recall of spam')
    """

    measure: str = "error-rate"
    better: Literal["higher", "lower"] = "lower"
    label: str | None = None  # the class, where the measure is told of each
    guarantee: Guarantee = Guarantee.FINITE  # of the test or the method that decides
    called: str | None = None  # in a sentence, where measure and label do not say it well
    graded: bool = False  # whether answers may be partly right, so that nobody just errs

    @property
    def name(self) -> str:
        """The measure in a sentence, which may say nothing that only a verdict may say."""
        if self.called is not None:
            return self.called
        name = printable(self.measure, LONGEST_NAME).replace("-", " ") if may_be_said(self.measure) else "score"
        if self.label is None:
            return name
        return f"{name} of {printable(self.label, LONGEST_NAME) if may_be_said(self.label) else 'the positive class'}"

    @property
    def of_errors(self) -> bool:
        return self.measure == "error-rate"

    @property
    def because(self) -> str:
        """Why one model is the better one."""
        if self.graded and (self.of_errors or self.measure == "accuracy"):
            return "its answers are worth more"
        return "it errs less often" if self.of_errors else f"its {self.name} is {self.better}"

    @property
    def inside(self) -> str:
        """In which measure; nothing where it is the usual one."""
        return "" if self.of_errors else f" in {self.name}"

    @property
    def proviso(self) -> str:
        """That it is not proven at every sample size, where it is not."""
        return "" if self.guarantee is Guarantee.FINITE else f", which {self.guarantee.sentence}"


ERRORS = Subject()
ABOUT: dict[str, Any] = {  # what a verdict says of its subject in JSON, which early versions did not
    "measure": str,
    "label": str | None,
    "better": Literal["higher", "lower"],
    "guarantee": Guarantee,
}
KINDS = {"outcome": Outcome, "sentence": str, "rule": str, "margin": float, "models": tuple[str, ...], **ABOUT}


class Verdict(str):
    """The sentence, with its outcome and what decided it beside.

    Examples
    --------
    >>> verdict = Verdict("alpha is better than beta.", outcome="better", rule="mcnemar-exact")
    >>> verdict.decided, "not settled" in verdict
    (True, False)
    """

    outcome: Outcome
    rule: str  # the test or the method whose answer decided
    margin: float
    models: tuple[str, ...]  # of a pair, the first and the second; of many, those that may be the best
    about: Subject

    def __new__(
        cls,
        sentence: str,
        *,
        outcome: Outcome,
        rule: str,
        margin: float = 0.0,
        models: Any = (),
        about: Subject = ERRORS,
    ) -> Self:
        verdict = super().__new__(cls, sentence)
        vars(verdict).update(outcome=outcome, rule=rule, margin=margin, models=tuple(models), about=about)
        return verdict

    def __getnewargs_ex__(self) -> tuple[tuple[str], dict[str, Any]]:
        return (str(self),), dict(vars(self))

    @property
    def decided(self) -> bool:
        return self.outcome in DECIDED

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "outcome": self.outcome,
            "sentence": str(self),
            "rule": self.rule,
            "margin": self.margin,
            "models": list(self.models),
            "measure": self.about.measure,
            "label": self.about.label,
            "better": self.about.better,
            "guarantee": str(self.about.guarantee),
        }

    @classmethod
    def from_dict(cls, value: Any) -> Self:
        """What `to_dict` gave, checked."""
        kept = read_keys(KINDS, value, optional=ABOUT)
        about = Subject(**{name: kept.pop(name) for name in ABOUT if name in kept})
        return cls(about=about, **kept)


def spoken(models: Sequence[str]) -> list[str]:
    r"""What models are called in a sentence: on one line, short, no two alike, and none of a verdict's own words.

    A model whose name would say what only the verdict may say, or that the sentence could not tell from another one, is
    called by its place.

    Examples
    --------
    >>> spoken(["alpha", "be\nta"]), spoken(["not settled", "beta"])
    (['alpha', 'be\\nta'], ['the first model', 'beta'])
    """
    plain = [printable(model, LONGEST_NAME) for model in models]
    names, taken, times = [], set(plain), Counter(plain)
    for place, name in enumerate(plain):
        if times[name] > 1 or not may_be_said(name):
            name = f"the {('first', 'second')[place]} model" if len(plain) == 2 else f"model {place + 1}"
            while name in taken:
                name = f"the {name}"
            taken.add(name)
        names.append(name)
    return names


def may_be_said(name: str) -> bool:
    """Whether a verdict may contain this word from outside, and still be taken for what it is."""
    return not any(word in name.casefold() for word in UNDECIDED)
