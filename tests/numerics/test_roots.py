"""The bracketed root: as near as floats allow, on the safe side, and for awkward functions too."""

from __future__ import annotations

from collections.abc import Callable
from math import cbrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.evidence import Array
from holdfast.numerics.roots import crossing

EPS = np.finfo(float).eps


def at(*values: float) -> Array:
    return np.array(values)


def cube(x: Array) -> Array:
    """A product, which is rounded alike everywhere; the last place of a power depends on the processor."""
    return x * x * x


def test_many_roots_at_once() -> None:
    goals = np.random.default_rng(3).uniform(0, 1000, (20, 30))
    found = crossing(lambda x: goals - cube(x), np.zeros(goals.shape), np.full(goals.shape, 11.0))
    assert found.shape == (20, 30)
    assert np.max(np.abs(found / np.cbrt(goals) - 1)) <= 8 * EPS


@given(st.floats(1e-12, 1e12))
@settings(deadline=None, derandomize=True)
def test_the_answer_is_inside_and_next_to_the_root(goal: float) -> None:
    found = crossing(lambda x: goal - cube(x), at(0.0), at(2e4))[0]
    assert goal - cube(found) >= 0
    assert found == pytest.approx(cbrt(goal), rel=8 * EPS)


def test_it_does_not_matter_which_end_is_inside() -> None:
    falling = crossing(lambda x: 2 - x * x, at(0.0), at(2.0))
    rising = crossing(lambda x: x * x - 2, at(2.0), at(0.0))
    assert falling[0] * falling[0] <= 2 <= rising[0] * rising[0]
    assert (falling[0], rising[0]) == pytest.approx((2**0.5, 2**0.5), rel=4 * EPS)


def test_a_jump_is_found_from_its_inner_side() -> None:
    found = crossing(lambda x: np.where(x <= 0.3, 1.0, -1.0), at(0.0), at(1.0))
    assert found[0] <= 0.3
    assert found[0] == pytest.approx(0.3, rel=8 * EPS)


def test_flat_stretches_and_very_steep_ones() -> None:
    flat = crossing(lambda x: np.where(x < 0.7, 1e-300, -1e300), at(0.0), at(1.0))
    steep = crossing(lambda x: np.exp(-50 * x) - np.exp(-50 * 0.123), at(0.0), at(30.0))
    assert flat[0] == pytest.approx(0.7, rel=8 * EPS)
    assert steep[0] == pytest.approx(0.123, rel=1e-12)


@pytest.mark.parametrize(
    ("inside", "outside", "expected"),
    [
        pytest.param(0.0, 0.5, 0.5, id="positive throughout: the far end"),
        pytest.param(1.5, 2.0, 1.5, id="negative throughout: where it began"),
        pytest.param(1.0, 2.0, 1.0, id="zero where it began"),
        pytest.param(0.0, 1.0, 1.0, id="zero at the far end"),
        pytest.param(1.0, 1.0, 1.0, id="no room"),
    ],
)
def test_nothing_to_search(inside: float, outside: float, expected: float) -> None:
    assert crossing(lambda x: 1 - x, at(inside), at(outside)).tolist() == [expected]


def test_one_element_does_not_disturb_another() -> None:
    goals = at(0.25, 5.0, -1.0)  # found, beyond the end, already passed
    found = crossing(lambda x: goals - x, np.zeros(3), np.ones(3))
    assert found.tolist() == pytest.approx([0.25, 1.0, 0.0], rel=4 * EPS)


@pytest.mark.parametrize("power", [1, 3, 7])
def test_an_equation_alone_has_the_digits_it_has_among_others(power: int) -> None:
    random = np.random.default_rng(power)
    goals, ends = random.uniform(-1, 3, 200), random.uniform(0, 2, 200)

    def above(goals: Array) -> Callable[[Array], Array]:
        return lambda x: goals - np.prod([x] * power, axis=0)  # flat at 0, and of either sign at both ends

    among = crossing(above(goals), np.zeros(200), ends)
    alone = [crossing(above(goals[i : i + 1]), at(0.0), ends[i : i + 1]).item() for i in range(200)]
    assert among.tolist() == alone


def test_ends_broadcast_and_stay_untouched() -> None:
    inside, outside = np.zeros((3, 1)), np.ones(4)
    assert crossing(lambda x: 0.5 - x, inside, outside).shape == (3, 4)
    assert inside.tolist() == [[0.0]] * 3
    assert outside.tolist() == [1.0] * 4


def test_interpolation_saves_most_of_the_evaluations() -> None:
    calls = []

    def count(x: Array) -> Array:
        calls.append(x)
        return np.exp(-x) - 0.2

    crossing(count, at(0.0), at(30.0))
    assert len(calls) <= 20  # bisection alone takes more than 50
