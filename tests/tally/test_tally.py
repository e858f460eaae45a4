from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import polars as pl
import pytest

from holdfast.errors import InvalidEvidence, UnknownName
from holdfast.tally import tally
from holdfast.tally.engine import FEW
from tests.tally.asking import given, of, refusal


def test_the_table_has_rows_predicted_and_columns_actual() -> None:
    counted = of(["a", "b", "b", "b"], ["a", "a", "a", "b"])
    assert counted.table is not None
    assert counted.table.labels == ("a", "b")
    assert counted.table.table.tolist() == [[1, 2], [0, 1]]
    assert (int(counted.counts.k), int(counted.counts.n), counted.rows) == (2, 4, 4)
    assert counted.positive is None
    assert counted.notes == ()
    assert counted.scores == {}
    assert counted.forecasts is None
    assert len(counted.fingerprint) == 64


@pytest.mark.parametrize("labels", [2, 3, 8, FEW, FEW + 1, 300])
@pytest.mark.parametrize("kind", ["text", "whole", "real", "halves", "decimal", "category"])
def test_the_table_of_any_labels(labels: int, kind: str) -> None:
    random = np.random.default_rng(labels)
    truth, predicted = random.integers(0, labels, (2, 2000))
    columns = [pl.Series(column) for column in (truth, predicted)]
    if kind in ("text", "category"):
        columns = [("label " + column.cast(pl.String)).alias("") for column in columns]
        columns = [column.cast(pl.Categorical) if kind == "category" else column for column in columns]
    elif kind in ("real", "halves"):
        columns = [column.cast(pl.Float64) / (2 if kind == "halves" else 1) for column in columns]
    elif kind == "decimal":
        columns = [column.cast(pl.Decimal(20, 2)) / 4 for column in columns]
    positive = columns[0][0]
    counted = of(*columns, random.random(2000), positive=positive)
    table = np.zeros((labels, labels), np.int64)
    np.add.at(table, (predicted, truth), 1)
    assert counted.table is not None
    order = [counted.table.place(name) for name in (sorted(set(counted.table.labels), key=_by_number))]
    assert counted.table.table[np.ix_(order, order)].tolist() == table.tolist()
    assert counted.scores[str(counted.positive)].n_positive == np.sum(truth == truth[0])
    assert sum(counted.scores[str(counted.positive)].cells()[1]) == np.sum(truth == truth[0])


def _by_number(label: str) -> float:
    return float(label.removeprefix("label "))


@pytest.mark.long
def test_a_hundred_thousand_labels() -> None:
    names = pl.Series(np.arange(100_000)).cast(pl.String)
    counted = of(names, names.reverse(), np.linspace(0, 1, 100_000), positive=7)
    assert counted.table is not None
    assert len(counted.table.labels) == 100_000
    assert counted.table.labels[:3] == ("0", "1", "2")
    assert int(counted.counts.k) == 100_000
    assert counted.scores["7"].n_positive == 1


def test_numbers_and_text_are_not_mixed_up() -> None:
    assert "truth holds numbers such as 1, predicted holds text such as '1'" in refusal([1], ["1"])
    assert of([1, 0], [1.0, 0.0]).table.labels == ("0", "1")  # type: ignore[union-attr]
    assert "Write both the same" in refusal(["spam", "ham"], ["Spam", "ham"])


def test_labels_in_the_order_of_the_user() -> None:
    counted = of(["a", "b"], ["a", "a"], labels=["b", "c", "a"])
    assert counted.table is not None
    assert counted.table.labels == ("b", "c", "a")
    assert counted.table.table.tolist() == [[0, 0, 0], [0, 0, 0], [1, 0, 1]]
    assert "hold the label 'b'" in refusal(["a", "b"], ["a", "a"], labels=["a"])


def test_no_rows_are_refused() -> None:
    assert "There are no rows to assess in" in refusal([], [])
    assert "nothing is left" in refusal([None, "a"], ["a", None], missing="drop")


class TestPassFail:
    @pytest.mark.parametrize(
        "answers",
        [
            [1, 0, 1],
            [1.0, 0.0, 1.0],
            [True, False, True],
            ["1", "0", "1"],
            ["TRUE", "false", "True"],
            ["yes", "No", " yes "],
            ["Pass", "FAIL", "pass"],
            pl.Series([Decimal(1), Decimal(0), Decimal(1)]),
        ],
    )
    def test_answers(self, answers: Any) -> None:
        counted = tally(given(correct=answers))
        assert (int(counted.counts.k), int(counted.counts.n), counted.table) == (1, 3, None)
        assert counted.fingerprint == tally(given(correct=[1, 1, 0])).fingerprint
        assert counted.fingerprint != tally(given(correct=[1, 0, 0])).fingerprint

    def test_what_is_neither(self) -> None:
        with pytest.raises(InvalidEvidence, match="correct holds 2: that is a grade"):
            tally(given(correct=[1, 2]))
        with pytest.raises(InvalidEvidence, match="holds 'maybe'"):
            tally(given(correct=["yes", "maybe"]))
        with pytest.raises(InvalidEvidence, match="no rows"):
            tally(given(correct=[]))

    def test_missing(self) -> None:
        answers = [True, None, False]
        with pytest.raises(InvalidEvidence, match=r"1 without correct \(row 2,"):
            tally(given(correct=answers))
        dropped, wrong = tally(given("drop", correct=answers)), tally(given("wrong", correct=answers))
        assert (int(dropped.counts.k), int(dropped.counts.n), dropped.dropped) == (1, 2, 1)
        assert (int(wrong.counts.k), int(wrong.counts.n), wrong.dropped) == (2, 3, 0)
        assert wrong.notes == ("Counted as errors: 1 without correct.",)
        with pytest.raises(InvalidEvidence, match="nothing is left"):
            tally(given("drop", correct=pl.Series([None], dtype=pl.Boolean)))


class TestPositive:
    def test_the_obvious_one(self) -> None:
        assert of([0, 1], [0, 1], [0.2, 0.3]).positive == "1"
        assert of(["No", "yes"], ["No", "yes"]).positive == "yes"

    def test_it_must_be_said_where_it_is_not_obvious(self) -> None:
        assert "with positive=" in refusal(["ham", "spam"], ["ham", "ham"], [0.2, 0.3])
        assert "score_<label>" in refusal(["a", "b", "c"], ["a", "b", "c"], [0.2, 0.3, 0.4])
        assert of(["ham", "spam"], ["ham", "ham"]).positive is None

    def test_one_against_the_rest(self) -> None:
        counted = of(["a", "b", "c"], ["a", "b", "c"], [0.2, 0.3, 0.4], positive="b")
        assert counted.scores["b"].n_positive == 1
        assert counted.notes == ("There are 3 labels and one score: it ranks 'b' against all others.",)

    def test_one_class_only(self) -> None:
        counted = of(["ham", "ham"], ["ham", "ham"], [0.2, 0.3], positive="spam")
        assert counted.table is not None
        assert counted.table.labels == ("ham", "spam")
        assert (counted.scores["spam"].n_positive, counted.scores["spam"].n_negative) == (0, 2)
        assert of(["spam"], ["spam"], [0.2], positive="spam").scores["spam"].n_positive == 1

    def test_a_label_that_is_not_there(self) -> None:
        with pytest.raises(UnknownName, match="eggs"):
            of(["ham", "spam"], ["ham", "ham"], positive="eggs")
        assert of(["ham", "spam"], ["ham", "ham"], positive="eggs", labels=["ham", "spam", "eggs"]).positive == "eggs"
