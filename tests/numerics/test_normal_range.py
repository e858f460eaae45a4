from __future__ import annotations

import numpy as np
import pytest
from scipy.special import ndtr
from scipy.stats import studentized_range

from holdfast.comparisons.ranks import range_exceeds, range_quantile


@pytest.mark.parametrize("k", [2, 3, 5, 10, 20, 50])
def test_the_range_is_the_studentised_range_of_a_known_spread(k: int) -> None:
    q = np.array([0.3, 1.0, 2.5, 4.0, 6.0])
    np.testing.assert_allclose(range_exceeds(q, k), studentized_range.sf(q, k, np.inf), rtol=1e-10, atol=1e-13)


@pytest.mark.parametrize("k", [2, 3, 7, 20, 100])
@pytest.mark.parametrize("delta", [0.5, 0.1, 0.05, 0.01, 1e-6])
def test_the_quantile_is_exceeded_with_probability_delta(k: int, delta: float) -> None:
    q = range_quantile(delta, k)
    assert range_exceeds(q, k) == pytest.approx(delta, rel=1e-12)
    if delta >= 0.01:
        assert float(q) == pytest.approx(studentized_range.ppf(1 - delta, k, np.inf), rel=1e-9)


def test_the_range_of_two_is_a_normal_difference_however_far_out() -> None:
    q = np.array([1e-9, 0.1, 1.0, 10.0, 30.0, 50.0])
    np.testing.assert_allclose(range_exceeds(q, 2), 2 * ndtr(-q / np.sqrt(2)), rtol=1e-11)
    # Far out the largest pair is alone: the union of all of them is the answer.
    np.testing.assert_allclose(range_exceeds(30.0, 10), 90 * ndtr(-30 / np.sqrt(2)), rtol=1e-10)


def test_many_ranges_in_blocks_are_those_one_by_one() -> None:
    q = np.linspace(0, 8, 700).reshape(7, 100)
    assert range_exceeds(q, 5).shape == (7, 100)
    assert range_exceeds(q, 5)[3, 50] == pytest.approx(float(range_exceeds(q[3, 50], 5)), rel=1e-14)
    assert range_exceeds(0.0, 5) == pytest.approx(1.0, abs=1e-14)
    assert range_exceeds(1000.0, 5) == 0.0
