"""Clustered rankings: Obuchowski's variance, the delete-one-cluster jackknife, silence, and promises."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from scipy.stats import binom, norm, t

from holdfast.bounds.influence import best_thresholds, influence, influence_p_value
from holdfast.bounds.paired import paired_delong
from holdfast.bounds.ranking import logit
from holdfast.catalog import Measure, methods
from holdfast.claims import Guarantee
from holdfast.evidence import Scores
from holdfast.evidence.draws import Draws, Influence, Ratio
from holdfast.evidence.ranking.distance import PairedScores
from holdfast.evidence.value import OVERLAPS, SHARES, Differences, Scale
from holdfast.invert import solve_for_delta
from holdfast.measures.influences import average_precision_of
from holdfast.measures.ranking import auc, average_precision, ks
from holdfast.tally.designs.drawn import Drawn
from holdfast.tally.designs.reading import readings
from tests.tries import tries

HALF = np.asarray(0.5)
REFERENCE = json.loads((Path(__file__).parents[1] / "reference" / "influence.json").read_text(encoding="utf-8"))


class Rows(NamedTuple):
    first: np.ndarray
    second: np.ndarray
    positive: np.ndarray
    clusters: np.ndarray | None

    def swapped(self) -> Rows:
        return self._replace(first=self.second, second=self.first)


def of_one(measure: Measure, scores: np.ndarray, rows: Rows) -> Influence:
    """What a draw, a cluster or an example, adds to what one model's scores are worth."""
    size = scores.size
    draw = np.arange(size) if rows.clusters is None else np.unique(rows.clusters, return_inverse=True)[1].reshape(-1)
    draws, truth = Draws(np.ones(int(draw.max(initial=-1)) + 1)), rows.positive.astype(np.int64)
    labels, truths = ("other", "own"), np.arange(2)
    entries = Drawn(draws, draw, np.ones(size), truth, scores={"own": scores}, labels=labels, truths=truths)
    [(_, found)] = readings(measure, entries)
    assert isinstance(found, Influence)
    return found


def read(measure: Measure, rows: Rows) -> Influence:
    """The same of the first model's value minus the second's."""
    one, other = (of_one(measure, scores, rows) for scores in rows[:2])
    return one - other


def of_area(rows: Rows) -> Influence:
    return read(auc, rows)


def of_precision(rows: Rows) -> Influence:
    return read(average_precision, rows)


def of_distance(rows: Rows) -> Influence:
    return read(ks, rows)


def standard_error(pair: Influence) -> float:
    """Of the difference itself."""
    return float(np.sqrt(pair.spread.variance) * pair.scale.width)


def evenly(pair: Influence) -> Influence:
    """The same as if every draw carried as much as any other."""
    return replace(pair, leverage=np.ones(pair.leverage.shape))


def drawn(
    rng: np.random.Generator, number: int, size: int, gains: tuple[float, float] = (1.0, 1.0), pure: bool = False
) -> Rows:
    """Clusters whose examples of a class are all scored too high or too low together, by either model on its own."""
    clusters = np.repeat(np.arange(number), size)
    positive = (rng.random(number) < 0.3)[clusters] if pure else rng.random(number * size) < 0.3
    shared = rng.normal(size=clusters.size)

    def score(gain: float) -> np.ndarray:
        own, others = rng.normal(size=(2, number))[:, clusters]
        return positive * gain + np.where(positive, own, others) + 0.7 * (shared + rng.normal(size=shared.size))

    return Rows(score(gains[0]), score(gains[1]), positive, clusters)


