"""What the answers of classifiers to unlabelled inputs make certain about their errors: no probability enters."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdfast.evidence import Array
from holdfast.numerics.voting.disagreement import disagreements

__all__ = ["difference_limits", "disagreement_rates", "disagreements", "within_disagreement"]

Codes = NDArray[np.integer]


def disagreement_rates(first: Codes, second: Codes | None = None) -> Array:
    r"""On which part of the inputs each of the first classifiers differs from each of the second, or from each other.

    Notes
    -----
    .. math:: D'_{mk} = \frac{1}{d'} \#\{j : g_m(x_j) \ne g_k(x_j)\}

    Examples
    --------
    >>> print(disagreement_rates(np.array([[0, 1, 2, 2], [0, 1, 1, 2], [1, 1, 0, 0]])))
    [[0.   0.25 0.75]
     [0.25 0.   0.75]
     [0.75 0.75 0.  ]]
    """
    return disagreements(first, second) / max(first.shape[1], 1)


def difference_limits(predicted: Codes) -> tuple[Array, Array]:
    r"""The least and the largest difference of two error rates on these inputs, of every pair, whatever the labels.

    Notes
    -----
    Two classifiers that say the same are right or wrong together, so that

    .. math:: |\nu'_m - \nu'_k| \le D'_{mk}

    for any number of labels; both ends are reached, where one of the two is right on all inputs they differ on.

    Examples
    --------
    >>> lower, upper = difference_limits(np.array([[0, 1, 2, 2], [0, 1, 1, 2]]))
    >>> print(lower[0, 1], upper[0, 1])
    -0.25 0.25
    """
    rates = disagreement_rates(predicted)
    return -rates, rates


def within_disagreement(lower: Array, upper: Array, rates: Array) -> tuple[Array, Array]:
    """Limits for the error rate of classifiers that differ from one with these limits at these rates.

    Examples
    --------
    >>> lower, upper = within_disagreement(np.array(0.05), np.array(0.08), np.array([0.02, 0.4]))
    >>> print(lower.round(2), upper.round(2))
    [0.03 0.  ] [0.1  0.48]
    """
    return np.maximum(lower - rates, 0.0), np.minimum(upper + rates, 1.0)
