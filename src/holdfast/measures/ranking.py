"""Measures of scores: how they rank the classes, what they forecast, and how far apart the classes lie."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import sqrt

import numpy as np

from holdfast.catalog import measure
from holdfast.claims import Source
from holdfast.errors import HoldfastError
from holdfast.evidence import Array, Forecasts, Losses, RankedPrecision, Scores, numbers, shown
from holdfast.evidence.ranking.distance import Distance, Gini
from holdfast.evidence.ranking.forecasts import Forecast
from holdfast.evidence.ranking.sorted_scores import ROWS
from holdfast.measures.influences import (
    area_of,
    average_precision_of,
    distance_of,
    gini_of,
    squared_influences_of_average_precision,
)
from holdfast.numerics.arrays import UNITS, whole_sum


@measure(
    better="higher",
    unit="index",
    of_mix="others",
    told_of=("class",),
    called="AUC",
    influence=area_of,
    of_pairs=True,
    source=Source("zaki2014", "22.1.3"),
    aliases=("roc-auc", "area-under-curve"),
)
def auc(scores: Scores) -> Scores:
    r"""The chance that an example of the class scores higher than another, equal scores counting half.

    Notes
    -----
    .. math:: A = \frac{1}{m n} \sum_{i=1}^{m} \sum_{j=1}^{n} \bigl([x_i > y_j] + \tfrac12 [x_i = y_j]\bigr)

    It is the area under the ROC curve, by trapezoids where scores are equal. 1/2 is what scores that know nothing
    have; below it, inverting them would rank better.
    """
    return scores


@measure(
    better="higher",
    unit="index",
    influence=average_precision_of,
    source=Source("boyd2013", "section 3"),
    aliases=("ap", "auprc"),
)
def average_precision(scores: Scores) -> RankedPrecision:
    r"""Precision at the score of each example of the class, on average over these examples.

    Notes
    -----
    .. math:: \sum_t (R_t - R_{t-1})\, P_t

    over the distinct scores t, highest first, with the precision and the recall of predicting all examples from t
    on as positive: scikit-learn's definition. Scores that know nothing have the prevalence of the class.
    """
    m, n = scores.n_positive, scores.n_negative
    least = most = as_ties = 0
    for block in scores.blocks():
        at, before, others = block.below_positives()
        right, wrong = m - before, n - others  # from each score on
        m, n = m - int(block.positives.sum()), n - int(block.negatives.sum())
        precision = right / (right + wrong)
        own, tied = None if block.single else block.positives[at], block.negatives[at]
        as_ties += whole_sum(precision, own)
        if scores.width and own is not None:
            # At best all others in the bin come last. At worst they come first; of a share that rises ever more
            # slowly from one example to the next, the mean is at least that of its ends.
            first = right - own + 1
            least += whole_sum((precision + first / (first + wrong)) / 2, own)
            most += whole_sum(right / (right + wrong - tied), own)
    if not scores.width:
        least = most = as_ties
    m = scores.n_positive
    squares = squared_influences_of_average_precision(scores, as_ties / (UNITS * m)) if m else 0.0
    return RankedPrecision(least, most, scores.n, m, UNITS, squares)


CLIP = 1e-6
MOST_VALUES = 10**6  # beyond them the moments say nearly as much and take no memory

Ends = Callable[[Forecast], tuple[Array, Array]]  # the least and the most that examples may have cost


def clipped(clip: float = CLIP) -> tuple[float, float, Callable[[Array], Array]]:
    """The least and the largest log loss that a clip allows, and what a probability given to the true label costs."""
    c = numbers("clip", clip)
    if c.ndim or not 0 < c < 0.5:
        raise HoldfastError(f"clip must be one number strictly between 0 and 1/2; got {shown(clip)}.")
    low, high = float(-np.log1p(-c)), float(-np.log(c))
    return low, high, lambda probability: np.clip(-np.log(np.maximum(probability, c)), low, high)


def _log_losses(probability: Array, clip: float = CLIP) -> tuple[Array, float, float]:
    """Of what came true, the probability that was given to it."""
    low, high, cost = clipped(clip)
    return cost(probability), low, high


@measure(
    better="lower",
    unit="nats",
    out_of="all",
    row_losses=_log_losses,
    source=Source("gneiting2007", "Example 3"),
    range=(0.0, float(-np.log(CLIP))),
    aliases=("cross-entropy",),
)
def log_loss(forecasts: Forecasts, clip: float = CLIP) -> Losses:
    r"""Minus the logarithm of the probability given to the true label, kept within bounds.

    Notes
    -----
    .. math:: -\ln \min(\max(p, c),\, 1 - c)

    A loss without bounds has no guaranteed limit at any sample size, so the clip c is part of what is measured: it
    must be chosen beforehand. It is 1e-6 unless said otherwise.
    """
    low, high, cost = clipped(clip)

    def ends(part: Forecast) -> tuple[Array, Array]:
        least = cost(part.most_probability)
        return least, least if forecasts.exact else cost(part.least_probability)

    return _losses(forecasts, ends, low, high)


@measure(
    better="lower",
    unit="loss",
    out_of="all",
    row_losses=lambda squares: (squares, 0.0, 1.0),  # of two classes
    of_squares=True,
    source=Source("gneiting2007", "Example 1"),
    range=(0.0, 2.0),
    aliases=("brier-score",),
)
def brier(forecasts: Forecasts) -> Losses:
    r"""The squared distance of the probabilities from what came true.

    Notes
    -----
    .. math:: (p - y)^2 \text{ for two classes}, \qquad \sum_k (p_k - y_k)^2 \text{ for many}

    In [0, 1] for two classes and [0, 2] for many.
    """
    return _losses(forecasts, lambda part: (part.least_square, part.most_square), 0.0, forecasts.squares_high)


def _losses(forecasts: Forecasts, ends: Ends, low: float, high: float) -> Losses:
    """The losses in rising order, or their moments: in either case the order of the examples leaves no trace."""
    if forecasts.n == 0 or (forecasts.exact and forecasts.n <= MOST_VALUES):
        values = [np.repeat(ends(part)[0], 1 if part.times is None else part.times) for part in forecasts.blocks()]
        return Losses(np.sort(np.concatenate([*values, np.zeros(0)])), low, high)
    n, width = int(forecasts.n), high - low
    total = squares = reach = reaches = 0
    for part in _pieces(forecasts):
        least, most = ends(part)
        middle = ((least if forecasts.exact else (least + most) / 2) - low) / width
        total += whole_sum(middle, part.times)
        squares += whole_sum(middle * middle, part.times)
        if not forecasts.exact:
            half = (most - least) / (2 * width)
            reach += whole_sum(half, part.times)
            reaches += whole_sum(half * half, part.times)
    parts = n * UNITS
    mean, off = total / parts, reach / parts
    between = max(mean - off, 0.0), min(mean + off, 1.0)
    # Moving each value by its reach moves the standard deviation by their root mean square at most, and no mean
    # between the two allows a larger variance than the one nearest to the middle.
    variance = max(parts * squares - total**2, 0) / parts**2
    deviation = sqrt(variance) + sqrt(reaches / parts)
    nearest = float(np.clip(0.5, *between))
    return Losses.from_moments(
        n,
        _in_units(mean, low, high),
        width**2 * min(deviation**2, nearest * (1.0 - nearest)),
        low=low,
        high=high,
        between=None if forecasts.exact else (_in_units(between[0], low, high), _in_units(between[1], low, high)),
    )


def _in_units(share: float, low: float, high: float) -> float:
    return min(low + (high - low) * share, high)


def _pieces(forecasts: Forecasts) -> Iterator[Forecast]:
    """The forecasts in parts that fit the cache."""
    for part in forecasts.blocks():
        for start in range(0, part.least_square.size, ROWS):
            yield part.piece(slice(start, start + ROWS))


@measure(
    better="higher",
    unit="index",
    of_mix="others",
    influence=gini_of,
    of_pairs=True,
    source=Source("hand2001", "Gini coefficient"),
    range=(-1.0, 1.0),
    aliases=("accuracy-ratio",),
)
def gini(scores: Scores) -> Gini:
    r"""Pairs of both classes that are ranked rightly, minus those ranked wrongly, as a share of all.

    Notes
    -----
    .. math:: G = 2 A - 1

    with the area A under the ROC curve. It is 0 for scores that know nothing, and below 0 inverting them would rank
    better. In credit scoring it is also called the accuracy ratio.
    """
    return Gini.of(scores)


@measure(
    better="higher",
    unit="index",
    of_mix="others",
    influence=distance_of,
    smooth=False,
    source=Source("smirnov1948", "two samples"),
    aliases=("kolmogorov-smirnov", "ks-distance"),
)
def ks(scores: Scores) -> Distance:
    r"""The largest difference between the true and the false positive rate at any threshold.

    Notes
    -----
    .. math:: \sup_t\, |TPR(t) - FPR(t)|

    It is the Kolmogorov-Smirnov distance between the scores of the class and those of the others, and the largest
    value of Youden's index; 0 for scores that know nothing.
    """
    m, n = scores.n_positive, scores.n_negative
    at = least = most = 0  # how far the negatives are ahead at or below a score, in parts of one
    for _, positives, negatives in scores.blocks():
        own, others = m * negatives.astype(np.int64), n * positives.astype(np.int64)
        ahead = at + np.cumsum(own - others)
        least = max(least, int(np.abs(ahead).max()))
        if scores.width:  # in a bin, all of one class may come before all of the other
            before = ahead - own + others
            most = max(most, int((before + own).max()), int((others - before).max()))
        at = int(ahead[-1])
    return Distance(least, max(least, most), m, n)
