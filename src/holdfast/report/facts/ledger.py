"""The ledger of a test set: its looks, what is left, and what a stated rate would get as looks go on."""

from __future__ import annotations

from dataclasses import dataclass

from holdfast.ledger.account import Look
from holdfast.plain import Absent, Count, Number, Plain, Rate, Share
from holdfast.report.facts.kind import Facts, Kind


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
