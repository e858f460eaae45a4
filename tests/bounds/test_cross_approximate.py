"""Limits for stable learners, and limits by hope: bayle, bayle_within, pooled, averaged_folds and nested_cv.

How far short of their confidence they fall, learner by learner, stands in docs/cross-validation.md.
"""

from __future__ import annotations

import csv
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

from holdfast.catalog import find
from holdfast.claims import Assumption, Guarantee
from holdfast.errors import UnfitMethod
from holdfast.evidence import Counts
from holdfast.evidence.folds.nested_cv import Nested
from holdfast.evidence.folds.sample import FoldCounts, FoldMeans
from holdfast.verify.learners import crossed_coverages
from tests.tries import tries

BAYLE, WITHIN, POOLED, AVERAGED, NESTED = map(find, ("bayle", "bayle-within", "pooled", "averaged-folds", "nested-cv"))
FIVE = FoldCounts([7, 8, 3, 12, 9], 30)
LOSSES = np.random.default_rng(4).beta(1, 3, (5, 30))


def test_bayle_as_the_paper_writes_it() -> None:
    z = stats.norm.isf(0.025)
    plain, within = LOSSES.std(), np.sqrt(LOSSES.var(axis=1, ddof=1).mean())
    folds = FoldMeans(LOSSES.mean(axis=1), 30, s2=LOSSES.var(axis=1))
    for bound, spread in ((BAYLE, plain), (WITHIN, within)):
        claim = bound(folds, 0.05)
        assert claim.upper - claim.estimate == pytest.approx(z * spread / np.sqrt(150), rel=1e-10)
        assert claim.estimate - claim.lower == pytest.approx(z * spread / np.sqrt(150), rel=1e-10)
    counted = BAYLE(FIVE, 0.05, "upper")
    assert counted.upper - 0.26 == pytest.approx(stats.norm.isf(0.05) * np.sqrt(0.26 * 0.74 / 150), rel=1e-10)


def test_limits_are_in_the_units_of_the_losses() -> None:
    mean, variance = LOSSES.mean(axis=1), LOSSES.var(axis=1)
    plain, scaled = (BAYLE(FoldMeans(a * mean + b, 30, b, a + b, s2=a**2 * variance)) for a, b in ((1, 0), (7, -2)))
    assert (scaled.lower, scaled.upper) == pytest.approx((7 * plain.lower - 2, 7 * plain.upper - 2), rel=1e-12)


def test_a_fold_of_another_size_has_one_weight_in_the_variance_too() -> None:
    folds = FoldCounts([7, 8, 3], [30, 20, 10])
    shares = folds.k / folds.sizes
    variance = np.mean(shares * (1 - shares) + (shares - shares.mean()) ** 2)
    error = np.sqrt(variance * np.sum(1 / folds.sizes)) / 3
    claim = BAYLE(folds, 0.1, "upper")
    assert claim.upper - claim.estimate == pytest.approx(stats.norm.isf(0.1) * error, rel=1e-10)


def test_repeats_make_nothing_narrower() -> None:
    once, often = FIVE, FoldCounts(np.tile(FIVE.k, 4), 30, repeats=4)
    for bound in (BAYLE, WITHIN, POOLED):
        here, there = bound(once), bound(often)
        assert (here.lower, here.upper, here.n) == pytest.approx((there.lower, there.upper, there.n), rel=1e-12)


def test_without_spread_nothing_is_said() -> None:
    for bound in (BAYLE, WITHIN):
        claim = bound(FoldCounts([0, 0, 0], 50))
        assert (claim.estimate, claim.lower, claim.upper) == (0.0, 0.0, 1.0)
    leave_one_out = FoldCounts([0, 1, 0, 0, 1], 1)
    assert (WITHIN(leave_one_out).lower, WITHIN(leave_one_out).upper) == (0.0, 1.0)
    assert BAYLE(leave_one_out).upper < 1.0
    with pytest.raises(UnfitMethod, match="s2"):
        BAYLE(FoldMeans([0.1, 0.2, 0.3], 30))


def test_pooled_is_clopper_pearson_on_all_errors() -> None:
    exact = find("clopper-pearson")(Counts(39, 150))
    claim = POOLED(FIVE)
    assert (claim.lower, claim.upper) == (exact.lower, exact.upper)
    uneven = POOLED(FoldCounts([0, 30], [300, 30]))  # 0.09 of all, though the folds' mean is a half
    assert (uneven.estimate, uneven.upper) == pytest.approx((0.5, 0.5), rel=1e-13)


