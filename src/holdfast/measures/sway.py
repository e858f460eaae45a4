"""How much each example sways what a ranking is worth: the derivative by its weight.

Each function takes the scores and which examples are of the class, and returns a number an example. Weighing all
examples more changes nothing, so that these numbers add up to 0. Where a class is missing, nothing sways anything.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdfast.evidence import Array, Integers, Scores

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
    changes = _precision_from(grades.own, grades.others, _Above(m, scores.size - m))
    mean = float(grades.own @ changes.precision) / m
    return grades.each(positive, (changes.precision - mean + changes.raised) / m, -changes.lowered / m)


def squared_sways_of_average_precision(scores: Scores, mean: float) -> float:
    """The sum over all examples of the squares of what `sway_of_average_precision` says.

    `mean` is the average precision with equal scores taken for ties. The blocks are walked as one: whatever is summed
    up is carried over, so that where one ends changes no digit.

    Examples
    --------
    >>> scores = Scores([2.0, 0.0, 1.0], [True, True, False])
    >>> print(round(squared_sways_of_average_precision(scores, 5 / 6), 4), round(0.1389**2 + 0.0278**2 + 0.1111**2, 4))
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
    """Examples of either class from the lowest of some scores on, and what the scores below these add up to."""

    right: int
    wrong: int
    raised: float = 0.0
    lowered: float = 0.0


class _Changes(NamedTuple):
    """At each score: the precision from it on, and how much one example more there would raise or lower the sum."""

    precision: Array
    raised: Array
    lowered: Array


def _precision_from(own: Array, others: Array, above: _Above) -> _Changes:
    """From how many examples of either class have each of some scores, rising, and what surrounds them."""
    right = above.right - (np.cumsum(own) - own)  # from each score on
    wrong = above.wrong - (np.cumsum(others) - others)
    both = (right + wrong).astype(np.float64)
    raised, lowered = (
        np.cumsum(np.append(below, own * (each / both**2)))[1:]
        for below, each in ((above.raised, wrong), (above.lowered, right))
    )
    return _Changes(right / both, raised, lowered)


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
