"""The least and the largest variance of numbers that lie in boxes, against the corners and against any others."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from holdfast.bounds.spread_uniform import largest_variance, least_variance

EQUAL = np.full(6, 1 / 6)


def boxes(seed: int, width: float, models: int = 6) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    low = random.uniform(0, 1 - width, models)
    return low, low + random.uniform(0, width, models)


@pytest.mark.parametrize("width", [0.0, 0.05, 0.3, 0.9])
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("weights", [EQUAL, np.array([0.5, 0.1, 0.1, 0.1, 0.1, 0.1])], ids=["equal", "unequal"])
def test_no_numbers_in_the_boxes_are_beyond(seed: int, width: float, weights: np.ndarray) -> None:
    low, high = boxes(seed, width)
    random = np.random.default_rng(seed + 100)
    inside = low + (high - low) * random.random((500, 6))
    corners = np.array(list(product(*zip(low, high, strict=True))))
    at = np.concatenate([inside, corners])
    variance = (at**2) @ weights - (at @ weights) ** 2
    least, most = least_variance(low, high, weights), largest_variance(low, high, weights)
    assert least <= variance.min() + 1e-12
    assert most >= variance.max() - 1e-12
    # Only one of them can be at both its ends, and a mixture of two ends adds no more than this.
    assert most <= variance.max() + weights.max() * (high - low).max() ** 2 / 4 + 1e-12


@pytest.mark.parametrize("seed", range(8))
def test_the_least_is_reached_where_all_come_as_close_as_they_can(seed: int) -> None:
    low, high = boxes(seed, 0.3)
    towards = np.linspace(0, 1, 20_001)[:, None]
    assert least_variance(low, high, EQUAL) == pytest.approx(np.clip(towards, low, high).var(axis=1).min(), abs=1e-8)


def test_boxes_that_share_a_number_have_no_variance() -> None:
    low, high = np.array([0.1, 0.2, 0.0]), np.array([0.3, 0.5, 0.2])
    assert least_variance(low, high, np.full(3, 1 / 3)) == pytest.approx(0.0, abs=1e-30)


def test_rows_of_boxes_are_answered_at_once() -> None:
    several = [boxes(seed, 0.2) for seed in range(5)]
    low, high = (np.stack(each) for each in zip(*several, strict=True))
    one_by_one = [largest_variance(*each, EQUAL) for each in several]
    np.testing.assert_allclose(largest_variance(low, high, EQUAL), one_by_one)
