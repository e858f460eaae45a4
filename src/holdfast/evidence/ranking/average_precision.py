"""The average precision of a ranking."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from holdfast.evidence.evidence import ROUNDING, Evidence, Need
from holdfast.evidence.value import Array, Integers


@dataclass(frozen=True, eq=False, repr=False)
class RankedPrecision(Evidence):
    """The average precision of a ranking, read exactly or within limits.

    Both limits are sums over the examples of the class, in parts of one.
    """

    n: Integers
    n_positive: int
    least: int
    most: int
    parts: int  # of one
    squares: float  # of how much each example adds to it, summed up
    lean: int = 0

    @property
    def known(self) -> Array:
        return np.asarray(self.n_positive > 0)

    @property
    def _twice(self) -> int:
        return self.least + self.most + self.lean * (self.most - self.least)

    @property
    def _all(self) -> int:
        return 2 * self.n_positive * self.parts

    @property
    def mean(self) -> Array:
        return np.asarray(self._twice / self._all if self._all else 0.5)

    @property
    def complement(self) -> Array:
        return np.asarray((self._all - self._twice) / self._all if self._all else 0.5)

    @property
    def fewest(self) -> int:
        """Examples of the class, or others, whichever are fewer."""
        return min(self.n_positive, int(self.n) - self.n_positive)

    @property
    def standard_error(self) -> float:
        """NaN where a class has fewer than two examples, or no example changes anything."""
        if self.fewest < 2 or self.squares <= ROUNDING**2:
            return float("nan")
        return float(np.sqrt(self.fewest / (self.fewest - 1) * self.squares))

    @property
    def offers(self) -> frozenset[Need]:
        return super().offers | {Need.SMOOTH}

    def mirror(self) -> RankedPrecision:
        every = self.n_positive * self.parts
        return replace(self, least=every - self.most, most=every - self.least, lean=-self.lean)

    def at_most(self) -> RankedPrecision:
        return replace(self, lean=1)

    def __repr__(self) -> str:
        return f"RankedPrecision(n={self.n}, n_positive={self.n_positive}, mean={self.mean:.6g})"