# ---- The survey's (51)


def test_the_average_of_limits_is_the_printed_formula() -> None:
    limits = find("clopper-pearson")(Counts(FIVE.k, 30), 0.05, "upper").upper
    assert AVERAGED(FIVE, 0.05, "upper").upper == pytest.approx(limits.mean(), rel=1e-14)
    assert AVERAGED(FoldCounts([10] * 10, 500), 0.05, "upper").upper == pytest.approx(0.0337, abs=5e-5)


def failure(folds: int, size: int, errors: int, delta: float) -> float:
    """The chance that exactly one fold has no more than these errors, at the rate that its limit just misses."""
    rate = find("clopper-pearson")(Counts(errors, size), delta, "upper").upper * (1 + 1e-9)
    q = sum(comb(size, i) * rate**i * (1 - rate) ** (size - i) for i in range(errors + 1))
    return folds * q * (1 - q) ** (folds - 1)


@pytest.mark.parametrize(("folds", "printed"), [(2, 0.095), (5, 0.204), (10, 0.315)])
def test_the_counterexample_fails_as_often_as_is_told(folds: int, printed: float) -> None:
    assert failure(folds, 20, 0, 0.05) == pytest.approx(printed, abs=5e-4)
    assert failure(folds, 20, 4, 0.05) == pytest.approx(printed, abs=5e-4)


def test_where_exactly_one_fold_is_lucky_the_average_is_below_the_truth() -> None:
    """Its model has risk L and a limit just below; the others are always wrong, and say so."""
    size, delta = 20, 0.05
    rate = find("clopper-pearson")(Counts(2, size), delta, "upper").upper * (1 + 1e-9)
    folds = FoldCounts([2] + [size] * 9, size)
    assert AVERAGED(folds, delta, "upper").upper < (rate + 9) / 10
    assert find("geometric-merge")(folds, delta, "upper").upper > (rate + 9) / 10


@tries("averaged-folds", how="simulated")
def test_the_counterexample_fails_in_simulation_while_the_merge_holds() -> None:
    repeats = 4000
    merge, averaged = crossed_coverages(
        [find("geometric-merge"), AVERAGED], 200, 0.05, "upper", repeats, 5, learners=["turncoat"]
    )
    expected = failure(10, 20, 0, 0.05)
    assert (averaged.misses or 0) / repeats == pytest.approx(expected, abs=5 * np.sqrt(0.22 / repeats))
    assert expected > 0.31
    assert merge.misses == 0
    assert merge.kept
    assert not averaged.kept


# ---- Nested cross-validation


def by_loop(
    out: list[list[np.ndarray]], into: list[list[list[np.ndarray]]], delta: float
) -> tuple[float, float, float]:
    """The paper's algorithm, loss by loss: out[r][j] on fold j, into[r][j][l] on fold l without j and l."""
    repeats, folds = len(out), len(out[0])
    rows = sum(len(each) for each in out[0])
    squares, every, outside = [], [], []
    for r in range(repeats):
        for j in range(folds):
            inner = np.concatenate([into[r][j][other] for other in range(folds) if other != j])
            missed = (inner.mean() - out[r][j].mean()) ** 2
            squares.append(missed - out[r][j].var(ddof=1) / len(out[r][j]))
            every.append(inner)
            outside.append(out[r][j])
    losses = np.concatenate(every)
    plain = losses.std(ddof=1) / np.sqrt(rows)
    error = np.sqrt(max(np.mean(squares), 0.0) * (folds - 1) / folds)
    error = min(max(error, plain), np.sqrt(folds) * plain)
    bias = (1 + (folds - 2) / folds) * (losses.mean() - np.concatenate(outside).mean())
    reach = stats.norm.isf(delta / 2) * error
    return losses.mean() - bias, losses.mean() - bias - reach, losses.mean() - bias + reach


def centre_variance(into: list[list[list[np.ndarray]]]) -> float:
    """Of all inner losses."""
    every = [each for square in into for j, row in enumerate(square) for other, each in enumerate(row) if other != j]
    return float(np.concatenate(every).var(ddof=1))


