"""Margins and probabilities from rows, wherever these live."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import narwhals.stable.v2 as nw
import numpy as np
import polars as pl
import pytest

from holdfast import sources
from holdfast.errors import HoldfastError
from holdfast.evidence import NO_ANSWER
from holdfast.evidence.ranking.forecasts import Margins
from holdfast.predictions import Missing, Predictions
from holdfast.tally.label_pairs import read_cells
from holdfast.tally.margins import margins, posteriors
from holdfast.tally.rows import Rows
from holdfast.tally.scores import Kept, read_kept
from tests.tally.asking import given

VALUES = [0.7, -1.2, 0.0, 3.5]


def refusal(rows: Predictions, **asked: Any) -> str:
    with pytest.raises(HoldfastError) as caught:
        margins(rows, **asked)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# ---- A margin column


def test_a_margin_column_alone() -> None:
    found = margins(given(margin=VALUES))
    assert found.values.tolist() == [-1.2, 0.0, 0.7, 3.5]
    assert found.errors == 2
    assert found.fingerprint == margins(given(margin=VALUES[::-1])).fingerprint != Margins([0.0]).fingerprint


def test_a_margin_column_beside_others_is_what_counts() -> None:
    rows = Predictions.from_arrays(["a", "b"], ["a", "b"], [5.0, -5.0], margin=[1, -2])
    assert margins(rows).values.tolist() == [-2, 1]
    assert margins(Predictions.from_arrays(correct=[True, False], margin=["1", "-2"])).values.tolist() == [-2, 1]


def test_margins_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "m.csv"
    path.write_text("id,distance\n1,0.5\n2,-inf\n3,1e3\n", encoding="utf-8")
    assert margins(sources.read(str(path), margin="distance")).values.tolist() == [-np.inf, 0.5, 1000.0]
    path.write_text("id,distance\n1,0.5\n2,far\n", encoding="utf-8")
    assert "row 2: margin should be a number; found 'far'" in refusal(sources.read(str(path), margin="distance"))


@pytest.mark.parametrize("dtype", [pl.Int8, pl.Float32, pl.Decimal(10, 2), pl.Boolean])
def test_any_type_of_number(dtype: Any) -> None:
    frame = pl.DataFrame({"margin": pl.Series([1, 0, 1]).cast(dtype)})
    assert margins(Predictions(nw.from_native(frame.lazy()), ("margin",))).values.tolist() == [0, 1, 1]


def test_a_column_of_text_is_refused() -> None:
    assert "should hold numbers" in refusal(given(margin=["near", "far"]))


def test_no_rows() -> None:
    assert "There are no rows to assess in" in refusal(given(margin=pl.Series([], dtype=pl.Float64)))


@pytest.mark.parametrize("gap", [None, float("nan")])
def test_a_missing_margin_is_refused_dropped_or_wrong(gap: float | None) -> None:
    def rows(missing: Missing) -> Predictions:
        return given(missing, margin=pl.Series([0.7, gap, -1.2, gap], dtype=pl.Float64))

    message = refusal(rows("refuse"))
    assert "Of the 4 rows of the data, there are 2 without a margin (row 2, 4," in message
    dropped = margins(rows("drop"))
    assert (dropped.values.tolist(), dropped.dropped) == ([-1.2, 0.7], 2)
    assert margins(rows("wrong")).values.tolist() == [-np.inf, -np.inf, -1.2, 0.7]
    assert "nothing is left" in refusal(given("drop", margin=pl.Series([gap, gap], dtype=pl.Float64)))


def test_rows_that_live_in_duckdb() -> None:
    duckdb = pytest.importorskip("duckdb")
    table = duckdb.sql("select * from (values (0.7::double), (-1.2), (null), ('nan'::double)) t(margin)")
    rows = Predictions(nw.from_native(table).lazy(), ("margin",), missing="drop")
    assert margins(rows).values.tolist() == [-1.2, 0.7]
    assert margins(rows).dropped == 2


# ---- Truth and decision values


def test_decision_values_are_turned_by_the_truth() -> None:
    rows = given(truth=["yes", "no", "no", "yes"], predicted=["yes", "yes", "no", "no"], score=[2.0, 0.5, -1.0, -3.0])
    assert margins(rows, positive="yes").values.tolist() == [-3, -0.5, 1, 2]
    assert margins(rows).values.tolist() == [-3, -0.5, 1, 2]
    assert margins(rows, positive="no").values.tolist() == [-2, -1, 0.5, 3]


def test_a_decision_of_zero_is_negative() -> None:
    rows = given(truth=["1", "0", "0"], predicted=["1", "0", "0"], score=[0.0, 0.0, -1.0])
    found = margins(rows, positive="1")
    assert (found.errors, found.right_at_zero) == (1, 1)


def test_probabilities_are_no_decision_values() -> None:
    rows = given(truth=["1", "0"], predicted=["1", "0"], score=[0.9, 0.1])
    assert "look like probabilities" in refusal(rows, positive="1")


def test_what_has_no_margin() -> None:
    assert "with margin=" in refusal(given(truth=["a", "b"], predicted=["a", "b"]))
    assert "with margin=" in refusal(given(correct=["1", "0"]))
    three = given(truth=["a", "b", "c"], predicted=["a", "b", "c"], score=[1.0, -2.0, 3.0])
    assert "two labels" in refusal(three)
    assert "two labels" in refusal(given(truth=["a", "b"], predicted=["a", "b"], score=[1.0, -2.0]))


def test_missing_decision_values() -> None:
    columns = {"truth": ["1", "0", None, "0"], "predicted": ["1", "0", "0", "1"], "score": [2.0, None, 1.0, 3.0]}
    dropped = margins(given("drop", **columns), positive="1")
    assert (dropped.values.tolist(), dropped.dropped) == ([-3, 2], 2)
    columns["truth"] = ["1", "0", "0", "0"]
    assert "1 without a decision value (row 2" in refusal(given(**columns), positive="1")


# ---- Probabilities beside the predicted label


def kept(rows: Predictions) -> tuple[Kept, tuple[str, ...]]:
    asked = Rows.of(rows)
    cells, _ = read_cells(asked, None, None)
    return read_kept(asked, cells), cells.labels


def test_the_probabilities_of_two_labels() -> None:
    read, labels = kept(given(truth=["h", "s", "s"], predicted=["h", "h", "s"], score=[0.1, 0.4, 0.8]))
    found = posteriors(read, labels, ["s"])
    assert found.probabilities == pytest.approx(np.array([[0.9, 0.1], [0.6, 0.4], [0.2, 0.8]]))
    assert found.predicted.tolist() == [0, 0, 1]
    assert posteriors(read, labels, ["h"]).probabilities == pytest.approx(found.probabilities[:, ::-1])


def test_the_probabilities_of_several_labels_in_any_order_of_the_columns() -> None:
    scores = {"score_0": [0.2, 0.3], "score_1": [0.5, 0.1], "score_2": [0.3, 0.6]}
    read, labels = kept(given(truth=["a", "b"], predicted=["b", "c"], **scores))
    found = posteriors(read, labels, ["b", "c", "a"])
    assert found.probabilities == pytest.approx(np.array([[0.3, 0.2, 0.5], [0.6, 0.3, 0.1]]))
    assert found.predicted.tolist() == [1, 2]
    with pytest.raises(HoldfastError, match="Every label needs"):
        posteriors(read, labels, ["b", "c", "d"])


def test_a_missing_answer_has_no_probability() -> None:
    read, labels = kept(given("wrong", truth=["h", "s"], predicted=["h", None], score=[0.1, 0.4]))
    assert labels == ("h", "s", NO_ANSWER)
    found = posteriors(read, labels, ["s"])
    assert found.probabilities == pytest.approx(np.array([[0.9, 0.1, 0], [0.6, 0.4, 0]]))
    assert found.predicted.tolist() == [0, 2]
