"""Data frames of every library: the same rows, read where they live."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import narwhals.stable.v2 as nw
import polars as pl
import pytest

from holdfast.errors import HoldfastError
from holdfast.predictions import Predictions
from holdfast.sources import read
from holdfast.tally import tally
from tests.needs import module
from tests.snapshots import matches, messages

FRAME = pl.DataFrame(
    {"note": ["x", "y", "z"], "truth": ["a", "b", None], "predicted": ["b", "b", "a"], "score": [0.25, 0.5, 1.0]}
)
EXPECTED = [("a", "b", 0.25), ("b", "b", 0.5), (None, "a", 1.0)]


def pandas(frame: pl.DataFrame) -> Any:
    return importlib.import_module("pandas").DataFrame(frame.to_dict(as_series=False))


def duckdb(frame: pl.DataFrame) -> Any:
    return importlib.import_module("duckdb").from_arrow(frame.to_arrow())


def dask(frame: pl.DataFrame) -> Any:
    return importlib.import_module("dask.dataframe").from_pandas(pandas(frame), npartitions=2)


def ibis(frame: pl.DataFrame) -> Any:
    return importlib.import_module("ibis").memtable(frame.to_arrow())


LIBRARIES: dict[str, tuple[Callable[[pl.DataFrame], Any], tuple[str, ...]]] = {
    "polars": (lambda frame: frame, ()),
    "polars lazy": (pl.DataFrame.lazy, ()),
    "narwhals": (nw.from_native, ()),
    "pandas": (pandas, ("pandas",)),
    "pyarrow": (pl.DataFrame.to_arrow, ("pyarrow",)),
    "duckdb": (duckdb, ("duckdb", "pyarrow")),
    "dask": (dask, ("dask", "pandas")),
    "ibis": (ibis, ("ibis", "pyarrow")),
}


def made(library: str, frame: pl.DataFrame = FRAME) -> Any:
    build, needs = LIBRARIES[library]
    for name in needs:
        module(name)
    return build(frame)


def rows(predictions: Predictions) -> list[tuple[Any, ...]]:
    return sorted(predictions.fetch(predictions.frame).rows(), key=str)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
@pytest.mark.parametrize("library", LIBRARIES)
def test_the_same_rows_from_every_library(library: str) -> None:
    predictions = read(made(library))
    assert predictions.columns == ("truth", "predicted", "score")
    assert rows(predictions) == sorted(EXPECTED, key=str)
    counted = predictions.fetch(predictions.frame.group_by("truth").agg(nw.len().alias("times")))
    assert sorted(counted.rows(), key=str) == [("a", 1), ("b", 1), (None, 1)]


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
@pytest.mark.parametrize("library", LIBRARIES)
def test_scores_become_numbers_in_every_library(library: str) -> None:
    text = FRAME.with_columns(pl.col("score").cast(pl.String))
    assert rows(read(made(library, text))) == sorted(EXPECTED, key=str)
    whole = FRAME.with_columns(score=pl.Series([0, 1, 2]))
    assert {type(row[2]) for row in rows(read(made(library, whole)))} == {float}


@pytest.mark.parametrize("library", ["polars lazy", "duckdb", "dask", "ibis"])
def test_lazy_frames_stay_where_they_live(library: str) -> None:
    frame = made(library)
    assert read(frame).frame.implementation == nw.from_native(frame).implementation


def test_a_lazy_frame_is_not_computed_before_it_is_asked() -> None:
    def never(_: pl.DataFrame) -> pl.DataFrame:
        raise AssertionError("computed")

    lazy = FRAME.lazy().map_batches(never, schema=FRAME.schema)
    assert read(lazy).columns == ("truth", "predicted", "score")


def test_labels_keep_their_kind() -> None:
    frame = pl.DataFrame({"truth": [1, 0], "predicted": ["1", "0"]})
    for given in (frame, frame.lazy()):
        assert [str(kind) for kind in read(given).frame.collect_schema().values()] == ["Int64", "String"]


def test_categories_are_text() -> None:
    frame = FRAME.with_columns(pl.col("truth").cast(pl.Categorical), pl.col("predicted").cast(pl.Enum(["b", "a"])))
    for given in (frame, frame.lazy()):
        predictions = read(given)
        assert str(predictions.frame.collect_schema()["predicted"]) == "String"
        assert rows(predictions) == sorted(EXPECTED, key=str)


def test_nan_is_missing_where_it_is_a_label() -> None:
    frame = pl.DataFrame({"truth": [1.0, float("nan")], "predicted": [1.0, 2.0]})
    for given in (frame, frame.lazy()):
        assert read(given).fetch(read(given).frame)["truth"].to_list() == [1.0, None]


def test_pandas_by_position_whatever_the_index() -> None:
    pd = module("pandas")
    frame = pd.DataFrame({"truth": [1, 2], "predicted": [2, 1]}, index=[7, 7])
    assert rows(read(frame)) == [(1, 2), (2, 1)]
    numbered = pd.DataFrame([["a", "b"]], columns=[0, 1])
    assert rows(read(numbered, truth="0", predicted="1")) == [("a", "b")]


@pytest.mark.parametrize("library", LIBRARIES)
def test_truth_and_score_without_predictions(library: str) -> None:
    predictions = read(made(library, FRAME.drop("predicted").with_columns(truth=pl.Series(["a", "b", "b"]))))
    assert (predictions.columns, predictions.guessed) == (("truth", "score"), False)
    counted = tally(predictions, positive="b")
    assert (counted.table, counted.rows, counted.scores["b"].mean) == (None, 3, 1.0)


@pytest.mark.parametrize("library", LIBRARIES)
def test_scores_that_are_no_numbers_are_left_out_if_nobody_asked_for_them(library: str) -> None:
    frame = pl.DataFrame({"truth": ["a", "b"], "predicted": ["a", "a"], "score": ["high", "low"]})
    # Dask computes a column that nobody selects, where there is one more: what it cannot read it then cannot leave out.
    for clusters in ({}, {"cluster": "team"})[: 1 if library == "dask" else 2]:
        given = frame.with_columns(team=pl.Series([1, 2])) if clusters else frame
        counted = tally(read(made(library, given), **clusters))
        assert (counted.counts.k, counted.scores, counted.ranked) == (1, {}, None)
        assert sum("were left out" in note for note in counted.notes) == 1
        with pytest.raises(HoldfastError, match=r"high|low"):
            tally(read(made(library, given), score="score", **clusters))


def test_refusals_of_frames() -> None:
    pd, pa = module("pandas"), module("pyarrow")
    nested = pl.DataFrame({"truth": [[1]], "predicted": [1]})
    word = pl.DataFrame({"truth": [1], "predicted": [1], "score": ["high"]})
    dated = pl.DataFrame({"truth": [1], "predicted": [1], "score": ["2020-01-01"]}).select(
        "truth", "predicted", pl.col("score").str.to_date()
    )
    lazy = read(word.lazy(), score="score")
    calls: dict[str, Callable[[], object]] = {
        "a dict": lambda: read({"truth": [1], "predicted": [1]}),
        "a number": lambda: read(5),
        "nothing": lambda: read(None),
        "a column": lambda: read(pl.Series([1])),
        "lists": lambda: read([[1, 2], [3, 4]]),
        "a name twice in pandas": lambda: read(pd.DataFrame([[1, 2, 3]], columns=["truth", "truth", "pred"])),
        "a name twice in pyarrow": lambda: read(pa.table([[1], [2], [3]], names=["truth", "pred", "pred"])),
        "an unknown column": lambda: read(FRAME, truth="trut"),
        "an unknown column, lazily": lambda: read(FRAME.lazy(), truth="trut"),
        "lists for labels": lambda: read(nested),
        "lists for labels, lazily": lambda: read(nested.lazy()),
        "a word for a score": lambda: read(word, score="score"),
        "a word for a score, lazily": lambda: lazy.fetch(lazy.frame),
        "dates for scores": lambda: read(dated, score="score"),
        "dates for scores, lazily": lambda: read(dated.lazy(), score="score"),
        "mixed labels in pandas": lambda: read(pd.DataFrame({"truth": [1, "1"], "predicted": [1, 1]}, dtype=object)),
        "a broken query": lambda: read(FRAME.lazy().select("nowhere")),
        "another way with missing": lambda: read(FRAME, missing="skip"),  # type: ignore[arg-type]
    }
    matches("errors_of_frames", messages(calls))


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")
@pytest.mark.parametrize("library", ["duckdb", "dask", "ibis"])
def test_an_engine_that_cannot_read_a_score_is_quoted(library: str) -> None:
    predictions = read(made(library, FRAME.with_columns(score=pl.Series(["1", "high", "2"]))))
    with pytest.raises(ValueError, match=r"^Cannot read the data frame: .*high") as caught:
        predictions.fetch(predictions.frame)
    assert "\n" not in str(caught.value)


@pytest.mark.crossing(3)
@pytest.mark.parametrize("library", LIBRARIES)
def test_values_that_count_as_right(library: str) -> None:
    grades = pl.DataFrame({"grade": ["C", "P", "I", "C"], "mark": [1.0, 0.5, 0.0, 1.0], "team": ["x", "y", "x", "y"]})
    frame = made(library, grades)
    for correct, errors in (("grade=C", 2), ({"grade": ["C", "P"]}, 1), ("mark=1", 2), ({"mark": 0.5}, 3)):
        assert int(tally(read(frame, correct=correct)).counts.k) == errors
        assert int(tally(read(frame, correct=correct, cluster="team")).counts.k) == errors
