"""Limits from how much each draw, a row or a cluster, adds to an estimate: one path for all measures and designs.

Behind them a difference of two models from what is known of each by itself.
"""

from __future__ import annotations

import numpy as np
from scipy.special import stdtr, stdtrit

from holdfast.bounds.binomial import clopper_pearson
from holdfast.bounds.calibration import ks_band, signs
from holdfast.bounds.paired import nested_fisher
from holdfast.bounds.prevalence import rectangle
from holdfast.bounds.ranking import auc_bentkus
from holdfast.bounds.strata import box, fisher, union
from holdfast.catalog import Bound, method
from holdfast.claims import Guarantee, Side, Source
from holdfast.evidence import Array, Counts, Evidence, MonotoneInRecalls, Proportions, RankedPrecision, Scores, Strata
from holdfast.evidence.draws import Influence, Ratio
from holdfast.evidence.evidence import ROUNDING
from holdfast.evidence.losses import Grades
from holdfast.evidence.pairs.separate import SeparateEstimates
from holdfast.evidence.ranking.calibration import CalibrationError
from holdfast.evidence.ranking.distance import Distance
from holdfast.evidence.tables.statistic import AtPrevalence
from holdfast.numerics.limit import Upper, moved_up, moved_up_on_log_odds


def influence_p_value(evidence: Ratio | Influence | RankedPrecision, null: Array, room: Array) -> Array:
    """The chance that Student's t leaves so far below the null what is at least the null; 1 where nothing is known.

    Examples
    --------
    >>> from holdfast.evidence.draws import Draws
    >>> errors, rows = np.array([0, 1, 0, 2, 1, 0, 0, 3, 0, 1.0]), np.array([2, 3, 1, 4, 4, 2, 1, 4, 3, 2.0])
    >>> ratio, null = Ratio(errors, rows, Draws(np.ones(10))), np.asarray(0.568)
    >>> print(influence_p_value(ratio, null, 1 - null).round(3))
    0.025
    """
    if isinstance(evidence, RankedPrecision):
        mean, complement, straight = evidence.mean, evidence.complement, False
        error, df = evidence.standard_error, float(evidence.fewest - 1)
    else:
        mean, complement, straight = evidence.mean, evidence.complement, evidence.straight
        variance, df = evidence.spread
        error = np.sqrt(variance) if variance > ROUNDING**2 else np.nan
    with np.errstate(divide="ignore", invalid="ignore"):
        odds = null / room
        on_log_odds = (np.log(odds) - np.log(mean / complement)) * mean * complement
        slack = odds / (1.0 + odds) - mean if straight else on_log_odds
        return np.nan_to_num(stdtr(df, -slack / error), nan=1.0)


@method(
    guarantee=Guarantee.ASYMPTOTIC,
    source=Source("jaeckel1972", "infinitesimal jackknife"),
    needs="smooth",
    p_value=influence_p_value,
)
def influence(evidence: Ratio | Influence | RankedPrecision, delta: Array) -> Upper:
    r"""Add t standard errors, estimated from how much each example or cluster adds to the estimate.

    Notes
    -----
    With :math:`u_i` the derivative of the estimate by the weight of draw i, summed over its rows, :math:`h_i` its share
    in what the estimate rests on and :math:`\bar u` the mean of its stratum, on the scale of log-odds between the
    ends of the range,

    .. math:: \mathrm{logit}\, \hat\theta + \frac{t_{1-\delta,\,\nu}\, s}{\hat\theta (1 - \hat\theta)}, \qquad
              s^2 = \sum_i \frac{(u_i - \bar u)^2}{1 - h_i},

    with :math:`\nu` of Satterthwaite (`numerics/limit.py`): for a ratio the correction CR2 of Bell and McCaffrey.
    For MCC and kappa, and for differences, that scale is Fisher's :math:`\mathrm{artanh}`. Losses of a range so wide
    that nobody comes near its ends are told as they are. Where every row is a draw and classes are strata, the variance
    of an area under the ROC curve is DeLong's; of clusters that all carry as much and hold both classes it is that of
    Obuchowski (1997).

    For one average precision of rows drawn one by one, :math:`u_i` counts what the few others at the top move: each
    lowers the precision at every example of the class below it; k in :math:`s^2 = \frac{k}{k-1} \sum u_i^2` is the size
    of the smaller class. Of limits that hold at every sample size none that is useful is known.

    Where nothing changes the estimate, as for a perfect ranking, at either end of the range, or for a model and itself,
    it says nothing; nor where a stratum, or a class, is seen in one draw only.

    Examples
    --------
    >>> from holdfast.evidence.draws import Draws
    >>> errors, rows = np.array([0, 1, 0, 2, 1, 0, 0, 3, 0, 1.0]), np.array([2, 3, 1, 4, 4, 2, 1, 4, 3, 2.0])
    >>> print(influence(Ratio(errors, rows, Draws(np.ones(10)))))
    0.308 [0.130, 0.568], influence, 95 %, holds only as the sample grows

    >>> from holdfast.evidence import Scores
    >>> from holdfast.measures.ranking import average_precision
    >>> print(influence(average_precision(Scores(np.arange(40) * 7 % 40, np.arange(40) >= 20))))
    0.539 [0.311, 0.752], influence, 95 %, holds only as the sample grows
    """
    if isinstance(evidence, RankedPrecision):
        slack = np.asarray(-stdtrit(evidence.fewest - 1, delta) * evidence.standard_error)
        return moved_up_on_log_odds(evidence.mean, evidence.complement, slack)
    return _student(evidence, delta)


