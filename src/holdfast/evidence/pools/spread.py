"""How far the error rates of several classifiers lie apart: their standard deviation over a draw of one of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdfast.errors import InvalidEvidence
from holdfast.evidence.counts import Counts
from holdfast.evidence.evidence import Evidence, Need, brief
from holdfast.evidence.pools.averages import certain, check_independent, shares
from holdfast.evidence.pools.panel import Panel, Unlabelled
from holdfast.evidence.value import Array, Integers, Scale, numbers, shown, whole
from holdfast.numerics.voting import disagreements


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Spread(Evidence):
    r"""The spread of true error rates over classifiers, from the errors of all of them on n labelled examples.

    The quantity is a standard deviation; it is at most 1/2. `variance` is that of the observed rates over the
    classifiers, `within` the mean over the examples of the variance of the errors over the classifiers. The observed
    rates spread more than the true ones, by what chance adds:

    .. math:: U = \frac{n \operatorname{Var}_m(\nu_m) - \bar q}{n - 1} \quad\text{has the mean}\quad
              \operatorname{Var}_m(\pi_m)

    Examples
    --------
    >>> Spread(100, variance=0.0025, within=0.09)
    Spread(n=100, spread=0.0402)
    """

    n: Integers
    variance: Array
    within: Array
    scale = Scale(0.0, 0.5)

    def __init__(self, n: ArrayLike, variance: ArrayLike, within: ArrayLike) -> None:
        size = whole("n, the number of examples,", n)
        variances = {"variance": numbers("variance", variance), "within": numbers("within", within)}
        for name, given in variances.items():
            if np.any((given < 0) | (given > 0.25 * (1 + 1e-12))):
                raise InvalidEvidence(f"A {name} over classifiers lies in [0, 1/4]; got {shown(given)}.")
        self._set(n=size, **variances)

    @property
    def unbiased(self) -> Array:
        """U, which has the variance of the true rates as its mean, and may be negative."""
        return np.asarray((self.n * self.variance - self.within) / np.maximum(self.n - 1, 1))

    @property
    def deviation(self) -> Array:
        """The standard deviation of the observed rates."""
        return np.sqrt(self.variance)

    @property
    def mean(self) -> Array:
        return np.minimum(2.0 * np.sqrt(np.maximum(self.unbiased, 0.0)), 1.0)

    @property
    def complement(self) -> Array:
        return np.asarray(1.0 - self.mean)

    @property
    def known(self) -> Array:
        return np.asarray(self.n > 1)

    @property
    def offers(self) -> frozenset[Need]:
        return super().offers - {Need.MIRROR}

    def __repr__(self) -> str:
        return f"{type(self).__name__}(n={brief(self.n)}, spread={np.array2string(self.estimate, precision=4)})"


@dataclass(frozen=True)
class Inputs:
    """What the answers to all inputs of a pool tell, without any label."""

    contention: ArrayLike  # over the pool, the mean of the largest variance of errors that a label could make
    within: ArrayLike  # over the unlabelled inputs, the mean of the largest variance of errors that a label could make
    most: ArrayLike = 0.25  # the variance over classifiers that rates on the unlabelled inputs certainly do not exceed


@dataclass(frozen=True, eq=False, init=False, repr=False)
class PoolSpread(Spread):
    """The spread of error rates on given unlabelled inputs, from the errors on labelled examples of the same pool.

    Examples
    --------
    >>> PoolSpread(Spread(100, 0.0025, 0.09), Inputs(contention=0.1, within=0.11), unlabelled=50, models=20)
    PoolSpread(n=100, spread=0.0615)
    """

    unlabelled: Integers
    contention: Array
    inner: Array  # what `within` is over the unlabelled inputs, at most
    most: Array
    models: int
    errors: Counts | None  # of each model, along the last axis
    weights: Array | None  # of each model, along the last axis; None where all are equally likely

    def __init__(
        self,
        seen: Spread,
        inputs: Inputs,
        unlabelled: ArrayLike,
        models: int,
        errors: Counts | None = None,
        weights: Array | None = None,
    ) -> None:
        rest = whole("unlabelled, the number of examples still to be labelled,", unlabelled)
        if np.any(rest < 1):
            raise InvalidEvidence(f"unlabelled must be at least 1 example; got {shown(unlabelled)}.")
        super().__init__(seen.n, seen.variance, seen.within)
        self._set(
            unlabelled=rest,
            contention=numbers("contention", inputs.contention),
            inner=numbers("within", inputs.within),
            most=numbers("most", inputs.most),
            models=models,
            errors=errors,
            weights=weights,
        )

    @property
    def mean(self) -> Array:
        """A spread of that size on so few inputs has chance added to it, which the inputs tell."""
        there = np.maximum(self.unbiased, 0.0) * (1.0 - 1.0 / self.unlabelled) + self.inner / self.unlabelled
        return np.minimum(2.0 * np.sqrt(np.minimum(there, self.most)), 1.0)

    @property
    def offers(self) -> frozenset[Need]:
        return super().offers | ({Need.ERRORS} if self.errors is not None else set())


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
