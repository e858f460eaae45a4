"""What an assessment says beside its claims."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from holdfast.claims import Claim, Guarantee
from holdfast.plain import Absent, Count, Number, Plain, Rate, Share
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


@dataclass(frozen=True)
class Asked(Plain):
    """A question, how many of its samples were right, and the limits of the chance that one is."""

    question: str
    samples: Number
    passes: Count
    lower: Rate
    upper: Rate


@dataclass(frozen=True)
class Spread(Plain):
    """The variance of the mean score over the questions, and its two parts, as they are estimated without bias."""

    variance: float
    within: float  # for the model answers the same question otherwise the next time
    between: float  # for other questions might have been asked; it may come out negative
    share: Claim  # of the former in the whole


@dataclass(frozen=True)
class Repeats(Plain):
    """Questions that were asked several times: how reliably each is answered, the least reliable first."""

    questions: Number
    delta: Share  # of the limits of each question, which hold on their own
    method: str
    guarantee: Guarantee
    each: tuple[Asked, ...]  # of very many only the first
    spread: Absent[Spread] = None


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
    repeats: Absent[Repeats] = None
