"""Columns by their values, whatever these are, and also where hashes fail."""

from __future__ import annotations

from datetime import date
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.tally.panel.codes import Coded, by_words, coded_column, coded_columns

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
    values = coded.values.to_list()
    assert values == sorted(set(values))
    assert [None if code < 0 else values[code] for code in coded.codes.tolist()] == given.to_list()
    assert set(values) == set(given.drop_nulls().to_list())
    assert coded.missing == given.null_count()


@pytest.mark.parametrize("name", COLUMNS)
def test_every_kind_of_value(name: str) -> None:
    check(COLUMNS[name], coded_column(COLUMNS[name]))


def test_several_at_once() -> None:
    for column, coded in zip(COLUMNS.values(), coded_columns([*COLUMNS.values()]), strict=True):
        check(column, coded)


@given(st.lists(st.one_of(st.none(), st.text(max_size=3))))
def test_any_text(values: list[str | None]) -> None:
    column = pl.Series(values, dtype=pl.String)
    check(column, coded_column(column))


@given(st.lists(st.integers(-(2**63), 2**63 - 1), min_size=1))
def test_any_whole_numbers(values: list[int]) -> None:
    column = pl.Series(values, dtype=pl.Int64)
    check(column, coded_column(column))


def test_many_values() -> None:
    random = np.random.default_rng(1)
    column = pl.Series([f"q{value}" for value in random.integers(0, 20_000, 50_000)])
    check(column, coded_column(column))


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

    monkeypatch.setattr("holdfast.tally.panel.codes.by_words", nowhere)
    for column in COLUMNS.values():
        check(column, coded_column(column))
