"""Limits for a mean, or for a ratio of means, into which no order of the draws enters: squared sums, and a few bets.

A draw is a pair of a part a and a whole b, both in parts of the most that a whole can be: a loss and 1, or the events
and the examples of a cluster. All is written for a *lower* limit of the mean of a over the mean of b; the upper
limit is one minus the lower limit of the pairs (b - a, b).
"""

from __future__ import annotations

from collections.abc import Callable
from math import prod

import numpy as np

from holdfast.bounds.bounded import RANGED
from holdfast.bounds.panel import DRAWN_APART, UNLABELLED, about_unlabelled
from holdfast.catalog import Bound, method
from holdfast.claims import Assumption, Guarantee, Source
from holdfast.evidence import Array, Losses
from holdfast.evidence.draws import Influence, Ratio
from holdfast.evidence.pools.pool import Pool
from holdfast.numerics.limit import Upper
from holdfast.numerics.wealth.ratios import Pairs

LARGEST = 10**6  # draws; beyond, sums over them say nearly as much at the cost of one pass


def squares_p_value(draws: Losses | Ratio, null: Array, room: Array) -> Array:
    r"""How surprising the draws are if their mean is at least `null`: one over the evidence against it.

    Notes
    -----
    The design is that for delta = 0.05 whatever the null: it changes with delta, so that limits are not nested and
    solving them for delta would not give a p-value.

    Examples
    --------
    >>> nulls = np.array([0.2, 0.25, 0.3])
    >>> print(squares_p_value(Losses([i * i % 101 / 300 for i in range(100)]), nulls, 1 - nulls).round(4))
    [0.0991 0.0002 0.    ]
    """
    return np.exp(-np.maximum(_for_each(draws, room, Pairs.log_evidence), 0.0))


@method(
    guarantee=Guarantee.FINITE,
    source=Source("bentkus2004", "Theorem 1.1"),
    assumes=RANGED,
    needs="draws",
    p_value=squares_p_value,
    nested=False,
)
def squares(draws: Losses | Ratio, delta: Array) -> Upper:
    r"""Largest mean at which the squared sums of the draws are not too surprising, in whatever order they came.

    Notes
    -----
    Of a loss x, or of the k events in the n examples of a cluster that can hold N, take the part that is spared,
    :math:`a = 1 - x` and :math:`b = 1`, or :math:`a = (n - k) / N` and :math:`b = n / N`. Draws with b = 0 say nothing.
    Against :math:`\theta = E[a]/E[b]` speaks

    .. math::
        E(\theta) = (1 - W) \sum_j c_j \Bigl(\sum_i G_{k_j}(z_i) - t_j\Bigr)_+^2 + W\,\frac{P + Q}{2},
        \qquad z_i = \frac{a_i - \theta b_i}{1 - \theta},

    with :math:`G + k G^2 = (1 + k) z`, :math:`W = \min(0.4, 4/\sqrt n)`, P the product of
    :math:`1 + 0.98\,(a_i - \theta b_i)/\theta`, and Q the mean of the dozen products of `mixture`. If
    :math:`E[a] \le \theta E[b]` its mean is at most 1, whatever the law of the draws: the mean of G pays for its
    second moment; X at most c with such a mean and moment has :math:`E(X - t)_+^2` no larger than a two-point law has
    (the source); and one number, the variance of z, ties the second moments for all slopes :math:`k_j` together, so
    that the weights :math:`c_j` lose little. So

    .. math:: U = 1 - \inf\{\theta : E(\theta) < 1/\delta\}

    The slopes, offsets and weights depend on n, delta and a range of :math:`\theta` only, never on the draws; within
    such a range E falls in :math:`\theta`, and every range below the estimate is looked at. No order enters, equal
    draws are counted once, and a larger loss never lowers a limit. About 1.3 times the normal distance at n = 1000 for
    losses of few values; up to twice it for very small variances.

    Examples
    --------
    >>> print(squares(Losses([0.0] * 700 + [0.5] * 200 + [1.0] * 100)))
    0.2000 [0.1733, 0.2285], squares, 95 %, holds at every sample size
    >>> counts = Counts([0, 0, 1, 0, 3, 0, 2, 0] * 10, [2, 3, 3, 1, 4, 4, 2, 3] * 10)
    >>> print(squares(Ratio.of_counts(counts, most=5)))
    0.273 [0.160, 0.404], squares, 95 %, holds at every sample size
    """
    room = _for_each(draws, delta, Pairs.lower_limit)
    return Upper(1.0 - room, room)


