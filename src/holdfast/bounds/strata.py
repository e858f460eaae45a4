"""Bounds on a mean of several proportions, and on what rises with the recall of either of two labels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.special import gammainccinv

from holdfast.bounds.binomial import normal_quantile
from holdfast.catalog import method
from holdfast.claims import Guarantee, Source
from holdfast.evidence import Array, Integers, MonotoneInRecalls, Proportions, Strata
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
    rates = best_rates(k, n, w, c, (k < n) & (w > 0))
    spare = rates.multiplier * (np.sum(rates.log_tail, axis=-1) + c[..., 0])
    return Upper(strata.average(rates.p) + spare, strata.average(rates.room) - spare)


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


LEVELS = 128  # equal parts of what all three tails may be surprising together
BLOCKS = (16, 4, 1)  # sides of the blocks of cells among which the largest value is looked for
AT_ONCE = 2**20  # cells


def _largest(box: MonotoneInRecalls, delta: Array, sides: int) -> Upper:
    """The largest value in the box, whose recalls use up their parts of delta on one side or on both."""
    each = -np.expm1(np.log1p(-delta) / 3)
    hits, actual = (np.moveaxis(counts, -1, 0) for counts in (box.source.hits, box.source.actual))
    rates, odds = _limits(hits, actual, box.source.n, each / sides, each / 2)
    limit = box.scale.share(_largest_between(box, rates, *odds))
    return Upper(limit, 1.0 - limit)


def _limits(hits: Integers, actual: Integers, n: Integers, delta: Array, half: Array) -> tuple[tuple[Array, ...], ...]:
    """What both recalls are at most and leave above that, each at delta; the least and the most odds, each at half."""
    # One search for all four: the recalls from above, the prevalence from below and above.
    counts = np.broadcast_arrays(*hits, n - actual[0], actual[0], *actual, n, n, delta, delta, half, half)
    limits = binomial_tail_inverse(*(np.stack(counts[i : i + 4]) for i in (0, 4, 8)))
    (a, b, above_least, most), (not_a, not_b, least, above_most) = limits
    return (a, not_a, b, not_b), (_ratio(least, above_least), _ratio(most, above_most))


def _largest_between(quantity: MonotoneInRecalls, rates: Sequence[Array], lowest: Array, highest: Array) -> Array:
    """The largest value that such recalls have at odds between these two."""
    # An inner peak where the value is positive, an end where it is negative.
    peak = np.clip(quantity.steepest(*rates), lowest, highest)
    return np.asarray(np.max(quantity.of_rates(np.stack([lowest, peak, highest]), *rates), axis=0))


def _ratio(part: Array, rest: Array) -> Array:
    return np.divide(part, rest, out=np.full(np.shape(part), np.inf), where=rest > 0)


@method(
    guarantee=Guarantee.FINITE, source=Source("sidak1967", "independent case"), two_sided=partial(_largest, sides=2)
)
def box(quantity: MonotoneInRecalls, delta: Array) -> Upper:
    r"""The largest value over exact limits for both recalls and for the prevalence.

    Notes
    -----
    .. math:: \max_{\pi_L \le \pi \le \pi_U} f(\pi, a_U, b_U)

    The value rises with the recalls a and b, so their upper limits suffice; along the prevalence it has one peak (or,
    where it is negative, one dip) at known odds. Given how many examples are of the first label, the two recalls are
    counted independently of each other, so that all three limits hold together with probability :math:`1 - \delta` if
    each holds with :math:`(1 - \delta)^{1/3}`. One box serves both ends of a two-sided interval.

    Examples
    --------
    >>> from holdfast.evidence import Contingency
    >>> from holdfast.measures.agreement import mcc
    >>> claim = box(mcc(Contingency([[8, 5], [3, 84]], rows="predicted")))
    >>> print(f"{claim.estimate:.3f} [{claim.lower:.3f}, {claim.upper:.3f}]")
    0.624 [0.112, 0.941]
    """
    return _largest(quantity, delta, sides=1)


@method(guarantee=Guarantee.FINITE, source=Source("fisher1932", "section 21.1"))
def fisher_region(quantity: MonotoneInRecalls, delta: Array) -> Upper:
    r"""The largest value at recalls and a prevalence whose three tails are no surprise together.

    Notes
    -----
    With :math:`k_1` of :math:`n_1` examples of the first label found and :math:`k_2` of :math:`n_2` of the second,

    .. math::
        \max\{f(\pi, a, b) : s_a + s_b + s_\pi \le \gamma\}, \qquad P(\Gamma_3 > \gamma) = \delta,

    .. math::
        s_a = -\ln P(X \le k_1 \mid n_1, a), \quad s_b = -\ln P(X \le k_2 \mid n_2, b), \quad
        s_\pi = -\ln \min\bigl(1,\ 2 P(X \le n_1 \mid n, \pi),\ 2 P(X \ge n_1 \mid n, \pi)\bigr).

    At the true recalls and prevalence each of the three is no more than an exponential variable, :math:`s_a` and
    :math:`s_b` whatever :math:`n_1` came out as, and given it the two are independent: their sum is no more than a
    gamma variable of shape 3 (Fisher's combination), so that the truth lies in the region with probability
    :math:`1 - \delta`.

    The region is covered by cells. Along each of the three, :math:`\gamma` is cut into 128 equal levels. Where
    :math:`s_\pi` is at least level i and :math:`s_a` at least level j, :math:`s_b` is at most level 128 - i - j. The
    value rises with the recalls, so that in a cell it is no larger than with a at level j + 1 and b at level
    128 - i - j, at the best odds between those of levels i and i + 1, which are known: along the prevalence there is
    one peak (or, where it is negative, one dip). No cell is left out, so that no other peak can be missed, and the
    limit is at most as far out as :math:`\gamma (1 + 2/128)` would be: under 1 % of the width. About 1.4 times the
    normal interval, where `box` has 1.8 to 2.

    Examples
    --------
    >>> from holdfast.evidence import Contingency
    >>> from holdfast.measures.agreement import mcc
    >>> claim = fisher_region(mcc(Contingency([[8, 5], [3, 84]], rows="predicted")))
    >>> print(f"{claim.estimate:.3f} [{claim.lower:.3f}, {claim.upper:.3f}]")
    0.624 [0.200, 0.891]
    """
    table = quantity.source
    hits, actual = (np.moveaxis(counts, -1, 0)[..., np.newaxis] for counts in (table.hits, table.actual))
    tail = np.exp(-gammainccinv(3.0, delta)[..., np.newaxis] * np.arange(LEVELS + 1) / LEVELS)
    (a, not_a, b, not_b), odds = _limits(hits, actual, table.n[..., np.newaxis], tail, tail / 2)
    cells = _Cells(quantity, (a, not_a), (b, not_b), *odds)
    limit = quantity.scale.share(cells.largest())
    return Upper(limit, 1.0 - limit)


class _Cells:
    """What a quantity may be at most in each cell of the region, and in blocks of so many cells by as many.

    A block is known by its first cell: the side of the prevalence, its level i there, and the level j of one recall.
    """

    def __init__(
        self, quantity: MonotoneInRecalls, a: tuple[Array, Array], b: tuple[Array, Array], below: Array, above: Array
    ) -> None:
        self.quantity, self.a, self.b = quantity, a, b
        # Odds by side and level; between those of level 0, on either side of what was seen, no level is too low.
        self.near = np.concatenate([below, below[..., :1], above[..., 1:]], axis=-1)
        self.far = np.concatenate([below, above], axis=-1)

    def largest(self) -> Array:
        """The largest value of any cell; blocks that cannot hold it are not looked into."""
        blocks = np.broadcast_to(_blocks(), (*self.far.shape[:-1], *_blocks().shape))
        values, size = self.most(blocks, BLOCKS[0]), BLOCKS[0]
        some_cell = self._down(blocks, values)
        for smaller in BLOCKS[1:]:
            number = int(np.max(np.sum(values > some_cell, axis=-1), initial=0))
            blocks = _taken(blocks, np.argsort(-values, axis=-1)[..., :number])
            if smaller > 1:
                blocks = _parts(blocks, size, smaller)
                values, size = self.most(blocks, smaller), smaller
        step = max(1, AT_ONCE // max(some_cell.size * size**2, 1))
        for start in range(0, number, step):
            values = self.most(_parts(blocks[..., start : start + step, :], size, 1), 1)
            some_cell = np.maximum(some_cell, np.max(values, axis=-1, keepdims=True))
        return some_cell[..., 0]

    def _down(self, blocks: Integers, values: Array) -> Array:
        """A value that some cell has: down from the best block of all to the best of its parts, and so on."""
        for size, smaller in pairwise(BLOCKS):
            blocks = _parts(_taken(blocks, np.argmax(values, axis=-1)[..., np.newaxis]), size, smaller)
            values = self.most(blocks, smaller)
        return np.asarray(np.max(values, axis=-1, keepdims=True))

    def most(self, blocks: Integers, size: int) -> Array:
        """No less than any value in each block; nothing where it lies outside the region."""
        side, i, j = (blocks[..., part] for part in range(3))
        left = LEVELS - i - j
        kept = np.maximum(left, 0)
        rates = (*(_at(x, np.minimum(j + size, LEVELS)) for x in self.a), *(_at(x, kept) for x in self.b))
        ends = (
            _at(self.near, side * (LEVELS + 1) + i),
            _at(self.far, side * (LEVELS + 1) + np.minimum(i + size, LEVELS)),
        )
        values = _largest_between(self.quantity, rates, np.minimum(*ends), np.maximum(*ends))
        return np.where(left > 0, values, -np.inf)


def _at(levels: Array, places: Integers) -> Array:
    return np.take_along_axis(levels, places, axis=-1)


def _taken(blocks: Integers, which: Integers) -> Integers:
    return np.take_along_axis(blocks, which[..., np.newaxis], axis=-2)


def _parts(blocks: Integers, size: int, smaller: int) -> Integers:
    """The smaller blocks of which these are made."""
    steps = np.arange(0, size, smaller)
    within = np.stack([np.zeros(steps.size**2, int), np.repeat(steps, steps.size), np.tile(steps, steps.size)], axis=-1)
    parts = blocks[..., np.newaxis, :] + within
    return np.asarray(parts.reshape(*blocks.shape[:-2], -1, 3))


@cache
def _blocks() -> Integers:
    """The largest blocks that cover the region."""
    steps = range(0, LEVELS, BLOCKS[0])
    return np.array([(side, i, j) for side in (0, 1) for i in steps for j in steps if i + j < LEVELS])
