"""Bounds for losses, each against a plain scalar transcription of the equation its source prints."""

from __future__ import annotations

from collections.abc import Callable
from math import ceil, exp, fsum, log, sqrt

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.stats import binom

import holdfast as hf
from holdfast.catalog import find
from holdfast.evidence import Counts, Losses

# n, mean, variance with divisor n, delta: sizes, rates and confidences of every order
CASES = [
    (1, 0.3, 0.0, 0.05),
    (2, 0.5, 0.25, 0.1),
    (2, 0.2, 0.01, 0.4),
    (10, 0.0, 0.0, 0.05),
    (10, 0.1, 0.05, 0.05),
    (10, 1.0, 0.0, 0.05),
    (100, 0.25, 0.1, 1e-3),
    (1000, 0.1, 0.02, 0.05),
    (1000, 0.9, 0.09, 0.3),
    (10**6, 0.001, 1e-4, 1e-9),
    (10**9, 0.5, 0.25, 1e-12),
]
Transcription = Callable[[int, float, float, float], float]


def solved(excess: Callable[[float], float], start: float) -> float:
    """The largest root between start and 1; 1 where there is none, and start where all of that is excluded."""
    if excess(1.0) >= 0:
        return 1.0
    above = max(start, 1e-15)  # at a mean of 0 some have a root already
    return brentq(excess, above, 1.0, xtol=1e-16, rtol=1e-15) if excess(above) > 0 else start


def hoeffding(n: int, m: float, s2: float, delta: float) -> float:
    return m + sqrt(log(1 / delta) / (2 * n))


def hoeffding_kl(n: int, m: float, s2: float, delta: float) -> float:
    def divergence(q: float) -> float:
        first = m * log(m / q) if m > 0 else 0.0
        return first + ((1 - m) * log((1 - m) / (1 - q)) if q < 1 else float("inf") if m < 1 else 0.0)

    if m == 0:
        return 1 - delta ** (1 / n)
    return solved(lambda q: log(1 / delta) / n - divergence(q), m)


def bernstein(n: int, m: float, s2: float, delta: float) -> float:
    x = log(1 / delta)
    return solved(lambda q: m + sqrt(q * (1 - q)) * sqrt(2 * x / n) + x / (3 * n) - q, min(m, 1.0))


def maurer_pontil(n: int, m: float, s2: float, delta: float) -> float:
    return m + sqrt(2 * (n / (n - 1)) * s2 * log(2 / delta) / n) + 7 * log(2 / delta) / (3 * (n - 1))


def mau(n: int, m: float, s2: float, delta: float) -> float:
    return m + sqrt(s2) * sqrt(2 * log(2 / delta) / n) + 7 * log(2 / delta) / (3 * (n - 1))


def cantelli(n: int, m: float, s2: float, delta: float) -> float:
    return solved(lambda q: q * (1 - q) * (1 - delta) / (delta * n) - (q - m) ** 2, m)


def che(n: int, m: float, s2: float, delta: float) -> float:
    return solved(lambda q: q * (1 - q) / (delta * n) - (q - m) ** 2, m)


def guttman_with(n: int, m: float, s2: float, times: float) -> float:
    return solved(lambda q: s2 / (n - 1) + q * (1 - q) * times * sqrt(2 / (n * (n - 1))) - (q - m) ** 2, m)


def guttman(n: int, m: float, s2: float, delta: float) -> float:
    return guttman_with(n, m, s2, sqrt((1 - delta) / delta))


def gut(n: int, m: float, s2: float, delta: float) -> float:
    return guttman_with(n, m, s2, 1 / sqrt(delta))


def chernoff(n: int, m: float, s2: float, delta: float) -> float:
    c = log(1 / delta) / n
    return m + c + sqrt(c * c + 2 * m * c)


def crf(n: int, m: float, s2: float, delta: float) -> float:
    return m + sqrt(2 * m * log(1 / delta) / n) + 2 * log(1 / delta) / n


UPPER: dict[str, Transcription] = {
    "hoeffding": hoeffding,
    "hoeffding-kl": hoeffding_kl,
    "bernstein": bernstein,
    "maurer-pontil": maurer_pontil,
    "chebyshev": cantelli,
    "guttman": guttman,
    "chernoff": chernoff,
    "CHE": che,
    "GUT": gut,
    "MAU": mau,
    "CRF": crf,
}


@pytest.mark.parametrize("name", UPPER)
def test_the_upper_limit_is_the_equation_as_printed(name: str) -> None:
    for n, m, s2, delta in CASES:
        claim = hf.bound(Losses.from_moments(n, m, s2), name, delta=delta, side="upper")
        expected = 1.0 if n < find(name).least else min(UPPER[name](n, m, s2, delta), 1.0)
        assert claim.upper == pytest.approx(expected, rel=1e-10, abs=1e-13)
        assert claim.lower == 0.0


@pytest.mark.parametrize("name", [name for name in UPPER if name not in ("chernoff", "CRF")])
def test_the_lower_limit_is_the_mirror_image(name: str) -> None:
    for n, m, s2, delta in CASES:
        claim = hf.bound(Losses.from_moments(n, m, s2), name, delta=delta, side="lower")
        mirrored = 1.0 if n < find(name).least else min(UPPER[name](n, 1 - m, s2, delta), 1.0)
        assert claim.lower == pytest.approx(1 - mirrored, rel=1e-8, abs=1e-12)
        assert claim.upper == 1.0


