"""How far the error rates of several classifiers lie apart: their standard deviation over a draw of one of them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from holdfast.errors import InvalidEvidence
from holdfast.evidence.arrays import Array, Integers, numbers, shown, whole
from holdfast.evidence.counts import Counts
from holdfast.evidence.evidence import Evidence, brief
from holdfast.evidence.need import Need
from holdfast.evidence.scale import Scale


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
