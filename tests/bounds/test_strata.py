"""Bounds on a mean of proportions: solved right, safe to the last digit, and their promise kept by enumeration."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import stats
from scipy.special import gammainccinv, gammaln, xlogy

from holdfast.bounds import strata as strata_module
from holdfast.catalog import Bound, find, find_measure
from holdfast.claims import SIDES, Side
from holdfast.evidence import Array, Contingency, Counts, Overlap, Proportions, Strata
from holdfast.numerics.binomial import binomial_tail_inverse, log_binomial_tail
from tests.bounds import tables
from tests.bounds.tables import Truth, broken
from tests.tries import tries

FISHER, UNION, NORMAL = find("fisher"), find("union"), find("stratified-normal")
KEPT = [
    ("clopper-pearson", "f1", tables.true_f1),
    ("fisher", "balanced-accuracy", tables.true_balanced_accuracy),
    ("union", "balanced-accuracy", tables.true_balanced_accuracy),
    ("fisher", "macro-precision", tables.true_macro_precision),
    ("union", "macro-f1", tables.true_macro_f1),
]


def at(bound: Bound, factor: float) -> Bound:
    """The bound at a multiple of the delta it is asked for."""

    def wrong(formula: Callable[..., Any] | None) -> Any:
        return formula and (lambda evidence, delta: formula(evidence, np.minimum(factor * delta, 0.999)))

    return replace(bound, upper=wrong(bound.upper), lower=wrong(bound.lower), two_sided=wrong(bound.two_sided))


@tries("fisher", "union", how="enumerated")
@pytest.mark.long
@pytest.mark.parametrize(("bound", "measure", "truth"), KEPT, ids=[f"{b}-{m}" for b, m, _ in KEPT])
def test_the_promise_is_kept_in_every_world(bound: str, measure: str, truth: Truth) -> None:
    assert broken(find(bound), find_measure(measure), truth, range(5, 15), (0.5, 0.2, 0.05, 0.01, 1e-3, 1e-6)) == []


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(("place", "factor"), [(0, 2.0), (1, 4.0), (3, 3.0), (4, 4.0)])
def test_enumeration_catches_too_large_a_delta(place: int, factor: float, side: Side) -> None:
    bound, measure, truth = KEPT[place]
    assert broken(at(find(bound), factor), find_measure(measure), truth, (5, 9, 14), (0.2, 0.05), (side,))


@tries("stratified-normal", how="enumerated")
def test_enumeration_catches_the_normal_approximation() -> None:
    assert broken(NORMAL, find_measure("balanced-accuracy"), tables.true_balanced_accuracy, (9,), (0.05,))


def test_enumeration_catches_limits_of_the_wrong_measure() -> None:
    """F1 read as if it were its Jaccard share."""

    def untransformed(table: Contingency) -> Counts:
        return Counts(table.hits, table.actual + table.predicted - table.hits)

    wrong = replace(find_measure("f1"), narrow=untransformed)
    assert broken(find("clopper-pearson"), wrong, tables.true_f1, (9,), (0.05,))


def test_published_values() -> None:
    ninety = Strata(Counts([90, 90], 100))
    assert FISHER(ninety, 0.05, "lower").lower == pytest.approx(0.8487, abs=5e-5)
    assert UNION(ninety, 0.05, "lower").lower == pytest.approx(0.8238, abs=5e-5)
    claim = find("clopper-pearson")(find_measure("f1")(Contingency([[8, 5], [3, 0]], rows="predicted")))
    assert (claim.lower[0], claim.upper[0]) == pytest.approx((0.395520, 0.859417), abs=5e-7)


def test_where_the_delta_method_falls_to_two_in_five_f1_holds() -> None:
    """The exact coverage of both at a nominal 95 %: a hundred examples, a tenth of them of the class or called so."""
    n, share, jaccard = 100, 0.1, 0.95
    either, both = (grid.ravel() for grid in np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij"))
    either, both = either[both <= either], both[both <= either]
    apart = either - both
    logs = gammaln(n + 1) - gammaln(n - either + 1) - gammaln(both + 1) - gammaln(apart + 1)
    logs += xlogy(n - either, 1 - share) + xlogy(both, share * jaccard) + xlogy(apart, share * (1 - jaccard))
    chance, true = np.exp(logs), 2 * jaccard / (1 + jaccard)
    assert chance.sum() == pytest.approx(1)
    f1 = np.divide(2 * both, either + both, out=np.zeros(both.size), where=either > 0)
    spread = 1.96 * np.sqrt(f1 * (1 - f1) * (2 - f1) / np.maximum(either + both, 1))
    assert chance[np.abs(f1 - true) <= spread].sum() < 0.42
    claim = find("clopper-pearson")(Overlap(both, either))
    assert chance[(claim.lower <= true) & (true <= claim.upper)].sum() > 0.95


def test_one_stratum_is_clopper_pearson() -> None:
    k, n = np.array([0, 1, 17, 49, 50]), 50
    alone, strata = find("clopper-pearson")(Counts(k, n), 0.03), FISHER(Strata(Counts(k[:, None], n)), 0.03)
    np.testing.assert_allclose(strata.upper, alone.upper, rtol=1e-12)
    np.testing.assert_allclose(strata.lower, alone.lower, rtol=1e-12)


def test_two_strata_by_trying_every_split() -> None:
    """Whatever part of the sum one tail uses up, the other is left the rest."""
    rng = np.random.default_rng(0)
    for _ in range(60):
        n = rng.integers(1, 400, 2)
        k = rng.choice([0, 1, 2, 3], 2) if rng.random() < 0.4 else rng.binomial(n, rng.random(2))
        k = np.minimum(k, n)
        weights, delta = rng.dirichlet([1, 1]), float(rng.choice([0.5, 0.05, 1e-4]))
        limit = FISHER.limits(Strata(Counts(k, n), weights), np.asarray(delta), "upper")[1]
        c = gammainccinv(2, delta)
        used = c * np.linspace(0, 1, 4001) ** 2
        used = np.unique(np.concatenate([used, c - used]))
        ends = [binomial_tail_inverse(k[i], n[i], np.exp(-part)).limit for i, part in enumerate((used, c - used))]
        best = np.max(weights[0] * ends[0] + weights[1] * ends[1])
        assert best <= limit * (1 + 1e-13)
        assert limit == pytest.approx(best, abs=5e-6)


def test_no_point_of_the_region_lies_beyond_the_limit() -> None:
    """Random ways to share the sum out among many strata: none does better, the best nearly as well."""
    rng = np.random.default_rng(1)
    n, weights = rng.integers(5, 300, 6), rng.dirichlet(np.ones(6))
    k = rng.binomial(n, rng.choice([0.0, 0.02, 0.3, 0.9], 6))
    limit = FISHER.limits(Strata(Counts(k, n), weights), np.asarray(0.05), "upper")[1]
    used = rng.dirichlet(np.ones(6), 200_000) * gammainccinv(6, 0.05)
    tried = np.sum(weights * binomial_tail_inverse(k, n, np.exp(-used)).limit, axis=-1)
    assert tried.max() <= limit
    assert tried.max() > limit - 0.01


def test_the_search_ends_wherever_it_starts() -> None:
    """Sizes over nine powers of ten, weights over twelve, rates from 0 to 1: nothing is left unsaid."""
    rng = np.random.default_rng(2)
    for _ in range(40):
        strata = int(rng.integers(1, 12))
        n = np.floor(10 ** rng.uniform(0, rng.choice([1, 2, 4, 9]), (200, strata))).astype(np.int64)
        k = rng.binomial(n, rng.choice([0, 1e-6, 1e-3, 0.05, 0.5, 0.95, 0.999, 1], (200, strata)))
        weights = rng.dirichlet(np.full(strata, rng.choice([0.05, 1, 100])), 200)
        weights = np.where(weights < 1e-12, 0, weights)
        evidence = Strata(Counts(k, n), weights / weights.sum(axis=-1, keepdims=True))
        delta = 10 ** rng.uniform(-12, -0.01, 200)
        with np.errstate(all="ignore"):
            found = FISHER.upper(evidence, delta)
        assert not np.isnan(found.limit).any()
        np.testing.assert_allclose(found.limit + found.room, 1, rtol=1e-14)


def test_the_limit_is_never_inside_the_region() -> None:
    """At the limit, the best product of tails is at most what delta allows: the root errs on the safe side."""
    rng = np.random.default_rng(3)
    n = rng.integers(20, 10_000, 50)
    k = rng.binomial(n, 0.1)
    limit = FISHER(
        Strata(Counts(np.stack([k, k], -1), np.stack([n, n], -1))), 0.05, "upper"
    ).upper  # equal parts by symmetry
    assert np.all(2 * log_binomial_tail(k, n, limit) <= -gammainccinv(2, 0.05) + 1e-9)
    assert np.all(2 * log_binomial_tail(k, n, limit * (1 - 1e-9)) > -gammainccinv(2, 0.05))


@pytest.mark.parametrize("bound", [FISHER, UNION], ids=lambda bound: bound.name)
def test_nothing_seen_of_a_part_leaves_it_free(bound: Bound) -> None:
    claim = bound(Strata(Counts([9, 0], [10, 0])), 0.05)
    alone = find("clopper-pearson")(Counts(9, 10), 0.05 if bound is FISHER else 0.025)
    assert claim.estimate is None
    assert claim.lower == pytest.approx(alone.lower / 2, rel=1e-12)
    assert claim.upper == pytest.approx(alone.upper / 2 + 0.5, rel=1e-12)
    empty = bound(Strata(Counts([0, 0], [0, 0])), 0.05)
    assert (empty.estimate, empty.lower, empty.upper) == (None, 0.0, 1.0)


@pytest.mark.parametrize("bound", [FISHER, UNION, NORMAL], ids=lambda bound: bound.name)
def test_a_part_without_weight_does_not_matter(bound: Bound) -> None:
    with_it, without = (
        Strata(Counts([9, 4, 3], [10, 7, 0 + 5]), [0.4, 0.6, 0.0]),
        Strata(Counts([9, 4], [10, 7]), [0.4, 0.6]),
    )
    for side in SIDES:
        one, other = bound(with_it, 0.05, side), bound(without, 0.05, side)
        assert (one.lower, one.upper) == pytest.approx((other.lower, other.upper), rel=1e-12)


@pytest.mark.parametrize("bound", [FISHER, UNION, NORMAL], ids=lambda bound: bound.name)
def test_the_mirrored_strata_have_mirrored_limits(bound: Bound) -> None:
    rng = np.random.default_rng(4)
    n = rng.integers(1, 60, (30, 4))
    k = rng.binomial(n, 0.2)
    one, other = bound(Strata(Counts(k, n)), 0.05), bound(Strata(Counts(n - k, n)), 0.05)
    np.testing.assert_allclose(one.upper, 1 - other.lower, atol=1e-13)


@pytest.mark.parametrize("bound", [FISHER, UNION], ids=lambda bound: bound.name)
def test_an_array_gives_what_its_elements_give(bound: Bound) -> None:
    rng = np.random.default_rng(5)
    n = rng.integers(1, 1000, (20, 3))
    k = rng.binomial(n, rng.choice([0, 0.01, 0.5, 1], (20, 3)))
    delta = rng.choice([0.5, 0.05, 1e-6], 20)
    together = bound(Strata(Counts(k, n)), delta)
    alone = [bound(Strata(Counts(*pair)), level) for *pair, level in zip(k, n, delta, strict=True)]
    assert together.lower.tolist() == pytest.approx([claim.lower for claim in alone], rel=1e-13)
    assert together.upper.tolist() == pytest.approx([claim.upper for claim in alone], rel=1e-13)


@pytest.mark.parametrize("bound", [FISHER, UNION, NORMAL], ids=lambda bound: bound.name)
def test_more_confidence_never_narrows_the_interval(bound: Bound) -> None:
    deltas = np.array([1e-12, 1e-6, 1e-3, 0.01, 0.05, 0.1, 0.3, 0.5, 0.8, 0.99])
    for k in ([0, 0, 0], [3, 0, 20], [20, 30, 40]):
        claim = bound(Strata(Counts(k, [20, 30, 40])), deltas)
        assert np.all(np.diff(claim.lower) >= -1e-13)
        assert np.all(np.diff(claim.upper) <= 1e-13)


def test_the_union_is_the_mean_of_exact_limits() -> None:
    k, n, weights = np.array([3, 8, 0]), np.array([10, 16, 4]), np.array([0.2, 0.5, 0.3])
    exact = [stats.binomtest(int(a), int(b)).proportion_ci(1 - 0.05 / 3) for a, b in zip(k, n, strict=True)]
    for parts, units in ((Counts(k, n), lambda p: p), (Overlap(k, n), lambda p: 2 * p / (1 + p))):
        claim = UNION(Proportions(parts, weights))
        assert claim.lower == pytest.approx(weights @ [units(ends.low) for ends in exact])
        assert claim.upper == pytest.approx(weights @ [units(ends.high) for ends in exact])


@pytest.mark.parametrize("parts", [Counts([3, 8, 0], [10, 16, 4]), Overlap([3, 8, 0], [10, 16, 4])])
def test_both_ends_of_the_union_at_once_are_the_two_by_themselves(parts: Counts) -> None:
    several = Proportions(parts, [0.2, 0.5, 0.3])
    both = UNION(several, 0.1)
    ends = UNION(several, 0.05, "lower").lower, UNION(several, 0.05, "upper").upper
    assert (both.lower, both.upper) == pytest.approx(ends, rel=1e-13)


def test_fisher_is_narrower_than_the_union() -> None:
    evidence = Strata(Counts([45, 80, 170], [50, 100, 200]))
    assert FISHER(evidence).width < UNION(evidence).width


def test_many_strata_are_one_call() -> None:
    k = np.random.default_rng(6).binomial(50, 0.9, 20_000)
    claim = FISHER(Strata(Counts(k, 50)))
    assert claim.lower < 0.9 < claim.upper
    assert claim.width < 0.06


def test_the_normal_limit_is_the_textbooks() -> None:
    p, n, weights = np.array([0.9, 0.4]), np.array([50, 10]), np.array([0.3, 0.7])
    expected = weights @ p + stats.norm.isf(0.05) * np.sqrt(np.sum(weights**2 * p * (1 - p) / n))
    found = NORMAL(Strata(Counts([45, 4], n), weights), 0.05, "upper").upper
    assert found == pytest.approx(expected, rel=1e-12)


def test_a_stack_may_have_its_own_weights_and_leading_axes() -> None:
    k, n = np.array([[[3, 4], [0, 9]]]), np.full((1, 2, 2), 10)
    weights = np.array([[[0.5, 0.5], [0.9, 0.1]]])
    claim = FISHER(Strata(Counts(k, n), weights), np.array(0.05))
    assert np.shape(claim.upper) == (1, 2)
    alone: Array = np.array([FISHER(Strata(Counts(k[0, i], 10), weights[0, i])).upper for i in range(2)])
    np.testing.assert_allclose(claim.upper[0], alone, rtol=1e-13)  # type: ignore[index]


def test_a_search_cut_short_errs_by_less_than_it_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The multiplier makes up for what the rates leave of the sum: an error in them counts by its square."""
    rng = np.random.default_rng(7)
    n = rng.integers(20, 2000, (200, 4))
    evidence = Strata(Counts(rng.binomial(n, rng.choice([0.02, 0.3, 0.9], (200, 4))), n), [0.1, 0.2, 0.3, 0.4])
    exact = FISHER(evidence, 0.05).upper
    monkeypatch.setattr(strata_module, "FOUND", 0.05)
    over = np.asarray(FISHER(evidence, 0.05).upper) - exact
    assert 1e-9 < over.max() < 1e-6
    assert over.min() > -1e-9
