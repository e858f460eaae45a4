"""Bounds on a mean of several proportions: balanced accuracy, macro averages, stratified samples."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import gammainccinv

from holdfast.bounds.binomial import normal_quantile
from holdfast.catalog import method
from holdfast.claims import Guarantee, Source
from holdfast.evidence import Array, Proportions, Strata
from holdfast.numerics.binomial import binomial_tail_inverse, log_binomial_tail, log_binomial_tail_and_hazard
from holdfast.numerics.limit import Upper

STEPS = 100  # a dozen do; what is not found by then is left unsaid
FOUND = 1e-4  # miss of a logarithm of a hazard, of which a last step leaves the square, and the limit a square again


@method(guarantee=Guarantee.FINITE, source=Source("ottoboni2018", "Fisher's combining function"))
def fisher(strata: Strata, delta: Array) -> Upper:
    r"""The largest mean of rates whose tails, multiplied over the strata, are not too surprising.

    Notes
    -----
    .. math:: \max\Big\{\sum_h w_h p_h : \sum_h \ln P(X_h \le k_h \mid n_h, p_h) \ge -c\Big\}, \qquad
              P(\Gamma_H > c) = \delta

    The tails are independent and no smaller than uniform, so that minus the sum of their logarithms is no larger
    than a gamma variable of shape H, the number of strata seen (Fisher's combination of tests).

    The logarithm of each tail is concave in p, so with a multiplier :math:`\lambda` the answer is

    .. math:: \sum_h \max_p [w_h p + \lambda \ln P(X_h \le k_h \mid p)] + \lambda c

    at the best :math:`\lambda`, and is too large, never too small, at any other. The best :math:`\lambda` and all rates
    are found together by Newton's method on the hazard :math:`-\partial_p \ln P(X_h \le k_h \mid p) = w_h / \lambda`.

    Examples
    --------
    >>> claim = fisher(Strata(Counts([90, 90], 100)), delta=0.05, side="lower")
    >>> print(f"{claim.lower:.4f}")
    0.8487
    """
    k, n, w, level = np.broadcast_arrays(strata.parts.k, strata.parts.n, strata.weights, delta[..., np.newaxis])
    c = gammainccinv(
        np.maximum(_total((n > 0) & (w > 0)), 1), np.broadcast_to(delta, level.shape[:-1])[..., np.newaxis]
    )
    # The tail of a stratum with nothing but events, or with nothing at all, is 1 at every rate.
    found = best_rates(k, n, w, c, (k < n) & (w > 0))
    spare = found.multiplier * (np.sum(found.log_tail, axis=-1) + c[..., 0])
    return Upper(strata.average(found.p) + spare, strata.average(found.room) - spare)


class Rates(NamedTuple):
    p: Array
    room: Array
    log_tail: Array
    multiplier: Array


def best_rates(k: Array, n: Array, w: Array, c: Array, moving: Array) -> Rates:
    """The best rate of each moving stratum, and the multiplier; NaN where the search did not end.

    The unknowns are the log-odds t of each rate and `level`, minus the logarithm of the multiplier. A tail's logarithm
    is concave in t, and the hazard's nearly so: each Newton step stays on one side of the solution.
    """
    log_w, none, some = np.log(np.where(moving, w, 1.0)), moving & (k == 0), moving & (k > 0)
    trials, events = np.where(some, n, 2.0), np.where(some, k, 1.0)
    # Begin with an equal part of c for each; none can use up more than all of it.
    parts = np.maximum(_total(moving), 1)
    t, most = _log_odds(binomial_tail_inverse(events, trials, np.exp(-np.stack(np.broadcast_arrays(c / parts, c)))))
    level = np.zeros(c.shape)
    open_ = present = np.any(moving, axis=-1, keepdims=True)
    # A stratum without events leaves the rate 0 only above its threshold, and costs n for each unit from there on.
    threshold = np.where(none, np.log(np.maximum(n, 1)) - log_w, np.inf)
    order = np.argsort(threshold, axis=-1)
    cost = np.take_along_axis(np.where(none, n, 0.0), order, axis=-1)
    offset = np.cumsum(cost * np.where(cost > 0, np.take_along_axis(threshold, order, axis=-1), 0.0), axis=-1)
    cost = np.cumsum(cost, axis=-1)
    for _ in range(STEPS):
        p, room = 1 / (1 + np.exp(-t)), 1 / (1 + np.exp(t))
        log_tail, log_hazard = log_binomial_tail_and_hazard(events, trials, p, room)
        hazard = np.exp(log_hazard)  # by t
        slope = hazard + events - (trials - 1.0) * p  # of the logarithm of the hazard by p
        off = log_w - log_hazard + np.log(p) + np.log(room)
        gain = np.where(some, hazard / slope, 0.0)
        left, gains = c + _total(np.where(some, log_tail - gain * off, 0.0)), _total(gain)
        aim = np.minimum(left / gains, _least((left + offset) / (gains + cost)))
        missed = np.where(some, aim + off, 0.0)
        # An element found stays as it is, whatever else is in the array.
        t, level = np.where(open_ & some, np.minimum(t + missed / slope, most), t), np.where(open_, aim, level)
        open_ = open_ & ~(np.abs(missed) <= FOUND).all(axis=-1, keepdims=True)
        if not open_.any():
            break
    spent = np.maximum(level - threshold, 0.0)
    p, room = 1 / (1 + np.exp(-t)), 1 / (1 + np.exp(t))
    log_tail = np.where(some, log_binomial_tail(events, trials, p, room), np.where(none, -n * spent, 0.0))
    p = np.where(none, -np.expm1(-spent), np.where(some, p, 1.0))
    room = np.where(none, np.exp(-spent), np.where(some, room, 0.0))
    multiplier = np.where(open_, np.nan, np.where(present, np.exp(-level), 0.0))
    return Rates(p, room, log_tail, multiplier[..., 0])


def _log_odds(limit: Upper) -> Array:
    return np.asarray(np.log(limit.limit / limit.room))


def _total(values: Array) -> Array:
    return values.sum(axis=-1, keepdims=True)


def _least(values: Array) -> Array:
    return values.min(axis=-1, keepdims=True, initial=np.inf)


@method(guarantee=Guarantee.FINITE, source=Source("bonferroni1936", "inequality"))
def union(several: Proportions, delta: Array) -> Upper:
    r"""The mean of exact limits, each at an equal part of delta; the proportions may depend on each other.

    Notes
    -----
    .. math:: \sum_h w_h\, g(U_h), \qquad U_h = \max\{p : P(X_h \le k_h \mid n_h, p) \ge \delta / H\}

    with g from the share to its own units: for F1, :math:`g(J) = 2 J / (1 + J)`. Some limit of the H fails with
    probability delta at most. Proportions that are independent do better with fisher.

    Examples
    --------
    >>> from holdfast.evidence import Overlap
    >>> claim = union(Proportions(Overlap([8, 84], [16, 92])))
    >>> print(f"{claim.estimate:.3f} [{claim.lower:.3f}, {claim.upper:.3f}]")
    0.811 [0.632, 0.930]
    """
    parts = several.parts
    # The number of parts that count; how many were seen must not matter, for that is chance.
    share = np.asarray(delta / np.maximum(np.sum(several.weights > 0, axis=-1), 1))[..., np.newaxis]
    limit, room = binomial_tail_inverse(parts.k, parts.n, share)
    return Upper(several.average(parts.units(limit)), several.average(parts.units(room)))


@method(guarantee=Guarantee.ASYMPTOTIC, source=Source("cochran1977", "chapter 5"))
def stratified_normal(strata: Strata, delta: Array) -> Upper:
    r"""Add z standard errors of the weighted mean, as if it were normal and its variance known.

    Notes
    -----
    .. math:: \sum_h w_h \hat p_h + z_{1-\delta} \sqrt{\sum_h w_h^2\, \hat p_h (1 - \hat p_h) / n_h}

    Examples
    --------
    >>> claim = stratified_normal(Strata(Counts([90, 90], 100)), delta=0.05, side="lower")
    >>> print(f"{claim.lower:.4f}")  # fisher says 0.8487, and holds
    0.8651
    """
    variance = np.where(strata.weights > 0, strata.weights**2 * strata.parts.s2 / strata.parts.n, 0.0)
    slack = normal_quantile(delta) * np.sqrt(np.sum(variance, axis=-1))
    return Upper(strata.mean + slack, strata.complement - slack)
