r"""Two rates of which the second is one among the events of the first: how large their product may be.

Of n trials some are events, and of these some are great ones. With q the rate of events, r that of great ones among
events, and a great one worth rho more than an event, the mean worth is q (1 + rho r).
"""

from __future__ import annotations

import numpy as np
from scipy.special import gammainccinv

from holdfast.numerics.arrays import Array
from holdfast.numerics.binomial import binomial_tail_inverse, log_binomial_tail, log_binomial_tail_and_hazard

STEPS = 100  # a dozen do; what is not found by then is left unsaid
FOUND = 1e-4  # miss of a logarithm of a hazard, of which a last step leaves the square, and the limit a square again


def largest_product(events: Array, great: Array, n: Array, delta: Array, rho: Array) -> Array:
    r"""The largest q (1 + rho r) whose two tails, of events and of great ones among them, multiply to no surprise.

    Each of the tails is no smaller than uniform, the second whatever the first, so that minus the sum of their
    logarithms is no larger than a gamma variable of shape 2 (Fisher's combination of tests), and sought is

    .. math:: \max\{q (1 + \rho r) : \ln P(X \le k \mid n, q) + \ln P(Y \le g \mid k, r) \ge -c\},
              \qquad P(\Gamma_2 > c) = \delta.

    This maximises :math:`\ln q + \ln(1 + \rho r)`, which is concave as both logarithms of tails are, so that with a
    multiplier the answer is a sum of two maxima at the best multiplier, and too large, never too small, at any other.

    Examples
    --------
    >>> print(largest_product(*(np.array([x]) for x in (30.0, 10.0, 100.0, 0.025, 1.0))).round(6) / 2)
    [0.289315]
    """
    c = np.asarray(gammainccinv(2.0, delta))
    k, trials = np.stack([events, great]), np.stack([n, events])
    most = binomial_tail_inverse(k, trials, np.exp(-c))
    log_worth = np.array(np.log(most.limit[0]) + np.log1p(rho * most.limit[1]))
    both = np.all(k < trials, axis=0)  # of nothing but events the tail is 1 at every rate, and costs nothing
    if both.any():
        most_odds = np.log(most.limit[:, both] / most.room[:, both])
        log_worth[both] = _best(k[:, both], trials[:, both], c[both], rho[both], most_odds)
    return np.asarray(np.exp(log_worth))


def _best(k: Array, n: Array, c: Array, rho: Array, most: Array) -> Array:
    """The maximum of ln q + ln(1 + rho r) with no more than c spent on both tails; NaN where the search did not end.

    The unknowns are the log-odds t of both rates, and `level`, minus the logarithm of the multiplier: Newton's method
    on the logarithms of the hazards, as for strata, but the worth of a rate, 1 / q or 1 / (r + 1 / rho), falls as it
    grows.
    """
    above = np.stack([np.zeros(rho.shape), 1.0 / rho])
    m, none = n[1], k[1] == 0  # without a great one, r has a closed form in the level, and is 0 below a threshold
    moving = np.stack([np.ones_like(none), ~none])
    events, trials = np.where(moving, k, 1.0), np.where(moving, n, 2.0)
    half = binomial_tail_inverse(events, trials, np.exp(-c / 2))
    threshold = np.log(m) - np.log(rho)
    t, level = np.log(half.limit / half.room), np.log(m)
    open_ = np.ones(c.shape, bool)
    for _ in range(STEPS):
        p, room = 1 / (1 + np.exp(-t)), 1 / (1 + np.exp(t))
        log_tail, log_hazard = log_binomial_tail_and_hazard(events, trials, p, room)  # by t
        hazard = np.exp(log_hazard)
        slope = hazard + events - (trials - 1.0) * p + p * room / (p + above)  # of the log hazard by p over the worth
        off = np.log(p) + np.log(room) - np.log(p + above) - log_hazard
        gain = hazard / slope
        left, gains = c + np.sum(log_tail - gain * off, axis=0, where=moving), np.sum(gain, axis=0, where=moving)
        aim = left / gains
        # What r costs without a great one is convex in the level: no tangent overstates it, so no aim is too low.
        s = np.maximum(level - threshold, 0.0)
        grade, cost = m / (1 + rho * np.exp(-s)), _cost(m, rho, s)
        aim = np.where(none, np.minimum(aim, (left - cost + grade * (threshold + s)) / (gains + grade)), aim)
        missed = np.where(moving, aim + off, aim - level)
        # An element found stays as it is, whatever else is in the array.
        t, level = np.where(open_ & moving, np.minimum(t + missed / slope, most), t), np.where(open_, aim, level)
        open_ = open_ & ~np.all(np.abs(missed) <= FOUND, axis=0)
        if not open_.any():
            break
    s = np.maximum(level - threshold, 0.0)
    p, room = 1 / (1 + np.exp(-t)), 1 / (1 + np.exp(t))
    log_tail = np.where(moving, log_binomial_tail(events, trials, p, room), -_cost(m, rho, s))
    p = np.where(moving, p, -np.expm1(-s) / (1.0 + rho * np.exp(-s)))
    spare = np.exp(-level) * (np.sum(log_tail, axis=0) + c)
    return np.where(open_, np.nan, np.log(p[0]) + np.log1p(rho * p[1]) + spare)


def _cost(trials: Array, rho: Array, s: Array) -> Array:
    """Minus the logarithm of the chance of no great one, at the best rate so far above the threshold."""
    return np.asarray(trials * (np.logaddexp(np.log(rho), s) - np.log1p(rho)))
