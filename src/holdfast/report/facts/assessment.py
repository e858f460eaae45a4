"""What an assessment says beside its claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from holdfast.plain import Absent, Count, Number, Plain
from holdfast.report.facts.kind import Facts, Kind, Simultaneous


@dataclass(frozen=True, kw_only=True)
class Matrix(Plain):
    """Counts by predicted (rows) and actual (columns) label."""

    labels: tuple[str, ...]
    rows: Literal["predicted"] = "predicted"
    table: tuple[tuple[Count, ...], ...]


@dataclass(frozen=True)
class OperatingPoint(Plain):
    """The score from which on the label is predicted, and in how many rows a column of predictions says otherwise."""

    threshold: float
    label: str
    differing: Count | None


@dataclass(frozen=True)
class Bin(Plain):
    """One bin of the scores; the claim about it has its name for a label."""

    bin: str
    mean_score: float | None
    n: Count
    positives: Count


@dataclass(frozen=True)
class Calibration(Plain):
    """The bins of the scores of a label, and whether they were fixed before looking."""

    label: str
    fixed: bool
    bins: tuple[Bin, ...]


@dataclass(frozen=True, kw_only=True)
class AssessmentFacts(Facts, kind=Kind.ASSESSMENT, marks=("missing",)):
    """What an assessment says beside its claims."""

    errors: Absent[Count] = None  # None where there are no predictions
    positive: str | None = None
    positive_by: Absent[Literal["scores"]] = None  # that they say which class is positive, and nobody else did
    missing: Mapping[str, int | str]
    clusters: Absent[Number] = None
    largest_cluster: Absent[Number] = None
    contingency: Absent[Matrix] = None
    notes: tuple[str, ...] = ()
    next: tuple[str, ...] = ()
    operating_point: Absent[OperatingPoint] = None
    calibration: Absent[Calibration] = None
    simultaneous: Absent[Simultaneous] = None
