"""What each row adds: the derivative by its weight, against weighted values written out pair by pair."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

from holdfast.evidence import Scores
from holdfast.measures.influences import (
    Statistic,
    area_of,
    average_precision_of,
    calibration_error_of,
    distance_of,
    gini_of,
)
from holdfast.measures.ranking import auc, average_precision, gini, ks

SmoothStatistic = Callable[[np.ndarray, np.ndarray, np.ndarray], float]


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
    (area_of, area, auc),
    (gini_of, lambda *rows: 2 * area(*rows) - 1, gini),
    (average_precision_of, precision, average_precision),
    (distance_of, distance, ks),
]
IDS = ["area", "gini", "precision", "distance"]


@pytest.mark.parametrize("digits", [0, 1, 9])
@pytest.mark.parametrize(("influence_of", "weighted", "measure"), EACH, ids=IDS)
def test_it_is_the_derivative_by_the_weight_of_each_row(
    influence_of: Callable[..., Statistic], weighted: SmoothStatistic, measure: object, digits: int
) -> None:
    for seed in SEEDS:
        scores, positive = sample(seed, digits)
        generator = np.random.default_rng(seed)
        for weight in (
            np.ones(scores.size),
            generator.integers(1, 4, scores.size),
            generator.uniform(0.2, 3, scores.size),
        ):
            found = influence_of(scores, positive, weight)
            if measure is ks and np.diff(apart(scores, positive, weight))[-1] < 1e-3:
                continue  # at a kink there is no derivative
            assert found.value == pytest.approx(weighted(scores, positive, weight), rel=1e-12)
            step = np.eye(scores.size) * 1e-5
            ends = ((weighted(scores, positive, weight + way * one) for way in (1, -1)) for one in step)
            wanted = [(more - less) / 2e-5 for more, less in ends]
            assert found.influence == pytest.approx(wanted, abs=1e-8)
            assert found.influence @ weight == pytest.approx(0.0, abs=1e-12)
        plain = influence_of(scores, positive)
        assert plain.value == pytest.approx(float(measure(Scores(scores, positive)).estimate), rel=1e-12)  # type: ignore[operator]
        order = np.argsort(scores, kind="stable")
        assert influence_of(scores[order], positive[order]).influence == pytest.approx(
            plain.influence[order], rel=1e-12
        )


@pytest.mark.parametrize("digits", [0, 1, 9])
def test_the_squares_are_those_of_each_example_added_up(digits: int) -> None:
    for seed in range(4):
        scores, positive = sample(seed, digits)
        found = average_precision(Scores(scores, positive))
        influence = average_precision_of(scores, positive).influence
        assert found.squares == pytest.approx(np.sum(influence**2), rel=1e-12)
        assert found.mirror().squares == found.squares


def test_some_samples_have_one_best_threshold() -> None:
    assert len(SEEDS) == 4


def test_scores_the_wrong_way_round_are_changed_the_other_way() -> None:
    """The distance has no sign, so that it is the same for the opposite scores."""
    scores, positive = sample(0, 9)
    assert distance_of(-scores, positive).influence == pytest.approx(distance_of(scores, positive).influence, abs=1e-12)
    assert area_of(-scores, positive).influence == pytest.approx(-area_of(scores, positive).influence, abs=1e-12)


@pytest.mark.parametrize("influence_of", [each[0] for each in EACH], ids=IDS)
def test_without_both_classes_there_is_no_value_and_nothing_adds_anything(
    influence_of: Callable[..., Statistic],
) -> None:
    for positive in (np.ones(3, bool), np.zeros(3, bool), np.zeros(0, bool)):
        found = influence_of(np.arange(float(positive.size)), positive)
        assert np.isnan(found.value)
        assert found.influence.tolist() == [0.0] * positive.size


def test_the_calibration_error_is_its_derivative_too() -> None:
    generator = np.random.default_rng(3)
    forecasts, edges = generator.random(50), np.linspace(0, 1, 5)
    positive, weight = generator.random(50) < forecasts**2, generator.uniform(0.5, 2, 50)

    def error(weight: np.ndarray) -> float:
        gaps = [
            np.sum((weight * (positive - forecasts))[(low <= forecasts) & (forecasts < high)])
            for low, high in pairwise(edges)
        ]
        return float(np.sum(np.abs(gaps)) / weight.sum())

    found = calibration_error_of(forecasts, positive, weight, edges=edges)
    assert found.value == pytest.approx(error(weight), rel=1e-12)
    wanted = [(error(weight + one) - error(weight - one)) / 2e-6 for one in np.eye(50) * 1e-6]
    assert found.influence == pytest.approx(wanted, abs=1e-8)