@pytest.mark.parametrize(
    ("of", "bound", "guarantee"),
    [(of_area, influence, "ASYMPTOTIC"), (of_distance, best_thresholds, "HEURISTIC")],
)
def test_limits_are_so_many_errors_of_students_law_away_on_fishers_scale(
    of: Callable[[Rows], Influence], bound: object, guarantee: str
) -> None:
    pair = of(drawn(np.random.default_rng(0), 30, 5))
    claim = bound(pair, 0.1)  # type: ignore[operator]
    reach = t.ppf(0.95, pair.spread.df) * standard_error(pair) / (1 - pair.value**2)
    ends = np.tanh(np.arctanh(pair.value) + np.array([-reach, reach]))
    assert (claim.lower, claim.upper) == pytest.approx(tuple(ends), abs=1e-12)
    assert bound(pair, 0.05, "upper").upper == claim.upper  # type: ignore[operator]
    assert (claim.guarantee, claim.n) == (guarantee, 30)
    assert 5 < pair.spread.df < 30


def obuchowski(rows: Rows) -> float:
    """Her variance of the difference of two areas, from all pairs written out, with its three terms."""
    assert rows.clusters is not None
    held = [np.unique(rows.clusters[each]) for each in (rows.positive, ~rows.positive)]
    own, others = [], []
    for scores in rows[:2]:
        won = np.sign(scores[rows.positive][:, None] - scores[~rows.positive]) / 2 + 0.5
        own.append(won.mean(axis=1))
        others.append(won.mean(axis=0))
    every = np.unique(rows.clusters)
    gap = own[0].mean() - own[1].mean()
    off = np.zeros((2, every.size))
    for place, (values, kind) in enumerate(((own, rows.positive), (others, ~rows.positive))):
        where = np.searchsorted(every, rows.clusters[kind])
        np.add.at(off[place], where, values[0] - values[1] - gap)
    m, n, number = rows.positive.sum(), (~rows.positive).sum(), every.size
    s10, s01 = (
        each.size / ((each.size - 1) * k) * np.sum(part**2) for each, k, part in zip(held, (m, n), off, strict=True)
    )
    s11 = number / (number - 1) * np.sum(off[0] * off[1])
    return float(s10 / m + s01 / n + 2 * s11 / (m * n))


def test_the_error_of_an_area_is_obuchowskis() -> None:
    rng = np.random.default_rng(1)
    rows = drawn(rng, 25, 8)
    rows.positive[::8], rows.positive[1::8] = True, False  # every cluster holds both classes
    rows = rows._replace(first=np.round(rows.first, 1))
    assert standard_error(evenly(of_area(rows))) == pytest.approx(np.sqrt(obuchowski(rows)), rel=1e-10)
    assert standard_error(of_area(rows)) == pytest.approx(np.sqrt(obuchowski(rows)), rel=0.02)
    sparse = drawn(rng, 200, 3)
    assert standard_error(of_area(sparse)) == pytest.approx(np.sqrt(obuchowski(sparse)), rel=0.01)


def test_where_examples_are_clusters_the_error_of_an_area_is_delongs() -> None:
    rows = drawn(np.random.default_rng(2), 4000, 1)
    exact = PairedScores(rows.first, rows.second, rows.positive)
    found = of_area(rows)
    assert found.value == pytest.approx(float(exact.estimate), abs=1e-14)
    assert standard_error(found) == pytest.approx(np.sqrt(exact.variance), rel=1e-3)
    assert standard_error(of_area(rows._replace(clusters=None))) == standard_error(found)


def test_within_classes_the_error_of_an_area_is_delongs_to_the_last_digit() -> None:
    rows = drawn(np.random.default_rng(2), 60, 1)
    exact = PairedScores(rows.first, rows.second, rows.positive)
    found = evenly(of_area(rows))
    by_class = replace(found, draws=replace(found.draws, stratum=rows.positive.astype(np.int64)))
    assert standard_error(by_class) == pytest.approx(np.sqrt(exact.variance), rel=1e-12)


@pytest.mark.parametrize("of", [of_area, of_precision])
def test_leaving_out_one_cluster_at_a_time_gives_nearly_the_same_error(of: Callable[[Rows], Influence]) -> None:
    rows = drawn(np.random.default_rng(3), 150, 6, (1.5, 0.8))
    without = [of(Rows(*(each[rows.clusters != c] for each in rows))).value for c in range(150)]  # type: ignore[index]
    spread = 149 / 150 * np.sum((without - np.mean(without)) ** 2)
    assert standard_error(of(rows)) == pytest.approx(np.sqrt(spread), rel=0.05)


