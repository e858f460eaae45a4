"""Limits from how much each draw, an example or a cluster, sways an average precision or a difference."""

from __future__ import annotations

import numpy as np
from scipy.special import stdtrit

from holdfast.catalog import method
from holdfast.claims import Guarantee, Source
from holdfast.evidence import Array, RankedPrecision
from holdfast.evidence.pairs.influence import KinkedSway, SmoothSway, Sway
from holdfast.numerics.limit import Upper, moved_up, moved_up_on_log_odds


@method(guarantee=Guarantee.ASYMPTOTIC, source=Source("jaeckel1972", "infinitesimal jackknife"))
def influence(evidence: SmoothSway | RankedPrecision, delta: Array) -> Upper:
    r"""Add t standard errors, estimated from how much each example or cluster sways the estimate.

    Notes
    -----
    .. math:: \mathrm{logit}\, \hat\theta + \frac{t_{1-\delta,\,k-1}\, s}{\hat\theta (1 - \hat\theta)}, \qquad
              \hat\theta_1 - \hat\theta_2 + t_{1-\delta,\,k-1}\, s, \qquad
              s^2 = \frac{k}{k - 1} \sum_c \Big(\sum_{i \in c} g_i\Big)^2

    for one average precision, on the scale of log-odds, and for a difference of two models, as it is. The derivative
    :math:`g_i` of the estimate by the weight of example i, for a difference that of the first model minus that of the
    second, is summed over all examples of a cluster c, whatever their class; without clusters an example is one by
    itself. Of the C clusters k hold an example of the class, or another one if these are fewer: what is seen in few
    of them is known from few. Every row weighs the same.

    For the average precision :math:`g_i` counts what the few others at the top move: each lowers the precision at
    every example of the class below it. Of limits that hold at every sample size none that is useful is known.

    For a difference of areas under the ROC curve, the square multiplied out is the variance of Obuchowski (1997) for
    clusters, with the cross term of both classes; where every cluster holds both classes it is just that, and where
    every example is a cluster it is DeLong's, but for k in the place of the number of either class.

    Where nothing sways the estimate, as for a perfect ranking or for a model and itself, it says nothing; nor where a
    class is seen in one cluster only.

    Examples
    --------
    >>> from holdfast.evidence import Scores
    >>> from holdfast.measures.ranking import average_precision
    >>> print(influence(average_precision(Scores(np.arange(40) * 7 % 40, np.arange(40) >= 20))))
    0.539 [0.311, 0.752], influence, 95 %, holds only as the sample grows

    >>> from holdfast.evidence.ranking.paired_scores import PairedScores
    >>> from holdfast.measures.sway import sway_of_area
    >>> first, second = (np.arange(40) * step % 40 for step in (13.0, 3.0))
    >>> positive, clusters = np.arange(40) % 3 == 0, np.arange(40) // 4
    >>> gap = float(PairedScores(first, second, positive).estimate)
    >>> sways = sway_of_area(first, positive) - sway_of_area(second, positive)
    >>> print(influence(SmoothSway.of(gap, sways, positive, clusters)))
    0.467 [0.299, 0.635], influence, 95 %, holds only as the sample grows
    """
    if isinstance(evidence, RankedPrecision):
        return moved_up_on_log_odds(evidence.mean, evidence.complement, _slack(evidence, delta))
    return _student(evidence, delta)


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
    return moved_up(pair.mean, pair.complement, _slack(pair, delta) / 2.0)


def _slack(evidence: Sway | RankedPrecision, delta: Array) -> Array:
    return np.asarray(-stdtrit(evidence.fewest - 1, delta) * evidence.standard_error)
