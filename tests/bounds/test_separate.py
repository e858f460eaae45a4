"""Models bounded apart: both limits at a quarter of delta, mirrored, and the promise kept whatever they share."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from scipy.stats import binom

from holdfast.bounds.calibration import ks_band, signs
from holdfast.bounds.influence import OF_ONE, apart
from holdfast.claims import Guarantee
from holdfast.evidence import Evidence, Scores
from holdfast.evidence.pairs.separate import SeparateEstimates
from holdfast.evidence.ranking.calibration import Reliability
from holdfast.invert import solve_for_delta
from holdfast.measures.calibration import ece, ece_of_clusters
from holdfast.measures.ranking import ks
from tests.tries import tries


def distances(seed: int, n: int = 400) -> SeparateEstimates:
    rng = np.random.default_rng(seed)
    positive, shared = rng.random(n) < 0.4, rng.normal(size=n)
    return SeparateEstimates(
        *(ks(Scores(positive * size + shared + rng.normal(size=n), positive)) for size in (3.0, 0.5))
    )


def errors(seed: int, n: int = 400) -> SeparateEstimates:
    rng = np.random.default_rng(seed)
    chance = rng.random(n)
    positive = rng.random(n) < chance
    return SeparateEstimates(*(ece(Reliability.of(Scores(chance**power, positive))) for power in (3.0, 1.0)))


@pytest.mark.parametrize(("pair", "bound"), [(distances(0), ks_band), (errors(0), signs)])
def test_each_model_has_half_of_delta(pair: SeparateEstimates, bound: object) -> None:
    upper, lower = (
        bound(each, 0.025, side)
        for each, side in ((pair.first, "upper"), (pair.second, "lower"))  # type: ignore[operator]
    )
    assert apart(pair, 0.05, "upper").upper == pytest.approx(upper.upper - lower.lower, abs=1e-12)
    both = apart(pair, 0.1)
    assert both.upper == apart(pair, 0.05, "upper").upper
    assert both.lower == apart(pair, 0.05, "lower").lower
    assert -1 < both.lower < both.estimate < both.upper < 1
    assert (both.guarantee, both.n) == ("FINITE", 400)


def test_all_that_bound_one_model_hold_at_every_sample_size() -> None:
    assert {bound.guarantee for bound in OF_ONE.values()} == {Guarantee.FINITE}


@pytest.mark.parametrize("make", [distances, errors])
def test_swapped_models_have_mirrored_limits_to_the_last_bit(make: object) -> None:
    for seed in range(5):
        pair = make(seed)  # type: ignore[operator]
        for side, other in (("both", "both"), ("upper", "lower"), ("lower", "upper")):
            here, there = apart(pair, 0.05, side), apart(SeparateEstimates(pair.second, pair.first), 0.05, other)  # type: ignore[arg-type]
            assert (here.estimate, here.lower, here.upper) == (-there.estimate, -there.upper, -there.lower)  # type: ignore[operator]


def test_it_says_nothing_where_nothing_is_known_and_sees_no_difference_of_a_model_and_itself() -> None:
    one = ks(Scores([1.0, 2.0, 3.0], [True, True, True]))
    claim = apart(SeparateEstimates(one, one))
    assert (claim.estimate, claim.lower, claim.upper) == (None, -1.0, 1.0)
    same = SeparateEstimates(distances(0).first, distances(0).first)
    claim = apart(same)
    assert (claim.estimate, claim.lower) == (0.0, -float(claim.upper))
    assert float(solve_for_delta(apart, same, np.asarray(0.5), "both")) == 1.0


# ---- Promises: more misses than a kept promise would show once in a million


def missed(pairs: Iterator[SeparateEstimates], truth: float, delta: float) -> int:
    claims = (apart(pair, delta) for pair in pairs)
    return sum(not claim.lower <= truth <= claim.upper for claim in claims)


def kept(repeats: int, delta: float) -> int:
    return int(binom.isf(1e-6, repeats, delta))


GRADES = np.array([[0.1, 0.3, 0.6], [0.2, 0.6, 0.2]])  # of the class by the first model; the others are its mirror


@tries("apart", how="simulated")
@pytest.mark.long
@pytest.mark.parametrize("n", [8, 60])
@pytest.mark.parametrize(("first", "second"), [(0, 0), (0, 1), (1, 0)])
def test_the_promise_is_kept_for_distances(first: int, second: int, n: int) -> None:
    """Two scores of three grades; each model is sure where the other is sure, or the opposite of it."""
    rng, repeats = np.random.default_rng(1), 150

    def draws() -> Iterator[SeparateEstimates]:
        for _ in range(repeats):
            positive, luck = rng.random(n) < 0.5, rng.random(n)
            read: list[Evidence] = []
            for law, way in ((first, luck), (second, 1 - luck)):
                grade = np.searchsorted(np.cumsum(GRADES[law]), way)
                read.append(ks(Scores(np.where(positive, grade, 2 - grade), positive)))
            yield SeparateEstimates(*read)

    far = [np.max(np.abs(np.cumsum(law) - np.cumsum(law[::-1]))) for law in GRADES]
    assert missed(draws(), far[first] - far[second], 0.4) <= kept(repeats, 0.4)


def forecasts(rng: np.random.Generator, clusters: int, size: int) -> Iterator[tuple[np.ndarray, ...]]:
    """Clusters that come true as a whole, half of the time: one model says so, the other claims to know better."""
    for _ in range(150):
        positive = np.repeat(rng.random(clusters) < 0.5, size)
        yield positive, np.full(positive.size, 0.5), np.full(positive.size, 0.75), np.repeat(np.arange(clusters), size)


@tries("apart", how="simulated")
def test_the_promise_is_kept_for_calibration_errors_of_clusters() -> None:
    rows = forecasts(np.random.default_rng(2), 60, 50)
    pairs = (SeparateEstimates(*(ece_of_clusters(p, true, where) for p in said)) for true, *said, where in rows)
    assert missed(pairs, -0.25, 0.1) <= kept(150, 0.1)


def test_rows_of_clusters_taken_for_independent_draws_would_break_it() -> None:
    rows = forecasts(np.random.default_rng(2), 60, 50)
    pairs = (SeparateEstimates(*(ece(Reliability.of(Scores(p, true))) for p in said)) for true, *said, _ in rows)
    assert missed(pairs, -0.25, 0.1) > kept(150, 0.1)
