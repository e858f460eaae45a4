"""Estimates of how a learner errs that are corrected by what further models did on rows they were not told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from holdfast.errors import InvalidEvidence
from holdfast.evidence.evidence import ROUNDING, Evidence, brief
from holdfast.evidence.value import Array, Integers, Scale, numbers, shown, whole


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


LEFT_OUT = 0.632  # the share of rows that a large bootstrap sample holds, 1 - 1/e, as the rules round it


@dataclass(frozen=True, eq=False, init=False, repr=False)
class LeftOut(Evidence):
    """The error rate on rows that were left out: of each row, over the samples that left it out.

    Parameters
    ----------
    rates
        Of each row that was left out at least once, the share of these samples whose model erred on it.
    seen
        The error rate of the model trained on all rows, on these rows.
    chance
        The error rate if predictions had nothing to do with the labels.

    Examples
    --------
    >>> LeftOut([0.0, 0.5, 1.0, 0.1], seen=0.1, chance=0.5)
    LeftOut(n=4, estimate=0.4)
    """

    rates: Array
    seen: float
    chance: float
    turned: bool = False  # whether it speaks of the accuracy in place of the error rate

    def __init__(self, rates: ArrayLike, seen: float, chance: float) -> None:
        given = numbers("The error rates of the rows", rates)
        for name, value in (("rates", given), ("seen", np.asarray(seen)), ("chance", np.asarray(chance))):
            if not np.all((value >= 0) & (value <= 1)):
                raise InvalidEvidence(f"{type(self).__name__} needs {name} between 0 and 1; got {shown(value)}.")
        if given.ndim != 1 or not given.size:
            raise InvalidEvidence("At least one row must have been left out by some sample.")
        self._set(rates=given, seen=float(seen), chance=float(chance))

    @property
    def n(self) -> Integers:
        return np.asarray(self.rates.size)

    @property
    def left_out(self) -> float:
        """The leave-one-out bootstrap's estimate."""
        return float(self.rates.mean())

    @property
    def rate(self) -> float:
        """The error rate that the rule estimates."""
        return self.left_out

    @property
    def mean(self) -> Array:
        return np.asarray(1.0 - self.rate if self.turned else self.rate)

    @property
    def complement(self) -> Array:
        return np.asarray(self.rate if self.turned else 1.0 - self.rate)

    @property
    def error(self) -> float:
        """The standard error, as far as the rows tell it; NaN where they are all alike."""
        spread = float(self.rates.std(ddof=1)) / np.sqrt(self.rates.size) if self.rates.size > 1 else 0.0
        return spread * self.rate / self.left_out if spread > ROUNDING else np.nan

    def mirror(self) -> Self:
        return self._with(turned=not self.turned)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(n={self.n}, estimate={float(self.mean):.6g})"


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Point632(LeftOut):
    """The error rate on rows that were left out, pulled by a fixed weight towards that on what the learner was told.

    Examples
    --------
    >>> Point632([0.0, 0.5, 1.0, 0.1], seen=0.1, chance=0.5)
    Point632(n=4, estimate=0.2896)
    """

    @property
    def rate(self) -> float:
        return (1 - LEFT_OUT) * self.seen + LEFT_OUT * self.left_out


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Point632Plus(LeftOut):
    """The .632 rule's error rate, pulled the less the more the learner overfits.

    Examples
    --------
    >>> Point632Plus([0.0, 0.5, 1.0, 0.1], seen=0.1, chance=0.5)
    Point632Plus(n=4, estimate=0.361878)
    """

    @property
    def overfitting(self) -> float:
        """How far the learner is from what it was told to mere chance: from 0 to 1."""
        capped = min(self.left_out, self.chance)
        return (capped - self.seen) / (self.chance - self.seen) if min(capped, self.chance) > self.seen else 0.0

    @property
    def rate(self) -> float:
        weight = LEFT_OUT / (1 - (1 - LEFT_OUT) * self.overfitting)
        return (1 - weight) * self.seen + weight * min(self.left_out, self.chance)
