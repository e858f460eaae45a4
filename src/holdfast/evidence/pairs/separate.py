"""What two models differ by, where each is known by itself only."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from holdfast.evidence.arrays import Array, Integers
from holdfast.evidence.evidence import Evidence
from holdfast.evidence.scale import Differences, Scale


@dataclass(frozen=True, eq=False, repr=False)
class SeparateEstimates(Evidence):
    """The same quantity of two models, of the same draws or of others; it speaks about the first minus the second.

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
    independent: bool = False  # whether each was seen on draws of its own

    @property
    def scale(self) -> Scale:
        ends = [float(self.first.units(np.asarray(share))) for share in (0.0, 1.0)]
        return Differences.of(ends[1] - ends[0])

    @property
    def n(self) -> Integers:
        return np.asarray(self.first.n + self.second.n) if self.independent else self.first.n

    @property
    def known(self) -> Array:
        return np.asarray(self.first.known & self.second.known)

    @property
    def estimate(self) -> Array:
        return np.asarray(self.first.estimate - self.second.estimate)

    @property
    def mean(self) -> Array:
        return self.scale.share(self.estimate)

    @property
    def complement(self) -> Array:
        return self.scale.share(-self.estimate)

    def mirror(self) -> SeparateEstimates:
        return SeparateEstimates(self.second, self.first, self.independent)

    def __repr__(self) -> str:
        return f"SeparateEstimates(n={self.n}, difference={self.estimate:.6g})"
