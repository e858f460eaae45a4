"""What a search for a threshold answers with: from which score on to say yes, and what may then be claimed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from holdfast.audience import addressed
from holdfast.claims import Claim
from holdfast.plain import Absent, Number, Share
from holdfast.report.decision import Answer
from holdfast.report.lines import Line
from holdfast.report.origin import Pictured, Provenance


@dataclass(frozen=True, eq=False, repr=False)
class Threshold(Pictured):
    """A threshold that was chosen on these data, and what may be claimed of it nonetheless.

    `beside` holds further claims about the same threshold, each with the same confidence on its own; `groups` all of
    them about each group, in each of which what was asked for is proven.
    """

    json_keys = (
        *("schema", "answer", "condition", "positive", "delta", "threshold", "rule", "claim", "beside", "groups"),
        *("needed", "notes", "provenance", "simultaneous"),
    )
    schema: ClassVar[Literal["holdfast/threshold/1"]] = "holdfast/threshold/1"
    answer: Answer  # proven, or not enough data
    condition: str  # in words: "specificity at least 0.95"
    positive: str
    delta: Share
    threshold: float | None = None  # call it positive from this score on
    claim: Claim | None = None
    beside: tuple[Claim, ...] = ()
    needed: Number | None = None  # examples without which the condition cannot be proven
    notes: tuple[str, ...] = ()
    provenance: Provenance = field(default_factory=Provenance)
    groups: Absent[tuple[Line, ...]] = None
    simultaneous: Absent[bool] = None  # whether all of its claims hold together
    seen: Mapping[str, Callable[[], Any]] = field(default_factory=dict)  # what makes each view, on demand

    def __post_init__(self) -> None:
        object.__setattr__(self, "notes", tuple(map(addressed, self.notes)))

    def __bool__(self) -> bool:
        return self.threshold is not None

    @property
    def rule(self) -> str:
        """What to do, in words."""
        if self.threshold is None:
            return "no threshold is proven"
        return f"call it {self.positive} when the score is at least {self.threshold!r}"

    def __str__(self) -> str:
        from holdfast.render.kinds import parts_of
        from holdfast.render.text.layout import as_text

        return as_text(*parts_of(self))

    def __repr__(self) -> str:
        return f"<Threshold {self.condition}: {self.rule}>"
