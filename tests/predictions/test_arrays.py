"""Columns from lists, arrays and columns of data frames: each value of its kind, or refused."""

from __future__ import annotations

import subprocess
import sys
from collections import deque
from decimal import Decimal
from enum import Enum
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdfast.errors import HoldfastError
from holdfast.predictions import Predictions
from holdfast.predictions.coded import Coded
from holdfast.predictions.series import label_column, numbers
from tests.needs import module
from tests.snapshots import matches, messages

make = Predictions.from_arrays


def held(made: Predictions, name: str) -> list[Any]:
    """A column row by row, None where there is no value."""
    column = made.frame.columns[name]
    return column.to_list() if isinstance(column, Coded) else [None if x != x else x for x in column.tolist()]


def rows(*given: object, **more: Any) -> list[tuple[object, ...]]:
    made = make(*given, **more)
    return [*zip(*(held(made, name) for name in made.columns), strict=True)]


def truth(values: object) -> list[object]:
    """What a column of labels comes to, and nothing else; here, and as a column of the engine."""
    made = make(values, values)
    assert held(made, "truth") == held(made, "predicted") == label_column("truth", values).to_list()
    return held(made, "truth")


class Colour(str, Enum):  # noqa: UP042  # str() of it is not its text
    RED = "red"


# ---- What can be read


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        pytest.param([1, 0], [1, 0], id="whole numbers"),
        pytest.param(("a", "b"), ["a", "b"], id="a tuple of text"),
        pytest.param([True, False], [True, False], id="true and false"),
        pytest.param([1.0, 0.5], [1.0, 0.5], id="floats"),
        pytest.param([1, 0.5], [1.0, 0.5], id="whole numbers and floats"),
        pytest.param(["a", None], ["a", None], id="text and None"),
        pytest.param([1, None], [1, None], id="numbers and None"),
        pytest.param([True, None], [True, None], id="true and None"),
        pytest.param(["a", float("nan")], ["a", None], id="text and NaN"),
        pytest.param([1.0, float("nan")], [1.0, None], id="floats and NaN"),
        pytest.param([None, None], [None, None], id="nothing but None"),
        pytest.param([], [], id="no rows"),
        pytest.param([2**63 - 1, -(2**63)], [2**63 - 1, -(2**63)], id="the largest whole numbers"),
        pytest.param([2**64 - 1, 0], [2**64 - 1, 0], id="beyond them"),
        pytest.param([2**63, 2**63 + 1], [2**63, 2**63 + 1], id="neighbours that floats cannot tell apart"),
        pytest.param([np.int8(3), 4], [3, 4], id="scalars of numpy"),
        pytest.param([np.str_("a"), "b"], ["a", "b"], id="strings of numpy"),
        pytest.param([np.True_, False], [True, False], id="booleans of numpy"),
        pytest.param([Colour.RED, "blue"], ["red", "blue"], id="an enumeration of text"),
        pytest.param([b"a", b"b"], ["a", "b"], id="bytes"),
        pytest.param([Decimal("0.5"), Decimal(1)], [0.5, 1.0], id="decimals"),
        pytest.param(['"', "\n", "<b>", "😀", "", "a,b"], ['"', "\n", "<b>", "😀", "", "a,b"], id="any text"),
        pytest.param(range(3), [0, 1, 2], id="a range"),
        pytest.param(deque("ab"), ["a", "b"], id="a deque"),
        pytest.param([[1], [0]], [1, 0], id="rows of one value"),
        pytest.param(np.array([1, 0], np.int8), [1, 0], id="int8"),
        pytest.param(np.array([2**64 - 1], np.uint64), [2**64 - 1], id="uint64"),
        pytest.param(np.array([1, 2], ">i4"), [1, 2], id="big-endian"),
        pytest.param(np.array([1.5, np.nan], np.float16), [1.5, None], id="float16"),
        pytest.param(np.array([1.5, np.nan], np.float32), [1.5, None], id="float32"),
        pytest.param(np.array([1.5], np.longdouble), [1.5], id="long double"),
        pytest.param(np.array([True, False]), [True, False], id="bool"),
        pytest.param(np.array(["a", "bcd", "é"]), ["a", "bcd", "é"], id="str"),
        pytest.param(np.array([b"a", b"bc"]), ["a", "bc"], id="bytes of numpy"),
        pytest.param(np.array(["a", None], object), ["a", None], id="object"),
        pytest.param(np.array([[1], [2]]), [1, 2], id="a column vector"),
        pytest.param(np.array([1, 2, 3])[::-1], [3, 2, 1], id="a view from behind"),
        pytest.param(np.ma.array([1, 2], mask=[False, True]), [1, None], id="masked numbers"),
        pytest.param(np.ma.array(["a", "b"], mask=[True, False]), [None, "b"], id="masked text"),
        pytest.param(pl.Series(["a", None]), ["a", None], id="polars"),
        pytest.param(pl.Series(["b", "a"], dtype=pl.Categorical), ["b", "a"], id="polars categories"),
        pytest.param(pl.Series(["a"], dtype=pl.Enum(["b", "a"])), ["a"], id="polars Enum"),
        pytest.param(pl.Series([1.0, float("nan")]), [1.0, None], id="polars floats"),
        pytest.param(pl.Series([None, None]), [None, None], id="polars nulls"),
        pytest.param(pl.DataFrame({"y": [1, 2]}), [1, 2], id="a frame of one column"),
    ],
)
def test_labels_of_every_kind(values: object, expected: list[object]) -> None:
    found = truth(values)
    assert found == expected
    assert [type(value) for value in found] == [type(value) for value in expected]


