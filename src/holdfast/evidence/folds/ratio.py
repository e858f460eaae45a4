"""What each draw of a fold, a row or a group of them, adds above and below the line."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from holdfast.assumptions import Assumption
from holdfast.errors import InvalidEvidence
from holdfast.evidence.draws import Draws, Ratio
from holdfast.evidence.evidence import Evidence, Need, brief
from holdfast.evidence.value import Array, Integers, numbers, shown, whole


@dataclass(frozen=True, eq=False, init=False, repr=False)
class FoldRatio(Evidence):
    """The errors and the rows of each group that a fold's model was tested on, and the most rows that a group can hold.

    The groups are the draws, each tested by a model that was trained without it. Each fold has the same weight: what is
    estimated is the average over the folds of their models' rates. The rate of each group over 1, with `most` 1, is
    told of the average group; errors over rows of the average row. Of a cross-validation that was repeated, a group
    stands once for each of the `repeats`. `stratified` is that of the other evidence of folds. Where the most is not
    known it is infinite, and no limit holds at every sample size.

    Examples
    --------
    >>> FoldRatio([0, 2, 1, 1], [1, 4, 2, 1], fold=[0, 0, 1, 1], most=5)
    FoldRatio(mean=0.533333, folds=2, draws=4)
    """

    above: Array
    below: Array
    fold: Integers
    most: float
    repeats: int
    stratified: bool
    sampled: tuple[Assumption, ...]  # what is taken for granted of how the draws were made
    caps: tuple[Assumption, ...]

    def __init__(
        self,
        above: ArrayLike,
        below: ArrayLike,
        fold: ArrayLike,
        most: float,
        *,
        repeats: int = 1,
        stratified: bool = False,
        assumes: tuple[Assumption, ...] = (Assumption.CLUSTERS,),
        caps: tuple[Assumption, ...] | None = None,
    ) -> None:
        part, rows, place = numbers("above", above), numbers("below", below), whole("fold", fold)
        if part.ndim != 1 or not part.size or not part.shape == rows.shape == place.shape:
            raise InvalidEvidence("FoldRatio needs one number above, one below and one fold for each draw.")
        if np.any((part < 0) | (part > rows)) or np.any(np.bincount(place) == 0):
            raise InvalidEvidence("FoldRatio needs 0 <= above <= below, and folds counted from 0 with a draw in each.")
        if not rows.max() <= most:
            raise InvalidEvidence(
                f"A group holds {rows.max():g} rows, more than the {shown(most)} that were stated as the most. The "
                "number must be known before looking; state one that no group can exceed, or none."
            )
        self._set(above=part, below=rows, fold=place, most=float(most), repeats=int(repeats), stratified=stratified)
        usual = (Assumption.CAPPED_CLUSTERS,) if self.most != 1.0 else ()
        self._set(sampled=assumes, caps=usual if caps is None else caps)

    @property
    def folds(self) -> int:
        """How many folds there are, those of all repeats together."""
        return int(self.fold.max()) + 1

    @property
    def n(self) -> Integers:
        """The draws, each counted once."""
        return np.asarray(self.above.size // self.repeats)

    @cached_property
    def _totals(self) -> Array:
        return np.bincount(self.fold, self.below)

    @property
    def known(self) -> Array:
        return np.asarray(np.all(self._totals > 0))

    @property
    def mean(self) -> Array:
        return self._average(self.above)

    @property
    def complement(self) -> Array:
        return self._average(self.below - self.above)

    def _average(self, part: Array) -> Array:
        parts = np.bincount(self.fold, part)
        return np.asarray(np.mean(np.divide(parts, self._totals, out=np.zeros(self.folds), where=self._totals > 0)))

    def mirror(self) -> Self:
        return self._with(above=self.below - self.above)

    @property
    def assumes(self) -> tuple[Assumption, ...]:
        return self.sampled

    @property
    def uneven(self) -> bool:
        """Whether some draw adds less below the line than another."""
        return bool(np.any(self.below != self.below[0]))

    @property
    def ranges(self) -> tuple[Assumption, ...]:
        return self.caps

    @property
    def offers(self) -> frozenset[Need]:
        return super().offers | (set() if self.stratified or self.most == np.inf else {Need.RANDOM_FOLDS})

    def by_draw(self, draw: Integers) -> Ratio:
        """The same draw by draw, where `draw` says of each entry which group it is, whichever model tested it.

        It is what a method takes that holds for stable learners as the sample grows, so that no cap goes with it: one
        that trusts draws to be independent would take the folds for that, too.
        """
        weight = 1.0 / self._totals[self.fold]
        above, below = (np.bincount(draw, weight * each) for each in (self.above, self.below))
        there = below > 0
        return Ratio(above[there], below[there], Draws(np.ones(int(there.sum())), assumes=self.assumes))

    def __repr__(self) -> str:
        return f"FoldRatio(mean={brief(self.estimate)}, folds={self.folds}, draws={brief(self.n)})"
