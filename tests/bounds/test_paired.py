"""Bounds on the difference of two error rates: exact coverage over all tables, published numbers, and the mirror."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize_scalar
from scipy.special import gammainccinv
from scipy.stats import beta, binom, norm

from holdfast.bounds.paired import paired_fisher, paired_split, tango
from holdfast.catalog import Bound
from holdfast.claims import SIDES, Side
from holdfast.evidence import Array, Paired
from holdfast.numerics.limit import Upper
from tests.bounds.pairs import ROUNDING, tables, worst_coverage
from tests.tries import tries

FINITE = [paired_fisher, paired_split]
ALL = [*FINITE, tango]
SIZES = (1, 2, 3, 4, 5, 6, 8, 11, 15, 20)
MORE_SIZES = (*range(1, 26), 35)


def named(bounds: list[Any]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("bound", bounds, ids=[bound.name for bound in bounds])


def broken(bound: Bound, sizes: tuple[int, ...], deltas: tuple[float, ...] = (0.4, 0.05)) -> list[str]:
    """Where exact coverage falls below one minus delta."""
    return [
        f"{bound.name}, {side}, n = {n}, delta = {delta}: covers {covered}"
        for side in ("upper", "both")
        for delta in deltas
        for n in sizes
        if (covered := worst_coverage(bound, n, delta, side)) < 1 - delta - ROUNDING
    ]


def with_delta_times(factor: int, bound: Bound) -> Bound:
    def formula(pair: Paired, delta: Array) -> Upper:
        return bound.upper(pair, factor * delta)

    return replace(bound, upper=formula)


# ---- The promise


@tries("paired-fisher", "paired-split", how="enumerated")
@pytest.mark.long
@named(FINITE)
def test_the_promise_is_kept_at_all_chances(bound: Bound) -> None:
    assert broken(bound, SIZES) == []


@pytest.mark.long
@named(FINITE)
def test_the_promise_is_kept_at_all_chances_in_larger_samples(bound: Bound) -> None:
    assert broken(bound, MORE_SIZES, (0.4, 0.05)) == []


def test_a_delta_doubled_by_mistake_would_show() -> None:
    assert broken(with_delta_times(2, paired_fisher), (15,), (0.45,))


def test_half_of_the_splits_delta_is_spare() -> None:
    # Both of its limits would have to fail together, so that coverage alone shows only a delta tripled.
    assert worst_coverage(paired_split, 8, 0.05, "upper") == pytest.approx(0.975, abs=1e-6)
    assert broken(with_delta_times(3, paired_split), (1,), (0.3,))
    upper = paired_split(Paired(3, 5, 20), 0.1, "upper").upper
    assert upper == pytest.approx(beta.isf(0.05, 6, 15) - beta.ppf(0.05, 3, 18), rel=1e-12)


@tries("tango", how="enumerated")
def test_tangos_softness_is_real() -> None:
    assert worst_coverage(tango, 8, 0.05, "both") < 0.9


# ---- Against the definition, solved by other means


def fisher_by_search(won: int, lost: int, n: int, delta: float) -> float:
    """The upper limit by a plain search over the chance to win."""
    c = gammainccinv(2, delta)

    def worst(p: float) -> float:
        left = c + binom.logsf(won - 1, n, p)
        if left < 0:
            return 1.0
        q = float(beta.isf(np.exp(-left), lost + 1, n - won - lost)) if lost < n - won else 1.0
        return p - q * (1 - p)

    least = beta.ppf(np.exp(-c), won, n - won + 1) if won else 0.0
    grid = np.linspace(least, min((won + 3 * np.sqrt(won)) / n, 1.0), 100)
    best = int(np.argmin([worst(p) for p in grid]))
    ends = grid[max(best - 1, 0)], grid[min(best + 1, 99)]
    found = minimize_scalar(worst, bounds=ends, method="bounded", options={"xatol": 1e-12}).fun if won else worst(0.0)
    return -min(found, worst(grid[best]))


@pytest.mark.crossing(10)
@pytest.mark.parametrize("delta", [0.6, 0.025, 1e-6])
@pytest.mark.parametrize(
    ("won", "lost", "n"),
    [
        (6, 16, 161),
        (16, 6, 161),
        (40, 20, 1000),
        (0, 0, 10),
        (3, 0, 10),
        (0, 3, 10),
        (5, 5, 10),
        (10, 0, 10),
        (9, 0, 10),
        (9, 1, 10),
        (1, 9, 10),
        (1, 0, 1),
        (0, 1, 1),
        (0, 0, 1),
        (1, 0, 2),
        (200, 0, 5000),
        (1, 0, 5000),
        (2500, 2400, 5000),
    ],
)
def test_the_fisher_limit_is_the_maximum_of_its_definition(won: int, lost: int, n: int, delta: float) -> None:
    limit = paired_fisher(Paired(won, lost, n), delta, "upper").upper
    found = max(fisher_by_search(won, lost, n, delta), (lost - won) / n)
    assert found - 1e-12 <= limit <= found + 1e-7


def test_a_search_that_ends_early_costs_no_digit(monkeypatch: pytest.MonkeyPatch) -> None:
    won, lost = tables(30)
    early = paired_fisher.upper(Paired(won, lost, 30), np.asarray(0.05)).limit
    monkeypatch.setattr("holdfast.bounds.paired.FOUND", 1e-11)
    late = paired_fisher.upper(Paired(won, lost, 30), np.asarray(0.05)).limit
    assert np.max(np.abs(early - late)) < 2e-15


def test_every_limit_is_found() -> None:
    with np.errstate(divide="ignore", over="ignore"):
        for n in (1, 2, 7, 60):
            pair = Paired(*tables(n), n)
            for delta in (1e-250, 1e-12, 0.05, 0.9, 0.999):
                assert not np.isnan(paired_fisher.upper(pair, np.asarray(delta)).limit).any()
        generator = np.random.default_rng(9)
        sizes = (10 ** generator.uniform(0, 9, 2_000)).astype(np.int64)
        won = (sizes * generator.beta(0.2, 1, sizes.size)).astype(np.int64)
        lost = ((sizes - won) * generator.beta(0.2, 1, sizes.size)).astype(np.int64)
        limit = paired_fisher.upper(Paired(won, lost, sizes), np.asarray(0.05)).limit
        assert np.array_equal(limit == 1.0, lost == sizes)  # and hence none is NaN


@pytest.mark.parametrize(("won", "lost", "n"), [(6, 16, 161), (0, 3, 9), (3, 0, 9), (4, 5, 9), (1, 1, 2), (1, 7, 9)])
def test_tangos_limit_solves_its_equation_by_the_likelihood_itself(won: int, lost: int, n: int) -> None:
    d = float(tango(Paired(won, lost, n), 0.025, "upper").upper)

    def unlikeliness(p: float) -> float:
        chances = np.array([p, p + d, max(1 - 2 * p - d, 0.0)])
        counts = np.array([won, lost, n - won - lost])
        with np.errstate(divide="ignore", invalid="ignore"):
            return -float(np.sum(np.where(counts > 0, counts * np.log(chances), 0.0)))

    ends = max(0.0, -d), (1 - d) / 2
    p = minimize_scalar(unlikeliness, bounds=ends, method="bounded", options={"xatol": 1e-12}).x
    z = (d - (lost - won) / n) / np.sqrt((2 * p + d - d * d) / n)
    assert z == pytest.approx(norm.isf(0.025), rel=1e-5)


# ---- Published numbers


def test_cavo_2012() -> None:
    # Fagerland, Lydersen and Laake: 6 and 16 discordant pairs of 161; their difference is of success.
    claim: Any = tango(Paired(won=16, lost=6, n=161))
    assert (round(claim.lower, 4), round(claim.upper, 4)) == (-0.1240, -0.0054)
    assert claim.measure == "error-rate-difference"


def test_widths_of_the_facts_page() -> None:
    generator = np.random.default_rng(3)
    won, lost, _ = generator.multinomial(1000, [0.04, 0.02, 0.94], size=4000).T
    fisher, split, score = (float(np.mean(bound(Paired(won, lost, 1000)).width)) for bound in ALL)
    assert score == pytest.approx(0.0309, abs=3e-4)
    assert split == pytest.approx(0.0497, abs=6e-4)
    assert fisher == pytest.approx(1.18 * score, rel=0.01)


def test_identical_models_leave_a_difference_of_either_sign_open() -> None:
    for bound in ALL:
        claim: Any = bound(Paired(0, 0, 100))
        assert claim.lower == -claim.upper
        assert claim.estimate == 0.0
        assert 0.03 < claim.upper < 0.06
    z2 = norm.isf(0.025) ** 2
    assert tango(Paired(0, 0, 100)).upper == pytest.approx(z2 / (100 + z2), rel=1e-12)


# ---- What every limit owes


@named(ALL)
@pytest.mark.parametrize("n", [1, 2, 13, 40])
def test_swapped_models_have_the_negative_limits_to_the_last_bit(bound: Any, n: int) -> None:
    won, lost = tables(n)
    mirrors: dict[Side, Side] = {"upper": "lower", "lower": "upper", "both": "both"}
    for side in SIDES:
        here, there = bound(Paired(won, lost, n), 0.05, side), bound(Paired(lost, won, n), 0.05, mirrors[side])
        assert np.array_equal(here.upper, -there.lower)
        assert np.array_equal(here.lower, -there.upper)
        assert np.array_equal(here.estimate, -there.estimate)


@named(ALL)
def test_both_ends_at_once_are_the_two_by_themselves(bound: Any) -> None:
    won, lost = tables(20)
    pair = Paired(won, lost, 20)
    both, upper, lower = bound(pair, 0.05), bound(pair, 0.025, "upper"), bound(pair, 0.025, "lower")
    np.testing.assert_allclose(both.upper, upper.upper, rtol=1e-13)
    np.testing.assert_allclose(both.lower, lower.lower, rtol=1e-13)


@named(ALL)
def test_an_array_gives_what_its_elements_give(bound: Any) -> None:
    won, lost, n = (
        np.array([0, 5, 0, 40, 7, 0, 9, 1]),
        np.array([0, 0, 5, 20, 3, 0, 0, 0]),
        np.array([3, 9, 9, 1000, 10, 0, 9, 1]),
    )
    together = bound(Paired(won, lost, n))
    alone = [bound(Paired(*each)) for each in zip(won, lost, n, strict=True)]
    assert together.lower.tolist() == pytest.approx([claim.lower for claim in alone], rel=1e-13)
    assert together.upper.tolist() == pytest.approx([claim.upper for claim in alone], rel=1e-13)
    deltas = np.array([0.01, 0.05, 0.3])
    spread = bound(Paired(40, 20, 1000), deltas, "upper").upper
    alone = [bound(Paired(40, 20, 1000), delta, "upper").upper for delta in deltas]
    assert spread.tolist() == pytest.approx(alone, rel=1e-13)


@named(ALL)
def test_more_losses_never_lower_a_limit_and_more_wins_never_raise_one(bound: Any) -> None:
    n = 30
    won, lost = np.mgrid[0 : n + 1, 0 : n + 1]
    possible = won + lost <= n
    upper = np.full(won.shape, np.nan)
    upper[possible] = bound(Paired(won[possible], lost[possible], n), 0.05, "upper").upper
    if bound is paired_fisher:
        upper[won + lost == n] = np.nan  # where the last tie is won it rises a little, as its Notes say
    assert np.nanmin(np.diff(upper, axis=1)) >= -1e-13
    assert np.nanmax(np.diff(upper, axis=0)) <= 1e-13


@named(ALL)
def test_more_confidence_never_narrows(bound: Any) -> None:
    won, lost = tables(12)
    deltas = np.array([1e-12, 1e-6, 1e-3, 0.01, 0.05, 0.1, 0.3, 0.5, 0.8, 0.99])[:, np.newaxis]
    upper = bound(Paired(won, lost, 12), deltas, "upper").upper
    assert np.all(np.diff(upper, axis=0) <= 1e-13)


@named(ALL)
def test_limits_stay_in_range_and_include_the_estimate(bound: Any) -> None:
    for n in (1, 2, 3, 10, 1000, 10**6, 10**9):
        shares = np.array([0, 1, n // 100, n // 3, n // 2, n - 1, n])
        won, lost = (each.ravel() for each in np.meshgrid(shares, shares))
        fits = won + lost <= n
        for side in SIDES:
            for delta in (1e-12, 0.05, 0.5, 0.9):
                claim: Any = bound(Paired(won[fits], lost[fits], n), delta, side)
                assert np.all((claim.lower >= -1) & (claim.lower <= claim.estimate))
                assert np.all((claim.upper <= 1) & (claim.upper >= claim.estimate))


@named(ALL)
def test_no_data_say_nothing(bound: Any) -> None:
    claim: Any = bound(Paired(0, 0, 0))
    assert (claim.estimate, claim.lower, claim.upper) == (None, -1.0, 1.0)


def test_the_finite_one_costs_little_more_than_the_asymptotic_one() -> None:
    generator = np.random.default_rng(5)
    for n, p_won, p_lost, most in [(200, 0.1, 0.1, 1.22), (1000, 0.2, 0.15, 1.16), (50_000, 0.04, 0.02, 1.14)]:
        won, lost, _ = generator.multinomial(n, [p_won, p_lost, 1 - p_won - p_lost], size=200).T
        pair = Paired(won, lost, n)
        assert np.mean(paired_fisher(pair).width) < most * np.mean(tango(pair).width)
