"""Scores of models on data sets: wide and long, files and frames, and tables that hold something else."""

from __future__ import annotations

import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from holdfast.errors import HoldfastError
from holdfast.evidence.scoreboard import Scoreboard
from holdfast.sources.models import scoreboard
from holdfast.sources.models.scoreboard import read_datasets, scoreboard_of
from holdfast.sources.table import table_of_columns, table_of_frame
from holdfast.verbs.compare.datasets import compare_datasets
from tests.needs import module
from tests.snapshots import matches, messages

WIDE = {"dataset": ["x", "y", "z"], "a": [0.1, 0.2, 0.3], "b": [0.3, 0.2, 0.1]}
LONG = {
    "task": ["x", "x", "y", "z", "z", "y"],
    "Algorithm": ["a", "b", "a", "a", "b", "b"],
    "fold": [1, 1, 1, 1, 1, 1],
    "error": [0.1, 0.3, 0.2, 0.3, 0.1, 0.2],
}


def arranged(table: Any, **asked: Any) -> Scoreboard:
    source = table_of_columns(table) if isinstance(table, dict) else table_of_frame(table)
    assert source is not None
    return scoreboard_of(source, **asked)


def test_wide_and_long_are_the_same_table() -> None:
    wide, long = arranged(WIDE, better="lower"), arranged(LONG)
    assert (wide.models, wide.datasets, wide.better) == (long.models, long.datasets, long.better)
    np.testing.assert_array_equal(wide.scores, long.scores)
    assert wide.fingerprint == long.fingerprint
    assert (wide.measure, long.measure) == (None, "error")


def test_frames_of_every_kind_are_read_alike() -> None:
    pandas, pyarrow = module("pandas"), module("pyarrow")
    expected = arranged(WIDE, better="lower").fingerprint
    frames = [
        pl.DataFrame(WIDE),
        pl.LazyFrame(WIDE),
        pandas.DataFrame(WIDE),
        pandas.DataFrame(WIDE).set_index("dataset"),
        pyarrow.table(WIDE),
    ]
    assert {arranged(frame, better="lower").fingerprint for frame in frames} == {expected}
    assert table_of_frame([[1, 2], [3, 4]]) is None


def test_models_are_chosen_by_name_and_by_pattern_in_the_order_asked() -> None:
    table = {**WIDE, "m_1": [1, 2, 3], "m_2": [2, 3, 4], "note": ["p", "q", "r"]}
    assert arranged(table, models=["b", "a"], better="lower").models == ("b", "a")
    assert arranged(table, models="m_*", better="lower").models == ("m_1", "m_2")
    assert arranged(table, models="b, m_*", better="lower").models == ("b", "m_1", "m_2")
    assert arranged(LONG, models=["b", "a"]).models == ("b", "a")
    assert arranged(LONG, models="b,a").models == ("b", "a")
    assert arranged({**WIDE, "m*": [1, 2, 3]}, models=["m*", "a"], better="lower").models == ("m*", "a")


def test_data_sets_without_names_are_numbered() -> None:
    bare = {name: WIDE[name] for name in ("a", "b")}
    assert arranged(bare, better="lower").datasets == ("1", "2", "3")
    assert arranged(bare, datasets=["p", "q", "r"], better="lower").datasets == ("p", "q", "r")
    assert arranged({"id": [1.0, 2.0, 3.0], **bare}, datasets="id", better="lower").datasets == ("1", "2", "3")


@pytest.mark.parametrize(
    ("measure", "way"), [("accuracy", "higher"), ("error_rate", "lower"), ("banana", None), (None, None)]
)
def test_which_way_is_better_is_stated_or_implied_or_assumed(measure: str | None, way: str | None) -> None:
    board = arranged(WIDE, measure=measure)
    assert (board.better, board.assumed) == (way or "higher", way is None)
    stated = arranged(WIDE, measure=measure, better="lower")  # what is stated holds
    assert (stated.better, stated.assumed) == ("lower", False)


def test_of_several_names_for_the_data_sets_the_first_that_we_teach_is_taken() -> None:
    scores = {"a": [0.1, 0.2], "b": [0.3, 0.4]}
    assert arranged({"benchmark": [1, 2], "Task": ["x", "y"], **scores}).datasets == ("x", "y")
    assert arranged({"task": [1, 2], "Data-Set": ["x", "y"], **scores}).datasets == ("x", "y")


