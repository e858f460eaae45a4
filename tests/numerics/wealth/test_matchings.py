"""Mean products over all matchings: against all of them written out, with ties and without."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import pytest

from holdfast.bounds.matchings import Board, mean_products


def written_out(rows: np.ndarray, columns: np.ndarray, ties: float = 0.5) -> np.ndarray:
    """The mean over every matching and every choice of k rows, for each k."""
    sign = np.sign(rows[:, None] - columns)
    worth = np.where(sign == 0, ties, (sign + 1) / 2)
    size = rows.size
    every = [worth[np.arange(size), list(chosen)] for chosen in permutations(range(columns.size), size)]
    return np.array([
        np.mean([np.prod(one[list(some)]) for one in every for some in combinations(range(size), k)])
        for k in range(size + 1)
    ])  # fmt: skip


def counted(values: np.ndarray, size: int) -> np.ndarray:
    return np.bincount(values, minlength=size)


@pytest.mark.parametrize("ties", [0.5, 0.0, 1.0])
@pytest.mark.parametrize("scores", [1, 2, 4, 30])
def test_they_are_those_of_all_matchings_written_out(scores: int, ties: float) -> None:
    generator = np.random.default_rng(scores)
    for size in (1, 2, 3, 4):
        rows, columns = generator.integers(0, scores, size), generator.integers(0, scores, size + 1)
        board = Board.of(counted(rows, scores), counted(columns, scores), ties)
        means, expected = mean_products(board), written_out(rows, columns, ties)
        assert means == pytest.approx(expected[: means.size], abs=1e-14)
        assert not expected[means.size :].any()  # what no float holds is left off


def test_the_first_is_the_area_and_none_is_larger_than_the_one_before() -> None:
    generator = np.random.default_rng(7)
    for digits in (0, 1, 9):
        own, others = np.round(generator.normal(1, 1, 60), digits), np.round(generator.normal(0, 1, 200), digits)
        values, place = np.unique(np.concatenate([own, others]), return_inverse=True)
        means = mean_products(Board.of(counted(place[:60], values.size), counted(place[60:], values.size)))
        area = np.mean((np.sign(own[:, None] - others) + 1) / 2)
        assert means[1] == pytest.approx(area, rel=1e-12)
        assert means[0] == pytest.approx(1.0, rel=1e-12)
        assert np.all(np.diff(means) <= 1e-12)


def test_nothing_is_lost_in_a_large_group_of_ties() -> None:
    """All rows tie with all columns: every product of k rows is one half to the power of k."""
    means = mean_products(Board.of(np.array([400]), np.array([900])))
    assert means == pytest.approx(0.5 ** np.arange(401), rel=1e-10)
