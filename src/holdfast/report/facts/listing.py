"""What commands list rather than claim: a bound, a plan, how a method kept its promise, the catalogs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from holdfast.claims import Coverage, Guarantee
from holdfast.plain import Absent
from holdfast.report.facts.kind import Facts, Kind
from holdfast.report.plan import Plan

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
