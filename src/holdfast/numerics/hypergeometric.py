"""The hypergeometric tail, summed term by term."""

from __future__ import annotations

import numpy as np

from holdfast.numerics.arrays import Array
from holdfast.numerics.binomial import log_binomial_term

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
