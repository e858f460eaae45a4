"""What a plan answers with: how many examples, and what to look for in them."""

from __future__ import annotations

from dataclasses import dataclass

from holdfast.claims import Claim, Guarantee
from holdfast.plain import Absent, Count, Number, Plain, Share


@dataclass(frozen=True, eq=False, repr=False)
class Plan(Plain):
    """How many examples to label, and what to look for in them.

    The power of a test of counts is a saw-tooth in n, so there are two answers: the smallest n that does it,
    and the n from which every larger one does too.
    """

    json_keys = (
        *("n", "n_always", "delta", "power", "method", "guarantee", "expect", "at_most", "half_width", "accept"),
        *("wins", "losses", "gates", "promotions", "overall"),
    )
    n: Number
    n_always: Number
    delta: Share
    power: float
    method: str
    guarantee: Guarantee
    expect: float | None = None
    at_most: float | None = None
    half_width: float | None = None
    accept: Count | None = None  # the most errors that still prove the limit
    claim: Claim | None = None  # what they would let you claim
    wins: float | None = None  # of a comparison: the share of examples that the first model alone gets right
    losses: float | None = None  # and the second alone
    gates: Absent[Number] = None  # of a test set that is asked again: how many gates of a ledger
    promotions: Absent[Count] = None  # and how many of them may be proven and followed by others
    overall: Absent[Share] = None  # the chance of error over all of them; delta is then the least that one spends

    def to_markdown(self) -> str:
        """For a comment on a pull request: the verdict, tables, and what is assumed in a fold."""
        from holdfast.render.document.markdown import markdown_of

        return markdown_of(self)

    def __str__(self) -> str:
        from holdfast.render.text.layout import as_text
        from holdfast.render.text.text import plan_parts

        return as_text(*plan_parts(self))

    def __repr__(self) -> str:
        return f"<Plan n={self.n}, n_always={self.n_always}, accept={self.accept}, {self.method}>"
