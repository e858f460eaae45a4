"""Guaranteed bounds on the average of the models that a cross-validation trained, whatever the learner.

The folds share training examples, so that what is seen on one depends on what is seen on the others in ways that
nobody knows. Each of these methods holds under any dependence. None says anything about a model that was trained on
all examples: without an assumption on the learner nothing can be said about it.
"""

from __future__ import annotations

import numpy as np

from holdfast.bounds.strata import best_rates
from holdfast.catalog import method
from holdfast.claims import Assumption, Guarantee, Source
from holdfast.evidence import Array
from holdfast.evidence.folds.sample import FoldCounts, FoldSample
from holdfast.numerics.binomial import binomial_tail_inverse
from holdfast.numerics.divergence import kl_inverse
from holdfast.numerics.limit import Upper, moved_up
from holdfast.numerics.roots import crossing

CROSSED = (Assumption.INDEPENDENT, Assumption.TRAINED_APART, Assumption.RANDOM_FOLDS, Assumption.FIXED_PLAN)
RANGED = (*CROSSED, Assumption.KNOWN_RANGE)
FEW = 2  # folds, up to which merging p-values costs more than an equal part of delta for each
LARGEST_EXPONENT = 340.0  # of a number whose square is one too


@method(
    guarantee=Guarantee.FINITE,
    source=Source("vovk2020", "geometric mean"),
    assumes=CROSSED,
    needs="random folds",
)
def geometric_merge(folds: FoldCounts, delta: Array) -> Upper:
    r"""The largest average rate of the folds' models under which the tails of all folds are not too small together.

    Notes
    -----
    .. math:: \max\Big\{\frac{1}{J} \sum_j L_j : \sum_j \ln P(X_j \le k_j \mid n_j, L_j) \ge J (\ln\delta - 1)\Big\}

    Given what fold j's model was trained on, :math:`P(X_j \le k_j)` at its true rate :math:`L_j` is a p-value, and e
    times the geometric mean of p-values is one again, however they depend on each other. So this is the valid
    replacement for the average of limits, the survey's (51). Where all folds count alike it is Clopper-Pearson of one
    fold at :math:`\delta / e`.

    The logarithm of a tail is concave in the rate; the maximum is found as for `fisher`, by a multiplier at which the
    answer may be too large, never too small. A fold without trials leaves its model's rate open: it adds 1 / J. Of one
    or two folds, an equal part of delta for each says more than the factor e: there the limits at delta / J are
    averaged.

    Examples
    --------
    >>> from holdfast.evidence.folds.sample import FoldCounts
    >>> print(round(geometric_merge(FoldCounts([10] * 5, 100), delta=0.05, side="upper").upper, 4))
    0.1814
    """
    if folds.folds <= FEW:
        return _union(folds, delta)
    k, n, w, level = np.broadcast_arrays(folds.k, folds.sizes, 1.0 / folds.folds, delta[..., np.newaxis])
    c = folds.folds * (1.0 - np.log(level[..., :1]))
    rates = best_rates(k, n, w, c, k < n)
    spare = rates.multiplier * (np.sum(rates.log_tail, axis=-1) + c[..., 0])
    return Upper(rates.p.mean(axis=-1) + spare, rates.room.mean(axis=-1) - spare)


@method(
    guarantee=Guarantee.FINITE,
    source=Source("vovk2020", "geometric mean"),
    assumes=RANGED,
    needs="random folds",
)
def geometric_merge_kl(folds: FoldSample, delta: Array) -> Upper:
    r"""The largest average loss of the folds' models whose divergences from the means seen are not too large together.

    Notes
    -----
    .. math:: \max\Big\{\frac{1}{J} \sum_j L_j : \sum_j n_j\, \mathrm{kl}(\hat L_j \| L_j) \le J (1 - \ln\delta)\Big\}

    As `geometric-merge`, with Hoeffding's p-values :math:`e^{-n_j \mathrm{kl}(\hat L_j \| L_j)}` for bounded losses.
    With a multiplier :math:`\mu` each :math:`L_j` solves :math:`n_j (L_j - \hat L_j) = \mu L_j (1 - L_j)`; at any
    other than the best multiplier the answer is too large, never too small. Of one or two folds, the limits at delta /
    J are averaged.

    Examples
    --------
    >>> from holdfast.evidence.folds.sample import FoldMeans
    >>> claim = geometric_merge_kl(FoldMeans([0.10, 0.12, 0.07, 0.11, 0.10], 100), delta=0.05, side="upper")
    >>> print(round(claim.upper, 4))
    0.2049
    """
    if folds.folds <= FEW:
        each = kl_inverse(folds.shares, folds.rests, -np.log(delta / folds.folds)[..., np.newaxis] / folds.sizes)
        empty = folds.sizes == 0
        limit, room = np.where(empty, 1.0, each.limit), np.where(empty, 0.0, each.room)
        return Upper(limit.mean(axis=-1), room.mean(axis=-1))
    x, y, m, level = np.broadcast_arrays(folds.shares, folds.rests, folds.sizes, delta[..., np.newaxis])
    c = folds.folds * (1.0 - np.log(level[..., 0]))

    def spent(log_multiplier: Array) -> Array:
        return c - _divergences(x, y, m, log_multiplier)[2].sum(axis=-1)

    # At a multiplier of 1 no fold costs more than 1/8; where none is large enough to spend c, the largest is as good.
    best = crossing(spent, np.zeros(c.shape), np.full(c.shape, LARGEST_EXPONENT))
    limit, room, cost = _divergences(x, y, m, best)
    spare = np.maximum(c - cost.sum(axis=-1), 0.0) * np.exp(-best) / folds.folds
    return Upper(limit.mean(axis=-1) + spare, room.mean(axis=-1) - spare)


