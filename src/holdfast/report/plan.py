"""What a plan answers with: how many examples, and what to look for in them."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from holdfast.claims import Claim, Guarantee


@dataclass(frozen=True, eq=False, repr=False)
class Plan:
    """How many examples to label, and what to look for in them.

    The power of a test of counts is a saw-tooth in n, so there are two answers: the smallest n that does it,
    and the n from which every larger one does too.
    """

    n: int
    n_always: int
    delta: float
    power: float
    method: str
    guarantee: Guarantee
    expect: float | None = None
    at_most: float | None = None
    half_width: float | None = None
    accept: int | None = None  # the most errors that still prove the limit
    claim: Claim | None = None  # what they would let you claim
    wins: float | None = None  # of a comparison: the share of examples that the first model alone gets right
    losses: float | None = None  # and the second alone

    def to_dict(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in fields(self) if f.name != "claim"}

    def __str__(self) -> str:
        from holdfast.render.text.text import as_text, plan_parts

        return as_text(*plan_parts(self))

    def __repr__(self) -> str:
        return f"<Plan n={self.n}, n_always={self.n_always}, accept={self.accept}, {self.method}>"
