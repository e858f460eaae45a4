"""Losses with a known range, or what is left of them: their number, mean and variance.

Of values of which there are just three, declared beforehand, it is how many examples have each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from holdfast.arguments import check
from holdfast.assumptions import Assumption
from holdfast.errors import InvalidEvidence
from holdfast.evidence.counts import Counts
from holdfast.evidence.evidence import OFFERED, Evidence, Need, Order, Sample, brief, in_drawn_order, joined_scale
from holdfast.evidence.value import SHARES, Array, Integers, Scale, matched, numbers, shown, whole
from holdfast.numerics.arrays import exact_sum
from holdfast.predictions.grading import Values

FEW = 10_000  # values up to which both ends are worked on at once


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Losses(Sample):
    """Losses with a known range, by default [0, 1], the examples along the last axis.

    The range is a property of the loss, never the smallest and largest value seen: give it as `low` and
    `high`, and claims come back in the same units. Both may be arrays, one entry per example. With `order="drawn"` you
    say that the losses stand in the order in which the examples were drawn: methods that bet on them one by one then
    hold at every sample size. With `levels` you declare all that a loss can be, which narrows limits where it is two
    or three.

    Examples
    --------
    >>> Losses([0.0, 0.5, 0.25, 0.25])
    Losses(n=4, mean=0.25, s2=0.03125)
    >>> Losses.from_moments(n=1000, mean=0.1, s2=0.02)
    Losses(n=1000, mean=0.1, s2=0.02)
    """

    n: Integers
    scale: Scale = SHARES
    squared_range: float = 1.0
    drawn: bool = False
    assumes: tuple[Assumption, ...] = (Assumption.INDEPENDENT,)
    levels: tuple[float, ...] = ()  # all that a loss can be, on the scale [0, 1], where that was declared
    _values: Array | None = None  # on the scale [0, 1]
    _mirrored: Array | None = None  # the mirrored values, where they are not just 1 - values
    _moments: tuple[Array, Array, Array | None] | None = None  # mean, complement and perhaps s2
    _between: tuple[Array, ...] | None = None  # the ends between which a mean of limited precision lies

    def __init__(
        self,
        values: ArrayLike,
        low: ArrayLike = 0.0,
        high: ArrayLike = 1.0,
        *,
        order: Order | None = None,
        levels: Sequence[float] | None = None,
    ) -> None:
        raw, least, most = numbers("Losses", values), numbers("low", low), numbers("high", high)
        if raw.ndim == 0:
            raise InvalidEvidence("Losses needs one value an example; got a single number. Wrap it in a list.")
        n = raw.shape[-1]
        with np.errstate(over="ignore"):  # a width beyond the floats is refused with the rest
            fitting = all(end.shape in ((), (n,)) and end.size > 0 for end in (least, most))
            fitting = fitting and bool(np.all(np.isfinite(most - least)))
        if not fitting or not np.all(least < most):
            raise InvalidEvidence(
                f"Losses needs low < high, each one number or one an example; got {shown(low)}, {shown(high)}."
            )
        outside = (raw < least) | (raw > most)
        if outside.any():
            first = int(np.argmax(outside.reshape(-1)))
            floor, ceiling = (np.broadcast_to(end, raw.shape).flat[first] for end in (least, most))
            raise InvalidEvidence(
                f"Losses must lie in [{floor:g}, {ceiling:g}]; value {first + 1} is {raw.flat[first]:.15g}. "
                "Give the loss's own range as low= (--low) and high= (--high), or repair the value."
            )
        # With a range for each example it is the mean that lies in a common range, that of the mean of the ends.
        own = least.ndim + most.ndim > 0
        scale = Scale(*(float(np.mean(end)) if own else float(end) for end in (least, most)))
        self._set(
            n=np.asarray(n, np.int64),
            scale=scale,
            squared_range=float(np.mean(((most - least) / scale.width) ** 2)) if n and own else 1.0,
            drawn=in_drawn_order(order),
            levels=() if levels is None else _declared(levels, raw, scale, own),
            _values=raw if (scale.low, scale.high) == (0.0, 1.0) and not own else (raw - least) / scale.width,
            _mirrored=(most - raw) / scale.width if own else None,
        )

    @classmethod
    def from_moments(
        cls,
        n: ArrayLike,
        mean: ArrayLike,
        s2: ArrayLike | None = None,
        *,
        low: float = 0.0,
        high: float = 1.0,
        between: tuple[ArrayLike, ArrayLike] | None = None,
    ) -> Self:
        """Losses known only by their number, mean and (optionally) their variance with divisor n.

        Mean and variance are in the units of `low` and `high`. Losses read with limited precision have a mean that
        is only known to lie `between` two numbers; the variance is then one that theirs does not exceed.
        """
        size, given = whole("n, the number of losses,", n), numbers("mean", mean)
        for name, end in (("low", low), ("high", high)):
            check("hf.Losses.from_moments", name, end, float)
        check("hf.Losses.from_moments", "between", between, tuple[object, object] | None)
        scale = Scale.stated("Losses.from_moments needs", low, high)
        centre, rest = scale.share(given), scale.room(given)
        if np.any((centre < 0) | (rest < 0)):
            raise InvalidEvidence(
                f"Losses.from_moments needs a mean in [{low:g}, {high:g}]; give the range as low= "
                f"(--low) and high= (--high)."
            )
        ends = None if between is None else tuple(scale.share(numbers("between", end)) for end in between)
        if ends is not None and np.any((ends[0] < 0) | (ends[0] > centre) | (centre > ends[1]) | (ends[1] > 1)):
            raise InvalidEvidence("Losses.from_moments needs a mean that lies between the two numbers given for it.")
        spread = None if s2 is None else numbers("s2", s2) / scale.width**2
        arrays = (each for each in (size, centre, spread, *(ends or ())) if each is not None)
        matched("Losses.from_moments needs n, mean and s2", *arrays, shapes=0)
        likeliest = centre if ends is None else np.clip(0.5, *ends)  # the possible mean with the largest variance
        most = likeliest * (1 - likeliest) * (1 + 1e-9) + 1e-15  # whoever computed it has rounded
        if spread is not None and np.any((spread < 0) | (spread > most)):
            raise InvalidEvidence(
                "Losses.from_moments needs 0 <= s2 <= (mean - low) * (high - mean), as any losses in their range have; "
                "s2 is the variance with divisor n."
            )
        return cls._checked(n=size, scale=scale, _moments=(centre, rest, spread), _between=ends)

    @classmethod
    def joined(cls, several: Sequence[Losses]) -> Self:
        """As many values of each, in rows, each row with its own range; all were drawn in the same way."""
        return cls._checked(
            n=np.array([each.n for each in several]),
            scale=joined_scale(several),
            drawn=all(each.drawn for each in several),
            assumes=several[0].assumes,
            _values=np.stack([each.values for each in several]),
            _mirrored=np.stack([each._from_the_other_end for each in several]),
        )

    @property
    def low(self) -> float | Array:
        return self.scale.low

    @property
    def high(self) -> float | Array:
        return self.scale.high

    @property
    def values(self) -> Array:
        """The losses on the scale [0, 1]."""
        if self._values is None:
            raise InvalidEvidence("These losses are known by their moments only; this needs each value: Losses(x).")
        return self._values

    @cached_property
    def _from_the_other_end(self) -> Array:
        return 1.0 - self.values if self._mirrored is None else self._mirrored

    @cached_property
    def mean(self) -> Array:
        return self._moments[0] if self._moments else _mean(self.total, self.n)

    @cached_property
    def complement(self) -> Array:
        if self._moments:
            return self._moments[1]
        return _mean(exact_sum(self._from_the_other_end), self.n)

    @cached_property
    def total(self) -> Array:
        return self.n * self.mean if self._moments else exact_sum(self.values)

    @cached_property
    def s2(self) -> Array:
        if self._moments:
            if self._moments[2] is None:
                raise InvalidEvidence("This needs the variance: Losses.from_moments(n, mean, s2=...), divisor n.")
            return self._moments[2]
        deviations = self.values - self.mean[..., np.newaxis]
        return _mean(exact_sum(deviations * deviations), self.n)

    @cached_property
    def square_of_mean(self) -> Array:
        pairs = np.maximum(self.n * (self.n - 1.0), 1.0)
        if self._moments:
            square, excess = self.mean**2, self.s2 / np.maximum(self.n - 1.0, 1.0)
            # What is left after cancelling to the last few digits is rounding, not information.
            return np.where(np.abs(square - excess) <= 8 * np.finfo(float).eps * square, 0.0, square - excess)
        # Sums of positive terms only: (sum of x)^2 - sum of x^2 would cancel where one loss outweighs the rest.
        earlier = np.cumsum(self.values, axis=-1)[..., :-1]
        return np.asarray(2.0 * np.sum(self.values[..., 1:] * earlier, axis=-1) / pairs)

    @property
    def condensed(self) -> Counts | Grades | Losses:
        """How many losses there are of each level, where two or three were declared: all that there is to know."""
        if len(self.levels) not in (2, 3):
            return self
        counts = np.stack([np.count_nonzero(self.values == level, axis=-1) for level in self.levels], axis=-1)
        if len(self.levels) == 2:
            return Counts(counts[..., 1], self.n)._with(scale=self.scale)
        return Grades._checked(counts=counts, middle=self.levels[1], scale=self.scale)

    @property
    def only_ends(self) -> bool:
        """Whether every loss seen is 0 or 1: perhaps a count that was not declared as one."""
        return bool(np.all((self.values == 0) | (self.values == 1)))

    @cached_property
    def fingerprint(self) -> str:
        """The SHA-256 of the values in any order, as 64 hex digits."""
        return sha256(np.sort(self.values, axis=None).astype("<f8").tobytes()).hexdigest()

    def mirror(self) -> Self:
        if self._moments is None:
            # The mirror remembers the values themselves: 1 - (1 - x) need not be x.
            return self._with(_values=self._from_the_other_end, _mirrored=self._values)
        mean, complement, s2 = self._moments
        ends = self._between and (1.0 - self._between[1], 1.0 - self._between[0])
        return self._with(_moments=(complement, mean, s2), _between=ends)

    def at_most(self) -> Self:
        if self._between is None or self._moments is None:
            return self
        most = self._between[1]
        return self._with(_moments=(most, 1.0 - most, self._moments[2]), _between=None)

    def both_ends(self) -> Losses | None:
        if self._moments or self.values.size > FEW:
            return None
        here, there = self.values, self._from_the_other_end
        return self._with(_values=np.stack([here, there]), _mirrored=np.stack([there, here]))

    @property
    def offers(self) -> frozenset[Need]:
        common = OFFERED if self.squared_range == 1.0 else OFFERED - {Need.ONE_RANGE}
        if self._moments is None:
            return common | {Need.VALUES, Need.DRAWS, Need.S2}
        return common if self._moments[2] is None else common | {Need.S2}

    def __repr__(self) -> str:
        spread = f", s2={brief(self.s2)}" if self.has(Need.S2) else ""
        low, high = np.asarray(self.low), np.asarray(self.high)
        ends = "" if np.all(low == 0.0) and np.all(high == 1.0) else f", low={brief(low)}, high={brief(high)}"
        return f"Losses(n={brief(self.n)}, mean={brief(self.mean)}{spread}{ends})"


def _declared(levels: Sequence[float], values: Array, scale: Scale, own: bool) -> tuple[float, ...]:
    """The levels that were declared, on the scale [0, 1], where all losses are such."""
    if own:
        raise InvalidEvidence("Levels are declared of losses that have one range, not a range for each.")
    stated = Values.stated((scale.low, scale.high), levels)
    stated.shares(values, "the losses")
    return stated.levels


def _mean(total: Array, n: Integers) -> Array:
    return np.asarray(total / np.maximum(n, 1))


@dataclass(frozen=True, eq=False, repr=False)
class Grades(Evidence):
    """How many examples have each of three values, the lowest first along the last axis.

    Examples
    --------
    >>> Grades.of([70, 20, 10], levels=(0, 0.5, 1))
    Grades(n=100, mean=0.2)
    """

    counts: Integers
    middle: float  # where the middle value stands, as a part of the way from the lowest to the highest
    scale: Scale

    @classmethod
    def of(cls, counts: ArrayLike, levels: ArrayLike) -> Grades:
        """The counts of three values, rising."""
        values, held = numbers("levels", levels), whole("The counts of grades", counts)
        if values.shape != (3,) or np.any(np.diff(values) <= 0) or held.shape[-1:] != (3,):
            raise InvalidEvidence(f"Grades need counts of three rising values; got {shown(counts)} of {shown(levels)}.")
        low, middle, high = values.tolist()
        return cls(held, (middle - low) / (high - low), Scale(low, high))

    @property
    def n(self) -> Integers:
        return np.asarray(self.counts.sum(axis=-1))

    @property
    def mean(self) -> Array:
        return self._share(self.counts)

    @property
    def complement(self) -> Array:
        return self._share(self.counts[..., ::-1], 1.0 - self.middle)

    def _share(self, counts: Integers, middle: float | None = None) -> Array:
        total = (self.middle if middle is None else middle) * counts[..., 1] + counts[..., 2]
        return np.divide(total, self.n, out=np.zeros(self.n.shape), where=self.n > 0)

    def mirror(self) -> Grades:
        return replace(self, counts=self.counts[..., ::-1], middle=1.0 - self.middle)

    def __repr__(self) -> str:
        return f"Grades(n={brief(self.n)}, mean={brief(self.estimate)})"
