"""Guaranteed limits for the average of the folds' models: geometric_merge, geometric_merge_kl, hoeffding_cv and
each_fold, against published numbers, brute force and each other.

That they hold for stable, unstable and treacherous learners is a law: tests/laws.
"""

from __future__ import annotations

from itertools import product
from math import e, log, sqrt

import numpy as np
import pytest
from scipy import optimize, stats

from holdfast.catalog import Bound, find
from holdfast.claims import Assumption, Guarantee, Side
from holdfast.errors import UnfitMethod
from holdfast.evidence import Counts
from holdfast.evidence.folds.sample import FoldCounts, FoldMeans, Progressive
from holdfast.invert import solve_for_delta

MERGE, MERGE_KL, HOEFFDING, EACH = map(find, ("geometric-merge", "geometric-merge-kl", "hoeffding-cv", "each-fold"))
PROGRESSIVE = find("progressive")
OF_FOLDS = [MERGE, MERGE_KL, HOEFFDING, EACH]
every = pytest.mark.parametrize("bound", OF_FOLDS, ids=[bound.name for bound in OF_FOLDS])
UNEVEN = FoldCounts([0, 3, 12, 0, 7], [10, 25, 13, 40, 7])


def upper(bound: Bound, k: object, n: object, delta: float = 0.05) -> float:
    return float(bound(FoldCounts(k, n), delta, "upper").upper)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("k", "n", "folds", "merge", "each", "hoeffding"),
    [(10, 100, 5, 0.1814, 0.1913, 0.2224), (5, 50, 10, 0.2262, 0.2580, 0.2731), (10, 500, 10, 0.0376, 0.0423, 0.0747)],
)
def test_equal_folds_as_computed_by_hand(
    k: int, n: int, folds: int, merge: float, each: float, hoeffding: float
) -> None:
    assert upper(MERGE, [k] * folds, n) == pytest.approx(merge, abs=5e-5)
    assert upper(EACH, [k] * folds, n) == pytest.approx(each, abs=5e-5)
    assert upper(HOEFFDING, [k] * folds, n) == pytest.approx(hoeffding, abs=5e-5)


@pytest.mark.parametrize("folds", [3, 5, 10, 100, 1000])
def test_equal_folds_are_one_fold_at_delta_over_e(folds: int) -> None:
    """Of counts by Clopper-Pearson, of losses by Hoeffding; a thousand folds spend more than a float's exponent."""
    for k, n, delta in ((0, 20, 0.05), (1, 1, 0.05), (0, 1, 0.3), (3, 20, 0.05), (19, 20, 1e-6), (20, 20, 0.5)):
        for side in ("upper", "lower"):
            for merge, alone in ((MERGE, find("clopper-pearson")), (MERGE_KL, find("hoeffding-kl"))):
                merged = merge(FoldCounts([k] * folds, n), delta, side)  # type: ignore[arg-type]
                one = alone(Counts(k, n), delta / e, side)  # type: ignore[arg-type]
                assert (merged.lower, merged.upper) == pytest.approx((one.lower, one.upper), rel=1e-7, abs=1e-12)


def by_search(k: np.ndarray, n: np.ndarray, delta: float) -> float:
    """The maximum by a general solver, its constraint met within its own tolerance."""
    budget = len(k) * (log(delta) - 1)
    start = stats.beta.isf(delta / e, k + 1, np.maximum(n - k, 1e-9))
    start = np.where(k >= n, 1 - 1e-12, start)
    found = optimize.minimize(
        lambda p: -p.mean(),
        start,
        bounds=[(1e-9, 1 - 1e-12)] * len(k),
        constraints={"type": "ineq", "fun": lambda p: stats.binom.logcdf(k, n, p).sum() - budget},
        method="SLSQP",
        options={"ftol": 1e-13, "maxiter": 1000},
    )
    assert found.success
    return float(-found.fun)


@pytest.mark.parametrize("seed", range(12))
def test_unequal_folds_reach_what_a_search_finds_and_no_more(seed: int) -> None:
    generator = np.random.default_rng(seed)
    folds = int(generator.integers(3, 8))
    n = generator.integers(5, 60, folds)
    k = generator.binomial(n, generator.choice([0.02, 0.1, 0.4]))
    limit, found = upper(MERGE, k, n), by_search(k, n, 0.05)
    assert limit == pytest.approx(found, abs=2e-6)
    assert limit >= found - 1e-8  # too large, never too small


