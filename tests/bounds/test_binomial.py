"""Bounds for counts, against closed forms, residuals and a brute force of Blaker's definition."""

from __future__ import annotations

from math import sqrt
from statistics import NormalDist

import numpy as np
import pytest
from scipy.special import betaincinv
from scipy.stats import binom

from holdfast.bounds.binomial import agresti_coull, blaker, clopper_pearson, jeffreys, mid_p, normal, wilson
from holdfast.catalog import OUTWARD, Bound
from holdfast.evidence import Array, Counts, Losses

ONE_SIDED = [clopper_pearson, wilson, normal, agresti_coull, jeffreys, mid_p]
DELTAS = [0.4, 0.05, 0.001, 1e-9]
CASES = [(0, 1), (1, 1), (0, 10), (1, 10), (5, 10), (9, 10), (10, 10), (7, 100), (3, 1000), (250, 1000)]

deltas = pytest.mark.parametrize("delta", DELTAS)
cases = pytest.mark.parametrize(("k", "n"), CASES)


def z(delta: float) -> float:
    return NormalDist().inv_cdf(1 - delta) if delta > 1e-5 else -NormalDist().inv_cdf(delta)


# ---- Clopper-Pearson


@deltas
@pytest.mark.parametrize("n", [1, 2, 10, 1000, 10**9])
def test_clopper_pearson_where_it_has_a_closed_form(n: int, delta: float) -> None:
    # P(X <= 0) = (1 - p)^n, P(X <= n - 1) = 1 - p^n
    none, but_one = clopper_pearson(Counts(0, n), delta, "upper"), clopper_pearson(Counts(n - 1, n), delta, "upper")
    all_, one = clopper_pearson(Counts(n, n), delta, "lower"), clopper_pearson(Counts(1, n), delta, "lower")
    assert none.upper == pytest.approx(-np.expm1(np.log(delta) / n), rel=1e-13)
    assert all_.lower == pytest.approx(np.exp(np.log(delta) / n), rel=1e-13)
    if n > 1:
        assert but_one.upper == pytest.approx(np.exp(np.log1p(-delta) / n), rel=1e-13)
        assert one.lower == pytest.approx(-np.expm1(np.log1p(-delta) / n), rel=1e-13)
    assert clopper_pearson(Counts(n, n), delta, "upper").upper == 1.0
    assert clopper_pearson(Counts(0, n), delta, "lower").lower == 0.0


@deltas
@cases
def test_clopper_pearson_by_residual(k: int, n: int, delta: float) -> None:
    claim = clopper_pearson(Counts(k, n), delta)
    if k < n:
        assert binom.cdf(k, n, claim.upper) == pytest.approx(delta / 2, rel=1e-9)
    if k > 0:
        assert binom.sf(k - 1, n, claim.lower) == pytest.approx(delta / 2, rel=1e-9)


# ---- Wilson, normal, Agresti-Coull, Jeffreys, mid-p


@deltas
@cases
def test_wilson_as_printed_with_the_missing_factor(k: int, n: int, delta: float) -> None:
    p, q = k / n, z(delta)
    centre, slack = p + q * q / (2 * n), q * sqrt(q * q / n**2 + 4 * p * (1 - p) / n) / 2
    expected = (centre + slack) / (1 + q * q / n)
    assert wilson(Counts(k, n), delta, "upper").upper == pytest.approx(expected, rel=1e-12)
    assert wilson(Losses([1.0] * k + [0.0] * (n - k)), delta, "upper").upper == pytest.approx(expected, rel=1e-12)


@deltas
@cases
def test_wilsons_limits_solve_the_score_equation(k: int, n: int, delta: float) -> None:
    claim = wilson(Counts(k, n), delta)
    for limit in (claim.lower, claim.upper):
        if 0 < limit < 1 and limit != k / n:
            assert abs(limit - k / n) / sqrt(limit * (1 - limit) / n) == pytest.approx(z(delta / 2), rel=1e-9)


@deltas
@cases
def test_normal(k: int, n: int, delta: float) -> None:
    p = k / n
    claim = normal(Counts(k, n), delta)
    slack = z(delta / 2) * sqrt(p * (1 - p) / n)
    assert claim.upper == pytest.approx(min(p + slack, 1), rel=1e-12)
    assert claim.lower == pytest.approx(max(p - slack, 0), rel=1e-12, abs=1e-15)


def test_normal_of_losses_uses_their_variance() -> None:
    claim = normal(Losses([0.1, 0.2, 0.3, 0.6]), 0.05, "upper")
    assert claim.upper == pytest.approx(0.3 + z(0.05) * sqrt(0.035 / 4), rel=1e-12)


