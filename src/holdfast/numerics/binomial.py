"""Binomial tails and their inverse, good to nearly the last digit from one trial to a thousand million.

A binomial tail is an incomplete beta function, ``P(X <= k) = I_x(n - k, k + 1)`` at x = 1 - p, and is worked on as one.
Hypergeometric tails are summed term by term.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtri

from holdfast.numerics.arrays import Array
from holdfast.numerics.beta import in_blocks, log_beta_density, log_beta_left, piecewise, solve_beta
from holdfast.numerics.limit import Upper


def binomial_tail_inverse(k: ArrayLike, n: ArrayLike, delta: ArrayLike) -> Upper:
    r"""Largest rate under which k or fewer events in n trials still have probability delta.

    Notes
    -----
    .. math:: \max\{p : P(X \le k \mid n, p) \ge \delta\}

    This is the upper Clopper-Pearson limit; the lower one is the room of the limit at n - k.

    Examples
    --------
    >>> limit, room = binomial_tail_inverse(8, 30, 0.025)
    >>> print(f"{limit:.10f} {room:.10f}")
    0.4588936514 0.5411063486
    """
    return Upper(*in_blocks(_limit, 2, k, n, *_with_normal_quantile(delta), scalars=True))


def binomial_tail(k: ArrayLike, n: ArrayLike, p: ArrayLike, room: ArrayLike | None = None) -> Array:
    """Probability of k or fewer events in n trials at the rate p.

    `room` is 1 - p, for callers who know it better than by subtraction; the probability of k or more events is
    then ``binomial_tail(n - k, n, room, p)``.

    Examples
    --------
    >>> print(f"{binomial_tail(1, 3, 0.5):.12f}")
    0.500000000000
    """
    return np.asarray(np.exp(log_binomial_tail(k, n, p, room)))


def log_binomial_tail(k: ArrayLike, n: ArrayLike, p: ArrayLike, room: ArrayLike | None = None) -> Array:
    """Logarithm of the probability of k or fewer events in n trials, however near 0 or 1 that may be.

    Examples
    --------
    >>> print(f"{log_binomial_tail(0, 10_000, 0.9):.6f}")
    -23025.850930
    """
    return in_blocks(_log_tail, 2, k, n, 1.0 - np.asarray(p, np.float64) if room is None else room, p)[0]


def log_binomial_tail_and_hazard(k: Array, n: Array, p: Array, room: Array) -> tuple[Array, Array]:
    """The same, and the logarithm of how fast it falls by the log-odds of p, for k from 0 to n - 1."""
    log_tail, log_density = in_blocks(_log_tail, 2, k, n, room, p)
    return log_tail, log_density - log_tail


def log_binomial_term(k: Array, n: Array, p: Array, room: Array) -> Array:
    """Logarithm of the probability of exactly k events, with no loss to cancellation at large n."""
    with np.errstate(divide="ignore", invalid="ignore"):  # none or nothing but events, put right below
        inner = log_beta_density(k, n - k, p, room) - np.log(k * (n - k) / n)
        return np.where(k == 0, np.where(n > 0, n * np.log(room), 0.0), np.where(k == n, n * np.log(p), inner))


def beta_quantile(a: ArrayLike, b: ArrayLike, delta: ArrayLike) -> Upper:
    """Point below which a beta variable with shapes a and b falls with probability delta.

    The shapes are positive and need not be whole. With one far below 1/2 the point may be too near 0 or 1 for any
    float, and is then 0 or 1.

    Examples
    --------
    >>> limit, room = beta_quantile(0.5, 0.5, 1 / 3)
    >>> print(f"{limit:.10f} {room:.10f}")
    0.2500000000 0.7500000000
    """
    return Upper(*in_blocks(solve_beta, 2, a, b, *_with_normal_quantile(delta), scalars=True))


def _with_normal_quantile(delta: ArrayLike) -> tuple[Array, Array]:
    """Delta, and the normal quantile of the smaller of delta and 1 - delta: only one where all share one delta."""
    chance = np.asarray(delta, np.float64)
    return chance, np.asarray(ndtri(np.minimum(chance, 1.0 - chance)), np.float64)


def _limit(k: Array, n: Array, delta: Array, z: Array) -> tuple[Array, Array]:
    room, limit = solve_beta(np.maximum(n - k, 1.0), k + 1.0, delta, z)
    # With nothing but events no rate is too large.
    return piecewise((limit, room), k >= n, lambda k: (np.ones_like(k), np.zeros_like(k)), k)


def _log_tail(k: Array, n: Array, x: Array, y: Array) -> tuple[Array, Array]:
    """Log I_x(n - k, k + 1), by the other part where that is the smaller; and the log density of the log-odds there."""
    a, b = np.maximum(n - k, 1.0), np.maximum(k + 1.0, 1.0)
    over = a * y < b * x  # x is above the mean
    log_i, log_density = log_beta_left(
        np.where(over, b, a), np.where(over, a, b), np.where(over, y, x), np.where(over, x, y)
    )
    log_i = np.where(over, np.log1p(-np.exp(log_i)), log_i)
    return np.where(k < 0, -np.inf, np.where(k >= n, 0.0, log_i)), log_density


BLOCK = 64  # terms added at a time
NEGLIGIBLE = 1e-17


def hypergeometric_tail(k: Array, pool: Array, marked: Array, drawn: Array) -> Array:
    """P(at most k marked among those drawn without replacement from the pool)."""
    k, pool, marked, drawn = np.broadcast_arrays(k, pool, marked, drawn)
    shape = k.shape
    k, pool, marked, drawn = (np.ravel(x).astype(np.float64) for x in (k, pool, marked, drawn))
    least, most = np.maximum(0.0, drawn + marked - pool), np.minimum(drawn, marked)
    # The shorter side of the mode is summed, away from it, so every term is smaller than the one before.
    mode = np.floor((drawn + 1) * (marked + 1) / (pool + 2))
    below = k < mode
    start = np.where(below, k, k + 1)
    step = np.where(below, -1.0, 1.0)
    outside = (start < least) | (start > most)
    total = np.where(outside, 0.0, 1.0)
    term, at = total.copy(), start.copy()
    while np.any(term > NEGLIGIBLE * total):
        offsets = at[:, np.newaxis] + step[:, np.newaxis] * np.arange(BLOCK)
        ratios = _ratio(offsets, step[:, np.newaxis], *(x[:, np.newaxis] for x in (pool, marked, drawn)))
        terms = term[:, np.newaxis] * np.cumprod(np.maximum(ratios, 0.0), axis=1)
        total, term, at = total + terms.sum(axis=1), terms[:, -1], at + step * BLOCK
    side = np.where(outside, 0.0, total * np.exp(_log_term(np.clip(start, least, most), pool, marked, drawn)))
    return np.where(below, side, 1.0 - side).reshape(shape)


def _ratio(at: Array, step: Array, pool: Array, marked: Array, drawn: Array) -> Array:
    """The probability of at + step over that of at; zero or less beyond the ends."""
    up = (marked - at) * (drawn - at) / np.maximum((at + 1) * (pool - marked - drawn + at + 1), 1.0)
    down = at * (pool - marked - drawn + at) / np.maximum((marked - at + 1) * (drawn - at + 1), 1.0)
    return np.where(step > 0, up, down)


def _log_term(at: Array, pool: Array, marked: Array, drawn: Array) -> Array:
    """As three binomial terms at the share drawn, which cancels: no factorial of the pool is ever formed."""
    share, rest = drawn / pool, (pool - drawn) / pool
    terms = (
        log_binomial_term(of, size, share, rest)
        for of, size in ((at, marked), (drawn - at, pool - marked), (drawn, pool))
    )
    among_marked, among_others, among_all = terms
    return among_marked + among_others - among_all
