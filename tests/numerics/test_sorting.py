"""Whoever sorts, the order is the same."""

from __future__ import annotations

import sys

import numpy as np
import polars as pl
import pytest

from holdfast.numerics import arrays
from holdfast.numerics.arrays import sort_in_place


@pytest.mark.parametrize("wide", [True, False])
@pytest.mark.parametrize("size", [0, 1, 99, 100, 101, 1000])
def test_the_order_is_that_of_numpy(size: int, wide: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "MANY", 100)
    monkeypatch.setattr(arrays, "has_wide_units", lambda: wide)
    numbers = np.random.default_rng(size).integers(0, 2**64, size, dtype=np.uint64)
    numbers[: size // 2] = numbers[size // 2 : 2 * (size // 2)]  # some of them twice
    expected = np.sort(numbers)
    assert sort_in_place(numbers) is None
    np.testing.assert_array_equal(numbers, expected)


def test_polars_sorts_only_many_only_if_it_is_there_and_only_where_numpy_is_slow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def sorted_by(size: int, *, wide: bool, loaded: bool) -> str:
        monkeypatch.setattr(arrays, "MANY", 100)
        monkeypatch.setattr(arrays, "has_wide_units", lambda: wide)
        monkeypatch.setitem(sys.modules, "polars", pl)
        seen: list[int] = []
        monkeypatch.setattr(pl, "Series", lambda numbers: seen.append(len(numbers)) or series(numbers))
        if not loaded:
            monkeypatch.delitem(sys.modules, "polars")
        sort_in_place(np.arange(size, dtype=np.uint64)[::-1].copy())
        return "polars" if seen else "numpy"

    series = pl.Series
    assert sorted_by(100, wide=False, loaded=True) == "polars"
    assert sorted_by(99, wide=False, loaded=True) == "numpy"
    assert sorted_by(100, wide=True, loaded=True) == "numpy"
    assert sorted_by(100, wide=False, loaded=False) == "numpy"


@pytest.mark.parametrize(
    ("found", "wide"), [(["X86_V3", "X86_V4"], True), (["AVX2", "AVX512_SKX"], True), (["AVX2"], False)]
)
def test_numpy_is_asked_for_its_vector_units(found: list[str], wide: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(np, "show_config", lambda mode: {"SIMD Extensions": {"found": found}})
    assert arrays.has_wide_units.__wrapped__() is wide


def test_this_numpy_tells() -> None:
    assert isinstance(arrays.has_wide_units(), bool)


@pytest.mark.parametrize("apart", [1, 10**9])
def test_different_numbers_are_those_of_numpy_counted_or_sorted(apart: int) -> None:
    numbers = np.random.default_rng(3).integers(0, 50, 200) * apart
    found, place = arrays.distinct(numbers)
    known, where = np.unique(numbers, return_inverse=True)
    np.testing.assert_array_equal(found, known)
    np.testing.assert_array_equal(place, where.reshape(-1))
    assert [each.size for each in arrays.distinct(numbers[:0])] == [0, 0]
    np.testing.assert_array_equal(arrays.distinct(np.array([3, 1], np.uint8))[1], [1, 0])


def test_the_rising_order_is_one_whoever_finds_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "MANY", 100)
    for size in (0, 50, 500):
        numbers = np.random.default_rng(size).random(size)
        np.testing.assert_array_equal(numbers[arrays.rising_order(numbers)], np.sort(numbers))
