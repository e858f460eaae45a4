"""How two models differ on each fold of a cross-validation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from holdfast.errors import InvalidEvidence
from holdfast.evidence.arrays import Array
from holdfast.evidence.evidence import ROUNDING
from holdfast.evidence.folds.values import FoldValues, RepeatedValues, rows_of
from holdfast.evidence.need import Need
from holdfast.evidence.scale import Differences


@dataclass(frozen=True, eq=False, init=False, repr=False)
class FoldDifferences(FoldValues):
    """How much larger the result of the first model is than that of the second, on each fold.

    The folds lie along the last axis, repeats along the one before; what stands before these is pairs of models.
    `width` is that of the range of either model's results, so that differences lie between minus and plus `width`.
    """

    _called = "differences"

    def __init__(
        self,
        values: ArrayLike,
        n_train: ArrayLike | None = None,
        n_test: ArrayLike | None = None,
        width: float = 1.0,
    ) -> None:
        super().__init__(values, n_train, n_test, -width, width)
        self._set(scale=Differences.of(float(width)))

    @property
    def width(self) -> float:
        return float(self.scale.high)

    @property
    def same(self) -> Array:
        """Where no fold tells the two models apart."""
        return np.abs(self.offsets).max(axis=(-2, -1)) <= ROUNDING

    @property
    def offers(self) -> frozenset[Need]:
        return super().offers - {Need.ONE_MODEL}


@dataclass(frozen=True, eq=False, init=False, repr=False)
class RepeatedDifferences(FoldDifferences, RepeatedValues):
    """Differences of k folds, several times over: one row per repeat."""


@dataclass(frozen=True, eq=False, init=False, repr=False)
class FiveByTwo(RepeatedDifferences):
    """Differences on two halves, each trained on the other, five times over."""

    def __init__(
        self,
        values: ArrayLike,
        n_train: ArrayLike | None = None,
        n_test: ArrayLike | None = None,
        width: float = 1.0,
    ) -> None:
        super().__init__(values, n_train, n_test, width)
        if self.values.shape[-2:] != (5, 2):
            raise InvalidEvidence(f"FiveByTwo needs five rows of two folds; got {rows_of(*self.values.shape[-2:])}.")

    @property
    def within(self) -> Array:
        """The variance of both halves of a repeat, averaged over the repeats; NaN where they never differ."""
        apart = self.offsets[..., 0] - self.offsets[..., 1]
        square = np.mean(apart * apart, axis=-1) / 2
        return np.where(np.abs(apart).max(axis=-1) > ROUNDING, square, np.nan)
