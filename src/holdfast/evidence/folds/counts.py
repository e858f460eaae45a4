"""Counts of events on the folds of a cross-validation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from holdfast.evidence.counts import Counts
from holdfast.evidence.folds.sample import FoldSample, by_fold
from holdfast.evidence.given import Array, Integers
from holdfast.evidence.sample import brief


class FoldCounts(FoldSample):
    """k events (errors, say) in n trials on each fold, by the model that was trained without that fold.

    The folds lie along the last axis; what stands before it is many measures or classes at once. A fold without
    trials is legal, and says nothing about its model.

    Examples
    --------
    >>> FoldCounts([7, 8, 3, 12, 9], 30)
    FoldCounts(mean=0.26, folds=5, n=150)
    """

    def __init__(
        self,
        k: ArrayLike,
        n: ArrayLike,
        *,
        repeats: int = 1,
        stratified: bool = False,
        by_prediction: bool = False,
    ) -> None:
        self._take(Counts(k, n), repeats, stratified, by_prediction)

    def _take(self, parts: Counts, repeats: int, stratified: bool, by_prediction: bool) -> None:
        self._describe(np.asarray(parts.n), repeats, stratified, by_prediction)
        self.parts = parts

    @classmethod
    def of(
        cls, events: ArrayLike, fold: ArrayLike, folds: int, *, stratified: bool = False, by_prediction: bool = False
    ) -> Self:
        """From whether each example is an event, along the last axis, and the number of its fold.

        Examples
        --------
        >>> FoldCounts.of([True, False, False, True, False, False], [0, 0, 1, 1, 2, 2], folds=3).k
        array([1, 1, 0])
        """
        sums, sizes = by_fold(np.asarray(events, np.float64), fold, folds)
        return cls(sums, sizes, stratified=stratified, by_prediction=by_prediction)

    @classmethod
    def joined(cls, several: Sequence[Self]) -> Self:
        k, n = (
            np.concatenate([getattr(each.parts, name).reshape(-1, each.folds) for each in several]) for name in "kn"
        )
        return several[0]._with(Counts._checked(k, n))

    @property
    def k(self) -> Integers:
        return self.parts.k

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
        return self._with(self.parts.mirror())

    def both_ends(self) -> Self:
        return self._with(self.parts.both_ends())

    def _with(self, parts: Counts) -> Self:
        made = object.__new__(type(self))
        made._take(parts, **self._described)  # type: ignore[arg-type]
        return made

    def __repr__(self) -> str:
        return f"FoldCounts(mean={brief(self.mean)}, folds={self.folds}, n={brief(self.n)})"
