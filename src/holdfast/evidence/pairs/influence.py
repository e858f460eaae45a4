"""What two models differ by, and how much each draw, an example or a cluster, sways that."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import NDArray

from holdfast.evidence.given import Array, Integers
from holdfast.evidence.pairs.loss_differences import gap_of, share_of
from holdfast.evidence.sample import ROUNDING, Evidence

UNITS = 2.0**50  # of one, in which sways are added up: they sum to less than eight, so that no order changes a digit


@dataclass(frozen=True, eq=False, repr=False)
class Sway(Evidence):
    """The first model's value minus the second's, and what a little more weight of each draw would add to it.

    Swapping the models turns every sign and nothing else.

    Examples
    --------
    >>> positive = np.array([True, False, True, False])
    >>> SmoothSway.of(0.25, np.array([0.1, -0.1, 0.05, -0.05]), positive, np.array([3, 3, 7, 7]))
    SmoothSway(n=2, difference=0.25)
    """

    gap: float  # as a part of the largest difference that there can be; NaN where there is none
    sways: Array  # of a draw each
    fewest: int  # draws that hold an example of the class, or another one, whichever are fewer
    most: float = 1.0  # the largest difference

    @classmethod
    def of(
        cls,
        gap: float,
        sways: Array,
        positive: NDArray[np.bool_],
        clusters: Integers | None = None,
        most: float = 1.0,
    ) -> Self:
        """From what each example sways, and perhaps the cluster of each."""
        draw = np.arange(sways.size) if clusters is None else np.unique(clusters, return_inverse=True)[1]
        whole = np.bincount(draw, np.rint(sways * UNITS)) / UNITS
        fewest = min(int(np.count_nonzero(np.bincount(draw[held]))) for held in (positive, ~positive))
        return cls(gap, whole, fewest, most)

    @property
    def n(self) -> Integers:  # type: ignore[override]  # computed here, kept elsewhere
        return np.asarray(self.sways.size)

    @property
    def known(self) -> Array:
        return ~np.isnan(np.asarray(self.gap))

    @property
    def _gap(self) -> Array:
        return np.nan_to_num(np.asarray(self.gap))

    @property
    def mean(self) -> Array:
        return share_of(self._gap)

    @property
    def complement(self) -> Array:
        return share_of(-self._gap)

    @property
    def estimate(self) -> Array:
        return np.asarray(self.most * self.gap)

    @cached_property
    def standard_error(self) -> float:
        """Of the gap; NaN where a class is seen in fewer than two draws, or no draw sways anything."""
        return standard_error_of(float(np.sum(np.sort(self.sways**2))), self.fewest)

    def mirror(self) -> Self:
        return replace(self, gap=0.0 - self.gap, sways=-self.sways)

    def units(self, share: Array) -> Array:
        return self.most * gap_of(share)

    def __repr__(self) -> str:
        told = f"{self.most * self.gap:.6g}" if self.known else "unknown"
        return f"{type(self).__name__}(n={self.n}, difference={told})"


class SmoothSway(Sway):
    """Of a quantity that small changes of the weights change in proportion: an area, an average precision."""


class KinkedSway(Sway):
    """Of a largest value among many, which changes in proportion only as long as the same one is the largest."""


def standard_error_of(squares: float, fewest: int) -> float:
    """Of an estimate, from the sum of what each draw sways it squared; NaN where that says nothing.

    `fewest` is how many draws hold an example of the class, or another one, whichever are fewer.
    """
    if fewest < 2 or squares <= ROUNDING**2:
        return float("nan")
    return float(np.sqrt(fewest / (fewest - 1) * squares))
