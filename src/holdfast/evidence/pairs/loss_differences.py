"""By how much two models' losses differ, example by example."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from holdfast.evidence.arrays import Array
from holdfast.evidence.losses import Losses
from holdfast.evidence.scale import Differences
from holdfast.numerics.exact_sums import PARTS, whole_sums


def share_of(gap: Array) -> Array:
    """A difference in [-1, 1] on the scale [0, 1]; that of its opposite is one minus it, to the last bit."""
    return Differences().share(gap)


class LossDifferences(Losses):
    """The loss of the first model minus that of the second on each example; none is larger than `most` either way.

    Swapping the models turns every sign, and whatever is said of their mean is mirrored to the last bit.

    Examples
    --------
    >>> gaps = LossDifferences([0.25, -0.5, 0.0, 0.0])
    >>> print(gaps.units(gaps.mean), gaps.units(gaps.complement))
    -0.0625 0.0625
    """

    def __init__(self, values: ArrayLike, most: float = 1.0) -> None:
        super().__init__(values, -most, most)
        raw = np.asarray(values, np.float64)
        self._set(scale=Differences.of(most), _mirrored=(most - raw) / (2.0 * most))

    @cached_property
    def _gap(self) -> Array:
        """The mean, as a part of the largest difference; neither order nor sign change a digit."""
        above, below = whole_sums(self.values), whole_sums(self._from_the_other_end)
        units = (above[0] - below[0]) * PARTS + (above[1] - below[1])
        return np.asarray(units / (np.maximum(self.n, 1) * PARTS**2))

    @cached_property
    def mean(self) -> Array:
        return np.where(self.n > 0, share_of(self._gap), 0.0)

    @cached_property
    def complement(self) -> Array:
        return np.where(self.n > 0, share_of(-self._gap), 0.0)

    @cached_property
    def s2(self) -> Array:
        off = (self.values - self._from_the_other_end - self._gap[..., np.newaxis]) / 2.0
        leading, rest = whole_sums(off * off)
        return np.asarray((leading * PARTS + rest) / (np.maximum(self.n, 1) * PARTS**2))

    @property
    def estimate(self) -> Array:
        return np.asarray(self.high * self._gap)
