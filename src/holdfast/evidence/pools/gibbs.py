"""The average loss of several models whose weights were chosen after the labels were seen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from holdfast.errors import InvalidEvidence
from holdfast.evidence.counts import Counts
from holdfast.evidence.evidence import Evidence, Need, brief
from holdfast.evidence.losses import Losses
from holdfast.evidence.scale import Scale
from holdfast.evidence.value import Array, Integers, matched, numbers, shown


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Gibbs(Evidence):
    """Average losses over models, and the divergence of the weights from those that were fixed beforehand.

    They are the losses of the Gibbs classifier, which draws a model by these weights for every example. The
    divergence is Kullback-Leibler's, in nats.

    Examples
    --------
    >>> Gibbs(Losses([0.0, 0.5, 0.25, 0.25]), divergence=0.7)
    Gibbs(n=4, mean=0.25, divergence=0.7)
    """

    sample: Counts | Losses
    divergence: Array

    def __init__(self, sample: Counts | Losses, divergence: ArrayLike) -> None:
        if not isinstance(sample, Counts | Losses) or not sample.has(Need.ONE_RANGE):
            raise InvalidEvidence(f"Gibbs needs average losses with one range, as Losses; got {shown(sample)}.")
        distance = numbers("divergence", divergence)
        if np.any(distance < 0):
            raise InvalidEvidence(f"A divergence of weights is never below 0; got {shown(divergence)}.")
        matched("Gibbs needs losses and divergences", sample.mean, distance)
        self._set(sample=sample, divergence=distance)

    @property
    def n(self) -> Integers:
        return self.sample.n

    @property
    def scale(self) -> Scale:
        return self.sample.scale

    @property
    def mean(self) -> Array:
        return self._beside_divergence(self.sample.mean)

    @property
    def complement(self) -> Array:
        return self._beside_divergence(self.sample.complement)

    def mirror(self) -> Self:
        return self._with(sample=self.sample.mirror())

    @property
    def offers(self) -> frozenset[Need]:
        return self.sample.offers

    def _beside_divergence(self, mean: Array) -> Array:
        return np.asarray(np.broadcast_to(mean, np.broadcast_shapes(mean.shape, self.divergence.shape)))

    def __repr__(self) -> str:
        return f"Gibbs(n={brief(self.n)}, mean={brief(self.mean)}, divergence={brief(self.divergence)})"
