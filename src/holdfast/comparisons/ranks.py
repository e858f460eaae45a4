"""Do models differ over many data sets? Mean ranks, Friedman's test, and Nemenyi's critical difference."""

from __future__ import annotations

from math import factorial, lgamma

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import chdtrc, fdtrc, ndtr, ndtri

from holdfast.catalog import procedure
from holdfast.claims import Assumption, Guarantee, PValue, Source
from holdfast.evidence import Array
from holdfast.numerics.roots import crossing

SMALLEST = float(np.finfo(np.float64).tiny)  # a p-value is never 0
RANDOM = (Assumption.RANDOM_DATASETS,)
ALIKE = "on a random data set every order of the models is equally likely"


def average_ranks(losses: Array) -> Array:
    """The place of each value in its row, 1 for the smallest; those that are equal share the average of theirs.

    Examples
    --------
    >>> average_ranks(np.array([[0.3, 0.1, 0.3, 0.2]]))
    array([[3.5, 1. , 3.5, 2. ]])
    """
    order = np.argsort(losses, axis=-1, kind="stable")
    ranked = np.take_along_axis(losses, order, axis=-1)
    places = np.broadcast_to(np.arange(1.0, losses.shape[-1] + 1), losses.shape)
    new = np.ones(losses.shape, bool)
    new[..., 1:] = ranked[..., 1:] != ranked[..., :-1]
    last = np.ones(losses.shape, bool)
    last[..., :-1] = new[..., 1:]
    first_of_run = np.maximum.accumulate(np.where(new, places, 0.0), axis=-1)
    last_of_run = np.minimum.accumulate(np.where(last, places, np.inf)[..., ::-1], axis=-1)[..., ::-1]
    ranks = np.empty(losses.shape)
    np.put_along_axis(ranks, order, (first_of_run + last_of_run) / 2, axis=-1)
    return ranks


@procedure(guarantee=Guarantee.ASYMPTOTIC, source=Source("demsar2006", "3.2.2"), assumes=RANDOM)
def friedman(ranks: Array) -> PValue:
    r"""Friedman's test that no model tends to rank differently from another.

    Notes
    -----
    With mean ranks :math:`R_j` of k models on N data sets

    .. math:: \chi^2 = \frac{12 N}{k (k + 1)} \Big[\sum_j R_j^2 - \frac{k (k+1)^2}{4}\Big]

    on k - 1 degrees of freedom. Computed is
    :math:`(k-1) \sum_j N^2 (R_j - \frac{k+1}{2})^2 / \sum_{ij} (r_{ij} - \frac{k+1}{2})^2`, which is the same without
    ties and corrects for them where there are any. If all models tie everywhere nothing speaks against it: p is 1.

    Examples
    --------
    >>> ranks = average_ranks(np.array([[0.1, 0.2, 0.3], [0.2, 0.3, 0.4], [0.1, 0.3, 0.2], [0.1, 0.2, 0.4]]))
    >>> found = friedman(ranks)
    >>> print(f"{found.statistic:.2f} {found.value:.4f}")
    6.50 0.0388
    """
    statistic, k = _chi_squared(ranks), ranks.shape[1]
    value = max(float(chdtrc(k - 1, statistic)), _least(ranks)) if statistic else 1.0
    return friedman.p_value(value, ALIKE, statistic)


@procedure(guarantee=Guarantee.ASYMPTOTIC, source=Source("iman1980", "F"), assumes=RANDOM)
def iman_davenport(ranks: Array) -> PValue:
    r"""The same question by Iman and Davenport's F, which is less cautious than Friedman's chi-squared.

    Notes
    -----
    .. math:: F = \frac{(N - 1) \chi^2}{N (k - 1) - \chi^2}

    on k - 1 and (k - 1)(N - 1) degrees of freedom. Where all data sets rank the models alike F has no end; the
    p-value is never below the chance of that, :math:`(k!)^{1-N}`, and so 1 for a single data set.

    Examples
    --------
    >>> ranks = average_ranks(np.array([[0.1, 0.2, 0.3], [0.2, 0.3, 0.4], [0.1, 0.3, 0.2], [0.1, 0.2, 0.4]]))
    >>> found = iman_davenport(ranks)
    >>> print(f"{found.statistic:.2f} {found.value:.4f}")
    13.00 0.0066
    """
    statistic, (n, k) = _chi_squared(ranks), ranks.shape
    room = n * (k - 1) - statistic
    ratio = (n - 1) * statistic / room if room > 1e-9 * n * (k - 1) else np.inf
    value = 1.0 if not statistic else float(fdtrc(k - 1, (k - 1) * (n - 1), ratio)) if np.isfinite(ratio) else 0.0
    shown = float(ratio) if np.isfinite(ratio) else np.nan  # told as unknown
    return iman_davenport.p_value(max(value, _least(ranks)), ALIKE, shown)


def critical_difference(k: int, n: int, delta: float) -> float:
    r"""How far apart two mean ranks of k models on n data sets must be for Nemenyi's test to tell them apart.

    Notes
    -----
    .. math:: q_\delta \sqrt{\frac{k (k + 1)}{6 N}}

    with :math:`q_\delta` the point that the range of k standard normal variables exceeds with probability delta,
    divided by :math:`\sqrt 2`.

    Examples
    --------
    >>> print(f"{critical_difference(4, 14, 0.05):.2f}")  # the example of Demsar (2006)
    1.25
    """
    return float(range_quantile(delta, k)) / np.sqrt(2.0) * _unit(k, n)