@method(
    guarantee=Guarantee.FINITE,
    source=Source("hoeffding1963", "Theorem 4"),
    assumes=(*DRAWN_APART, Assumption.KNOWN_RANGE),
    needs="values",
    measure=UNLABELLED,
    nested=False,
)
def squares_pool(pool: Pool, delta: Array) -> Upper:
    r"""Largest mean loss of the unlabelled beside which the squared sums of the labelled are not too surprising.

    Notes
    -----
    Of N = d + d' losses d are labelled, drawn by chance without replacement. The sums of `squares` are convex functions
    of sums, whose means are no larger for such draws than for independent ones, and by Maclaurin's inequality the same
    is true of its products. So its limit m for the mean of the whole pool holds, and

    .. math:: \nu' \le m + \frac{d}{d'} (m - \nu)

    Examples
    --------
    >>> losses = Losses([i * i % 101 / 300 for i in range(100)])
    >>> print(round(squares_pool(Pool(losses, unlabelled=100), delta=0.05, side="upper").upper, 4))
    0.2429
    """
    whole = _for_each(Losses(pool.values), delta, Pairs.lower_limit)
    room = np.clip(whole + pool.n * (whole - pool.sample.complement) / pool.unlabelled, 0.0, 1.0)
    return about_unlabelled(pool, Upper(1.0 - room, room))


@method(guarantee=Guarantee.FINITE, source=Source("fan2015", "Lemma 4.1"), assumes=RANGED, needs="draws", nested=False)
def cluster_sums(clusters: Ratio, delta: Array) -> Upper:
    r"""Largest rate over all examples that a few bets on whole clusters, known by five sums, have not refuted.

    Notes
    -----
    With a and b as in `squares` and :math:`x = (a - m b)/m \ge -1`, by
    :math:`\ln(1 + c x) \ge c x + (\ln(1 - c) + c)\,x^2` the logarithm of a product of bets is at least

    .. math::
        c\,\Bigl(\frac{S_a}{m} - S_b\Bigr)
        + (\ln(1 - c) + c) \Bigl(\frac{S_{aa}}{m^2} - \frac{2 S_{ab}}{m} + S_{bb}\Bigr),

    which takes the sums of a, b and their products only. The wealth is the mean over c = .9, .45, .225, ... (as many as
    :math:`2 + \lfloor \log_2 (n + 1) \rfloor`), and the limit one minus the largest m against which it reaches
    :math:`1/\delta`. It answers where clusters are too many for `squares`, at some 1.4 times its distance.

    Examples
    --------
    >>> counts = Counts([0, 0, 1, 0, 3, 0, 2, 0] * 10, [2, 3, 3, 1, 4, 4, 2, 3] * 10)
    >>> print(cluster_sums(Ratio.of_counts(counts, most=5)))
    0.273 [0.102, 0.486], cluster-sums, 95 %, holds at every sample size
    """
    room = _for_each(clusters, delta, Pairs.lower_limit_by_sums)
    return Upper(1.0 - room, room)


def _for_each(draws: Losses | Ratio, setting: Array, solve: Callable[[Pairs, float], float]) -> Array:
    """Solve every sample with its own setting; what is spared is the part."""
    samples, shape = _spared(draws)
    lead = np.broadcast_shapes(shape, np.shape(setting))
    which = np.broadcast_to(np.arange(len(samples)).reshape(shape), lead).reshape(-1)
    settings = np.broadcast_to(setting, lead).reshape(-1)
    return np.array([solve(samples[i], float(s)) for i, s in zip(which, settings, strict=True)]).reshape(lead)


def _spared(draws: Losses | Ratio) -> tuple[list[Pairs], tuple[int, ...]]:
    """Of each sample what every draw is spared, and its whole; and the shape in which the samples stand."""
    if isinstance(draws, Ratio):
        return [draws.spared], ()
    part = draws.mirror().values
    whole = np.ones(part.shape)
    rows = (each.reshape(prod(part.shape[:-1]), part.shape[-1]) for each in (part, whole))
    return [Pairs.of(a, b) for a, b in zip(*rows, strict=True)], part.shape[:-1]


def _refuted_by_bets(ratio: Ratio, null: Array, room: Array) -> Array:
    """One over what bets sized for delta = 0.05 have won, were the rate at least the null."""
    pairs = ratio.spared
    won = np.array([pairs.evidence_of_bets(float(each)) for each in np.ravel(room)]).reshape(np.shape(room))
    return np.minimum(1.0 / np.maximum(won, 1e-300), 1.0)


