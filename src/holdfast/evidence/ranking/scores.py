"""How examples were ranked by a score, and which of them were truly of the class."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from holdfast.errors import InvalidEvidence
from holdfast.evidence.contingency import Contingency
from holdfast.evidence.evidence import Resampled
from holdfast.evidence.ranking.sorted_scores import Block, Cells, Order, Ranking, Rows
from holdfast.evidence.value import Array, Integers, numbers, shown, whole

DRAWN_AT_ONCE = 2**18  # examples of all resamples that are worked on together
FEW = 16  # examples per distinct score, from which on drawing counts is cheaper than drawing examples


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Scores(Resampled):
    """One score per example, higher for those thought to be of the class, and whether each truly is.

    As evidence it speaks about the area under the ROC curve: the chance that an example of the class has a higher
    score than one that is not of it, equal scores counting half. The scores are sorted once and may be any floats.

    Examples
    --------
    >>> Scores([0.9, 0.8, 0.8, 0.8, 0.1], [True, False, True, True, False])
    Scores(n=5, n_positive=3, auc=0.833333)
    >>> Scores.from_counts([0.0, 0.5], positives=[1, 9], negatives=[7, 3], width=0.5).at_most()
    Scores(n=20, n_positive=10, auc=0.97, width=0.5)
    """

    width: float  # of the bins to whose lower ends the scores were rounded; 0 for the scores themselves
    _ranking: Ranking
    _swapped: bool = False  # whether the class and the others have changed places
    _lean: int = 0  # 1 where unordered pairs count as won, -1 as lost, 0 as half

    def __init__(self, values: ArrayLike, positive: ArrayLike) -> None:
        scores, truth = numbers("Scores", values), np.asarray(positive)
        if scores.ndim != 1 or truth.shape != scores.shape:
            raise InvalidEvidence(
                f"Scores needs one score and one true/false an example; got shapes {scores.shape} and {truth.shape}."
            )
        if truth.dtype.kind != "b" and truth.size:
            raise InvalidEvidence(
                f"Scores needs to know by true/false which examples are of the class; got {shown(positive)}. "
                'Compare first: truth == "spam".'
            )
        self._set(width=0.0, _ranking=Rows.of(scores, truth.astype(np.bool_, copy=False)))

    @classmethod
    def from_counts(cls, values: ArrayLike, positives: ArrayLike, negatives: ArrayLike, *, width: float = 0.0) -> Self:
        """Scores from their distinct values, and how often examples of the class and others have each.

        With a `width` the values are lower ends of bins so wide, and how the scores in a bin are ordered is unknown:
        the area then lies within certain limits, the estimate is their middle, and limits for it start from them.
        """
        scores, bins = numbers("Scores", values), numbers("width", width)
        counts = whole("positives", positives), whole("negatives", negatives)
        if scores.ndim != 1 or any(each.shape != scores.shape for each in counts):
            raise InvalidEvidence("Scores.from_counts needs one count of positives and one of negatives a value.")
        if bins.ndim or bins < 0:
            raise InvalidEvidence(f"The width of a bin is one number from 0 on; got {shown(width)}.")
        return cls._checked(width=float(bins), _ranking=Cells.of(scores, *counts))

    @property
    def order(self) -> Order:
        """How the two classes stand among each other, with the class and the others as they were given."""
        return self._ranking.order

    @property
    def n(self) -> Integers:
        return np.asarray(self.n_positive + self.n_negative)

    @property
    def n_positive(self) -> int:
        return (self.order.negatives if self._swapped else self.order.positives).number

    @property
    def n_negative(self) -> int:
        return (self.order.positives if self._swapped else self.order.negatives).number

    @property
    def known(self) -> Array:
        return np.asarray(self.pairs > 0)

    @property
    def pairs(self) -> int:
        """Pairs of an example of the class and one that is not."""
        return self.n_positive * self.n_negative

    @property
    def twice_won(self) -> int:
        """Twice the number of pairs ranked rightly, those with equal scores counted once."""
        half = (self.order.negatives if self._swapped else self.order.positives).total
        return half + self._lean * self.order.tied

    @property
    def mean(self) -> Array:
        return np.asarray(self.twice_won / (2 * self.pairs) if self.pairs else 0.5)

    @property
    def complement(self) -> Array:
        return np.asarray((2 * self.pairs - self.twice_won) / (2 * self.pairs) if self.pairs else 0.5)

    def mirror(self) -> Self:
        return self._with(_swapped=not self._swapped, _lean=-self._lean)

    def at_most(self) -> Self:
        return self._with(_lean=1) if self.width else self

    def both_ends(self) -> Scores:
        return _BothEnds.of(self)

    @property
    def each(self) -> tuple[Scores, ...]:
        """The scores one by one, where several stand in one."""
        return (self,)

    @property
    def lean(self) -> int:
        """Whether pairs whose order is not known count as ranked rightly (1), wrongly (-1), or as half (0)."""
        return self._lean

    def blocks(self) -> Iterator[Block]:
        """Distinct scores, lowest first, with the counts of both classes."""
        if not self._swapped:
            return self._ranking.blocks()
        return (Block(values, others, own) for values, own, others in self._ranking.blocks())

    def cells(self) -> Block:
        """All distinct scores, lowest first, with the counts of both classes."""
        parts = list(zip(*self.blocks(), strict=True)) or [(np.zeros(0),), *[(np.zeros(0, np.int64),)] * 2]
        values, *counts = (np.concatenate(part) for part in parts)
        return Block(values, *(each.astype(np.int64) for each in counts))

    @property
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest score; both 0 where there is none."""
        return self._ranking.ends

    @property
    def probabilities(self) -> bool:
        """Whether all scores lie in [0, 1]."""
        lowest, highest = self.ends
        return lowest >= 0 and highest <= 1

    def at(self, threshold: float) -> Contingency:
        """The table of two labels that results when scores from the threshold on are predicted positive.

        Examples
        --------
        >>> Scores([0.9, 0.8, 0.8, 0.1], [True, False, True, False]).at(0.8).table
        array([[2, 1],
               [0, 1]])
        """
        right = wrong = 0
        for values, positives, negatives in self.blocks():
            if self.width and np.any((values < threshold) & (threshold < values + self.width)):
                raise InvalidEvidence(f"The threshold {threshold:g} lies inside a bin; take the lower end of one.")
            above = values >= threshold
            right, wrong = right + int(positives[above].sum()), wrong + int(negatives[above].sum())
        table = [[right, wrong], [self.n_positive - right, self.n_negative - wrong]]
        return Contingency(table, ["positive", "negative"], rows="predicted")

    def draws(self, generator: np.random.Generator, size: int) -> Array:
        m, n = self.n_positive, self.n_negative
        if not self.pairs:
            return np.full(size, np.nan)
        _, positives, negatives = self.cells()
        few = positives.size * FEW <= m + n
        at_once = max(DRAWN_AT_ONCE // (positives.size if few else m + n), 1)
        areas = [np.zeros(0)]
        for start in range(0, size, at_once):
            number = generator.binomial(m + n, m / (m + n), size=min(at_once, size - start))
            if few:
                won = _won_by_counts(generator, positives, negatives, number, m + n - number)
            else:
                won = _won_by_examples(generator, positives, negatives, number, m + n - number, self.order.tied > 0)
            pairs = 2.0 * number * (m + n - number)
            areas.append(np.divide(won, pairs, out=np.full(won.shape, np.nan), where=pairs > 0))
        return np.concatenate(areas)

    def left_out(self) -> tuple[Array, Array]:
        m, n, won = self.n_positive, self.n_negative, self.twice_won
        _, positives, negatives = self.cells()
        below, above = np.cumsum(negatives), m - np.cumsum(positives)
        without = [
            (won - (2 * below - negatives)) / (2.0 * (m - 1) * n) if (m - 1) * n else np.full(below.size, np.nan),
            (won - (2 * above + positives)) / (2.0 * m * (n - 1)) if m * (n - 1) else np.full(below.size, np.nan),
        ]
        times = np.concatenate((positives, negatives))
        return np.concatenate(without)[times > 0], times[times > 0]

    def __repr__(self) -> str:
        area = f"{self.mean:.6g}" if self.pairs else "unknown"
        bins = f", width={self.width:g}" if self.width else ""
        return f"Scores(n={self.n}, n_positive={self.n_positive}, auc={area}{bins})"


class _BothEnds(Scores):
    """Scores and their mirror, each with the largest mean it may have."""

    _both: tuple[Scores, Scores]

    @classmethod
    def of(cls, scores: Scores) -> Self:
        both = scores.at_most(), scores.mirror().at_most()
        return cls._checked(width=scores.width, _ranking=scores._ranking, _both=both)

    @property
    def each(self) -> tuple[Scores, ...]:
        return self._both

    @property
    def twice_won(self) -> Array:  # type: ignore[override]  # whole numbers of any size
        return np.array([each.twice_won for each in self._both], dtype=object)

    @property
    def mean(self) -> Array:
        return np.array([each.mean for each in self._both])

    @property
    def complement(self) -> Array:
        return np.array([each.complement for each in self._both])


def _won_by_counts(
    generator: np.random.Generator, positives: Integers, negatives: Integers, m: Integers, n: Integers
) -> Array:
    """Twice the pairs won in resamples of m and n examples, drawn as counts of each distinct score."""
    own = generator.multinomial(m, positives / positives.sum()).astype(np.float64)
    others = generator.multinomial(n, negatives / negatives.sum()).astype(np.float64)
    below = 2.0 * np.cumsum(others, axis=-1) - others
    return np.asarray(np.einsum("ij,ij->i", own, below))


def _won_by_examples(
    generator: np.random.Generator, positives: Integers, negatives: Integers, m: Integers, n: Integers, tied: bool
) -> Array:
    """Twice the pairs won in resamples of m and n examples, drawn one by one."""
    ends = np.cumsum(negatives)
    upto = np.repeat(ends, positives)  # negatives with a score no higher than each positive's
    size, sets = int(ends[-1]), np.arange(m.size)
    others = generator.integers(0, size, int(n.sum())) + np.repeat(sets * size, n)
    counts = np.zeros((m.size, size + 1), np.int64)
    counts[:, 1:] = np.bincount(others, minlength=m.size * size).reshape(m.size, size)
    below = np.cumsum(counts, axis=-1)
    placements = np.take(below, upto, axis=-1)
    placements += np.take(below, np.repeat(ends - negatives, positives), axis=-1) if tied else placements
    own = generator.integers(0, upto.size, int(m.sum())) + np.repeat(sets * upto.size, m)
    return np.bincount(np.repeat(sets, m), weights=placements.reshape(-1)[own], minlength=m.size)