@pytest.mark.parametrize("kind", ["errors", "losses", "apart", "far apart"])
def test_nested_cv_is_the_papers_algorithm(kind: str) -> None:
    generator = np.random.default_rng(12)
    repeats, folds, sizes = 3, 4, np.array([[9, 8, 8, 8]] * 3)
    low, high = (0.0, 1.0) if kind != "losses" else (-1.0, 3.0)

    def draw(fold: int, without: int) -> np.ndarray:
        rate = 0.2 + {"apart": 0.25, "far apart": 0.4}.get(kind, 0.0) * (fold == without)
        drawn = generator.random(sizes[0, fold]) < rate
        return drawn.astype(float) if kind != "losses" else generator.uniform(-1, 3, sizes[0, fold])

    out = [[draw(j, j) for j in range(folds)] for _ in range(repeats)]
    into = [[[draw(other, j) for other in range(folds)] for j in range(folds)] for _ in range(repeats)]
    sums = np.array([[each.sum() for each in row] for row in out])
    inner = np.array([[[each.sum() for each in row] for row in square] for square in into])
    squares = {
        "outer_squares": np.array([[(each**2).sum() for each in row] for row in out]),
        "inner_squares": np.array([[[(each**2).sum() for each in row] for row in square] for square in into]),
    }
    claim = NESTED(Nested(sums, inner, sizes, low, high, **(squares if kind == "losses" else {})), 0.1)
    centre, lower, upper = by_loop(out, into, 0.1)
    assert claim.estimate == pytest.approx(centre, abs=1e-12)
    assert (claim.lower, claim.upper) == pytest.approx((max(lower, low), min(upper, high)), abs=1e-12)
    assert claim.n == 33
    plain = stats.norm.isf(0.05) * np.sqrt(centre_variance(into) / 33)
    ratio = (upper - centre) / plain  # the error is kept between once and twice this: with four folds the root is 2
    assert {
        "errors": ratio == pytest.approx(1),
        "apart": 1.05 < ratio < 1.95,
        "far apart": ratio == pytest.approx(2),
    }.get(kind, True)


def test_pairs_stand_for_both_of_their_folds() -> None:
    generator = np.random.default_rng(0)
    pairs, outer = generator.integers(0, 9, (2, 6, 2)), generator.integers(0, 9, (2, 4))
    inner = np.zeros((2, 4, 4))
    for place, (j, k) in enumerate(combinations(range(4), 2)):
        inner[:, j, k], inner[:, k, j] = pairs[:, place, 1], pairs[:, place, 0]
    here, there = NESTED(Nested.from_pairs(outer, pairs, 20)), NESTED(Nested(outer, inner, 20))
    assert (here.lower, here.upper, here.estimate) == (there.lower, there.upper, there.estimate)


def test_nested_cv_in_rows_and_turned_over() -> None:
    generator = np.random.default_rng(1)
    outer, inner = generator.integers(0, 8, (7, 2, 5)), generator.integers(0, 8, (7, 2, 5, 5))
    together = NESTED(Nested(outer, inner, 20))
    for place in range(7):
        alone, turned = (
            NESTED(Nested(outer[place], inner[place], 20)),
            NESTED(Nested(20 - outer[place], 20 - inner[place], 20)),
        )
        assert (together.lower[place], together.upper[place]) == pytest.approx((alone.lower, alone.upper), rel=1e-12)
        assert (1 - turned.upper, 1 - turned.lower) == pytest.approx((alone.lower, alone.upper), abs=1e-12)
    silent = NESTED(Nested(np.zeros((1, 3)), np.zeros((1, 3, 3)), 10))
    assert (silent.lower, silent.upper) == (0.0, 1.0)


# ---- Labels


def test_all_are_labelled_for_what_they_are() -> None:
    for bound in (BAYLE, WITHIN):
        assert bound.guarantee is Guarantee.ASYMPTOTIC
        assert Assumption.STABLE in bound.assumes
    for bound, guess in ((POOLED, "ONE_MODEL"), (AVERAGED, "EVERY_FOLD"), (NESTED, "NESTED")):
        assert bound.guarantee is Guarantee.HEURISTIC
        assert Assumption[guess] in bound.assumes
    for bound in (BAYLE, WITHIN, POOLED, AVERAGED, NESTED):
        assert Assumption.FIXED_MODEL not in bound.assumes
        assert Assumption.TRAINED_APART in bound.assumes
    assert AVERAGED.fits(FoldCounts([1, 2, 3], 20, stratified=True))


def test_the_counterexamples_worked_out_before_agree() -> None:
    """The chances of failure of the same learner, computed apart from this code."""
    path = Path(__file__).parents[1] / "reference" / "kfold_eq51_counterexamples.csv"
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    assert len(rows) == 10
    for row in rows:
        found = failure(int(row["k"]), int(row["m"]), int(row["c"]), float(row["delta"]))
        assert found == pytest.approx(float(row["max_fail"]), abs=2e-6)
