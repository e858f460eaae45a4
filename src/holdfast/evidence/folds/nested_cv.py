"""Losses of a nested cross-validation: of every fold's model, and of the models that were trained without two folds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from holdfast.errors import InvalidEvidence
from holdfast.evidence.evidence import Evidence, brief
from holdfast.evidence.value import Array, Integers, Scale, numbers, whole


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Nested(Evidence):
    """How far the inner cross-validations are from the outer folds that they were made without.

    Parameters
    ----------
    outer
        The sum of the losses on each fold of the model that was trained without it: (..., repeats, K).
    inner
        At [j, l] the sum of the losses on fold l of the model that was trained without the folds j and l:
        (..., repeats, K, K). What stands at [j, j] is not looked at.
    sizes
        The examples of each fold: (repeats, K), or what can be broadcast to it.
    outer_squares, inner_squares
        The sums of the squared losses; they may be left out where each loss is 0 or 1.
    low, high
        The range that a loss has by its nature.

    Examples
    --------
    >>> Nested([[1, 2, 1]], [[[0, 2, 1], [1, 0, 1], [2, 2, 0]]], 10)
    Nested(3 folds, mean=0.127778, n=30)
    """

    n: Integers
    folds: int
    mean: Array
    complement: Array
    standard_error: Array  # on the scale [0, 1]
    scale: Scale

    def __init__(
        self,
        outer: ArrayLike,
        inner: ArrayLike,
        sizes: ArrayLike,
        low: float = 0.0,
        high: float = 1.0,
        *,
        outer_squares: ArrayLike | None = None,
        inner_squares: ArrayLike | None = None,
    ) -> None:
        out, into = numbers("outer, the sums of losses,", outer), numbers("inner, the sums of losses,", inner)
        if out.ndim < 2 or into.shape != (*out.shape, out.shape[-1]) or out.shape[-1] < 3 or not out.size:
            raise InvalidEvidence(
                "Nested needs outer of shape (..., repeats, K) and inner of shape (..., repeats, K, K), with three "
                f"folds or more; got {out.shape} and {into.shape}."
            )
        scale = Scale.stated("Nested needs", low, high)
        try:
            size = np.broadcast_to(whole("The sizes of the folds", sizes), out.shape[-2:])
            squared = _squares("outer_squares", outer_squares, out)
            squares = _squares("inner_squares", inner_squares, into)
        except ValueError:
            raise InvalidEvidence("Nested needs sizes and squares of matching shapes.") from None
        outside, inside = _scaled(out, squared, size, scale), _scaled(into, squares, size[:, np.newaxis], scale)
        mean, error = _estimate(*outside, *inside, size)
        n, folds = np.full(out.shape[:-2], int(size[0].sum())), int(out.shape[-1])
        self._set(n=n, folds=folds, mean=mean, complement=1.0 - mean, standard_error=error, scale=scale)

    @classmethod
    def from_pairs(
        cls,
        outer: ArrayLike,
        pairs: ArrayLike,
        sizes: ArrayLike,
        low: float = 0.0,
        high: float = 1.0,
        **squares: ArrayLike,
    ) -> Self:
        """From sums of losses on both folds of each pair that a model was trained without: (..., repeats, pairs, 2).

        The pairs stand in the order (0, 1), (0, 2), ... of `itertools.combinations`; squares, if any, as
        `outer_squares` and `pairs_squares`.
        """
        folds = np.shape(outer)[-1]
        inner = {"inner": _square_of(numbers("pairs", pairs), folds)}
        if "pairs_squares" in squares:
            inner["inner_squares"] = _square_of(numbers("pairs_squares", squares.pop("pairs_squares")), folds)
        return cls(outer, sizes=sizes, low=low, high=high, **inner, **squares)

    def mirror(self) -> Self:
        return self._with(mean=self.complement, complement=self.mean)

    def both_ends(self) -> Self:
        here, there, error = self.mean, self.complement, self.standard_error
        both = {"mean": [here, there], "complement": [there, here], "standard_error": [error, error]}
        return self._with(**{name: np.stack(ends) for name, ends in both.items()})

    def __repr__(self) -> str:
        return f"Nested({self.folds} folds, mean={brief(self.estimate)}, n={brief(self.n)})"


def _squares(name: str, given: ArrayLike | None, sums: Array) -> Array:
    """The sums of squared losses as a user gave them; those of losses that are 0 or 1 are the sums themselves."""
    return sums if given is None else np.broadcast_to(numbers(name, given), sums.shape)


def _scaled(total: Array, squared: Array, size: Array, scale: Scale) -> tuple[Array, Array]:
    """Sums of losses and of their squares, on the scale [0, 1]."""
    low, width = scale.low, scale.width
    return (total - low * size) / width, (squared - 2 * low * total + low**2 * size) / width**2


def _estimate(out: Array, squared: Array, into: Array, squares: Array, size: Array) -> tuple[Array, Array]:
    """The two numbers that matter, on the scale [0, 1]: the corrected mean and its standard error."""
    folds = out.shape[-1]
    others = ~np.eye(folds, dtype=bool)
    with np.errstate(divide="ignore", invalid="ignore"):  # a fold of one example, or of none: nothing can be said
        outside = out / size
        spread = (squared / size - outside**2) * size / (size - 1)
        count = np.where(others, size[:, np.newaxis], 0)
        inside = np.sum(into, axis=-1, where=others) / count.sum(axis=-1)
        # How far inner cross-validation misses the outer fold, less what the fold itself misses its model by.
        missed = np.mean((inside - outside) ** 2 - spread / size, axis=(-2, -1))
        total = count.sum()
        nested = np.sum(into, axis=(-3, -2, -1), where=others) / total
        every = np.sum(squares, axis=(-3, -2, -1), where=others) / total - nested**2
        plain = np.sqrt(np.maximum(every * total / (total - 1), 0.0) / size[0].sum())
    bias = (1 + (folds - 2) / folds) * (nested - np.sum(out, axis=(-2, -1)) / size.sum())
    error = np.clip(np.sqrt((folds - 1) / folds * np.maximum(missed, 0.0)), plain, np.sqrt(folds) * plain)
    return np.asarray(np.clip(nested - bias, 0.0, 1.0)), np.where(plain > 0, error, np.nan)


def _square_of(pairs: Array, folds: int) -> Array:
    """From both folds of each pair to a square: at [j, l] that on fold l without j and l."""
    first, second = np.triu_indices(folds, 1)
    if pairs.shape[-2:] != (first.size, 2):
        raise InvalidEvidence(
            f"{folds} folds make {first.size} pairs: give sums of shape (..., {first.size}, 2); got {pairs.shape}."
        )
    square = np.zeros((*pairs.shape[:-2], folds, folds))
    square[..., first, second], square[..., second, first] = pairs[..., 1], pairs[..., 0]
    return square
