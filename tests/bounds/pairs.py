"""Exact coverage for pairs: every table of wins and losses, at chances where coverage is lowest."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import gammaln, xlogy

from holdfast.catalog import Bound
from holdfast.claims import Side
from holdfast.evidence import Array, Paired

BESIDE = 1e-9
ROUNDING = 1e-12
SHARES = (0.0, 1e-3, 0.02, 0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9, 0.98, 0.999, 1.0)


def tables(n: int) -> tuple[Array, Array]:
    """The wins and losses of every possible table of n examples."""
    won, lost = np.divmod(np.arange((n + 1) ** 2), n + 1)
    possible = won + lost <= n
    return won[possible], lost[possible]


def probabilities(n: int, won: Array, lost: Array, p_won: Array, p_lost: Array) -> Array:
    """Of each table (last axis) at each pair of chances."""
    tied = n - won - lost
    ways = gammaln(n + 1.0) - gammaln(won + 1.0) - gammaln(lost + 1.0) - gammaln(tied + 1.0)
    a, b = p_won[:, np.newaxis], p_lost[:, np.newaxis]
    rest = np.maximum(1.0 - a - b, 0.0)
    return np.asarray(np.exp(ways + xlogy(won, a) + xlogy(lost, b) + xlogy(tied, rest)))


def critical(limits: Array, shares: tuple[float, ...] = SHARES) -> tuple[Array, Array]:
    """Chances to win and to lose whose difference is right at, and right beside, a limit.

    With difference d the chance to win lies between max(0, -d) and (1 - d) / 2; each share is a place in between.
    """
    beside = np.concatenate([np.unique(limits) + off for off in (-BESIDE, 0.0, BESIDE)])
    d = np.unique(np.concatenate([np.clip(beside, -1.0, 1.0), np.linspace(-1.0, 1.0, 21)]))[:, np.newaxis]
    least, most = np.maximum(0.0, -d), (1.0 - d) / 2
    p_won = least + np.asarray(shares) * (most - least)
    return p_won.ravel(), np.maximum(p_won + d, 0.0).ravel()


def worst_coverage(bound: Bound, n: int, delta: float, side: Side, shares: tuple[float, ...] = SHARES) -> float:
    """The lowest coverage of the claims of this bound over all critical chances."""
    won, lost = tables(n)
    claim: Any = bound(Paired(won, lost, n), delta, side)
    p_won, p_lost = critical(np.concatenate([claim.lower, claim.upper]), shares)
    least = 1.0
    for part in np.array_split(np.arange(p_won.size), max(p_won.size * won.size // 10**6, 1)):
        difference = (p_lost[part] - p_won[part])[:, np.newaxis]
        covered = (claim.lower <= difference + 1e-15) & (difference - 1e-15 <= claim.upper)
        chance = np.sum(probabilities(n, won, lost, p_won[part], p_lost[part]) * covered, axis=-1)
        least = min(least, float(chance.min()))
    return least
