"""Who is better, in a sentence that a machine can read too."""

from __future__ import annotations

from typing import Any, Literal, Self

Outcome = Literal["better", "worse", "not inferior", "not superior", "equivalent", "no difference", "not settled"]
DECIDED = (
    "better",
    "worse",
    "not inferior",
    "not superior",
)  # an undecided sentence names its outcome, a decided one none of those


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
