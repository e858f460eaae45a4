"""Coverage by seeded simulation, for methods that need the losses, over laws that break careless bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from holdfast.catalog import Bound, Measure, find, measures
from holdfast.claims import Coverage, Side, chance_of_error
from holdfast.errors import HoldfastError, UnfitMethod, UnknownName
from holdfast.evidence import Array, Contingency, Evidence, Gini, Integers, Losses, Resampled, Scores, whole
from holdfast.numerics.binomial import binomial_tail

LARGEST_N = 1_000_000  # examples up to which every count is looked at


def one_level(confidence: float | str | None, delta: float | None) -> float:
    level = chance_of_error(confidence, delta)
    if level.ndim:
        raise HoldfastError("Coverage is computed for one delta at a time.")
    return float(level)


def one_size(n: int) -> int:
    sizes = all_sizes(n)
    if len(sizes) != 1:
        raise HoldfastError(f"This takes one number of examples; got {len(sizes)}.")
    return sizes[0]


def all_sizes(n: int | Iterable[int]) -> list[int]:
    """Numbers of examples, each from 1 to what can be enumerated."""
    given = list(n) if isinstance(n, Iterable) and not isinstance(n, str) else n
    sizes = np.atleast_1d(whole("n, the number of examples,", given)).reshape(-1)
    if not sizes.size or sizes.min() < 1 or sizes.max() > LARGEST_N:
        raise HoldfastError(f"Coverage is computed for 1 to {LARGEST_N} examples; got {n!r}.")
    return [int(size) for size in sizes]


BY_CHANCE = 1e-6  # a simulation speaks against a promise only where chance would do so less often than this

Law = Callable[[np.random.Generator, tuple[int, int]], Array]


def _atom_at_zero(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    return np.where(rng.random(shape) < 0.95, 0.0, rng.random(shape))


SORTED = "atom at zero, sorted"
LAWS: dict[str, tuple[Law, float]] = {  # how to draw from each, and its mean
    "two points .1 and 1": (lambda rng, shape: np.where(rng.random(shape) < 0.03, 1.0, 0.1), 0.1 + 0.03 * 0.9),
    "three points 0, .3 and 1": (
        lambda rng, shape: rng.choice([0.0, 0.3, 1.0], shape, p=[0.6, 0.3, 0.1]),
        0.3 * 0.3 + 0.1,
    ),
    "beta(.1, .1)": (lambda rng, shape: np.clip(rng.beta(0.1, 0.1, shape), 0.0, 1.0), 0.5),
    "atom at zero": (_atom_at_zero, 0.05 * 0.5),
    SORTED: (lambda rng, shape: np.sort(_atom_at_zero(rng, shape), axis=-1), 0.05 * 0.5),
    "uniform on [.2, .3]": (lambda rng, shape: rng.uniform(0.2, 0.3, shape), 0.25),
    "a hair apart": (lambda rng, shape: 0.5 + 1e-9 * np.sign(rng.random(shape) - 0.5), 0.5),
}


def laws_for(bound: Bound) -> list[str]:
    """The laws under which it is tried: what is proven in the order of the draws says nothing of sorted ones."""
    return [law for law in LAWS if law != SORTED or not bound.in_order]


def simulated_coverage(
    method: str | Bound,
    n: int,
    law: str,
    *,
    delta: float = 0.05,
    side: Side = "both",
    repeats: int = 2000,
    seed: int = 0,
) -> Coverage:
    """The share of seeded samples whose interval contains the law's true mean."""
    bound, size = find(method), one_size(n)
    if Losses not in bound.takes:
        raise UnfitMethod(f"{bound.name} takes counts only; worst_coverage enumerates them.")
    if law not in LAWS:
        raise UnknownName("law", law, LAWS)
    if int(whole("repeats", repeats)) < 1:
        raise HoldfastError("A simulation needs at least one repeat.")
    draw, mean = LAWS[law]
    values = draw(np.random.default_rng(int(whole("seed", seed))), (repeats, size))
    claim = bound(Losses(values, order="drawn" if bound.in_order and law != SORTED else None), delta, side)
    missed = int(np.sum((claim.lower > mean) | (claim.upper < mean)))
    return outcome(bound, size, delta, side, mean, law, missed, repeats)


def outcome(
    bound: Bound, n: int, delta: float, side: Side, truth: float, law: str, missed: int, repeats: int
) -> Coverage:
    """What so many misses say about the promise."""
    # P(Bin(repeats, delta) >= missed): how often a method that keeps its promise would miss so often.
    chance = float(binomial_tail(repeats - missed, repeats, 1 - delta, delta)) if missed else 1.0
    covered = 1 - missed / repeats
    return Coverage(bound.name, n, delta, side, covered, truth, law, missed, repeats, kept=chance >= BY_CHANCE)


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
