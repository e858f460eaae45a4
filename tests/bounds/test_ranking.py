"""Limits for AUC and average precision: their formulas, their promise by enumeration and simulation, and liars."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import lgamma

import numpy as np
import pytest
from scipy import stats

from holdfast.bounds.ranking import (
    auc_bentkus,
    auc_kl,
    delong,
    delong_variance,
    hanley_mcneil,
    hanley_mcneil_variance,
    logit,
)
from holdfast.catalog import Bound, find
from holdfast.claims import Guarantee, Side
from holdfast.evidence import Array, RankedPrecision, Scores
from holdfast.measures.ranking import average_precision
from holdfast.numerics.binomial import binomial_tail_inverse
from holdfast.numerics.limit import Upper
from tests.tries import tries

AREAS = (auc_bentkus, auc_kl, delong, hanley_mcneil)
FINITE = pytest.mark.parametrize("bound", [auc_bentkus, auc_kl], ids=["auc-bentkus", "auc-kl"])
DELTA = 0.05
REPEATS = 600


def of(positives: Array, negatives: Array) -> Scores:
    return Scores(np.concatenate((positives, negatives)), np.arange(len(positives) + len(negatives)) < len(positives))


def sample(m: int = 30, n: int = 50, seed: int = 0, levels: float = 8.0) -> Scores:
    rng = np.random.default_rng(seed)
    return of(np.floor(levels * rng.normal(1.0, size=m)) / levels, np.floor(levels * rng.normal(size=n)) / levels)


# ---- Formulas


@pytest.mark.parametrize(("m", "n"), [(30, 50), (50, 30), (1, 9), (200, 3)])
def test_bentkus_is_clopper_pearson_at_the_smaller_class(m: int, n: int) -> None:
    scores, r = sample(m, n), min(m, n)
    for side, area in (("upper", float(scores.mean)), ("lower", float(scores.complement))):
        k = int(np.ceil(r * area - 1e-9))
        limit = 1.0 if k == r else stats.beta.isf(DELTA / np.e, k + 1, r - k)
        claim = auc_bentkus(scores, DELTA, side)  # type: ignore[arg-type]
        assert (claim.upper if side == "upper" else 1 - claim.lower) == pytest.approx(limit, rel=1e-10)


def test_rounding_up_is_exact() -> None:
    """An area of 3/10 of ten pairs is three pairs, though 10 times 0.3 may be a little more in floats."""
    for r in (10, 30, 70, 1000):
        for won in range(1, 10):
            # Of r positives, won tenths outrank all r negatives.
            number = r * won // 10
            scores = Scores.from_counts([0, 1, 2], [r - number, 0, number], [0, r, 0])
            limit = binomial_tail_inverse(number, r, DELTA / np.e).limit
            assert auc_bentkus(scores, DELTA, "upper").upper == pytest.approx(float(limit), rel=1e-12)
    half = Scores.from_counts([0.0], [10**7], [10**7 - 1])
    assert half.mean == 0.5


@pytest.mark.parametrize(("m", "n"), [(30, 50), (50, 30), (2, 400)])
def test_the_kl_limit_has_the_stated_divergence(m: int, n: int) -> None:
    scores = sample(m, n)
    claim = auc_kl(scores, DELTA, "upper")
    a, q = float(scores.mean), float(claim.upper)
    assert a * np.log(a / q) + (1 - a) * np.log((1 - a) / (1 - q)) == pytest.approx(np.log(20) / min(m, n), rel=1e-8)


def test_delong_on_the_scale_of_log_odds() -> None:
    scores = sample()
    a, error = float(scores.mean), np.sqrt(delong_variance(scores))
    claim = delong(scores, DELTA)
    for limit, z in ((claim.lower, stats.norm.ppf(0.025)), (claim.upper, stats.norm.ppf(0.975))):
        assert np.log(limit / (1 - limit)) == pytest.approx(np.log(a / (1 - a)) + z * error / (a * (1 - a)), rel=1e-10)


def test_delong_variance_estimates_the_variance() -> None:
    """Over many samples the estimate is unbiased for nearly the variance that the areas show."""
    areas, variances = [], []
    for seed in range(1500):
        scores = sample(25, 40, seed, levels=1e9)
        areas.append(float(scores.mean))
        variances.append(delong_variance(scores))
    assert np.mean(variances) == pytest.approx(np.var(areas), rel=0.12)


def test_hanley_mcneil_is_exact_for_exponential_scores() -> None:
    """Positives on average 3/2 times as high as negatives: the chances that its variance takes, by integration."""
    scale, m, n = 1.5, 5, 60
    scores = Scores.from_counts([0, 1, 2], [2, 0, 3], [0, n, 0])
    area = scale / (1 + scale)
    assert float(scores.mean) == pytest.approx(area)
    two_positives_above = scale / (2 + scale)  # E exp(-2 Y / scale)
    two_negatives_below = 1 - 2 / (1 + scale) + 1 / (1 + 2 * scale)  # E (1 - exp(-X))^2
    shared = (m - 1) * (two_positives_above - area**2) + (n - 1) * (two_negatives_below - area**2)
    wanted = (area * (1 - area) + shared) / (m * n)
    assert float(hanley_mcneil_variance(scores)) == pytest.approx(wanted, rel=1e-12)


def test_hanley_mcneil_reaches_as_far_down_as_up() -> None:
    scores = sample()
    claim, error = hanley_mcneil(scores, DELTA), np.sqrt(float(hanley_mcneil_variance(scores)))
    assert claim.upper - claim.estimate == pytest.approx(1.959963984540054 * error, rel=1e-9)
    assert claim.estimate - claim.lower == pytest.approx(1.959963984540054 * error, rel=1e-9)


def test_logit_of_average_precision() -> None:
    precision = average_precision(sample(40, 100))
    a = float(precision.mean)
    claim = logit(precision, DELTA)
    for limit, z in ((claim.lower, stats.norm.ppf(0.025)), (claim.upper, stats.norm.ppf(0.975))):
        assert np.log(limit / (1 - limit)) == pytest.approx(np.log(a / (1 - a)) + z / np.sqrt(40 * a * (1 - a)))
    assert (claim.measure, claim.guarantee) == ("average-precision", Guarantee.HEURISTIC)


@pytest.mark.parametrize("bound", AREAS, ids=lambda bound: bound.name)
def test_swapped_classes_have_mirrored_limits(bound: Bound) -> None:
    if bound is hanley_mcneil:
        return  # which class is rare enters its variance
    scores = sample()
    claim, mirrored = bound(scores, DELTA), bound(scores.mirror(), DELTA)
    assert (mirrored.lower, mirrored.upper) == pytest.approx((1 - claim.upper, 1 - claim.lower), abs=1e-13)


@pytest.mark.parametrize("bound", AREAS, ids=lambda bound: bound.name)
def test_binned_scores_give_the_wider_interval(bound: Bound) -> None:
    rng = np.random.default_rng(1)
    positive = rng.random(500) < 0.3
    values = rng.beta(2 + 2 * positive, 3)
    exact = Scores(values, positive)
    places = np.floor(values * 64) / 64
    binned = Scores.from_counts(places, positive.astype(int), (~positive).astype(int), width=1 / 64)
    rough, fine = bound(binned, DELTA), bound(exact, DELTA)
    assert rough.lower < fine.lower < fine.upper < rough.upper
    assert rough.upper - fine.upper < binned.order.tied / binned.pairs
    assert fine.lower - rough.lower < binned.order.tied / binned.pairs
    as_ties = bound(Scores.from_counts(places, positive.astype(int), (~positive).astype(int)), DELTA)
    assert rough.lower < as_ties.lower < as_ties.upper < rough.upper


# ---- Where there is little to say


@pytest.mark.parametrize("bound", AREAS, ids=lambda bound: bound.name)
@pytest.mark.parametrize(
    "scores",
    [Scores([], []), Scores([0.1, 0.2], [True, True]), Scores([0.1, 0.2], [False, False])],
    ids=["none", "positives only", "negatives only"],
)
def test_one_class_says_nothing(bound: Bound, scores: Scores) -> None:
    sides: tuple[Side, ...] = ("upper", "lower", "both")
    for side in sides:
        claim = bound(scores, DELTA, side)
        assert (claim.estimate, claim.lower, claim.upper) == (None, 0.0, 1.0)


@pytest.mark.parametrize("bound", AREAS, ids=lambda bound: bound.name)
@pytest.mark.parametrize("area", [0.0, 1.0])
def test_a_perfect_ranking_is_not_certain(bound: Bound, area: float) -> None:
    ends = (np.zeros(20), np.ones(30)) if area == 0 else (np.ones(20), np.zeros(30))
    claim = bound(of(*ends), DELTA)
    assert claim.estimate == area
    assert claim.upper - claim.lower > 0.15
    assert (claim.upper == 1.0) if area == 1 else (claim.lower == 0.0)


@pytest.mark.parametrize("bound", [delong, hanley_mcneil], ids=lambda bound: bound.name)
def test_no_variation_gives_no_interval(bound: Bound) -> None:
    assert bound(of(np.array([1.0]), np.array([0.5])), DELTA).width == 1.0
    if bound is delong:
        for lone in (of(np.array([1.0]), np.array([0.5, 2.0, 3.0])), of(np.zeros(5), np.zeros(9))):
            claim = bound(lone, DELTA)
            assert (claim.lower, claim.upper) == (0.0, 1.0)


def test_average_precision_of_nothing_or_of_a_perfect_ranking() -> None:
    for scores, estimate in (
        (Scores([], []), None),
        (Scores([0.1], [False]), None),
        (of(np.ones(3), np.zeros(4)), 1.0),
    ):
        claim = logit(average_precision(scores), DELTA)
        assert (claim.estimate, claim.lower, claim.upper) == (estimate, 0.0, 1.0)


def test_delta_may_be_an_array() -> None:
    for bound in AREAS:
        claim = bound(sample(), np.array([0.01, 0.05, 0.3]))
        assert np.all(np.diff(claim.lower) > 0)
        assert np.all(np.diff(claim.upper) < 0)


# ---- The promise, by enumeration: scores in {0, 1, 2}


def compositions(n: int) -> Array:
    return np.array([(a, b, n - a - b) for a in range(n + 1) for b in range(n + 1 - a)])


def chances(counts: Array, law: Array) -> Array:
    """The multinomial chance of each count (rows) under each law (columns)."""
    ways = np.array([lgamma(sum(row) + 1) - sum(lgamma(c + 1) for c in row) for row in counts.tolist()])
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.nansum(np.where(counts[:, None] > 0, counts[:, None] * np.log(law), 0.0), axis=-1)
    return np.exp(ways[:, None] + logs)


LAWS = compositions(10) / 10


def worst_enumerated(bound: Bound, m: int, n: int, side: Side, delta: float = DELTA) -> float:
    """The least coverage over all pairs of laws on three scores with chances in tenths."""
    own, others = compositions(m), compositions(n)
    limits = [[bound(Scores.from_counts([0, 1, 2], p, q), delta, side) for q in others] for p in own]
    lower = np.array([[claim.lower for claim in row] for row in limits]).reshape(-1)
    upper = np.array([[claim.upper for claim in row] for row in limits]).reshape(-1)
    above = np.array([[0.5, 0, 0], [1, 0.5, 0], [1, 1, 0.5]])
    area = (LAWS @ above @ LAWS.T).reshape(-1)
    weight = np.einsum("ia,jb->ijab", chances(own, LAWS), chances(others, LAWS)).reshape(lower.size, area.size)
    covered = (lower[:, None] <= area + 1e-12) & (area - 1e-12 <= upper[:, None])
    assert weight.sum(axis=0) == pytest.approx(np.ones(area.size))
    return float(np.min(np.sum(weight * covered, axis=0)))


@tries("auc-bentkus", "auc-kl", how="enumerated")
@pytest.mark.long
@FINITE
@pytest.mark.parametrize(("m", "n"), [(1, 1), (1, 6), (6, 1), (2, 5), (3, 3), (6, 4)])
def test_the_promise_is_kept_by_enumeration(bound: Bound, m: int, n: int) -> None:
    for side, delta in (("upper", 0.05), ("lower", 0.05), ("both", 0.3)):
        assert worst_enumerated(bound, m, n, side, delta) >= 1 - delta  # type: ignore[arg-type]


def larger_class(scores: Scores, delta: Array) -> Upper:
    smaller, larger = sorted((scores.n_positive, scores.n_negative))
    return binomial_tail_inverse(-(-scores.twice_won // (2 * smaller)), larger, delta / np.e)


def every_pair(scores: Scores, delta: Array) -> Upper:
    return binomial_tail_inverse(-(-scores.twice_won // 2), scores.pairs, delta / np.e)


def flipped(scores: Scores, delta: Array) -> Upper:
    return auc_bentkus.upper(scores.mirror(), delta)


def confidence_for_delta(scores: Scores, delta: Array) -> Upper:
    return auc_bentkus.upper(scores, 1 - delta)


MUTANTS = {
    "larger class": larger_class,
    "every pair": every_pair,
    "flipped": flipped,
    "1 - delta": confidence_for_delta,
}


@pytest.mark.parametrize("mutant", MUTANTS)
def test_enumeration_catches(mutant: str) -> None:
    liar = replace(auc_bentkus, upper=MUTANTS[mutant], name=mutant)
    assert worst_enumerated(liar, 2, 5, "upper") < 1 - DELTA


# ---- The promise, by simulation


Law = Callable[[np.random.Generator, int, int], tuple[Array, Array]]


def tied(rng: np.random.Generator, m: int, n: int) -> tuple[Array, Array]:
    return rng.choice(3, m, p=[0.1, 0.3, 0.6]), rng.choice(3, n, p=[0.5, 0.4, 0.1])


def normal(rng: np.random.Generator, m: int, n: int) -> tuple[Array, Array]:
    return rng.normal(4.0, size=m), rng.normal(size=n)


def rare_misses(rng: np.random.Generator, m: int, n: int) -> tuple[Array, Array]:
    """A few positives lie below all negatives, and a few negatives above all positives."""
    low, high = rng.random(m) < 0.03, rng.random(n) < 0.005
    return np.where(low, -1, 3) + rng.random(m), np.where(high, 5, 0) + rng.random(n)


def random_scores(rng: np.random.Generator, m: int, n: int) -> tuple[Array, Array]:
    return rng.random(m), rng.random(n)


AREA: dict[str, tuple[Law, float]] = {
    "tied": (tied, 0.6 * (0.9 + 0.05) + 0.3 * (0.5 + 0.2) + 0.1 * 0.25),
    "near one": (normal, float(stats.norm.cdf(4 / np.sqrt(2)))),
    "rare misses": (rare_misses, 0.97 * 0.995),
    "random": (random_scores, 0.5),
}


def misses(bound: Bound, law: str, m: int, n: int, repeats: int = REPEATS, seed: int = 0) -> int:
    draw, area = AREA[law]
    rng = np.random.default_rng(seed)
    claims = (bound(of(*draw(rng, m, n)), DELTA) for _ in range(repeats))
    return sum(not claim.lower <= area <= claim.upper for claim in claims)


def speaks_against(missed: int, repeats: int = REPEATS) -> bool:
    """Whether a method that keeps its promise would miss so often less than once in a million."""
    return bool(stats.binom.sf(missed - 1, repeats, DELTA) < 1e-6)


@tries("auc-bentkus", "auc-kl", how="simulated")
@pytest.mark.long
@FINITE
@pytest.mark.parametrize(("m", "n"), [(3, 197), (1, 40), (25, 25), (60, 4)])
@pytest.mark.parametrize("law", AREA)
def test_the_promise_is_kept_by_simulation(bound: Bound, law: str, m: int, n: int) -> None:
    assert not speaks_against(misses(bound, law, m, n, repeats=250), 250)


def test_simulation_catches_a_liar() -> None:
    for liar in (larger_class, every_pair):
        assert speaks_against(misses(replace(auc_bentkus, upper=liar), "rare misses", 3, 197))


def test_delong_fails_near_the_boundary_where_the_guaranteed_limit_holds() -> None:
    """More than half of the samples see no low positive, and take the area to be nearly one."""
    failed = misses(delong, "rare misses", 20, 1000)
    assert 0.3 < 1 - failed / REPEATS < 0.6
    assert misses(auc_bentkus, "rare misses", 20, 1000) < 0.02 * REPEATS


@tries("delong", how="simulated")
def test_delong_is_right_where_it_should_be() -> None:
    failed = misses(delong, "random", 80, 100)
    assert 0.01 * REPEATS < failed < 0.1 * REPEATS


# ---- Both ends in one call


@pytest.mark.parametrize("bound", [auc_bentkus, auc_kl, delong], ids=["auc-bentkus", "auc-kl", "delong"])
@pytest.mark.parametrize(
    "scores",
    [
        sample(),
        Scores([0.1, 0.2, 0.3], [True] * 3),
        Scores(np.arange(9), np.arange(9) > 4),
        Scores.from_counts([0.0, 0.5], positives=[1, 9], negatives=[7, 3], width=0.5),
    ],
    ids=["sample", "one class", "parted", "bins"],
)
def test_both_ends_at_once_are_the_two_by_themselves(bound: Bound, scores: Scores) -> None:
    both = bound(scores, 0.1)
    ends = bound(scores, 0.05, "lower").lower, bound(scores, 0.05, "upper").upper
    assert (both.lower, both.upper) == pytest.approx(ends, rel=1e-13)


# ---- In the catalog


def test_entries() -> None:
    assert [find(name).guarantee for name in ("auc-bentkus", "auc-kl", "delong", "hanley-mcneil", "logit")] == [
        *[Guarantee.FINITE] * 2,
        Guarantee.ASYMPTOTIC,
        *[Guarantee.HEURISTIC] * 2,
    ]
    assert {bound.takes for bound in AREAS} == {(Scores,)}
    assert logit.takes == (RankedPrecision,)
    claim = auc_bentkus(sample(), DELTA)
    assert (claim.measure, claim.n, claim.method) == ("auc", 80, "auc-bentkus")
