"""From the scale [0, 1] on which bounds work to the units of a quantity, and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from holdfast.errors import InvalidEvidence
from holdfast.evidence.value import Array, shown
from holdfast.numerics.limit import Upper


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

    def limit_of(self, straight: Upper) -> Upper:
        """A limit of the share, from one on the straight way between the ends of the range."""
        return straight

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

    def limit_of(self, straight: Upper) -> Upper:
        limit, room = straight
        return Upper(np.asarray(limit / (1.0 + room)), np.asarray(2.0 * room / (1.0 + room)))


OVERLAPS = Overlaps()
