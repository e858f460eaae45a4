from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from holdfast.comparisons.arrangement import Columns, arrange
from holdfast.comparisons.datasets import Scoreboard
from holdfast.errors import HoldfastError
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
    columns = Columns.of(table)
    assert columns is not None
    return arrange(columns, **asked)


def test_wide_and_long_are_the_same_table() -> None:
    wide, long = arranged(WIDE, better="lower"), arranged(LONG)
    assert (wide.models, wide.datasets, wide.better) == (long.models, long.datasets, long.better)
    np.testing.assert_array_equal(wide.scores, long.scores)
    assert wide.fingerprint == long.fingerprint
    assert (wide.measure, long.measure) == (None, "error")


def test_frames_of_every_kind_are_read_alike() -> None:
    import polars as pl

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
    assert Columns.of([[1, 2], [3, 4]]) is None


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
