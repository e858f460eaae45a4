"""How far the scores of two classes lie apart."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np

from holdfast.evidence.evidence import Evidence
from holdfast.evidence.ranking.scores import Scores
from holdfast.evidence.scale import Scale
from holdfast.evidence.value import Array, Integers


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