@deltas
@cases
def test_agresti_coull(k: int, n: int, delta: float) -> None:
    square = z(delta / 2) ** 2
    size = n + square
    centre = (k + square / 2) / size
    slack = sqrt(square * centre * (1 - centre) / size)
    claim = agresti_coull(Counts(k, n), delta)
    assert claim.upper == pytest.approx(min(centre + slack, 1), rel=1e-12)
    assert claim.lower == pytest.approx(max(min(centre - slack, k / n), 0), rel=1e-11, abs=1e-14)


@deltas
@cases
def test_jeffreys(k: int, n: int, delta: float) -> None:
    claim = jeffreys(Counts(k, n), delta)
    upper = 1.0 if k == n else 1 - betaincinv(n - k + 0.5, k + 0.5, delta / 2)
    lower = 0.0 if k == 0 else betaincinv(k + 0.5, n - k + 0.5, delta / 2)
    assert claim.upper == pytest.approx(upper, rel=1e-9)
    assert claim.lower == pytest.approx(lower, rel=1e-9)


@deltas
@cases
def test_mid_p_by_residual(k: int, n: int, delta: float) -> None:
    claim = mid_p(Counts(k, n), delta)
    if k < n:
        above = binom.cdf(k - 1, n, claim.upper) + binom.pmf(k, n, claim.upper) / 2
        assert above == pytest.approx(delta / 2, rel=1e-9)
    else:
        assert claim.upper == 1.0
    if k > 0:
        below = binom.sf(k, n, claim.lower) + binom.pmf(k, n, claim.lower) / 2
        assert below == pytest.approx(delta / 2, rel=1e-9)
    else:
        assert claim.lower == 0.0


@pytest.mark.parametrize("n", [1, 5, 300])
def test_mid_p_lies_within_clopper_pearson(n: int) -> None:
    counts = Counts(np.arange(n + 1), n)
    inner, outer = mid_p(counts, 0.05), clopper_pearson(counts, 0.05)
    assert np.all(outer.lower <= inner.lower)
    assert np.all(inner.upper <= outer.upper)
    assert np.all(inner.width < outer.width)


# ---- Blaker


def acceptability(n: int, p: Array) -> Array:
    """P(min-tail(X) <= min-tail(k)) for every k (rows) and p (columns), straight from the definition."""
    k = np.arange(n + 1)[:, np.newaxis]
    tails = np.minimum(binom.cdf(k, n, p), binom.sf(k - 1, n, p))
    # Equal tails, as at p = 1/2, may differ in their last digits.
    counted = tails[np.newaxis] <= tails[:, np.newaxis] * (1 + 1e-11)
    return np.sum(counted * binom.pmf(k, n, p)[np.newaxis], axis=1)


@pytest.mark.parametrize("delta", [0.7, 0.2, 0.05, 0.003])
def test_blaker_against_its_definition_for_every_count(delta: float) -> None:
    grid = np.linspace(0, 1, 503)[1:-1]
    for n in (*range(1, 12), 16, 25):
        claim = blaker(Counts(np.arange(n + 1), n), delta)
        accepted = acceptability(n, grid) > delta * (1 + 1e-9)
        outside = (grid < claim.lower[:, np.newaxis]) | (grid > claim.upper[:, np.newaxis])
        assert not np.any(accepted & outside), f"n = {n}: an accepted rate lies outside"
        # Just inside either end the rate is accepted, so no end reaches too far.
        low, high = (acceptability(n, ends).diagonal() for ends in (claim.lower + 1e-9, claim.upper - 1e-9))
        assert np.all(low[1:] > delta * (1 - 1e-6)), f"n = {n}: a lower end reaches too far"
        assert np.all(high[:-1] > delta * (1 - 1e-6)), f"n = {n}: an upper end reaches too far"


@pytest.mark.parametrize("n", [1, 7, 25, 200])
def test_blaker_lies_within_clopper_pearson(n: int) -> None:
    counts = Counts(np.arange(n + 1), n)
    inner, outer = blaker(counts, 0.05), clopper_pearson(counts, 0.05)
    assert np.all(outer.lower <= inner.lower)
    assert np.all(inner.upper <= outer.upper)
    assert np.any(inner.width < 0.99 * outer.width)


# ---- All of them


@pytest.mark.parametrize("bound", ONE_SIDED, ids=lambda bound: bound.name)
@deltas
def test_two_sides_are_two_bounds_at_half_delta(bound: Bound, delta: float) -> None:
    counts = Counts(np.arange(11), 10)
    both = bound(counts, delta)
    assert np.array_equal(both.upper, bound(counts, delta / 2, "upper").upper)
    assert np.array_equal(both.lower, bound(counts, delta / 2, "lower").lower)


def test_outward_rounding_is_relative() -> None:
    claim = clopper_pearson(Counts(1, 10**9), 1e-12)
    assert claim.lower == pytest.approx(-np.expm1(np.log1p(-0.5e-12) / 1e9), rel=2 * OUTWARD)
