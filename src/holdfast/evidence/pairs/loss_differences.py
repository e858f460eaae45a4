"""By how much two models' losses differ, example by example."""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from holdfast.evidence.given import Array
from holdfast.evidence.losses import Losses
from holdfast.evidence.ranking.placements import FIXED


def share_of(gap: Array) -> Array:
    """A difference in [-1, 1] on the scale [0, 1]; that of its opposite is one minus it, to the last bit."""
    larger = (1.0 + np.abs(gap)) / 2.0
    return np.where(gap >= 0, larger, 1.0 - larger)


def gap_of(share: Array) -> Array:
    """The inverse; a share and one minus it give opposite differences, to the last bit."""
    return np.asarray(1.0 - 2.0 * (1.0 - share))


class Gaps(Losses):
    """The loss of the first model minus that of the second on each example; none is larger than `most` either way.

    Swapping the models turns every sign, and whatever is said of their mean is mirrored to the last bit.

    Examples
    --------
    >>> gaps = Gaps([0.25, -0.5, 0.0, 0.0])
    >>> print(gaps.units(gaps.mean), gaps.units(gaps.complement))
    -0.0625 0.0625
    """

    def __init__(self, values: ArrayLike, most: float = 1.0) -> None:
        super().__init__(values, -most, most)
        raw = np.asarray(values, np.float64)
        self._set(_mirrored=(most - raw) / (2.0 * most))

    @cached_property
    def _gap(self) -> Array:
        """The mean, as a part of the largest difference; neither order nor sign change a digit."""
        above, below = _whole_parts(self.values), _whole_parts(self._from_the_other_end)
        units = (above[0] - below[0]) * FIXED + (above[1] - below[1])
        return np.asarray(units / (np.maximum(self.n, 1) * FIXED**2))

    @cached_property
    def mean(self) -> Array:
        return np.where(self.n > 0, share_of(self._gap), 0.0)

    @cached_property
    def complement(self) -> Array:
        return np.where(self.n > 0, share_of(-self._gap), 0.0)

    @cached_property
    def s2(self) -> Array:
        off = (self.values - self._from_the_other_end - self._gap[..., np.newaxis]) / 2.0
        leading, rest = _whole_parts(off * off)
        return np.asarray((leading * FIXED + rest) / (np.maximum(self.n, 1) * FIXED**2))

    @property
    def estimate(self) -> Array:
        return np.asarray(self.high * self._gap)

    def units(self, share: Array) -> Array:
        return self.high * gap_of(share)


def _whole_parts(shares: Array) -> tuple[Array, Array]:
    """Sums along the last axis in whole numbers of 2**-26 and, for what that leaves, of 2**-52."""
    leading = np.rint(shares * FIXED)
    return leading.sum(axis=-1), np.rint((shares * FIXED - leading) * FIXED).sum(axis=-1)
