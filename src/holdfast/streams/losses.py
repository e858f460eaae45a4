"""Limits that hold at every moment of a stream of bounded losses, from a state that does not grow with it.

The bets are those of `betting`, but for not knowing how many examples will come, against means on a fixed grid: what
is claimed lies between the outermost of those that were not refuted, rounded outward to the grid.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from holdfast.bounds.sequential import SEQUENTIAL
from holdfast.catalog import procedure
from holdfast.claims import Assumption, Guarantee, Source
from holdfast.evidence import Array

POINTS = 4096
STEEPNESS = 6.0  # differences around 0 are 15 in a million from each other, those around 1 three in a thousand
# The largest share of the wealth that one bet may lose: less is looser in the first hundred examples and on losses
# of small variance, more on losses that are mostly zero.
CAP = 0.65
# The square of a bet, as a part of the square of one that is best for as many examples as there were up to now, is
# half of this. Larger is tighter early on and looser later; measured from 30 to 10^5 examples on five laws.
EAGERNESS = 1 / 2
ROUNDING = 1e-6  # relative; what the products of 10^9 factors may be off by
BLOCK = 2**17  # numbers in work at once


@dataclass(frozen=True, eq=False)
class Grid:
    """Means to bet against, from one end of the range of the losses to the other, and how far they are from either."""

    means: Array
    below: Array  # from the lower end
    above: Array  # to the upper end
    centre: float  # of the range
    spread: float  # the largest variance there can be: the square of half the range

    @classmethod
    def of_shares(cls) -> Grid:
        """From 0 to 1, as close to each other as the noise at such a mean is small."""
        angles = np.pi / 2 * np.arange(POINTS + 1) / POINTS
        means = np.sin(angles) ** 2
        return cls(means, means, np.sin(angles[::-1]) ** 2, 0.5, 0.25)

    @classmethod
    def of_differences(cls, *wanted: float) -> Grid:
        """From -1 to 1, the same on both sides of 0, where differences are small and close to each other; and these."""
        half = np.sinh(STEEPNESS * np.arange(1, POINTS // 2 + 1) / (POINTS // 2)) / np.sinh(STEEPNESS)
        half = np.unique(np.concatenate([half, np.abs(wanted)]))
        half = half[half > 0]
        means = np.concatenate([-half[::-1], [0.0], half])
        return cls(means, 1 + means, 1 - means, 0.0, 1.0)


SHARES = Grid.of_shares()


@dataclass(frozen=True, eq=False)
class LossSequence:
    r"""Bets on a stream of losses in [0, 1] against a grid of means, from below and from above.

    Notes
    -----
    The grid may have another range: then the 1/2 and 1/4 below are its centre and its largest variance, and c/m is c
    over the distance of m from the lower end. Against "the mean is at most m" the wealth after t examples is

    .. math::
        W_t(m) = \prod_{s \le t} \bigl(1 + \lambda_s(m) (x_s - m)\bigr), \qquad
        \lambda_s(m) = \min\Bigl(\sqrt{\frac{\ln(2/\delta)}{2\, s\, \hat\sigma^2_{s-1}}},\ \frac{c}{m}\Bigr),

    .. math::
        \hat\mu_t = \frac{1/2 + \sum_{i \le t} x_i}{t + 1}, \qquad
        \hat\sigma^2_t = \frac{1/4 + \sum_{i \le t} (x_i - \hat\mu_i)^2}{t + 1},

    and the lower limit is the largest m of the grid against which it ever was :math:`2/\delta`; the upper limit is
    the mirror image. Every factor decreases in m, so a limit above the true mean needs a refutation of the grid's
    next mean above the truth: the grid costs width and no guarantee. Means that are refuted are dropped; both limits
    stay in, for the other side to bet against. `at_most` and `at_least` are bet against for ever, apart from the
    grid: each bet is fair to a mean that wanders below, or above. Nothing depends on how the stream is cut into
    blocks, to the last bit.

    Where an example weighs the part b of the most that one can, x is what it adds above the line and the bet is on
    :math:`x_s - m b_s`, which falls in m too: the mean is then a ratio of sums. A bet depends on what earlier examples
    weigh, never on its own.

    Examples
    --------
    >>> sequence = LossSequence.start(delta=0.05).after(np.array([0.1, 0.3, 0.2, 0.2] * 100))
    >>> print(sequence.n, round(sequence.lower, 3), round(sequence.upper, 3))
    400 0.189 0.213
    """

    delta: float
    at_most: float
    at_least: float
    wealth: Array  # first against at_most and the means after `first` to `last`, then at_least and those before `last`
    first: int  # the places of both limits on the grid
    last: int
    n: int = 0
    total: float = 0.0
    squares: float = 0.0
    whole: float | None = None  # the sum of what examples weigh, where they weigh differently
    broken: str = ""  # where the mean has been proven to be: "above" at_most or "below" at_least
    grid: Grid = SHARES

    @classmethod
    def start(
        cls,
        delta: float,
        at_most: float | None = None,
        at_least: float | None = None,
        grid: Grid = SHARES,
        weighed: bool = False,
    ) -> LossSequence:
        """Before the first example; what is said of the mean lies in the grid's range, whose ends say nothing."""
        low = float(grid.means[0] if at_least is None else at_least)
        high = float(grid.means[-1] if at_most is None else at_most)
        whole = 0.0 if weighed else None
        return cls(delta, high, low, np.ones((2, grid.means.size)), 0, grid.means.size - 1, grid=grid, whole=whole)

    @property
    def lower(self) -> float:
        return float(self.grid.means[self.first])

    @property
    def upper(self) -> float:
        return float(self.grid.means[self.last])

    @property
    def mean(self) -> float:
        return self.total / (self.n if self.whole is None else self.whole or 1.0)

    @property
    def contradictory(self) -> bool:
        """Whether no mean is left: one that stays the same would come to this with a chance of delta at most."""
        return self.first >= self.last

    def after(self, x: Array, weight: Array | None = None) -> LossSequence:
        """With these losses more, in the order in which they came; and with what each weighs, as a part of the most."""
        made, done, b = self, 0, np.ones(x.shape) if weight is None else weight
        while done < x.size:
            rows = max(1, BLOCK // made.wealth.size)
            made = made._after_block(x[done : done + rows], b[done : done + rows])
            done += rows
        return made

    def stakes(self, x: Array, weight: Array | None = None) -> Array:
        """What is bet on each of these examples, but for the cap, from what came before it."""
        return self._stakes(self._sums(x, np.ones(x.shape) if weight is None else weight)[1])

    def _stakes(self, squares: Array) -> Array:
        # The t in the bet and the divisor of the variance cancel.
        return np.sqrt(EAGERNESS * np.log(2 / self.delta) / (self.grid.spread + squares[:-1]))

    def _sums(self, x: Array, b: Array) -> tuple[Array, Array]:
        """After each example the sum; before the first and after each the sum of squares."""
        t = self.n + np.arange(1, x.size + 1)
        totals = np.add.accumulate(np.concatenate([[self.total], x]))[1:]
        if self.whole is not None:
            t = np.add.accumulate(np.concatenate([[self.whole], b]))[1:]
        off = x - b * (self.grid.centre + totals) / (t + 1)
        return totals, np.add.accumulate(np.concatenate([[self.squares], off * off]))

    def _after_block(self, x: Array, b: Array) -> LossSequence:
        totals, squares = self._sums(x, b)
        stake = self._stakes(squares)
        columns = x[:, np.newaxis], b[:, np.newaxis]
        reached = self._wealth_after_each(*columns, stake[:, np.newaxis, np.newaxis])
        refuted = reached.max(axis=0) >= 2 / self.delta * (1 + ROUNDING)
        below, above = np.flatnonzero(refuted[0, 1:]), np.flatnonzero(refuted[1, 1:])
        first = self.first + 1 + int(below[-1]) if below.size else self.first
        last = self.first + int(above[0]) if above.size else self.last
        if first >= last and not self.contradictory and x.size > 1:  # how far beyond each other would depend on x
            half = x.size // 2
            return self._after_block(x[:half], b[:half])._after_block(x[half:], b[half:])
        broken = self.broken or "above" * bool(refuted[0, 0]) or "below" * bool(refuted[1, 0])
        kept = slice(1 + first - self.first, 1 + max(first, last) - self.first)
        against_limits = np.ones((2, 1)) if broken else reached[-1, :, :1]  # that game is over, and would overflow
        return replace(
            self,
            wealth=np.concatenate([against_limits, reached[-1, :, kept]], axis=1),
            first=first,
            last=last,
            n=self.n + x.size,
            total=float(totals[-1]),
            squares=float(squares[-1]),
            whole=None if self.whole is None else float(np.add.accumulate(np.append(self.whole, b))[-1]),
            broken=broken,
        )

    def _wealth_after_each(self, x: Array, b: Array, stake: Array) -> Array:
        """The wealth after each example, from below and from above, against each mean."""
        first, last, grid = self.first, max(self.first, self.last), self.grid
        low = np.concatenate([[self.at_most], grid.means[first + 1 : last + 1]])
        high = np.concatenate([[self.at_least], grid.means[first:last]])
        rooms = np.stack(
            [
                np.concatenate([[self.at_most - grid.means[0]], grid.below[first + 1 : last + 1]]),
                np.concatenate([[grid.means[-1] - self.at_least], grid.above[first:last]]),
            ]
        )
        # At an end no bet can lose, so there is no cap; what leaves the range of the floats is refuted, or hopeless.
        with np.errstate(divide="ignore", over="ignore", under="ignore"):
            factors = np.minimum(stake, CAP / rooms)
            factors[:, 0] *= x - (low if self.whole is None else b * low)
            factors[:, 1] *= (high if self.whole is None else b * high) - x
            factors += 1.0
            factors[0] *= self.wealth
            return np.multiply.accumulate(factors, axis=0)

    def to_dict(self) -> dict[str, Any]:
        kept = ("n", "total", "squares", "first", "last", "broken", *(() if self.whole is None else ("whole",)))
        return {**{name: getattr(self, name) for name in kept}, "wealth": self.wealth.tolist()}

    def resumed(self, kept: dict[str, Any]) -> LossSequence:
        """As saved by `to_dict`; a ValueError where that cannot be."""
        made = replace(self, **{**kept, "wealth": np.array(kept["wealth"], np.float64)})
        on_grid = min(made.first, made.last) >= 0 and max(made.first, made.last) < made.grid.means.size
        places = 1 + max(made.last - made.first, 0)
        if not on_grid or made.wealth.shape != (2, places) or not np.all(made.wealth >= 0):
            raise ValueError("there is no wealth for each mean")
        return made


class Limited(Protocol):
    """A sequence of bets, and the means it has not refuted."""

    @property
    def lower(self) -> float: ...

    @property
    def upper(self) -> float: ...


@procedure(
    guarantee=Guarantee.FINITE,
    source=Source("waudbysmith2024", "Theorem 3"),
    assumes=(*SEQUENTIAL, Assumption.KNOWN_RANGE),
)
def betting_sequence(sequence: Limited) -> tuple[float, float]:
    r"""Limits of a mean loss, or of a difference of two, outside of which bets have at some time grown by 2/delta.

    Notes
    -----
    .. math:: W_t(m) = \prod_{s \le t} \bigl(1 + \lambda_s(m) (x_s - m)\bigr)

    with bets :math:`\lambda_s` that depend on earlier examples alone (see `LossSequence`). Were m the mean, the wealth
    would ever reach :math:`2/\delta` with a chance of at most :math:`\delta/2` (Ville), and so would that of bets from
    above. What was refuted at any look stays so: the claim holds at every moment, also at one chosen by looking.

    Examples
    --------
    >>> betting_sequence(LossSequence.start(delta=0.05).after(np.array([0.1, 0.3, 0.2, 0.2] * 100)))
    (0.189..., 0.213...)
    """
    return sequence.lower, sequence.upper
