"""Who is better, in a sentence that a machine can read too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, Self

Outcome = Literal["better", "worse", "not inferior", "not superior", "equivalent", "no difference", "not settled"]
DECIDED = (
    "better",
    "worse",
    "not inferior",
    "not superior",
)  # an undecided sentence names its outcome, a decided one none of those
UNDECIDED = ("not settled", "no difference", "equivalent")
LONGEST_NAME = 40  # characters of a model in a sentence


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

    def __new__(cls, sentence: str, *, outcome: Outcome, rule: str, margin: float = 0.0, models: Any = ()) -> Self:
        made = super().__new__(cls, sentence)
        made.outcome, made.rule, made.margin, made.models = outcome, rule, margin, tuple(models)
        return made

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
        }


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
    names, taken = [], set(plain)
    for place, name in enumerate(plain):
        if plain.count(name) > 1 or not may_be_said(name):
            name = f"the {('first', 'second')[place]} model" if len(plain) == 2 else f"model {place + 1}"
            while name in taken:
                name = f"the {name}"
            taken.add(name)
        names.append(name)
    return names


def may_be_said(name: str) -> bool:
    """Whether a verdict may contain this word from outside, and still be taken for what it is."""
    return not any(word in name.casefold() for word in UNDECIDED)


def printable(text: str, longest: int) -> str:
    """On one line, without anything a terminal would obey, and not too long."""
    plain = "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text[: longest + 1])
    return plain if len(plain) <= longest else plain[: longest - 1] + "…"
