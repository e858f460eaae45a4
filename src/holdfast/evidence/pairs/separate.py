"""What two models differ by, where each is known by itself only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from holdfast.evidence.arrays import Array, Integers
from holdfast.evidence.evidence import Evidence
from holdfast.evidence.pairs.loss_differences import share_of
from holdfast.evidence.scale import Differences


@dataclass(frozen=True, eq=False, repr=False)
class SeparateEstimates(Evidence):
    """The same quantity of two models, in [0, 1], of the same draws; it speaks about the first minus the second.

    Examples
    --------
    >>> from holdfast.evidence import Scores
    >>> from holdfast.measures.separation import ks
    >>> truth = [True, False, True, True, False]
    >>> SeparateEstimates(*(ks(Scores(scores, truth)) for scores in ([5, 3, 4, 2, 1], [1, 2, 5, 4, 3])))
    SeparateEstimates(n=5, difference=0)
    """

    first: Evidence
    second: Evidence
    scale = Differences()

    @property
    def n(self) -> Integers:
        return self.first.n

    @property
    def known(self) -> Array:
        return np.asarray(self.first.known & self.second.known)

    @property
    def estimate(self) -> Array:
        return np.asarray(self.first.estimate - self.second.estimate)

    @property
    def mean(self) -> Array:
        return share_of(self.estimate)

    @property
    def complement(self) -> Array:
        return share_of(-self.estimate)

    def mirror(self) -> SeparateEstimates:
        return SeparateEstimates(self.second, self.first)

    def __repr__(self) -> str:
        return f"SeparateEstimates(n={self.n}, difference={self.estimate:.6g})"
