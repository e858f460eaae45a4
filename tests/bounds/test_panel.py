"""From labelled to unlabelled examples, and averages over models: as printed, and the promises counted out."""

from __future__ import annotations

from itertools import product
from math import comb, exp, factorial, log, sqrt
from typing import Any

import numpy as np
import pytest
from scipy.special import bdtrc
from scipy.stats import binom

from holdfast.bounds.binomial import clopper_pearson, hypergeometric
from holdfast.bounds.bounded import hoeffding
from holdfast.bounds.panel import (
    bax_difference,
    clopper_pearson_levels,
    hoeffding_difference,
    hypergeometric_levels,
    pac_bayes,
)
from holdfast.claims import SIDES
from holdfast.combine import bonferroni
from holdfast.errors import HoldfastError
from holdfast.evidence import Counts, Losses
from holdfast.evidence.pools.pool import Gibbs, GradedLosses, Pool
from tests.tries import tries

BY_CHANCE = 1e-6
# Half-width, labelled, unlabelled, models; confidence by Eq. 8, by Eq. 12, and by Hoeffding for the difference.
PRINTED = [
    (0.5, 100, 100, 1000, 0.9999850933873117, 0.9850933873116853, 0.9999999722241123),
    (0.2, 1000, 500, 1000, 0.99981840028095, 0.8184002809500606, 0.9999999947538124),
    (0.05, 10000, 20000, 1000, 0.9999850933873117, 0.9850933873116853, 0.9999999999933236),
]
# delta, the smaller of the two numbers of examples, models; half-width by Eq. 12.
WIDTHS = [
    (0.05, 50, 7, 0.5031078128484667),
    (1e-6, 50, 1000, 0.9404160823394355),
    (0.05, 10**6, 1, 0.002960414374601597),
    (0.1, 1000, 1, 0.08589388166934751),
    (1e-6, 10**6, 1, 0.005513946847600939),
    (0.1, 10**6, 1000, 0.00460361482600273),
    (0.05, 1000, 1000, 0.15026497871198077),
    (1e-6, 1000, 1000, 0.21028342872450173),
]


