"""How far the error rates of several models lie apart, and what unlabelled inputs alone tell about it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdfast.errors import InvalidEvidence
from holdfast.evidence import Array
from holdfast.evidence.pools.averages import certain, check_independent, shares
from holdfast.evidence.pools.panel import Panel
from holdfast.evidence.pools.spread import Inputs, PoolSpread, Spread
from holdfast.evidence.pools.unlabelled import Unlabelled
from holdfast.numerics.voting.disagreement import disagreements

Codes = NDArray[np.integer]


def spread(panel: Panel, weights: ArrayLike | None = None) -> Spread:
    """The spread of true error rates over the models, equally likely or drawn by weights fixed beforehand.

    Examples
    --------
    >>> panel = Panel(("a", "b", "c"), np.array([[0, 1, 1, 0], [0, 0, 1, 0], [0, 0, 1, 1]], bool))
    >>> rates = spread(panel)
    >>> print(round(float(rates.variance), 4), round(float(rates.within), 4))
    0.0139 0.1111
    """
    check_independent(panel, "The spread over models")
    share = shares(weights, len(panel.models))
    if not panel.n:
        return Spread(0, 0.0, 0.0)
    wrong = panel.wrong.astype(np.float64)
    within = share @ (wrong**2 if panel.sampled else wrong) - (share @ wrong) ** 2
    return Spread(panel.n, _variance(wrong.mean(axis=1), share), np.clip(within, 0.0, 0.25).mean())


def spread_on(panel: Panel, unlabelled: Unlabelled, weights: ArrayLike | None = None) -> PoolSpread:
    r"""The spread of error rates over the models on unlabelled inputs, with what the answers there make certain.

    Notes
    -----
    Where a label y is true, the errors of the models vary by :math:`p_y (1 - p_y)`, with :math:`p_y` the weight of
    those that say y. The largest of these, over the labels, belongs to the label that most models say:

    .. math:: \bar q = \frac1N \sum_j p_j (1 - p_j), \qquad p_j = \max_y p_{jy}

    With two labels it is what the errors do vary by, whichever label is true.

    Examples
    --------
    >>> wrong = np.array([[0, 1, 1, 0], [0, 0, 1, 0], [0, 0, 1, 1]], bool)
    >>> truth = np.array([0, 1, 1, 0])
    >>> panel = Panel(("a", "b", "c"), wrong, ("no", "yes"), truth, np.where(wrong, 1 - truth, truth))
    >>> rates = spread_on(panel, Unlabelled(panel.models, panel.labels, np.array([[0, 1], [0, 1], [1, 1]])))
    >>> print(round(float(rates.contention), 4), round(float(rates.most), 4))
    0.1111 0.0556
    """
    unlabelled.check_models(panel.models)
    if panel.predicted is None or panel.sampled:
        raise InvalidEvidence(
            "What the models said is needed on the labelled examples too, one label each; these are only known as "
            "right or wrong. Give truth and predictions."
        )
    labels, share = len(unlabelled.labels), None if weights is None else shares(weights, len(panel.models))
    here, there = (contention(codes, labels, share)[1] for codes in (panel.predicted, unlabelled.predicted))
    inputs = Inputs(
        contention=np.concatenate([here, there]).mean(),
        within=there.mean(),
        most=largest_variance(unlabelled.predicted, share),
    )
    return PoolSpread(spread(panel, weights), inputs, unlabelled.n, len(panel.models), panel.errors, weights=share)


def contention(predicted: Codes, labels: int, weights: Array | None = None) -> tuple[Array, Array]:
    r"""The least and the largest variance of the errors over the models that each input leaves open.

    Notes
    -----
    With two labels they are the same, :math:`p_j (1 - p_j)`. With more, :math:`p_y (1 - p_y)` is largest for the
    label that most models say, and least for the one that fewest do: none does once there are more labels than
    these.

    Examples
    --------
    >>> least, most = contention(np.array([[0, 1], [0, 1], [1, 1], [0, 1]]), labels=2)
    >>> print(least, most)
    [0.1875 0.    ] [0.1875 0.    ]
    """
    fewest_wrong, most_wrong = certain(predicted, labels, weights)
    most = fewest_wrong * (1.0 - fewest_wrong)
    return (most_wrong * (1.0 - most_wrong) if labels == 2 else np.zeros_like(most)), most


def drawing_variance(predicted: Codes, labels: int, weights: Array | None = None) -> tuple[float, float]:
    r"""The variance of the error rate on these inputs of a process that draws a model anew for each of them.

    Notes
    -----
    Whatever the labels are. For two labels it is exact (Bax, Eq. 19), for more this is the largest it can be:

    .. math:: \frac1{d'^2} \sum_{j=1}^{d'} p_j (1 - p_j)

    Examples
    --------
    >>> print(drawing_variance(np.array([[0, 1], [0, 1], [1, 1], [0, 1]]), labels=2))
    (0.046875, 0.046875)
    """
    n = predicted.shape[1]
    least, most = (float(each.sum()) / n**2 for each in contention(predicted, labels, weights))
    return least, most


def largest_variance(predicted: Codes, weights: Array | None = None) -> float:
    r"""The variance of the error rates over the models that no labels of these inputs can exceed.

    Notes
    -----
    The variance is half the mean squared difference of pairs, and two error rates differ by no more than the models do:

    .. math:: \operatorname{Var}_m(\nu'_m) \le \frac12 \sum_{m, k} w_m w_k D'^2_{mk}

    It holds for any number of labels, and is never larger than :math:`(\frac1{d'} \sum_j \sqrt{p_j (1 - p_j)})^2`.

    Examples
    --------
    >>> print(largest_variance(np.array([[0, 1], [0, 1], [1, 1], [0, 1]])))
    0.046875
    """
    rates = disagreements(predicted) / predicted.shape[1]
    share = shares(weights, len(predicted))
    return min(float(share @ (rates * rates) @ share) / 2, 0.25)


def _variance(rates: Array, share: Array) -> float:
    return min(float(share @ (rates - share @ rates) ** 2), 0.25)
