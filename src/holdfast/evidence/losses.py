"""Losses with a known range, or what is left of them: their number, mean and variance."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from holdfast.arguments import check
from holdfast.errors import InvalidEvidence
from holdfast.evidence.given import Array, Integers, numbers, shown, whole
from holdfast.evidence.need import Need
from holdfast.evidence.sample import Order, Sample, brief, in_drawn_order

FEW = 10_000  # values up to which both ends are worked on at once


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Losses(Sample):
    """Losses with a known range, by default [0, 1], the examples along the last axis.

    The range is a property of the loss, never the smallest and largest value seen: give it as `low` and
    `high`, and claims come back in the same units. Both may be arrays, one entry an example. With `order="drawn"` you
    say that the losses stand in the order in which the examples were drawn: methods that bet on them one by one then
    hold at every sample size.

    Examples
    --------
    >>> Losses([0.0, 0.5, 0.25, 0.25])
    Losses(n=4, mean=0.25, s2=0.03125)
    >>> Losses.from_moments(n=1000, mean=0.1, s2=0.02)
    Losses(n=1000, mean=0.1, s2=0.02)
    """

    n: Integers
    low: float | Array
    high: float | Array
    squared_range: float
    _values: Array | None
    _mirrored: Array | None  # where the mirrored values are not just 1 - values
    _moments: tuple[Array, Array, Array | None] | None
    _ends: tuple[Array, ...] | None  # between which the mean lies, where it was read with limited precision
    drawn: bool = False  # whether they stand in the order in which they were drawn

    def __init__(
        self, values: ArrayLike, low: ArrayLike = 0.0, high: ArrayLike = 1.0, *, order: Order | None = None
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
        floor, ceiling = (float(np.mean(end)) if own else float(end) for end in (least, most))
        width = ceiling - floor
        self._set(
            n=np.asarray(n, np.int64),
            low=floor,
            high=ceiling,
            squared_range=float(np.mean(((most - least) / width) ** 2)) if n and own else 1.0,
            _values=raw if (floor, width) == (0.0, 1.0) and not own else (raw - least) / width,
            _mirrored=(most - raw) / width if own else None,
            _moments=None,
            _ends=None,
            drawn=in_drawn_order(order),
        )

    def _set(self, **fields: object) -> None:
        for name, value in fields.items():
            object.__setattr__(self, name, value)

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
        if not np.isfinite(high - low) or not low < high:
            raise InvalidEvidence(f"Losses.from_moments needs low < high; got {shown(low)} and {shown(high)}.")
        width = high - low
        centre, rest = (given - low) / width, (high - given) / width
        if np.any((centre < 0) | (rest < 0)):
            raise InvalidEvidence(
                f"Losses.from_moments needs a mean in [{low:g}, {high:g}]; give the range as low= "
                f"(--low) and high= (--high)."
            )
        ends = None if between is None else tuple((numbers("between", end) - low) / width for end in between)
        if ends is not None and np.any((ends[0] < 0) | (ends[0] > centre) | (centre > ends[1]) | (ends[1] > 1)):
            raise InvalidEvidence("Losses.from_moments needs a mean that lies between the two numbers given for it.")
        spread = None if s2 is None else numbers("s2", s2) / width**2
        try:
            shapes = [each.shape for each in (size, centre, spread, *(ends or ())) if each is not None]
            np.broadcast_shapes(*shapes)
        except ValueError:
            raise InvalidEvidence("Losses.from_moments needs n, mean and s2 of matching shapes.") from None
        likeliest = centre if ends is None else np.clip(0.5, *ends)  # the possible mean with the largest variance
        most = likeliest * (1 - likeliest) * (1 + 1e-9) + 1e-15  # whoever computed it has rounded
        if spread is not None and np.any((spread < 0) | (spread > most)):
            raise InvalidEvidence(
                "Losses.from_moments needs 0 <= s2 <= (mean - low) * (high - mean), as any losses in their range have; "
                "s2 is the variance with divisor n."
            )
        made = cls.__new__(cls)
        made._set(n=size, low=float(low), high=float(high), squared_range=1.0, _values=None, _mirrored=None)
        made._set(_moments=(centre, rest, spread), _ends=ends)
        return made

    @classmethod
    def joined(cls, several: Sequence[Losses]) -> Self:
        """As many values of each, in rows, each row with its own range."""
        made = cls.__new__(cls)
        n, low, high = (np.array([getattr(each, name) for each in several]) for name in ("n", "low", "high"))
        made._set(n=n, low=low, high=high, squared_range=1.0, _values=np.stack([each.values for each in several]))
        made._set(_mirrored=np.stack([each._from_the_other_end for each in several]), _moments=None, _ends=None)
        made._set(drawn=all(each.drawn for each in several))
        return made

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
        return _mean(_exact_sum(self._from_the_other_end), self.n)

    @cached_property
    def total(self) -> Array:
        return self.n * self.mean if self._moments else _exact_sum(self.values)

    @cached_property
    def s2(self) -> Array:
        if self._moments:
            if self._moments[2] is None:
                raise InvalidEvidence("This needs the variance: Losses.from_moments(n, mean, s2=...), divisor n.")
            return self._moments[2]
        deviations = self.values - self.mean[..., np.newaxis]
        return _mean(_exact_sum(deviations * deviations), self.n)

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
    def only_ends(self) -> bool:
        """Whether every loss seen is 0 or 1: perhaps a count that was not declared as one."""
        return bool(np.all((self.values == 0) | (self.values == 1)))

    @cached_property
    def fingerprint(self) -> str:
        """The SHA-256 of the values in any order, as 64 hex digits."""
        return sha256(np.sort(self.values, axis=None).astype("<f8").tobytes()).hexdigest()

    def mirror(self) -> Self:
        made = type(self).__new__(type(self))
        moments = self._moments and (self._moments[1], self._moments[0], self._moments[2])
        made._set(n=self.n, low=self.low, high=self.high, squared_range=self.squared_range)
        # The mirror remembers the values themselves: 1 - (1 - x) need not be x.
        made._set(_values=None if moments else self._from_the_other_end, _mirrored=self._values, _moments=moments)
        made._set(_ends=self._ends and (1.0 - self._ends[1], 1.0 - self._ends[0]), drawn=self.drawn)
        return made

    def at_most(self) -> Self:
        if self._ends is None or self._moments is None:
            return self
        made = type(self).__new__(type(self))
        made._set(n=self.n, low=self.low, high=self.high, squared_range=self.squared_range)
        made._set(_values=None, _mirrored=None, _ends=None)
        made._set(_moments=(self._ends[1], 1.0 - self._ends[1], self._moments[2]))
        return made

    def both_ends(self) -> Losses | None:
        if self._moments or self.values.size > FEW:
            return None
        here, there = self.values, self._from_the_other_end
        made = type(self).__new__(type(self))
        made._set(n=self.n, low=self.low, high=self.high, squared_range=self.squared_range)
        made._set(_values=np.stack([here, there]), _mirrored=np.stack([there, here]), _moments=None, _ends=None)
        made._set(drawn=self.drawn)
        return made

    def units(self, share: Array) -> Array:
        return self.low + (self.high - self.low) * share

    @property
    def offers(self) -> frozenset[Need]:
        common = {Need.ONE_RANGE} if self.squared_range == 1.0 else set()
        if self._moments is None:
            return frozenset({Need.ONE_MODEL, Need.VALUES, Need.DRAWS, Need.S2} | common)
        return frozenset({Need.ONE_MODEL} | common | ({Need.S2} if self._moments[2] is not None else set()))

    def __repr__(self) -> str:
        spread = f", s2={brief(self.s2)}" if self.has("s2") else ""
        scale = "" if (self.low, self.high) == (0.0, 1.0) else f", low={self.low:g}, high={self.high:g}"
        return f"Losses(n={brief(self.n)}, mean={brief(self.mean)}{spread}{scale})"


def _mean(total: Array, n: Integers) -> Array:
    return np.asarray(total / np.maximum(n, 1))


def _exact_sum(values: Array) -> Array:
    """The sum along the last axis, right to the last digit: thirty times 0.1 is 3, not 3.0000000000000004.

    Each value is split at 2**-26; the leading parts add up without any rounding as long as the sum stays
    below 2**27, and the rest is too small for its rounding to matter.
    """
    leading = np.rint(values * 2.0**26) * 2.0**-26
    return np.asarray(leading.sum(axis=-1) + (values - leading).sum(axis=-1))
