r"""Limits that hold at every moment of a stream: one may look after each example, and stop whenever one likes.

A player with wealth 1 bets against a rate. If the rate is the true one, the chance that the wealth *ever* reaches
1/delta is at most delta (Ville); so a rate against which it has ever done so stays refuted, and what is claimed now
is the intersection of all intervals so far.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
from scipy import special

from holdfast.catalog import method
from holdfast.claims import Assumption, Guarantee, Source
from holdfast.evidence import Array, Counts, Integers
from holdfast.numerics.beta import log_beta_density
from holdfast.numerics.blocks import in_blocks
from holdfast.numerics.limit import Upper

SEQUENTIAL = (Assumption.INDEPENDENT, Assumption.FIXED_MODEL, Assumption.ANY_TIME)

# ---- Counts

STEPS = 100  # about 6 are taken; halving alone would need some 60
SHORT, SHORTEST = 1e-8, 4 * np.finfo(float).eps  # relative
FARTHEST = 700.0  # log-odds; farther out there are no floats


def _limit(k: Array, n: Array, delta: Array, one_sided: bool) -> tuple[Array, Array]:
    """The smallest rate from which on the wealth is 1/delta or more, and one minus it."""
    free = k >= n  # then no rate is too large
    k, target = np.where(free, 0.0, k), -np.log(delta)
    # Odds at which the wealth is still below: those of the estimate, or with no events those of (1 - p)^n = delta.
    odds = np.where(k == 0, np.expm1(target / n), k / (n - k))

    def rates(shift: Array) -> tuple[Array, Array]:
        times = odds * np.exp(shift)
        return times / (1 + times), 1 / (1 + times)

    # Bracketed Newton steps along the log-odds: the logarithm of the wealth is convex there, or nearly so.
    low, high = np.zeros_like(odds), np.full_like(odds, np.inf)
    rough, rest = target + 0.5 * np.log(n + 1), n - k
    few = np.log((k + rough + np.sqrt(2 * k * rough)) / np.maximum(k, target))
    shift = np.where(k < rest, few, rough / rest + np.sqrt(2 * rough / rest))
    shift = np.minimum(shift, FARTHEST - np.log(odds))
    moving = np.ones_like(free)
    for _ in range(STEPS):
        log_wealth, slope = _log_wealth(k, n, *rates(shift), one_sided)
        above = log_wealth >= target
        low, high = np.where(above, low, shift), np.where(above, shift, high)
        wanted = shift - (log_wealth - target) / slope
        within = (wanted >= low) & (wanted <= high)
        found = np.where(within, wanted, np.where(np.isinf(high), 2 * shift, (low + high) / 2))
        # A step of Newton's squares the error: the one after a short one would be too short to matter.
        short = within & (np.abs(wanted - shift) <= SHORT * shift)
        shift = np.where(moving, found, shift)
        moving &= ~short & (low < high * (1 - SHORTEST))
        if not moving.any():
            break
    p, q = rates(shift * (1 + 2.0**-51))  # on the safe side of where the steps end
    return np.where(free, 1.0, p), np.where(free, 0.0, q)


def _log_wealth(k: Array, n: Array, p: Array, q: Array, one_sided: bool) -> tuple[Array, Array]:
    """The logarithm of what bets spread over all rates, or all below p, have won against p; its slope in log-odds."""
    a, b = k + 0.5, n - k + 0.5
    log_density, prior = log_beta_density(a, b, p, q), np.sqrt(p * q) / np.pi
    log_wealth, slope = np.log(prior) - log_density, n * p - k
    if not one_sided:
        return log_wealth, slope
    left, below = p < q, np.empty_like(p)
    below[left] = special.betainc(a[left], b[left], p[left])
    below[~left] = special.betaincc(b[~left], a[~left], q[~left])
    below_prior = 2 / np.pi * np.arctan2(np.sqrt(p), np.sqrt(q))
    return log_wealth + np.log(below / below_prior), slope + np.exp(log_density) / below - prior / below_prior


def _mixture_limit(errors: Counts, delta: Array, one_sided: bool) -> Upper:
    return Upper(*in_blocks(partial(_limit, one_sided=one_sided), 2, errors.k, errors.n, delta))


@method(
    guarantee=Guarantee.FINITE,
    source=Source("howard2021", "Proposition 7"),
    assumes=SEQUENTIAL,
    two_sided=partial(_mixture_limit, one_sided=False),
)
def beta_binomial(errors: Counts, delta: Array) -> Upper:
    r"""Largest error rate that bets spread over all smaller ones have not refuted, at whatever moment one looks.

    Notes
    -----
    With S errors in n examples, against the rate p,

    .. math::
        W_n(p) = \frac{\int_0^p q^S (1 - q)^{n - S}\, d\pi(q)}{\pi([0, p])\; p^S (1 - p)^{n - S}}
        = \frac{B(S + \frac12, n - S + \frac12)}{\pi\; p^S (1 - p)^{n - S}}
        \cdot \frac{I_p(S + \frac12, n - S + \frac12)}{I_p(\frac12, \frac12)},
        \qquad U = \sup\{p : W_n(p) < 1/\delta\},

    where the prior is Beta(1/2, 1/2). Were the rate p or more, each factor :math:`(q/p)^x ((1-q)/(1-p))^{1-x}` with
    :math:`q < p` would have a mean of at most 1, so the wealth ever reaches :math:`1/\delta` with a probability of at
    most delta. Above S/n the wealth rises with p, so there is one root. The two-sided interval is that of the whole
    prior at the whole delta: the same without the second fraction.

    Examples
    --------
    >>> print(round(beta_binomial(Counts(5, 100), delta=0.05, side="upper").upper, 6))
    0.137429
    >>> claim = beta_binomial(Counts(5, 100), delta=0.05)
    >>> print(f"[{claim.lower:.6f}, {claim.upper:.6f}]")
    [0.007149, 0.155794]
    """
    return _mixture_limit(errors, delta, one_sided=True)


@dataclass(frozen=True)
class CountSequence:
    """Events counted on a stream, and the intersection of the intervals at all looks so far.

    The limits are the one-sided ones at half of delta each: for small rates they are narrower together than the
    two-sided interval, and for a rate that wanders they still hold, the lower one for the largest and the upper one
    for the smallest that it ever was. `broken` says where it is proven to have been: "above" `at_most` or "below"
    `at_least`.

    Examples
    --------
    >>> sequence = CountSequence(delta=0.05).after(np.array([1, 4]), np.array([50, 50]))
    >>> print(sequence.k, sequence.n, round(sequence.lower, 4), round(sequence.upper, 4))
    5 100 0.0062 0.1411
    """

    delta: float
    at_most: float = 1.0
    at_least: float = 0.0
    k: int = 0
    n: int = 0
    lower: float = 0.0
    upper: float = 1.0

    @property
    def mean(self) -> float:
        return self.k / self.n

    @property
    def broken(self) -> str:
        return "above" * (self.lower > self.at_most) or "below" * (self.upper < self.at_least)

    @property
    def contradictory(self) -> bool:
        """Whether no rate is left: one that stays the same would come to this with a chance of delta at most."""
        return self.lower >= self.upper

    def after(self, k: Integers, n: Integers) -> CountSequence:
        """With so many events in so many examples more, looked at after each element."""
        k, n = k[n > 0], n[n > 0]
        if not n.size:
            return self
        rest = n - k
        counted = Counts(self.k + np.cumsum(k), self.n + np.cumsum(n))
        # An upper limit falls until the next event comes, a lower one rises until the next without: last looks do.
        last_for_upper = (rest > 0) & np.append(k[1:] > 0, True)
        last_for_lower = (k > 0) & np.append(rest[1:] > 0, True)
        highest, lowest = (Counts(counted.k[at], counted.n[at]) for at in (last_for_upper, last_for_lower))
        return replace(
            self,
            k=int(counted.k[-1]),
            n=int(counted.n[-1]),
            lower=float(np.max(beta_binomial(lowest, self.delta / 2, "lower").lower, initial=self.lower)),
            upper=float(np.min(beta_binomial(highest, self.delta / 2, "upper").upper, initial=self.upper)),
        )

    def to_dict(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("k", "n", "lower", "upper")}

    def resumed(self, kept: dict[str, Any]) -> CountSequence:
        """As saved by `to_dict`; a ValueError where that cannot be."""
        made = replace(self, **kept)
        if not (0 <= made.k <= made.n and 0 <= made.lower <= 1 and 0 <= made.upper <= 1):
            raise ValueError("these are no counts and no limits")
        return made


# ---- Losses

POINTS = 4096
ANGLES = np.pi / 2 * np.arange(POINTS + 1) / POINTS
# Means to bet against, as close to each other as the noise at such a mean is small; and one minus them.
MEANS, ROOMS = np.sin(ANGLES) ** 2, np.sin(ANGLES[::-1]) ** 2
# The largest share of the wealth that one bet may lose: less is looser in the first hundred examples and on losses
# of small variance, more on losses that are mostly zero.
CAP = 0.65
# The square of a bet, as a part of the square of one that is best for as many examples as there were up to now, is
# half of this. Larger is tighter early on and looser later; measured from 30 to 10^5 examples on five laws.
EAGERNESS = 1 / 2
ROUNDING = 1e-6  # relative; what the products of 10^9 factors may be off by
BLOCK = 2**17  # numbers in work at once


@dataclass(frozen=True, eq=False)
class LossSequence:
    r"""Bets on a stream of losses in [0, 1] against a grid of means, from below and from above.

    Notes
    -----
    Against "the mean is at most m" the wealth after t examples is

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
    broken: str = ""  # where the mean has been proven to be: "above" at_most or "below" at_least

    @classmethod
    def start(cls, delta: float, at_most: float = 1.0, at_least: float = 0.0) -> LossSequence:
        return cls(delta, at_most, at_least, np.ones((2, MEANS.size)), 0, MEANS.size - 1)

    @property
    def lower(self) -> float:
        return float(MEANS[self.first])

    @property
    def upper(self) -> float:
        return float(MEANS[self.last])

    @property
    def mean(self) -> float:
        return self.total / self.n

    @property
    def contradictory(self) -> bool:
        """Whether no mean is left: one that stays the same would come to this with a chance of delta at most."""
        return self.first >= self.last

    def after(self, x: Array) -> LossSequence:
        """With these losses more, in the order in which they came."""
        made, done = self, 0
        while done < x.size:
            rows = max(1, BLOCK // made.wealth.size)
            made = made._after_block(x[done : done + rows])
            done += rows
        return made

    def _after_block(self, x: Array) -> LossSequence:
        t = self.n + np.arange(1, x.size + 1)
        totals = np.add.accumulate(np.concatenate([[self.total], x]))[1:]
        off = x - (0.5 + totals) / (t + 1)
        squares = np.add.accumulate(np.concatenate([[self.squares], off * off]))
        # The t in the bet and the divisor of the variance cancel.
        stake = np.sqrt(EAGERNESS * np.log(2 / self.delta) / (0.25 + squares[:-1]))
        reached = self._wealth_after_each(x[:, np.newaxis], stake[:, np.newaxis, np.newaxis])
        refuted = reached.max(axis=0) >= 2 / self.delta * (1 + ROUNDING)
        below, above = np.flatnonzero(refuted[0, 1:]), np.flatnonzero(refuted[1, 1:])
        first = self.first + 1 + int(below[-1]) if below.size else self.first
        last = self.first + int(above[0]) if above.size else self.last
        if first >= last and not self.contradictory and x.size > 1:  # how far beyond each other would depend on x
            return self._after_block(x[: x.size // 2])._after_block(x[x.size // 2 :])
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
            broken=broken,
        )

    def _wealth_after_each(self, x: Array, stake: Array) -> Array:
        """The wealth after each example, from below and from above, against each mean."""
        first, last = self.first, max(self.first, self.last)
        low = np.concatenate([[self.at_most], MEANS[first + 1 : last + 1]])
        high = np.concatenate([[self.at_least], MEANS[first:last]])
        room = np.concatenate([[1 - self.at_least], ROOMS[first:last]])
        # At 0 no bet can lose, so there is no cap; what leaves the range of the floats is refuted, or hopeless.
        with np.errstate(divide="ignore", over="ignore", under="ignore"):
            factors = np.minimum(stake, CAP / np.stack([low, room]))
            factors[:, 0] *= x - low
            factors[:, 1] *= high - x
            factors += 1.0
            factors[0] *= self.wealth
            return np.multiply.accumulate(factors, axis=0)

    def to_dict(self) -> dict[str, Any]:
        kept = ("n", "total", "squares", "first", "last", "broken")
        return {**{name: getattr(self, name) for name in kept}, "wealth": self.wealth.tolist()}

    def resumed(self, kept: dict[str, Any]) -> LossSequence:
        """As saved by `to_dict`; a ValueError where that cannot be."""
        made = replace(self, **{**kept, "wealth": np.array(kept["wealth"], np.float64)})
        on_grid = min(made.first, made.last) >= 0 and max(made.first, made.last) < MEANS.size
        places = 1 + max(made.last - made.first, 0)
        if not on_grid or made.wealth.shape != (2, places) or not np.all(made.wealth >= 0):
            raise ValueError("there is no wealth for each mean")
        return made
