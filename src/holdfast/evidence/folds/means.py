"""Mean losses on the folds of a cross-validation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from holdfast.errors import InvalidEvidence
from holdfast.evidence.folds.sample import FoldSample, by_fold
from holdfast.evidence.given import Array, numbers, shown, whole
from holdfast.evidence.need import Need
from holdfast.evidence.sample import ROUNDING, brief


class FoldMeans(FoldSample):
    """The mean loss on each fold of the model trained without it, of so many losses with a known range.

    The range is a property of the loss, never what was seen: give it as `low` and `high`, and claims come back in the
    same units. `s2` is the variance within each fold, with divisor n, where it is known. Where whole groups of
    examples are the draws, a loss is the mean of a group and the size of a fold the number of its groups.

    Examples
    --------
    >>> FoldMeans([0.21, 0.18, 0.25], 50)
    FoldMeans(mean=0.213333, folds=3, n=150)
    """

    def __init__(
        self,
        means: ArrayLike,
        sizes: ArrayLike,
        low: ArrayLike = 0.0,
        high: ArrayLike = 1.0,
        *,
        s2: ArrayLike | None = None,
        repeats: int = 1,
        stratified: bool = False,
        by_prediction: bool = False,
    ) -> None:
        raw, size = numbers("The means of the folds", means), whole("The sizes of the folds", sizes)
        self.low, self.high = numbers("low", low), numbers("high", high)
        try:
            raw, size, least, most = np.broadcast_arrays(
                raw, size, self.low[..., np.newaxis], self.high[..., np.newaxis]
            )
            spread = None if s2 is None else np.broadcast_to(numbers("s2", s2), raw.shape)
        except ValueError:
            raise InvalidEvidence("FoldMeans needs means, sizes and s2 of matching shapes.") from None
        if not np.all(least < most):
            raise InvalidEvidence(f"FoldMeans needs low < high; got {shown(low)} and {shown(high)}.")
        width = most - least
        outside = (size > 0) & ((raw < least - ROUNDING * width) | (raw > most + ROUNDING * width))
        if outside.any():
            raise InvalidEvidence(
                f"FoldMeans needs means in [{least[outside][0]:g}, {most[outside][0]:g}]; one is "
                f"{raw[outside][0]:.15g}. Give the loss's own range as low= and high=."
            )
        # A mean that rounding has put a little outside of the range lies on its end.
        shares, rests = np.clip((raw - least) / width, 0.0, 1.0), np.clip((most - raw) / width, 0.0, 1.0)
        if spread is not None:
            spread = spread / width**2
            if np.any((size > 0) & ((spread < 0) | (spread > shares * rests * (1 + 1e-9) + 1e-15))):
                raise InvalidEvidence(
                    "FoldMeans needs 0 <= s2 <= (mean - low) * (high - mean) on every fold, as any losses in their "
                    "range have; s2 is the variance with divisor n."
                )
        self._describe(size, repeats, stratified, by_prediction)
        self._shares, self._rests, self._s2 = np.where(size > 0, shares, 0.0), np.where(size > 0, rests, 0.0), spread

    @classmethod
    def of(
        cls,
        losses: ArrayLike,
        fold: ArrayLike,
        folds: int,
        low: float = 0.0,
        high: float = 1.0,
        *,
        stratified: bool = False,
    ) -> Self:
        """From the loss of each example, along the last axis, and the number of its fold.

        Examples
        --------
        >>> FoldMeans.of([0.5, 0.25, 0.0, 0.5], [0, 0, 1, 1], folds=2)
        FoldMeans(mean=0.3125, folds=2, n=4)
        """
        sums, sizes = by_fold(losses, fold, folds)
        means = np.clip(sums / np.maximum(sizes, 1), low, high)
        off = np.asarray(losses, np.float64) - means[..., np.asarray(fold)]
        squares, _ = by_fold(off * off, fold, folds)
        s2 = np.minimum(squares / np.maximum(sizes, 1), (means - low) * (high - means))
        return cls(means, sizes, low, high, s2=s2, stratified=stratified)

    @classmethod
    def joined(cls, several: Sequence[Self]) -> Self:
        first = several[0]
        shares, rests, sizes = (
            np.concatenate([getattr(each, name).reshape(-1, each.folds) for each in several])
            for name in ("_shares", "_rests", "sizes")
        )
        known = all(each._s2 is not None for each in several)
        s2 = np.concatenate([each.variances.reshape(-1, each.folds) for each in several]) if known else None
        made = first._with(shares, rests, s2, sizes)
        made.low, made.high = (
            np.concatenate([np.broadcast_to(getattr(each, name), each.n.shape).ravel() for each in several])
            for name in ("low", "high")
        )
        return made

    @property
    def shares(self) -> Array:
        return self._shares

    @property
    def rests(self) -> Array:
        return self._rests

    @property
    def variances(self) -> Array:
        if self._s2 is None:
            raise InvalidEvidence("This needs the variance within each fold: FoldMeans(means, sizes, s2=...).")
        return self._s2

    def mirror(self) -> Self:
        return self._with(self._rests, self._shares, self._s2, self.sizes)

    def both_ends(self) -> Self:
        s2 = None if self._s2 is None else np.stack([self._s2, self._s2])
        here, there = self._shares, self._rests
        return self._with(np.stack([here, there]), np.stack([there, here]), s2, np.stack([self.sizes, self.sizes]))

    def _with(self, shares: Array, rests: Array, s2: Array | None, sizes: Array) -> Self:
        made = object.__new__(type(self))
        made._describe(sizes, **self._described)  # type: ignore[arg-type]
        made.low, made.high, made._shares, made._rests, made._s2 = self.low, self.high, shares, rests, s2
        return made

    def units(self, share: Array) -> Array:
        return np.asarray(self.low + (self.high - self.low) * share)

    @property
    def alike(self) -> tuple[object, ...]:
        return *super().alike, self._s2 is None

    @property
    def offers(self) -> frozenset[Need]:
        return super().offers - (set() if self._s2 is not None else {Need.S2})

    def __repr__(self) -> str:
        mean = brief(np.asarray(self.units(self.mean)))
        return f"FoldMeans(mean={mean}, folds={self.folds}, n={brief(self.n)})"
