"""Three counts in one float: against plain products of whole numbers, up to the largest a digit can hold."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.numerics.voting import products
from holdfast.numerics.voting.products import MarksInCommon

SHAPES = [(1, 1), (255, 2), (256, 3), (700, 4), (511, 7), (600, 300)]


def in_common(first: np.ndarray, second: np.ndarray | None = None, pieces: int = 1) -> np.ndarray:
    several = [matrix.astype(bool) for matrix in ((first,) if second is None else (first, second))]
    common = MarksInCommon([matrix.shape[1] for matrix in several], np.int64)
    for piece in zip(*(np.array_split(matrix, pieces) for matrix in several), strict=True):
        common.add(piece)
    return common.total()


@pytest.mark.parametrize(("rows", "columns"), SHAPES)
@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 1.0])
@pytest.mark.parametrize("pieces", [1, 3])
def test_it_is_the_product_of_whole_numbers(rows: int, columns: int, share: float, pieces: int) -> None:
    random = np.random.default_rng(rows)
    first, second = ((random.random((rows, width)) < share).astype(np.int64) for width in (columns, 5))
    np.testing.assert_array_equal(in_common(first, pieces=pieces), first.T @ first)
    np.testing.assert_array_equal(in_common(first, second, pieces), first.T @ second)


def test_digits_are_emptied_before_they_are_full() -> None:
    ones = np.ones((255 * 257 * 2 + 300, 4), np.int8)
    assert np.all(in_common(ones) == len(ones))
    for marks in (63, 64):  # in a block: as many as a digit of six bits holds, and one more
        first = np.zeros((255 * 70, 100), bool)
        first[np.arange(255 * 70) % 255 < marks, :13] = True
        np.testing.assert_array_equal(in_common(first)[:13, :13], np.full((13, 13), marks * 70))


def test_blocks_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    first = np.random.default_rng(0).integers(0, 2, (1000, 31))
    expected = first.T @ first
    for name, value in (("BLOCK", 12), ("LENGTH", 17), ("SOME", 0.0), ("SOME", 1.0)):
        monkeypatch.setattr(products, name, value)
        np.testing.assert_array_equal(in_common(first), expected)
