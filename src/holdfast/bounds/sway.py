"""Limits from how much each draw, an example or a cluster, sways a difference."""

from __future__ import annotations

import numpy as np
from scipy.special import stdtrit

from holdfast.catalog import method
from holdfast.claims import Guarantee, Source
from holdfast.evidence import Array
from holdfast.evidence.sway import KinkedSway, SmoothSway, Sway
from holdfast.numerics.limit import Upper, moved_up


@method(guarantee=Guarantee.ASYMPTOTIC, source=Source("jaeckel1972", "infinitesimal jackknife"), measure="difference")
def influence(pair: SmoothSway, delta: Array) -> Upper:
    r"""Add t standard errors, estimated from how much each example or cluster sways the difference.

    Notes
    -----
    .. math:: \hat\theta_1 - \hat\theta_2 + t_{1-\delta,\,k-1}\, s, \qquad
              s^2 = \frac{k}{k - 1} \sum_c \Big(\sum_{i \in c} (g_{1i} - g_{2i})\Big)^2

    with the derivative :math:`g_i` of what a model's ranking is worth by the weight of example i, summed over all
    examples of a cluster c, whatever their class. Of the C clusters k hold an example of the class, or another one if
    these are fewer: what is seen in few of them is known from few. For the area under the ROC curve, the square
    multiplied out is the variance of Obuchowski (1997) for clusters, with the cross term of both classes; where every
    cluster holds both classes it is just that, and where every example is a cluster it is DeLong's, but for k in the
    place of the number of either class. Every row weighs the same. Where nothing sways the difference, as for a model
    and itself, it says nothing; nor where a class is seen in one cluster only.

    Examples
    --------
    >>> from holdfast.evidence.paired_scores import PairedScores
    >>> from holdfast.measures.sway import sway_of_area
    >>> first, second = (np.arange(40) * step % 40 for step in (13.0, 3.0))
    >>> positive, clusters = np.arange(40) % 3 == 0, np.arange(40) // 4
    >>> gap = float(PairedScores(first, second, positive).estimate)
    >>> sways = sway_of_area(first, positive) - sway_of_area(second, positive)
    >>> print(influence(SmoothSway.of(gap, sways, positive, clusters)))
    0.467 [0.299, 0.635], influence, 95 %, holds only as the sample grows
    """
    return _student(pair, delta)


@method(guarantee=Guarantee.HEURISTIC, source=Source("jaeckel1972", "infinitesimal jackknife"), measure="difference")
def best_thresholds(pair: KinkedSway, delta: Array) -> Upper:
    r"""Add t standard errors of the difference at the two thresholds that were found best, as if these were fixed.

    Notes
    -----
    The formula is that of `influence`. A largest value over all thresholds has a derivative only where
    one threshold is the best by far; where several are about as good, as for scores that know nothing, the estimate
    is too large on average and no multiple of its standard error makes up for that. Of two models as good as each
    other, both estimates are about as much too large, which cancels.

    Examples
    --------
    >>> from holdfast.evidence import Scores
    >>> from holdfast.measures.separation import ks
    >>> from holdfast.measures.sway import sway_of_distance
    >>> first, second = (np.arange(40) * step % 40 for step in (13.0, 3.0))
    >>> positive, clusters = np.arange(40) % 3 == 0, np.arange(40) // 4
    >>> gap = float(ks(Scores(first, positive)).mean - ks(Scores(second, positive)).mean)
    >>> sways = sway_of_distance(first, positive) - sway_of_distance(second, positive)
    >>> print(best_thresholds(KinkedSway.of(gap, sways, positive, clusters)))
    0.786 [0.469, 1.000], best-thresholds, 95 %, comes without proof
    """
    return _student(pair, delta)


def _student(pair: Sway, delta: Array) -> Upper:
    """On the scale [0, 1], of which the differences fill two halves."""
    slack = -stdtrit(pair.fewest - 1, delta) * pair.standard_error / 2.0
    return moved_up(pair.mean, pair.complement, np.asarray(slack))
