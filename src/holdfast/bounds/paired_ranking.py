"""Bounds on the difference of what two rankings of the same examples are worth."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr

from holdfast.bounds.binomial import normal_quantile
from holdfast.catalog import method
from holdfast.claims import Guarantee, Source
from holdfast.evidence import Array
from holdfast.evidence.ranking.paired_scores import PairedScores
from holdfast.numerics.limit import Upper, moved_up

SMALLEST_P = 1e-300


def paired_delong_p_value(scores: PairedScores, null: Array, room: Array) -> Array:
    r"""How surprising the difference is if it is at least `null`, on the scale [0, 1]: small when it is smaller.

    Where no example is placed differently, or all alike, there is no error to measure by, and no surprise: 1.

    Notes
    -----
    .. math:: p = \Phi\Big(\frac{\hat A_1 - \hat A_2 - \text{null}}{s}\Big)

    Examples
    --------
    >>> from holdfast.invert import solve_for_delta
    >>> positive = np.arange(40) >= 20
    >>> scores = PairedScores(np.arange(40) * 7 % 40, np.arange(40) * 9 % 40, positive)
    >>> print(solve_for_delta(paired_delong, scores, 0.5, "both").round(4))
    0.6791
    >>> print(solve_for_delta(paired_delong, PairedScores(np.arange(40), np.arange(40), positive), 0.5, "both"))
    1.0
    """
    surprise = ndtr((scores.mean - null) / _error(scores))
    return np.where(np.isnan(surprise), 1.0, np.maximum(surprise, SMALLEST_P))


@method(
    guarantee=Guarantee.ASYMPTOTIC,
    source=Source("delong1988", "contrast of two areas"),
    measure="auc-difference",
    p_value=paired_delong_p_value,
)
def paired_delong(scores: PairedScores, delta: Array) -> Upper:
    r"""Add z standard errors of the difference, estimated from how differently each example is placed.

    Notes
    -----
    .. math:: \hat A_1 - \hat A_2 + z_{1-\delta}\, s, \qquad s^2 = \frac{s^2_{10}}{m} + \frac{s^2_{01}}{n}

    with the unbiased variances, over the m examples of the class and over the n others, of the difference of the two
    placements of an example: by the first score and by the second, the share of the other class that it outranks.
    That is DeLong's covariance matrix of both areas, of which the difference needs no more; the placements come of
    sorting each score once (Sun and Xu 2014), and their sums are whole numbers. Where no example is placed
    differently, as for a model and itself, it says nothing.

    Not valid for scores of the training examples, nor for a model and a larger one that was fitted to these.

    Examples
    --------
    >>> scores = PairedScores(np.arange(40) * 7 % 40, np.arange(40) * 9 % 40, np.arange(40) >= 20)
    >>> print(paired_delong(scores))
    -0.050 [-0.287, 0.187], paired-delong, 95 %, holds only as the sample grows
    """
    return moved_up(scores.mean, scores.complement, normal_quantile(delta) * _error(scores))


def _error(scores: PairedScores) -> float:
    """The standard error on the scale [0, 1], of which the differences fill two halves; NaN where there is none."""
    return float(np.sqrt(scores.variance) / 2.0) if scores.variance > 0 else float("nan")