@pytest.mark.parametrize(("n", "m", "s2", "delta"), CASES)
@pytest.mark.parametrize("name", ["chernoff", "CRF"])
def test_chernoffs_lower_limit_is_its_own(name: str, n: int, m: float, s2: float, delta: float) -> None:
    claim = hf.bound(Losses.from_moments(n, m, s2), name, delta=delta, side="lower")
    assert claim.lower == pytest.approx(max(m - sqrt(2 * m * log(1 / delta) / n), 0.0), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize(("name", "printed"), [("chebyshev", che), ("CHE", che), ("guttman", gut), ("GUT", gut)])
def test_two_sides_of_a_squared_distance_use_the_whole_delta(name: str, printed: Transcription) -> None:
    claim = hf.bound(Losses.from_moments(1000, 0.1, 0.02), name, delta=0.05)
    assert claim.upper == pytest.approx(printed(1000, 0.1, 0.02, 0.05), rel=1e-12)
    assert claim.lower == pytest.approx(1 - printed(1000, 0.9, 0.02, 0.05), rel=1e-12)


@pytest.mark.parametrize("name", ["hoeffding", "hoeffding-kl", "bernstein", "maurer-pontil", "chernoff", "bentkus"])
def test_two_sides_of_the_others_are_two_bounds_at_half_delta(name: str) -> None:
    losses = Losses.from_moments(1000, 0.1, 0.02)
    both = hf.bound(losses, name, delta=0.1)
    assert both.upper == hf.bound(losses, name, delta=0.05, side="upper").upper
    assert both.lower == hf.bound(losses, name, delta=0.05, side="lower").lower


# ---- Bentkus


@pytest.mark.parametrize("delta", [0.5, 0.05, 1e-6])
@pytest.mark.parametrize("values", [[0.1] * 30, [0.5, 0.25, 0.75], [0.0, 0.0], [1.0, 1.0], [0.3] * 7 + [0.9] * 12])
def test_bentkus_is_the_exact_tail_at_the_rounded_sum_over_e(values: list[float], delta: float) -> None:
    n, events = len(values), ceil(fsum(values))
    claim = hf.bound(Losses(values), "bentkus", delta=delta, side="upper")
    if events == n:
        assert claim.upper == 1.0
    else:
        assert binom.cdf(events, n, claim.upper) == pytest.approx(delta / exp(1), rel=1e-9)


def test_bentkus_counts_thirty_tenths_as_three_events() -> None:
    claim = hf.bound(Losses([0.1] * 30), "bentkus", side="upper")
    assert claim.upper == hf.bound(Losses.from_moments(30, 0.1), "bentkus", side="upper").upper
    assert claim.upper < hf.bound(Losses([0.1] * 29 + [0.101]), "bentkus", side="upper").upper


# ---- Ranges and relations


def test_hoeffding_with_a_range_for_each_example_is_bax_equation_1() -> None:
    low, high = np.tile([0.0, 0.0, 1.0, -1.0], 10), np.tile([1.0, 2.0, 1.5, 3.0], 10)
    values = np.tile([0.5, 1.0, 1.2, 0.0], 10)
    claim = hf.bound(Losses(values, low, high), delta=0.1, side="upper")
    slack = sqrt(fsum((high - low) ** 2) * log(1 / 0.1) / 2) / 40
    assert claim.method == "hoeffding"
    assert claim.upper == pytest.approx(values.mean() + slack, rel=1e-12)
    assert claim.estimate == pytest.approx(values.mean(), rel=1e-15)
    assert "its own stated range" in claim.assumes[-1]


@pytest.mark.parametrize("name", UPPER)
def test_user_units_scale_and_shift_the_limits(name: str) -> None:
    values = np.random.default_rng(5).random(40)
    unit = hf.bound(Losses(values), name)
    scaled = hf.bound(Losses(5 * values - 2, low=-2, high=3), name)
    for ours, theirs in ((unit.lower, scaled.lower), (unit.upper, scaled.upper), (unit.estimate, scaled.estimate)):
        assert theirs == pytest.approx(5 * ours - 2, abs=1e-12)


@pytest.mark.parametrize(("n", "m", "s2", "delta"), CASES)
def test_what_is_tighter_is_tighter(n: int, m: float, s2: float, delta: float) -> None:
    losses = Losses.from_moments(n, m, s2)
    upper = {name: hf.bound(losses, name, delta=delta, side="upper").upper for name in UPPER}
    for tight, loose in [
        ("hoeffding-kl", "hoeffding"),
        ("hoeffding-kl", "bernstein"),
        ("hoeffding-kl", "chernoff"),
        ("chernoff", "CRF"),
        ("chebyshev", "CHE"),
        ("guttman", "GUT"),
        ("MAU", "maurer-pontil"),
    ]:
        assert upper[tight] <= upper[loose] * (1 + 1e-12), f"{tight} above {loose}"


def test_counts_go_through_the_same_formulas() -> None:
    for name in UPPER:
        counts = hf.bound(Counts(3, 20), name)
        losses = hf.bound(Losses.from_moments(20, 0.15, 0.15 * 0.85), name)
        assert (counts.lower, counts.upper) == pytest.approx((losses.lower, losses.upper), rel=1e-12, abs=1e-14)
