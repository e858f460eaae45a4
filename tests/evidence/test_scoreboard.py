from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from holdfast.evidence.scoreboard import Scoreboard, rounded
from tests.snapshots import matches, messages

TWO, THREE = ["a", "b"], ["x", "y", "z"]


def board(scores: Any, models: Any = TWO, datasets: Any = THREE, **stated: Any) -> Scoreboard:
    return Scoreboard.of(np.array(scores, float), models, datasets, **{"better": "higher", **stated})


def test_differences_are_losses_first_minus_second() -> None:
    scores = [[0.9, 0.8], [0.7, 0.7], [0.5, 0.6]]
    np.testing.assert_allclose(board(scores).differences[:, 0], [-0.1, 0.0, 0.1])
    np.testing.assert_array_equal(board(scores, better="lower").differences, -board(scores).differences)


def test_what_arithmetic_does_to_the_last_digits_makes_and_breaks_no_tie() -> None:
    found = board([[0.85, 0.80], [0.90, 0.85], [0.3, 0.1 + 0.2]])
    assert len({float(gap) for gap in found.differences[:2, 0]}) == 1  # as floats 0.05 is not 0.05
    assert found.differences[2, 0] == 0.0
    assert found.losses[2, 0] == found.losses[2, 1]
    seen = board([[1e-7, 1.0000001e-7], [3e9, 3e9 + 1e-1], [1.0, 1.0 + 1e-11]])
    assert np.all(seen.differences != 0)  # what people can write down is kept


@pytest.mark.parametrize("power", [-300, -20, 0, 20, 300])
def test_rounding_keeps_twelve_digits_of_any_size(power: int) -> None:
    values = np.array([1.23456789012345, 9.87654321, 0.0]) * 10.0**power
    np.testing.assert_allclose(rounded(values, np.abs(values).max()), values, rtol=1e-11, atol=1e-12 * 10.0**power)


def test_the_largest_numbers_there_are_do_not_overflow() -> None:
    found = board([[1.7e308, -1.7e308], [5e-324, 0.0], [1.0, 2.0]])
    assert np.isfinite(found.differences).all()
    assert found.differences[0, 0] < 0 < found.differences[2, 0]


def test_the_fingerprint_is_of_the_table_and_not_of_its_order() -> None:
    one = board([[1, 2], [3, 4], [5, 6]])
    turned = board([[6, 5], [2, 1], [4, 3]], ["b", "a"], ["z", "x", "y"])
    assert one.fingerprint == turned.fingerprint
    assert len(one.fingerprint) == 64
    others = [
        board([[1, 2], [3, 4], [5, 7]]),
        board([[1, 2], [3, 4], [5, 6]], ["a", "c"]),
        board([[1, 2], [3, 4], [5, 6]], TWO, ["x", "y", "w"]),
        board([[2, 1], [4, 3], [6, 5]]),
    ]
    assert one.fingerprint not in {other.fingerprint for other in others}


def test_data_sets_with_a_hole_are_dropped_only_if_asked() -> None:
    found = board([[1, 2], [np.nan, 4], [5, 6]], missing="drop")
    assert (found.datasets, found.dropped, found.n) == (("x", "z"), ("y",), 2)
    np.testing.assert_array_equal(found.scores, [[1, 2], [5, 6]])


def test_messages_of_scoreboards() -> None:
    full = [[1, 2], [3, 4], [5, 6]]
    told = messages(
        {
            "a strange direction": lambda: board(full, better="up"),
            "one model": lambda: board([[1], [2], [3]], ["a"]),
            "two of one name": lambda: board(full, ["a", "a"]),
            "data sets of one name": lambda: board(full, TWO, ["x", "x", "y"]),
            "no name": lambda: board(full, ["a", " "]),
            "infinite": lambda: board([[1, 2], [3, np.inf], [5, 6]]),
            "holes": lambda: board([[1, np.nan], [3, np.nan], [np.nan, 6]]),
            "one hole": lambda: board([[1, np.nan], [3, 4], [5, 6]]),
            "nothing but holes": lambda: board([[1, np.nan]] * 3, missing="drop"),
            "no data sets": lambda: board(np.empty((0, 2)), TWO, []),
            "shape": lambda: board(full, ["a", "b", "c"]),
            "missing": lambda: board(full, missing="guess"),
        }
    )
    matches("messages-scoreboard", told)