@method(
    guarantee=Guarantee.HEURISTIC,
    source=Source("jaeckel1972", "infinitesimal jackknife"),
    needs="kinked",
    p_value=influence_p_value,
)
def best_thresholds(evidence: Influence, delta: Array) -> Upper:
    r"""Add t standard errors at the threshold that was found best, as if it were fixed; of two models, at both.

    Notes
    -----
    The formula is that of `influence`. A largest value over all thresholds has a derivative only where one threshold is
    the best by far; where several are about as good, as for scores that know nothing, the estimate is too large on
    average and no multiple of its standard error makes up for that. Of two models as good as each other, both estimates
    are about as much too large, which cancels. A calibration error, a sum of absolute values, is such a value too.

    Examples
    --------
    >>> from holdfast.evidence.draws import Draws
    >>> from holdfast.measures.influences import distance_of
    >>> scores, positive, clusters = np.arange(40) * 13.0 % 40, np.arange(40) % 3 == 0, np.arange(40) // 4
    >>> value, added = distance_of(scores, positive)
    >>> whole = np.bincount(clusters, added)
    >>> print(best_thresholds(Influence(value, whole, np.ones(10), Draws(np.ones(10)), smooth=False)))
    0.929 [0.557, 0.993], best-thresholds, 95 %, comes without proof
    """
    return _student(evidence, delta)


def _student(evidence: Ratio | Influence, delta: Array) -> Upper:
    variance, df = evidence.spread
    error = np.sqrt(variance) if variance > ROUNDING**2 else np.nan
    # Of F1, whose share is J, the log-odds are those of J and ln 2: moved on either, J ends at the same place.
    move = moved_up if evidence.straight else moved_up_on_log_odds
    return move(evidence.mean, evidence.complement, np.asarray(-stdtrit(df, delta) * error))


# Who bounds one model; all hold at every sample size, or what is said here would not.
OF_ONE: dict[type[Evidence], Bound] = {
    Distance: ks_band,
    CalibrationError: signs,
    Counts: clopper_pearson,
    Grades: nested_fisher,
    Strata: fisher,
    Proportions: union,
    MonotoneInRecalls: box,
    AtPrevalence: rectangle,
    Scores: auc_bentkus,
}


def bound_of_one(evidence: Evidence) -> Bound | None:
    """Who bounds one of two models, with a proof; None where nobody does."""
    return next((bound for kind, bound in OF_ONE.items() if isinstance(evidence, kind)), None)


@method(guarantee=Guarantee.FINITE, source=Source("bonferroni1936", "inequality"), measure="difference")
def apart(pair: SeparateEstimates, delta: Array) -> Upper:
    r"""Subtract a lower limit of the second model from an upper limit of the first, each at half of delta.

    Notes
    -----
    .. math:: U_{\delta/2}(\text{first}) - L_{\delta/2}(\text{second})

    Both limits hold but with the chance :math:`\delta`, however the models have to do with each other. That they saw
    the same examples, if they did, goes unused, so that the interval is wide where the models are much alike. The
    limits are those of `ks-band` for the Kolmogorov-Smirnov distance, of `signs` for the calibration error, and for two
    samples those of `clopper-pearson`, `union`, `box` and `auc-bentkus`.

    Examples
    --------
    >>> from holdfast.evidence import Scores
    >>> from holdfast.measures.ranking import ks
    >>> positive = np.arange(4000) >= 2000
    >>> one, other = (ks(Scores(np.arange(4000) * step % 4000, positive)) for step in (7, 3))
    >>> print(apart(SeparateEstimates(one, other)))
    -0.190 [-0.298, -0.082], apart, 95 %, holds at every sample size
    """
    half, ends = np.asarray(delta) / 2, []
    sides: tuple[tuple[Evidence, Side], ...] = ((pair.first, "upper"), (pair.second, "lower"))
    for one, side in sides:
        bound = bound_of_one(one)
        assert bound is not None  # or nobody sets these apart
        ends.append(one.units(bound.limits(one, half, side)[side == "upper"]))
    gap = ends[0] - ends[1]
    return Upper(pair.scale.share(gap), pair.scale.share(-gap))
