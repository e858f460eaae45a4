"""What an ASYMPTOTIC method owes: coverage that tends to the promise as the sample grows, on laws that are not kind.

Whoever misses 5 % in the limit misses about that at so many examples; whoever estimates a wrong variance misses more,
however many there are. Most test sets are drawn as counts of the few kinds of examples that there are, so that
200,000 examples cost no more than ten.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from itertools import product
from typing import NamedTuple

import numpy as np
from scipy.stats import binom

from holdfast.catalog import Bound, Measure, measures
from holdfast.evidence import Array, Contingency, Counts, Evidence, Gini, Integers, Losses, Paired, Resampled, Scores
from holdfast.evidence.draws import Draws, Influence, Ratio
from holdfast.evidence.ranking.distance import PairedScores
from holdfast.measures.ranking import auc, average_precision
from holdfast.tally.designs.drawn import Drawn
from holdfast.tally.designs.reading import readings
from holdfast.verbs.subject import influence_of
from holdfast.verify import LAWS
from holdfast.verify.simulated import BY_CHANCE, POPULATION, TABLES

DELTA = 0.05
TOLERATED = 1.2  # times delta: whoever misses 6 % may still be on the way to 5 %
REPEATS = 800  # enough to tell 15 % from the tolerated 6 %
RESAMPLES = 500  # of a bootstrap
MANY = 200_000
ROWS = 4_000  # where each row is sorted by itself

# Prevalence, and how the examples of the class and the others spread over grades, lowest first.
RANKINGS: dict[str, tuple[float, Array, Array]] = {
    "noise on top": (0.05, np.array([0.1, 0.2, 0.65, 0.05]), np.array([0.8, 0.15, 0.02, 0.03])),
    "a few others above all": (0.5, np.array([0, *[0.01] * 100, 0]), np.array([0.999, *[0] * 100, 0.001])),
    "a tenth of few others above all": (0.9, np.array([0, 0.3, 0.7, 0]), np.array([0.6, 0.2, 0.1, 0.1])),
    "a part of the class below all": (0.3, np.array([0.2, 0, 0.2, 0.6]), np.array([0, 0.7, 0.25, 0.05])),
    "two grades": (0.3, np.array([0.3, 0.7]), np.array([0.8, 0.2])),
    "prevalence 0.9": (0.9, np.array([0.1, 0.2, 0.7]), np.array([0.6, 0.3, 0.1])),
    "prevalence 0.002": (0.002, np.array([0.1, 0.2, 0.7]), np.array([0.9, 0.095, 0.005])),
    "hardly a mistake": (0.5, np.array([0.01, 0.0, 0.99]), np.array([0.98, 0.01, 0.01])),
    "no better than chance": (0.2, np.full(5, 0.2), np.full(5, 0.2)),
    "heavy tails": (
        0.1,
        np.exp(-(((np.arange(80) - 50) / 10) ** 2) / 2) / 25.0,
        1 / (1 + ((np.arange(80) - 25) / 6) ** 2) / 18.0,
    ),
}
# Prevalence of the first label and the recall of either.
CONTINGENCIES = {**TABLES, "prevalence 0.9": (0.9, 0.95, 0.6), "prevalence 0.002": (0.002, 0.7, 0.999)}
# The chances that only the first of two models is right, and only the second.
DUELS = {"alike": (0.05, 0.05), "ahead": (0.2, 0.02), "hardly an example": (0.002, 0.0005), "one-sided": (0.0, 0.01)}
# Two rankings of the same examples.
JOINT = [("noise on top", "heavy tails"), ("a part of the class below all", "prevalence 0.9")]
RATES = (0.5, 0.9, 0.02)
# Kinds of clusters: events, trials, and how frequent each is.
CLUSTERS = {
    "all right or all wrong": ([0, 5, 0, 1], [5, 5, 1, 1], [0.4, 0.1, 0.4, 0.1]),
    "the large are wrong": ([0, 1, 0, 4, 20], [1, 1, 4, 4, 20], [0.45, 0.05, 0.35, 0.1, 0.05]),
    "mostly without a trial": ([0, 0, 1, 3], [0, 1, 1, 3], [0.9, 0.05, 0.03, 0.02]),
}


class Law(NamedTuple):
    """A population, the true value there, and how test sets come of it."""

    measure: str
    population: str
    truth: float
    draw: Callable[[np.random.Generator, int], Iterable[Evidence]]  # so many, each by itself or all in one
    n: int = MANY

    @property
    def name(self) -> str:
        return f"{self.measure}, {self.population}"


def broken_in_the_long_run(*bounds: Bound, only: Container[str] | None = None, seed: int = 0) -> list[str]:
    """Laws on which one misses far more often than promised, though there are many examples: by either end, or in all.

    Methods of the same laws share what is drawn. `only` names populations. The ends of an interval are limits at half
    of delta each.
    """
    found = []
    for law in laws_for(bounds[0]):
        if only is not None and law.population not in only:
            continue
        below, above = np.zeros(len(bounds), np.int64), np.zeros(len(bounds), np.int64)
        for number, evidence in enumerate(law.draw(np.random.default_rng(seed), REPEATS)):
            for place, bound in enumerate(bounds):
                claim = bound(evidence, DELTA, **_options(bound, number))
                below[place] += np.sum(np.asarray(claim.upper) < law.truth)
                above[place] += np.sum(np.asarray(claim.lower) > law.truth)
        for bound, low, high in zip(bounds, below.tolist(), above.tolist(), strict=True):
            if max(low, high) > allowed(DELTA / 2) or low + high > allowed(DELTA):
                found.append(f"{bound.name}, {law.name}, n = {law.n}: {low} below and {high} above, of {REPEATS}")
    return found


def _options(bound: Bound, seed: int) -> dict[str, int]:
    """Each resampling with a seed of its own, or all would err the same way."""
    return {"resamples": RESAMPLES, "seed": seed} if "resamples" in bound.options else {}


def allowed(delta: float) -> int:
    """The most misses that one who misses what is tolerated would exceed less than once in a million times."""
    return int(binom.isf(BY_CHANCE, REPEATS, TOLERATED * delta))


def broken_enumerations(bound: Bound, sizes: tuple[int, ...] = (1_000, 20_000)) -> list[str]:
    """Exact chances of missing by either end that do not tend to half of delta, as one over the root of n does."""
    found = []
    for n, rate in product(sizes, RATES):
        reach = 6 * np.sqrt(n * rate * (1 - rate))
        k = np.arange(max(int(n * rate - reach), 0), min(int(n * rate + reach), n) + 1)
        claim, chance = bound(Counts(k, n), DELTA), binom.pmf(k, n, rate)
        tolerated = 0.25 / np.sqrt(n * min(rate, 1 - rate))
        for way, missed in (("below", claim.upper < rate), ("above", claim.lower > rate)):
            if abs(chance[missed].sum() - DELTA / 2) > tolerated:
                found.append(f"{bound.name}, n = {n}, rate {rate}: misses {chance[missed].sum():.4f} {way}")
    return found


def laws_for(bound: Bound) -> list[Law]:
    """All whose test sets are such evidence as the method takes; counts are enumerated instead."""
    if Counts in bound.takes:
        return list(_losses()) if Losses in bound.takes else []
    several = _rankings, _contingencies, _influences, _clusters, _duels, _joint
    return [law for laws in several for law in laws(bound)]


def _losses() -> Iterator[Law]:
    for name, (law, mean) in LAWS.items():
        yield Law("mean", name, mean, lambda rng, repeats, law=law: [Losses(law(rng, (repeats, 2_000)))], 2_000)  # type: ignore[misc]


def _rankings(bound: Bound) -> Iterator[Law]:
    for measure, name in product((auc, average_precision), RANKINGS):
        share, own, others = RANKINGS[name]
        cells, grades = np.concatenate([share * own / own.sum(), (1 - share) * others / others.sum()]), own.size

        def read(counts: Integers, measure: Measure = measure, grades: int = grades) -> Evidence:
            return measure(Scores.from_counts(np.arange(grades), counts[:grades], counts[grades:]))

        yield from _counted(bound, measure.name, name, cells, read)


def _contingencies(bound: Bound) -> Iterator[Law]:
    for measure, name in product(_of_tables(), CONTINGENCIES):

        def read(counts: Integers, measure: Measure = measure) -> Evidence:
            return measure(Contingency(counts.reshape(*counts.shape[:-1], 2, 2), rows="predicted"))

        yield from _counted(bound, measure.name, name, _cells(name), read, stacked=Resampled not in bound.takes)


def _influences(bound: Bound) -> Iterator[Law]:
    """The same measures, by what each example of the table adds to them; of those that are one number, the first."""
    different = [measure for measure in _of_tables() if measure.name not in ("accuracy", "weighted-recall")]
    for measure, name in product(different if Influence in bound.takes else (), CONTINGENCIES):

        def read(counts: Integers, measure: Measure = measure) -> Evidence:
            found = influence_of(measure, Contingency(counts.reshape(2, 2), rows="predicted"))
            assert found is not None
            return found

        yield from _fitting(bound, measure.name, name, _cells(name), read)


def _of_tables() -> list[Measure]:
    return [each for each in measures() if each.takes is Contingency and not each.per_class and not each.required]


def _cells(name: str) -> Array:
    share, first, second = CONTINGENCIES[name]
    return np.array([share * first, (1 - share) * (1 - second), share * (1 - first), (1 - share) * second])


def _clusters(bound: Bound) -> Iterator[Law]:
    """A rate over all examples of clusters that are not alike."""
    for name, (events, trials, chances) in CLUSTERS.items():
        k, n = np.array(events, float), np.array(trials, float)

        def read(counts: Integers, k: Array = k, n: Array = n) -> Ratio:
            return Ratio(k, n, Draws(counts.astype(np.float64)))

        yield from _fitting(bound, "rate of clusters", name, np.array(chances), read)


def _duels(bound: Bound) -> Iterator[Law]:
    for name, (won, lost) in DUELS.items():

        def read(counts: Integers) -> Evidence:
            return Paired(counts[..., 0], counts[..., 1], counts.sum(axis=-1))

        yield from _counted(bound, "difference", name, np.array([won, lost, 1 - won - lost]), read, stacked=True)


def _joint(bound: Bound) -> Iterator[Law]:
    """Two scores an example, each of a law of rankings, drawn by themselves within either class."""
    for first, second in JOINT:
        (share, *spreads), (_, *spreads_too) = RANKINGS[first], RANKINGS[second]
        parts = [
            np.outer(one / one.sum(), other / other.sum()) for one, other in zip(spreads, spreads_too, strict=True)
        ]
        cells = np.concatenate([share * parts[0].ravel(), (1 - share) * parts[1].ravel()])
        one, other = (np.tile(grade.ravel(), 2).astype(np.float64) for grade in np.indices(parts[0].shape))
        positive = np.arange(cells.size) < cells.size // 2
        area, precision = (
            [float(read(Scores.from_counts(each, *_split(POPULATION * cells, positive))).mean) for each in (one, other)]
            for read in (auc, average_precision)
        )

        def areas(counts: Integers, cells: tuple[Array, ...] = (one, other, positive)) -> PairedScores:
            return PairedScores(*(np.repeat(each, counts) for each in cells))

        def precisions(counts: Integers, cells: tuple[Array, ...] = (one, other, positive)) -> Influence:
            return _gap(average_precision, *(np.repeat(each, counts) for each in cells))

        def clustered(counts: Integers, cells: tuple[Array, ...] = (one, other, positive)) -> Influence:
            """Every example twice."""
            return _gap(auc, *(np.repeat(np.repeat(each, counts), 2) for each in cells), size=2)

        for read, truth in ((areas, area), (precisions, precision), (clustered, area)):
            if bound.fits(read(np.ones(cells.size, np.int64))):
                yield Law(
                    read.__name__, f"{first} against {second}", truth[0] - truth[1], _drawer(cells, read, ROWS), ROWS
                )


def _gap(measure: Measure, first: Array, second: Array, truly: Array, size: int = 1) -> Influence:
    """What the first scores are worth more than the second, in clusters of that size."""
    draw, truth = np.arange(truly.size) // size, truly.astype(np.int64)
    draws, labels = Draws(np.ones(truly.size // size)), ("other", "own")
    found = []
    for scores in (first, second):
        entries = Drawn(
            draws, draw, np.ones(draw.size), truth, scores={"own": scores}, labels=labels, truths=np.arange(2)
        )
        [(_, evidence)] = readings(measure, entries)
        assert isinstance(evidence, Influence)
        found.append(evidence)
    return found[0] - found[1]


def _split(counts: Array, positive: Array) -> tuple[Integers, Integers]:
    return tuple(np.rint(np.where(held, counts, 0)).astype(np.int64) for held in (positive, ~positive))


def _counted(
    bound: Bound, measure: str, name: str, cells: Array, read: Callable[[Integers], Evidence], *, stacked: bool = False
) -> Iterator[Law]:
    population = read(np.rint(POPULATION * cells).astype(np.int64))
    if isinstance(population, bound.takes) and type(population) is not Gini:
        truth = float(population.units(population.mean))
        yield Law(measure, name, truth, _drawer(cells, read, MANY, stacked))


def _fitting(
    bound: Bound, measure: str, name: str, cells: Array, read: Callable[[Integers], Evidence]
) -> Iterator[Law]:
    """The same where what is read off the population fits the method."""
    if bound.fits(read(np.rint(POPULATION * cells).astype(np.int64))):
        yield from _counted(bound, measure, name, cells, read)


def _drawer(
    cells: Array, read: Callable[[Integers], Evidence], n: int, stacked: bool = False
) -> Callable[[np.random.Generator, int], Iterable[Evidence]]:
    def draw(rng: np.random.Generator, repeats: int) -> Iterable[Evidence]:
        drawn = rng.multinomial(n, cells / cells.sum(), size=repeats)
        return [read(drawn)] if stacked else map(read, drawn)

    return draw
