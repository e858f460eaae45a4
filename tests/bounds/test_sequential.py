"""Limits that hold at every moment: fixtures, an oracle, and the chance of ever missing, counted out or simulated."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from mpmath import mp
from scipy.special import bdtrc

from holdfast.bounds.sequential import CountSequence, beta_binomial
from holdfast.claims import Assumption, Side
from holdfast.evidence import Array, Counts, Integers
from tests.tries import tries

BY_CHANCE = 1e-6
LOOKS = 2000

# ---- One look


@pytest.mark.parametrize(
    ("k", "n", "lower", "upper", "one_sided"),
    [
        (5, 100, 0.007149, 0.155794, 0.137429),
        (50, 1000, 0.028720, 0.079240, 0.074664),
        (0, 50, 0.0, 0.104642, 0.072886),
    ],
)
def test_published_limits(k: int, n: int, lower: float, upper: float, one_sided: float) -> None:
    both = beta_binomial(Counts(k, n), 0.05)
    assert (both.lower, both.upper) == pytest.approx((lower, upper), abs=6e-7)
    assert beta_binomial(Counts(k, n), 0.05, "upper").upper == pytest.approx(one_sided, abs=6e-7)
    assert both.assumes == (Assumption.INDEPENDENT, Assumption.FIXED_MODEL, Assumption.ANY_TIME)


def log_wealth(k: int, n: int, p: object, one_sided: bool) -> object:
    """What the bets have won against p, with fifty digits."""
    a, b = k + mp.mpf(1) / 2, n - k + mp.mpf(1) / 2
    won = mp.log(mp.beta(a, b)) - mp.log(mp.pi) - k * mp.log(p) - (n - k) * mp.log(1 - p)
    if one_sided:
        below = mp.betainc(a, b, 0, p, regularized=True)
        won += mp.log(below) - mp.log(2 / mp.pi * mp.asin(mp.sqrt(p)))
    return won


CASES = [(0, 1), (1, 2), (0, 50), (5, 100), (1, 1000), (999, 1000)]
LARGE = [(0, 10**9), (1, 10**9), (12_345, 10**9), (10**9 // 2, 10**9), (10**9 - 1, 10**9)]


@pytest.mark.parametrize("delta", [0.9, 0.05, 1e-12])
@pytest.mark.parametrize(("k", "n", "side"), [(k, n, side) for k, n in CASES for side in ("both", "upper", "lower")])
def test_limits_to_nearly_the_last_digit_and_on_the_safe_side(k: int, n: int, side: Side, delta: float) -> None:
    claim = beta_binomial(Counts(k, n), delta, side)
    assert_solved(k, n, claim.upper, delta, side != "both", mirrored=False)
    assert_solved(k, n, claim.lower, delta, side != "both", mirrored=True)


@pytest.mark.parametrize(("k", "n"), LARGE)
def test_a_thousand_million_examples(k: int, n: int) -> None:
    claim = beta_binomial(Counts(k, n), 0.05)
    assert_solved(k, n, claim.upper, 0.05, False, mirrored=False)
    assert_solved(k, n, claim.lower, 0.05, False, mirrored=True)


def assert_solved(k: int, n: int, limit: float, delta: float, one_sided: bool, mirrored: bool) -> None:
    """At the limit the wealth is 1/delta, to a relative change of the limit by 1e-13, and not inside of it."""
    if limit in (0.0, 1.0):
        return
    with mp.workdps(50):
        for change, refuted in ((0, True), (1e-13, False)):
            p = mp.mpf(limit) * (1 + mp.mpf(change)) if mirrored else mp.mpf(limit) * (1 - mp.mpf(change))
            won = log_wealth(n - k, n, 1 - p, one_sided) if mirrored else log_wealth(k, n, p, one_sided)
            assert (won >= -mp.log(mp.mpf(delta))) == refuted, (limit, change)


def test_the_ends_of_the_range() -> None:
    for n in (1, 3, 10**9):
        for side in ("both", "upper"):
            assert beta_binomial(Counts(n, n), 0.05, side).upper == 1.0
        for side in ("both", "lower"):
            assert beta_binomial(Counts(0, n), 0.05, side).lower == 0.0
    tiny = beta_binomial(Counts(1, 2), 1e-300)
    assert 0 < tiny.lower < 2e-301


# ---- Every look


def refuting(p: float, side: str, delta: float) -> tuple[Integers, Integers]:
    """For each n the largest k whose upper limit is below p, and the smallest whose lower limit is above."""
    n = np.arange(1, LOOKS + 1)

    def last(refutes: Callable[[Integers], Array]) -> Integers:
        low, high = np.full(LOOKS, -1), n + 1  # refuting at low, not at high
        while np.any(high - low > 1):
            middle = (low + high) // 2
            at = np.clip(middle, 0, n)
            yes = refutes(at)
            low, high = np.where((high - low > 1) & yes, middle, low), np.where((high - low > 1) & ~yes, middle, high)
        return low

    few = last(lambda k: beta_binomial(Counts(k, n), delta, side).upper < p)  # type: ignore[arg-type]
    many = last(lambda k: beta_binomial(Counts(n - k, n), delta, side).lower > p)  # type: ignore[arg-type]
    return few, n - many


def chance_of_ever_missing(p: float, side: str, delta: float) -> float:
    """Counted out over all streams: the probability that some of the first 2,000 intervals misses p."""
    few, many = refuting(p, side, delta)
    alive, missed = np.zeros(LOOKS + 1), 0.0
    alive[0] = 1.0
    for n in range(1, LOOKS + 1):
        alive[1:] = alive[1:] * (1 - p) + alive[:-1] * p
        alive[0] *= 1 - p
        out = np.concatenate([alive[: few[n - 1] + 1], alive[many[n - 1] :]])
        missed += out.sum()
        alive[: few[n - 1] + 1] = 0.0
        alive[many[n - 1] :] = 0.0
    assert missed + alive.sum() == pytest.approx(1, abs=1e-12)
    return missed


@tries("beta-binomial", how="enumerated")
@pytest.mark.long
@pytest.mark.parametrize("side", ["both", "upper", "lower"])
@pytest.mark.parametrize("p", [0.0005, 0.01, 0.05, 1 / 3, 0.93])
def test_the_chance_of_ever_missing_over_2000_looks(p: float, side: str) -> None:
    missed = chance_of_ever_missing(p, side, 0.05)
    assert missed <= 0.05
    if 0.01 <= p <= 0.99:
        assert missed >= 0.015  # a bound that never misses promises too little


@pytest.mark.long
@pytest.mark.parametrize("side", ["both", "upper"])
def test_the_chance_of_ever_missing_where_limits_stand(side: str) -> None:
    limits = beta_binomial(Counts([0, 2, 30], [20, 40, 600]), 0.05, side).upper  # type: ignore[arg-type]
    for p in (*(limits + 1e-9), *(limits - 1e-9)):
        assert chance_of_ever_missing(float(p), side, 0.05) <= 0.05


def test_looking_all_the_time_at_a_plain_interval_would_miss() -> None:
    """What the sequence is for: the same count for Clopper-Pearson, whose promise is for one look."""
    n = np.arange(1, 301)
    from holdfast.bounds.binomial import clopper_pearson

    p, alive, missed = 0.2, np.zeros(302), 0.0
    alive[0] = 1.0
    for size in n:
        k = np.arange(size + 1)
        alive[1:] = alive[1:] * (1 - p) + alive[:-1] * p
        alive[0] *= 1 - p
        claim = clopper_pearson(Counts(k, size), 0.05)
        out = np.flatnonzero((claim.lower > p) | (claim.upper < p))
        missed += alive[out].sum()
        alive[out] = 0.0
    assert missed > 0.15


def test_a_sequence_of_counts_is_the_intersection_of_one_sided_limits_at_every_look() -> None:
    rng = np.random.default_rng(5)
    n = rng.integers(0, 4, 400)
    k = rng.binomial(n, 0.2)
    counted = Counts(np.cumsum(k), np.cumsum(n))
    made = CountSequence(0.1).after(k, n)
    assert made.lower == np.max(beta_binomial(counted, 0.05, "lower").lower)
    assert made.upper == np.min(beta_binomial(counted, 0.05, "upper").upper)
    assert (made.k, made.n) == (k.sum(), n.sum())
    apart = CountSequence(0.1)
    for i in range(400):
        apart = apart.after(k[i : i + 1], n[i : i + 1])
    assert apart == made


def test_an_alarm_is_rarely_false_even_for_a_rate_that_wanders_below_the_limit() -> None:
    rng = np.random.default_rng(6)
    rate = 0.1 * np.minimum(1, np.abs(np.sin(np.arange(600) / 60)) * 1.5)  # never above 0.1, often there
    one = np.ones(600, np.int64)
    false = sum(
        bool(CountSequence(0.2, at_most=0.1).after((rng.random(600) < rate).astype(np.int64), one).broken)
        for _ in range(150)
    )
    assert bdtrc(false - 1, 150, 0.1) >= BY_CHANCE
