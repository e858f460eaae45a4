"""Predictions at a threshold that was fixed beforehand, on whatever engine holds the rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from holdfast.errors import HoldfastError, InvalidEvidence
from holdfast.predictions import Predictions
from holdfast.sources import read
from holdfast.tally import tally
from holdfast.tally.operating import REST, at_operating_point
from tests.sources.test_frames import LIBRARIES, made

TRUTH, SCORE = [0, 0, 1, 1, 0, 1], [0.1, 0.3, 0.3, 0.9, 0.7, 0.2]


def table(rows: Predictions, point: float = 0.3, **asked: Any) -> list[list[int]]:
    operated = at_operating_point(rows, point, **asked)
    counted = tally(operated.predictions, positive=operated.positive, labels=operated.labels).table
    assert counted is not None
    return counted.table.tolist()  # type: ignore[no-any-return]


def test_the_positive_label_is_predicted_from_the_threshold_on() -> None:
    rows = Predictions.from_arrays(TRUTH, score=SCORE)
    assert table(rows) == [[1, 1], [2, 2]]
    assert table(rows, np.nextafter(0.3, 1)) == [[2, 2], [1, 1]]
    assert table(rows, positive=0) == [[2, 2], [1, 1]]


@pytest.mark.parametrize("library", LIBRARIES)
def test_every_engine_predicts_alike(library: str) -> None:
    frame = pl.DataFrame({"truth": [*TRUTH, 1], "predicted": [0, 0, 0, 1, 0, 1, 1], "score": [*SCORE, None]})
    operated = at_operating_point(read(made(library, frame), missing="drop"), 0.3)
    counted = tally(operated.predictions, positive="1")
    assert counted.table is not None
    assert (counted.table.table.tolist(), counted.missing, counted.dropped) == ([[1, 1], [2, 2]], {"score": 1}, 1)
    assert operated.differing == 4
    assert "otherwise in 4 of 6 rows" in counted.notes[0]


def test_predictions_that_follow_the_rule_do_not_differ() -> None:
    for predicted in ([score >= 0.3 for score in SCORE], [int(score >= 0.3) for score in SCORE]):
        operated = at_operating_point(Predictions.from_arrays(TRUTH, predicted, SCORE), 0.3)
        assert operated.differing == 0
        assert "otherwise" not in operated.predictions.notes[-1]
    assert at_operating_point(Predictions.from_arrays(TRUTH, score=SCORE), 0.3).differing is None


def test_a_row_without_a_score_has_no_prediction() -> None:
    for gap in (None, float("nan")):
        scores = [*SCORE[:5], gap]
        with pytest.raises(InvalidEvidence, match=r"1 without score \(row 6,"):
            table(Predictions.from_arrays(TRUTH, score=scores))
        assert table(Predictions.from_arrays(TRUTH, score=scores, missing="drop")) == [[1, 0], [2, 2]]
        wrong = Predictions.from_arrays(TRUTH, score=scores, missing="wrong")
        assert table(wrong) == [[1, 0, 0], [2, 2, 0], [0, 1, 0]]


def test_several_others_become_one() -> None:
    rows = Predictions.from_arrays(list("abcabc"), list("aaaaaa"), SCORE)
    operated = at_operating_point(rows, 0.3, positive="c")
    counted = tally(operated.predictions, positive="c")
    assert counted.table is not None
    assert counted.table.labels == (REST, "c")
    assert counted.table.table.tolist() == [[1, 1], [3, 1]]
    assert [*counted.scores] == ["c"]
    assert "2 other labels" in counted.notes[0]
    probabilities = np.array([[0.2, 0.3, 0.5], [0.1, 0.8, 0.1], [0.6, 0.2, 0.2]] * 2)
    several = Predictions.from_arrays(list("abcabc"), score=probabilities)
    assert table(several, 0.2, positive="c") == [[2, 0], [2, 2]]
    assert [*tally(at_operating_point(several, 0.2, "c").predictions, positive="c").scores] == ["c"]


def test_two_labels_keep_both_their_scores() -> None:
    pairs = np.array([[1 - score, score] for score in SCORE])
    operated = at_operating_point(Predictions.from_arrays(TRUTH, score=pairs), 0.3)
    assert [*tally(operated.predictions, positive="1").scores] == ["0", "1"]


def test_one_label_alone() -> None:
    assert table(Predictions.from_arrays([1, 1], score=[0.2, 0.4])) == [[0, 1], [0, 1]]
    assert table(Predictions.from_arrays([0, 0], score=[0.2, 0.4])) == [[1, 0], [1, 0]]
    assert table(Predictions.from_arrays(["a", "a"], score=[0.2, 0.4]), positive="a") == [[0, 1], [0, 1]]
    declared = Predictions.from_arrays(["a", "a"], score=[0.2, 0.4])
    assert table(declared, positive="a", labels=["a", "b"]) == [[1, 0], [1, 0]]


def test_refusals() -> None:
    rows = Predictions.from_arrays(["x", "y"], score=[0.1, 0.2])
    with pytest.raises(HoldfastError, match=r"say by positive= which of x, y it is"):
        at_operating_point(rows, 0.3)
    for bare in (Predictions.from_arrays(["x"], ["y"]), Predictions.from_arrays(correct=[True])):
        with pytest.raises(HoldfastError, match="give the true labels and a column of scores"):
            at_operating_point(bare, 0.3)
    with pytest.raises(HoldfastError, match="rename it"):
        at_operating_point(Predictions.from_arrays([REST, "y"], score=[0.1, 0.2]), 0.3, positive="y")
