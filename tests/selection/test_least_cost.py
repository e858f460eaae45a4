"""The threshold with the lowest limit of the expected cost keeps that limit."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from holdfast.evidence import Scores
from holdfast.evidence.costs import Costs
from holdfast.evidence.draws import Draws
from holdfast.selection.drawn_thresholds import ScoredDraws
from holdfast.selection.least_cost import PricedDraws, PricedScores, least_cost
from holdfast.selection.stairs import Stairs
from holdfast.tally.designs.drawn import Drawn
from holdfast.verify.simulated import BY_CHANCE
from tests.tries import tries

EVEN = Costs([[0, 1], [1, 0]], ["yes", "no"], rows="predicted")
DEAR = Costs([[0, 1], [8, 0]], ["yes", "no"], rows="predicted")
LABELS = ("yes", "no")
GRID = np.arange(1, 100) / 100


def kept_promise(broken: int, repeats: int, delta: float) -> bool:
    return bool(stats.binom.sf(broken - 1, repeats, delta) > BY_CHANCE)


@tries("least-cost", how="simulated")
def test_the_lowest_limit_of_many_thresholds_holds() -> None:
    """Scores that know nothing: every threshold costs 1/2, and the one that seems cheapest is flattered."""
    rng, delta, repeats = np.random.default_rng(1), 0.2, 200
    broken = {"together": 0, "each on its own": 0}
    for _ in range(repeats):
        truth = rng.random(150) < 0.5
        part = PricedScores(Stairs.of(Scores(rng.random(150), truth)), EVEN, LABELS)
        broken["together"] += least_cost([part], GRID, delta).at_most < 0.5
        broken["each on its own"] += bool(part.limits(GRID, delta).min() < 0.5)
    assert kept_promise(broken["together"], repeats, delta)
    assert not kept_promise(broken["each on its own"], repeats, delta)


def clusters(rng: np.random.Generator, number: int, most: float) -> ScoredDraws:
    """Clusters of rows that share a label; the scores know nothing."""
    draw = np.repeat(np.arange(number), int(most))
    positive = (rng.random(number) < 0.5)[draw]
    rows = Drawn(Draws(np.ones(number), most=most), draw, np.ones(draw.size), positive.astype(np.int64))
    return ScoredDraws(rows, rng.random(number)[draw], positive)


def test_the_lowest_limit_holds_where_rows_come_in_clusters() -> None:
    rng, delta, repeats, grid = np.random.default_rng(2), 0.1, 60, np.arange(1, 11) / 11
    broken = {"clusters": 0, "rows": 0}
    for _ in range(repeats):
        draws = clusters(rng, 40, 8.0)
        broken["clusters"] += least_cost([PricedDraws(draws, EVEN, LABELS)], grid, delta).at_most < 0.5
        plain = PricedScores(Stairs.of(Scores(draws.score, draws.positive)), EVEN, LABELS)
        broken["rows"] += least_cost([plain], grid, delta).at_most < 0.5
    assert kept_promise(broken["clusters"], repeats, delta)
    assert not kept_promise(broken["rows"], repeats, delta)


@pytest.mark.parametrize("costs", [EVEN, DEAR, Costs([[1, 2], [7, 0.5]], LABELS, rows="predicted")])
def test_costs_are_those_of_the_answers_at_the_threshold(costs: Costs) -> None:
    rng = np.random.default_rng(3)
    truth, score = rng.random(400) < 0.3, rng.random(400)
    names = np.where(truth, *LABELS)
    rows = Drawn(Draws(np.ones(400), most=1.0), np.arange(400), np.ones(400), truth.astype(np.int64))
    for part in (
        PricedScores(Stairs.of(Scores(score, truth)), costs, LABELS),
        PricedDraws(ScoredDraws(rows, score, truth), costs, LABELS),
    ):
        for t in (0.2, 0.5, 0.9):
            paid = [costs[said, true] for said, true in zip(np.where(score >= t, *LABELS), names, strict=True)]
            limit = float(part.limits(np.array([t]), 0.01)[0])
            claim = part.claim(t, limit, 0.01)
            assert claim.estimate == pytest.approx(np.mean(paid))
            assert np.mean(paid) < limit < np.mean(paid) + 0.2 * (costs.high - costs.low)
            assert claim.upper == pytest.approx(limit)


def test_the_limits_share_delta_equally() -> None:
    rng = np.random.default_rng(4)
    part = PricedScores(Stairs.of(Scores(rng.random(300), rng.random(300) < 0.4)), DEAR, LABELS)
    cheapest = least_cost([part], GRID, 0.05)
    limits = part.limits(GRID, 0.05 / 99)
    assert cheapest == (GRID[limits.argmin()], limits.min())


def test_the_costliest_part_counts() -> None:
    rng = np.random.default_rng(5)
    truth = rng.random(400) < 0.4
    good = PricedScores(Stairs.of(Scores(np.where(truth, 0.8, 0.2), truth)), EVEN, LABELS)
    bad = PricedScores(Stairs.of(Scores(rng.random(400), truth)), EVEN, LABELS)
    both = least_cost([good, bad], GRID, 0.05)
    each = [part.limits(GRID, 0.05 / 99) for part in (good, bad)]
    assert both.at_most == np.maximum(*each).min()
    assert both.at_most > least_cost([good], GRID, 0.05).at_most


def test_at_a_stated_mix_a_range_is_costliest_at_its_ends() -> None:
    rng = np.random.default_rng(6)
    truth = rng.random(500) < 0.5
    stairs = Stairs.of(Scores(np.clip(rng.normal(0.4 + 0.25 * truth, 0.15), 0, 1), truth))

    def at(share: float) -> PricedScores:
        return PricedScores(stairs, DEAR, LABELS, {"yes": share, "no": 1 - share})

    cheapest = least_cost([at(0.03), at(0.3)], GRID, 0.05)
    for share in np.linspace(0.03, 0.3, 9):
        assert float(at(float(share)).limits(np.array([cheapest.threshold]), 0.05 / 99)[0]) <= cheapest.at_most + 1e-9


def test_bins_never_make_a_threshold_cheaper() -> None:
    rng = np.random.default_rng(7)
    truth, score, width = rng.random(500) < 0.5, rng.random(500), 1 / 32
    binned = Scores.from_counts(np.floor(score / width) * width, truth * 1, ~truth * 1, width=width)
    exact, rough = (PricedScores(Stairs.of(each), DEAR, LABELS) for each in (Scores(score, truth), binned))
    assert np.all(rough.limits(GRID, 0.01) >= exact.limits(GRID, 0.01) - 1e-12)