def test_an_iterator_is_read_once() -> None:
    assert rows(iter("ab"), (letter for letter in "ba")) == [("a", "b"), ("b", "a")]


def test_text_in_several_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("holdfast.predictions.coded.BLOCK", 3)
    monkeypatch.setattr("holdfast.predictions.series.BLOCK", 3)
    words = [f"w{i}" for i in range(10)]
    assert truth(np.array(words)) == words
    assert truth([*words, None]) == [*words, None]


def test_values_are_kept_once_and_rows_by_their_places() -> None:
    column = make([30, 10, None, 30], [1, 1, 1, 1]).frame.labels("truth")
    assert column.distinct == [10, 30]
    assert column.codes.tolist() == [1, 0, -1, 1]


def test_what_becomes_of_an_array_later_does_not_matter() -> None:
    labels, score = np.array([1, 0]), np.array([0.5, 0.25])
    made = make(labels, labels, score)
    labels[:], score[:] = 7, 7.0
    assert (held(made, "truth"), held(made, "score")) == ([1, 0], [0.5, 0.25])


def test_lists_and_arrays_need_no_engine() -> None:
    code = """
import sys, numpy as np
from datetime import date, datetime
from holdfast.predictions import Predictions
for values in (
    [1, 0], ["a", None], [0.5, float("nan")], [True, False], [date(2020, 1, 1)] * 2, [datetime(2020, 1, 1)] * 2,
    [[1], [2]], range(2), np.array([1, 0]), np.array(["a", "b"]), np.array([b"a", b"b"]), np.ma.array([1, 2]),
    np.array(["2020-01-01", "NaT"], "M8[D]"), np.array(["a", None], object),
):
    Predictions.from_arrays(values, values, ["0.5", "1"], groups={"by": values}, clusters=values, ids=values)
assert not {"polars", "narwhals"} & {*sys.modules}
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=300)


def test_pandas_columns_by_position() -> None:
    pd = module("pandas")
    y = pd.Series([1, 2, 3], index=[9, 8, 7])
    assert rows(y, y.sort_index()) == [(1, 3), (2, 2), (3, 1)]
    assert truth(pd.Series(["a", None, "b"])) == ["a", None, "b"]
    assert truth(pd.Series(["a", None, "b"], dtype=object)) == ["a", None, "b"]
    assert truth(pd.Series(["b", None, "a"], dtype="category")) == ["b", None, "a"]
    assert truth(pd.Series([3, None, 1], dtype="category")) == [3, None, 1]
    assert truth(pd.Series([1, None], dtype="Int64")) == [1, None]
    assert truth(pd.Series([True, None], dtype="boolean")) == [True, None]
    assert truth(pd.Series([True, pd.NA], dtype=object)) == [True, None]
    assert truth(pd.Series([1.0, np.nan])) == [1.0, None]
    assert truth(pd.Index(["a", "b"])) == ["a", "b"]
    assert truth(pd.Categorical(["a", "b"])) == ["a", "b"]
    assert truth(pd.array([1, None], dtype="Int64")) == [1, None]
    assert truth(pd.DataFrame({"y": ["a", "b"]})) == ["a", "b"]


WITHOUT_PYARROW = """
import sys
class Gone:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "pyarrow":
            raise ModuleNotFoundError("No module named 'pyarrow'", name="pyarrow")
