"""Values that never change; what is given made arrays of numbers, or refused with the reason; and their scales."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdfast.errors import InvalidEvidence
from holdfast.numerics.arrays import Array as Array
from holdfast.numerics.arrays import Integers as Integers
from holdfast.wording import shown as shown

LARGEST_COUNT = 2**53  # beyond it a float no longer holds every whole number


def numbers(what: str, given: ArrayLike) -> Array:
    """The given as finite numbers, or an error that calls them by `what` they are."""
    return _array(what, given).astype(np.float64, copy=False)  # floats were copied once already, and once is enough


def whole(what: str, given: ArrayLike) -> Integers:
    """The given as whole numbers from 0 on, or an error that calls them by `what` they are."""
    if type(given) in (np.ndarray, np.int64, int):  # as most are
        plain = np.asarray(given)
        if plain.dtype == np.int64 and _countable(plain):
            return plain.copy()
    array = _array(what, given)
    if array.dtype.kind == "b":
        raise InvalidEvidence(f"{what} must be whole numbers; got true/false values. Count them first.")
    if np.any((array < 0) | (array != np.floor(array)) | (array > LARGEST_COUNT)):
        raise InvalidEvidence(f"{what} must be whole numbers from 0 to 2**53; got {shown(given)}.")
    return array.astype(np.int64)


def matched(needs: str, *arrays: Array, shapes: int = 2) -> tuple[Array, ...]:
    """The arrays broadcast to one shape, or an error that says what `needs` them so, and what the first few have."""
    try:
        return np.broadcast_arrays(*arrays)
    except ValueError:
        got = " and ".join(str(array.shape) for array in arrays[:shapes])
        raise InvalidEvidence(f"{needs} of matching shapes{got and f'; got {got}'}.") from None


def _countable(given: Integers) -> bool:
    return not given.size or bool(given.view(np.uint64).max() <= LARGEST_COUNT)  # the bits of -1 are those of 2**64 - 1


def _array(what: str, given: ArrayLike) -> NDArray[Any]:
    """The given as an array of real numbers; text, dates and complex numbers are none."""
    try:
        array = np.asarray(given)
        if array.dtype.kind in "Of":
            array = array.astype(np.float64)
    except (TypeError, ValueError, OverflowError):
        raise InvalidEvidence(f"{what} needs numbers; got {shown(given)}.") from None
    if array.dtype.kind not in "biuf":
        raise InvalidEvidence(f"{what} needs numbers; got {shown(given)}.")
    if np.ma.is_masked(given) or (array.dtype.kind == "f" and not np.isfinite(array).all()):
        remedy = " Drop or repair missing values first." if array.ndim else ""
        raise InvalidEvidence(f"{what} needs finite numbers; got {shown(given)}.{remedy}")
    return array


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Value:
    """Something that is all in its fields, which are set when it is made and never again.

    A subclass is a frozen dataclass. Where what is kept is not what was given, its `__init__` is written out: it checks
    what a user gives and hands the fields to `_set`. Fields that were checked before make a value by `_checked`, or by
    `_with` where most of them are those of another value; neither looks at them again.
    """

    def _set(self, **fields: Any) -> None:
        """Take these for the fields; one that is not set has the default of its class."""
        self.__dict__.update(fields)

    @classmethod
    def _checked(cls, **fields: Any) -> Self:
        """From fields that were checked already."""
        made = object.__new__(cls)
        made.__dict__.update(fields)
        return made

    def _with(self, **changed: Any) -> Self:
        """The same but for these fields; what was derived from the fields is not kept."""
        own = self.__dict__
        return self._checked(**{name: own[name] for name in self.__dataclass_fields__ if name in own} | changed)


@dataclass(frozen=True, eq=False)
class Scale:
    """The range of a quantity, of which a share of 0 is the low end and one of 1 the high end.

    It is a property of the quantity and not of what was seen. Its ends may be arrays, for many quantities at once.

    Examples
    --------
    >>> percent = Scale(0.0, 100.0)
    >>> print(percent.units(np.asarray(0.25)), percent.share(np.asarray(25.0)), percent.room(np.asarray(25.0)))
    25.0 0.25 0.75
    """

    low: float | Array = 0.0
    high: float | Array = 1.0

    @classmethod
    def stated(cls, who: str, low: ArrayLike, high: ArrayLike) -> Self:
        """The range that a user stated, or an error that begins with `who` needs one."""
        with np.errstate(over="ignore", invalid="ignore"):  # a width that is no finite number is refused with the rest
            if not np.all(np.less(low, high) & np.isfinite(np.subtract(high, low))):
                raise InvalidEvidence(f"{who} low < high; got {shown(low)} and {shown(high)}.")
        ends = (np.asarray(end, np.float64) for end in (low, high))
        return cls(*(end if end.ndim else float(end) for end in ends))

    @property
    def width(self) -> float | Array:
        return self.high - self.low

    def units(self, share: Array) -> Array:
        """From a share to the units of the quantity; increasing."""
        return share if self is SHARES else np.asarray(self.low + self.width * share)

    def share(self, value: Array) -> Array:
        """The inverse of units."""
        return np.asarray((value - self.low) / self.width)

    def room(self, value: Array) -> Array:
        """What the share of a value leaves of one, without subtracting it from one."""
        return np.asarray((self.high - value) / self.width)

    def slope(self, share: Array) -> Array:
        """How fast the units grow with the share."""
        return np.asarray(self.width)

    def alike(self, other: Scale) -> bool:
        return type(self) is type(other) and bool(np.all(self.low == other.low) and np.all(self.high == other.high))


SHARES = Scale()  # of quantities that are shares themselves


@dataclass(frozen=True, eq=False)
class Differences(Scale):
    """The range of a difference, as far below 0 as above: a share and one minus it are opposites, to the last bit.

    Examples
    --------
    >>> Differences.of(2.0).units(np.array([0.0, 0.3, 0.7, 1.0]))
    array([-2. , -0.8,  0.8,  2. ])
    """

    low: float | Array = -1.0
    high: float | Array = 1.0

    @classmethod
    def of(cls, most: float) -> Self:
        """None is larger than `most` either way."""
        return cls(-most, most)

    def units(self, share: Array) -> Array:
        return np.asarray(self.high * (1.0 - 2.0 * (1.0 - share)))

    def share(self, value: Array) -> Array:
        part = value / self.high
        larger = (1.0 + np.abs(part)) / 2.0
        return np.where(part >= 0, larger, 1.0 - larger)

    def room(self, value: Array) -> Array:
        return self.share(-value)


@dataclass(frozen=True, eq=False)
class Overlaps(Scale):
    """That of F1, which is 2 J / (1 + J) for a share J of examples in both of two sets; a plain share elsewhere.

    Examples
    --------
    >>> print(Overlaps().units(np.array([0.0, 0.5, 1.0])).round(4))
    [0.     0.6667 1.    ]
    """

    overlap: bool | NDArray[np.bool_] = True  # whether each is one, where there are many in a row

    def units(self, share: Array) -> Array:
        return np.where(self.overlap, 2.0 * share / (1.0 + share), share)

    def slope(self, share: Array) -> Array:
        return np.where(self.overlap, 2.0 / (1.0 + share) ** 2, 1.0)


OVERLAPS = Overlaps()
