"""The kinds of reports, and what all of them can be asked."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, ClassVar

from holdfast.errors import addressed
from holdfast.plain import Absent, Plain, Share
from holdfast.report.decision import Decision
from holdfast.report.verdict import Verdict


class Kind(StrEnum):
    """Which question a report answers."""

    ASSESSMENT = "assessment"
    COMPARISON = "comparison"
    FOLDS = "comparison of folds"
    DATASETS = "comparison over data sets"
    DUEL = "duel"
    CROSS_ASSESSMENT = "cross-assessment"
    DECOMPOSITION = "decomposition"
    LEARNING_CURVE = "learning curve"
    PANEL = "panel"
    COMMITTEE = "committee"
    DECISION = "decision"
    THRESHOLD = "threshold"
    BOUND = "bound"
    BOUNDS = "bounds side by side"
    PLAN = "plan"
    VERIFICATION = "verification"
    METHODS = "methods"
    MEASURES = "measures"
    EXAMINATION = "examination of logs"
    LEDGER = "ledger"


@dataclass(frozen=True)
class Simultaneous(Plain):
    """That all intervals, and the bands of these curves, hold together; each kind of statement does at `each`."""

    delta: Share
    each: Share
    bands: Absent[tuple[str, ...]] = None


class Facts(Plain):
    """What a report says beside its claims. Each kind of report has a class of its own, and adds what only it knows."""

    kinds: ClassVar[list[type[Facts]]] = []
    kind: ClassVar[Kind]
    marks: ClassVar[tuple[str, ...]]  # keys of the JSON of which only this kind has any
    notes: tuple[str, ...] = ()
    next: tuple[str, ...] = ()
    models: tuple[str, ...] = ()
    positive: str | None = None
    simultaneous: Simultaneous | None = None
    verdict: Verdict | None = None
    decision: Decision | None = None

    def __init_subclass__(cls, kind: Kind | None = None, marks: tuple[str, ...] = ()) -> None:
        if kind is not None:  # and not a family of kinds
            cls.kind, cls.marks = kind, marks
            Facts.kinds.append(cls)

    def __post_init__(self) -> None:
        for name in ("notes", "next"):  # sentences that may name what to give next time
            if getattr(self, name):
                object.__setattr__(self, name, tuple(map(addressed, getattr(self, name))))

    def details(self) -> dict[str, Any]:
        """By their names in JSON, plain values; but verdict and decision are what they are."""
        objects = {"verdict": self.verdict, "decision": self.decision}
        return {name: objects.get(name, value) for name, value in self.to_dict().items()}
