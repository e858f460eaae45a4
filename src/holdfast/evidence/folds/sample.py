"""What the models of a cross-validation did on the folds that each was trained without: counts, or mean losses."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike

from holdfast.errors import InvalidEvidence
from holdfast.evidence.counts import Counts
from holdfast.evidence.evidence import ROUNDING, Evidence, Need, brief, joined_scale
from holdfast.evidence.value import Array, Integers, Scale, numbers, shown, whole


@dataclass(frozen=True, eq=False, init=False, repr=False)
class FoldSample(Evidence):
    """The mean result of each fold's model on its own fold, the folds along the last axis.

    Each fold has the same weight, whatever its size: what is estimated is the average of the folds' models, which is
    the expected result of one of them drawn at random. It is not that of a model trained on all examples.

    Of a cross-validation that was repeated, the folds of all `repeats` stand in one row. `stratified` says that the
    folds were made by looking at the labels, so that a fold is no random sample of the population; what is counted
    within one class still is, and is not called stratified. `by_prediction` says that how many examples count in a
    fold depends on what the model said, as for precision.
    """

    repeats: int
    stratified: bool
    by_prediction: bool

    if TYPE_CHECKING:  # means are fields, counts compute them

        @property
        def sizes(self) -> Integers: ...  # how many examples each fold holds

        @property
        def shares(self) -> Array: ...  # the mean of each fold, on the scale [0, 1]; 0 of a fold without examples

        @property
        def rests(self) -> Array: ...  # one minus the mean of each fold; 0 of a fold without examples too

    @property
    @abstractmethod
    def variances(self) -> Array:
        """The variance within each fold, with divisor n."""

    @cached_property
    def n(self) -> Integers:
        """All examples, each counted once."""
        return np.asarray(self.sizes.sum(axis=-1) // self.repeats)

    @property
    def folds(self) -> int:
        """How many folds there are, those of all repeats together."""
        return int(self.sizes.shape[-1])

    @property
    def mean(self) -> Array:
        return np.asarray(self.shares.mean(axis=-1))

    @property
    def complement(self) -> Array:
        return np.asarray(self.rests.mean(axis=-1))

    @property
    def known(self) -> Array:
        return np.all(self.sizes > 0, axis=-1)

    @property
    def alike(self) -> tuple[object, ...]:
        """What several must share to be joined."""
        return type(self), self.folds, self.repeats, self.stratified, self.by_prediction

    @classmethod
    @abstractmethod
    def joined(cls, several: Sequence[Self]) -> Self:
        """All of them in one, in a row; they must be `alike`."""

    @property
    def offers(self) -> frozenset[Need]:
        folds = set() if self.stratified else {Need.RANDOM_FOLDS}
        fixed = set() if self.stratified or self.by_prediction else {Need.FIXED_FOLDS}
        return super().offers | {Need.S2} | folds | fixed

    def __repr__(self) -> str:
        return f"{type(self).__name__}(mean={brief(self.estimate)}, folds={self.folds}, n={brief(self.n)})"

    def _set_folds(self, repeats: int, stratified: bool, by_prediction: bool, **fields: Any) -> None:
        self._set(repeats=int(repeats), stratified=bool(stratified), by_prediction=bool(by_prediction), **fields)
        if self.sizes.ndim == 0 or not self.folds:
            raise InvalidEvidence(f"{type(self).__name__} needs at least one fold along the last axis.")
        if repeats < 1 or self.folds % repeats:
            raise InvalidEvidence(
                f"The {self.folds} folds cannot be those of {repeats} repeats; every repeat has as many."
            )


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


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Progressive(Evidence):
    """The mean loss over all examples tested on, each by the model of its moment, and how many those are.

    `low` and `high` are the range that a loss has by its nature. `stratified` and `by_prediction` are those of the
    evidence of folds: whether the order of the examples was made by looking at the labels, and whether how many are
    counted depends on what the models said.

    Examples
    --------
    >>> Progressive(0.12, 500)
    Progressive(mean=0.12, n=500)
    """

    n: Integers
    mean: Array
    complement: Array
    scale: Scale
    stratified: bool
    by_prediction: bool

    def __init__(
        self,
        mean: ArrayLike,
        n: ArrayLike,
        low: float = 0.0,
        high: float = 1.0,
        *,
        stratified: bool = False,
        by_prediction: bool = False,
    ) -> None:
        raw, size = numbers("The mean", mean), whole("n, the number of examples,", n)
        scale = Scale(float(low), float(high))
        reach = ROUNDING * scale.width
        if not low < high or np.any((raw < low - reach) | (raw > high + reach)):
            raise InvalidEvidence(f"Progressive needs low < high and a mean between them; got {shown(mean)}.")
        if np.broadcast_shapes(raw.shape, size.shape) != raw.shape:
            raise InvalidEvidence(f"Progressive needs one mean for each n; got {raw.shape} and {size.shape}.")
        self._set(
            n=np.broadcast_to(size, raw.shape),
            mean=np.clip(scale.share(raw), 0.0, 1.0),
            complement=np.clip(scale.room(raw), 0.0, 1.0),
            scale=scale,
            stratified=stratified,
            by_prediction=by_prediction,
        )

    @classmethod
    def from_counts(cls, k: ArrayLike, n: ArrayLike, *, stratified: bool = False, by_prediction: bool = False) -> Self:
        """From k events in n trials of each block, the blocks along the last axis."""
        events, trials = np.broadcast_arrays(whole("k, the number of events,", k), whole("n, that of trials,", n))
        total, size = events.sum(axis=-1), trials.sum(axis=-1)
        share = total / np.maximum(size, 1)
        return cls(share, size, stratified=stratified, by_prediction=by_prediction)

    @property
    def offers(self) -> frozenset[Need]:
        return super().offers | ({Need.FIXED_FOLDS} if not (self.stratified or self.by_prediction) else set())

    def mirror(self) -> Self:
        return self._with(mean=self.complement, complement=self.mean)

    def __repr__(self) -> str:
        return f"Progressive(mean={brief(self.estimate)}, n={brief(self.n)})"
