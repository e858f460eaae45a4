"""Mean losses on the folds of a cross-validation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from holdfast.errors import InvalidEvidence
from holdfast.evidence.arrays import Array, Integers, numbers, whole
from holdfast.evidence.evidence import ROUNDING, joined_scale
from holdfast.evidence.folds.sample import FoldSample
from holdfast.evidence.need import Need
from holdfast.evidence.scale import Scale


@dataclass(frozen=True, eq=False, init=False, repr=False)
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

    sizes: Integers
    shares: Array
    rests: Array
    scale: Scale
    _s2: Array | None

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
        ends = numbers("low", low), numbers("high", high)
        try:
            raw, size, least, most = np.broadcast_arrays(raw, size, *(end[..., np.newaxis] for end in ends))
            spread = None if s2 is None else np.broadcast_to(numbers("s2", s2), raw.shape)
        except ValueError:
            raise InvalidEvidence("FoldMeans needs means, sizes and s2 of matching shapes.") from None
        scale, each = Scale.stated("FoldMeans needs", low, high), Scale(least, most)
        reach = ROUNDING * each.width
        outside = (size > 0) & ((raw < least - reach) | (raw > most + reach))
        if outside.any():
            raise InvalidEvidence(
                f"FoldMeans needs means in [{least[outside][0]:g}, {most[outside][0]:g}]; one is "
                f"{raw[outside][0]:.15g}. Give the loss's own range as low= and high=."
            )
        # A mean that rounding has put a little outside of the range lies on its end.
        shares, rests = (np.clip(side, 0.0, 1.0) for side in (each.share(raw), each.room(raw)))
        if spread is not None:
            spread = spread / each.width**2
            if np.any((size > 0) & ((spread < 0) | (spread > shares * rests * (1 + 1e-9) + 1e-15))):
                raise InvalidEvidence(
                    "FoldMeans needs 0 <= s2 <= (mean - low) * (high - mean) on every fold, as any losses in their "
                    "range have; s2 is the variance with divisor n."
                )
        shares, rests = np.where(size > 0, shares, 0.0), np.where(size > 0, rests, 0.0)
        fields = {"sizes": size, "shares": shares, "rests": rests, "scale": scale, "_s2": spread}
        self._set_folds(repeats, stratified, by_prediction, **fields)

    @classmethod
    def joined(cls, several: Sequence[Self]) -> Self:
        names = ["sizes", "shares", "rests", *([] if several[0]._s2 is None else ["_s2"])]
        rows = {
            name: np.concatenate([getattr(each, name).reshape(-1, each.folds) for each in several]) for name in names
        }
        return several[0]._with(scale=joined_scale(several), **rows)

    @property
    def variances(self) -> Array:
        if self._s2 is None:
            raise InvalidEvidence("This needs the variance within each fold: FoldMeans(means, sizes, s2=...).")
        return self._s2

    def mirror(self) -> Self:
        return self._with(shares=self.rests, rests=self.shares)

    def both_ends(self) -> Self:
        here, there = self.shares, self.rests
        return self._with(
            sizes=np.stack([self.sizes, self.sizes]),
            shares=np.stack([here, there]),
            rests=np.stack([there, here]),
            _s2=None if self._s2 is None else np.stack([self._s2, self._s2]),
        )

    @property
    def alike(self) -> tuple[object, ...]:
        return *super().alike, self._s2 is None

    @property
    def offers(self) -> frozenset[Need]:
        return super().offers - (set() if self._s2 is not None else {Need.S2})
