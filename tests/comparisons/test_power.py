"""The power of the exact test, against the whole table and against trying every n."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.comparisons import mcnemar
from holdfast.comparisons.mcnemar import THOUSANDS, _is_smooth, examples_for_power, power_of_exact
from holdfast.errors import HoldfastError
from tests.bounds.pairs import probabilities, tables


def power_by_tables(p_won: float, p_lost: float, n: int, delta: float) -> float:
    """Every table of wins and losses, tested and weighed."""
    won, lost = tables(n)
    better = won > lost if p_won > p_lost else lost > won
    found = (np.asarray(mcnemar.exact(won, lost).value) <= delta) & better
    return float(probabilities(n, won, lost, np.array([p_won]), np.array([p_lost]))[0] @ found)


@pytest.mark.parametrize(
    ("p_won", "p_lost", "delta"),
    [(0.3, 0.1, 0.05), (0.1, 0.3, 0.05), (0.9, 0.1, 0.05), (0.5, 0.49, 0.2), (0.2, 0.0, 0.01), (1.0, 0.0, 0.05)],
)
@pytest.mark.parametrize("n", [1, 5, 6, 20, 73])
def test_power_is_what_the_whole_table_says(p_won: float, p_lost: float, delta: float, n: int) -> None:
    assert power_of_exact(p_won, p_lost, n, delta) == pytest.approx(power_by_tables(p_won, p_lost, n, delta), abs=1e-13)


def test_many_sizes_are_one_call() -> None:
    sizes = np.array([[0, 1, 40], [1000, 5, 317]])
    together = np.asarray(power_of_exact(0.1, 0.05, sizes))
    assert together.shape == sizes.shape
    alone = [power_of_exact(0.1, 0.05, int(n)) for n in sizes.flat]
    assert together.ravel() == pytest.approx(alone, rel=1e-12)
    assert together[0, 0] == 0.0


@pytest.mark.parametrize(
    ("p_won", "p_lost", "power", "delta", "most"),
    [
        (0.3, 0.1, 0.8, 0.05, 400),
        (0.6, 0.4, 0.9, 0.05, 1000),  # no ties: a saw-tooth
        (0.45, 0.55, 0.5, 0.05, 1500),
        (0.1, 0.0, 0.9, 0.05, 400),
        (0.95, 0.05, 0.9, 0.01, 100),
        (0.7, 0.3, 0.9, 0.4, 400),
        (1.0, 0.0, 0.9, 0.05, 50),
        (0.08, 0.03, 0.95, 0.05, 3000),
    ],
)
def test_the_plan_is_the_one_found_by_trying_every_n(
    p_won: float, p_lost: float, power: float, delta: float, most: int
) -> None:
    enough = np.asarray(power_of_exact(p_won, p_lost, np.arange(most + 1), delta)) >= power
    first, always = int(np.argmax(enough)), int(np.flatnonzero(~enough)[-1]) + 1
    assert examples_for_power(p_won, p_lost, power, delta) == (first, always)


def test_some_plans_are_saw_teeth() -> None:
    first, always = examples_for_power(0.6, 0.4, 0.9)
    assert (first, always) == (263, 274)
    assert power_of_exact(0.6, 0.4, first) >= 0.9
    assert power_of_exact(0.6, 0.4, first + 1) < 0.9


def test_large_plans_are_exact_too() -> None:
    assert _is_smooth(0.1, 0.05)
    n, always = examples_for_power(0.052, 0.048, 0.9)
    assert n * 0.1 > THOUSANDS
    assert n == always
    around = np.asarray(power_of_exact(0.052, 0.048, np.arange(n - 40, n + 41)))
    assert np.all(np.diff(around) > 0)
    assert around[40] >= 0.9 > around[39]


@pytest.mark.long
def test_large_plans_without_ties_are_saw_teeth_too() -> None:
    assert not _is_smooth(1.0, 0.05)
    n, always = examples_for_power(0.51, 0.49, 0.9)
    powers = np.asarray(power_of_exact(0.51, 0.49, np.arange(n - 2000, always + 4000)))
    enough = np.arange(n - 2000, always + 4000)[powers >= 0.9]
    lacking = np.arange(n - 2000, always + 4000)[powers < 0.9]
    assert (n, always) == (enough[0], lacking[-1] + 1)


def test_swapping_the_models_changes_nothing() -> None:
    assert examples_for_power(0.04, 0.02, 0.8) == examples_for_power(0.02, 0.04, 0.8)
    assert power_of_exact(0.04, 0.02, 500) == power_of_exact(0.02, 0.04, 500)


@pytest.mark.parametrize(
    ("p_won", "p_lost", "said"),
    [
        (0.1, 0.1, "do not differ"),
        (0.0, 0.0, "do not differ"),
        (0.7, 0.4, "add up to 1 at most"),
        (-0.1, 0.4, "wins must lie between 0 and 1"),
        (0.1, 1.4, "losses must lie between 0 and 1"),
        (0.50001, 0.49999, "may take"),
        (float("nan"), 0.1, "wins must lie"),
    ],
)
def test_what_cannot_be_planned_says_so(p_won: float, p_lost: float, said: str) -> None:
    with pytest.raises(HoldfastError, match=said):
        examples_for_power(p_won, p_lost, 0.9)