@pytest.mark.parametrize(("eps", "d", "rest", "models", "single", "uniform", "direct"), PRINTED)
def test_bax_as_printed_for_one_model_and_for_all(
    eps: float, d: int, rest: int, models: int, single: float, uniform: float, direct: float
) -> None:
    pool = Pool(Counts(d // 2, d), rest)
    assert bax_difference(pool, 1 - single).slack == pytest.approx(eps, rel=1e-9)
    assert bax_difference(pool, bonferroni(1 - uniform, models)).slack == pytest.approx(eps, rel=1e-12)
    assert hoeffding_difference(pool, bonferroni(1 - direct, models)).slack == pytest.approx(eps, rel=1e-5)


@pytest.mark.parametrize(("delta", "fewer", "models", "eps"), WIDTHS)
@pytest.mark.parametrize("more", [0, 17])
def test_bax_solved_for_the_width(delta: float, fewer: int, models: int, eps: float, more: int) -> None:
    for labelled, unlabelled in ((fewer, fewer + more), (fewer + more, fewer)):
        claim = bax_difference(Pool(Counts(0, labelled), unlabelled), bonferroni(delta, models))
        assert claim.upper == pytest.approx(eps, rel=1e-12)
        average = bax_difference(Pool(Losses(np.zeros(labelled)), unlabelled), bonferroni(delta, models))
        assert average.upper == claim.upper


@pytest.mark.parametrize(("eps", "d"), [(0.1, 1000), (0.4, 200)])
def test_equations_3_and_4_are_hoeffding(eps: float, d: int) -> None:
    claim = hoeffding(Counts(d // 2, d), 2 * exp(-(eps**2) * d / 2))
    assert claim.slack == pytest.approx(eps / 2, rel=1e-12)


@pytest.mark.parametrize(
    ("d", "rest", "k", "bax", "direct", "exact"),
    [
        (1000, 1000, 50, 0.0936, 0.0607, (0.0320, 0.0710)),
        (1000, 200, 50, 0.2093, 0.1052, (0.0200, 0.0850)),
        (200, 1000, 10, 0.2093, 0.1052, (0.0220, 0.0930)),
        (500, 500, 0, 0.1324, 0.0859, (0.0, 0.0100)),
    ],
)
def test_three_ways_side_by_side(
    d: int, rest: int, k: int, bax: float, direct: float, exact: tuple[float, float]
) -> None:
    pool = Pool(Counts(k, d), rest, levels=1)
    assert bax_difference(pool).slack == pytest.approx(bax, abs=5.1e-5)
    assert hoeffding_difference(pool).slack == pytest.approx(direct, abs=5.1e-5)
    claim = hypergeometric_levels(pool)
    assert (claim.lower, claim.upper) == pytest.approx(exact, abs=5.1e-5)


@tries("bax-difference", "hoeffding-difference", how="enumerated")
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("bound", [bax_difference, hoeffding_difference], ids=lambda bound: bound.name)
def test_independent_draws_of_both_sets_keep_the_promise(bound: Any, side: Any) -> None:
    for d, rest in ((5, 9), (30, 30), (40, 8)):
        claim = bound(Pool(Counts(np.arange(d + 1), d), rest), 0.2, side)
        rate = np.arange(rest + 1) / rest
        missed = (rate < claim.lower[:, None] - 1e-12) | (rate > claim.upper[:, None] + 1e-12)
        for p in np.linspace(0.01, 0.99, 23):
            chance = binom.pmf(np.arange(d + 1), d, p) @ missed @ binom.pmf(np.arange(rest + 1), rest, p)
            assert chance <= 0.2


def test_one_level_is_the_hypergeometric_limit() -> None:
    k, d, rest = np.array([0, 3, 7, 20]), 20, np.array([[5], [40]])
    by_levels, plain = (
        hypergeometric_levels(Pool(Counts(k, d), rest, levels=1)),
        hypergeometric(Counts(k, d), unlabelled=rest),
    )
    np.testing.assert_allclose(by_levels.upper, plain.upper, atol=1e-12)
    np.testing.assert_allclose(by_levels.lower, plain.lower, atol=1e-12)


def test_levels_are_averages_of_limits_at_their_parts_of_delta() -> None:
    values = np.array([0, 0, 0, 0, 1, 1, 2, 3, 3, 0, 0, 1]) / 3
    reached = Counts([6, 3, 2], 12)
    pool = hypergeometric_levels(Pool(Losses(values), 30, levels=3), 0.06)
    each = hypergeometric(reached, 0.02, unlabelled=30)
    assert (pool.lower, pool.upper) == pytest.approx((each.lower.mean(), each.upper.mean()), rel=1e-12)
    whole = clopper_pearson_levels(GradedLosses.of_values(values, 3), 0.06)
    each = clopper_pearson(reached, 0.02)
    assert (whole.lower, whole.upper) == pytest.approx((each.lower.mean(), each.upper.mean()), rel=1e-12)


@tries("hypergeometric-levels", how="enumerated")
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("delta", [0.5, 0.1])
@pytest.mark.parametrize(("d", "rest"), [(6, 5), (4, 9), (9, 3)])
def test_levels_keep_the_promise_whatever_the_pool(d: int, rest: int, delta: float, side: Any) -> None:
    """Over every pool of three values, each possible draw with its chance."""
    draws = [(a, b) for a in range(d + 1) for b in range(d + 1 - a)]  # how many are 1/2 and 1
    values = np.array([[0.0] * (d - a - b) + [0.5] * a + [1.0] * b for a, b in draws])
    claim = hypergeometric_levels(Pool(Losses(values), rest, levels=2), delta, side)
    size = d + rest
    for halves, ones in ((a, b) for a in range(size + 1) for b in range(size + 1 - a)):
        missed = 0
        for place, (a, b) in enumerate(draws):
            ways = comb(halves, a) * comb(ones, b) * comb(size - halves - ones, d - a - b)
            mean = ((halves - a) / 2 + ones - b) / rest
            missed += ways * (not claim.lower[place] - 1e-12 <= mean <= claim.upper[place] + 1e-12)
        assert missed <= delta * comb(size, d), f"{halves} halves, {ones} ones"


@tries("clopper-pearson-levels", how="enumerated")
@pytest.mark.parametrize("side", SIDES)
def test_levels_keep_the_promise_about_the_population(side: Any) -> None:
    n, delta = 12, 0.2
    draws = [(a, b) for a in range(n + 1) for b in range(n + 1 - a)]
    claim = clopper_pearson_levels(GradedLosses(Counts([[a + b, b] for a, b in draws], n)), delta, side)
    for half, one in product(np.linspace(0, 1, 12), repeat=2):
        if half + one > 1:
            continue
        mean = half / 2 + one
        missed = 0.0
        for place, (a, b) in enumerate(draws):
            if not claim.lower[place] - 1e-12 <= mean <= claim.upper[place] + 1e-12:
                ways = factorial(n) / factorial(a) / factorial(b) / factorial(n - a - b)
                missed += ways * half**a * one**b * max(1 - half - one, 0.0) ** (n - a - b)
        assert missed <= delta


def test_what_is_certain_is_never_exceeded_and_the_offset_is_put_back() -> None:
    pool = Pool(Losses([0.0] * 15 + [0.5] * 5), 20, offset=0.1, low=0.12, high=0.3, levels=2)
    for bound in (bax_difference, hoeffding_difference, hypergeometric_levels):
        claim = bound(pool)
        assert claim.estimate == pytest.approx(0.225)
        assert claim.lower >= 0.12 - 1e-12
        assert claim.upper <= 0.3 + 1e-12
    shifted = Pool(Losses([0.0] * 15 + [0.5] * 5), 20, offset=0.1)
    assert hoeffding_difference(shifted, side="upper").upper == pytest.approx(0.225 + sqrt(log(20) / 2 * 0.1))
    assert hoeffding_difference(shifted, 0.9, "lower").lower == pytest.approx(0.225 - sqrt(log(1 / 0.9) / 2 * 0.1))


def test_an_estimate_beyond_what_is_certain_is_drawn_to_it() -> None:
    claim = hoeffding_difference(Pool(Counts(1, 20), 50, low=0.4, high=0.6))
    assert (claim.lower, claim.estimate, claim.upper) == pytest.approx((0.4, 0.4, 0.05 + sqrt(log(40) / 2 * 0.07)))


@pytest.mark.parametrize("n", [*range(1, 9), 20, 300])
def test_the_sum_behind_pac_bayes_is_at_most_what_is_paid_for_it(n: int) -> None:
    total = sum(comb(n, k) * (k / n) ** k * (1 - k / n) ** (n - k) for k in range(n + 1))
    assert sqrt(n) <= total <= 2 * sqrt(n)


def test_pac_bayes_as_printed_and_at_the_whole_delta_on_both_sides() -> None:
    gibbs = Gibbs(Losses.from_moments(n=200, mean=0.15), divergence=1.7)
    both, upper, lower = (pac_bayes(gibbs, 0.04, side) for side in ("both", "upper", "lower"))
    assert (both.lower, both.upper) == (lower.lower, upper.upper)
    for q in (both.lower, both.upper):
        kl = 0.15 * log(0.15 / q) + 0.85 * log(0.85 / (1 - q))
        assert kl == pytest.approx((1.7 + log(2 * sqrt(200) / 0.04)) / 200, rel=1e-6)


@tries("pac-bayes", how="simulated")
@pytest.mark.parametrize("heat", [0.0, 5.0, 1e6])  # from the prior itself to all weight on the model that did best
@pytest.mark.parametrize("n", [3, 40])
def test_pac_bayes_holds_for_weights_that_saw_the_labels(n: int, heat: float) -> None:
    rng, models, runs, delta = np.random.default_rng(n), 12, 4000, 0.3
    rates = np.linspace(0.2, 0.4, models)
    means = rng.binomial(n, rates, (runs, models)) / n
    weights = np.exp(-heat * (means - means.min(axis=1, keepdims=True)))
    weights /= weights.sum(axis=1, keepdims=True)
    divergence = np.sum(weights * np.log(np.maximum(weights * models, 1e-300)), axis=1)
    seen, true = np.sum(weights * means, axis=1), weights @ rates
    claim = pac_bayes(Gibbs(Losses.from_moments(n=n, mean=np.clip(seen, 0, 1)), np.maximum(divergence, 0)), delta)
    missed = int(np.sum((true < claim.lower) | (true > claim.upper)))
    assert bdtrc(missed - 1, runs, delta) > BY_CHANCE or missed == 0


def test_pac_bayes_is_not_free_of_charge() -> None:
    """Without the divergence, the model that did best of many would be vouched for as if it had been the only one."""
    rng, models, n, runs = np.random.default_rng(1), 2000, 100, 400
    best = rng.binomial(n, 0.5, (runs, models)).min(axis=1) / n
    honest = pac_bayes(Gibbs(Losses.from_moments(n=n, mean=best), np.full(runs, log(models))), 0.05, "upper")
    careless = pac_bayes(Gibbs(Losses.from_moments(n=n, mean=best), np.zeros(runs)), 0.05, "upper")
    assert np.mean(honest.upper < 0.5) <= 0.05
    assert np.mean(careless.upper < 0.5) > 0.2


@pytest.mark.parametrize("bound", [bax_difference, hoeffding_difference, hypergeometric_levels])
def test_no_labels_say_nothing_and_arrays_broadcast(bound: Any) -> None:
    nothing = bound(Pool(Counts(0, 0), 5, levels=1))
    assert (nothing.lower, nothing.upper, nothing.estimate) == (0.0, 1.0, None)
    claim = bound(Pool(Counts([[1], [2]], 10), np.array([4, 9, 20]), levels=1), 0.1)
    alone = bound(Pool(Counts(2, 10), 9, levels=1), 0.1)
    assert claim.upper.shape == (2, 3)
    assert (claim.lower[1, 1], claim.upper[1, 1]) == pytest.approx((alone.lower, alone.upper), rel=1e-13)


def test_levels_must_have_been_declared() -> None:
    with pytest.raises(HoldfastError, match="multiples"):
        hypergeometric_levels(Pool(Losses([0.0, 0.5]), 5))
