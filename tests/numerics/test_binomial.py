"""Binomial tails and their inverse against sums in fifty digits, and the laws between them."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.numerics.beta import MANY
from holdfast.numerics.binomial import (
    beta_quantile,
    binomial_tail,
    binomial_tail_inverse,
    log_binomial_tail,
    log_binomial_tail_and_hazard,
)

DIGITS = 50
BITS = 200  # of the fixed-point sums
DELTAS = (0.5, 0.2, 0.05, 0.025, 1e-6, 1e-12)
FAR_DELTAS = (1e-300, 1e-150, 1e-40, 0.9, 0.999, 1 - 1e-12)


@pytest.fixture(autouse=True)
def fifty_digits() -> object:
    with mpmath.workdps(DIGITS):
        yield


# The oracle: binomial terms added one by one, sharing no line with what is tested.


def exact_rates(p: float, room: float) -> tuple[Fraction, Fraction]:
    """The rate that two floats stand for, of which the smaller holds the digits, and one minus it."""
    return (Fraction(p), 1 - Fraction(p)) if p <= room else (1 - Fraction(room), Fraction(room))


def real(x: Fraction) -> mpmath.mpf:
    return mpmath.mpf(x.numerator) / x.denominator


def terms_below(k: int, n: int, odds: Fraction) -> mpmath.mpf:
    """P(X <= k) / P(X = k): the terms from k downwards until they vanish, in integers of 200 bits."""
    up, down = odds.numerator, odds.denominator
    term = total = 1 << BITS
    for j in range(k, 0, -1):
        term = term * (j * down) // ((n - j + 1) * up)
        if not term:
            break
        total += term
    return mpmath.mpf(total) / (1 << BITS)


def log_term(k: int, n: int, p: Fraction, room: Fraction) -> mpmath.mpf:
    ways = mpmath.loggamma(n + 1) - mpmath.loggamma(k + 1) - mpmath.loggamma(n - k + 1)
    return ways + k * mpmath.log(real(p)) + (n - k) * mpmath.log(real(room))


def exact_log_tail(k: int, n: int, p: float, room: float) -> mpmath.mpf:
    """log P(X <= k), by whichever side of k is the smaller."""
    rate, rest = exact_rates(p, room)
    if k <= n * rate:
        return log_term(k, n, rate, rest) + mpmath.log(terms_below(k, n, rate / rest))
    above = log_term(k + 1, n, rate, rest) + mpmath.log(terms_below(n - k - 1, n, rest / rate))
    return mpmath.log1p(-mpmath.exp(above))


def worst_error(k: int, n: int, delta: float, limit: float, room: float) -> float:
    """The larger relative error of a limit and its room: the residual of log P over its slope by the log odds."""
    rate, rest = exact_rates(limit, room)
    ratio = terms_below(k, n, rate / rest)
    p, q = real(rate), real(rest)
    missed = log_term(k, n, rate, rest) + mpmath.log(ratio) - mpmath.log(delta)
    move = missed * ratio / ((n - k) * p)
    return float(max(abs(limit / (p * (1 + q * move)) - 1), abs(room / (q * (1 - p * move)) - 1)))


def worst_of(cases: list[tuple[int, int, float]]) -> float:
    k, n, delta = (np.array(column) for column in zip(*cases, strict=True))
    limits, rooms = binomial_tail_inverse(k, n, delta)
    return max(worst_error(*case, *found) for case, found in zip(cases, zip(limits, rooms, strict=True), strict=True))


def counts(n: int) -> list[int]:
    low = {0, 1, 2, 3, 10, 37, 38, 39, 40, 41, 100, 998, 999, 1000, 1001, n // 10, n // 3, n // 2}
    return sorted(k for k in low | {n - k for k in low} if 0 <= k < n)


# The inverse


@pytest.mark.parametrize("n", [1, 2, 5, 30, 100, 999, 1000, 1001, 10**4, 10**6, 10**7])
def test_limit_and_room_are_right_to_the_last_digits(n: int) -> None:
    assert worst_of([(k, n, delta) for k in counts(n) for delta in DELTAS]) < 1.5e-14


def test_limit_and_room_of_a_thousand_million_trials() -> None:
    n = 10**9
    few = [k for k in counts(n) if min(k, n - k) < 10**5]
    cases = [(k, n, delta) for k in few for delta in DELTAS]
    cases += [(k, n, delta) for k in (n // 10, n // 2, n - n // 10) for delta in (0.5, 0.025, 1e-12)]
    assert worst_of(cases) < 1.5e-14


def test_limit_and_room_at_random() -> None:
    seeded = np.random.default_rng(20)
    n = np.exp(seeded.uniform(np.log(2), np.log(1e7), 2000)).astype(int)
    k = np.minimum(seeded.binomial(n, np.exp(seeded.uniform(np.log(1e-6), 0, n.size))), n - 1)
    mirrored = seeded.random(n.size) < 0.5
    k = np.where(mirrored, n - 1 - k, k)
    delta = np.exp(seeded.uniform(np.log(1e-12), np.log(0.5), n.size))
    assert worst_of(list(zip(k.tolist(), n.tolist(), delta.tolist(), strict=True))) < 1.5e-14


def test_hardly_any_delta_is_too_small_or_too_large() -> None:
    cases = [(k, n, delta) for n in (2, 30, 1001, 10**6, 10**9) for k in counts(n) for delta in FAR_DELTAS]
    assert worst_of([(k, n, d) for k, n, d in cases if min(k, n - k) < 10**5]) < 1e-12


def test_counts_far_beyond_a_thousand_million() -> None:
    assert worst_of([(k, 10**15, delta) for k in (0, 1, 5, 1000) for delta in DELTAS]) < 1e-12


def test_nothing_is_known_without_a_success() -> None:
    limit, room = binomial_tail_inverse([0, 1, 7, 10**9], [0, 1, 7, 10**9], 0.05)
    np.testing.assert_array_equal(limit, 1.0)
    np.testing.assert_array_equal(room, 0.0)


def test_a_delta_of_zero_or_one_gives_an_end_of_the_range() -> None:
    limit, room = binomial_tail_inverse([0, 3, 9], 10, [[0.0], [1.0]])
    np.testing.assert_array_equal(limit, [[1.0] * 3, [0.0] * 3])
    np.testing.assert_array_equal(room, [[0.0] * 3, [1.0] * 3])


def test_shapes_broadcast_and_a_scalar_stays_one() -> None:
    assert binomial_tail_inverse(3, 10, 0.05).limit.shape == ()
    assert binomial_tail_inverse(np.ones((4, 1)), np.full(3, 10), 0.05).room.shape == (4, 3)
    assert binomial_tail_inverse([], 10, 0.05).limit.shape == (0,)
    assert binomial_tail(3, 10, np.full((2, 2), 0.5)).shape == (2, 2)


def test_scalars_arrays_and_threads_give_the_same_digits() -> None:
    seeded = np.random.default_rng(1)
    n = np.exp(seeded.uniform(0, np.log(1e9), MANY + 5)).astype(int)
    k = np.floor(n * seeded.random(n.size) ** 4)
    delta = np.exp(seeded.uniform(np.log(1e-200), 0, n.size))
    p = np.clip(k / n + seeded.normal(0, 2, n.size) / np.sqrt(n), 0, 1)
    for work, third in ((binomial_tail_inverse, delta), (log_binomial_tail, p)):
        threaded = np.array(work(k, n, third))
        pieces = [work(k[i : i + 6007], n[i : i + 6007], third[i : i + 6007]) for i in range(0, n.size, 6007)]
        np.testing.assert_allclose(threaded, np.concatenate(pieces, axis=-1), rtol=1e-13)
        for i in range(0, n.size, 401):
            np.testing.assert_allclose(threaded[..., i], np.array(work(k[i], n[i], third[i])), rtol=1e-13)


# The tail


def rates_around(k: int, n: int) -> list[float]:
    """Rates from far below k / n to far above it, on the scale of the log odds."""
    centre, spread = np.log((k + 1) / (n - k + 1)), np.sqrt(1 / (k + 1) + 1 / (n - k + 1))
    return [float(1 / (1 + np.exp(-centre - z * spread))) for z in (-7, -3, -1, -0.1, 0.3, 2, 5, 9, 12)]


@pytest.mark.parametrize("n", [1, 2, 30, 1000, 10**4, 10**5, 10**7])
def test_the_tail_keeps_its_relative_precision(n: int) -> None:
    cases = [(k, p) for k in counts(n) for p in rates_around(k, n)]
    found = log_binomial_tail([k for k, _ in cases], n, [p for _, p in cases])
    for (k, p), log_tail in zip(cases, found, strict=True):
        exact = exact_log_tail(k, n, p, float(1 - Fraction(p)))
        assert abs(log_tail / exact - 1) < 1e-12, (k, n, p)  # where the tail is nearly 1, and where it is next to none
        assert abs(log_tail - exact) < 1e-12 or exact < -92, (k, n, p)  # and the tail itself, down to 1e-40


@pytest.mark.parametrize("n", [2, 30, 1000, 10**5])
def test_the_hazard_is_what_the_log_of_the_tail_loses(n: int) -> None:
    cases = [(k, p) for k in counts(n) if k < n for p in rates_around(k, n)]
    k, p = (np.array(column) for column in zip(*cases, strict=True))
    log_tail, log_hazard = log_binomial_tail_and_hazard(k, np.full(k.shape, n), p, 1 - p)
    assert np.array_equal(log_tail, log_binomial_tail(k, n, p, 1 - p))
    for here, rate, found in zip(k, p, log_tail + log_hazard, strict=True):
        # By the log-odds the tail falls by (n - k) C(n, k) p**(k + 1) (1 - p)**(n - k), as its sum telescopes.
        rate, room = mpmath.mpf(float(rate)), 1 - mpmath.mpf(float(rate))
        inner = mpmath.log(mpmath.binomial(n, int(here)) * (n - int(here)))
        exact = inner + (int(here) + 1) * mpmath.log(rate) + (n - int(here)) * mpmath.log(room)
        assert abs(found - exact) < 1e-11 * max(1, abs(exact)), (here, n, rate)


@pytest.mark.skipif(np.finfo(np.longdouble).nmant < 60, reason="there betaincc has only the precision of betainc")
@pytest.mark.parametrize("k", [0, 3, 40, 1000, 10**7, 10**9 // 2, 10**9 - 1000, 10**9 - 3])
def test_the_tail_of_a_thousand_million_trials(k: int) -> None:
    for p in rates_around(k, 10**9)[::3]:
        exact = exact_log_tail(k, 10**9, p, float(1 - Fraction(p)))
        assert abs(log_binomial_tail(k, 10**9, p) - exact) < 1e-12, (k, p)


@pytest.mark.parametrize(
    ("k", "n", "p"),
    [(0, 10**6, 0.7), (5, 10**5, 0.9999), (10**5, 10**7, 0.2), (700, 10**9, 1e-3), (400, 1000, 0.9), (3, 40, 1 - 1e-9)],
)
def test_the_log_does_not_underflow(k: int, n: int, p: float) -> None:
    exact = exact_log_tail(k, n, p, float(1 - Fraction(p)))
    assert exact < -400
    assert abs(log_binomial_tail(k, n, p) / exact - 1) < 1e-12


@pytest.mark.parametrize(
    ("k", "n", "p"),
    [(1, 10, 1e-20), (2, 10**9, 1e-15), (2, 10**9, 3e-11), (40, 10**9, 1.1e-9), (35, 10**11, 200_000.5 * 2**-53)],
)
def test_a_tiny_rate_given_as_room_keeps_its_digits(k: int, n: int, p: float) -> None:
    """P(X >= k) is the tail at n - k, with the rate as room."""
    exact = exact_log_tail(n - k, n, float(1 - Fraction(p)), p)
    assert abs(log_binomial_tail(n - k, n, 1.0 - p, p) - exact) < 1e-12


def test_tails_at_the_ends() -> None:
    tails = binomial_tail([-1, 0, 4, 5, 9], 5, [[0.0], [0.5], [1.0]])
    np.testing.assert_allclose(tails, [[0, 1, 1, 1, 1], [0, 1 / 32, 31 / 32, 1, 1], [0, 0, 0, 1, 1]], rtol=1e-15)


# Laws

trials = st.integers(min_value=1, max_value=10**9)
shares = st.floats(min_value=0, max_value=1)
chances = st.floats(min_value=1e-12, max_value=0.999)


@given(n=trials, share=shares, delta=chances)
@settings(max_examples=200, deadline=None)
def test_more_events_raise_the_limit(n: int, share: float, delta: float) -> None:
    k = int(share * (n - 1))
    limit, room = binomial_tail_inverse([k, k + 1], n, delta)
    assert limit[0] < limit[1] or (limit[1] == 1.0 and room[0] > room[1])
    assert room[0] > room[1]


@given(n=trials, share=shares, delta=chances)
@settings(max_examples=200, deadline=None)
def test_more_risk_lowers_the_limit(n: int, share: float, delta: float) -> None:
    limit, room = binomial_tail_inverse(int(share * (n - 1)), n, [delta, delta * (1 + 1e-6)])
    assert limit[0] >= limit[1]
    assert room[0] <= room[1]
    assert limit[0] > limit[1] or room[0] < room[1]


@given(n=trials, share=shares, delta=chances)
@settings(max_examples=200, deadline=None)
def test_the_limit_inverts_the_tail(n: int, share: float, delta: float) -> None:
    k = int(share * (n - 1))
    limit, room = binomial_tail_inverse(k, n, delta)
    assert limit + room == pytest.approx(1, abs=3e-16)
    # A last digit of the limit is worth up to sqrt(n) last digits of the tail, times the distance in deviations.
    assert binomial_tail(k, n, limit, room) == pytest.approx(delta, rel=2e-14 + 1e-15 * 8 * np.sqrt(n))


@given(n=st.integers(min_value=1, max_value=10**6), share=shares, p=st.floats(min_value=1e-9, max_value=1))
@settings(max_examples=200, deadline=None)
def test_the_two_sides_make_a_whole(n: int, share: float, p: float) -> None:
    k = int(share * (n - 1))
    room = 1 - p
    assert binomial_tail(k, n, p, room) + binomial_tail(n - k - 1, n, room, p) == pytest.approx(1, abs=1e-12)


@given(n=st.integers(min_value=2, max_value=10**6), share=shares, p=st.floats(min_value=1e-9, max_value=1))
@settings(max_examples=200, deadline=None)
def test_one_trial_more_mixes_two_tails(n: int, share: float, p: float) -> None:
    k = int(share * (n - 1))
    without, with_one_fewer = binomial_tail([k, k - 1], n - 1, p)
    assert binomial_tail(k, n, p) == pytest.approx((1 - p) * without + p * with_one_fewer, rel=3e-12, abs=1e-300)


# Beta quantiles


@pytest.mark.parametrize("delta", [1e-12, 1e-4, 0.025, 0.3, 0.5, 0.7, 0.999])
def test_the_arcsine_law_has_a_closed_quantile(delta: float) -> None:
    limit, room = beta_quantile(0.5, 0.5, delta)
    angle = mpmath.pi * mpmath.mpf(delta) / 2
    assert abs(limit / mpmath.sin(angle) ** 2 - 1) < 1e-13
    assert abs(room / mpmath.cos(angle) ** 2 - 1) < 1e-13


@pytest.mark.parametrize("n", [1, 5, 30, 400])
def test_quantiles_of_half_integer_shapes(n: int) -> None:
    """Jeffreys' interval, by the residual in mpmath's own incomplete beta function."""
    cases = [(k + 0.5, n - k + 0.5, d) for k in {0, 1, 3, n // 2, n - 1, n} if 0 <= k <= n for d in (1e-6, 0.025, 0.5)]
    found = beta_quantile(*np.transpose(cases))
    for (a, b, delta), limit, room in zip(cases, *found, strict=True):
        x, y = map(real, exact_rates(limit, room))
        below = mpmath.betainc(a, b, 0, x, regularized=True)
        move = mpmath.log(delta / below) * below * mpmath.beta(a, b) / (x**a * y**b)
        assert abs(limit / (x * (1 + y * move)) - 1) < 1e-13, (a, b, delta)
        assert abs(room / (y * (1 - x * move)) - 1) < 1e-13, (a, b, delta)


@pytest.mark.parametrize(("a", "b"), [(0.5, 1e9 + 0.5), (1e9 + 0.5, 0.5), (1e5 + 0.5, 1e9), (0.7, 0.3)])
def test_quantiles_mirror(a: float, b: float) -> None:
    limit, room = beta_quantile(a, b, [0.0625, 0.5, 0.96875])
    mirrored = beta_quantile(b, a, [0.9375, 0.5, 0.03125])
    np.testing.assert_allclose(limit, mirrored.room, rtol=1e-13)
    np.testing.assert_allclose(room, mirrored.limit, rtol=1e-13)


def test_quantiles_of_extreme_shapes_stay_in_order() -> None:
    delta = np.geomspace(1e-250, 0.5, 40)
    for a, b in ((0.5, 0.5), (0.5, 1e6), (1e6, 0.5), (2.5, 1e9), (1e9, 2.5), (0.1, 3.0)):
        limit, room = beta_quantile(a, b, delta)
        assert np.isfinite(limit).all()
        assert np.isfinite(room).all()
        assert (np.diff(limit) >= 0).all()
        assert (np.diff(room) <= 0).all()
