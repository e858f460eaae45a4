"""What was drawn, and what each draw adds: the evidence for every measure under every design.

A draw is whatever was sampled on its own: a row, or a cluster of them. What its rows add up to, for one measure, is a
part and a whole (`Ratio`), or how much the draw changes the estimate (`Influence`). Who summed what is forgotten here:
a method sees one of the two and fits by what was declared, never by the values.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from holdfast.assumptions import Assumption
from holdfast.errors import InvalidEvidence
from holdfast.evidence.counts import Counts, Overlap, Strata
from holdfast.evidence.evidence import Again, Estimated, Evidence, Need, Redrawn, brief
from holdfast.evidence.losses import Grades, Losses
from holdfast.evidence.pairs.paired import LossDifferences, Paired, share_of
from holdfast.evidence.value import SHARES, Array, Differences, Integers, Overlaps, Scale
from holdfast.numerics.limit import Spread, spread_of
from holdfast.numerics.wealth.ratios import Pairs
from holdfast.predictions.design import Design, Order

UNKNOWN = float("nan")
NOTHING = 2.0**-40  # of the heaviest draw: if no more of a draw is left, it is rounding
ORDERED = 9  # digits by which draws are put into an order: more would be those of rounding


@dataclass(frozen=True, eq=False)
class Draws:
    """What was drawn, each independently of the others. Draws just alike may be kept once, with their number."""

    times: Array  # how many draws are just like each
    stratum: Integers | None = None  # the one it was drawn from, counted from 0; None where there are none
    factor: Array | None = None  # by which its rows are weighed to undo how many draws were made of its stratum
    most: float | None = None  # the most that all rows of a draw can weigh, known beforehand
    most_of_row: float | None = None  # the most that one row can weigh, likewise
    rows: bool = False  # whether each is one row, which weighs as much as any other of its stratum
    ordered: bool = False  # whether they stand in the order in which they were drawn, as the user said
    assumes: tuple[Assumption, ...] = (Assumption.INDEPENDENT,)  # of how they were drawn
    caps: tuple[Assumption, ...] = ()  # of the most that one can weigh, where that is stated

    @property
    def number(self) -> int:
        return round(float(np.sum(self.times)))

    @property
    def averaged(self) -> bool:
        """Whether they are clusters that weigh the same: their average has a proof though no largest size is stated."""
        return Assumption.CLUSTERS in self.assumes and not self.weighed and self.stratum is None and self.most is None

    @property
    def weighed(self) -> bool:
        """Whether rows have weights of their own, beside those of strata."""
        return not {Assumption.KNOWN_WEIGHTS, Assumption.KNOWN_INCLUSION}.isdisjoint(self.assumes)

    @property
    def shares(self) -> Array:
        """How frequent each stratum is: what the factors undo."""
        assert self.stratum is not None
        assert self.factor is not None
        weight = np.bincount(self.stratum, self.times * self.factor)
        return np.asarray(weight / weight.sum())


@dataclass(frozen=True, eq=False, repr=False)
class Influence(Estimated):
    """An estimate, and what each draw adds to it: the derivative by the weight of the draw.

    Examples
    --------
    >>> Influence(0.25, np.array([-0.05, 0.03, 0.02]), np.ones(3), Draws(np.ones(3)))
    Influence(estimate=0.25, draws=3)
    """

    value: float  # the estimate in its own units; NaN where there is none
    values: Array  # what each draw adds, in the same units
    leverage: Array  # how much of what the estimate rests on is each draw's, in any unit
    draws: Draws
    scale: Scale = SHARES
    straight: bool = False  # whether it is told as it is, for its range is so wide that it never comes near an end
    terms: tuple[tuple[float, Ratio], ...] = ()  # factors and ratios, where it is a sum of them
    again: Again | None = None  # from other numbers of each draw to the estimate, where that is known
    smooth: bool = True  # or a largest value, which a draw changes in proportion only while it stays the largest
    fewest: float = float("inf")  # draws that any part of it rests on, as one class: one alone says nothing of others

    @property
    def n(self) -> Integers:
        """Draws that the estimate rests on; all of them where it is known how many were to be drawn of each stratum."""
        resting = self.leverage > 0 if self.draws.stratum is None else np.ones(self.leverage.shape, bool)
        return np.asarray(round(float(np.sum(self.draws.times[resting]))))

    @property
    def estimate(self) -> Array:
        return np.asarray(self.value)

    def mirror(self) -> Influence:
        """Minus the quantity, from its other end."""
        turned = tuple((-factor, ratio) for factor, ratio in self.terms)
        scale = type(self.scale)(-self.scale.high, -self.scale.low)
        again = None if self.again is None else partial(_sum_again, [(-1.0, self)])
        return replace(self, value=-self.value, values=-self.values, scale=scale, terms=turned, again=again)

    @property
    def assumes(self) -> tuple[Assumption, ...]:
        return self.draws.assumes

    @property
    def ranges(self) -> tuple[Assumption, ...]:
        return tuple(dict.fromkeys(each for _, ratio in self.terms for each in ratio.ranges))

    @property
    def offers(self) -> frozenset[Need]:
        capped = bool(self.terms) and all(ratio.has(Need.CAPPED) for _, ratio in self.terms)
        more = {Need.TERMS} if capped else set()
        return super().offers | more | ({Need.SMOOTH} if self.smooth else {Need.KINKED})

    @property
    def influence(self) -> Influence:
        return self

    @property
    def redrawable(self) -> bool:
        return self.again is not None

    @property
    def redrawn(self) -> Redrawn:
        """The same as something whose draws can be drawn again."""
        assert self.again is not None  # see redrawable
        return Redrawn(self.draws, self.again, self.value, self.scale, self._order)

    @property
    def _order(self) -> Integers:
        """Of the draws by what they add, whatever they or their labels are called, and whichever model comes first."""
        times, stratum = self.draws.times, self.draws.stratum
        way = np.sign(np.sum(times * self.values**3)) or 1.0
        keys = [way * self.values, self.leverage]
        if stratum is not None:  # of which each is known by its sums
            parts = self.values**2, self.leverage, np.ones(times.size)
            keys += [np.bincount(stratum, times * part)[stratum] for part in parts]
        ends = [float(np.max(np.abs(key), initial=0.0)) or 1.0 for key in keys]
        return np.lexsort([times, *(np.round(key / end, ORDERED) for key, end in zip(keys, ends, strict=True))])

    @cached_property
    def spread(self) -> Spread:
        """The variance of the estimate on the scale [0, 1], and its degrees of freedom."""
        found = _spread(self.values, self.leverage, self.draws, self.fewest)
        return Spread(found.variance / float(self.scale.width) ** 2, found.df)

    def __sub__(self, other: Ratio | Influence) -> Influence:
        """What the first has more. Limits of either by itself would not know that both saw the same draws."""
        return replace(combined((1.0, -1.0), (self, other)), terms=())

    def __repr__(self) -> str:
        return f"Influence(estimate={self.value:.6g}, draws={self.draws.number:,})"


def _spread(values: Array, leverage: Array, draws: Draws, fewest: float) -> Spread:
    """The variance, unknown where some part of the estimate rests on fewer than two draws."""
    if fewest < 2:
        return Spread(UNKNOWN, UNKNOWN)
    return spread_of(values, leverage, draws.times, draws.stratum)


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
        return _spread(self.added, self.below, self.draws, self.fewest)


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


def combined(factors: Sequence[float], several: Sequence[Ratio | Influence]) -> Influence:
    """A sum of quantities times factors: an average over classes, one model minus another, a group minus another."""
    each = [one.influence for one in several]
    pairs = [*zip(factors, each, strict=True)]
    terms = tuple((factor * own, ratio) for factor, one in pairs for own, ratio in one.terms)
    ends = [sorted((factor * float(one.scale.low), factor * float(one.scale.high))) for factor, one in pairs]
    low, high = sum(low for low, _ in ends), sum(high for _, high in ends)
    # Of an average over few draws and one over many, a draw carries as much of the whole as it does of either.
    # Where no draw changes one of them, as a perfect ranking, it rests on none.
    totals = [float(np.sum(one.draws.times * one.leverage)) for one in each]
    shares = (one.leverage / (total or 1.0) for one, total in zip(each, totals, strict=True))
    return Influence(
        sum(factor * one.value for factor, one in pairs),
        _total((factor * one.values for factor, one in pairs), each[0].values.size),
        _total((abs(factor) * share for factor, share in zip(factors, shares, strict=True)), each[0].values.size),
        each[0].draws,
        Differences.of(high) if low == -high else Scale(low, high),
        any(one.straight for one in each),
        terms if all(one.terms for one in each) else (),
        partial(_sum_again, pairs) if all(one.again for one in each) else None,
        all(one.smooth for one in each),
        min(one.fewest for one in each),
    )


def _total(several: Iterable[Array], size: int) -> Array:
    """Their sum, one after the other: an average over many classes has many of them."""
    total = np.zeros(size)
    for each in several:
        total += each
    return total


def _sum_again(pairs: Sequence[tuple[float, Influence]], times: Array) -> Array:
    return np.sum([factor * one.again(times) for factor, one in pairs if one.again is not None], axis=0)
