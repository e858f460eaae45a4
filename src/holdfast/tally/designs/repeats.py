"""Questions that were asked several times: what part of the variance of the mean score is the model's own."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from holdfast.evidence import Array, Integers
from holdfast.evidence.draws import Influence
from holdfast.tally.designs.drawn import Drawn


class Split(NamedTuple):
    """The variance of the mean score over the questions, the part that repeats bring in, and its share."""

    variance: float
    within: float
    share: Influence | None  # None where the questions do not differ
    questions: int


def split(rows: Drawn) -> Split | None:
    r"""Both parts of the variance; None where a question has one sample, or a stratum one draw.

    Notes
    -----
    With :math:`v_q` the part of question q in the mean score :math:`\bar x = \sum v_q \bar x_q`, its samples being
    independent answers of variance :math:`\sigma_q^2`, what the model's own randomness adds to the variance is

    .. math:: W = \sum_q v_q^2 \frac{s_q^2}{n_q}, \qquad
              E[W] = E \big[ \mathrm{Var}(\bar x \mid \text{questions}) \big],

    for :math:`s_q^2`, with :math:`n_q - 1` below the line, has mean :math:`\sigma_q^2` whatever its law. The whole is

    .. math:: V = \frac{m}{m - 1} \sum_d u_d^2, \qquad u_d = \sum_{q \in d} v_q (\bar x_q - \bar x)

    over m draws d, which are questions, or clusters of them; within strata each :math:`u_d` is taken from the mean of
    its stratum. For questions that are draws of equal weight V is the sample variance of their means over m and has
    mean :math:`\mathrm{Var}\, \bar x` exactly, so that V - W is without bias for what the choice of questions adds;
    elsewhere it is as the number of draws grows. The share W / V is a ratio of two sums over draws,
    :math:`\sum a_d / \sum b_d`, and each draw adds :math:`(a_d - b_d W / V) / V` to it.

    Examples
    --------
    >>> from holdfast.evidence.draws import Draws
    >>> right, question = np.array([1.0, 0, 1, 1, 0, 0, 1, 0]), np.arange(8) // 2
    >>> found = split(Drawn(Draws(np.ones(4)), question, np.ones(8), value=right))
    >>> print(round(found.variance, 6), round(found.within, 6), round(found.share.value, 6))
    0.041667 0.03125 0.75
    """
    question = rows.draw if rows.question is None else rows.question
    right = rows.value if rows.value is not None else np.asarray(rows.truth == rows.predicted, np.float64)
    count = rows.weight if rows.count is None else rows.count
    n = np.bincount(question, count)
    places = np.flatnonzero(n)
    n = n[places]
    if places.size < 2 or np.any(n < 1.5):
        return None
    mean = np.bincount(question, count * right)[places] / n
    squares = np.bincount(question, count * (right - _spread_out(mean, places, question)) ** 2)[places]
    draw = np.zeros(question.max() + 1, np.int64)
    draw[question] = rows.draw
    draw, part = draw[places], np.bincount(question, rows.weight)[places] / n
    part = part / part.sum()
    size = rows.draws.times.size
    own = np.bincount(draw, part**2 * squares / (n - 1) / n, size)  # a of each draw
    moved = np.bincount(draw, part * (mean - np.sum(part * mean)), size)  # u
    below = np.bincount(draw, part, size)
    whole = _squared(moved, below > 0, rows.draws.stratum)  # b
    if whole is None:
        return None
    variance, within = float(whole.sum()), float(own.sum())
    if not variance > 0:
        return Split(variance, within, None, places.size)
    share = within / variance
    added = (own - share * whole) / variance
    return Split(variance, within, Influence(min(share, 1.0), added, below, rows.draws), places.size)


def _spread_out(mean: Array, asked: Integers, question: Integers) -> Array:
    """The mean of the question of each entry."""
    places = np.zeros(question.max() + 1)
    places[asked] = mean
    return places[question]


def _squared(moved: Array, there: Array, stratum: Integers | None) -> Array | None:
    """What each draw adds to the variance; None where some stratum has one draw."""
    strata = np.zeros(moved.size, np.int64) if stratum is None else stratum
    number = np.bincount(strata, there if stratum is None else None)
    if np.any(number == 1):
        return None
    with np.errstate(invalid="ignore", divide="ignore"):
        centre = np.bincount(strata, moved) / number if stratum is not None else np.zeros(1)
        factor = number / (number - 1)
    return np.asarray((moved - centre[strata]) ** 2 * factor[strata] * (there if stratum is None else 1.0))
