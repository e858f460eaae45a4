"""How much each row adds to what a ranking or a forecast is worth: the derivative by its weight.

Each function takes the scores, which rows are of the class, and what each row weighs, and gives the value with what a
little more weight of each row would add to it. Weighing all rows more changes nothing, so that these numbers, times the
weights, add up to 0. Where a class is missing there is no value, and nothing adds anything.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdfast.evidence import Array, Integers, Scores

Truth = NDArray[np.bool_]


class Statistic(NamedTuple):
    """A value, NaN where there is none, and the derivative of it by the weight of each row."""

    value: float
    influence: Array


class _Steps(NamedTuple):
    """Distinct scores, rising: which one each row has, and what the rows of either class at each weigh together."""

    which: Integers | slice
    own: Array
    others: Array

    @classmethod
    def of(cls, scores: Array, positive: Truth, weight: Array | None) -> _Steps:
        weighed = [held.astype(np.float64) if weight is None else held * weight for held in (positive, ~positive)]
        rising = scores[1:] > scores[:-1]  # where they are sorted, as whoever asks about many groups has them
        if rising.all():
            return cls(slice(None), *weighed)
        if np.all(rising | (scores[1:] == scores[:-1])):
            which = np.cumsum(np.append(True, rising)) - 1
        else:
            _, which = np.unique(scores, return_inverse=True)
        size = int(which.max(initial=-1)) + 1
        return cls(which, *(np.bincount(which, each, size) for each in weighed))

    def each(self, positive: Truth, own: Array, others: Array) -> Array:
        """What stands at the score of each row, for its class."""
        return np.where(positive, own[self.which], others[self.which])


def area_of(scores: Array, positive: Truth, weight: Array | None = None) -> Statistic:
    r"""The area under the ROC curve.

    Notes
    -----
    .. math:: \frac{V_{10}(x_i) - A}{m}, \qquad \frac{V_{01}(y_j) - A}{n}

    with the share of the other class that a row is rightly ranked against, as in DeLong's variance; shares and the
    sizes m and n of the classes are by weight.

    Examples
    --------
    >>> area_of(np.array([3.0, 1.0, 2.0, 0.0]), np.array([True, True, False, False]))
    Statistic(value=0.75, influence=array([ 0.125, -0.125, -0.125,  0.125]))
    """
    steps = _Steps.of(scores, positive, weight)
    m, n = float(steps.own.sum()), float(steps.others.sum())
    if not (m > 0 and n > 0):
        return Statistic(np.nan, np.zeros(scores.shape))
    below = (np.cumsum(steps.others) - steps.others / 2) / n
    above = (m - np.cumsum(steps.own) + steps.own / 2) / m
    area = float(np.sum(steps.own * below)) / m
    return Statistic(area, steps.each(positive, (below - area) / m, (above - area) / n))


def gini_of(scores: Array, positive: Truth, weight: Array | None = None) -> Statistic:
    """Twice the area, minus one."""
    area, influence = area_of(scores, positive, weight)
    return Statistic(2.0 * area - 1.0, 2.0 * influence)


def average_precision_of(scores: Array, positive: Truth, weight: Array | None = None) -> Statistic:
    r"""The average precision.

    Notes
    -----
    With :math:`a_t` rows of the class and :math:`b_t` others, by weight, that score t or more, a row at s adds

    .. math:: \frac1m \Big(P_s - \hat\theta + \sum_{t \le s} \frac{p_t\, b_t}{(a_t + b_t)^2}\Big)
              \quad \text{or} \quad -\frac1m \sum_{t \le s} \frac{p_t\, a_t}{(a_t + b_t)^2}

    if it is of the class or not, with :math:`p_t` rows of the class that score t: for all of these that it is above, it
    raises or lowers the precision.

    Examples
    --------
    >>> average_precision_of(np.array([2.0, 0.0, 1.0]), np.array([True, True, False])).influence.round(4)
    array([ 0.1389, -0.0278, -0.1111])
    """
    steps = _Steps.of(scores, positive, weight)
    m, n = float(steps.own.sum()), float(steps.others.sum())
    if not (m > 0 and n > 0):
        return Statistic(np.nan, np.zeros(scores.shape))
    changes = _precision_from(steps.own, steps.others, _Above(m, n))
    mean = float(np.sum(steps.own * changes.precision)) / m
    return Statistic(mean, steps.each(positive, (changes.precision - mean + changes.raised) / m, -changes.lowered / m))


def squared_influences_of_average_precision(scores: Scores, mean: float) -> float:
    """The sum over all examples of the squares of what `average_precision_of` says that each adds.

    `mean` is the average precision with equal scores taken for ties. The blocks are walked as one: whatever is summed
    up is carried over, so that where one ends changes no digit.

    Examples
    --------
    >>> scores = Scores([2.0, 0.0, 1.0], [True, True, False])
    >>> squares = squared_influences_of_average_precision(scores, 5 / 6)
    >>> print(round(squares, 4), round(0.1389**2 + 0.0278**2 + 0.1111**2, 4))
    0.0324 0.0324
    """
    m = scores.n_positive
    above, total = _Above(m, scores.n_negative), 0.0
    for _, own, others in scores.blocks():
        changes = _precision_from(own, others, above)
        squares = own * (changes.precision - mean + changes.raised) ** 2 + others * changes.lowered**2
        total = float(np.cumsum(np.append(total, squares))[-1])  # one by one, as no other sum would be
        ends = float(changes.raised[-1]), float(changes.lowered[-1])
        above = _Above(above.right - int(own.sum()), above.wrong - int(others.sum()), *ends)
    return total / m**2 if m else 0.0


class _Above(NamedTuple):
    """Rows of either class from the lowest of some scores on, and what the scores below these add up to."""

    right: float
    wrong: float
    raised: float = 0.0
    lowered: float = 0.0


class _Changes(NamedTuple):
    """At each score: the precision from it on, and how much one row more there would raise or lower the sum."""

    precision: Array
    raised: Array
    lowered: Array


def _precision_from(own: Array, others: Array, above: _Above) -> _Changes:
    """From how many rows of either class have each of some scores, rising, and what surrounds them."""
    right = above.right - (np.cumsum(own) - own)  # from each score on
    wrong = above.wrong - (np.cumsum(others) - others)
    both = (right + wrong).astype(np.float64)
    both[both <= 0.0] = np.inf  # only rows that weigh nothing score so much
    raised, lowered = (
        np.cumsum(np.append(below, own * (each / both**2)))[1:]
        for below, each in ((above.raised, wrong), (above.lowered, right))
    )
    return _Changes(right / both, raised, lowered)


def distance_of(scores: Array, positive: Truth, weight: Array | None = None) -> Statistic:
    r"""The Kolmogorov-Smirnov distance, of which rows change the value as long as the same threshold is the best.

    Notes
    -----
    .. math:: \pm \frac{[x_i \le t] - \hat F(t)}{m}, \qquad \mp \frac{[y_j \le t] - \hat G(t)}{n}

    at the threshold t where the shares of both classes that score no more are farthest apart.

    Examples
    --------
    >>> distance_of(np.array([3.0, 1.0, 2.0, 0.0]), np.array([True, True, False, False]))
    Statistic(value=0.5, influence=array([ 0.  ,  0.  , -0.25,  0.25]))
    """
    steps = _Steps.of(scores, positive, weight)
    m, n = float(steps.own.sum()), float(steps.others.sum())
    if not (m > 0 and n > 0):
        return Statistic(np.nan, np.zeros(scores.shape))
    own, others = np.cumsum(steps.own), np.cumsum(steps.others)
    ahead = m * others - n * own
    best = int(np.argmax(np.abs(ahead)))
    way = float(np.sign(ahead[best]))
    upto = np.arange(own.size) <= best
    influence = steps.each(positive, way * (own[best] / m - upto) / m, way * (upto - others[best] / n) / n)
    return Statistic(abs(float(ahead[best])) / (m * n), influence)


def calibration_error_of(forecasts: Array, positive: Truth, weight: Array | None = None, *, edges: Array) -> Statistic:
    r"""The expected calibration error on bins fixed beforehand, as long as no bin changes its side.

    Notes
    -----
    .. math:: \sum_b |g_b|, \quad g_b = \frac1W \sum_{i \in b} w_i (y_i - c_i), \qquad
              \frac{\mathrm{sign}(g_{b(i)})\, (y_i - c_i) - \hat\theta}{W}

    Examples
    --------
    >>> forecasts, positive = np.array([0.1, 0.6, 0.9]), np.array([False, False, True])
    >>> found = calibration_error_of(forecasts, positive, edges=np.array([0, 0.5, 1]))
    >>> print(round(found.value, 4), found.influence.round(4))
    0.2 [-0.0333  0.1333 -0.1   ]
    """
    place = np.searchsorted(edges[1:-1], forecasts, side="right")
    weighed = np.ones(forecasts.size) if weight is None else weight
    total = float(weighed.sum())
    if not total > 0:
        return Statistic(np.nan, np.zeros(forecasts.shape))
    off: Array = positive - forecasts
    gaps = np.bincount(place, weighed * off, edges.size - 1) / total
    error = float(np.sum(np.abs(gaps)))
    return Statistic(error, (np.sign(gaps)[place] * off - error) / total)