def test_of_losses_too_the_limit_is_what_a_search_finds() -> None:
    x, n = np.array([0.1, 0.25, 0.03, 0.6]), np.array([20, 35, 50, 12])

    def kl(q: np.ndarray) -> np.ndarray:
        return x * np.log(x / q) + (1 - x) * np.log((1 - x) / (1 - q))

    budget = 4 * (1 - log(0.05))
    found = optimize.minimize(
        lambda q: -q.mean(),
        x + 0.1,
        bounds=[(low, 1 - 1e-9) for low in x],
        constraints={"type": "ineq", "fun": lambda q: budget - np.sum(n * kl(q))},
        method="SLSQP",
        options={"ftol": 1e-14},
    )
    claim = MERGE_KL(FoldMeans(x, n), 0.05, "upper")
    assert claim.upper == pytest.approx(-found.fun, abs=1e-7)
    scaled = MERGE_KL(FoldMeans(-1 + 3 * x, n, low=-1, high=2), 0.05, "upper")
    assert scaled.upper == pytest.approx(-1 + 3 * claim.upper, rel=1e-12)


def test_no_rates_that_the_tails_allow_have_a_larger_mean() -> None:
    """Rates drawn at random that meet the condition: the limit is above the mean of each."""
    generator = np.random.default_rng(3)
    k, n = UNEVEN.k, UNEVEN.sizes
    rates = generator.beta(np.maximum(k, 0.3) + 1, np.maximum(n - k, 0.3), (200_000, 5))
    allowed = stats.binom.logcdf(k, n, rates).sum(axis=1) >= 5 * (log(0.05) - 1)
    assert allowed.sum() > 1000
    assert rates[allowed].mean(axis=1).max() <= MERGE(UNEVEN, 0.05, "upper").upper


def test_a_fold_without_trials_leaves_its_model_open() -> None:
    without, full = FoldCounts([3, 4, 0, 2], [30, 30, 0, 30]), FoldCounts([3, 4, 0, 2], [30, 30, 1, 30])
    for bound in OF_FOLDS:
        claim = bound(without, 0.05)
        assert claim.estimate is None
        assert claim.upper >= bound(full, 0.05).upper
        assert claim.lower <= bound(full, 0.05).lower
    # What the others spend at four folds' budget, and one quarter for the fold that says nothing.
    three = optimize.brentq(lambda p: 3 * stats.binom.logcdf(3, 30, p) - 4 * (log(0.05) - 1), 0.11, 0.99)
    alike = MERGE(FoldCounts([3, 3, 0, 3], [30, 30, 0, 30]), 0.05, "upper")
    assert alike.upper == pytest.approx(0.75 * three + 0.25, abs=1e-8)


def test_nothing_at_all_says_nothing() -> None:
    for bound in OF_FOLDS:
        claim = bound(FoldCounts([0, 0, 0], 0))
        assert (claim.estimate, claim.lower, claim.upper) == (None, 0.0, 1.0)
    silent = PROGRESSIVE(Progressive(0.0, 0))
    assert (silent.estimate, silent.lower, silent.upper) == (None, 0.0, 1.0)


def test_one_and_two_folds_share_delta_instead() -> None:
    exact = find("clopper-pearson")
    assert upper(MERGE, [4], 30) == exact(Counts(4, 30), 0.05, "upper").upper
    for k in ([4, 9], [0, 0]):
        halves = exact(Counts(k, 30), 0.025, "upper").upper
        assert upper(MERGE, k, 30) == pytest.approx(halves.mean(), rel=1e-14)
        kl = find("hoeffding-kl")(Counts(k, 30), 0.025, "upper").upper
        assert upper(MERGE_KL, k, 30) == pytest.approx(kl.mean(), rel=1e-12)
    assert upper(EACH, [4, 9, 2], 30) == pytest.approx(
        exact(Counts([4, 9, 2], 30), 0.05 / 3, "upper").upper.mean(), rel=1e-14
    )


def test_the_merge_is_narrower_than_its_rivals_from_three_folds_on() -> None:
    for folds in (3, 5, 10, 30):
        k = np.arange(folds) % 5
        assert upper(MERGE, k, 30) < upper(EACH, k, 30)
        assert upper(MERGE, k, 30) < upper(MERGE_KL, k, 30)


def test_hoeffding_of_uneven_folds_averages_the_slacks() -> None:
    claim = HOEFFDING(UNEVEN, 0.1, "upper")
    slack = np.mean([sqrt(log(10) / (2 * n)) for n in UNEVEN.sizes])
    assert claim.upper == pytest.approx(min(UNEVEN.mean + slack, 1), rel=1e-12)


