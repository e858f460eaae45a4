"""How much each example sways what a ranking is worth: the derivative by its weight.

Each function takes the scores and which examples are of the class, and returns a number an example. Weighing all
examples more changes nothing, so that these numbers add up to 0. Where a class is missing, nothing sways anything.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdfast.evidence import Array, Integers

Truth = NDArray[np.bool_]


class _Grades(NamedTuple):
    """Distinct scores, rising: which one each example has, and how many examples of either class have each."""

    which: Integers
    own: Integers
    others: Integers

    @classmethod
    def of(cls, scores: Array, positive: Truth) -> _Grades:
        _, which = np.unique(scores, return_inverse=True)
        size = int(which.max(initial=-1)) + 1
        return cls(which, *(np.bincount(which[held], minlength=size) for held in (positive, ~positive)))

    def each(self, positive: Truth, own: Array, others: Array) -> Array:
        """What stands at the score of each example, for its class."""
        return np.where(positive, own[self.which], others[self.which])


def sway_of_area(scores: Array, positive: Truth) -> Array:
    r"""How much each example sways the area under the ROC curve.

    Notes
    -----
    .. math:: \frac{V_{10}(x_i) - A}{m}, \qquad \frac{V_{01}(y_j) - A}{n}

    with the share of the other class that it is rightly ranked against, as in DeLong's variance.

    Examples
    --------
    >>> sway_of_area(np.array([3.0, 1.0, 2.0, 0.0]), np.array([True, True, False, False]))
    array([ 0.125, -0.125, -0.125,  0.125])
    """
    grades = _Grades.of(scores, positive)
    m, n = int(grades.own.sum()), int(grades.others.sum())
    if not m or not n:
        return np.zeros(scores.shape)
    below = (np.cumsum(grades.others) - grades.others / 2) / n
    above = (m - np.cumsum(grades.own) + grades.own / 2) / m
    area = float(grades.own @ below) / m
    return grades.each(positive, (below - area) / m, (above - area) / n)


def sway_of_average_precision(scores: Array, positive: Truth) -> Array:
    r"""How much each example sways the average precision.

    Notes
    -----
    With :math:`a_t` examples of the class and :math:`b_t` others that score t or more, an example at s sways

    .. math:: \frac1m \Big(P_s - \hat\theta + \sum_{t \le s} \frac{p_t\, b_t}{(a_t + b_t)^2}\Big)
              \quad \text{or} \quad -\frac1m \sum_{t \le s} \frac{p_t\, a_t}{(a_t + b_t)^2}

    if it is of the class or not, with :math:`p_t` examples of the class that score t: for all of these that it is
    above, it raises or lowers the precision.

    Examples
    --------
    >>> sway_of_average_precision(np.array([2.0, 0.0, 1.0]), np.array([True, True, False])).round(4)
    array([ 0.1389, -0.0278, -0.1111])
    """
    grades = _Grades.of(scores, positive)
    m = int(grades.own.sum())
    if not m or m == scores.size:
        return np.zeros(scores.shape)
    right, wrong = (np.cumsum(each[::-1])[::-1] for each in (grades.own, grades.others))  # from each score on
    both = (right + wrong).astype(np.float64)
    precision = right / both
    mean = float(grades.own @ precision) / m
    raised, lowered = (np.cumsum(grades.own * each / both**2) for each in (wrong, right))
    return grades.each(positive, (precision - mean + raised) / m, -lowered / m)


def sway_of_distance(scores: Array, positive: Truth) -> Array:
    r"""How much each example sways the Kolmogorov-Smirnov distance, as long as the same threshold is the best.

    Notes
    -----
    .. math:: \pm \frac{[x_i \le t] - \hat F(t)}{m}, \qquad \mp \frac{[y_j \le t] - \hat G(t)}{n}

    at the threshold t where the shares of both classes that score no more are farthest apart.

    Examples
    --------
    >>> sway_of_distance(np.array([3.0, 1.0, 2.0, 0.0]), np.array([True, True, False, False]))
    array([ 0.  ,  0.  , -0.25,  0.25])
    """
    grades = _Grades.of(scores, positive)
    m, n = int(grades.own.sum()), int(grades.others.sum())
    if not m or not n:
        return np.zeros(scores.shape)
    own, others = np.cumsum(grades.own), np.cumsum(grades.others)
    ahead = m * others - n * own
    best = int(np.argmax(np.abs(ahead)))
    way = float(np.sign(ahead[best]))
    upto = np.arange(own.size) <= best
    return grades.each(positive, way * (own[best] / m - upto) / m, way * (upto - others[best] / n) / n)
