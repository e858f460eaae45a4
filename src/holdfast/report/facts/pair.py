"""Two models of a comparison: the tests between them, what is believed of them, and what is said of the first."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from holdfast.claims import Guarantee, PValue
from holdfast.plain import Absent, Count, Plain, Rate
from holdfast.report.verdict import Outcome


@dataclass(frozen=True, kw_only=True)
class DecidingTest(Plain):
    """The test of no difference whose p-values the pairs have: what it asks, how firmly it holds, on whose word."""

    test: str
    null: str
    guarantee: Guarantee
    source: str


@dataclass(frozen=True, kw_only=True)
class SignificanceTest(Plain):
    """A test that was made of all models at once, or of a pair, whose names it then has where they are not known."""

    test: str
    p: Rate
    null: str
    statistic: float | None
    guarantee: Guarantee
    source: str
    first: Absent[str] = None
    second: Absent[str] = None
    adjusted: Absent[Rate] = None  # for all pairs
    outcome: Absent[Outcome] = None  # of the test that decides
    won: Absent[Count] = None
    lost: Absent[Count] = None

    @classmethod
    def of(cls, made: PValue, place: int = 0, **about: Any) -> SignificanceTest:
        """What a p-value says, or the one at this place of several, and what else is known of it."""
        values = made.one(place).to_dict()
        about |= {"guarantee": made.guarantee, "source": str(made.source)}
        return cls(test=made.test, p=values["p"], null=made.null, statistic=values["statistic"], **about)


@dataclass(frozen=True, kw_only=True)
class Posterior(Plain):
    """Bayes' probabilities that the first model's results are the smaller ones, that both are equal, the second's."""

    first: Rate | None  # None where folds do not spread
    equal: Rate | None
    second: Rate | None
    rope: float
    guarantee: Guarantee
    source: str


@dataclass(frozen=True, kw_only=True)
class Practical(Plain):
    """Bayes' probabilities, over data sets, that either model is better by more than what matters, or neither."""

    first: str
    second: str
    first_better: Rate
    equivalent: Rate
    second_better: Rate
    rope: float
    samples: Count
    seed: int
    guarantee: Guarantee
    source: str


class Belief(NamedTuple):
    """Either of these about a pair: the chances that either is better by more than the rope, and that neither is."""

    first: str
    second: str
    shares: tuple[float | None, float | None, float | None]  # first better, equal, second better
    rope: float


@dataclass(frozen=True, kw_only=True)
class Pair(Plain):
    """Two models, the p-value of no difference between them, and what is said of the first, seen from the second."""

    first: str
    second: str
    won: Absent[Count] = None  # examples, or data sets, on which the first alone was right, or better
    lost: Absent[Count] = None
    test: str
    p: Rate
    adjusted_p: Rate  # Holm's, over all pairs
    rule: str  # the test or the method that decides
    outcome: Outcome
    verdict: str
    tests: Absent[tuple[SignificanceTest, ...]] = None
    posterior: Absent[Posterior] = None

    @property
    def models(self) -> tuple[str, str]:
        return self.first, self.second
