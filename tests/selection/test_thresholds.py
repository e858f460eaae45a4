"""Thresholds chosen on the data keep what is claimed of them; thresholds that merely look best do not."""

from __future__ import annotations

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from holdfast.evidence import Counts, Scores
from holdfast.selection.stairs import Stairs
from holdfast.selection.thresholds import (
    HUNDREDTHS,
    STARTS,
    bayes_union,
    examples_needed,
    failures_allowed,
    fewest_called,
    fixed_sequence,
    for_precision,
    for_sensitivity,
    for_specificity,
    in_turn,
    ranks_tried,
)
from holdfast.verify.simulated import BY_CHANCE
from tests.tries import tries

Floats = NDArray[np.float64]


def kept_promise(broken: int, repeats: int, delta: float) -> bool:
    return bool(stats.binom.sf(broken - 1, repeats, delta) > BY_CHANCE)


# --- what is allowed is exactly what the beta law allows ---


@pytest.mark.parametrize("n", [1, 2, 13, 59, 60, 500, 10_000])
def test_as_many_failures_as_the_tolerance_limit_allows_and_not_one_more(n: int) -> None:
    for at_least, delta in product((0.05, 0.5, 0.9, 0.95, 0.999), (0.45, 0.04, 1e-6)):
        spared = failures_allowed(n, at_least, delta)
        if spared >= 0:  # the coverage of the k-th smallest score is a beta variable
            assert stats.beta.cdf(at_least, n - spared, spared + 1) <= delta * (1 + 1e-9)
        if spared < n - 1:
            assert stats.beta.cdf(at_least, n - spared - 1, spared + 2) > delta * (1 - 1e-9)
        assert (spared >= 0) == (n >= examples_needed(at_least, delta)), (at_least, delta)


def test_the_fewest_examples() -> None:
    assert (examples_needed(0.95, 0.05), examples_needed(0.9, 0.05), examples_needed(0.5, 0.5)) == (59, 29, 1)
    for at_least, delta in ((0.99, 0.05), (0.3, 1e-3), (0.8, 0.2)):
        n = examples_needed(at_least, delta)
        assert at_least**n <= delta < at_least ** (n - 1)


# --- the threshold itself ---


@pytest.mark.crossing(4)
@pytest.mark.parametrize("named", [None, [0.5], [0.3, 0.5, 0.5], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]])
@pytest.mark.parametrize(("at_least", "delta"), [(0.9, 0.05), (0.5, 0.2), (0.8, 0.1), (0.95, 0.2), (0.1, 0.02)])
def test_no_fewer_examples_called_positive_prove_a_precision_and_so_many_can(
    at_least: float, delta: float, named: list[float] | None
) -> None:
    """By trying: test sets of every size in which all are right, with scores of many kinds, and with an error below."""
    candidates, needed = None if named is None else np.array(named), fewest_called(at_least, delta, named)
    enough = set()
    for n in range(1, needed + 4):
        for scores in (np.ones(n), 0.7 + 0.3 * np.arange(n) / n, np.arange(n) * 1.0):
            for wrong in (0, 1):
                there = Scores(np.append(scores, [-1.0] * wrong), [True] * n + [False] * wrong)
                if cut := for_precision(there, at_least, delta, candidates):
                    enough.add(int(np.count_nonzero(scores >= cut.threshold)))
    assert min(enough) == needed


