"""Chances counted out: every sample that a small world can give, with its probability."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, product

import numpy as np
from scipy.special import gammaln, xlogy

from holdfast.evidence import Array

CONFIDENCES = (0.5, 0.8, 0.95, 0.99)
ROUNDING = 1e-12  # an event on its edge counts as having happened, so that no chance is called too small


def binomial(d: int, rate: float) -> Array:
    """The chance of each number of errors in d independent examples."""
    k = np.arange(d + 1)
    ways = gammaln(d + 1) - gammaln(k + 1) - gammaln(d - k + 1)
    return np.exp(ways + xlogy(k, rate) + xlogy(d - k, 1 - rate))


def miss_of_population(d: int, rate: float, reach: float) -> float:
    """The chance that the error rate on d examples is at least so far from the true one."""
    far = np.abs(np.arange(d + 1) / d - rate) >= reach - ROUNDING
    return float(binomial(d, rate)[far].sum())


def miss_of_test(d: int, rest: int, rate: float, reach: float) -> float:
    """The chance that the error rates on d and on `rest` further examples are at least so far apart."""
    apart = np.abs(np.arange(d + 1)[:, None] / d - np.arange(rest + 1) / rest) >= reach - ROUNDING
    return float(binomial(d, rate) @ apart @ binomial(rest, rate))


@cache
def patterns(models: int) -> Array:
    """Who errs: every way, models along the columns."""
    return np.array([*product((0.0, 1.0), repeat=models)])


@cache
def laws(models: int, parts: int) -> Array:
    """Every law of who errs on an example, in so many equal parts of chance."""
    return _shared_out(parts, 2**models) / parts


@cache
def _shared_out(total: int, places: int) -> Array:
    """Every way to share out a number of equal things among so many places."""
    bars = np.array([*combinations(range(total + places - 1), places - 1)])
    edges = np.hstack([np.full((len(bars), 1), -1), bars, np.full((len(bars), 1), total + places - 1)])
    return np.diff(edges, axis=1) - 1


def samples(law: Array, d: int) -> tuple[Array, Array]:
    """The error rates of all models on d independent examples, in every sample, and its chance."""
    times = _shared_out(d, len(law))
    chance = np.exp(gammaln(d + 1) - gammaln(times + 1).sum(axis=1) + xlogy(times, law).sum(axis=1))
    models = int(np.log2(len(law)))
    return times @ patterns(models) / d, chance


Apart = Callable[[Array, Array], Array]


def chances(apart: Apart, d: int, rest: int, reaches: list[float], models: int = 2, parts: int = 4) -> Iterator[Array]:
    """For each law, the chance that validation and test samples are at least so far apart, for each reach."""
    for law in laws(models, parts):
        (here, chance), (there, chance_there) = samples(law, d), samples(law, rest)
        both = apart(here[:, None, :], there[None, :, :])
        yield np.array([chance @ (both >= reach - ROUNDING) @ chance_there for reach in reaches])


def worst_share(apart: Apart, reach: Callable[[float], float], d: int, rest: int) -> float:
    """The largest chance of a miss over all laws and confidences, as a share of what is allowed."""
    allowed = np.array([1 - confidence for confidence in CONFIDENCES])
    found = chances(apart, d, rest, [reach(delta) for delta in allowed])
    return max(float(np.max(each / allowed)) for each in found)
