"""What every comparison can be asked, whatever it was that compared the models, and what is said of two of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from holdfast.claims import Claim, Guarantee, PValue
from holdfast.plain import Absent, Count, Plain, Rate
from holdfast.report.facts.kind import Facts
from holdfast.report.verdict import Outcome, Verdict

if TYPE_CHECKING:
    from holdfast.report import Line


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
    def of(cls, values_of: PValue, place: int = 0, **about: Any) -> SignificanceTest:
        """What a p-value says, or the one at this place of several, and what else is known of it."""
        values = values_of.one(place).to_dict()
        about |= {"guarantee": values_of.guarantee, "source": str(values_of.source)}
        return cls(test=values_of.test, p=values["p"], null=values_of.null, statistic=values["statistic"], **about)


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

    @classmethod
    def of(cls, models: tuple[str, str], verdict: Verdict, **known: Any) -> Pair:
        """The pair of which the verdict is."""
        known |= {"rule": verdict.rule, "outcome": verdict.outcome, "verdict": str(verdict)}
        return cls(first=models[0], second=models[1], **known)

    @property
    def models(self) -> tuple[str, str]:
        return self.first, self.second


Better = Literal["higher", "lower"]
OPEN: tuple[Outcome, ...] = ("not settled", "no difference")


class Tier(NamedTuple):
    """Models of which none is shown to beat another, each beaten by one of the tier before."""

    place: int
    models: list[str]  # the best here first


class Compared(Facts):
    """What every comparison can be asked: who was compared in what, each pair, and who may be the best."""

    verdict: Verdict
    may_be_best: tuple[str, ...]
    pairs: tuple[Pair, ...]
    margin: float = 0.0
    test: DecidingTest | None = None  # where one decides for all pairs
    tests: tuple[SignificanceTest, ...] = ()  # of all models at once, or with the names of a pair

    @property
    def means(self) -> Mapping[str, float]:
        """By model, where that is all there is to say of it alone."""
        return {}

    @property
    def measure_compared(self) -> str:
        """Of which measure the difference decides."""
        return self.verdict.about.measure

    @property
    def name_of_measure(self) -> str:
        """The same in words, and of which class."""
        return self.verdict.about.name

    @property
    def better_values(self) -> Better:
        return self.verdict.about.better

    @property
    def deciding_test(self) -> DecidingTest:
        """Whose p-values the pairs have."""
        if self.test is not None:
            return self.test
        test = next(test for test in self.every_test if test.first is not None)  # the deciding one comes first
        return DecidingTest(test=test.test, null=test.null, guarantee=test.guarantee, source=test.source)

    @property
    def beliefs(self) -> list[Belief]:
        """Bayes' answer about each pair, where there is one."""
        return []

    @property
    def every_test(self) -> list[SignificanceTest]:
        """Every test that was made, those of a pair with its names."""
        of_pairs = [replace(t, first=pair.first, second=pair.second) for pair in self.pairs for t in pair.tests or ()]
        return [*self.tests, *of_pairs]

    @property
    def tiers(self) -> list[Tier]:
        """Of very many models, the first tier first; none where every pair is told."""
        return []

    @property
    def number_of_pairs(self) -> int:
        """Told one by one or not."""
        return len(self.pairs)

    @property
    def number_settled(self) -> int:
        """Of how many pairs something is shown."""
        return sum(pair.outcome not in OPEN for pair in self.pairs)

    # ---- Beside the claims

    def differences(self, lines: Sequence[Line]) -> list[Line]:
        """Those about the difference that decides, by every method; of several classes, of the one that decides."""
        measure = f"{self.measure_compared}-difference"
        whole = (line for line in lines if line.group is None and line.against is not None)
        about = [line for line in whole if line.measure == measure]
        return [line for line in about if line.label == about[0].label]

    def claims_of_pairs(self, lines: Sequence[Line]) -> dict[tuple[str, str], list[Claim]]:
        """Of each pair the claims about that difference, the deciding method's first."""
        claims: dict[tuple[str, str], list[Claim]] = {}
        for line in self.differences(lines):
            claims.setdefault((str(line.model), str(line.against)), []).append(line.claim)
        return claims

    def deciding_line(self, lines: Sequence[Line]) -> Line | None:
        """Of two models, that whose interval goes with the verdict: the deciding method's, or a guaranteed one."""
        if len(self.models) > 2:
            return None
        differences = self.differences(lines)
        decided = [line for line in differences if line.claim.method == self.verdict.rule]
        firm = [line for line in differences if line.claim.guarantee is Guarantee.FINITE]
        return next(iter([*decided, *firm, *differences]), None)

    def delta(self, lines: Sequence[Line]) -> float:
        """The chance that the verdict is wrong."""
        return float(self.simultaneous.delta if self.simultaneous else self.differences(lines)[0].claim.delta)

    def firmness(self, lines: Sequence[Line]) -> Guarantee:
        """How firmly the verdict holds: as the method or the test does that decided."""
        methods = {line.claim.method: line.claim.guarantee for line in self.differences(lines)}
        return methods.get(self.verdict.rule, self.deciding_test.guarantee)

    def best_first(self, lines: Sequence[Line]) -> list[str]:
        """The models by how well they did here, which is no verdict."""
        values = self._standing(lines)
        return sorted(self.models, key=lambda model: (values[model] is None, values[model] or 0.0))

    def _standing(self, lines: Sequence[Line]) -> Mapping[str, float | None]:
        """By model, how much worse than the others it was: by its own line, or by its differences from them."""
        own = {line.model: line.claim for line in own_lines(lines) if line.measure == self.measure_compared}
        if own:
            return {model: _estimate(own.get(model)) for model in self.models}
        worse, way = dict.fromkeys(self.models, 0.0), 1 if self.better_values == "lower" else -1
        claims = self.claims_of_pairs(lines)
        for first, second in (pair.models for pair in self.pairs if pair.models in claims):
            gap = way * (_estimate(claims[first, second][0]) or 0.0)
            worse[first] += gap
            worse[second] -= gap
        return worse


def own_lines(lines: Sequence[Line]) -> list[Line]:
    """What is claimed of each model by itself."""
    return [line for line in lines if line.against is None and line.model is not None]


def _estimate(claim: Claim | None) -> float | None:
    return None if claim is None or claim.estimate is None else float(claim.estimate)
