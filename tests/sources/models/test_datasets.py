from __future__ import annotations

import sys
from io import BytesIO, TextIOWrapper
from pathlib import Path

import polars as pl
import pytest

from holdfast.errors import HoldfastError
from holdfast.sources.models.datasets import read_datasets
from holdfast.verbs.compare.datasets import compare_datasets
from tests.snapshots import matches, messages

WIDE = "dataset,nb,svm,tree\niris,0.91,0.95,0.94\nwine,0.97,0.98,0.90\nzoo,0.88,0.93,0.92\n"
LONG = "dataset;model;accuracy\niris;nb;0.91\niris;svm;0.95\nwine;svm;0.98\nwine;nb;0.97\n"


def written(folder: Path, text: str, name: str = "scores.csv") -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_wide_file_is_read(tmp_path: Path) -> None:
    board = read_datasets(written(tmp_path, WIDE), datasets="dataset", models="nb,svm", better="higher")
    assert (board.models, board.datasets) == (("nb", "svm"), ("iris", "wine", "zoo"))
    assert board.scores.tolist() == [[0.91, 0.95], [0.97, 0.98], [0.88, 0.93]]
    assert compare_datasets(board).details["models"] == ["nb", "svm"]


def test_a_long_file_says_itself_which_way_is_better(tmp_path: Path) -> None:
    board = read_datasets(written(tmp_path, LONG))
    assert (board.models, board.datasets, board.better) == (("nb", "svm"), ("iris", "wine"), "higher")
    assert board.scores.tolist() == [[0.91, 0.95], [0.97, 0.98]]


def test_files_of_every_kind_hold_the_same(tmp_path: Path) -> None:
    frame = pl.read_csv(WIDE.encode())
    frame.write_parquet(tmp_path / "scores.parquet")
    frame.write_ndjson(tmp_path / "scores.ndjson")
    frame.write_ipc(tmp_path / "scores.arrow")
    written(tmp_path, WIDE.replace(",", "\t"), "scores.tsv")
    written(tmp_path, "\ufeff" + WIDE, "marked.csv")
    prints = {read_datasets(path, better="higher").fingerprint for path in sorted(tmp_path.iterdir())}
    assert prints == {read_datasets(frame, better="higher").fingerprint}


def test_standard_input_is_a_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(LONG.encode())))
    assert read_datasets("-").models == ("nb", "svm")


def test_empty_cells_are_holes(tmp_path: Path) -> None:
    path = written(tmp_path, WIDE.replace("0.97", ""))
    with pytest.raises(HoldfastError, match="1 score is missing"):
        read_datasets(path, better="higher")
    assert read_datasets(path, better="higher", missing="drop").dropped == ("wine",)


def test_messages_of_reading_data_sets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "wide.csv": WIDE,
        "text.csv": WIDE.replace("0.97", "n/a"),
        "inf.csv": WIDE.replace("0.97", "inf"),
        "twice.csv": WIDE.replace("zoo", "wine"),
        "columns.csv": WIDE.replace("tree", "nb"),
        "empty.csv": "",
        "header.csv": "dataset,nb,svm\n",
        "ragged.csv": WIDE + "x,1\n",
    }.items():
        written(tmp_path, text, name)
    told = messages(
        {
            "no file": lambda: read_datasets("nowhere.csv", better="higher"),
            "a folder": lambda: read_datasets(".", better="higher"),
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
