"""What comparisons say beside their claims: on the same examples, on a stream, over folds, and over data sets."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from holdfast.plain import Absent, Count, Number, Plain, Share
from holdfast.report.decision import Decision
from holdfast.report.facts.compared import (
    OPEN,
    Belief,
    Better,
    Compared,
    DecidingTest,
    Pair,
    Practical,
    SignificanceTest,
    Tier,
)
from holdfast.report.facts.kind import Kind, Simultaneous
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


@dataclass(frozen=True, kw_only=True)
class FoldPlan(Plain):
    """The cross-validation whose folds were compared, and how each model did on average."""

    scheme: str
    repeats: Number
    folds: Number
    measure: str
    better: Better
    means: Mapping[str, float]


@dataclass(frozen=True, kw_only=True)
class FoldsFacts(Compared, kind=Kind.FOLDS, marks=("folds",)):
    """What a comparison of folds says beside its claims."""

    models: tuple[str, ...]
    verdict: Verdict
    margin: float
    pairs: tuple[Pair, ...]
    may_be_best: tuple[str, ...]
    folds: FoldPlan
    simultaneous: Absent[Simultaneous] = None
    notes: tuple[str, ...] = ()

    @property
    def means(self) -> Mapping[str, float]:
        return self.folds.means

    @property
    def beliefs(self) -> list[Belief]:
        return [*self._beliefs()]

    def _beliefs(self) -> Iterator[Belief]:
        for pair in self.pairs:
            if (posterior := pair.posterior) is not None:  # of smaller and larger results, whichever is better
                shares = (posterior.first, posterior.equal, posterior.second)
                lower = self.better_values == "lower"
                yield Belief(pair.first, pair.second, shares if lower else shares[::-1], posterior.rope)

    def _standing(self, lines: Sequence[Line]) -> Mapping[str, float | None]:
        way = 1 if self.folds.better == "lower" else -1
        return {model: way * mean for model, mean in self.folds.means.items()}


@dataclass(frozen=True)
class CriticalDifference(Plain):
    """The least difference of mean ranks that Nemenyi's test takes for one."""

    value: float
    delta: Share
    test: str


@dataclass(frozen=True, kw_only=True)
class DatasetsFacts(Compared, kind=Kind.DATASETS, marks=("ranks",)):
    """What a comparison over data sets says beside its claims, which are about ranks."""

    models: tuple[str, ...]
    datasets: tuple[str, ...]
    better: Better  # scores
    measure: str | None  # that the scores are of
    ranks: Mapping[str, float]  # mean over the data sets, 1 being the best
    critical_difference: CriticalDifference
    cliques: tuple[tuple[str, ...], ...]
    tests: tuple[SignificanceTest, ...]
    may_be_best: tuple[str, ...]
    verdict: Verdict
    practical: tuple[Practical, ...]
    notes: tuple[str, ...]
    next: tuple[str, ...]

    @property
    def measure_compared(self) -> str:
        return "rank"

    @property
    def name_of_measure(self) -> str:
        return "rank"

    @property
    def better_values(self) -> Better:
        return "lower"

    @property
    def means(self) -> Mapping[str, float]:
        return self.ranks

    @property
    def pairs(self) -> tuple[Pair, ...]:  # type: ignore[override]  # said by the tests
        """What the deciding test, which tells an outcome, and the counts of another one say of each pair."""
        counts = {(test.first, test.second): test for test in self.tests if test.won is not None}
        return tuple(
            Pair(
                first=str(test.first),
                second=str(test.second),
                won=counts[test.first, test.second].won,
                lost=counts[test.first, test.second].lost,
                test=test.test,
                p=test.p,
                adjusted_p=test.p if test.adjusted is None else test.adjusted,
                rule=self.verdict.rule,
                outcome=test.outcome,
                verdict=test.outcome,
            )
            for test in self.tests
            if test.outcome is not None
        )

    @property
    def every_test(self) -> list[SignificanceTest]:
        return [*self.tests]

    @property
    def beliefs(self) -> list[Belief]:
        return [
            Belief(row.first, row.second, (row.first_better, row.equivalent, row.second_better), row.rope)
            for row in self.practical
        ]

    def deciding_line(self, lines: Sequence[Line]) -> Line | None:
        return None

    def delta(self, lines: Sequence[Line]) -> float:
        return float(self.critical_difference.delta)

    def _standing(self, lines: Sequence[Line]) -> Mapping[str, float | None]:
        return self.ranks


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
