"""Thresholds of rows that come in clusters, with weights or within strata keep what is claimed of them."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from holdfast.bounds.squares import squares
from holdfast.evidence import Counts, Scores
from holdfast.evidence.draws import Draws, Ratio
from holdfast.numerics.wealth.ratios import Pairs
from holdfast.selection.drawn_thresholds import (
    LEVELS,
    ScoredDraws,
    WithinClasses,
    drawn_cut,
    draws_needed,
    every_threshold,
    precise_cut,
    refutes,
)
from holdfast.selection.stairs import Stairs
from holdfast.selection.thresholds import HUNDREDTHS, for_precision, for_specificity
from holdfast.tally.designs.drawn import Drawn
from holdfast.verify.simulated import BY_CHANCE
from tests.tries import tries

Floats = NDArray[np.float64]
SMALL, LARGE = 1, 8  # rows of clusters with low and with high scores
MEAN = (SMALL + LARGE) / 2


def kept_promise(broken: int, repeats: int, delta: float) -> bool:
    """Whether so many broken promises could be chance; by chance alone less than once in a million it could not."""
    return bool(stats.binom.sf(broken - 1, repeats, delta) > BY_CHANCE)


def scored(
    draw: NDArray[np.int64],
    score: Floats,
    positive: NDArray[np.bool_],
    most: float | None,
    weight: Floats | None = None,
    stratum: NDArray[np.int64] | None = None,
) -> ScoredDraws:
    number = int(draw.max()) + 1
    draws = Draws(np.ones(number), stratum, None if stratum is None else np.ones(number), most)
    rows = Drawn(draws, draw, np.ones(draw.size) if weight is None else weight, positive.astype(np.int64))
    return ScoredDraws(rows, score, positive)


def alike(rng: np.random.Generator, clusters: int, most: float | None = LARGE) -> ScoredDraws:
    """Clusters whose rows all share one score, uniform over clusters; those above 1/2 hold eight times as many."""
    common = rng.random(clusters)
    sizes = np.where(common < 0.5, SMALL, LARGE)
    draw = np.repeat(np.arange(clusters), sizes)
    return scored(draw, common[draw], np.zeros(draw.size, bool), most)


def below(t: float) -> float:
    """The true share of rows with a score below t, whatever cluster they come from."""
    return (SMALL * min(t, 0.5) + LARGE * max(t - 0.5, 0.0)) / MEAN


# ---- The promise


def test_clusters_keep_the_specificity_that_was_claimed() -> None:
    rng, delta, repeats = np.random.default_rng(4), 0.1, 200
    broken = {"clusters": 0, "rows": 0}
    for _ in range(repeats):
        draws = alike(rng, 60)
        cut = drawn_cut(draws, "specificity", 0.7, delta)
        broken["clusters"] += cut is not None and below(min(cut.threshold, 1.0)) < 0.7
        plain = for_specificity(Scores(draws.score, draws.positive), 0.7, delta)
        broken["rows"] += plain is not None and below(min(plain.threshold, 1.0)) < 0.7
    assert kept_promise(broken["clusters"], repeats, delta)
    assert not kept_promise(broken["rows"], repeats, delta), "rows for draws would do as well here"


def test_weights_keep_the_sensitivity_that_was_claimed() -> None:
    """Rows of high scores weigh little: 1 below 1/2 and a quarter above."""
    rng, delta, repeats, n = np.random.default_rng(5), 0.3, 150, 150
    broken = {"weights": 0, "none": 0}
    for _ in range(repeats):
        score = rng.random(n)
        weight = np.where(score < 0.5, 1.0, 0.25)
        draws = scored(np.arange(n), score, np.ones(n, bool), 1.0, weight)
        cut = drawn_cut(draws, "sensitivity", 0.7, delta)
        plain = drawn_cut(scored(np.arange(n), score, np.ones(n, bool), 1.0), "sensitivity", 0.7, delta)
        for name, found in (("weights", cut), ("none", plain)):
            if found is not None:
                t = min(max(found.threshold, 0.0), 1.0)
                above = ((0.5 - min(t, 0.5)) + 0.25 * (1.0 - max(t, 0.5))) / 0.625
                broken[name] += above < 0.7
    assert kept_promise(broken["weights"], repeats, delta)
    assert not kept_promise(broken["none"], repeats, delta)


@tries("learn-then-test", how="simulated")
def test_all_thresholds_tried_together_have_no_more_than_delta_where_rows_come_in_clusters() -> None:
    """Labels are those of the cluster and scores know nothing: whatever threshold is found is wrong."""
    rng, delta, repeats, grid = np.random.default_rng(6), 0.1, 100, np.arange(1, 11) / 11
    found = {"clusters": 0, "rows": 0}
    for _ in range(repeats):
        draw = np.repeat(np.arange(50), 8)
        positive, score = (rng.random(50) < 0.5 - 1e-6)[draw], rng.random(400)
        found["clusters"] += precise_cut([scored(draw, score, positive, 8.0)], 0.5, delta, grid) is not None
        found["rows"] += for_precision(Scores(score, positive), 0.5, delta, grid) is not None
    assert kept_promise(found["clusters"], repeats, delta)
    assert not kept_promise(found["rows"], repeats, delta), "rows for draws would do as well here"


@tries("every-threshold", how="simulated")
def test_limits_hold_at_every_threshold_at_once() -> None:
    rng, delta, repeats = np.random.default_rng(7), 0.3, 30
    broken = tight = 0
    for _ in range(repeats):
        draws = alike(rng, 60)
        grid = np.unique(draws.score)[::4]
        limits = np.array([every_threshold(draws.rate("specificity", t), delta) for t in grid])
        broken += bool(np.any(limits > [below(t) for t in grid]))
        tight += bool(limits.max() > 0.5)
    assert kept_promise(broken, repeats, delta)
    assert tight == repeats


@pytest.mark.long
def test_without_a_cap_the_promise_holds_as_clusters_grow_many() -> None:
    rng, delta, repeats = np.random.default_rng(8), 0.1, 400
    broken = found = 0
    for _ in range(repeats):
        cut = drawn_cut(alike(rng, 200, most=None), "specificity", 0.7, delta)
        found += cut is not None
        broken += cut is not None and below(min(cut.threshold, 1.0)) < 0.7
    assert found == repeats
    assert kept_promise(broken, repeats, 1.3 * delta)
    assert broken > 0.2 * delta * repeats, "far more cautious than it need be"


# ---- What is chosen


@pytest.mark.parametrize("word", ["sensitivity", "specificity"])
@pytest.mark.parametrize(("delta", "most"), [(0.05, 4.0), (0.1, 4.0), (0.05, 10.0)])
def test_the_threshold_is_the_last_of_all_scores_that_the_evidence_accepts(
    word: str, delta: float, most: float
) -> None:
    """Written anew, without halving: the evidence at every score, at this delta and with the cap that was stated."""
    rng = np.random.default_rng(1)
    sizes = rng.integers(1, 5, 120)
    draw = np.repeat(np.arange(120), sizes)
    positive = rng.random(draw.size) < 0.4
    score = np.round(rng.random(draw.size) + 0.5 * positive, 2)
    own = positive if word == "sensitivity" else ~positive
    accepted = []
    for value in np.unique(score[own]):
        right = own & (score >= value if word == "sensitivity" else score <= value)
        a, b = (np.bincount(draw, each, 120) / most for each in (right, own))
        if a.sum() > 0.7 * b.sum() and Pairs.of(a, b).log_evidence(0.7, delta) >= -np.log(delta):
            accepted.append(value)
    cut = drawn_cut(scored(draw, score, positive, most), word, 0.7, delta)
    assert cut is not None
    assert cut.at_least == 0.7
    if word == "sensitivity":
        assert max(accepted) - 0.01 < cut.threshold <= max(accepted)
    else:
        assert min(accepted) < cut.threshold < min(accepted) + 0.01
    named = np.arange(0.005, 1.5, 0.01)
    among = drawn_cut(scored(draw, score, positive, most), word, 0.7, delta, named)
    assert among is not None
    fits = named[named <= max(accepted)].max() if word == "sensitivity" else named[named > min(accepted)].min()
    assert among.threshold == fits


def test_a_cap_that_is_stated_counts_and_not_the_largest_that_was_seen() -> None:
    rng = np.random.default_rng(2)
    sizes = rng.integers(1, 4, 100)
    draw = np.repeat(np.arange(100), sizes)
    score, positive = rng.random(draw.size), np.zeros(draw.size, bool)
    cuts = [drawn_cut(scored(draw, score, positive, most), "specificity", 0.8, 0.05) for most in (3.0, 12.0)]
    assert cuts[0] is not None
    assert cuts[1] is not None
    assert cuts[0].threshold < cuts[1].threshold


def test_precision_is_tested_in_turn_by_the_evidence_of_each_threshold() -> None:
    rng = np.random.default_rng(3)
    sizes = rng.integers(1, 5, 150)
    draw = np.repeat(np.arange(150), sizes)
    positive = rng.random(draw.size) < 0.5
    score = np.clip(rng.normal(0.4 + 0.3 * positive, 0.15), 0, 1)
    cut = precise_cut([scored(draw, score, positive, 4.0)], 0.6, 0.05)
    assert cut is not None

    def accepted(t: float) -> bool:
        called = score >= t
        a, b = (np.bincount(draw, each, 150) / 4 for each in (called & positive, called))
        if not a.sum() > 0.6 * b.sum():
            return False
        with np.errstate(over="ignore"):
            return Pairs.of(a, b).log_evidence(0.6, 0.01) >= np.log(100)

    proven = []
    for start in range(5):
        for t in HUNDREDTHS[20 * start :]:
            if not accepted(t):
                break
            proven.append(t)
    assert cut.threshold == min(proven)


def test_every_part_must_be_proven() -> None:
    rng = np.random.default_rng(9)
    draw = np.repeat(np.arange(200), 2)
    positive = rng.random(400) < 0.5
    good = scored(draw, np.where(positive, 0.9, 0.1), positive, 2.0)
    bad = scored(draw, rng.random(400), positive, 2.0)
    assert precise_cut([good], 0.8, 0.05) is not None
    assert precise_cut([good, bad], 0.8, 0.05) is None


def test_strata_are_tested_by_bets_and_one_stratum_is_none() -> None:
    rng = np.random.default_rng(10)
    draw, score, positive = np.arange(300), rng.random(300), rng.random(300) < 0.3
    one = scored(draw, score, positive, 1.0, stratum=np.zeros(300, np.int64))
    none = scored(draw, score, positive, 1.0)
    two = scored(draw, score, positive, 1.0, stratum=np.arange(300) % 2)
    cuts = [drawn_cut(each, "specificity", 0.8, 0.05) for each in (one, none, two)]
    assert None not in cuts
    assert cuts[0] == cuts[1]
    assert cuts[2].threshold > cuts[0].threshold  # type: ignore[union-attr]  # see above


def test_rows_drawn_one_by_one_have_the_binomial_test() -> None:
    draws = Draws(np.ones(100), most=1.0, rows=True)
    for events in (88, 92, 94, 95, 96, 99):
        ratio = Ratio(np.arange(100) < events, np.ones(100), draws, levels=(0.0, 1.0))
        assert refutes(ratio, 0.9, 0.05) == (stats.binom.cdf(100 - events, 100, 0.1) <= 0.05)


def test_without_a_cap_draws_without_a_failure_prove_what_so_many_rows_would() -> None:
    for number, proven in ((28, False), (29, True)):
        ratio = Ratio.of_counts(Counts([3] * number, [3] * number))
        assert refutes(ratio, 0.9, 0.05) == proven
    assert not refutes(Ratio.of_counts(Counts([0] * 9, [0] * 9)), 0.5, 0.05)


def test_fewer_draws_than_needed_prove_nothing() -> None:
    needed = draws_needed(0.95, 0.01)
    assert needed is not None
    for number in (needed - 1, needed):
        ratio = Ratio.of_counts(Counts([4] * number, [4] * number), most=4)
        assert refutes(ratio, 0.95, 0.01) == (number == needed)
    assert draws_needed(1 - 1e-12, 0.05) is None


def test_few_thresholds_share_delta_among_them_and_many_are_known_by_levels_that_do() -> None:
    counts = Counts([3] * 60 + [2, 0, 1], [3] * 63)
    ratio = Ratio.of_counts(counts, most=4)
    for tried in (1, 10, 99):
        exact = squares(ratio, 0.05 / tried, "lower").lower
        assert every_threshold(ratio, 0.05, tried) == pytest.approx(exact, rel=1e-12)
    pairs = Pairs.of(counts.k / 4, counts.n / 4)
    target = np.log(99 / 0.05)
    reached = [at for at in LEVELS if at < ratio.mean and pairs.log_evidence(at, 0.05 / 99) >= target]
    assert every_threshold(ratio, 0.05) == every_threshold(ratio, 0.05, 1000) == max(reached)


# ---- At a stated prevalence


def test_a_precision_that_is_proven_at_both_ends_of_a_range_is_proven_inside() -> None:
    rng = np.random.default_rng(11)
    positive = rng.random(900) < 0.5
    stairs = Stairs.of(Scores(np.clip(rng.normal(0.35 + 0.3 * positive, 0.12), 0, 1), positive))
    ends = [WithinClasses(stairs, share / (1 - share)) for share in (0.03, 0.07)]
    cut = precise_cut(ends, 0.2, 0.05)
    assert cut is not None
    assert cut == precise_cut(ends[:1], 0.2, 0.05)  # the rarer the class, the harder
    for share in np.linspace(0.03, 0.07, 9):
        inside = WithinClasses(stairs, share / (1 - share))
        assert inside.precise(np.array([cut.threshold]), 0.2, 0.01).all()


def test_a_precision_at_a_prevalence_is_what_was_claimed() -> None:
    """Scores are uniform for the others, of density 2x for the class, of which a tenth is stated."""
    rng, delta, repeats = np.random.default_rng(12), 0.3, 200
    broken = 0
    for _ in range(repeats):
        positive = np.arange(300) < 150
        score = np.where(positive, np.sqrt(rng.random(300)), rng.random(300))
        cut = precise_cut([WithinClasses(Stairs.of(Scores(score, positive)), 1 / 9)], 0.15, delta)
        if cut is not None:
            t = cut.threshold
            right, wrong = 0.1 * (1 - t**2), 0.9 * (1 - t)
            broken += right / (right + wrong) < 0.15 if t < 1 else 0
    assert kept_promise(broken, repeats, delta)
