"""The paired DeLong interval and test: silent where nothing differs, mirrored, near its promise in large samples."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from holdfast.bounds.paired import paired_delong, paired_delong_p_value
from holdfast.evidence.ranking.distance import PairedScores
from holdfast.invert import solve_for_delta
from tests.tries import tries

HALF = np.asarray(0.5)


def sample(n: int = 80, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    positive = rng.random(n) < 0.4
    shared = rng.normal(size=n)
    return *(np.round(positive * size + shared + rng.normal(size=n), 1) for size in (1.5, 1.0)), positive


def p_value(scores: PairedScores, side: str = "both") -> float:
    return float(solve_for_delta(paired_delong, scores, HALF, side))  # type: ignore[arg-type]


def test_limits_are_z_errors_away_in_either_direction() -> None:
    scores = PairedScores(*sample())
    error = np.sqrt(scores.variance)
    claim = paired_delong(scores, 0.1)
    assert claim.lower == pytest.approx(float(scores.estimate) + norm.ppf(0.05) * error, abs=1e-13)
    assert claim.upper == pytest.approx(float(scores.estimate) + norm.ppf(0.95) * error, abs=1e-13)
    assert paired_delong(scores, 0.05, "upper").upper == pytest.approx(claim.upper, abs=1e-13)
    gini = paired_delong(scores.gini, 0.1)
    assert (gini.estimate, gini.lower, gini.upper) == pytest.approx(
        (2 * claim.estimate, 2 * claim.lower, 2 * claim.upper), abs=1e-13
    )
    assert (claim.measure, claim.guarantee, claim.n) == ("auc-difference", "ASYMPTOTIC", 80)


def test_the_test_is_that_of_a_normal_difference() -> None:
    scores = PairedScores(*sample())
    z = float(scores.estimate) / np.sqrt(scores.variance)
    assert p_value(scores) == pytest.approx(2 * norm.cdf(-abs(z)), rel=1e-10)
    assert p_value(scores, "upper") == pytest.approx(norm.cdf(z), rel=1e-10)
    assert p_value(scores, "lower") == pytest.approx(norm.cdf(-z), rel=1e-10)
    excluding = paired_delong(scores, p_value(scores) * 1.0001)
    including = paired_delong(scores, p_value(scores) * 0.9999)
    assert excluding.lower > 0 > including.lower


def test_a_model_and_itself_differ_by_nothing_that_surprises() -> None:
    first, _, positive = sample()
    for other in (first, 2 * first + 1):
        same = PairedScores(first, other, positive)
        claim = paired_delong(same)
        assert (claim.estimate, claim.lower, claim.upper) == (0.0, -1.0, 1.0)
        assert (p_value(same), p_value(same, "upper"), p_value(same, "lower")) == (1.0, 1.0, 1.0)


def test_a_difference_without_spread_has_no_limits_and_no_surprise() -> None:
    positive = np.arange(10) >= 5
    against = PairedScores(np.arange(10), -np.arange(10), positive)
    claim = paired_delong(against)
    assert (claim.estimate, claim.lower, claim.upper, p_value(against)) == (1.0, -1.0, 1.0, 1.0)


def test_no_p_value_is_zero() -> None:
    rng = np.random.default_rng(0)
    positive = np.arange(20_000) < 10_000
    apart = PairedScores(positive * 4 + rng.normal(size=20_000), rng.normal(size=20_000), positive)
    assert 0 < float(paired_delong_p_value(apart.mirror(), HALF, HALF)) <= 1e-300 < p_value(apart) * 10


@pytest.mark.parametrize("side", ["both", "upper", "lower"])
def test_swapped_models_have_mirrored_limits_and_tests_to_the_last_bit(side: str) -> None:
    other = {"both": "both", "upper": "lower", "lower": "upper"}[side]
    for seed in range(20):
        first, second, positive = sample(seed=seed)
        here, there = PairedScores(first, second, positive), PairedScores(second, first, positive)
        claim, mirrored = paired_delong(here, 0.05, side), paired_delong(there, 0.05, other)  # type: ignore[arg-type]
        assert (claim.estimate, claim.lower, claim.upper) == (-mirrored.estimate, -mirrored.upper, -mirrored.lower)
        assert p_value(here, side) == p_value(there, other)


def test_without_enough_examples_it_says_nothing() -> None:
    for positive in ([True, False], [True, True], [True]):
        claim = paired_delong(PairedScores(*[np.arange(len(positive))] * 2, positive))
        assert (claim.lower, claim.upper) == (-1.0, 1.0)


@tries("paired-delong", how="simulated")
@pytest.mark.long
@pytest.mark.parametrize("shift", [(1.0, 1.0), (1.6, 0.8)], ids=["alike", "apart"])
def test_it_covers_about_as_often_as_asked_in_a_large_sample(shift: tuple[float, float]) -> None:
    """Correlated scores of 1,000 examples; the areas are those of two normal laws."""
    rng, repeats, missed = np.random.default_rng(7), 1000, 0
    truth = float(np.subtract(*norm.cdf(np.array(shift) / np.sqrt(2 * 2))))
    for _ in range(repeats):
        positive = rng.random(1000) < 0.3
        shared = rng.normal(size=1000)
        first, second = (positive * size + shared + rng.normal(size=1000) for size in shift)
        claim = paired_delong(PairedScores(first, second, positive))
        missed += not claim.lower <= truth <= claim.upper
    assert 0.012 < missed / repeats < 0.093  # five and a half standard deviations either way
