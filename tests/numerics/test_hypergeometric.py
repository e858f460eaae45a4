"""The hypergeometric tail, against whole numbers and against scipy."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import mpmath
import numpy as np
import pytest
from scipy.stats import hypergeom

from holdfast.numerics.binomial import hypergeometric_tail


def counted(k: int, pool: int, marked: int, drawn: int) -> Fraction:
    ways = sum(comb(marked, j) * comb(pool - marked, drawn - j) for j in range(min(k, drawn) + 1))
    return Fraction(ways, comb(pool, drawn))


def tail(k: int, pool: int, marked: int, drawn: int) -> float:
    return hypergeometric_tail(*(np.asarray(x) for x in (k, pool, marked, drawn))).item()


@pytest.mark.parametrize("pool", [1, 2, 5, 9])
def test_every_small_case_by_counting(pool: int) -> None:
    for marked in range(pool + 1):
        for drawn in range(pool + 1):
            for k in range(-1, pool + 2):
                assert tail(k, pool, marked, drawn) == pytest.approx(float(counted(k, pool, marked, drawn)), abs=1e-14)


def test_a_grid_against_scipy_down_to_very_small_tails() -> None:
    pool, drawn = 400, 120
    marked, k = np.meshgrid(np.arange(0, 401, 7), np.arange(0, 121, 3))
    found, expected = hypergeometric_tail(k, pool, marked, drawn), hypergeom.cdf(k, pool, marked, drawn)
    small = (expected < 1e-6) & (expected > 1e-250)
    assert np.sum(expected[small] < 1e-12) > 100  # the grid does reach there
    assert np.allclose(found, expected, rtol=1e-9, atol=1e-300)


@pytest.mark.parametrize(
    ("k", "pool", "marked", "drawn"),
    [(10, 300, 120, 100), (3, 500, 100, 100), (0, 1000, 60, 300), (20, 600, 200, 200), (95, 300, 200, 100)],
)
def test_small_tails_to_many_digits(k: int, pool: int, marked: int, drawn: int) -> None:
    exact = counted(k, pool, marked, drawn)
    assert exact < Fraction(1, 10**6) or k == 95
    assert tail(k, pool, marked, drawn) == pytest.approx(float(exact), rel=1e-11)


def exact_tail(k: int, pool: int, marked: int, drawn: int) -> mpmath.mpf:
    """The first term from log-gammas with forty digits, the others by their ratios."""
    with mpmath.workdps(40):

        def choose(n: int, r: int) -> mpmath.mpf:
            return mpmath.loggamma(n + 1) - mpmath.loggamma(r + 1) - mpmath.loggamma(n - r + 1)

        term = mpmath.exp(choose(marked, k) + choose(pool - marked, drawn - k) - choose(pool, drawn))
        total, at = term, k
        while term > total * mpmath.mpf(10) ** -25 and at > 0:
            term *= mpmath.mpf(at * (pool - marked - drawn + at)) / ((marked - at + 1) * (drawn - at + 1))
            total, at = total + term, at - 1
        return total


@pytest.mark.parametrize(
    ("k", "pool", "marked", "drawn"),
    [
        (49_500, 2_000_000, 100_000, 1_000_000),
        (48_500, 2_000_000, 100_000, 1_000_000),
        (50, 1_001_000, 5_000, 10_000),
        (4_990_000, 2 * 10**8, 10**7, 10**8),
    ],
)
def test_large_numbers_keep_nine_digits(k: int, pool: int, marked: int, drawn: int) -> None:
    assert abs(tail(k, pool, marked, drawn) / exact_tail(k, pool, marked, drawn) - 1) < 1e-9


def test_arrays_broadcast_and_agree_with_their_elements() -> None:
    k, marked = np.array([[0], [3]]), np.array([0, 4, 8])
    together = hypergeometric_tail(k, np.asarray(12), marked, np.asarray(5))
    assert together.shape == (2, 3)
    assert together[1, 2] == pytest.approx(tail(3, 12, 8, 5), rel=1e-14)


def test_more_marked_make_few_drawn_less_likely() -> None:
    tails = hypergeometric_tail(np.asarray(3), np.asarray(200), np.arange(200), np.asarray(50))
    assert np.all(np.diff(tails) <= 0)
