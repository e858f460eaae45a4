"""What each draw adds above and below the line: a part and a whole."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from holdfast.assumptions import Assumption
from holdfast.errors import InvalidEvidence
from holdfast.evidence.counts import Counts, Overlap, Strata
from holdfast.evidence.draws.draws import NOTHING, Draws
from holdfast.evidence.draws.influence import UNKNOWN, Influence, spread_over
from holdfast.evidence.evidence import Evidence, Need, Redrawn, brief
from holdfast.evidence.losses import Grades, Losses
from holdfast.evidence.pairs.paired import LossDifferences, Paired, share_of
from holdfast.evidence.value import SHARES, Array, Differences, Integers, Overlaps, Scale
from holdfast.numerics.limit import Spread
from holdfast.numerics.wealth.ratios import Pairs
from holdfast.predictions.design import Design, Order


@dataclass(frozen=True, eq=False)
class _BothEnds:
    """What is asked of the draws of a ratio from either end, and found once."""

    above: Array
    below: Array
    draws: Draws
    mean: Array
    complement: Array
    whole: float  # what all draws add below the line

    @cached_property
    def left(self) -> Pairs:
        """What draws leave above the line and add below it."""
        empty = self.draws.stratum is not None
        return Pairs.told_apart(self.below - self.above, self.below, self.draws.times, empty=empty)

    @property
    def added(self) -> Array:
        """What each draw adds to the mean."""
        gained = self.complement * self.above - self.mean * (self.below - self.above)
        return np.asarray(gained / (self.whole or UNKNOWN))

    @cached_property
    def fewest(self) -> float:
        """Draws that add anything below the line."""
        return float(np.sum(self.draws.times[self.below > 0]))

    @cached_property
    def spread(self) -> Spread:
        """The variance of the mean, and its degrees of freedom."""
        return spread_over(self.added, self.below, self.draws, self.fewest)


@dataclass(frozen=True, eq=False, repr=False)
class Ratio(Evidence):
    """What each draw adds above and below the line: above never more than below, below never more than it may weigh.

    Examples
    --------
    >>> Ratio(np.array([0.0, 2.0, 1.0]), np.array([1.0, 4.0, 1.0]), Draws(np.ones(3), most=5))
    Ratio(mean=0.5, draws=3)
    """

    above: Array
    below: Array
    draws: Draws
    over: Hashable = None  # whose trials: ratios over the same ones are compared trial by trial
    scale: Scale = SHARES
    levels: tuple[float, ...] = ()  # all that a row can add above the line, if it adds anything below; () if anything
    graded: bool = False  # whether that is a value of a stated range, and no event
    straight: bool = False  # whether it is told as it is, for its range is so wide that it never comes near an end

    @classmethod
    def of_counts(cls, parts: Counts, most: int | None = None, *, order: Order | None = None) -> Ratio:
        """Events and trials of each cluster, and perhaps the most trials that any cluster can have.

        With `order="drawn"` you say that the clusters stand in the order in which they were drawn.

        Examples
        --------
        >>> Ratio.of_counts(Counts([0, 2, 1], [1, 4, 1]), most=5)
        Ratio(mean=0.5, draws=3)
        """
        if parts.n.ndim != 1:
            raise InvalidEvidence("Clusters need one count for each: Counts([k1, k2, ...], [n1, n2, ...]).")
        design = Design(max_cluster=most, order=order)
        design.check_cap(int(parts.n.max(initial=0)))
        return cls(
            parts.k.astype(np.float64),
            parts.n.astype(np.float64),
            Draws(
                np.ones(parts.n.size),
                most=design.most(("cluster",)),
                ordered=order is not None,
                assumes=design.assumes(("cluster",)),
                caps=design.caps(("cluster",)),
            ),
            scale=parts.scale,
            levels=(0.0, 1.0),
        )

    @property
    def uneven(self) -> bool:
        """Whether draws that add anything below the line do not all add as much."""
        there = self.below[self.below > 0]
        return bool(np.any(there != there[:1]))

    @property
    def of_average_draw(self) -> Losses:
        """The ratio of each draw by itself, of which each weighs the same: in rising order unless drawn in one."""
        there = self.below > 0
        above, below, difference = self.above[there], self.below[there], isinstance(self.scale, Differences)
        shares = (above - (below - above) if difference else above) / below
        values = np.repeat(shares, np.rint(self.draws.times[there]).astype(np.int64))
        kept = np.minimum(values if self.draws.ordered else np.sort(values), 1.0)
        low, high = float(self.scale.low), float(self.scale.high)
        if difference:
            return LossDifferences(high * kept, high)._with(assumes=self.draws.assumes, drawn=self.draws.ordered)
        losses = Losses(low + (high - low) * kept, low, high, order="drawn" if self.draws.ordered else None)
        return losses._with(assumes=self.draws.assumes)

    @cached_property
    def totals(self) -> tuple[float, float, float]:
        """What all draws add above the line, what they leave above it, and what they add below."""
        times = self.draws.times
        return tuple(float(np.sum(times * each)) for each in (self.above, self.below - self.above, self.below))  # type: ignore[return-value]  # three of them

    @cached_property
    def n(self) -> Integers:
        """Draws that add anything below the line; all of them where strata say how many were to be drawn."""
        resting = self.below > 0 if self.draws.stratum is None else np.ones(self.below.shape, bool)
        return np.asarray(round(float(np.sum(self.draws.times[resting]))))

    @property
    def known(self) -> Array:
        return np.asarray(self.totals[2] > 0)

    @property
    def mean(self) -> Array:
        return self._part(*self.totals)

    @property
    def complement(self) -> Array:
        above, left, whole = self.totals
        return self._part(left, above, whole)

    def _part(self, one: float, other: float, whole: float) -> Array:
        """One of two parts of the whole; that of a difference and that of its opposite add up to one exactly."""
        if not whole > 0:
            return np.asarray(0.0)
        if isinstance(self.scale, Differences):
            return share_of(np.asarray((one - other) / whole))
        return np.asarray(one / whole)

    def mirror(self) -> Ratio:
        made, (ends, mirrored) = replace(self, above=self.below - self.above), self._ends
        made._set(_ends=(ends, not mirrored))
        return made

    @cached_property
    def _ends(self) -> tuple[_BothEnds, bool]:
        """What both ends ask for, and whether this is the other one: what was mirrored asks what it was made of."""
        return _BothEnds(self.above, self.below, self.draws, self.mean, self.complement, self.totals[2]), False

    @cached_property
    def spared(self) -> Pairs:
        """What each draw leaves above the line and adds below it, in parts of the most that it can weigh."""
        ends, mirrored = self._ends
        return (ends.left.mirror() if mirrored else ends.left).in_parts_of(self.draws.most or 1.0)

    @property
    def spread(self) -> Spread:
        """The variance of the mean, and its degrees of freedom."""
        return self._ends[0].spread

    @property
    def assumes(self) -> tuple[Assumption, ...]:
        return self.draws.assumes

    @property
    def ranges(self) -> tuple[Assumption, ...]:
        return ((Assumption.KNOWN_RANGE,) if self.graded else ()) + self.draws.caps

    @property
    def drawn(self) -> bool:
        return self.draws.ordered

    @property
    def offers(self) -> frozenset[Need]:
        known = super().offers | {Need.SMOOTH}
        if self.draws.most is None:
            return known
        return known | ({Need.CAPPED} if self.draws.stratum is not None else {Need.CAPPED, Need.DRAWS})

    @property
    def condensed(self) -> Counts | Grades | Paired | Losses | Strata | Ratio:
        """What is enough to know where every draw is one row: of those that can add few things how many add each."""
        times, difference = self.draws.times * (self.below > 0), isinstance(self.scale, Differences)
        if self.draws.rows and self.draws.stratum is None and difference:
            won, lost = (round(float(np.sum(times[self.above == end]))) for end in (0.0, 1.0))
            return Paired(won, lost, round(float(np.sum(times)))) if self.levels else self.of_average_draw
        if not self.draws.rows or self.levels not in ((0.0, 1.0), (0.0, self._middle, 1.0)):
            return self
        if self.draws.stratum is not None:
            return self._by_stratum
        counts = [round(float(np.sum(times[self.above == level]))) for level in self.levels]
        if len(counts) == 3:
            return Grades._checked(counts=np.array(counts), middle=self._middle, scale=self.scale)
        kind = Overlap if isinstance(self.scale, Overlaps) else Counts
        made = kind(counts[1], sum(counts))
        return made._with(scale=self.scale) if type(self.scale) is Scale and self.scale is not SHARES else made

    @property
    def _by_stratum(self) -> Strata | Ratio:
        """Events and rows of each stratum, where all rows are trials and what a row adds is an event."""
        draws = self.draws
        if len(self.levels) != 2 or draws.factor is None or not np.allclose(self.below, draws.factor, 1e-12, 0.0):
            return self
        k, n = (np.bincount(draws.stratum, draws.times * (each > 0)) for each in (self.above, self.below))  # type: ignore[arg-type]  # see above
        counts = Counts(np.rint(k).astype(np.int64), np.rint(n).astype(np.int64))
        return Strata(counts, draws.shares)

    @property
    def of_one_stratum(self) -> Ratio:
        """The same within the one stratum that holds all trials, as that of a class holds those of its recall."""
        if self.draws.stratum is None:
            return self
        strata = np.unique(self.draws.stratum[self.below > 0])
        return self.within(int(strata[0])) if strata.size == 1 else self

    def within(self, stratum: int) -> Ratio:
        """The same where no other stratum holds a trial: its draws are then all alike."""
        draws = self.draws
        assert draws.stratum is not None
        here = draws.stratum == stratum
        above, below = self.above[here], self.below[here]
        factor = np.ones(below.shape) if draws.factor is None else draws.factor[here]
        if draws.rows:  # each weighs one then, and no rounding may hide it
            factor = np.where(below > 0, below, 1.0)
        alone = replace(draws, times=draws.times[here], stratum=None, factor=None)
        return replace(self, above=above / factor, below=below / factor, draws=alone)

    @property
    def _middle(self) -> float:
        return self.levels[1] if len(self.levels) == 3 else 0.5

    @property
    def influence(self) -> Influence:
        """The same as an estimate and what each draw adds to it."""
        ends, mirrored = self._ends
        values = self.scale.slope(self.mean) * (-ends.added if mirrored else ends.added)
        linear = self.scale if isinstance(self.scale, Differences) else Scale(self.scale.low, self.scale.high)
        value, terms = float(self.estimate) if self.known else UNKNOWN, ((1.0, self),)
        made = self.draws, linear, self.straight, terms, self._again
        return Influence(value, values, self.below, *made, fewest=ends.fewest)

    def _again(self, times: Array) -> Array:
        below = times @ self.below
        return self.units(np.divide(times @ self.above, below, out=np.full(below.shape, np.nan), where=below > 0))

    redrawable = True

    @property
    def redrawn(self) -> Redrawn:
        """The same as something whose draws can be drawn again."""
        return self.influence.redrawn

    def __sub__(self, other: Ratio | Influence) -> Ratio | Influence:
        """What the first has more, trial by trial where both are over the same trials."""
        same = isinstance(other, Ratio) and self.over == other.over and self.scale.alike(other.scale)
        if not same or self.over is None or type(self.scale) is not Scale:
            return self.influence - other
        assert isinstance(other, Ratio)  # or they would not be over the same trials
        scale, both = Differences.of(float(self.scale.width)), (self.levels, other.levels)
        levels = (0.0, 0.5, 1.0) if both == ((0.0, 1.0), (0.0, 1.0)) else ()
        gap = self.above - other.above
        # The larger of two parts that make up the whole: subtracting it is exact, so that swapping swaps the two.
        larger = (self.below + np.abs(gap)) / 2.0
        return replace(self, above=np.where(gap >= 0, larger, self.below - larger), scale=scale, levels=levels)

    def without(self, part: Ratio) -> Ratio:
        """The same of all rows but those of a part, draw by draw."""
        below = self.below - part.below
        below[below <= NOTHING * float(np.max(self.below, initial=0.0))] = 0.0
        return replace(self, above=np.clip(self.above - part.above, 0.0, below), below=below, over=None)

    def __repr__(self) -> str:
        return f"Ratio(mean={brief(self.mean)}, draws={self.draws.number:,})"
