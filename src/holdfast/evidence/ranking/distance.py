"""What is read off a ranking beside its area: how far the classes lie apart, and the average precision."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from holdfast.evidence.evidence import ROUNDING, Evidence, Need
from holdfast.evidence.ranking.scores import Scores
from holdfast.evidence.value import Array, Integers, Scale


class Gini(Scores):
    """The scores, speaking about the Gini coefficient: twice the area under the ROC curve, minus one.

    Whatever bounds the area bounds it too.

    Examples
    --------
    >>> Gini([0.9, 0.8, 0.8, 0.8, 0.1], [True, False, True, True, False])
    Gini(n=5, n_positive=3, gini=0.666667)
    """

    scale = Scale(-1.0, 1.0)

    @classmethod
    def of(cls, scores: Scores) -> Self:
        """The same scores, sorted only once."""
        fields = ("width", "_ranking", "_swapped", "_lean")
        return cls._checked(**{name: getattr(scores, name) for name in fields})

    def __repr__(self) -> str:
        shown = f"{self.units(self.mean):.6g}" if self.pairs else "unknown"
        return f"Gini(n={self.n}, n_positive={self.n_positive}, gini={shown})"


@dataclass(frozen=True, eq=False, repr=False)
class Distance(Evidence):
    """The Kolmogorov-Smirnov distance of two classes of scores, read exactly or within limits.

    Both limits are in parts of one, a part being a pair of one example of each class.
    """

    n_positive: int
    n_negative: int
    least: int
    most: int
    lean: int = 0

    @property
    def n(self) -> Integers:
        return np.asarray(self.n_positive + self.n_negative)

    @property
    def parts(self) -> int:
        return self.n_positive * self.n_negative

    @property
    def known(self) -> Array:
        return np.asarray(self.parts > 0)

    @property
    def _twice(self) -> int:
        return self.least + self.most + self.lean * (self.most - self.least)

    @property
    def mean(self) -> Array:
        return np.asarray(self._twice / (2 * self.parts) if self.parts else 0.5)

    @property
    def complement(self) -> Array:
        return np.asarray((2 * self.parts - self._twice) / (2 * self.parts) if self.parts else 0.5)

    def mirror(self) -> Distance:
        return replace(self, least=self.parts - self.most, most=self.parts - self.least, lean=-self.lean)

    def at_most(self) -> Distance:
        return replace(self, lean=1)

    def __repr__(self) -> str:
        return f"Distance(n_positive={self.n_positive}, n_negative={self.n_negative}, mean={self.mean:.6g})"


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