@method(
    guarantee=Guarantee.FINITE,
    source=Source("waudbysmith2024", "Proposition 2"),
    assumes=RANGED,
    needs="capped draws",
    p_value=_refuted_by_bets,
    nested=False,
)
def strata_bets(ratio: Ratio, delta: Array) -> Upper:
    r"""Largest rate that a dozen fixed bets on all draws cannot refute, however much the strata differ.

    Notes
    -----
    With the weights that undo how many draws were made of each stratum, the part a that is spared and the whole b of a
    draw, both in parts of the most that a draw can weigh, and bets sized for the variances :math:`v_j = 2^{-2-j}`,

    .. math::
        U = 1 - \sup\Bigl\{m : \frac{1}{12} \sum_{j=0}^{11}
        \prod_{i \le n} \bigl(1 + \lambda_j(m)\,(a_i - m b_i)\bigr) \ge \tfrac{1}{\delta}\Bigr\},
        \qquad
        \lambda_j(m) = \min\Bigl(\sqrt{\frac{2 \ln(1/\delta)}{n\,v_j}},\ \frac{0.98}{m}\Bigr).

    The mean of a product is the product of the means, and by the inequality of the arithmetic and the geometric mean
    that is largest where all are the same: so the average has a mean of at most 1 as soon as
    :math:`\sum_i E[a_i] \le m \sum_i E[b_i]`, whatever each stratum is like. Draws without a row that counts are
    draws too, and count in n. It pays for the variance between the strata.

    Examples
    --------
    >>> from holdfast.evidence.draws import Draws
    >>> graded = np.tile([0, 0, 0.5, 1, 0, 0, 0.5, 0, 0, 1, 1, 0, 0.5, 0, 0], 4)
    >>> drawn = Draws(np.ones(60), stratum=np.tile(np.repeat([0, 1], [9, 6]), 4), most=1.0)
    >>> weight = np.where(drawn.stratum == 0, 2 / 3, 1.0)  # half of the population is of either
    >>> print(strata_bets(Ratio(weight * graded, weight, drawn)))
    0.319 [0.164, 0.519], strata-bets, 95 %, holds at every sample size
    """
    pairs = ratio.spared
    room = np.array([pairs.lower_limit_by_bets(float(each)) for each in np.ravel(delta)]).reshape(np.shape(delta))
    return Upper(1.0 - room, room)


@method(
    guarantee=Guarantee.FINITE,
    source=Source("bonferroni1936", "inequality"),
    assumes=RANGED,
    needs="terms",
    nested=False,
)
def sum_of_limits(several: Influence, delta: Array) -> Upper:
    r"""Add up the limits of several ratios, each at an equal part of delta, all at their worst.

    Notes
    -----
    .. math:: \sum_j f_j\, U_j \quad (f_j > 0), \qquad \sum_j f_j\, L_j \quad (f_j < 0)

    with the limits of `squares`, or of `strata-bets`, at :math:`\delta / J`: some of the J fails with a chance of delta
    at most, however the ratios have to do with each other. That they saw the same draws goes unused.

    Examples
    --------
    >>> from holdfast.evidence.draws import Draws, combined
    >>> drawn = Draws(np.ones(80), most=4.0)
    >>> each = (np.tile(hits, 20) for hits in ([2.0, 1.0, 2.0, 2.0], [1.0, 0.0, 2.0, 1.0]))
    >>> one, other = (Ratio(hits, np.full(80, 2.0), drawn) for hits in each)
    >>> print(sum_of_limits(combined((0.5, 0.5), (one, other))))
    0.688 [0.563, 0.787], sum-of-limits, 95 %, holds at every sample size
    """
    part = np.asarray(delta) / len(several.terms)
    ends = [_end(factor, ratio, part) for factor, ratio in several.terms]
    most = np.sum(ends, axis=0)
    return Upper(several.scale.share(most), several.scale.room(most))


def _end(factor: float, ratio: Ratio, delta: Array) -> Array:
    """The most that a ratio times its factor may be."""
    place = 1 if factor > 0 else 0
    limits = finite_for(ratio).limits(ratio, delta, "upper" if place else "lower")
    return np.asarray(factor * ratio.units(limits[place]))


def finite_for(ratio: Ratio) -> Bound:
    """The method with a proof for draws of this kind: by strata, and by how many add anything below the line.

    By nothing else, so that a group is answered as its rows by themselves would be.
    """
    if ratio.draws.stratum is not None:
        return strata_bets
    return squares if ratio.n <= LARGEST else cluster_sums
