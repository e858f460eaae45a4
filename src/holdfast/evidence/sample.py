"""What every bound may ask of a sample."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Self

import numpy as np
from numpy.typing import NDArray

from holdfast.evidence.given import Array, Integers


class Sample(ABC):
    """Observations in [0, 1], known by their number, their mean and perhaps their variance.

    Both the mean and its complement are kept, each with full relative precision, so that a lower limit
    is the mirror of an upper one without subtracting nearly equal numbers.
    """

    n: Integers
    squared_range: float = 1.0  # the mean squared width of the examples' own ranges, the common range being 1

    @property
    @abstractmethod
    def mean(self) -> Array: ...

    @property
    @abstractmethod
    def complement(self) -> Array:
        """One minus the mean."""

    @property
    @abstractmethod
    def total(self) -> Array:
        """The sum, correctly rounded."""

    @property
    @abstractmethod
    def s2(self) -> Array:
        """The variance with divisor n."""

    @property
    @abstractmethod
    def square_of_mean(self) -> Array:
        """The mean of x_i x_j over pairs i != j: unbiased for the squared mean. Needs n >= 2."""

    @abstractmethod
    def mirror(self) -> Self:
        """The same sample seen from the other end: x becomes 1 - x."""

    def has(self, need: str) -> bool:
        """Whether the sample has "s2", "values" or "one range" (and not one for each example)."""
        return need != "values"


def brief(array: NDArray[np.generic]) -> str:
    """A number, or a few numbers of an array, to show."""
    return f"{array.item():.6g}" if array.ndim == 0 else np.array2string(array, precision=6, threshold=6, edgeitems=2)