def test_names_of_rows_are_names_of_data_sets_before_any_column_is() -> None:
    frame = module("pandas").DataFrame({"dataset": [1, 2], "a": [0.1, 0.2]}, index=["x", "y"])
    assert (arranged(frame).datasets, arranged(frame).models) == (("x", "y"), ("dataset", "a"))


def test_dates_are_names() -> None:
    days = np.array(["2020-01-01", "2020-01-02"], "datetime64[ns]")
    named = arranged({"dataset": days, "a": [0.1, 0.2], "b": np.array([0.3, 0.4])}).datasets
    assert [name[:10] for name in named] == ["2020-01-01", "2020-01-02"]


def test_a_column_called_model_may_be_a_model() -> None:
    found = arranged({"model": [0.1, 0.2], "baseline": [0.2, 0.1]}, better="lower")
    assert found.models == ("model", "baseline")


def test_holes_are_holes_in_either_shape() -> None:
    wide = {**WIDE, "b": [0.3, None, 0.1]}
    long = {name: values[:-1] for name, values in LONG.items()}
    for table in (wide, long, {**WIDE, "b": ["0.3", " ", "0.1"]}, {**WIDE, "b": [0.3, float("nan"), 0.1]}):
        assert arranged(table, better="lower", missing="drop").dropped == ("y",)
        with pytest.raises(HoldfastError, match="1 score is missing"):
            arranged(table, better="lower")


def test_names_may_be_anything() -> None:
    odd = ["<script>alert(1)</script>", "\x1b[31mred", "a\nb", "é" * 300, "=1+1"]
    table = {name: [0.1 * place, 0.2] for place, name in enumerate(odd)}
    assert arranged(table, better="lower").models == tuple(odd)


def test_messages_of_arranging() -> None:
    twice = {name: [*values, values[0]] for name, values in LONG.items()}
    told = messages(
        {
            "text in a wide table": lambda: arranged({**WIDE, "note": ["p", "q", "r"]}, better="lower"),
            "decimal comma": lambda: arranged({**WIDE, "b": ["0.3", "0,2", "0.1"]}, better="lower"),
            "true and false": lambda: arranged({**WIDE, "b": [True, False, True]}, better="lower"),
            "unknown model": lambda: arranged(WIDE, models=["a", "bb"], better="lower"),
            "unknown model of a long table": lambda: arranged(LONG, models=["a", "c"]),
            "unknown column": lambda: arranged(WIDE, datasets="data", better="lower"),
            "data sets as a model": lambda: arranged(WIDE, models=["dataset", "a"], datasets="dataset", better="lower"),
            "two scores": lambda: arranged(twice),
            "which score": lambda: arranged({**LONG, "accuracy": [1] * 6}),
            "no data sets": lambda: arranged({"model": ["a", "b"], "score": [1, 2]}, better="lower"),
            "no models": lambda: arranged({"dataset": ["a", "b"], "score": [1, 2]}, score="score", better="lower"),
            "one column twice": lambda: arranged(LONG, model="task"),
            "names of long": lambda: arranged(LONG, datasets=["x", "y", "z"]),
            "names too few": lambda: arranged(WIDE, datasets=["x"], models=["a", "b"], better="lower"),
            "a name missing": lambda: arranged({**WIDE, "dataset": ["x", None, "z"]}, better="lower"),
            "lengths": lambda: arranged({"a": [1, 2], "b": [1, 2, 3]}, better="lower"),
            "no columns": lambda: arranged({}, better="lower"),
        }
    )
    matches("messages-arrangement", told)


# ---- Files

WIDE_FILE = "dataset,nb,svm,tree\niris,0.91,0.95,0.94\nwine,0.97,0.98,0.90\nzoo,0.88,0.93,0.92\n"
LONG_FILE = "dataset;model;accuracy\niris;nb;0.91\niris;svm;0.95\nwine;svm;0.98\nwine;nb;0.97\n"


def written(folder: Path, text: str, name: str = "scores.csv") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_wide_file_is_read(tmp_path: Path) -> None:
    board = read_datasets(written(tmp_path, WIDE_FILE), datasets="dataset", models="nb,svm", better="higher")
    assert (board.models, board.datasets) == (("nb", "svm"), ("iris", "wine", "zoo"))
    assert board.scores.tolist() == [[0.91, 0.95], [0.97, 0.98], [0.88, 0.93]]
    assert compare_datasets(board).details["models"] == ["nb", "svm"]


