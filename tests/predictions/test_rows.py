"""The one place where an engine is asked for an answer, and its complaints become ours."""

from __future__ import annotations

from pathlib import Path

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pytest

from holdfast.errors import HoldfastError, InvalidEvidence, UnknownName
from holdfast.predictions import Predictions
from holdfast.predictions.rows import translated
from holdfast.wording import brief, listed, opening, quoted


def over(frame: pl.LazyFrame, **more: object) -> Predictions:
    return Predictions(nw.from_native(frame), tuple(frame.collect_schema()), **more)  # type: ignore[arg-type]


def test_a_query_is_answered_as_a_frame() -> None:
    rows = over(pl.LazyFrame({"truth": ["a", "a", "b"], "predicted": ["a", "b", "b"]}))
    counted = rows.fetch(rows.frame.group_by("truth", "predicted").agg(nw.len().alias("times")))
    assert isinstance(counted, pl.DataFrame)
    assert sorted(counted.rows()) == [("a", "a", 1), ("a", "b", 1), ("b", "b", 1)]


def test_it_says_what_it_holds() -> None:
    assert repr(Predictions.from_arrays([1], [1])) == "Predictions(the arrays: truth, predicted)"


def test_a_way_with_missing_answers_is_one_of_three() -> None:
    with pytest.raises(UnknownName, match="refuse"):
        over(pl.LazyFrame({"correct": [1]}), missing="skip")


def test_what_an_engine_complains_of_is_told_in_one_line() -> None:
    rows = over(pl.LazyFrame({"truth": ["1", "x" * 10**5], "predicted": ["a", "b"]}), source="f.parquet")
    with pytest.raises(HoldfastError) as caught:
        rows.fetch(rows.frame.select(nw.col("truth").cast(nw.Int64)))
    assert str(caught.value).startswith("Cannot read f.parquet: conversion from `str` to `i64` failed")
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_a_file_that_vanishes_is_no_traceback(tmp_path: Path) -> None:
    path = tmp_path / "f.parquet"
    pl.DataFrame({"correct": [1]}).write_parquet(path)
    rows = over(pl.scan_parquet(path))
    path.unlink()
    with pytest.raises(HoldfastError, match="Cannot read the data"):
        rows.fetch(rows.frame)


def test_a_score_that_is_no_number_is_named() -> None:
    text = pl.LazyFrame({"score": ["0.5", None, "x"]})
    rows = over(text.select(pl.col("score").cast(pl.Float64)), written=text, source="f.csv")
    with pytest.raises(InvalidEvidence) as caught:
        rows.fetch(rows.frame.select(nw.col("score").sum()))
    assert str(caught.value) == "f.csv, row 3: score should be a number; found 'x'."


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (OSError("disk on fire\nmore"), "Cannot read f.csv: disk on fire"),
        (RuntimeError(""), "Cannot read f.csv: no reason given"),
        (MemoryError(), "f.csv does not fit into memory."),
        (ImportError("No module named 'pyarrow'"), "needs a package that is missing: No module named 'pyarrow'"),
        (InvalidEvidence("ours"), "ours"),
    ],
)
def test_every_exception_becomes_ours(error: Exception, told: str) -> None:
    with pytest.raises(HoldfastError, match=told), translated("f.csv"):
        raise error


def test_an_interrupt_stays_one() -> None:
    with pytest.raises(KeyboardInterrupt), translated("f.csv"):
        raise KeyboardInterrupt


def test_words_from_outside_are_kept_short_and_on_one_line() -> None:
    assert brief("\n\n  first\tline\x1b[31m \nsecond") == "first line [31m"
    assert len(brief("x" * 10**7)) == 200
    assert quoted("a\nb") == r"'a\nb'"
    assert quoted("x" * 10**6) == repr("x" * 40 + "...")
    assert quoted(None) == "nothing"
    assert quoted(np.zeros((2, 2))) == "array([[0., 0.], [0., 0.]])"
    assert len(quoted(10**100)) <= 80
    assert listed(["a", "b"]) == "a, b"
    assert listed([f"column{i}" for i in range(1000)]).endswith(" and 974 more")
    assert len(listed(["x" * 10**6] * 10**4)) < 400
    assert opening("the data") == "The data"
    assert opening("the.csv") == "the.csv"
