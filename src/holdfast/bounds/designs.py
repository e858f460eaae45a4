"""Limits for draws that are not all alike, and for sums of ratios: what a design leaves of `squares`."""

from __future__ import annotations

import numpy as np

from holdfast.bounds.bounded import RANGED
from holdfast.bounds.squares import LARGEST, cluster_sums, squares
from holdfast.catalog import Bound, method
from holdfast.claims import Guarantee, Source
from holdfast.evidence import Array
from holdfast.evidence.draws import Influence, Ratio
from holdfast.numerics.limit import Upper


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
