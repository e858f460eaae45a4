"""Bounds on what a ranking is worth: the area under its ROC curve, and its average precision.

All hold whatever the numbers of examples of either class were, since neither quantity but average precision depends
on how frequent the class is.
"""

from __future__ import annotations

from math import e

import numpy as np

from holdfast.bounds.binomial import normal_quantile
from holdfast.catalog import method
from holdfast.claims import Guarantee, Source
from holdfast.evidence import Array, RankedPrecision, Scores
from holdfast.numerics.binomial import binomial_tail_inverse
from holdfast.numerics.divergence import kl_inverse
from holdfast.numerics.limit import Upper, moved_up_on_log_odds


@method(guarantee=Guarantee.FINITE, source=Source("bentkus2004", "Theorem 1.2"))
def auc_bentkus(scores: Scores, delta: Array) -> Upper:
    r"""Largest area under which so many rightly ranked pairs are not too surprising, at a price of e in delta.

    Notes
    -----
    .. math:: \max\{p : \mathrm{Bin}(r, \lceil r \hat A \rceil, p) \ge \delta / e\}, \qquad r = \min(m, n)

    with m examples of the class and n others. Bentkus bounds the chance of a small sum of r independent numbers in
    [0, 1] by the means of convex functions of it. The estimate is the average, over all ways to match the smaller
    class with different examples of the larger, of the mean of r independent pairs, so by Jensen's inequality these
    means bound it too (Hoeffding 1963, section 5). Rounding up is done in whole numbers.

    Examples
    --------
    >>> scores = Scores(np.arange(40), np.arange(40) >= 20)
    >>> print(auc_bentkus(scores))
    1.000 [0.791, 1.000], auc-bentkus, 95 %, holds at every sample size
    """
    smaller, larger = sorted((scores.n_positive, scores.n_negative))
    won = -(-scores.twice_won // max(2 * larger, 1))
    return binomial_tail_inverse(won, smaller, delta / e)


@method(guarantee=Guarantee.FINITE, source=Source("hoeffding1963", "section 5"))
def auc_kl(scores: Scores, delta: Array) -> Upper:
    r"""Largest area whose divergence from the observed one is not too surprising.

    Notes
    -----
    .. math:: \max\{q : \mathrm{kl}(\hat A \,\|\, q) \le \ln(1/\delta) / r\}, \qquad r = \min(m, n)

    The exponential bound for r independent pairs carries over to the average over all matchings.

    Examples
    --------
    >>> scores = Scores(np.arange(40), np.arange(40) >= 20)
    >>> print(auc_kl(scores))
    1.000 [0.831, 1.000], auc-kl, 95 %, holds at every sample size
    """
    return kl_inverse(scores.mean, scores.complement, -np.log(delta) / min(scores.n_positive, scores.n_negative))


def delong_variance(scores: Scores) -> float:
    """The estimated variance of the area, from how each example is placed among the other class.

    NaN where a class has fewer than two examples.

    Examples
    --------
    >>> print(round(delong_variance(Scores([0.1, 0.4, 0.35, 0.8], [False, False, True, True])), 4))
    0.125
    """
    own, others = scores.order.positives, scores.order.negatives
    if not own.number or not others.number:
        return float("nan")
    placed = own.variance / (4 * own.number * others.number**2)
    return placed + others.variance / (4 * others.number * own.number**2)


@method(guarantee=Guarantee.ASYMPTOTIC, source=Source("delong1988", "section 2"))
def delong(scores: Scores, delta: Array) -> Upper:
    r"""Add z standard errors on the scale of log-odds, the errors estimated from how each example is placed.

    Notes
    -----
    .. math:: \mathrm{logit} \hat A + \frac{z_{1-\delta}\, s}{\hat A (1 - \hat A)}, \qquad
              s^2 = \frac{s^2_{10}}{m} + \frac{s^2_{01}}{n}

    with the unbiased variances of the placements: for each example of the class the share of the others that it
    outranks, and the other way round. Where all pairs are ranked rightly, or all wrongly, it says nothing; close to
    that its coverage can fall far below what it promises. Not valid for scores of the training examples.

    Examples
    --------
    >>> scores = Scores(np.arange(40) * 7 % 40, np.arange(40) >= 20)
    >>> print(delong(scores))
    0.550 [0.368, 0.720], delong, 95 %, holds only as the sample grows
    """
    variance = delong_variance(scores)
    error = np.sqrt(variance) if variance > 0 else np.nan
    return moved_up_on_log_odds(scores.mean, scores.complement, normal_quantile(delta) * error)


def hanley_mcneil_variance(scores: Scores) -> Array:
    """The variance that the area alone suggests, were the scores of both classes exponential."""
    area, rest, m, n = scores.mean, scores.complement, scores.n_positive, scores.n_negative
    higher, lower = area / (2 - area), 2 * area**2 / (1 + area)
    return (area * rest + (m - 1) * (higher - area**2) + (n - 1) * (lower - area**2)) / (m * n)


def _hanley_mcneil_lower(scores: Scores, delta: Array) -> Array:
    return scores.mean - _hanley_mcneil_slack(scores, delta)


def _hanley_mcneil_slack(scores: Scores, delta: Array) -> Array:
    if not 0 < scores.twice_won < 2 * scores.pairs:
        return np.full(np.shape(delta), np.nan)
    return normal_quantile(delta) * np.sqrt(hanley_mcneil_variance(scores))


@method(guarantee=Guarantee.HEURISTIC, source=Source("hanley1982", "(2)"), lower=_hanley_mcneil_lower)
def hanley_mcneil(scores: Scores, delta: Array) -> Upper:
    r"""Add z standard errors as the area alone suggests them, without looking at the scores again.

    Notes
    -----
    .. math:: \hat A + z_{1-\delta} \sqrt{\frac{A (1 - A) + (m - 1)(Q_1 - A^2) + (n - 1)(Q_2 - A^2)}{m n}}, \qquad
              Q_1 = \frac{A}{2 - A}, \quad Q_2 = \frac{2 A^2}{1 + A}

    Scores of other laws have other variances at the same area: with a part of either class ranked at the very wrong
    end its coverage stays far below what it promises, however many examples there are, so that it comes without
    proof. It says nothing where all pairs are ranked rightly, or all wrongly.

    Examples
    --------
    >>> scores = Scores(np.arange(40) * 7 % 40, np.arange(40) >= 20)
    >>> print(hanley_mcneil(scores))
    0.550 [0.369, 0.731], hanley-mcneil, 95 %, comes without proof
    """
    slack = _hanley_mcneil_slack(scores, delta)
    return Upper(scores.mean + slack, scores.complement - slack)


@method(guarantee=Guarantee.HEURISTIC, source=Source("boyd2013", "section 4"))
def logit(precision: RankedPrecision, delta: Array) -> Upper:
    r"""Add z standard errors on the scale of log-odds, as if the average precision were a share of the class.

    Notes
    -----
    .. math:: \mathrm{logit} \hat\theta + \frac{z_{1-\delta}}{\sqrt{m\, \hat\theta (1 - \hat\theta)}}

    with m examples of the class. An average precision is no such share: it moves with the others, too, and most with
    the few that rank highest. With a few of these on top its coverage stays far below what it promises, however many
    examples there are, so that it comes without proof; `influence` measures what moves it. At 0 and 1 it says
    nothing.

    Examples
    --------
    >>> from holdfast.measures.ranking import average_precision
    >>> print(logit(average_precision(Scores(np.arange(40) * 7 % 40, np.arange(40) >= 20))))
    0.539 [0.327, 0.739], logit, 95 %, comes without proof
    """
    inner = (precision.mean > 0) & (precision.complement > 0)
    error = np.sqrt(np.where(inner, precision.mean * precision.complement / precision.n_positive, np.nan))
    return moved_up_on_log_odds(precision.mean, precision.complement, normal_quantile(delta) * error)