EACH = [
    (of_area, influence),
    (of_precision, influence),
    (of_distance, best_thresholds),
]


@pytest.mark.parametrize(("of", "bound"), EACH)
def test_swapped_models_have_mirrored_limits_to_the_last_bit(of: Callable[[Rows], Influence], bound: object) -> None:
    for seed in range(10):
        rows = drawn(np.random.default_rng(seed), 20, 4)
        here, there = (bound(of(each), 0.05) for each in (rows, rows.swapped()))  # type: ignore[operator]
        assert (here.estimate, here.lower, here.upper) == (-there.estimate, -there.upper, -there.lower)
        upper, lower = bound(of(rows), 0.05, "upper"), bound(of(rows.swapped()), 0.05, "lower")  # type: ignore[operator]
        assert upper.upper == -lower.lower


@pytest.mark.parametrize(("of", "bound"), EACH)
def test_it_is_silent_where_it_cannot_know(of: Callable[[Rows], Influence], bound: object) -> None:
    rows = drawn(np.random.default_rng(0), 20, 4)
    n = rows.first.size
    for odd in (
        rows._replace(second=rows.first),
        rows._replace(second=2 * rows.first + 1),  # ranked alike
        rows._replace(clusters=np.zeros(n, np.int64)),
        rows._replace(positive=np.arange(n) == 3),
        rows._replace(positive=np.ones(n, bool)),
        rows._replace(positive=np.zeros(n, bool)),
        Rows(np.zeros(0), np.zeros(0), np.zeros(0, bool), np.zeros(0, np.int64)),
    ):
        claim = bound(of(odd))  # type: ignore[operator]
        assert (claim.lower, claim.upper) == (-1.0, 1.0)
        assert claim.estimate is None or not np.isnan(claim.estimate)
    same = of(rows._replace(second=rows.first))
    assert float(solve_for_delta(bound, same, HALF, "both")) == 1.0  # type: ignore[arg-type]


# ---- One average precision


def ranked(positives: list[int], negatives: list[int], width: float = 0.0) -> Scores:
    """Scores 0, 1, 2, ... with these counts of either class."""
    return Scores.from_counts(np.arange(len(positives)), positives, negatives, width=width)


def test_variances_are_those_of_an_independent_computation() -> None:
    """The file divides by all draws minus one, as is done here for draws that all carry as much."""
    rows, positive = REFERENCE["rows"], np.array(REFERENCE["rows"]["y"]) == 1
    first, second = (np.array(rows[name]) for name in ("score", "score2"))
    for case in REFERENCE["cases"]:
        measure = average_precision if case["measure"].startswith("average precision") else auc
        draws = np.array(rows["cluster"]) if case["design"] == "clusters" else np.arange(positive.size)
        both = Rows(first, second, positive, draws)
        found = read(measure, both) if "difference" in case["measure"] else of_one(measure, first, both)
        assert found.value == pytest.approx(case["estimate"], rel=1e-12)
        assert standard_error(evenly(found)) ** 2 == pytest.approx(case["V"], rel=1e-10)
        if case["measure"] == "average precision" and case["design"] == "rows":
            precision, k = measure(Scores(first, positive)), int(min(positive.sum(), (~positive).sum()))
            assert float(precision.mean) == pytest.approx(case["estimate"], rel=1e-12)
            assert precision.standard_error**2 * (k - 1) / k * (40 / 39) == pytest.approx(case["V"], rel=1e-10)


