"""Examples to learn from: every kind of column, from every kind of source, each of its own kind."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from holdfast.sources.examples import in_pandas, read_examples
from tests.needs import module
from tests.snapshots import matches, messages

FRAME = pl.DataFrame(
    {
        "age": [20, 30, None, 50],
        "colour": ["red", None, "blue", "red"],
        "smokes": [True, False, None, True],
        "weight": [50.5, float("nan"), 70.0, 80.25],
        "clinic": ["n", "n", "s", "s"],
        "ill": ["yes", "no", "no", "yes"],
    }
)
NAN = float("nan")
EXPECTED = pl.DataFrame(
    {
        "age": [20.0, 30.0, NAN, 50.0],
        "colour": ["red", None, "blue", "red"],
        "smokes": [1.0, 0.0, NAN, 1.0],
        "weight": [50.5, NAN, 70.0, 80.25],
    }
)
KINDS = pl.DataFrame(
    {
        "whole": [1, 2, 3],
        "small": pl.Series([1, 2, 3], dtype=pl.Int8),
        "real": [0.5, 1.0, 1.5],
        "flag": [True, False, True],
        "text": ["a", "b", None],
        "level": pl.Series(["low", "high", "low"], dtype=pl.Enum(["low", "high"])),
        "kind": pl.Series(["x", None, "y"], dtype=pl.Categorical),
        "day": pl.Series(["2020-01-01", "2020-01-02", "2020-01-03"]).str.to_date(),
    }
)


def saved(folder: Path, frame: pl.DataFrame = FRAME) -> dict[str, Path]:
    paths = {kind: folder / f"data.{kind}" for kind in ("csv", "parquet", "jsonl", "arrow")}
    frame.with_columns(pl.col(pl.Boolean).cast(pl.Int8)).write_csv(paths["csv"])
    frame.write_parquet(paths["parquet"])
    frame.write_ndjson(paths["jsonl"])
    frame.write_ipc(paths["arrow"])
    return paths


def written(folder: Path, text: str, name: str = "data.csv") -> str:
    path = folder / name
    path.write_text(text)
    return str(path)


@pytest.mark.parametrize("kind", ["csv", "parquet", "jsonl", "arrow", "frame", "lazy", "pandas", "duckdb"])
def test_the_same_examples_from_every_source(kind: str, tmp_path: Path) -> None:
    source: Any = saved(tmp_path).get(kind, FRAME)
    if kind == "lazy":
        source = FRAME.lazy()
    elif kind == "pandas":
        module("pandas")
        source = importlib.import_module("pandas").DataFrame(FRAME.to_dict(as_series=False))
    elif kind == "duckdb":
        module("pyarrow")
        source = module("duckdb").from_arrow(FRAME.to_arrow())
    found = read_examples(source, target="ill", group="clinic")
    if kind != "pandas":  # an object column of true, false and nothing is text there, or numbers, as the version has it
        assert found.features.equals(EXPECTED)
    assert (found.y, found.groups) == (["yes", "no", "no", "yes"], ["n", "n", "s", "s"])
    assert found.names == ("age", "colour", "smokes", "weight")
    assert found.rows == 4
    assert len(found.fingerprint) == 64
    if kind not in ("pandas", "csv"):
        assert found.fingerprint == read_examples(FRAME, target="ill", group="clinic").fingerprint


def test_rows_stay_in_their_order(tmp_path: Path) -> None:
    """The splits are drawn by place, so that the order decides who is tested with whom."""
    n = 200_000
    path = tmp_path / "many.csv"
    pl.DataFrame({"place": np.arange(n), "y": np.arange(n) % 3}).write_csv(path)
    found = read_examples(path, target="y")
    np.testing.assert_array_equal(found.features["place"], np.arange(n))
    np.testing.assert_array_equal(found.y, np.arange(n) % 3)


def test_columns_may_be_dropped() -> None:
    assert read_examples(FRAME, target="ill", drop=["age", "clinic", "weight"]).names == ("colour", "smokes")
    assert read_examples(FRAME, target="ill", drop="age").names == ("colour", "smokes", "weight", "clinic")


@pytest.mark.parametrize("gap", ["", "?", "NA", "n/a", "NaN", "null", " "])
def test_what_is_missing_among_numbers_may_be_written_in_many_ways(gap: str, tmp_path: Path) -> None:
    found = read_examples(written(tmp_path, f"a,b,y\n1,x,0\n{gap},x,1\n 2.5 ,z,0\n"), target="y")
    np.testing.assert_array_equal(found.features["a"], [1, NAN, 2.5])
    assert found.features["b"].to_list() == ["x", "x", "z"]


def test_a_word_among_numbers_makes_text_and_a_question_mark_among_words_is_one(tmp_path: Path) -> None:
    found = read_examples(written(tmp_path, "a,b,y\n1,x,0\nold,?,1\n2, z ,0\n"), target="y")
    assert found.features.to_dict(as_series=False) == {"a": ["1", "old", "2"], "b": ["x", "?", "z"]}


def test_text_is_read_as_what_all_of_it_writes(tmp_path: Path) -> None:
    rows = [
        "i,f,b,gap,flag,t,far,y",
        "1,1.5,True,1,true,yes,3,0",
        "2,2,FALSE,,?,no,1e30,0",
        "-3,1e3,true,7,false,yes,3,1",
    ]
    found = read_examples(written(tmp_path, "\n".join(rows)), target="y")
    kinds = [pl.Int64, pl.Float64, pl.Boolean, pl.Float64, pl.Float64, pl.String, pl.Float64]
    assert found.features.dtypes == kinds
    assert found.features["b"].to_list() == [True, False, True]
    np.testing.assert_array_equal(found.features["flag"], [1, NAN, 0])


@pytest.mark.parametrize("kind", ["parquet", "arrow", "frame"])
def test_columns_stay_of_their_kinds(kind: str, tmp_path: Path) -> None:
    frame = KINDS.with_columns(y=pl.Series([0, 1, 0]))
    source: Any = frame
    if kind != "frame":
        source = tmp_path / f"data.{kind}"
        frame.write_parquet(source) if kind == "parquet" else frame.write_ipc(source)
    assert read_examples(source, target="y").features.equals(KINDS)


def test_in_pandas_columns_are_of_the_same_kinds_too() -> None:
    pd = module("pandas")
    frame = in_pandas(KINDS)
    assert {name: str(frame[name].dtype) for name in ("whole", "small", "real", "flag", "level", "kind")} == {
        "whole": "int64",
        "small": "int8",
        "real": "float64",
        "flag": "bool",
        "level": "category",
        "kind": "category",
    }
    assert list(frame["level"].cat.categories) == ["low", "high"]
    assert frame["text"].tolist()[:2] == ["a", "b"]
    assert (frame["text"].isna().tolist(), frame["kind"].isna().tolist()) == (
        [False, False, True],
        [False, True, False],
    )
    assert frame["day"].dtype.kind == "M"
    assert isinstance(read_examples(KINDS.with_columns(y=pl.Series([0, 1, 0])), target="y").X, pd.DataFrame)


@pytest.mark.parametrize(
    ("labels", "expected"),
    [
        (["1", "2", "10", "1"], [1, 2, 10, 1]),
        (["01", "1", "2", "1"], ["01", "1", "2", "1"]),
        ([" a", "b", "a ", "b"], ["a", "b", "a", "b"]),
        ([1.0, 2.0, 1.0, 2.0], [1, 2, 1, 2]),
        ([0.5, 1.0, 0.5, 1.0], ["0.5", "1", "0.5", "1"]),
        ([1e300, 1.0, 1.0, 1.0], [str(int(1e300)), "1", "1", "1"]),
        ([True, False, True, True], [True, False, True, True]),
        ([3, 1, 1, 1], [3, 1, 1, 1]),
    ],
)
def test_labels(labels: list[Any], expected: list[Any]) -> None:
    found = read_examples(pl.DataFrame({"x": [1, 2, 3, 4], "y": labels}), target="y")
    assert found.y == expected
    assert {type(label) for label in found.y} == {type(label) for label in expected}


def test_rows_without_a_label_may_be_left_out() -> None:
    frame = pl.DataFrame({"x": ["a", "b", "c", "b"], "y": ["yes", None, "no", "no"]})
    found = read_examples(frame, target="y", missing="drop")
    assert (found.features["x"].to_list(), found.y) == (["a", "c", "b"], ["yes", "no", "no"])


def test_the_fingerprint_is_of_all_that_is_learnt_from() -> None:
    base = read_examples(FRAME, target="ill", group="clinic").fingerprint
    changed = [
        read_examples(FRAME, target="ill"),
        read_examples(FRAME.reverse(), target="ill", group="clinic"),
        read_examples(FRAME.with_columns(age=pl.col("age") + 1), target="ill", group="clinic"),
        read_examples(FRAME.with_columns(pl.col("clinic").replace("n", "m")), target="ill", group="clinic"),
        read_examples(FRAME.rename({"age": "years"}), target="ill", group="clinic"),
        read_examples(FRAME.with_columns(pl.col("colour").replace("red", "green")), target="ill", group="clinic"),
        read_examples(FRAME.with_columns(ill=pl.Series(["yes", "yes", "no", "yes"])), target="ill", group="clinic"),
    ]
    prints = {base, *(each.fingerprint for each in changed)}
    assert len(prints) == 1 + len(changed)
    assert read_examples(FRAME.clone(), target="ill", group="clinic").fingerprint == base


def test_messages(tmp_path: Path) -> None:
    numbers = pl.DataFrame({"x": range(50), "y": np.arange(50) / 7})
    endless = pl.DataFrame({"x": [1.0, 2.0, float("inf")], "y": [None, 0, 1]})
    calls = {
        "no such target": lambda: read_examples(FRAME, target="il"),
        "no such column to drop": lambda: read_examples(FRAME, target="ill", drop=["agee"]),
        "no such group": lambda: read_examples(FRAME, target="ill", group="klinic"),
        "target dropped": lambda: read_examples(FRAME, target="ill", drop=["ill"]),
        "target is group": lambda: read_examples(FRAME, target="ill", group="ill"),
        "labels missing": lambda: read_examples(FRAME, target="colour"),
        "no labels": lambda: read_examples(FRAME.with_columns(ill=None), target="ill", missing="drop"),
        "group missing": lambda: read_examples(FRAME, target="ill", group="colour"),
        "nothing left": lambda: read_examples(FRAME.select("age", "ill"), target="ill", drop=["age"]),
        "one class": lambda: read_examples(FRAME.with_columns(ill=pl.lit("no")), target="ill"),
        "no classes": lambda: read_examples(numbers, target="y"),
        "infinite": lambda: read_examples(endless, target="y", missing="drop"),
        "infinite text": lambda: read_examples(written(tmp_path, "x,y\n1,a\n-inf,b\n"), target="y").X,
        "no file": lambda: read_examples(tmp_path / "none.csv", target="y"),
        "no rows": lambda: read_examples(pl.DataFrame({"x": [], "y": []}), target="y"),
        "no way": lambda: read_examples(FRAME, target="ill", missing="wrong"),  # type: ignore[arg-type]
        "no frame": lambda: read_examples(3, target="ill"),
        "a label in a list": lambda: read_examples(pl.DataFrame({"x": [1, 2], "y y": [[1], [2]]}), target="y y"),
        "a label in an object": lambda: read_examples(
            written(tmp_path, '{"x": 1, "y y": {"a": 1}}\n', "nested.jsonl"), target="y y"
        ),
        "a feature of several kinds": lambda: read_examples(
            module("pandas").DataFrame({"x x": [1, "1"], "y": [0, 1]}, dtype=object), target="y"
        ),
        "same name twice": lambda: read_examples(written(tmp_path, "x,x,y\n1,2,a\n1,3,b\n"), target="y"),
    }
    matches("errors_of_examples", messages(calls).replace(str(tmp_path), "FOLDER"))
