"""What an examination of logs says: what is in them, what can be claimed, what is missing or not comparable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from holdfast.plain import Count, Number, Plain
from holdfast.report.facts.kind import Facts, Kind


@dataclass(frozen=True, kw_only=True)
class ExaminedScore(Plain):
    """One of the scores of a log: what kind of number it is, and how many samples have it."""

    name: str
    kind: str
    scored: Count
    missing: Mapping[str, Count]
    taken: bool  # whether it is the one that is taken where none is named


@dataclass(frozen=True, kw_only=True)
class ExaminedRun(Plain):
    """One run of one model on one task."""

    log: str
    tool: str
    version: str | None
    task: str
    model: str
    samples: Number
    questions: Number
    clusters: Number | None  # that questions come from, where the log says so
    cluster: str | None
    groups: tuple[str, ...]
    scores: tuple[ExaminedScore, ...]


@dataclass(frozen=True, kw_only=True)
class ExaminationFacts(Facts, kind=Kind.EXAMINATION, marks=("runs",)):
    """What is in logs, what can be claimed from them, and what stands in the way."""

    runs: tuple[ExaminedRun, ...]
    claimable: tuple[str, ...]
    problems: tuple[str, ...]
    notes: tuple[str, ...] = ()
    next: tuple[str, ...] = ()