def test_hoeffding_is_clipped_after_averaging_and_not_before() -> None:
    """Clipped to 1 fold by fold it fails: the survey's HOE under (51)."""
    claim = HOEFFDING(FoldCounts([10, 0, 0], 10), 0.05, "upper")
    slack = sqrt(log(20) / 20)
    assert claim.upper == pytest.approx(1 / 3 + slack, rel=1e-12)
    assert claim.upper > (1 + slack + slack) / 3


@every
def test_an_array_gives_what_its_elements_give(bound: Bound) -> None:
    generator = np.random.default_rng(8)
    n = generator.integers(0, 30, (4, 3, 6))
    k = generator.binomial(n, 0.2)
    together = bound(FoldCounts(k, n), 0.05)
    for place in product(range(4), range(3)):
        alone = bound(FoldCounts(k[place], n[place]), 0.05)
        assert (together.lower[place], together.upper[place]) == pytest.approx((alone.lower, alone.upper), rel=1e-13)


@every
def test_the_mirrored_folds_have_mirrored_limits(bound: Bound) -> None:
    there = FoldCounts(UNEVEN.sizes - UNEVEN.k, UNEVEN.sizes)
    sides: list[tuple[Side, Side]] = [("upper", "lower"), ("lower", "upper"), ("both", "both")]
    for side, other in sides:
        claim, mirrored = bound(UNEVEN, 0.05, side), bound(there, 0.05, other)
        assert claim.upper == pytest.approx(1 - mirrored.lower, abs=1e-12)
        assert claim.lower == pytest.approx(1 - mirrored.upper, abs=1e-12)


@every
def test_an_interval_is_two_limits_at_half_of_delta(bound: Bound) -> None:
    both = bound(UNEVEN, 0.05)
    assert both.upper == bound(UNEVEN, 0.025, "upper").upper
    assert both.lower == bound(UNEVEN, 0.025, "lower").lower


@every
def test_more_confidence_never_narrows_and_more_events_never_lower(bound: Bound) -> None:
    deltas = np.array([1e-12, 1e-6, 0.001, 0.05, 0.5, 0.9])
    claim = bound(UNEVEN, deltas)
    assert np.all(np.diff(claim.upper) <= 1e-13)
    assert np.all(np.diff(claim.lower) >= -1e-13)
    more = bound(FoldCounts([[k, 3, 12, 0, 7] for k in range(11)], UNEVEN.sizes), 0.05)
    assert np.all(np.diff(more.upper) >= -1e-13)
    assert np.all(np.diff(more.lower) >= -1e-13)


@every
def test_the_test_is_the_interval_solved_for_delta(bound: Bound) -> None:
    folds = FoldCounts([3, 5, 2, 8], 40)
    for null in (0.05, 0.2, 0.3):
        side: Side = "upper" if null > 0.1125 else "lower"
        p = solve_for_delta(bound, folds, np.asarray(null), side)
        if p < 1:
            claim = bound(folds, p, side)
            assert (claim.upper if side == "upper" else claim.lower) == pytest.approx(null, abs=1e-6)


def test_stratified_folds_get_no_guarantee() -> None:
    by_label, said = FoldCounts([3, 5, 2], 30, stratified=True), FoldCounts([3, 5, 2], 30, by_prediction=True)
    for bound in OF_FOLDS:
        assert not bound.fits(by_label)
        with pytest.raises(UnfitMethod, match="without looking at the labels"):
            bound(by_label)
    assert MERGE.fits(said)
    assert not HOEFFDING.fits(said)  # its proof needs sizes that nothing learned decides
    assert not PROGRESSIVE.fits(Progressive(0.1, 50, stratified=True))
    assert not PROGRESSIVE.fits(Progressive(0.1, 50, by_prediction=True))


def test_all_are_labelled_for_what_they_are() -> None:
    for bound in (*OF_FOLDS, PROGRESSIVE):
        assert bound.guarantee is Guarantee.FINITE
        assert Assumption.FIXED_MODEL not in bound.assumes
        assert {Assumption.TRAINED_APART, Assumption.RANDOM_FOLDS} <= set(bound.assumes)
    assert MERGE(UNEVEN).measure == "error-rate"
    assert MERGE_KL(FoldMeans([0.1, 0.2, 0.2], 30)).measure == "mean-loss"
