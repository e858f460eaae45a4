"""The lines of `squares`: as the reference has them, and with a mean excess of at most one whatever the law."""

from __future__ import annotations

import json
from itertools import pairwise
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from holdfast.numerics.wealth.square_lines import curved, lines, regime_of, right_end, squared_excess

CASES = json.loads((Path(__file__).parents[2] / "reference" / "squares.json").read_text(encoding="utf-8"))["lines"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"n={case['n']}, regime {case['regime']}")
def test_lines_are_those_of_the_reference(case: dict[str, Any]) -> None:
    slope, offset, weight = lines(case["n"], case["delta"], case["regime"])
    for computed, expected in ((slope, case["kappa"]), (offset, case["t"]), (weight, case["weight"])):
        assert computed == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize(
    ("n", "p", "a"), [(1, 0.3, 0.0), (7, 0.2, 1.5), (40, 0.01, 2.0), (200, 0.7, 150.2), (3, 0.5, 3.5)]
)
def test_the_squared_excess_is_the_sum_over_all_counts(n: int, p: float, a: float) -> None:
    terms = (comb(n, k) * p**k * (1 - p) ** (n - k) * max(k - a, 0.0) ** 2 for k in range(n + 1))
    assert squared_excess(n, np.array([p]), np.array([a])).item() == pytest.approx(sum(terms), rel=1e-10, abs=1e-300)


def test_the_squared_excess_is_one_function_however_it_is_added_up() -> None:
    # n - k passes from above 64, where the closed form answers, to below, where terms are added.
    a = np.linspace(20.0, 50.0, 301)
    excess = squared_excess(100, np.full(a.shape, 0.3), a)
    assert np.all(np.diff(excess) < 0)
    rate = np.diff(np.log(excess))
    assert np.max(np.abs(np.diff(rate))) < 0.02


@pytest.mark.parametrize("slope", [0.01, 0.5, 3.0])
def test_the_curve_solves_its_equation_and_rises(slope: float) -> None:
    z = np.linspace(-1 / (4 * slope * (1 + slope)), 1.0, 1001)
    g = curved(np.asarray(slope), z)
    assert g + slope * g**2 == pytest.approx((1 + slope) * z, abs=1e-12)
    assert np.all(np.diff(g) > 0)
    assert g[-1] == pytest.approx(1.0)


def test_regimes_follow_one_another_without_a_gap() -> None:
    ends = [right_end(regime) for regime in range(80, -170, -1)]
    assert all(left < right for left, right in pairwise(ends))
    assert ends[0] < 1e-12
    assert 1 - ends[-1] < 1e-12
    for regime in range(70, -60, -1):
        middle = (right_end(regime) + right_end(regime + 1)) / 2
        assert regime_of(middle) == regime


@pytest.mark.parametrize(("n", "delta"), [(1, 0.05), (3, 0.5), (12, 0.025), (40, 0.001), (200, 0.05)])
@pytest.mark.parametrize("regime", [12, 4, 0, -6, -14])
def test_the_mean_excess_of_two_point_laws_is_at_most_one(n: int, delta: float, regime: int) -> None:
    """Laws of z with mean 0 on {1, -u} and {-least, y}: the extremes of all laws with their variance."""
    theta = right_end(regime)
    least = theta / (1 - theta)
    slope, offset, weight = lines(n, delta, regime)
    counts = np.arange(n + 1)
    worst = 0.0
    for share in (1e-4, 0.01, 0.1, 0.3, 0.7, 1.0):
        for low, high in ((-share * least, 1.0), (-least, share)):
            up = -low / (high - low)  # so that the mean is 0
            chance = np.array([comb(n, int(k)) * up**k * (1 - up) ** (n - k) for k in counts])
            sums = counts * curved(slope[:, None], np.array([high])) + (n - counts) * curved(
                slope[:, None], np.array([low])
            )
            excess = weight @ np.maximum(sums - offset[:, None], 0.0) ** 2
            worst = max(worst, float(chance @ excess))
    assert worst <= 1.0
    assert worst > 0.05  # and the bound is no empty one
