"""What commands list rather than claim: a plan, a gate, the catalogs, what is in logs, where a ledger stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from holdfast.claims import Coverage, Guarantee
from holdfast.ledger.account import Look
from holdfast.plain import Absent, Count, Number, Plain, Rate, Share
from holdfast.report.decision import Decision, Plan, Threshold
from holdfast.report.facts.kind import Facts, Kind

Entry = Mapping[str, Any]  # of a catalog, as it lists itself


@dataclass(frozen=True)
class BoundFacts(Facts, kind=Kind.BOUND):
    """One claim, by one method, of bare numbers."""


@dataclass(frozen=True)
class BoundsFacts(Facts, kind=Kind.BOUNDS):
    """Claims side by side, and nothing else."""


@dataclass(frozen=True)
class PlanFacts(Facts, kind=Kind.PLAN, marks=("plan",)):
    """How many examples to label."""

    plan: Plan


@dataclass(frozen=True)
class VerificationFacts(Facts, kind=Kind.VERIFICATION, marks=("verification",)):
    """How often a method covers, at each number of examples and for each law that was tried."""

    verification: tuple[Coverage, ...]

    @property
    def guarantee(self) -> Guarantee:
        """That which the method gives."""
        from holdfast.catalog import find

        return find(self.verification[0].method).guarantee


@dataclass(frozen=True)
class MethodsFacts(Facts, kind=Kind.METHODS, marks=("methods", "procedures")):
    """The catalog of methods and procedures, or one of them."""

    methods: Absent[tuple[Entry, ...]] = None
    procedures: Absent[tuple[Entry, ...]] = None


@dataclass(frozen=True)
class MeasuresFacts(Facts, kind=Kind.MEASURES, marks=("measures",)):
    """The catalog of measures, or one of them."""

    measures: tuple[Entry, ...]


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


@dataclass(frozen=True)
class LedgerState(Plain):
    """Where a ledger stands."""

    name: str
    head: str
    opened: str
    rows: Number
    known_by: str
    delta: Share
    policy: str
    left: float
    gates: Count
    promotions: Count
    open_looks: Count
    rate: Rate  # of which it is told what limit it would get
    next_level: Absent[float] = None
    retired: Absent[str] = None
    open_since: Absent[str] = None
    waiting: Absent[Number] = None  # the entry of a gate that has no answer yet


@dataclass(frozen=True)
class LevelPoint(Plain):
    """A gate, what it spent or would, and the limit that the stated rate gets by it."""

    gate: Number
    level: float
    upper: Rate
    asked: bool
    proven: bool


@dataclass(frozen=True)
class LedgerFacts(Facts, kind=Kind.LEDGER, marks=("looks",)):
    """What a ledger says."""

    ledger: LedgerState
    looks: tuple[Look, ...]
    levels: tuple[LevelPoint, ...]
    notes: tuple[str, ...] = ()
