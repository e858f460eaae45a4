r"""Is the first model better? Bets on a stream of differences, which one may look at after every example.

Each example gives the difference of two losses, first minus second, as a part of the most it can be: from -1 to 1. A
player who bets that the first model is better has, were it no better, wealth 1 on average and ever reaches 2/delta
with a chance of at most delta/2; another bets on the second model. Their wealth is an e-value: evidence that
multiplies as examples come in. The same bets against other differences than 0 make an interval.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from math import exp
from sys import float_info
from typing import Any, TypeVar

import numpy as np

from holdfast.bounds.sequential import SEQUENTIAL
from holdfast.catalog import procedure
from holdfast.claims import Guarantee, Source
from holdfast.evidence import Array, Integers
from holdfast.streams.losses import CAP, ROUNDING, Grid, LossSequence
from holdfast.streams.machine import Track

NODES = 128  # bets of different sizes; twice as many would change the wealth by 1e-6 after a million that tell apart
STEPS = 2**30  # places for a limit between 0 and 1
NEAREST = 1 / STEPS
LOOKS = 2**8  # worked on at once: what stays in the cache
PRECISION = 1e-6  # of a logarithm that is computed again
MOST = 2**53  # examples that floats can still count one by one
SOURCE = Source("waudbysmith2024", "Theorem 3")


@cache
def _bets() -> tuple[Array, Array]:
    """Parts of the wealth to bet, and the part of the players who do; more of them where the bets are small."""
    node, weight = np.polynomial.legendre.leggauss(NODES)
    root = (1 + node) / 2
    return root * root, root * weight / np.sum(root * weight)


def log_wealth(rises: Array, falls: Array, n: Array, mean: Array | float = 0.0) -> Array:
    r"""Logarithm of what has been won by betting that the mean of n values in -1, 0, 1 is larger than this.

    Notes
    -----
    With a values of 1 and b of -1, and bets spread evenly over all parts u of the wealth,

    .. math::
        W(m) = \int_0^1 \Bigl(1 + u\,\frac{1 - m}{1 + m}\Bigr)^a (1 - u)^b
        \Bigl(1 - u\,\frac{m}{1 + m}\Bigr)^{n - a - b} du, \qquad
        W(0) = 2^{a + b + 1} B(a + 1, b + 1) \bigl(1 - I_{1/2}(a + 1, b + 1)\bigr),

    the beta-binomial mixture over all chances above one half. Every factor has a mean of at most 1 if the mean is at
    most m, and falls with m; so the means that are refuted are those up to the largest one that is. The integral is a
    sum over `NODES` sizes of bets, which is fair by itself, whatever it leaves to the integral.

    Examples
    --------
    >>> print(round(float(np.exp(log_wealth(15, 5, 20))), 4))
    6.3555
    """
    return _mixed(_won(rises, falls, n, mean))


def _won(rises: Array, falls: Array, n: Array, mean: Array | float) -> Array:
    """Logarithm of what each size of bet has won, along the last axis."""
    rises, falls, n, mean = (np.asarray(given, np.float64)[..., np.newaxis] for given in (rises, falls, n, mean))
    bets, _ = _bets()
    share = bets / (1 + mean)
    won = falls * np.log1p(-bets) + rises * np.log1p(share * (1 - mean))
    won += (n - rises - falls) * np.log1p(-share * mean)
    return np.asarray(won)


def _mixed(won: Array) -> Array:
    most = won.max(axis=-1, keepdims=True)
    return np.asarray(most[..., 0] + np.log(np.sum(_bets()[1] * np.exp(won - most), axis=-1)))


def _beyond(least: float, rises: Array, falls: Array, n: Array, mean: float) -> tuple[Integers, Array]:
    """Which looks have won at least this, and how much; all bets together never win more than the best of them."""
    won = _won(rises, falls, n, mean)
    some = np.flatnonzero(won.max(axis=-1) >= least - ROUNDING)
    mixed = _mixed(won[some])
    return some[mixed >= least], mixed[mixed >= least]


def _raised(limit: float, rises: Array, falls: Array, n: Array, target: float) -> float:
    """The largest mean, of those a whole number of steps from 0, that any of these looks refutes, or the limit."""
    while n.size:
        refuting, won = _beyond(target, rises, falls, n, limit + NEAREST)
        if not refuting.size:
            break
        rises, falls, n, best = rises[refuting], falls[refuting], n[refuting], int(np.argmax(won))
        limit = _refuted(rises[best], falls[best], n[best], limit + NEAREST, float(won[best]), target)
    return limit


def _refuted(rises: Array, falls: Array, n: Array, at: float, won: float, target: float) -> float:
    """The largest of these means that a look refutes, from one on at which it has won so much, by false position."""
    low, above = round(at * STEPS), won - target
    high, below = STEPS, -target  # against the largest mean nothing is ever won
    moved = 0
    while high - low > 1:
        guess = low + int((high - low) * (above / (above - below)))
        middle = min(max(guess, low + 1), high - 1)
        now = float(log_wealth(rises, falls, n, middle / STEPS)) - target
        if now >= 0:
            low, above, below = middle, now, below / 2 if moved > 0 else below
        else:
            high, below, above = middle, now, above / 2 if moved < 0 else above
        moved = 1 if now >= 0 else -1
    return low / STEPS


@dataclass(frozen=True, eq=False)
class PairSequence:
    """Examples that only the first model got right (won) or only the second (lost), and what they have refuted.

    Between the limits lie the differences of error rates, first minus second, that no look has refuted; each limit
    is that of bets at half of delta. Nothing depends on how the looks are cut into blocks, to the last bit.

    Examples
    --------
    >>> sequence = PairSequence(0.05).after(np.array([40]), np.array([10]), np.array([500]))
    >>> print(sequence.mean, round(sequence.lower, 4), round(sequence.upper, 4))
    -0.06 -0.1083 -0.0184
    """

    delta: float
    won: int = 0
    lost: int = 0
    n: int = 0
    lower: float = -1.0
    upper: float = 1.0
    peaks: tuple[float, float] = (0.0, 0.0)  # the largest logarithms of the e-values so far, first and second
    track: Track = field(default_factory=Track)

    @property
    def mean(self) -> float:
        return (self.lost - self.won) / self.n

    @property
    def alike(self) -> bool:
        """Whether no example tells the models apart."""
        return self.won == self.lost == 0

    @property
    def logs(self) -> tuple[float, float]:
        """Logarithms of the e-values for "the first model is better" and "the second is"."""
        first, second = _both(*map(np.asarray, (self.won, self.lost, self.n))).tolist()
        return first, second

    @property
    def contradictory(self) -> bool:
        """Whether no difference is left: one that stays the same would come to this with a chance of delta at most."""
        return self.lower >= self.upper

    def after(self, won: Integers, lost: Integers, n: Integers) -> PairSequence:
        """With so many won and lost in so many examples more, looked at after each element."""
        won, lost, n = won[n > 0], lost[n > 0], n[n > 0]
        if not n.size:
            return self
        tied = n - won - lost
        a, b, size = self.won + np.cumsum(won), self.lost + np.cumsum(lost), self.n + np.cumsum(n)
        upper, first = self._bet(won, lost, tied, (a, b, size), -self.upper, self.peaks[0])
        lower, second = self._bet(lost, won, tied, (b, a, size), self.lower, self.peaks[1])
        return replace(
            self,
            won=int(a[-1]),
            lost=int(b[-1]),
            n=int(size[-1]),
            lower=lower,
            upper=-upper,
            peaks=(first, second),
            track=self.track.extended(size, lambda kept: _both(a[kept], b[kept], size[kept])),
        )

    def _bet(
        self, rise: Integers, fall: Integers, tied: Integers, counted: tuple[Integers, ...], limit: float, peak: float
    ) -> tuple[float, float]:
        """The limit raised, and the largest logarithm of the wealth against 0, by what one of the players has seen."""
        # Bets win with every rise, against means of one sign with ties too: last looks before that may end will do.
        pure = (rise > 0) & (fall == 0) & (tied == 0)
        idle = (rise == 0) & (fall == 0)
        looks = np.flatnonzero(~np.append(pure[1:] | (idle[:-1] & idle[1:]), False))
        for places in _blocks(looks):
            rises, falls, n = (count[places] for count in counted)
            peak = float(np.max(_beyond(peak, rises, falls, n, 0.0)[1], initial=peak))
            limit = _raised(limit, rises, falls, n, _target(self.delta))
        return limit, peak

    def to_dict(self) -> dict[str, Any]:
        kept = {name: getattr(self, name) for name in ("won", "lost", "n", "lower", "upper")}
        return {**kept, "peaks": list(self.peaks), "track": self.track.to_dict()}

    def resumed(self, kept: dict[str, Any]) -> PairSequence:
        """As saved by `to_dict`; a ValueError where that cannot be."""
        _check_fields(kept, self.to_dict())
        _check_counts(kept, "won", "lost", "n")
        made = replace(self, **{**kept, "peaks": tuple(kept["peaks"]), "track": Track.resumed(kept["track"])})
        if made.won + made.lost > made.n:
            raise ValueError(f"{made.won:,} won and {made.lost:,} lost are more than the {made.n:,} examples")
        return _consistent(made)


@dataclass(frozen=True, eq=False)
class DifferenceSequence:
    """Differences of two losses, and what bets whose size follows their variance have refuted.

    The limits are those of `LossSequence` on [-1, 1], and the e-values the wealth of the same bets against 0.

    Examples
    --------
    >>> sequence = DifferenceSequence.start(0.05).after(np.array([0.1, -0.3, -0.2, 0.1] * 100))
    >>> print(round(sequence.mean, 3), round(sequence.lower, 3), round(sequence.upper, 3))
    -0.075 -0.101 -0.049
    """

    bets: LossSequence
    logs: tuple[float, float] = (0.0, 0.0)
    peaks: tuple[float, float] = (0.0, 0.0)
    alike: bool = True  # whether no example tells the models apart
    track: Track = field(default_factory=Track)

    @classmethod
    def start(cls, delta: float, margin: float = 0.0, weighed: bool = False) -> DifferenceSequence:
        """Before the first example; the limits can be told from 0 and from the margin on either side."""
        grid = Grid.of_differences(NEAREST, margin, max(margin - NEAREST, 0.0))
        return cls(LossSequence.start(delta, grid=grid, weighed=weighed))

    @property
    def n(self) -> int:
        return self.bets.n

    @property
    def mean(self) -> float:
        return self.bets.mean

    @property
    def lower(self) -> float:
        return self.bets.lower

    @property
    def upper(self) -> float:
        return self.bets.upper

    @property
    def contradictory(self) -> bool:
        return self.bets.contradictory

    def after(self, differences: Array, weight: Array | None = None) -> DifferenceSequence:
        """With these differences more, from -1 to 1, in the order in which they came.

        Where examples weigh differently, each is weighted already: no larger than its weight, a part of the most.
        """
        if not differences.size:
            return self
        bets = np.minimum(self.bets.stakes(differences, weight), CAP) * differences
        logs = np.stack([np.log1p(-bets), np.log1p(bets)])
        logs = np.add.accumulate(np.concatenate([np.array(self.logs)[:, np.newaxis], logs], axis=1), axis=1)[:, 1:]
        first, second = logs[:, -1].tolist()
        highest, other = logs.max(axis=1).tolist()
        return DifferenceSequence(
            self.bets.after(differences, weight),
            logs=(first, second),
            peaks=(max(self.peaks[0], highest), max(self.peaks[1], other)),
            alike=self.alike and not differences.any(),
            track=self.track.extended(self.n + np.arange(1, differences.size + 1), lambda kept: logs[:, kept]),
        )

    def to_dict(self) -> dict[str, Any]:
        kept = {"logs": list(self.logs), "peaks": list(self.peaks), "alike": self.alike}
        return {"bets": self.bets.to_dict(), **kept, "track": self.track.to_dict()}

    def resumed(self, kept: dict[str, Any]) -> DifferenceSequence:
        """As saved by `to_dict`; a ValueError where that cannot be."""
        _check_fields(kept, self.to_dict())
        _check_fields(kept["bets"], self.bets.to_dict())
        _check_counts(kept["bets"], "n", "first", "last")
        bets, track = self.bets.resumed(kept["bets"]), Track.resumed(kept["track"])
        made = DifferenceSequence(bets, tuple(kept["logs"]), tuple(kept["peaks"]), kept["alike"], track)
        finite = len(made.logs) == 2 and np.isfinite(made.logs).all() and np.isfinite(bets.wealth).all()
        summed = abs(bets.total) <= bets.n and 0 <= bets.squares <= 4 * bets.n and bets.broken in ("", "above", "below")
        if not (finite and summed and made.alike in (True, False) and not (made.alike and bets.total)):
            raise ValueError("these are no sums of differences from -1 to 1")
        return _consistent(made)


Resumed = TypeVar("Resumed", PairSequence, DifferenceSequence)


def _target(delta: float) -> float:
    return float(np.log(2 / delta * (1 + ROUNDING)))


def _both(won: Array, lost: Array, n: Array) -> Array:
    return np.stack([log_wealth(won, lost, n), log_wealth(lost, won, n)])


def _blocks(places: Integers) -> Iterator[Integers]:
    return (places[start : start + LOOKS] for start in range(0, places.size, LOOKS))


def _check_fields(kept: object, known: dict[str, Any]) -> None:
    if not isinstance(kept, dict) or kept.keys() != known.keys():
        raise ValueError("there is more in it, or less, than what is kept of a sequence")


def _check_counts(kept: dict[str, Any], *names: str) -> None:
    for name in names:
        if type(kept[name]) is not int or not 0 <= kept[name] <= MOST:
            raise ValueError(f"{name} is no whole number from 0 to {MOST:,}")


def _consistent(made: Resumed) -> Resumed:
    """The same, if what is kept of it can be true at once."""
    if not (-1 <= made.lower <= 1 and -1 <= made.upper <= 1):
        raise ValueError("the limits of a difference lie from -1 to 1")
    if len(made.peaks) != 2 or not all(0 <= peak < np.inf for peak in made.peaks):
        raise ValueError("there is no largest e-value for each of two models")
    if any(log > peak + PRECISION for log, peak in zip(made.logs, made.peaks, strict=True)):
        raise ValueError("an e-value is beyond the largest there was")
    if made.track.n.size and made.track.n[-1] > made.n:
        raise ValueError(f"there were looks beyond the {made.n:,} examples")
    return made


@procedure(guarantee=Guarantee.FINITE, source=SOURCE, assumes=SEQUENTIAL)
def paired_bets(sequence: PairSequence) -> tuple[float, float]:
    r"""Limits of the difference of two error rates, outside of which bets have at some time grown by 2/delta.

    Notes
    -----
    With a examples that speak against m and b for it, of n, and bets spread evenly over all parts u of the wealth,

    .. math::
        W(m) = \int_0^1 \Bigl(1 + u\,\frac{1 - m}{1 + m}\Bigr)^a (1 - u)^b
        \Bigl(1 - u\,\frac{m}{1 + m}\Bigr)^{n - a - b} du

    Were the difference m, this would ever reach :math:`2/\delta` with a chance of at most :math:`\delta/2` (Ville), and
    so on the other side: the claim holds at every moment, also at one chosen by looking.

    Examples
    --------
    >>> lower, upper = paired_bets(PairSequence(0.05).after(np.array([15]), np.array([5]), np.array([200])))
    >>> print(round(lower, 3), round(upper, 3))
    -0.128 0.018
    """
    return sequence.lower, sequence.upper


@procedure(guarantee=Guarantee.FINITE, source=SOURCE, assumes=SEQUENTIAL)
def sequential_bets(sequence: PairSequence | DifferenceSequence) -> float:
    r"""How surprising the best that bets on either model have ever won would be, were both equally good.

    Notes
    -----
    .. math:: \min\bigl(1,\ 2 / \max_t \max(E_t, E'_t)\bigr)

    with the e-values :math:`E_t, E'_t` of the two players after t examples. Each ever reaches :math:`2/p` with a chance
    of at most :math:`p/2` (Ville), so that the p-value holds at every moment and only falls.

    Examples
    --------
    >>> print(round(sequential_bets(PairSequence(0.05).after(np.array([15]), np.array([5]), np.array([200]))), 3))
    0.315
    """
    return max(min(1.0, 2 * exp(-max(sequence.peaks))), float_info.min)