def test_limits_of_an_average_precision_are_t_standard_errors_on_log_odds() -> None:
    rng = np.random.default_rng(8)
    positive = rng.random(300) < 0.05
    scores = np.round(rng.normal(size=300) + positive, 1)
    precision = average_precision(Scores(scores, positive))
    k, a = int(positive.sum()), float(precision.mean)
    error = np.sqrt(k / (k - 1) * np.sum(average_precision_of(scores, positive).influence ** 2))
    claim = influence(precision, 0.05)
    for limit, quantile in ((claim.lower, t.ppf(0.025, k - 1)), (claim.upper, t.ppf(0.975, k - 1))):
        assert np.log(limit / (1 - limit)) == pytest.approx(np.log(a / (1 - a)) + quantile * error / (a * (1 - a)))
    assert (claim.measure, claim.guarantee) == ("average-precision", Guarantee.ASYMPTOTIC)
    upper, lower = influence(precision, 0.025, "upper"), influence(precision, 0.025, "lower")
    assert (lower.lower, upper.upper) == (claim.lower, claim.upper)


@pytest.mark.parametrize(
    "scores",
    [
        Scores([], []),
        ranked([0], [3]),
        ranked([3], [0]),
        ranked([0, 5], [7, 0]),  # a perfect ranking
        ranked([1, 0], [3, 4]),  # one example of the class
        ranked([3, 4], [1, 0]),
    ],
)
def test_an_average_precision_that_nothing_sways_is_left_open(scores: Scores) -> None:
    claim = influence(average_precision(scores))
    assert (claim.lower, claim.upper) == (0.0, 1.0)


def test_scores_that_are_all_equal_have_the_error_of_the_prevalence() -> None:
    precision = average_precision(ranked([300], [700]))
    assert precision.standard_error == pytest.approx(np.sqrt(0.3 * 0.7 / 1000 * 300 / 299), rel=1e-12)


def test_bins_widen_the_interval_of_an_average_precision() -> None:
    rng = np.random.default_rng(1)
    positive = rng.random(500) < 0.3
    values = rng.beta(2 + 2 * positive, 3)
    places = np.floor(values * 64) / 64
    exact, binned = Scores(values, positive), Scores.from_counts(places, positive * 1, ~positive * 1, width=1 / 64)
    fine, rough = (influence(average_precision(each)) for each in (exact, binned))
    assert rough.lower < fine.lower < fine.upper < rough.upper < fine.upper + 0.1


def test_a_few_others_on_top_widen_the_interval_that_only_counts_the_class() -> None:
    own, others = [0, *[1000] * 100, 0], [99_900, *[0] * 100, 100]
    precision = average_precision(ranked(own, others))
    assert influence(precision).width > 2 * logit(precision).width


# ---- Promises


def misses(of: Callable[[Rows], Influence], bound: object, samples: Iterator[Rows], truth: float = 0.0) -> int:
    claims = (bound(of(rows)) for rows in samples)  # type: ignore[operator]
    return sum(not claim.lower <= truth <= claim.upper for claim in claims)


def about_right(found: int, repeats: int) -> bool:
    return bool(binom.ppf(5e-7, repeats, 0.03) <= found <= binom.isf(5e-7, repeats, 0.065))


MANY = 2000
REPEATS = [400, pytest.param(MANY, marks=pytest.mark.long)]


@tries("influence", "best-thresholds", how="simulated")
@pytest.mark.long
@pytest.mark.parametrize(("of", "bound"), EACH)
def test_models_that_are_equally_good_are_rarely_told_apart(of: Callable[[Rows], Influence], bound: object) -> None:
    rng = np.random.default_rng(4)
    assert about_right(misses(of, bound, (drawn(rng, 80, 6) for _ in range(MANY))), MANY)


@pytest.mark.long
@pytest.mark.parametrize("pure", [False, True])
def test_clusters_taken_for_single_examples_would_be_told_apart_far_too_often(pure: bool) -> None:
    """A cluster of one class, as a patient with many pictures, or of both."""
    samples = [drawn(rng, 80, 6, pure=pure) for rng in [np.random.default_rng(5)] for _ in range(400)]
    assert about_right(misses(of_area, influence, iter(samples)), 400)
    claims = (paired_delong(PairedScores(*rows[:3])) for rows in samples)
    wrong = sum(not claim.lower <= 0 <= claim.upper for claim in claims)
    assert wrong > binom.isf(5e-7, 400, 0.065)
    assert not about_right(misses(of_area, influence, (r._replace(clusters=None) for r in samples)), 400)


