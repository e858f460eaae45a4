"""Examples to learn from: every kind of column, from every kind of source, and nothing learnt from test rows."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB

from holdfast.errors import HoldfastError
from holdfast.sources.examples import MOST_VALUES, Examples, read_examples
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
EXPECTED = [[20, 1, 1, 50.5], [30, NAN, 0, NAN], [NAN, 0, NAN, 70], [50, 1, 1, 80.25]]


def saved(folder: Path, frame: pl.DataFrame = FRAME) -> dict[str, Path]:
    paths = {kind: folder / f"data.{kind}" for kind in ("csv", "parquet", "jsonl", "arrow")}
    frame.with_columns(pl.col(pl.Boolean).cast(pl.Int8)).write_csv(paths["csv"])
    frame.write_parquet(paths["parquet"])
    frame.write_ndjson(paths["jsonl"])
    frame.write_ipc(paths["arrow"])
    return paths


def written(folder: Path, text: str) -> str:
    path = folder / "data.csv"
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
        np.testing.assert_array_equal(found.X, EXPECTED)
        assert found.text_columns == {1: ("blue", "red")}
    assert found.X.dtype == np.float64
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
    np.testing.assert_array_equal(found.X[:, 0], np.arange(n))
    np.testing.assert_array_equal(found.y, np.arange(n) % 3)


def test_columns_may_be_dropped() -> None:
    assert read_examples(FRAME, target="ill", drop=["age", "clinic", "weight"]).names == ("colour", "smokes")
    assert read_examples(FRAME, target="ill", drop="age").names == ("colour", "smokes", "weight", "clinic")


@pytest.mark.parametrize("gap", ["", "?", "NA", "n/a", "NaN", "null", " "])
def test_what_is_missing_among_numbers_may_be_written_in_many_ways(gap: str, tmp_path: Path) -> None:
    found = read_examples(written(tmp_path, f"a,b,y\n1,x,0\n{gap},x,1\n 2.5 ,z,0\n"), target="y")
    np.testing.assert_array_equal(found.X[:, 0], [1, NAN, 2.5])
    assert (found.gaps, found.text_columns) == ([0], {1: ("x", "z")})


def test_a_word_among_numbers_makes_text_and_a_question_mark_among_words_is_one(tmp_path: Path) -> None:
    found = read_examples(written(tmp_path, "a,b,y\n1,x,0\nold,?,1\n2, z ,0\n"), target="y")
    assert found.text_columns == {0: ("1", "2", "old"), 1: ("?", "x", "z")}


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
    assert (found.X.tolist(), found.y) == ([[0], [2], [1]], ["yes", "no", "no"])
    assert found.text_columns == {0: ("a", "b", "c")}


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


def test_numbers_without_gaps_need_nothing() -> None:
    model = GaussianNB()
    assert read_examples(pl.DataFrame({"x": [1, 2], "y": ["a", "b"]}), target="y").prepared(model) is model


def mixed() -> Examples:
    rng = np.random.default_rng(0)
    n = 60
    frame = pl.DataFrame(
        {
            "plain": rng.normal(size=n),
            "gaps": [None if place % 7 == 0 else float(place % 5) for place in range(n)],
            "text": [("one", "two", "three", None)[place % 4] for place in range(n)],
            "y": ["ab"[place % 4 == 1] for place in range(n)],
        }
    )
    return read_examples(frame, target="y")


def test_text_becomes_a_column_a_value_and_gaps_the_median_of_the_training_part() -> None:
    found = mixed()
    model = found.prepared(LogisticRegression())
    train = np.flatnonzero(~np.isnan(found.X[:, 2]) & (found.X[:, 2] != 0))  # without "one" and without a missing text
    train = train[:30]
    model.fit(found.X[train], np.array(found.y)[train])
    shown = model[:-1].transform(found.X)
    values = sorted({*found.X[train, 2]})
    np.testing.assert_array_equal(shown[:, : len(values)], found.X[:, [2]] == values)  # what is unknown is none of them
    filled = np.where(np.isnan(found.X[:, 1]), np.nanmedian(found.X[train, 1]), found.X[:, 1])
    np.testing.assert_array_equal(shown[:, len(values)], filled)
    np.testing.assert_array_equal(shown[:, -1], found.X[:, 0])
    assert model.predict(found.X).shape == (60,)


def test_a_prepared_estimator_is_one_that_can_be_copied_and_set() -> None:
    found = mixed()
    model = clone(found.prepared(LogisticRegression())).set_params(model__C=2.0)
    assert model.fit(found.X, found.y).score(found.X, found.y) == 1
    assert model.named_steps["model"].C == 2.0


def test_a_number_that_is_never_there_in_the_training_part_is_no_trouble() -> None:
    frame = pl.DataFrame({"a": [1.0, 2.0, 3.0, None], "b": [None, None, 1.0, 2.0], "y": [0, 1, 0, 1]})
    found = read_examples(frame, target="y")
    model = found.prepared(GaussianNB()).fit(found.X[:2], found.y[:2])
    assert model.predict(found.X).shape == (4,)


def wide(values: int) -> pl.DataFrame:
    names = [f"row {place}" for place in range(values)]
    return pl.DataFrame({"name": names, "x": range(values), "y": [0, 1] * (values // 2)})


def test_text_may_have_many_values_but_not_any_number() -> None:
    assert len(read_examples(wide(MOST_VALUES), target="y").text_columns[0]) == MOST_VALUES
    with pytest.raises(HoldfastError, match=r"holds 1,002 different texts, as 'row 0' and 'row 1'.*--drop name"):
        read_examples(wide(MOST_VALUES + 2), target="y")
    assert read_examples(wide(MOST_VALUES + 2), target="y", drop=["name"]).names == ("x",)


def test_messages(tmp_path: Path) -> None:
    when = pl.DataFrame({"day": ["2020-01-01", "2020-01-02"], "y": [0, 1]}).with_columns(pl.col("day").str.to_date())
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
        "dates": lambda: read_examples(when, target="y"),
        "lists": lambda: read_examples(pl.DataFrame({"x": [[1], [2]], "y": [0, 1]}), target="y"),
        "no file": lambda: read_examples(tmp_path / "none.csv", target="y"),
        "no rows": lambda: read_examples(pl.DataFrame({"x": [], "y": []}), target="y"),
        "no way": lambda: read_examples(FRAME, target="ill", missing="wrong"),  # type: ignore[arg-type]
        "no frame": lambda: read_examples(3, target="ill"),
        "same name twice": lambda: read_examples(written(tmp_path, "x,x,y\n1,2,a\n1,3,b\n"), target="y"),
    }
    matches("errors_of_examples", messages(calls).replace(str(tmp_path), "FOLDER"))
