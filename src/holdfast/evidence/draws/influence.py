"""An estimate, and how much each draw changes it; sums of such estimates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING

import numpy as np

from holdfast.assumptions import Assumption
from holdfast.evidence.draws.draws import Draws
from holdfast.evidence.evidence import Again, Estimated, Need, Redrawn
from holdfast.evidence.value import SHARES, Array, Differences, Integers, Scale
from holdfast.numerics.limit import Spread, spread_of

if TYPE_CHECKING:  # a ratio is an influence, too, and knows of this file
    from holdfast.evidence.draws.ratio import Ratio

UNKNOWN = float("nan")
ORDERED = 9  # digits by which draws are put into an order: more would be those of rounding


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
        found = spread_over(self.values, self.leverage, self.draws, self.fewest)
        return Spread(found.variance / float(self.scale.width) ** 2, found.df)

    def __sub__(self, other: Ratio | Influence) -> Influence:
        """What the first has more. Limits of either by itself would not know that both saw the same draws."""
        return replace(combined((1.0, -1.0), (self, other)), terms=())

    def __repr__(self) -> str:
        return f"Influence(estimate={self.value:.6g}, draws={self.draws.number:,})"


def spread_over(values: Array, leverage: Array, draws: Draws, fewest: float) -> Spread:
    """The variance, unknown where some part of the estimate rests on fewer than two draws."""
    if fewest < 2:
        return Spread(UNKNOWN, UNKNOWN)
    return spread_of(values, leverage, draws.times, draws.stratum)


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
