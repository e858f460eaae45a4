r"""The lines of `squares`: slopes, offsets and weights whose squared excesses have a mean of at most one together.

For pairs of a hit a and a size b, both in [0, 1] and a no more than b, let z = (a - theta b) / (1 - theta). If theta is
at least the mean of a over the mean of b, z has a mean of at most 0, and so has G + k G^2 for

.. math:: G_k(z) = \frac{2 (1 + k) z}{1 + \sqrt{1 + 4 k (1 + k) z}}, \qquad G + k G^2 = (1 + k) z:

the mean of G pays for its second moment, whatever the law of the pairs. Bentkus' comparison then bounds the mean of
(T - t)_+^2, T the sum of G over n draws, by that of a binomial variable; and one number, the variance of z, ties the
second moments of all slopes k together, so that many slopes cost little more than one.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from scipy.special import betainc

from holdfast.numerics.arrays import Array
from holdfast.numerics.binomial import log_binomial_term

REGIMES_PER_OCTAVE = 4
STEEPEST, FLATTEST = 0.97, 0.8  # the slopes' ends, as parts of the largest allowed and of one over the spread
CELL = 1.01 ** -np.arange(926.0, -1.0, -1.0)  # right ends of the cells over which a bound is taken, rising to 1
TOUCHING = 1e-9  # by which rounding may move a value over the edge of a cell
SUMMED = 64  # terms of a tail that are added one by one, where the closed form would cancel


class Lines(NamedTuple):
    """For each line its slope k, the offset t above which its sum counts, and the weight of its squared excess."""

    slope: Array
    offset: Array
    weight: Array


def regime_of(theta: float) -> int:
    """Which range of theta, all with the same lines, this one lies in; small values lie in high regimes."""
    return int(np.floor(REGIMES_PER_OCTAVE * np.log2((theta**-0.5 - 1.0) / 2.0) + TOUCHING))


def right_end(regime: int) -> float:
    """The largest theta of a regime; its smallest is that of the next regime."""
    return float((1.0 + 2.0 * 2.0 ** (regime / REGIMES_PER_OCTAVE)) ** -2)


def curved(slope: Array, z: Array) -> Array:
    """G, which solves G + k G^2 = (1 + k) z: rises in z, from below by the less the higher the slope."""
    root = np.sqrt(np.maximum(1.0 + 4.0 * slope * (1.0 + slope) * z, 0.0))
    return np.asarray(2.0 * (1.0 + slope) * z / (1.0 + root))


@lru_cache(maxsize=4096)
def lines(n: int, delta: float, regime: int) -> Lines:
    """The lines for n draws at this delta, good for every theta of the regime."""
    top = right_end(regime)
    odds = top / (1.0 - top)  # the least that z can be is minus this
    slope = _slopes(n, regime, odds)[:, np.newaxis]
    second = top + (1.0 - top) * curved(slope, np.asarray(-odds)) ** 2  # the largest second moment of G
    x = np.sqrt(-2.0 * np.log(delta)) - 0.28
    spread = np.minimum((x / (2.0 * slope)) ** 2, n * second)
    offset = np.maximum((x - 1.5 / x) * np.sqrt(spread) - slope * spread, 0.1 * np.sqrt(spread))
    offset = np.minimum(0.95 * n, offset)
    edges = np.concatenate([[0.0], CELL])
    excess = _excess(n, slope, offset, second * edges[:-1], second * edges[1:])
    highest = excess.max(axis=1, keepdims=True)
    ratios = np.zeros(CELL.size)
    for k, largest, row in zip(slope[:, 0], second[:, 0], excess / highest, strict=True):
        ratios += _highest_between(row, _cells(_least(k, odds * edges[:-1]), largest), _cells(_most(k, odds), largest))
    share = (1.0 + 1e-6) * ratios.max()
    return Lines(slope[:, 0], offset[:, 0], 1.0 / (highest[:, 0] * share))


def _slopes(n: int, regime: int, odds: float) -> Array:
    """From steep lines, for rare large draws, to flat ones, for a normal sum; each at most twice the next."""
    steep, flat = STEEPEST * 2.0 ** (regime / REGIMES_PER_OCTAVE), FLATTEST / np.sqrt(n * odds)
    steps = max(0, int(np.ceil(np.log2(steep / flat) - TOUCHING)))
    return np.asarray(steep * (flat / steep) ** (np.arange(steps + 1) / max(steps, 1)))


def _least(slope: Array, variance: Array) -> Array:
    """The least second moment of G where z has this variance: z is 1 or as much below 0 as that leaves."""
    return np.asarray((variance + curved(slope, -variance) ** 2) / (1.0 + variance))


def _most(slope: Array, odds: float) -> Array:
    """The largest second moment of G where z has the variance at the right end of each cell."""
    return np.asarray((CELL * curved(slope, np.asarray(-odds)) ** 2 + odds * curved(slope, CELL) ** 2) / (odds + CELL))


def _cells(moments: Array, largest: float) -> Array:
    return np.minimum(np.searchsorted(CELL, moments / largest * (1.0 - TOUCHING)), CELL.size - 1)


def _highest_between(row: Array, first: Array, last: Array) -> Array:
    """The largest entry from each first to each last place."""
    ends = np.column_stack([first, last + 1]).reshape(-1)
    return np.asarray(np.maximum.reduceat(np.append(row, -np.inf), ends)[::2])


def _excess(n: int, slope: Array, offset: Array, least: Array, most: Array) -> Array:
    """What the mean of (T - t)_+^2 cannot exceed, where the second moment of G lies between least and most."""
    mean = slope * least
    top, variance = 1.0 + mean, most * (1.0 - 2.0 * slope * mean) + mean**2
    rate, step = variance / (top**2 + variance), top + variance / top
    return step**2 * squared_excess(n, rate, (offset + n * mean + n * variance / top) / step)


def squared_excess(n: int, p: Array, a: Array) -> Array:
    """The mean of (N - a)_+^2 for N binomial with n trials at the rate p, and a at least 0.

    Examples
    --------
    >>> print(squared_excess(2, np.array([0.5]), np.array([0.5])))
    [0.6875]
    """
    p, a = np.broadcast_arrays(p, a)
    k = np.minimum(np.floor(a) + 1.0, n + 1.0)
    q, away, inside = 1.0 - p, a - n * p, np.minimum(k, n)
    tail = np.where(k > n, 0.0, betainc(inside, n - inside + 1.0, p))
    term = np.exp(log_binomial_term(inside, np.full(k.shape, float(n)), p, q))
    closed = (n * p * q + away**2) * tail + q * k * np.where(k > n, 0.0, term) * (k - n * p - p - 2.0 * away)
    few = (n - k <= SUMMED) & (k <= n)
    if few.any():
        at = inside[few] + np.arange(min(SUMMED, n) + 1.0)[:, np.newaxis]
        steps = np.maximum(n - at, 0.0) / (at + 1.0) * (p[few] / q[few])  # from each term to the next, 0 after the last
        terms = np.cumprod(np.concatenate([term[few][np.newaxis], steps[:-1]]), axis=0)
        closed[few] = np.sum((at - a[few]) ** 2 * terms, axis=0)
    return np.asarray(closed)
