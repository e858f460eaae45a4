"""What each example sways: the derivative by its weight, against weighted values written out pair by pair."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from holdfast.evidence import Scores
from holdfast.measures.ranking import auc, average_precision
from holdfast.measures.separation import ks
from holdfast.measures.sway import sway_of_area, sway_of_average_precision, sway_of_distance

Weighted = Callable[[np.ndarray, np.ndarray, np.ndarray], float]


def area(scores: np.ndarray, positive: np.ndarray, weight: np.ndarray) -> float:
    won = np.sign(scores[positive][:, None] - scores[~positive]) / 2 + 0.5
    own, others = weight[positive], weight[~positive]
    return float(own @ won @ others / (own.sum() * others.sum()))


def precision(scores: np.ndarray, positive: np.ndarray, weight: np.ndarray) -> float:
    above = scores >= scores[positive][:, None]
    of_class, own = above & positive, weight[positive]
    return float(own @ ((of_class @ weight) / (above @ weight)) / own.sum())


def apart(scores: np.ndarray, positive: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """How far both classes are apart at each score, rising."""
    below = scores <= np.unique(scores)[:, None]
    own, others = ((below & held) @ weight / weight[held].sum() for held in (positive, ~positive))
    return np.sort(np.abs(own - others))


def distance(scores: np.ndarray, positive: np.ndarray, weight: np.ndarray) -> float:
    return float(apart(scores, positive, weight)[-1])


def sample(seed: int, digits: int = 1, n: int = 60) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    positive = rng.random(n) < 0.4
    return np.round(positive * 1.2 + rng.normal(size=n), digits), positive


SEEDS = [s for s in range(40) if all(np.diff(apart(*sample(s, d), np.ones(60)))[-1] > 1e-3 for d in (0, 1, 9))][:4]
EACH = [
    (sway_of_area, area, auc),
    (sway_of_average_precision, precision, average_precision),
    (sway_of_distance, distance, ks),
]


@pytest.mark.parametrize("digits", [0, 1, 9])
@pytest.mark.parametrize(("sway", "weighted", "measure"), EACH, ids=["area", "precision", "distance"])
def test_it_is_the_derivative_by_the_weight_of_each_example(
    sway: Callable[[np.ndarray, np.ndarray], np.ndarray], weighted: Weighted, measure: object, digits: int
) -> None:
    for seed in SEEDS:
        scores, positive = sample(seed, digits)
        ones, step = np.ones(scores.size), 1e-5
        assert weighted(scores, positive, ones) == pytest.approx(float(measure(Scores(scores, positive)).mean))  # type: ignore[operator]
        moved = np.eye(scores.size) * step
        wanted = [
            (weighted(scores, positive, ones + one) - weighted(scores, positive, ones - one)) / (2 * step)
            for one in moved
        ]
        found = sway(scores, positive)
        assert found == pytest.approx(wanted, abs=1e-8)
        assert found.sum() == pytest.approx(0.0, abs=1e-12)


@pytest.mark.parametrize("digits", [0, 1, 9])
def test_the_squares_are_those_of_each_example_added_up(digits: int) -> None:
    for seed in range(4):
        scores, positive = sample(seed, digits)
        found = average_precision(Scores(scores, positive))
        assert found.squares == pytest.approx(np.sum(sway_of_average_precision(scores, positive) ** 2), rel=1e-12)
        assert found.mirror().squares == found.squares


def test_some_samples_have_one_best_threshold() -> None:
    assert len(SEEDS) == 4


def test_scores_the_wrong_way_round_are_swayed_the_other_way() -> None:
    """The distance has no sign, so that it is the same for the opposite scores."""
    scores, positive = sample(0, 9)
    assert sway_of_distance(-scores, positive) == pytest.approx(sway_of_distance(scores, positive), abs=1e-12)
    assert sway_of_area(-scores, positive) == pytest.approx(-sway_of_area(scores, positive), abs=1e-12)


@pytest.mark.parametrize("sway", [each[0] for each in EACH])
def test_without_both_classes_nothing_sways_anything(sway: Callable[[np.ndarray, np.ndarray], np.ndarray]) -> None:
    for positive in (np.ones(3, bool), np.zeros(3, bool), np.zeros(0, bool)):
        assert sway(np.arange(float(positive.size)), positive).tolist() == [0.0] * positive.size
