"""How two models differ on each fold of a cross-validation."""

from __future__ import annotations

from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from holdfast.errors import InvalidEvidence
from holdfast.evidence.given import Array, Integers, numbers, shown, whole
from holdfast.evidence.sample import ROUNDING, Evidence, brief

GRID = 2.0**53  # shares are kept in whole parts of it, so that a difference and its mirror add up to nothing, exactly


class FoldDifferences(Evidence):
    """How much larger the result of the first model is than that of the second, on each fold.

    The folds lie along the last axis, repeats along the one before; what stands before these is pairs of models.
    `width` is that of the range of either model's results, so that differences lie between minus and plus `width`.
    """

    def __init__(
        self,
        values: ArrayLike,
        n_train: ArrayLike | None = None,
        n_test: ArrayLike | None = None,
        width: float = 1.0,
    ) -> None:
        given = numbers("The differences", values)
        self.values = given[np.newaxis] if given.ndim == 1 else given
        if self.values.ndim < 2 or not self.values.size:
            raise InvalidEvidence("Differences of folds need at least one fold.")
        if np.any(np.abs(self.values) > width * (1 + ROUNDING)):
            raise InvalidEvidence(f"Differences of folds should lie in [{-width:g}, {width:g}]; give their width.")
        self.n_train = sizes_of("n_train", n_train, self.values.shape[-2:])
        self.n_test = sizes_of("n_test", n_test, self.values.shape[-2:])
        self.width = float(width)
        self.n = np.asarray(self.values.shape[-1] * self.values.shape[-2])

    @property
    def ratio(self) -> float:
        """Examples tested on for one trained on; of k folds one is tested on and the others are trained on."""
        if self.n_train is None or self.n_test is None:
            return 1 / (self.values.shape[-1] - 1) if self.values.shape[-1] > 1 else np.inf
        return float(self.n_test.sum() / self.n_train.sum())

    @cached_property
    def offsets(self) -> Array:
        """The differences in parts of the whole range of a difference, from its middle."""
        return self.values / (2 * self.width)

    @cached_property
    def offset(self) -> Array:
        """Their mean."""
        return self.offsets.mean(axis=(-2, -1))

    @cached_property
    def variance(self) -> Array:
        """Their variance, with divisor n - 1; NaN where the folds do not spread, for then it says nothing."""
        off = self.offsets - self.offset[..., np.newaxis, np.newaxis]
        square = np.sum(off * off, axis=(-2, -1)) / max(int(self.n) - 1, 1)
        return np.where(np.abs(off).max(axis=(-2, -1)) > ROUNDING, square, np.nan)

    @property
    def same(self) -> Array:
        """Where no fold tells the two models apart."""
        return np.abs(self.offsets).max(axis=(-2, -1)) <= ROUNDING

    @property
    def mean(self) -> Array:
        return np.asarray(0.5 + on_grid(self.offset))

    @property
    def complement(self) -> Array:
        return np.asarray(0.5 - on_grid(self.offset))

    def mirror(self) -> Self:
        return self._with(-self.values)

    def both_ends(self) -> Self:
        return self._with(np.stack([self.values, -self.values]))

    def units(self, share: Array) -> Array:
        return 2.0 * self.width * (share - 0.5)

    def _with(self, values: Array) -> Self:
        return type(self)(values, self.n_train, self.n_test, self.width)

    def __repr__(self) -> str:
        several = f"{self.values.shape[-2]} times " if self.values.shape[-2] > 1 else ""
        mean = brief(np.asarray(self.units(self.mean)))
        return f"{type(self).__name__}({several}{self.values.shape[-1]} folds, mean={mean})"


class RepeatedDifferences(FoldDifferences):
    """Differences of k folds, several times over: a row a repeat."""


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
            raise InvalidEvidence(f"FiveByTwo needs five rows of two folds; got {shape_told(*self.values.shape[-2:])}.")

    @property
    def within(self) -> Array:
        """The variance of both halves of a repeat, averaged over the repeats; NaN where they never differ."""
        apart = self.offsets[..., 0] - self.offsets[..., 1]
        square = np.mean(apart * apart, axis=-1) / 2
        return np.where(np.abs(apart).max(axis=-1) > ROUNDING, square, np.nan)


def on_grid(offset: Array) -> Array:
    """The nearest whole part of the grid: one half plus it and one half minus it are then both exact."""
    return np.asarray(np.rint(offset * GRID) / GRID)


def sizes_of(name: str, given: ArrayLike | None, shape: tuple[int, ...]) -> Integers | None:
    if given is None:
        return None
    sizes = whole(f"{name}, a number of examples,", given)
    try:
        every = np.broadcast_to(sizes, shape)
    except ValueError:
        raise InvalidEvidence(
            f"{name} needs one number, or one a fold: {shape_told(*shape)}; got {sizes.shape}."
        ) from None
    if np.any(every < 1):
        raise InvalidEvidence(f"{name} must be at least 1 on every fold; got {shown(given)}.")
    return every


def shape_told(*shape: int) -> str:
    """In words: 3 rows of 10."""
    rows, folds = shape[-2:]
    return f"{rows} row{'s' * (rows > 1)} of {folds}"
