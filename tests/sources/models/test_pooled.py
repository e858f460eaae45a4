"""Rows of several models are not taken for those of one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import polars as pl
import pytest

import holdfast as hf
from holdfast.errors import HoldfastError
from tests.snapshots import matches, messages

LONG = {"question": [1, 1, 2, 2, 3, 3], "model": ["a", "b"] * 3, "passed": [1, 0, 1, 1, 0, 1]}


@pytest.mark.parametrize("kind", ["csv", "parquet", "polars", "lazy"])
def test_answers_of_several_models_to_the_same_items_are_refused(kind: str, tmp_path: Path) -> None:
    frame = pl.DataFrame(LONG)
    frame.write_csv(tmp_path / "long.csv")
    frame.write_parquet(tmp_path / "long.parquet")
    made: dict[str, Any] = {"polars": frame, "lazy": frame.lazy()}
    with pytest.raises(HoldfastError, match=r"rows of 2 models, a, b in the column 'model'.*'question'.*hf\.compare"):
        hf.read(made.get(kind, tmp_path / f"long.{kind}"))


def test_it_says_whose_rows_these_are() -> None:
    many = {**LONG, "model": ["<script>", "b", "c", "d", "e", "f"], "question": [1] * 6}
    calls = {
        "found by name": lambda: hf.read(pl.DataFrame(LONG)),
        "the cluster names them": lambda: hf.read(pl.DataFrame(LONG), cluster="question"),
        "an id beside a number of the row": lambda: hf.read(pl.DataFrame({"id": range(6), **LONG})),
        "other names": lambda: hf.read(
            pl.DataFrame({"Example ID": LONG["question"], "system": LONG["model"], "ok": LONG["passed"]}), correct="ok"
        ),
        "very many": lambda: hf.read(pl.DataFrame(many)),
    }
    matches("errors_of_pooled", messages(calls))


@pytest.mark.parametrize(
    ("changed", "asked"),
    [
        ({"model": ["a"] * 6}, {}),  # one model
        ({"question": range(6)}, {}),  # each item was answered by one of them
        ({}, {"by": "model"}),  # somebody said so
        ({"model": ["a", None] * 3}, {}),
    ],
)
def test_it_is_refused_only_where_it_is_evident(changed: dict[str, Any], asked: dict[str, Any]) -> None:
    rows = hf.read(pl.DataFrame({**LONG, **changed}), **asked)
    assert rows.columns == ("correct", *(["by_0"] if asked else []))
    assert hf.assess(rows).provenance["rows"] == 6


def test_without_a_column_of_items_nobody_can_tell() -> None:
    rows = hf.read(pl.DataFrame({name: LONG[name] for name in ("model", "passed")}))
    assert rows.columns == ("correct",)
