"""The facts of a report out of its JSON: which kind they are of is seen by the keys that only this kind has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdfast.report.facts.assessment import AssessmentFacts
from holdfast.report.facts.comparison import ComparisonFacts, DuelFacts
from holdfast.report.facts.examination import ExaminationFacts
from holdfast.report.facts.kind import Facts
from holdfast.report.facts.ledger import LedgerFacts
from holdfast.report.facts.listing import (
    BoundFacts,
    BoundsFacts,
    MeasuresFacts,
    MethodsFacts,
    PlanFacts,
    VerificationFacts,
)
from holdfast.report.facts.panel import CommitteeFacts, PanelFacts
from holdfast.report.facts.scored import DatasetsFacts, FoldsFacts
from holdfast.report.facts.training import CrossFacts, DecompositionFacts, LearningFacts

FACTS: tuple[type[Facts], ...] = (  # the first of which a mark is there; every comparison has pairs
    AssessmentFacts,
    DuelFacts,
    FoldsFacts,
    DatasetsFacts,
    ComparisonFacts,
    CrossFacts,
    DecompositionFacts,
    LearningFacts,
    PanelFacts,
    CommitteeFacts,
    PlanFacts,
    VerificationFacts,
    MethodsFacts,
    MeasuresFacts,
    ExaminationFacts,
    LedgerFacts,
    BoundFacts,
    BoundsFacts,
)


def facts_from(details: Mapping[str, Any], alone: bool = False) -> Facts:
    """The facts that these plain values tell; where there are none, whether one claim stands `alone` tells the kind."""
    bare: type[Facts] = BoundFacts if alone else BoundsFacts
    kind = next((each for each in FACTS if any(mark in details for mark in each.marks)), bare)
    return kind.from_dict(details)
