"""Columns by their values, whatever these are, and also where hashes fail."""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.predictions.arrays import read_column, read_labels
from holdfast.predictions.coded import Coded, by_words, coded, coded_columns, coded_series
from holdfast.predictions.objects import Column

COLUMNS: dict[str, pl.Series] = {
    "text": pl.Series(["b", "a", None, "b", "é", ""]),
    "whole": pl.Series([3, -5, 3, None, 2**62]),
    "near": pl.Series([3, -5, 3, None, 1]),
    "small": pl.Series([-100, 100, 27], dtype=pl.Int8),
    "large": pl.Series([2**64 - 1, 2**64 - 3], dtype=pl.UInt64),
    "real": pl.Series([0.5, -0.0, 0.0, float("nan"), None, float("inf")]),
    "logical": pl.Series([True, None, False]),
    "dates": pl.Series([date(2020, 1, 2), date(2020, 1, 1)]),
    "nothing": pl.Series([None, None], dtype=pl.Null),
    "empty": pl.Series([], dtype=pl.String),
    "one": pl.Series(["x"] * 5),
}


def check(column: pl.Series, coded: Coded) -> None:
    given = column.fill_nan(None) if column.dtype.is_float() else column
    values = coded.distinct
    assert values == sorted(set(values))
    assert [None if code < 0 else values[code] for code in coded.codes.tolist()] == given.to_list()
    assert set(values) == set(given.drop_nulls().to_list())
    assert coded.missing == given.null_count()


@pytest.mark.parametrize("name", COLUMNS)
def test_every_kind_of_value(name: str) -> None:
    check(COLUMNS[name], coded_series(COLUMNS[name]))


def test_several_at_once() -> None:
    for column, found in zip(COLUMNS.values(), coded_columns([*COLUMNS.values()]), strict=True):
        check(column, found)


@pytest.mark.parametrize("name", COLUMNS)
def test_the_same_of_python_values(name: str) -> None:
    there = coded_series(COLUMNS[name])
    here = read_labels(name, COLUMNS[name].to_list())
    assert (here.distinct, here.codes.tolist()) == (there.distinct, there.codes.tolist())


ARRAYS: dict[str, Any] = {
    "near": np.array([5, -3, 5, 4], np.int8),
    "far": np.array([5, 2**40, -(2**62), 5]),
    "unsigned": np.array([2**64 - 1, 0, 2**64 - 1], np.uint64),
    "logical": np.array([True, False, True]),
    "whole floats": np.array([2.0, np.nan, -1.0, -0.0, 0.0]),
    "floats": np.array([0.5, np.inf, np.nan, 0.25, -np.inf]),
    "huge floats": np.array([1e300, 1e300, -1e300]),
    "halves": np.array([0.5, 1.5, 0.5], np.float32),
    "words": np.array(["b", "a", "b"]),
    "bytes": np.array([b"b", b"a"]),
    "moments": np.array(["2020-01-02", "NaT", "2020-01-01"], "M8[s]"),
    "none": np.array([], np.int64),
    "masked": np.ma.array([3, 7, 3], mask=[False, False, True]),
    "masked floats": np.ma.array([3.0, np.nan, 5.0, 3.0], mask=[False, False, True, False]),
    "masked words": np.ma.array(["c", "a", "b"], mask=[True, False, False]),
}


@pytest.mark.parametrize("name", ARRAYS)
def test_the_same_of_arrays(name: str) -> None:
    column = read_column(name, ARRAYS[name])
    assert isinstance(column, Column)
    found = coded(name, column)
    values = [value.decode() if isinstance(value, bytes) else value for value in ARRAYS[name].tolist()]
    assert found.to_list() == [None if value != value else value for value in values]
    assert found.distinct == sorted({*found.to_list()} - {None})


@pytest.mark.parametrize("spread", [1, 3, 10**4, 10**12])
def test_whole_numbers_near_and_far(spread: int) -> None:
    values = np.random.default_rng(0).integers(-50, 50, 1000) * spread
    for kind in (np.int64, np.float64):
        found = coded("x", Column(values.astype(kind)))
        assert found.distinct == np.unique(values).tolist()
        assert np.array_equal(np.array(found.distinct)[found.codes], values)


def test_what_no_row_holds_is_left_out() -> None:
    column = Coded(["a", "b", "c"], np.array([2, -1, 0, 2], np.int32))
    assert (column.compact().distinct, column.compact().to_list()) == (["a", "c"], ["c", None, "a", "c"])
    assert column.filter(np.array([True, True, False, False])).distinct == ["c"]
    assert column.placed([5, 6, 7], 9).tolist() == [7, 9, 5, 7]


@given(st.lists(st.one_of(st.none(), st.text(max_size=3))))
def test_any_text(values: list[str | None]) -> None:
    column = pl.Series(values, dtype=pl.String)
    check(column, coded_series(column))


@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1))
def test_any_whole_numbers(values: list[int]) -> None:
    column = pl.Series(values, dtype=pl.Int64)
    check(column, coded_series(column))


def test_many_values() -> None:
    random = np.random.default_rng(1)
    column = pl.Series([f"q{value}" for value in random.integers(0, 20_000, 50_000)])
    check(column, coded_series(column))


@pytest.mark.parametrize("words", [[7, 7, 7], [7, 8, 7]])
def test_values_that_share_a_word_are_noticed(words: list[int]) -> None:
    assert by_words(pl.Series(["a", "b", "c"]), np.array(words, np.uint64)) is None


def test_words_that_crowd_are_told_apart() -> None:
    words = np.arange(1000, dtype=np.uint64)  # all with the same first bits
    column = pl.Series([f"{value:03}" for value in range(1000)])
    coded = by_words(column, words)
    assert coded is not None
    assert coded.codes.tolist() == [*range(1000)]


def test_where_words_fail_the_values_are_sorted(monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(*_: Any) -> None:
        return None

    monkeypatch.setattr("holdfast.predictions.coded.by_words", nowhere)
    for column in COLUMNS.values():
        check(column, coded_series(column))