def _divergences(x: Array, y: Array, m: Array, log_multiplier: Array) -> tuple[Array, Array, Array]:
    """The loss q of each fold with m (q - x) = u q (1 - q), one minus it, and m kl(x || q); q = 1 of an empty fold.

    With u the multiplier: u q^2 + (m - u) q - m x = 0, and u r^2 - (m + u) r + m y = 0 for r = 1 - q, each solved for
    its root in [0, 1] in the form that does not cancel.
    """
    u = np.exp(log_multiplier)[..., np.newaxis]
    b = m - u
    root = np.sqrt(b * b + 4 * u * m * x)
    q = np.where(b > 0, 2 * m * x / np.where(b > 0, b + root, 1.0), (root - b) / (2 * u))
    r = 2 * m * y / (m + u + root)
    with np.errstate(divide="ignore", invalid="ignore"):  # 0 ln 0 is 0
        kl = np.where(x > 0, x * np.log(x / q), 0.0) + np.where(y > 0, y * np.log(y / r), 0.0)
    free = y == 0  # nothing seen, or nothing but the largest loss: any mean costs exactly nothing
    return np.where(free, 1.0, q), np.where(free, 0.0, r), np.where(free, 0.0, m * np.maximum(kl, 0.0))


@method(
    guarantee=Guarantee.FINITE,
    source=Source("blum1999", "moments of the K-fold estimate"),
    assumes=RANGED,
    needs="random folds of fixed sizes",
)
def hoeffding_cv(folds: FoldSample, delta: Array) -> Upper:
    r"""Add Hoeffding's slack for one fold to the cross-validated mean: delta need not be shared among the folds.

    Notes
    -----
    .. math:: \hat L + \sqrt{\frac{\ln(1/\delta)}{2}} \cdot \frac{1}{J} \sum_j \frac{1}{\sqrt{n_j}}

    which is :math:`\hat L + \sqrt{\ln(1/\delta) / 2 m}` for folds of m examples. An average has no larger exponential
    moments than its parts have on average, so that what is proved by such moments for one fold carries over to the
    average of all; for folds of several sizes by Hölder's inequality.

    Examples
    --------
    >>> from holdfast.evidence.folds.sample import FoldCounts
    >>> print(round(hoeffding_cv(FoldCounts([10] * 5, 100), delta=0.05, side="upper").upper, 4))
    0.2224
    """
    slack = np.sqrt(-np.log(delta) / 2) * np.mean(1 / np.sqrt(folds.sizes), axis=-1)
    return moved_up(folds.mean, folds.complement, slack)


@method(
    guarantee=Guarantee.FINITE,
    source=Source("bonferroni1936", "inequality"),
    assumes=CROSSED,
    needs="random folds",
)
def each_fold(folds: FoldCounts, delta: Array) -> Upper:
    r"""The average of the folds' exact limits, each at an equal part of delta: then all of them hold together.

    Notes
    -----
    .. math:: \frac{1}{J} \sum_j \max\{p : P(X_j \le k_j \mid n_j, p) \ge \delta / J\}

    Looser than `geometric-merge` from three folds on; but what it averages are limits of the single folds' models, all
    of which hold at once.

    Examples
    --------
    >>> from holdfast.evidence.folds.sample import FoldCounts
    >>> print(round(each_fold(FoldCounts([10] * 5, 100), delta=0.05, side="upper").upper, 4))
    0.1913
    """
    return _union(folds, delta)


def _union(folds: FoldCounts, delta: Array) -> Upper:
    limit, room = binomial_tail_inverse(folds.k, folds.sizes, np.asarray(delta / folds.folds)[..., np.newaxis])
    return Upper(limit.mean(axis=-1), room.mean(axis=-1))
