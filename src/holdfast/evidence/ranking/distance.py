"""What is read off a ranking beside its area: how far the classes lie apart, average precision, and two rankings."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from holdfast.errors import InvalidEvidence
from holdfast.evidence.evidence import ROUNDING, Evidence, Need
from holdfast.evidence.pairs.paired import share_of
from holdfast.evidence.ranking.scores import Scores
from holdfast.evidence.ranking.sorted_scores import Placements
from holdfast.evidence.value import Array, Differences, Integers, Scale, numbers, shown

LARGEST_SUM = 2**62


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
class WithinLimits(Evidence):
    """A quantity that is read exactly or within limits, which are whole numbers, in parts of one."""

    least: int
    most: int
    lean: int = field(default=0, kw_only=True)  # towards which of them: 0 for the middle, 1 for the most

    @property
    @abstractmethod
    def whole(self) -> int:
        """The parts of one; 0 where nothing is known."""

    @property
    def known(self) -> Array:
        return np.asarray(self.whole > 0)

    @property
    def _twice(self) -> int:
        return self.least + self.most + self.lean * (self.most - self.least)

    @property
    def mean(self) -> Array:
        return np.asarray(self._twice / (2 * self.whole) if self.whole else 0.5)

    @property
    def complement(self) -> Array:
        return np.asarray((2 * self.whole - self._twice) / (2 * self.whole) if self.whole else 0.5)

    def mirror(self) -> Self:
        return replace(self, least=self.whole - self.most, most=self.whole - self.least, lean=-self.lean)

    def at_most(self) -> Self:
        return replace(self, lean=1)


@dataclass(frozen=True, eq=False, repr=False)
class Distance(WithinLimits):
    """The Kolmogorov-Smirnov distance of two classes of scores.

    Both limits are in parts of one, a part being a pair of one example of each class.
    """

    n_positive: int
    n_negative: int

    @property
    def n(self) -> Integers:
        return np.asarray(self.n_positive + self.n_negative)

    @property
    def whole(self) -> int:
        return self.n_positive * self.n_negative

    def __repr__(self) -> str:
        return f"Distance(n_positive={self.n_positive}, n_negative={self.n_negative}, mean={self.mean:.6g})"


@dataclass(frozen=True, eq=False, repr=False)
class RankedPrecision(WithinLimits):
    """The average precision of a ranking: its limits are sums over the examples of the class."""

    n: Integers
    n_positive: int
    parts: int  # of one, for each example of the class
    squares: float  # of how much each example adds to it, summed up

    @property
    def whole(self) -> int:
        return self.n_positive * self.parts

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

    def __repr__(self) -> str:
        return f"RankedPrecision(n={self.n}, n_positive={self.n_positive}, mean={self.mean:.6g})"


@dataclass(frozen=True, eq=False, init=False, repr=False)
class PairedScores(Evidence):
    """Two scores an example, and which examples are truly of the class.

    As evidence it speaks about the area under the first ROC curve minus that under the second, or about the
    difference of the Gini coefficients, which is twice that. Only whole numbers are added up, so that neither the
    order of the examples nor equal scores cost a digit.

    Examples
    --------
    >>> truth = [True, False, True, True, False]
    >>> PairedScores([0.9, 0.8, 0.8, 0.8, 0.1], [0.3, 0.2, 0.6, 0.1, 0.1], truth)
    PairedScores(n=5, n_positive=3, auc-difference=0.0833333)
    """

    positives: Placements  # of the examples of the class, those by the second score subtracted from those by the first
    negatives: Placements
    most: float  # the largest difference that there can be

    def __init__(self, first: ArrayLike, second: ArrayLike, positive: ArrayLike, most: float = 1.0) -> None:
        scores, truth = [numbers("Scores", each) for each in (first, second)], np.asarray(positive)
        if truth.ndim != 1 or any(each.shape != truth.shape for each in scores):
            raise InvalidEvidence(
                "PairedScores needs two scores and one true/false an example; got shapes "
                f"{scores[0].shape}, {scores[1].shape} and {truth.shape}."
            )
        if truth.dtype.kind != "b" and truth.size:
            raise InvalidEvidence(
                f"PairedScores needs to know by true/false which examples are of the class; got {shown(positive)}. "
                'Compare first: truth == "spam".'
            )
        truly = truth.astype(np.bool_, copy=False)
        (own, others), (own_too, others_too) = (_placed(each, truly) for each in scores)
        self._set(positives=_summed(own - own_too), negatives=_summed(others - others_too), most=most)

    @property
    def gini(self) -> PairedScores:
        """The same scores, speaking about the difference of the Gini coefficients."""
        return self._with(most=2.0)

    @property
    def n(self) -> Integers:
        return np.asarray(self.n_positive + self.n_negative)

    @property
    def n_positive(self) -> int:
        return self.positives.number

    @property
    def n_negative(self) -> int:
        return self.negatives.number

    @property
    def pairs(self) -> int:
        """Pairs of an example of the class and one that is not."""
        return self.n_positive * self.n_negative

    @property
    def known(self) -> Array:
        return np.asarray(self.pairs > 0)

    @property
    def _gap(self) -> Array:
        return np.asarray(self.positives.total / (2 * self.pairs) if self.pairs else 0.0)

    @property
    def mean(self) -> Array:
        return share_of(self._gap)

    @property
    def complement(self) -> Array:
        return share_of(-self._gap)

    @property
    def estimate(self) -> Array:
        return np.asarray(self.most * self._gap)

    @cached_property
    def variance(self) -> float:
        """DeLong's, of the difference of the areas; NaN where a class has fewer than two examples."""
        if not self.pairs:
            return float("nan")
        own, others = self.positives, self.negatives
        placed = own.variance / (4 * own.number * others.number**2)
        return placed + others.variance / (4 * others.number * own.number**2)

    def mirror(self) -> PairedScores:
        own, others = (replace(each, total=-each.total) for each in (self.positives, self.negatives))
        return self._with(positives=own, negatives=others)

    @property
    def scale(self) -> Differences:
        return Differences.of(self.most)

    def __repr__(self) -> str:
        what = "auc" if self.most == 1.0 else "gini"
        told = f"{self.most * float(self._gap):.6g}" if self.pairs else "unknown"
        return f"PairedScores(n={self.n}, n_positive={self.n_positive}, {what}-difference={told})"


def _placed(scores: Array, positive: Array) -> tuple[Integers, Integers]:
    """For each example of the class, and for each of the others, twice how many of the other class are below it.

    Those with the same score count once.
    """
    _, which = np.unique(scores, return_inverse=True)
    grades = int(which.max(initial=-1)) + 1
    own, others = which[positive], which[~positive]
    counts = (np.bincount(each, minlength=grades) for each in (others, own))
    below_own, below_others = (2 * np.cumsum(each) - each for each in counts)
    return below_own[own], below_others[others]


def _summed(placements: Integers) -> Placements:
    """The number, the sum and the sum of squares, in whole numbers that cannot overflow."""
    largest = int(np.abs(placements).max(initial=0))
    at_once = max(LARGEST_SUM // max(largest, 1) ** 2, 1)
    starts = range(0, placements.size, at_once)
    squares = sum(int(np.dot(part, part)) for part in (placements[i : i + at_once] for i in starts))
    return Placements(placements.size, int(placements.sum()), squares)
