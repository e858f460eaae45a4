"""Results of one model, or differences of two, on each fold of a cross-validation, and what each draw adds to them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from holdfast.assumptions import Assumption
from holdfast.errors import InvalidEvidence
from holdfast.evidence.draws import Draws, Ratio
from holdfast.evidence.evidence import ROUNDING, Evidence, Need, brief
from holdfast.evidence.value import Array, Integers, Scale, numbers, shown, whole

GRID = 2.0**53  # shares are kept in whole parts of it, so that a difference and its mirror add up to nothing, exactly


@dataclass(frozen=True, eq=False, init=False, repr=False)
class FoldValues(Evidence):
    """A result of each fold, in a range that it has by its nature.

    The folds lie along the last axis, repeats along the one before; what stands before these is many measures, classes
    or pairs of models. What is estimated is the mean over training sets: how well the learner does, and not a model.

    Examples
    --------
    >>> FoldValues([7/30, 8/30, 3/30, 12/30, 9/30], n_train=120, n_test=30)
    FoldValues(5 folds, mean=0.26)
    """

    values: Array
    offsets: Array  # the values in parts of their whole range, from its middle
    n_train: Integers | None
    n_test: Integers | None
    scale: Scale

    _called = "results"

    def __init__(
        self,
        values: ArrayLike,
        n_train: ArrayLike | None = None,
        n_test: ArrayLike | None = None,
        low: float = 0.0,
        high: float = 1.0,
    ) -> None:
        given, name = numbers(f"The {self._called}", values), f"{self._called.capitalize()} of folds"
        rows = given[np.newaxis] if given.ndim == 1 else given
        if rows.ndim < 2 or not rows.size:
            raise InvalidEvidence(f"{name} need at least one fold.")
        scale = Scale.stated(f"{name} need", low, high)
        reach = ROUNDING * scale.width
        if np.any((rows < low - reach) | (rows > high + reach)):
            remedy = "low= and high=" if self._called == "results" else "width"
            raise InvalidEvidence(f"{name} should lie in [{low:g}, {high:g}]; give their {remedy}.")
        self._set(
            values=rows,
            offsets=(rows - (low + high) / 2) / scale.width,
            n_train=sizes_of("n_train", n_train, rows.shape[-2:]),
            n_test=sizes_of("n_test", n_test, rows.shape[-2:]),
            scale=scale,
        )

    @property
    def n(self) -> Integers:
        return np.asarray(self.values.shape[-1] * self.values.shape[-2])

    @property
    def ratio(self) -> float:
        """Examples tested on for one trained on; of k folds one is tested on and the others are trained on."""
        if self.n_train is None or self.n_test is None:
            return 1 / (self.values.shape[-1] - 1) if self.values.shape[-1] > 1 else np.inf
        return float(self.n_test.sum() / self.n_train.sum())

    @cached_property
    def offset(self) -> Array:
        """The mean of the offsets."""
        return self.offsets.mean(axis=(-2, -1))

    @cached_property
    def variance(self) -> Array:
        """Of the offsets, with divisor n - 1; NaN where the folds do not spread, for then it says nothing."""
        off = self.offsets - self.offset[..., np.newaxis, np.newaxis]
        square = np.sum(off * off, axis=(-2, -1)) / max(int(self.n) - 1, 1)
        return np.where(np.abs(off).max(axis=(-2, -1)) > ROUNDING, square, np.nan)

    @property
    def mean(self) -> Array:
        return np.asarray(0.5 + on_grid(self.offset))

    @property
    def complement(self) -> Array:
        return np.asarray(0.5 - on_grid(self.offset))

    def mirror(self) -> Self:
        return self._with(values=self._turned, offsets=-self.offsets)

    def both_ends(self) -> Self:
        values, offsets = np.stack([self.values, self._turned]), np.stack([self.offsets, -self.offsets])
        return self._with(values=values, offsets=offsets)

    @property
    def _turned(self) -> Array:
        return np.asarray(self.scale.low + self.scale.high - self.values)

    def __repr__(self) -> str:
        several = f"{self.values.shape[-2]} times " if self.values.shape[-2] > 1 else ""
        return f"{type(self).__name__}({several}{self.values.shape[-1]} folds, mean={brief(self.estimate)})"


@dataclass(frozen=True, eq=False, init=False, repr=False)
class RepeatedValues(FoldValues):
    """Results of k folds, several times over: one row per repeat."""


def on_grid(offset: Array) -> Array:
    """The nearest whole part of the grid: one half plus it and one half minus it are then both exact."""
    return np.asarray(np.rint(offset * GRID) / GRID)


def sizes_of(name: str, given: ArrayLike | None, shape: tuple[int, ...]) -> Integers | None:
    """Numbers of examples as a user gave them, one per fold; None where they were not given."""
    if given is None:
        return None
    sizes = whole(f"{name}, a number of examples,", given)
    try:
        every = np.broadcast_to(sizes, shape)
    except ValueError:
        raise InvalidEvidence(
            f"{name} needs one number, or one a fold: {rows_of(*shape)}; got {sizes.shape}."
        ) from None
    if np.any(every < 1):
        raise InvalidEvidence(f"{name} must be at least 1 on every fold; got {shown(given)}.")
    return every


def rows_of(*shape: int) -> str:
    """The shape in words: 3 rows of 10."""
    rows, folds = shape[-2:]
    return f"{rows} row{'s' * (rows > 1)} of {folds}"


@dataclass(frozen=True, eq=False, init=False, repr=False)
class FoldRatio(Evidence):
    """The errors and the rows of each group that a fold's model was tested on, and the most rows that a group can hold.

    The groups are the draws, each tested by a model that was trained without it. Each fold has the same weight: what is
    estimated is the average over the folds of their models' rates. The rate of each group over 1, with `most` 1, is
    told of the average group; errors over rows of the average row. Of a cross-validation that was repeated, a group
    stands once for each of the `repeats`. `stratified` is that of the other evidence of folds. Where the most is not
    known it is infinite, and no limit holds at every sample size.

    Examples
    --------
    >>> FoldRatio([0, 2, 1, 1], [1, 4, 2, 1], fold=[0, 0, 1, 1], most=5)
    FoldRatio(mean=0.533333, folds=2, draws=4)
    """

    above: Array
    below: Array
    fold: Integers
    most: float
    repeats: int
    stratified: bool
    assumes: tuple[Assumption, ...]
    ranges: tuple[Assumption, ...]

    def __init__(
        self,
        above: ArrayLike,
        below: ArrayLike,
        fold: ArrayLike,
        most: float,
        *,
        repeats: int = 1,
        stratified: bool = False,
        assumes: tuple[Assumption, ...] = (Assumption.CLUSTERS,),
        caps: tuple[Assumption, ...] | None = None,
    ) -> None:
        part, rows, place = numbers("above", above), numbers("below", below), whole("fold", fold)
        if part.ndim != 1 or not part.size or not part.shape == rows.shape == place.shape:
            raise InvalidEvidence("FoldRatio needs one number above, one below and one fold for each draw.")
        if np.any((part < 0) | (part > rows)) or np.any(np.bincount(place) == 0):
            raise InvalidEvidence("FoldRatio needs 0 <= above <= below, and folds counted from 0 with a draw in each.")
        if not rows.max() <= most:
            raise InvalidEvidence(
                f"A group holds {rows.max():g} rows, more than the {shown(most)} that were stated as the most. The "
                "number must be known before looking; state one that no group can exceed, or none."
            )
        self._set(above=part, below=rows, fold=place, most=float(most), repeats=int(repeats), stratified=stratified)
        usual = (Assumption.CAPPED_CLUSTERS,) if self.most != 1.0 else ()
        self._set(assumes=assumes, ranges=usual if caps is None else caps)

    @property
    def folds(self) -> int:
        """How many folds there are, those of all repeats together."""
        return int(self.fold.max()) + 1

    @property
    def n(self) -> Integers:
        """The draws, each counted once."""
        return np.asarray(self.above.size // self.repeats)

    @cached_property
    def _totals(self) -> Array:
        return np.bincount(self.fold, self.below)

    @property
    def known(self) -> Array:
        return np.asarray(np.all(self._totals > 0))

    @property
    def mean(self) -> Array:
        return self._average(self.above)

    @property
    def complement(self) -> Array:
        return self._average(self.below - self.above)

    def _average(self, part: Array) -> Array:
        parts = np.bincount(self.fold, part)
        return np.asarray(np.mean(np.divide(parts, self._totals, out=np.zeros(self.folds), where=self._totals > 0)))

    def mirror(self) -> Self:
        return self._with(above=self.below - self.above)

    @property
    def uneven(self) -> bool:
        """Whether some draw adds less below the line than another."""
        return bool(np.any(self.below != self.below[0]))

    @property
    def offers(self) -> frozenset[Need]:
        return super().offers | (set() if self.stratified or self.most == np.inf else {Need.RANDOM_FOLDS})

    def by_draw(self, draw: Integers) -> Ratio:
        """The same draw by draw, where `draw` says of each entry which group it is, whichever model tested it.

        It is what a method takes that holds for stable learners as the sample grows, so that no cap goes with it: one
        that trusts draws to be independent would take the folds for that, too.
        """
        weight = 1.0 / self._totals[self.fold]
        above, below = (np.bincount(draw, weight * each) for each in (self.above, self.below))
        there = below > 0
        return Ratio(above[there], below[there], Draws(np.ones(int(there.sum())), assumes=self.assumes))

    def __repr__(self) -> str:
        return f"FoldRatio(mean={brief(self.estimate)}, folds={self.folds}, draws={brief(self.n)})"