@procedure(guarantee=Guarantee.ASYMPTOTIC, source=Source("demsar2006", "3.2.2"), assumes=RANDOM)
def nemenyi(ranks: Array, first: Array, second: Array) -> PValue:
    r"""Nemenyi's test of every pair at once: how far apart the two would be, were all models alike.

    Notes
    -----
    With q the range of k standard normal variables, and mean ranks :math:`R_i, R_j` on N data sets,

    .. math:: p_{ij} = P\bigl(q \ge \sqrt 2\, |R_i - R_j| / \sqrt{k (k + 1) / (6 N)}\bigr)

    As a test of all models being alike it holds as data sets grow. Its interval, the difference of two mean ranks plus
    and minus the critical difference, takes the spread of ranks from models all alike where these are not: it comes
    without proof.

    Examples
    --------
    >>> ranks = average_ranks(np.array([[0.1, 0.2, 0.3], [0.2, 0.3, 0.4], [0.1, 0.3, 0.2], [0.1, 0.2, 0.4]]))
    >>> print(nemenyi(ranks, np.array([0, 0]), np.array([1, 2])).value.round(3))
    [0.181 0.036]
    """
    n, k = ranks.shape
    gaps = np.abs(np.sum(ranks[:, first] - ranks[:, second], axis=0)) / n
    value = range_exceeds(gaps / _unit(k, n) * np.sqrt(2.0), k)
    return nemenyi.p_value(np.maximum(value, SMALLEST), ALIKE, gaps)


def cliques(mean_ranks: Array, difference: float) -> list[list[int]]:
    """Every largest set of models of which no two mean ranks are further apart than the critical difference.

    Best first, as the places of the models; a model alone is no set.

    Examples
    --------
    >>> cliques(np.array([3.1, 1.2, 2.0, 2.9]), 1.0)
    [[1, 2], [2, 3], [3, 0]]
    """
    order = np.argsort(mean_ranks, kind="stable")
    ranked = mean_ranks[order]
    reach = np.searchsorted(ranked, ranked + difference * (1 + 1e-12), side="right")  # the first out of reach
    starts = np.flatnonzero((np.diff(reach, prepend=0) > 0) & (reach - np.arange(len(ranked)) > 1))
    return [order[start : reach[start]].tolist() for start in starts.tolist()]


def _unit(k: int, n: int) -> float:
    """The spread of a difference of two mean ranks, were all models alike."""
    return float(np.sqrt(k * (k + 1) / (6.0 * n)))


def _chi_squared(ranks: Array) -> float:
    k = ranks.shape[1]
    off = np.rint(2 * ranks).astype(np.int64) - (k + 1)  # whole numbers: the order of the models changes no digit
    spread = int(np.sum(off**2))
    return (k - 1) * int(np.sum(np.sum(off, axis=0) ** 2)) / spread if spread else 0.0


def _least(ranks: Array) -> float:
    """The chance that all data sets rank the models as the first one does: no order is less likely than that."""
    n, k = ranks.shape
    small = (n - 1) * lgamma(k + 1) > 700
    return SMALLEST if small else float(factorial(k) ** (n - 1)) ** -1


# What is integrated is smooth and falls off like a normal density, so that equal steps are good to the last digits.
STEP = 1 / 16
NODES = np.arange(-40.0, 40.0 + STEP, STEP)
DENSITY = np.exp(-(NODES**2) / 2) * (STEP / np.sqrt(2 * np.pi))
BELOW = ndtr(NODES)
BLOCK = 256  # ranges worked on at once, each with all nodes


def range_exceeds(q: ArrayLike, k: int) -> Array:
    r"""Probability that the largest of k standard normal variables is more than q above the smallest.

    Notes
    -----
    .. math:: 1 - k \int \varphi(z)\, \{\Phi(z) - \Phi(z - q)\}^{k-1}\, dz
              = k \int \varphi(z)\, \{\Phi(z)^{k-1} - (\Phi(z) - \Phi(z - q))^{k-1}\}\, dz

    with z the largest. The second form subtracts nothing from one, so that small probabilities keep their digits.

    Examples
    --------
    >>> print(f"{range_exceeds(3.31449, 3):.6f}")
    0.050000
    """
    distances = np.asarray(q, np.float64)
    pieces = np.array_split(distances.reshape(-1), distances.size // BLOCK + 1)
    return np.concatenate([_exceeds(piece, k) for piece in pieces]).reshape(distances.shape)


def _exceeds(q: Array, k: int) -> Array:
    within = np.minimum(ndtr(NODES - q[:, None]) / np.where(BELOW > 0, BELOW, 1.0), 1.0)
    with np.errstate(divide="ignore"):  # all of them within: the logarithm of nothing
        missing = -np.expm1((k - 1) * np.log1p(-within))
    return np.minimum(k * np.sum(DENSITY * BELOW ** (k - 1) * missing, axis=-1), 1.0)


def range_quantile(delta: ArrayLike, k: int) -> Array:
    """What the range of k standard normal variables exceeds with probability delta.

    Examples
    --------
    >>> print(f"{range_quantile(0.05, 3):.8f}")
    3.31449316
    """
    chance = np.asarray(delta, np.float64)
    # No pair of k (k - 1) / 2 is further apart than this, by the union of their own chances.
    most = -np.sqrt(2.0) * ndtri(chance / (k * (k - 1)))
    return crossing(lambda q: range_exceeds(q, k) - chance, np.zeros_like(most), most)
