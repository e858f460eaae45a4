"""Binomial tails and their inverse against 50-digit arithmetic, and the laws that hold between them."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.numerics import binomial
from holdfast.numerics.binomial import beta_quantile, binomial_tail, binomial_tail_inverse, log_binomial_tail

mpmath.mp.dps = 50
BITS = 200  # of the fixed-point sums below

DELTAS = [0.5, 0.2, 0.05, 0.025, 1e-6, 1e-12]
SIZES = [1, 2, 5, 30, 100, 999, 1000, 1001, 10**4, 10**6, 10**7, 10**9]


# The oracle ---------------------------------------------------------------------------------------------------------


def rates(p: float, room: float) -> tuple[Fraction, Fraction]:
    """The exact rate meant by two floats, of which the smaller holds the digits, and one minus it."""
    return (Fraction(p), 1 - Fraction(p)) if p <= room else (1 - Fraction(room), Fraction(room))


def real(x: Fraction) -> mpmath.mpf:
    return mpmath.mpf(x.numerator) / x.denominator


def terms_below(k: int, n: int, odds: Fraction) -> mpmath.mpf:
    """P(X <= k) / P(X = k): the binomial terms added from k downwards until they vanish, in 200-bit integers."""
    up, down = odds.numerator, odds.denominator
    term = total = 1 << BITS
    for j in range(k, 0, -1):
        term = term * (j * down) // ((n - j + 1) * up)
        if not term:
            break
        total += term
    return mpmath.mpf(total) / (1 << BITS)


def log_term(k: int, n: int, p: Fraction, room: Fraction) -> mpmath.mpf:
    """log P(X = k)."""
    ways = mpmath.loggamma(n + 1) - mpmath.loggamma(k + 1) - mpmath.loggamma(n - k + 1)
    return ways + k * mpmath.log(real(p)) + (n - k) * mpmath.log(real(room))


def exact_log_tail(k: int, n: int, p: float, room: float) -> mpmath.mpf:
    """log P(X <= k), by whichever side of k has the smaller sum."""
    rate, rest = rates(p, room)
    if k <= n * rate:
        return log_term(k, n, rate, rest) + mpmath.log(terms_below(k, n, rate / rest))
    above = log_term(k + 1, n, rate, rest) + mpmath.log(terms_below(n - k - 1, n, rest / rate))
    return mpmath.log1p(-mpmath.exp(above))


def errors(k: int, n: int, delta: float, limit: float, room: float) -> tuple[float, float]:
    """Relative errors of a limit and its room: the residual of the log tail, through its exact slope in the odds."""
    rate, rest = rates(limit, room)
    ratio = terms_below(k, n, rate / rest)
    p, q = real(rate), real(rest)
    miss = log_term(k, n, rate, rest) + mpmath.log(ratio) - mpmath.log(delta)
    shift = miss * ratio / ((n - k) * p)
    return float(limit / (p * (1 + q * shift)) - 1), float(room / (q * (1 - p * shift)) - 1)


def some_counts(n: int) -> list[int]:
    edge = {0, 1, 2, 3, 10, 37, 38, 39, 40, 41, 100, 998, 999, 1000, 1001, n // 10, n // 3, n // 2}
    return sorted(k for k in edge | {n - k for k in edge} if 0 <= k < n)


# The inverse --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("n", SIZES)
def test_limit_and_room_to_the_last_digits(n: int) -> None:
    pairs = [(k, delta) for k in some_counts(n) for delta in DELTAS]
    if n == 10**9:  # a sum of a hundred thousand terms each
        pairs = [(k, d) for k, d in pairs if min(k, n - k) < 10**5 or d in (0.025, 1e-12)]
    found = binomial_tail_inverse(*np.transpose(pairs)[:1].astype(int), n, [delta for _, delta in pairs])
    for (k, delta), limit, room in zip(pairs, found.limit, found.room, strict=True):
        assert np.abs(errors(k, n, delta, limit, room)).max() < 2e-14, (k, n, delta)


def test_limit_and_room_at_random() -> None:
    seeded = np.random.default_rng(20)
    n = np.exp(seeded.uniform(0, np.log(1e7), 1500)).astype(int) + 1
    k = np.minimum(seeded.binomial(n, np.exp(seeded.uniform(np.log(1e-6), 0, n.size))), n - 1)
    delta = np.exp(seeded.uniform(np.log(1e-12), np.log(0.5), n.size))
    found = binomial_tail_inverse(k, n, delta)
    worst = [errors(*map(int, kn), *rest) for *kn, *rest in zip(k, n, delta, *found, strict=True)] if False else [
        errors(int(k[i]), int(n[i]), float(delta[i]), float(found.limit[i]), float(found.room[i])) for i in range(n.size)
    ]
    assert np.abs(worst).max() < 2e-14
