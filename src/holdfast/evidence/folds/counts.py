"""Counts of events on the folds of a cross-validation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from holdfast.evidence.arrays import Array, Integers
from holdfast.evidence.counts import Counts
from holdfast.evidence.folds.sample import FoldSample


@dataclass(frozen=True, eq=False, init=False, repr=False)
class FoldCounts(FoldSample):
    """k events (errors, say) in n trials on each fold, by the model that was trained without that fold.

    The folds lie along the last axis; what stands before it is many measures or classes at once. A fold without
    trials is legal, and says nothing about its model.

    Examples
    --------
    >>> FoldCounts([7, 8, 3, 12, 9], 30)
    FoldCounts(mean=0.26, folds=5, n=150)
    """

    parts: Counts  # of the folds

    def __init__(
        self,
        k: ArrayLike,
        n: ArrayLike,
        *,
        repeats: int = 1,
        stratified: bool = False,
        by_prediction: bool = False,
    ) -> None:
        self._set_folds(repeats, stratified, by_prediction, parts=Counts(k, n))

    @classmethod
    def joined(cls, several: Sequence[Self]) -> Self:
        k, n = (
            np.concatenate([getattr(each.parts, name).reshape(-1, each.folds) for each in several]) for name in "kn"
        )
        return several[0]._with(parts=Counts._checked(k=k, n=n))

    @property
    def k(self) -> Integers:
        return self.parts.k

    @property
    def sizes(self) -> Integers:
        return self.parts.n

    @property
    def shares(self) -> Array:
        return self.parts.mean

    @property
    def rests(self) -> Array:
        return self.parts.complement

    @property
    def variances(self) -> Array:
        return self.parts.s2

    def mirror(self) -> Self:
        return self._with(parts=self.parts.mirror())

    def both_ends(self) -> Self:
        return self._with(parts=self.parts.both_ends())
