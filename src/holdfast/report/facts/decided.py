"""What a page tells of a gate, or of a threshold, whose JSON is its own and not that of a report."""

from __future__ import annotations

from dataclasses import dataclass

from holdfast.report.decision import Decision
from holdfast.report.facts.kind import Facts, Kind
from holdfast.report.threshold import Threshold


@dataclass(frozen=True)
class DecisionFacts(Facts, kind=Kind.DECISION):
    """Whether what was asked for is proven."""

    gate: Decision
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class ThresholdFacts(Facts, kind=Kind.THRESHOLD):
    """From which score on to say yes."""

    threshold: Threshold
    notes: tuple[str, ...] = ()
