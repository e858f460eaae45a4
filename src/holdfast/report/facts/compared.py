"""What every comparison can be asked, whatever it was that compared the models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, NamedTuple

from holdfast.claims import Claim, Guarantee
from holdfast.report.facts.kind import Facts
from holdfast.report.facts.pair import Belief, DecidingTest, Pair, SignificanceTest
from holdfast.report.verdict import Outcome, Verdict

if TYPE_CHECKING:
    from holdfast.report import Line

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