@st.composite
def ranked(draw: st.DrawFn) -> tuple[Floats, NDArray[np.bool_]]:
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    n, grades = draw(st.integers(40, 120)), draw(st.sampled_from([2, 5, 30, 10**6]))
    truth = rng.random(n) < draw(st.floats(0.2, 0.8))
    truth[:2] = True, False
    return (rng.integers(0, grades, n) + grades // 4 * truth) / grades - 0.3, truth


@given(ranked(), st.sampled_from([0.3, 0.6, 0.8]))
@settings(max_examples=60)
def test_it_is_the_extreme_one_with_as_many_failures_as_allowed(
    rows: tuple[Floats, NDArray[np.bool_]], at_least: float
) -> None:
    values, truth = rows
    cut = for_specificity(Scores(*rows), at_least, 0.05)
    others = values[~truth]
    spared = failures_allowed(others.size, at_least, 0.05)
    assert (cut is None) == (spared < 0)
    if cut is not None:
        assert np.sum(others >= cut.threshold) <= spared
        last = np.sort(others)[others.size - spared - 1]
        gap = last - others[others < last].max(initial=-np.inf)
        assert last < cut.threshold <= np.nextafter(last, np.inf) + (gap / 10 if np.isfinite(gap) else 0)
        assert cut.kept is not None
        assert cut.at_least == pytest.approx(stats.beta.ppf(0.05, cut.kept, others.size - cut.kept + 1), rel=1e-9)
        assert cut.at_least >= at_least
    cut, own = for_sensitivity(Scores(*rows), at_least, 0.05), values[truth]
    spared = failures_allowed(own.size, at_least, 0.05)
    assert (cut is None) == (spared < 0)
    if cut is not None:
        assert np.sum(own < cut.threshold) <= spared
        first = np.sort(own)[spared]
        gap = own[own > first].min(initial=np.inf) - first
        assert first - (gap / 10 if np.isfinite(gap) else 0) - 1e-12 <= cut.threshold <= first


def test_the_other_class_has_no_part_in_the_choice() -> None:
    rng = np.random.default_rng(1)
    values, truth = rng.normal(size=300), np.arange(300) < 150
    for choose, other in ((for_specificity, truth), (for_sensitivity, ~truth)):
        moved = np.where(other, rng.normal(size=300) ** 3, values)
        assert choose(Scores(values, truth), 0.8, 0.05) == choose(Scores(moved, truth), 0.8, 0.05)


def test_named_candidates_are_the_only_ones() -> None:
    rng = np.random.default_rng(8)
    truth = rng.random(600) < 0.4
    scores, grid = Scores(rng.random(600) * 0.6 + 0.4 * truth, truth), np.arange(1, 20) / 20
    for choose in (for_specificity, for_sensitivity, for_precision):
        named = choose(scores, 0.8, 0.05, grid)
        assert named is not None
        assert named.threshold in grid
    free, named = (for_specificity(scores, 0.8, 0.05, each) for each in (None, grid))
    assert free is not None
    assert named is not None
    assert named.threshold == grid[grid >= free.threshold].min()
    assert for_specificity(scores, 0.8, 0.05, np.array([0.01])) is None
    assert for_sensitivity(scores, 0.8, 0.05, np.array([0.99])) is None


@given(st.lists(st.booleans(), min_size=1, max_size=40))
def test_tests_in_turn(results: list[bool]) -> None:
    passed, proven = np.array(results), np.zeros(len(results), bool)
    starts = range(len(results)) if len(results) <= STARTS else [i * len(results) // STARTS for i in range(STARTS)]
    for start in starts:
        for place in range(start, len(results)):
            if not passed[place]:
                break
            proven[place] = True
    assert in_turn(passed).tolist() == proven.tolist()


def test_ranks_depend_on_nothing_but_numbers() -> None:
    ranks = ranks_tried(1000, 0.9, 0.05)
    assert ranks[0] == 999
    assert ranks[-1] >= examples_needed(0.9, 0.05)
    assert all(1 < high / low <= 1.25 * 1.05 for high, low in pairwise(ranks))
    assert ranks_tried(5, 0.99, 0.05) == []
    assert ranks_tried(0, 0.5, 0.05) == ranks_tried(1, 0.5, 0.05) == []


# --- the promise ---


def grades(weights: list[float]) -> Floats:
    return np.array(weights) / sum(weights)


# How the examples that decide spread over grades: hardly any ties, some, many, one value that nearly all have.
SPREADS = {
    "fine": grades([1.0] * 2000),
    "twenty grades": grades([1.0 + i for i in range(20)]),
    "four grades": grades([0.55, 0.3, 0.1, 0.05]),
    "saturated": grades([0.02, 0.03, 0.05, 0.9]),
}


@pytest.mark.long
@tries("fixed-sequence", how="simulated")
@pytest.mark.parametrize("law", SPREADS)
@pytest.mark.parametrize("n", [20, 90])
def test_specificity_and_sensitivity_are_what_was_claimed(law: str, n: int) -> None:
    chances, rng = SPREADS[law], np.random.default_rng(17)
    delta, at_least, repeats = 0.25, 0.9, 100
    broken, values = {"specificity": 0, "sensitivity": 0}, np.arange(chances.size) / chances.size
    for _ in range(repeats):
        own = rng.multinomial(n, chances)
        other = rng.multinomial(3, chances)
        cut = fixed_sequence(Scores.from_counts(values, other, own), "specificity", at_least, delta)
        assert cut is not None
        broken["specificity"] += chances[values < cut.threshold].sum() < cut.at_least - 1e-12
        cut = fixed_sequence(Scores.from_counts(values, own, other), "sensitivity", at_least, delta)
        assert cut is not None
        broken["sensitivity"] += chances[values >= cut.threshold].sum() < cut.at_least - 1e-12
    for number in broken.values():
        assert kept_promise(number, repeats, delta)
        if law == "fine":
            assert stats.binom.cdf(number, repeats, 0.15) > BY_CHANCE, "far more cautious than it need be"


@tries("fixed-sequence", how="simulated")
def test_a_threshold_that_looks_good_enough_does_not_keep_its_claim() -> None:
    """The lowest threshold whose observed specificity will do is as often wrong as right."""
    rng, delta, at_least, repeats = np.random.default_rng(5), 0.05, 0.9, 200
    broken = {"looks good": 0, "proven": 0}
    for _ in range(repeats):
        others = np.sort(rng.random(100))
        broken["looks good"] += others[89] < at_least  # its specificity is its value
        cut = fixed_sequence(Scores(np.append(others, 2.0), np.arange(101) == 100), "specificity", at_least, delta)
        assert cut is not None
        broken["proven"] += cut.threshold < at_least
    assert kept_promise(broken["proven"], repeats, delta)
    assert broken["looks good"] > 0.3 * repeats


@tries("bayes-union", how="enumerated")
@pytest.mark.parametrize("rates", [(0.9, 0.8, 0.5), (0.5, 0.95, 0.3), (0.7, 0.3, 0.1)])
def test_the_precision_of_three_limits_is_rarely_missed(rates: tuple[float, float, float]) -> None:
    """Counted over all tables of 8 examples, with a threshold that was given beforehand."""
    (found, spared, share), n, delta = rates, 8, 0.9
    cells = np.array([share * found, share * (1 - found), (1 - share) * (1 - spared), (1 - share) * spared])
    true, missed, seen = cells[0] / (cells[0] + cells[2]), 0.0, 0.0
    for hits, misses, alarms in product(range(n + 1), repeat=3):
        if (quiet := n - hits - misses - alarms) >= 0:
            chance = stats.multinomial.pmf((hits, misses, alarms, quiet), n, cells)
            of_class, others = Counts(hits, hits + misses), Counts(quiet, quiet + alarms)
            limit = bayes_union(of_class, others, Counts(hits + misses, n), delta)
            missed, seen = missed + chance * (limit > true), seen + chance
    assert seen == pytest.approx(1)
    assert 0 < missed <= delta


# Precision as a function of the score, and how the scores spread: hopeless everywhere by a hair; good at the top and
# spoilt by one large grade below; good, bad and nearly good again; a few saturated scores.
WISH = 0.8
PRECISIONS = {
    "hopeless": (np.full(400, WISH - 0.005), np.full(400, 1 / 400)),
    "spoilt below": (np.where(np.arange(100) >= 70, 0.95, 0.5), grades([1.0] * 100)),
    "good, bad, good": (np.where(np.arange(60) // 20 == 1, 0.5, 0.93), grades([1.0] * 60)),
    "saturated": (np.array([0.1, 0.5, 0.79]), grades([0.4, 0.3, 0.3])),
    "one grade": (np.array([WISH - 0.001]), np.array([1.0])),
}


@pytest.mark.crossing(4)
@tries("learn-then-test", how="simulated")
@pytest.mark.parametrize("law", PRECISIONS)
@pytest.mark.parametrize("scale", [1.0, 37.0])
@pytest.mark.parametrize("named", [False, True])
def test_precision_is_what_was_claimed(law: str, scale: float, named: bool) -> None:
    share, chances = PRECISIONS[law]
    rng, delta, repeats, n = np.random.default_rng(23), 0.3, 60, 400
    values = (np.arange(chances.size) + 1) / chances.size * scale
    grid = np.linspace(0, scale, 41) if named else None
    broken = 0
    for _ in range(repeats):
        counts = rng.multinomial(n, chances)
        hits = rng.binomial(counts, share)
        cut = for_precision(Scores.from_counts(values, hits, counts - hits), WISH, delta, grid)
        if cut is not None:
            called = values >= cut.threshold
            broken += np.sum((chances * share)[called]) / max(np.sum(chances[called]), 1e-300) < WISH
    assert kept_promise(broken, repeats, delta)


def test_all_thresholds_tried_together_have_no_more_than_delta() -> None:
    """Every threshold is bad by a hair: whatever is found is wrong."""
    rng, delta, repeats, n = np.random.default_rng(31), 0.2, 250, 600
    found, grid = {"free": 0, "named": 0}, np.arange(1, 40) / 40
    for _ in range(repeats):
        scores = Scores(rng.random(n), rng.random(n) < 0.5 - 1e-6)
        found["free"] += for_precision(scores, 0.5, delta) is not None
        found["named"] += for_precision(scores, 0.5, delta, grid) is not None
    for number in found.values():
        assert kept_promise(number, repeats, delta)
        assert number > 0.02 * repeats, "far more cautious than it need be"


@given(ranked(), st.sampled_from([0.3, 0.5, 0.7]), st.sampled_from([0.4, 0.05]))
@settings(max_examples=80)
def test_named_thresholds_are_tested_in_turn(
    rows: tuple[Floats, NDArray[np.bool_]], at_least: float, delta: float
) -> None:
    values, truth = rows

    def surprise(t: float) -> float:
        called = values >= t
        return float(stats.binom.cdf(np.sum(called & ~truth), np.sum(called), 1 - at_least))

    def in_turn(falling: Floats, level: float) -> list[float]:
        number = min(STARTS, falling.size)
        proven = []
        for start in range(number):
            for t in falling[start * falling.size // number :]:
                if surprise(t) > level / number:
                    break
                proven.append(float(t))
        return proven

    grid = np.linspace(-0.2, 0.9, 23)
    named, falling = for_precision(Scores(*rows), at_least, delta, grid), in_turn(grid[::-1], delta)
    assert (named.threshold if named else None) == (min(falling) if falling else None)


def test_the_threshold_with_the_best_limit_does_not_keep_it() -> None:
    """Scores that know nothing: the precision is 1/2 everywhere, yet the best of all thresholds seems better."""
    rng, delta, repeats, n = np.random.default_rng(3), 0.05, 200, 200
    broken = {"best limit": 0, "proven": 0}
    for _ in range(repeats):
        truth = rng.random(n) < 0.5
        hits, called = np.cumsum(truth), np.arange(1, n + 1)  # by falling score
        with np.errstate(invalid="ignore"):
            limits = stats.beta.ppf(delta, hits, called - hits + 1)
        broken["best limit"] += bool(np.nanmax(limits) > 0.5)
        broken["proven"] += for_precision(Scores(-np.arange(n) / n, truth), 0.5 + 1e-9, delta) is not None
    assert kept_promise(broken["proven"], repeats, delta)
    assert not kept_promise(broken["best limit"], repeats, delta)


def test_precision_is_found_where_it_is_high_on_any_scale() -> None:
    rng = np.random.default_rng(12)
    truth = rng.random(3000) < 0.1
    logits = rng.normal(size=3000) + 4 * truth - 3
    for values in (logits, 1 / (1 + np.exp(-logits)), 1000 * logits - 5e6):
        cut = for_precision(Scores(values, truth), 0.8, 0.05)
        assert cut is not None
        assert np.mean(truth[values >= cut.threshold]) > 0.8
        assert np.sum(truth[values >= cut.threshold]) > 0.5 * truth.sum()
    assert for_precision(Scores(logits, truth), 0.999, 0.05) is None
    assert for_precision(Scores([], []), 0.5, 0.05) is None
    assert HUNDREDTHS[[0, -1]].tolist() == [1.0, 0.01]


def test_what_is_proven_in_every_group_is_true_of_the_worst() -> None:
    """One group is right by far and the other wrong by a hair: whatever is found is wrong."""
    rng, delta, repeats, n = np.random.default_rng(32), 0.2, 200, 600
    found, grid = {"groups": 0, "named": 0, "all rows": 0}, np.arange(1, 40) / 40
    for _ in range(repeats):
        group = rng.random(n) < 0.5
        truth, score = rng.random(n) < np.where(group, 0.8, 0.5 - 1e-6), rng.random(n)
        scores, groups = Scores(score, truth), [Scores(score[here], truth[here]) for here in (group, ~group)]
        found["groups"] += for_precision(scores, 0.5, delta, groups=groups) is not None
        found["named"] += for_precision(scores, 0.5, delta, grid, groups) is not None
        found["all rows"] += for_precision(scores, 0.5, delta) is not None
    assert kept_promise(found["groups"], repeats, delta)
    assert kept_promise(found["named"], repeats, delta)
    assert min(found["groups"], found["named"]) > 0.02 * repeats, "far more cautious than it need be"
    assert not kept_promise(found["all rows"], repeats, delta)


def test_one_group_of_all_examples_is_all_examples() -> None:
    rng = np.random.default_rng(33)
    truth = rng.random(500) < 0.4
    scores = Scores(rng.normal(size=500) + 2 * truth, truth)
    for grid in (None, np.linspace(-2, 4, 25)):
        assert for_precision(scores, 0.7, 0.05, grid, [scores]) == for_precision(scores, 0.7, 0.05, grid)


def test_at_a_stated_prevalence_either_rate_has_half_of_delta() -> None:
    recall, specificity = Counts(80, 100), Counts(180, 200)
    a, b = (stats.beta.ppf(0.025, int(each.k), int(each.n - each.k + 1)) for each in (recall, specificity))
    expected = 0.1 * a / (0.1 * a + 0.9 * (1 - b))
    assert bayes_union(recall, specificity, 0.1, 0.05) == pytest.approx(expected, rel=1e-9)


# --- scores in bins ---


@pytest.mark.parametrize("low", [0.0, -5.0])
def test_bins_never_change_what_is_claimed(low: float) -> None:
    rng = np.random.default_rng(2)
    truth = rng.random(500) < 0.5
    values, width = low + rng.random(500) + 0.5 * truth, 1 / 32
    counts = truth.astype(int), (~truth).astype(int)
    binned = Scores.from_counts(low + np.floor((values - low) / width) * width, *counts, width=width)
    stairs = Stairs.of(binned)
    for choose in (for_specificity, for_sensitivity, for_precision):
        exact, cut = choose(Scores(values, truth), 0.8, 0.05), choose(binned, 0.8, 0.05)
        assert exact is not None
        assert cut is not None
        (hits, alarms), (more_hits, more_alarms) = stairs.at_least(cut.threshold), stairs.at_most(cut.threshold)
        assert int(hits.k) <= np.sum(values[truth] >= cut.threshold) <= int(more_hits.k)
        assert int(alarms.k) <= np.sum(values[~truth] >= cut.threshold) <= int(more_alarms.k)
        if choose is for_specificity:
            assert exact.threshold <= cut.threshold < exact.threshold + 3 * width
            assert np.sum(values[~truth] >= cut.threshold) <= failures_allowed(int(np.sum(~truth)), 0.8, 0.05)
        if choose is for_sensitivity:
            assert exact.threshold - 3 * width < cut.threshold <= exact.threshold
            assert np.sum(values[truth] < cut.threshold) <= failures_allowed(int(np.sum(truth)), 0.8, 0.05)


def test_hundredths_have_half_of_delta_and_each_start_its_part_of_that() -> None:
    """All of n examples called positive are right, at one score: only hundredths can prove it, at delta / 10."""
    for n, proven in ((37, False), (38, True)):  # 0.9^37 > 0.02 >= 0.9^38
        found = for_precision(Scores(np.full(n, 0.5), np.ones(n, bool)), 0.9, 0.2)
        assert (found is not None) == proven