sys.meta_path.insert(0, Gone())
import pandas as pd
from holdfast.predictions import Predictions
from holdfast.sources import read
frame = pd.DataFrame({"truth": ["a", None], "predicted": pd.Categorical(["a", "b"]), "score": [0.5, 1]})
made = read(frame)
assert made.fetch(made.frame).rows() == [("a", "a", 0.5), (None, "b", 1.0)]
made = Predictions.from_arrays(pd.Series([1, None], dtype="Int64"), pd.Series(["a", None], dtype="string"))
assert made.frame.labels("truth").to_list() == [1, None]
assert made.frame.labels("predicted").to_list() == ["a", None]
"""


def test_pandas_without_pyarrow() -> None:
    module("pandas")
    subprocess.run([sys.executable, "-c", WITHOUT_PYARROW], check=True, timeout=300)


def test_pyarrow_columns() -> None:
    pa = module("pyarrow")
    assert truth(pa.array([1, None])) == [1, None]
    assert truth(pa.chunked_array([["a"], ["b"]])) == ["a", "b"]
    assert truth(pa.array(["b", None, "a"]).dictionary_encode()) == ["b", None, "a"]


# ---- Scores


@pytest.mark.parametrize(
    "score",
    [
        [0.5, 1],
        (0.5, 1.0),
        ["0.5", " 1 "],
        [Decimal("0.5"), 1],
        np.array([0.5, 1.0], np.float32),
        np.array([[0.5], [1.0]]),
        [[0.5], [1.0]],
        pl.Series(["0.5", "1"]),
        pl.DataFrame({"p": [0.5, 1.0]}),
    ],
)
def test_one_score_a_row(score: object) -> None:
    made = make(["a", "b"], ["a", "b"], score)
    assert made.columns == ("truth", "predicted", "score")
    assert made.score_labels == ()
    assert held(made, "score") == [0.5, 1.0]
    assert made.frame.numbers("score").dtype == np.float64


@pytest.mark.parametrize("text", ["1_000", "\u0663", "", "1e", "0x10", "--1", "1 2", "one"])
def test_text_that_writes_no_number_is_refused_as_the_engine_refuses_it(text: str) -> None:
    with pytest.raises(HoldfastError) as here:
        make([1, 0], [1, 0], ["0.5", f" {text}"])
    with pytest.raises(HoldfastError) as there:
        numbers("score", ["0.5", f" {text}"])
    assert str(here.value) == str(there.value)


@pytest.mark.parametrize("text", ["1.", ".5", "+1", "-inf", "Infinity", "1E5", "1e400", " 00.5\t", b"2"])
def test_text_that_writes_a_number_is_that_number(text: Any) -> None:
    assert held(make([1], [1], [text]), "score") == numbers("score", [text]).to_list()


def test_scores_that_are_no_probabilities_are_left_to_the_tally() -> None:
    found = [row[2] for row in rows([1, 1, 1, 1], [1, 1, 1, 1], [np.inf, -np.inf, 1e300, -3])]
    assert found == [np.inf, -np.inf, 1e300, -3]
    assert rows([1], [1], np.array([np.nan]))[0][2] is None
    assert rows([1, 1], [1, 1], [None, 0.5])[0][2] is None


TABLE = [[0.1, 0.9], [0.7, 0.3]]


@pytest.mark.parametrize("table", [TABLE, np.array(TABLE), [tuple(row) for row in TABLE], np.array(TABLE, object)])
def test_a_column_a_label_in_the_order_of_scikit_learn(table: object) -> None:
    made = make(["spam", "ham"], ["spam", "spam"], table)
    assert made.columns == ("truth", "predicted", "score_0", "score_1")
    assert made.score_labels == ("ham", "spam")
    assert (held(made, "score_0"), held(made, "score_1")) == ([0.1, 0.7], [0.9, 0.3])


def test_numbers_are_sorted_as_numbers() -> None:
    made = make([10, 9, 2], [10, 9, 2], np.eye(3))
    assert made.score_labels == ("2", "9", "10")
    assert make([10.0, 9.0], [10, 9], np.eye(2)).score_labels == ("9", "10")
    assert make([True, False], [True, True], np.eye(2)).score_labels == ("False", "True")
    assert make([True, False], [1, 0], np.eye(2)).score_labels == ("0", "1")


def test_labels_that_are_given_name_the_columns() -> None:
    made = make(["spam", "spam"], ["spam", "spam"], np.array(TABLE), labels=["spam", "ham"])
    assert made.score_labels == ("spam", "ham")
    assert held(made, "score_0") == [0.1, 0.7]
    assert make([1, 1], [1, 1], np.array(TABLE), labels=[1.0, 0]).score_labels == ("1", "0")


def test_the_names_of_a_frame_of_scores_are_heeded() -> None:
    frame = pl.DataFrame({"spam": [0.1, 0.7], "ham": [0.9, 0.3]})
    made = make(["spam", "ham"], ["spam", "spam"], frame)
    assert made.score_labels == ("spam", "ham")
    assert held(made, "score_0") == [0.1, 0.7]
    pd = module("pandas")
    assert make(["b", "a"], ["b", "a"], pd.DataFrame(TABLE)).score_labels == ("a", "b")
    assert make([1, 0], [1, 0], pd.DataFrame(TABLE, columns=[1, 0])).score_labels == ("1", "0")


# ---- What cannot

REFUSED: dict[str, tuple[tuple[object, ...], dict[str, object]]] = {
    "nothing": ((), {}),
    "truth alone": (([1],), {}),
    "truth and correct": (([1], [1]), {"correct": [1]}),
    "predicted and correct": ((None, [1]), {"correct": [1]}),
    "correct and score": ((), {"correct": [1], "score": [1]}),
    "two lengths": (([1, 2, 3], [1, 2]), {}),
    "a score too many": (([1, 2], [1, 2], [1, 2, 3]), {}),
    "numbers and text": ((["a", 1, "b"], [1, 1, 1]), {}),
    "mostly numbers": (([1, 2, "3", 4, 5, "6", 7], [1] * 7), {}),
    "true and numbers": (([True, 1], [1, 1]), {}),
    "true and text": (([True, "True"], [1, 1]), {}),
    "one word": (("spam", "spam"), {}),
    "a number": ((3, 3), {}),
    "a set": (({1, 2}, [1, 2]), {}),
    "a dict": (({"a": 1}, [1]), {}),
    "a 0-d array": ((np.array(3), [3]), {}),
    "one-hot rows": ((np.eye(3), [0, 1, 2]), {}),
    "a list of one-hot rows": (([0, 1, 2], [[1, 0, 0], [0, 1, 0], [0, 0, 1]]), {}),
    "ragged rows": (([[1, 2], [3]], [1, 2]), {}),
    "a cube": ((np.zeros((2, 2, 2)), [1, 2]), {}),
    "complex numbers": ((np.array([1j]), [1]), {}),
    "complex objects": (([1j], [1]), {}),
    "dicts within": (([{}], [1]), {}),
    "a structured array": ((np.zeros(2, "i4,i4"), [1, 2]), {}),
    "time spans": ((np.array([1], "m8[s]"), [1]), {}),
    "lists in polars": ((pl.Series([[1], [2]]), [1, 2]), {}),
    "half a character": ((["\ud800"], ["a"]), {}),
    "bytes that are no text": (([b"\xff"], ["a"]), {}),
    "a number beyond all": (([10**30], [1]), {}),
    "numbers of both far ends": (([2**63, -1], [1, 1]), {}),
    "large numbers beside decimals": (([2**60 + 1, 0.5], [1, 1]), {}),
    "a word for a score": (([1, 0], [1, 0], ["0.5", "high"]), {}),
    "a decimal comma": (([1, 0], [1, 0], ["0.5", "0,5"]), {}),
    "dates for scores": (([1], [1], np.array(["2020"], "M8[D]")), {}),
    "too many columns of scores": (([1, 0], [1, 0], np.ones((2, 3))), {}),
    "one class and two columns": (([1, 1], [1, 1], np.ones((2, 2))), {}),
    "labels too few": (([1, 0], [1, 0], np.ones((2, 3))), {"labels": ["a", "b"]}),
    "scores by other names": (([1, 0], [1, 0], pl.DataFrame({"p0": [1.0, 0.0], "p1": [0.0, 1.0]})), {}),
    "a hundred labels": ((list(range(100)), list(range(100)), np.ones((100, 2))), {}),
    "another way with missing": (([1], [1]), {"missing": "ignore"}),
}


def test_refusals_of_arrays() -> None:
    told = messages({name: lambda asked=asked: make(*asked[0], **asked[1]) for name, asked in REFUSED.items()})
    matches("errors_of_arrays", told)
    for line in told.splitlines():
        assert len(line) < 400


values = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=4),
    st.binary(max_size=4),
    st.complex_numbers(),
    st.decimals(),
    st.dates(),
    st.lists(st.integers(), max_size=2),
)
column = st.one_of(
    st.lists(values, max_size=5),
    st.lists(st.text(max_size=3) | st.none(), max_size=5),
    st.lists(st.integers() | st.none(), max_size=5),
    st.lists(st.floats(), max_size=5).map(np.array),
    values,
)


@settings(deadline=None, derandomize=True, max_examples=300)
@given(column, column, st.none() | column, st.none() | column)
def test_arrays_are_read_or_refused_in_our_words(one: Any, other: Any, score: Any, correct: Any) -> None:
    try:
        made = make(one, other, score, correct=correct)
    except HoldfastError as error:
        message = str(error)
        assert len(message) <= 600
        assert message.count("\n") < 6
        return
    assert tuple(made.frame.columns) == made.columns
    given_rows = one if correct is None else correct
    first = held(made, made.columns[0])
    assert first == label_column("truth", given_rows).to_list()
    for found, given_value in zip(first, list(given_rows), strict=True):
        if isinstance(found, str | int) and isinstance(given_value, str | int):
            assert found == given_value
            assert isinstance(found, bool) == isinstance(given_value, bool)
