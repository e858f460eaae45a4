r"""A lower limit for a ratio of means, from draws of a part and a whole: the least ratio that they do not refute.

A draw is a pair of a part a and a whole b, 0 <= a <= b <= 1: a loss and 1, the events and the examples of a cluster in
parts of the most that one can hold, or both times a weight. Refuted is that the mean of a is at most theta times that
of b. An upper limit is one minus the lower limit of the pairs (b - a, b).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from holdfast.numerics.arrays import Array, Integers
from holdfast.numerics.roots import crossing
from holdfast.numerics.wealth.square_lines import Lines, curved, lines, regime_of, right_end

VARIANCES = 0.25 / 2.0 ** np.arange(12)  # what fixed bets are sized for, from the largest variance there is downwards
CAP = 0.98  # the largest share of its stake that a bet may lose on one draw
TUNED_FOR = 0.05  # the delta for which what stands behind a p-value is sized

SMALLEST = 1e-12  # a limit below it is 0
POINTS = 512  # between which the end of what five sums refute is looked for
STRIDE = 16  # factors multiplied before a logarithm is taken: so few can neither over- nor underflow
MOST_PAIRS = 4096  # that differ; more of them are laid on a grid
BLOCK = 2**13  # pairs that are laid on a grid at once: what stays in the cache
BITS = 16  # of the slots that pairs are told apart by before they are sorted: so many stay in the cache
MIXED = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xBF58476D1CE4E5B9)  # odd, so that no two numbers become one
OF_PARTS, OF_PAIRS = (np.square(np.linspace(0.0, 1.0, steps + 1)) for steps in (2048, 64))  # its points, denser near 0


@dataclass(frozen=True, eq=False)
class Pairs:
    """Different pairs of a part and a whole, how often each occurs, and how many draws there are in all.

    Examples
    --------
    >>> losses = Pairs.of(np.repeat([0.0, 0.5, 1.0], [700, 200, 100]), np.ones(1000))
    >>> print(round(losses.estimate, 4), round(losses.lower_limit(0.025), 4))
    0.2 0.1734
    """

    part: Array
    whole: Array
    times: Array
    n: int
    apart: bool = False  # whether each pair is there once, and they stand in rising order

    @classmethod
    def of(cls, part: Array, whole: Array, times: Array | None = None) -> Pairs:
        """The draws that have a whole at all, those just alike in one."""
        often = np.ones(whole.shape) if times is None else times
        return cls.told_apart(part, whole, often).in_parts_of(1.0)

    @classmethod
    def told_apart(cls, part: Array, whole: Array, times: Array, *, empty: bool = False) -> Pairs:
        """The same in any unit: each pair once, unless that are too many.

        Draws without a whole say nothing, and count only where told (`empty`).
        """
        there = whole > 0
        each = (part, whole, times) if there.all() else (part[there], whole[there], times[there])
        made = cls(*each, n=round(float(np.sum(times if empty else each[2]))))
        if made.part.size <= MOST_PAIRS:
            return made._sorted()
        slots = _slots(made.part, made.whole)
        filled = np.zeros(1 << BITS, np.bool_)
        filled[slots] = True
        if np.count_nonzero(filled) > MOST_PAIRS:
            return made  # pairs of different slots differ
        return made._merged(slots)._sorted()

    def mirror(self) -> Pairs:
        """The other part of each whole in place of the one."""
        made = replace(self, part=self.whole - self.part)
        return made._sorted() if self.apart else made

    def in_parts_of(self, most: float) -> Pairs:
        """In parts of the most that a whole can be, and on a grid, if there are too many."""
        made = self if most == 1.0 else replace(self, part=self.part / most, whole=self.whole / most)
        return made if made.part.size <= MOST_PAIRS else made._laid_out()

    def _merged(self, slots: Integers) -> Pairs:
        """Those just like the last of their slot in one with it: few are left to be sorted."""
        own = np.arange(slots.size, dtype=np.int32)
        last = np.empty(1 << BITS, np.int32)  # of which only what is written is read
        last[slots] = own
        whose = last.take(slots)
        unlike = (self.part.take(whose) != self.part) | (self.whole.take(whose) != self.whole)
        if unlike.any():
            often = np.bincount(np.where(unlike, own, whose), self.times)
            kept = np.flatnonzero(often)
            return Pairs(self.part[kept], self.whole[kept], often[kept], self.n)
        often = np.bincount(slots, self.times, 1 << BITS)
        kept = np.flatnonzero(often)
        return Pairs(self.part[last[kept]], self.whole[last[kept]], often[kept], self.n)

    def _sorted(self) -> Pairs:
        """Each pair once, with the number of its draws."""
        pairs, place = np.unique(self.part + 1j * self.whole, return_inverse=True)
        return Pairs(pairs.real, pairs.imag, np.bincount(place.reshape(-1), self.times), self.n, apart=True)

    def _laid_out(self) -> Pairs:
        """On a grid: each pair is shared among the points around it so that its mean stays.

        The curves of `squares` and the logarithms of bets are concave in the pair. Of a concave function the mean over
        the points is no more than its value at the pair (Jensen's inequality), so that no sum of them is raised, and
        neither is the evidence against any ratio, which rises with the sums: a limit moves outward, never inward. What
        is lost is of the second order in the grid's step, and a larger part still never lowers the evidence.
        """
        if np.ptp(self.whole) == 0.0:  # as for losses: then one side of the grid is a single point
            return self._on_grid(OF_PARTS * self.whole[0], self.whole[:1])
        return self._on_grid(OF_PAIRS, OF_PAIRS)

    def _on_grid(self, parts: Array, wholes: Array) -> Pairs:
        times = np.zeros(parts.size * wholes.size)
        for start in range(0, self.part.size, BLOCK):
            here = slice(start, start + BLOCK)
            around_wholes = _around(self.whole[here], wholes)
            for at, share in _around(self.part[here], parts):
                share *= self.times[here]
                at *= wholes.size
                for beside, share_too in around_wholes:
                    times += np.bincount(at + beside, share * share_too, times.size)
        kept = np.flatnonzero(times)
        at, beside = np.divmod(kept, wholes.size)
        return Pairs(parts[at], wholes[beside], times[kept], self.n)

    @cached_property
    def estimate(self) -> float:
        return float(np.sum(self.part * self.times) / np.sum(self.whole * self.times))

    # ---- Squared sums, and a few bets

    def log_evidence(self, theta: float, delta: float = TUNED_FOR) -> float:
        """How much the draws speak against a ratio of theta or less: its exponential has a mean of at most 1 then."""
        return _Test(self, delta, regime_of(theta)).log_evidence(theta) if self.n else 0.0

    def lower_limit(self, delta: float) -> float:
        """The least ratio against which squared sums and bets together do not reach 1/delta."""
        delta = min(delta, 0.5)  # beyond it the design is not made; a smaller delta holds a fortiori
        if self.n == 0:
            return 0.0
        target, estimate = -np.log(delta), min(self.estimate, 1.0 - SMALLEST)
        if estimate < SMALLEST:
            return 0.0
        for regime in range(self._left_by_bets(delta, regime_of(estimate)), regime_of(estimate) - 1, -1):
            test = _Test(self, delta, regime)
            left, right = right_end(regime + 1), right_end(regime)
            at_right = test.log_evidence(right) - target
            if at_right >= 0.0:
                continue  # E falls in theta here: nothing of this range is left
            at_left = test.log_evidence(left) - target
            return _last_reached(lambda theta: test.log_evidence(theta) - target, left, right, (at_left, at_right))  # noqa: B023  (called before the next turn)
        return estimate

    def _left_by_bets(self, delta: float, largest: int) -> int:
        """The range of the smallest ratios of which the bets alone, which fall in theta, do not reject everything."""
        test, target = _Test(self, delta), -np.log(delta)
        left, rejected, step = largest, regime_of(SMALLEST) + 1, 1  # of the largest ratios, and of too small ones
        while rejected - left > 1:
            regime = min(left + step, (left + rejected) // 2)  # mostly the limit is near the estimate
            if test.log_of_bets(right_end(regime)) < target:
                left, step = regime, 2 * step
            else:
                rejected = regime
        return left

    # ---- Bets alone

    def lower_limit_by_bets(self, delta: float) -> float:
        """The largest ratio against which a dozen fixed bets reach 1/delta: draws need not be alike for it to hold."""
        if self.n == 0 or self.estimate < SMALLEST:
            return 0.0
        test, target = _Test(self, delta), -np.log(delta)
        return _last_reached(lambda theta: test.log_of_dozen(theta) - target, SMALLEST, self.estimate)

    def evidence_of_bets(self, theta: float, delta: float = TUNED_FOR) -> float:
        """What the same bets have won against a ratio of at most this; they are sized for delta."""
        return float(np.exp(min(_Test(self, delta).log_of_dozen(theta), 690.0))) if self.n else 1.0

    def lower_limit_by_sums(self, delta: float) -> float:
        """The largest ratio against which bets that are known by five sums reach 1/delta."""
        if self.n == 0 or self.estimate < SMALLEST:
            return 0.0
        a, b = self.part, self.whole
        one, two, aa, ab, bb = (float(np.sum(each * self.times)) for each in (a, b, a * a, a * b, b * b))
        stakes = 0.9 * 0.5 ** np.arange(2 + int(np.log2(self.n + 1)))
        target = -np.log(delta)

        def excess(m: Array) -> Array:
            logs = (one / m - two)[:, np.newaxis] * stakes
            logs += (aa / m**2 - 2.0 * ab / m + bb)[:, np.newaxis] * (np.log1p(-stakes) + stakes)
            return np.asarray(np.logaddexp.reduce(logs, axis=1) - np.log(stakes.size) - target)

        # It need not fall; but what it bounds from below does, so that reaching the target anywhere refutes all below.
        grid = self.estimate * np.linspace(0.0, 1.0, POINTS + 1)[1:]
        reached = np.flatnonzero(excess(grid) >= 0.0)
        return crossing(excess, *grid[[reached[-1], reached[-1] + 1], np.newaxis]).item() if reached.size else 0.0


def _slots(part: Array, whole: Array) -> Integers:
    """One of many slots for each pair, by the bits of both."""
    words = (part.view(np.uint64) * MIXED[0]) ^ (whole.view(np.uint64) * MIXED[1])
    words ^= words >> np.uint64(29)
    return (words * MIXED[1] >> np.uint64(64 - BITS)).astype(np.int64)


def _around(values: Array, points: Array) -> list[tuple[Integers, Array]]:
    """The points next to each value, below and above, and the share of each that leaves its mean as it is."""
    if points.size == 1:
        return [(np.zeros(values.size, np.int64), np.ones(values.size))]
    last = points.size - 2
    at = np.minimum((np.sqrt(values / points[-1]) * (points.size - 1)).astype(np.int64), last)
    at -= points[at] > values  # rounding may have moved a value over its point
    at += (points[at + 1] <= values) & (at < last)
    above = (values - points[at]) / (points[at + 1] - points[at])
    return [(at, 1.0 - above), (at + 1, above)]


def _last_reached(
    function: Callable[[float], float], inside: float, outside: float, known: tuple[float, float] | None = None
) -> float:
    """Where a falling function of one number reaches 0; `inside` where it never does, and 0 for what is next to it."""
    ends = np.array([inside]), np.array([outside])
    values = None if known is None else (np.array([known[0]]), np.array([known[1]]))
    limit = crossing(lambda x: np.array([function(x.item())]), *ends, values).item()
    return limit if limit > SMALLEST else 0.0


class _Test:
    """The evidence against each ratio of one range, by lines for the number of draws and delta, and by bets."""

    def __init__(self, pairs: Pairs, delta: float, regime: int | None = None) -> None:
        self.pairs = pairs
        self.share = min(0.4, 4.0 / np.sqrt(pairs.n))  # of the evidence that is the bets'
        self.stakes = np.sqrt(-2.0 * np.log(delta) / (pairs.n * VARIANCES))
        self.parts = np.append(1.0, np.full(VARIANCES.size, 1.0 / VARIANCES.size)) / 2.0
        self.lines: Lines | None = None if regime is None else lines(pairs.n, delta, regime)

    def log_evidence(self, theta: float) -> float:
        with np.errstate(divide="ignore"):  # no line is exceeded: the bets are all there is
            squared = np.log((1.0 - self.share) * self._squared_excess(theta))
        return float(np.logaddexp(squared, self.log_of_bets(theta)))

    def _squared_excess(self, theta: float) -> float:
        assert self.lines is not None
        pairs = self.pairs
        z = (pairs.part - theta * pairs.whole) / (1.0 - theta)
        sums = np.einsum("ij,j->i", curved(self.lines.slope[:, np.newaxis], z), pairs.times)
        return float(self.lines.weight @ np.maximum(sums - self.lines.offset, 0.0) ** 2)

    def log_of_bets(self, theta: float) -> float:
        """One bet at the cap, and the dozen, which share the other half of the stake."""
        cap = CAP / theta
        logs = self._logs_of_products(np.append(cap, np.minimum(self.stakes, cap)), theta)
        most = logs.max()
        return float(np.log(self.share) + most + np.log(self.parts @ np.exp(logs - most)))

    def log_of_dozen(self, theta: float) -> float:
        """The dozen bets alone, with equal stakes."""
        logs = self._logs_of_products(np.minimum(self.stakes, CAP / theta), theta)
        most = logs.max()
        return float(most + np.log(np.mean(np.exp(logs - most))))

    def _logs_of_products(self, stakes: Array, theta: float) -> Array:
        pairs = self.pairs
        won = pairs.part - theta * pairs.whole
        if np.any(pairs.times != 1.0):
            # Of 1 + x the last digit is lost; even times a million draws that is nothing beside a logarithm of 1/delta.
            return np.einsum("ij,j->i", np.log(1.0 + np.multiply.outer(stakes, won)), pairs.times)
        filled = np.zeros(-(-won.size // STRIDE) * STRIDE)  # a bet on 0 wins nothing
        filled[: won.size] = won
        rows = filled.reshape(STRIDE, -1)
        return np.array([np.log(np.prod(1.0 + stake * rows, axis=0)).sum() for stake in stakes])