def test_a_long_file_says_itself_which_way_is_better(tmp_path: Path) -> None:
    board = read_datasets(written(tmp_path, LONG_FILE))
    assert (board.models, board.datasets, board.better) == (("nb", "svm"), ("iris", "wine"), "higher")
    assert board.scores.tolist() == [[0.91, 0.95], [0.97, 0.98]]


def test_files_of_every_kind_hold_the_same(tmp_path: Path) -> None:
    frame = pl.read_csv(WIDE_FILE.encode())
    frame.write_parquet(tmp_path / "scores.parquet")
    frame.write_ndjson(tmp_path / "scores.ndjson")
    frame.write_ipc(tmp_path / "scores.arrow")
    written(tmp_path, WIDE_FILE.replace(",", "\t"), "scores.tsv")
    written(tmp_path, "\ufeff" + WIDE_FILE, "marked.csv")
    prints = {read_datasets(path, better="higher").fingerprint for path in sorted(tmp_path.iterdir())}
    assert prints == {read_datasets(frame, better="higher").fingerprint}


def test_blanks_around_the_names_of_a_text_file_are_none_of_them(tmp_path: Path) -> None:
    path = written(tmp_path, WIDE_FILE.replace("nb", " nb ").replace("svm", "svm "))
    assert read_datasets(path, models="nb,svm", better="higher").models == ("nb", "svm")


def test_a_table_of_predictions_is_refused_before_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scoreboard, "LARGEST", 11)
    with pytest.raises(HoldfastError, match="has 3 rows of 4 cells; a table of data sets holds one score"):
        read_datasets(written(tmp_path, WIDE_FILE))
    assert read_datasets(pl.read_csv(WIDE_FILE.encode())).models == ("nb", "svm", "tree")  # it is in memory already


def test_several_files_and_folders_are_one_table(tmp_path: Path) -> None:
    written(tmp_path, WIDE_FILE, "1.csv")
    written(tmp_path, WIDE_FILE.replace("iris", "car").replace("wine", "bus").replace("zoo", "van"), "2.csv")
    for source in (tmp_path, tmp_path / "*.csv", [tmp_path / "1.csv", tmp_path / "2.csv"]):
        assert read_datasets(source, better="higher").datasets == ("iris", "wine", "zoo", "car", "bus", "van")


def test_standard_input_is_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(LONG_FILE.encode())))
    assert read_datasets("-").models == ("nb", "svm")


def test_empty_cells_are_holes(tmp_path: Path) -> None:
    path = written(tmp_path, WIDE_FILE.replace("0.97", ""))
    with pytest.raises(HoldfastError, match="1 score is missing"):
        read_datasets(path, better="higher")
    assert read_datasets(path, better="higher", missing="drop").dropped == ("wine",)


def test_messages_of_reading_data_sets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "wide.csv": WIDE_FILE,
        "text.csv": WIDE_FILE.replace("0.97", "n/a"),
        "inf.csv": WIDE_FILE.replace("0.97", "inf"),
        "twice.csv": WIDE_FILE.replace("zoo", "wine"),
        "columns.csv": WIDE_FILE.replace("tree", "nb"),
        "empty.csv": "",
        "header.csv": "dataset,nb,svm\n",
        "ragged.csv": WIDE_FILE + "x,1\n",
    }.items():
        written(tmp_path, text, name)
    Path("void").mkdir()
    told = messages(
        {
            "no file": lambda: read_datasets("nowhere.csv", better="higher"),
            "a folder": lambda: read_datasets("void", better="higher"),
            "other columns": lambda: read_datasets(["wide.csv", "columns.csv"], better="higher"),
            "an object": lambda: read_datasets(object(), better="higher"),
            "unknown model": lambda: read_datasets("wide.csv", models="nb,svn", better="higher"),
            "unknown column": lambda: read_datasets("wide.csv", datasets="Dataset", better="higher"),
            "text": lambda: read_datasets("text.csv", better="higher"),
            "infinite": lambda: read_datasets("inf.csv", better="higher"),
            "twice": lambda: read_datasets("twice.csv", better="higher"),
            "columns of one name": lambda: read_datasets("columns.csv", better="higher"),
            "empty": lambda: read_datasets("empty.csv", better="higher"),
            "header": lambda: read_datasets("header.csv", better="higher"),
            "ragged": lambda: read_datasets("ragged.csv", better="higher"),
        }
    )
    matches("messages-read-datasets", told)
