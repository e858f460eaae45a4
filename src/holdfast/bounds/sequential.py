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
from holdfast.numerics.beta import in_blocks, log_beta_density
from holdfast.numerics.limit import Upper

SEQUENTIAL = (Assumption.INDEPENDENT, Assumption.FIXED_MODEL, Assumption.ANY_TIME)

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
        limits = np.where(within, wanted, np.where(np.isinf(high), 2 * shift, (low + high) / 2))
        # A step of Newton's squares the error: the one after a short one would be too short to matter.
        short = within & (np.abs(wanted - shift) <= SHORT * shift)
        shift = np.where(moving, limits, shift)
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