@tries("influence", how="simulated")
@pytest.mark.parametrize("repeats", REPEATS)
def test_it_covers_the_difference_of_areas(repeats: int) -> None:
    rng, gains = np.random.default_rng(6), (2.0, 0.5)
    truth = float(np.subtract(*norm.cdf(np.array(gains) / np.sqrt(2 * (1 + 2 * 0.49)))))
    samples = (drawn(rng, 100, 6, gains) for _ in range(repeats))
    assert about_right(misses(of_area, influence, samples, truth), repeats)


@tries("influence", how="simulated")
@pytest.mark.long
@pytest.mark.parametrize("size", [1, 6])
def test_it_covers_the_difference_of_average_precisions(size: int) -> None:
    """Where every example is drawn by itself, and in clusters; the truth by integrating over all thresholds."""
    rng, gains = np.random.default_rng(7), (2.0, 0.5)
    spread, grid = np.sqrt(1 + 2 * 0.49), np.linspace(-12, 14, 20_001)

    def precision(gain: float) -> float:
        right, wrong = 0.3 * norm.sf(grid, gain, spread), 0.7 * norm.sf(grid, 0, spread)
        return float(np.sum(norm.pdf(grid, gain, spread) * right / (right + wrong)) * (grid[1] - grid[0]))

    samples = (drawn(rng, 600 // size, size, gains) for _ in range(MANY))
    found = misses(of_precision, influence, samples, precision(gains[0]) - precision(gains[1]))
    assert about_right(found, MANY)


def test_average_precision_is_not_said_to_have_no_limit_at_every_sample_size() -> None:
    """There are some, such as [0, 1] and that of the union over all thresholds; none is useful."""
    told = " ".join(" ".join((bound.__doc__ or "").split()) for bound in methods())
    assert "none that is useful is known" in told
    assert "No limit that holds at every sample size is known" not in told


@pytest.mark.parametrize("scale", [SHARES, OVERLAPS, Differences()])
@pytest.mark.parametrize("straight", [False, True])
def test_the_p_value_is_the_delta_at_which_a_limit_comes_to_the_null(scale: Scale, straight: bool) -> None:
    random = np.random.default_rng(4)
    sizes = random.integers(1, 6, 40).astype(float)
    ratio = Ratio(random.binomial(sizes.astype(int), 0.3), sizes, Draws(np.ones(40)), scale=scale, straight=straight)
    for null in (0.37, 0.4, 0.45):
        p = float(influence_p_value(ratio, np.asarray(null), np.asarray(1 - null)))
        claim = influence(ratio, p, "upper")
        assert float(claim.upper) == pytest.approx(float(ratio.units(np.asarray(null))), abs=1e-9)
        lower = influence(ratio, float(solve_for_delta(influence, ratio, null - 0.2, "lower")), "lower").lower
        assert float(lower) == pytest.approx(float(ratio.units(np.asarray(null - 0.2))), abs=1e-9)


def test_nothing_known_is_no_surprise() -> None:
    ratio = Ratio(np.zeros(5), np.ones(5), Draws(np.ones(5)))
    assert influence_p_value(ratio, np.asarray(0.5), np.asarray(0.5)) == 1.0


def test_draws_that_are_all_alike_say_nothing_of_others() -> None:
    """No variance was seen, which is no proof that there is none."""
    for whole in (np.full(5, 2.0), np.array([1.0, 3.0, 7.0, 11.0, 13.0])):  # of which a tenth is rounded
        claim = influence(Ratio(0.1 * whole, whole, Draws(np.ones(5))), 0.05)
        assert claim.estimate == pytest.approx(0.1)
        assert (claim.lower, claim.upper) == (0.0, 1.0)
