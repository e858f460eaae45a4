"""What comparisons on the same examples say beside their claims: of a test set, and of a stream."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from holdfast.plain import Absent, Count, Number, Plain
from holdfast.report.decision import Decision
from holdfast.report.facts.compared import OPEN, Compared, Tier
from holdfast.report.facts.kind import Kind, Simultaneous
from holdfast.report.facts.pair import DecidingTest, Pair
from holdfast.report.verdict import Outcome, Verdict

if TYPE_CHECKING:
    from holdfast.report import Line


@dataclass(frozen=True, kw_only=True)
class AllPairs(Plain):
    """How many pairs there are where not all are told one by one, and of how many what is said of the first."""

    number: Number
    outcomes: Mapping[str, Count]


@dataclass(frozen=True, kw_only=True)
class Place(Plain):
    """Where a model of very many stands."""

    model: str
    tier: Number
    beats: Count
    beaten_by: Count


@dataclass(frozen=True, kw_only=True)
class GroupPair(Plain):
    """What is said of two models in a group of the examples, by where the interval of their difference lies."""

    group: str
    first: str
    second: str
    rule: str
    outcome: Outcome
    verdict: str


@dataclass(frozen=True, kw_only=True)
class ComparisonFacts(Compared, kind=Kind.COMPARISON, marks=("pairs",)):
    """What a comparison on the same examples says beside its claims."""

    models: tuple[str, ...]
    verdict: Verdict
    margin: float
    test: DecidingTest
    pairs: tuple[Pair, ...]
    may_be_best: tuple[str, ...]
    simultaneous: Absent[Simultaneous] = None
    all_pairs: Absent[AllPairs] = None
    standing: Absent[tuple[Place, ...]] = None  # the model that errs least often here first
    notes: tuple[str, ...] = ()
    next: tuple[str, ...] = ()
    decision: Absent[Decision] = None
    groups: Absent[tuple[GroupPair, ...]] = None

    @property
    def deciding_test(self) -> DecidingTest:
        return self.test

    @property
    def tiers(self) -> list[Tier]:
        tiers: dict[int, list[str]] = {}
        for place in self.standing or ():
            tiers.setdefault(place.tier, []).append(place.model)
        return [Tier(tier, tiers[tier]) for tier in sorted(tiers)]

    @property
    def number_of_pairs(self) -> int:
        return self.all_pairs.number if self.all_pairs else super().number_of_pairs

    @property
    def number_settled(self) -> int:
        if self.all_pairs:
            return sum(times for outcome, times in self.all_pairs.outcomes.items() if outcome not in OPEN)
        return super().number_settled

    def best_first(self, lines: Sequence[Line]) -> list[str]:
        return [place.model for place in self.standing] if self.standing else super().best_first(lines)


@dataclass(frozen=True)
class EValues(Plain):
    """Evidence for either model."""

    first: float
    second: float


@dataclass(frozen=True, kw_only=True)
class Sequential(Plain):
    """The evidence on a stream, and when it was enough."""

    measure: Literal["error-rate", "mean-loss"]
    e_value: EValues
    needed: float  # the e-value at which a model is called better
    settled_after: Number | None
    changed_after: Number | None


@dataclass(frozen=True, kw_only=True)
class DuelFacts(Compared, kind=Kind.DUEL, marks=("sequential",)):
    """What a duel on a stream says beside its claim."""

    models: tuple[str, ...]
    verdict: Verdict
    margin: float
    test: DecidingTest
    pairs: tuple[Pair, ...]
    may_be_best: tuple[str, ...]
    sequential: Sequential
    notes: tuple[str, ...]
    next: tuple[str, ...]

    @property
    def deciding_test(self) -> DecidingTest:
        return self.test
