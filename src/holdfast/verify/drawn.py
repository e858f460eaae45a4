"""Coverage by seeded simulation of whole test sets, for methods that need a table or a ranking."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from holdfast.catalog import Bound, Measure, measures
from holdfast.claims import Coverage, Side
from holdfast.evidence import Array, Contingency, Evidence, Gini, Integers, Resampled, Scores
from holdfast.verify.simulated import outcome

POPULATION = 10**8  # examples in a population that is counted out to know its true value
# Prevalence of the first label and the recall of either: what careless intervals fail at is rare or nearly certain.
TABLES = {
    "two alike": (0.5, 0.9, 0.8),
    "a rare class": (0.03, 0.8, 0.98),
    "hardly an error": (0.3, 0.99, 0.995),
    "no better than chance": (0.2, 0.3, 0.7),
}
# Prevalence, and how the examples of the class and the others spread over a few grades, lowest first.
RANKINGS = {
    "three grades": (0.4, (0.1, 0.3, 0.6), (0.6, 0.3, 0.1)),
    "a rare class": (0.05, (0.05, 0.15, 0.2, 0.6), (0.7, 0.2, 0.08, 0.02)),
    "hardly a mistake": (0.5, (0.01, 0.0, 0.99), (0.98, 0.01, 0.01)),
    "no better than chance": (0.5, (0.25, 0.25, 0.25, 0.25), (0.25, 0.25, 0.25, 0.25)),
}


def drawn_coverages(bound: Bound, n: int, delta: float, side: Side, repeats: int, seed: int) -> Iterator[Coverage]:
    """How often the method covers, for every measure that it answers for and every law."""
    for measure, law in pairs(bound):
        cells, read = _tables(measure, law) if measure.takes is Contingency else _rankings(measure, law)
        population = read(np.rint(POPULATION * cells).astype(np.int64))
        truth = float(population.units(population.mean))
        drawn = np.random.default_rng(seed).multinomial(n, cells, size=repeats)
        stacked = measure.takes is Contingency and Resampled not in bound.takes  # what is redrawn comes one by one
        claims = [bound(read(counts), delta, side) for counts in ([drawn] if stacked else drawn)]
        lower = np.concatenate([np.atleast_1d(claim.lower) for claim in claims])
        upper = np.concatenate([np.atleast_1d(claim.upper) for claim in claims])
        missed = int(np.sum((lower > truth) | (upper < truth)))
        yield outcome(bound, n, delta, side, truth, f"{measure.name}, {law}", missed, repeats)


def pairs(bound: Bound) -> list[tuple[Measure, str]]:
    """Which measures the method answers for, and under which laws that is tried."""
    # The Gini coefficient is the area in other units: what holds for one holds for the other.
    table, scores = Contingency([[1, 1], [1, 1]], rows="predicted"), Scores([0.0, 1.0], [False, True])
    found = []
    for measure in measures():
        if measure.required:
            continue  # what it needs to know, a law of its own must say
        if measure.takes is Contingency and not measure.per_class and isinstance(measure(table), bound.takes):
            found += [(measure, law) for law in TABLES]
        elif (
            measure.takes is Scores
            and type(evidence := measure(scores)) is not Gini
            and isinstance(evidence, bound.takes)
        ):
            found += [(measure, law) for law in RANKINGS]
    return found


Read = Callable[[Integers], Evidence]  # from the counts of a test set to what the measure sees of it


def _tables(measure: Measure, law: str) -> tuple[Array, Read]:
    share, first, second = TABLES[law]
    cells = np.array([share * first, (1 - share) * (1 - second), share * (1 - first), (1 - share) * second])

    def read(counts: Integers) -> Evidence:
        return measure(Contingency(counts.reshape(*counts.shape[:-1], 2, 2), rows="predicted"))

    return cells, read


def _rankings(measure: Measure, law: str) -> tuple[Array, Read]:
    share, own, others = RANKINGS[law]
    cells, grades = np.array([*(share * p for p in own), *((1 - share) * p for p in others)]), np.arange(len(own))

    def read(counts: Integers) -> Evidence:
        return measure(Scores.from_counts(grades, *np.split(counts, 2)))

    return cells, read
