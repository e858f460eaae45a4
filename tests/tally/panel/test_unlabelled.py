"""Predictions on inputs without labels: laid out in the panel's order and labels, from arrays, frames and files."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from holdfast.errors import HoldfastError, InvalidEvidence
from holdfast.evidence import NO_ANSWER
from holdfast.evidence.pools.panel import Panel, Unlabelled
from holdfast.sources.models.models import read_unlabelled
from holdfast.tally.panel.panel import panel_of_arrays
from holdfast.tally.panel.unlabelled import unlabelled_of_arrays
from tests.needs import module


@pytest.fixture
def panel() -> Panel:
    return panel_of_arrays(["x", "y", "x"], {"a": ["x", "y", "y"], "b": ["y", "y", "x"]})


def test_models_are_found_by_name_in_any_order(panel: Panel) -> None:
    found = unlabelled_of_arrays(panel, {"b": ["y", "x"], "other": ["?", "?"], "a": ["x", "x"]})
    assert found.models == ("a", "b")
    assert found.predicted.tolist() == [[0, 0], [1, 0]]
    assert found.labels == ("x", "y")
    assert found.n == 2


def test_a_table_has_the_models_in_the_order_of_the_panel(panel: Panel) -> None:
    found = unlabelled_of_arrays(panel, np.array([["x", "y", "y"], ["y", "y", "y"]]), target=["y", "y", "x"])
    assert found.predicted.tolist() == [[0, 1, 1], [1, 1, 1]]
    assert found.target is not None
    assert found.target.tolist() == [1, 1, 0]


def test_labels_that_only_stand_here_are_put_behind_and_told(panel: Panel) -> None:
    found = unlabelled_of_arrays(panel, {"a": ["x", "w"], "b": ["v", "y"]})
    assert found.labels == ("x", "y", "v", "w")
    assert found.predicted.tolist() == [[0, 3], [2, 1]]
    assert "'v'" in found.notes[0] or "v, w" in found.notes[0]


def test_true_and_false_are_one_and_zero_where_the_panel_has_numbers() -> None:
    numbers = panel_of_arrays([0, 1, 1], {"a": [0, 1, 0], "b": [0, 0, 1]})
    found = unlabelled_of_arrays(numbers, {"a": [True, False], "b": [1, 0]})
    assert found.labels == ("0", "1")
    assert found.predicted.tolist() == [[1, 0], [1, 0]]


def test_the_fingerprint_knows_the_answers_and_not_the_order_of_the_inputs(panel: Panel) -> None:
    one = unlabelled_of_arrays(panel, {"a": ["x", "y", "y"], "b": ["y", "y", "x"]})
    turned = unlabelled_of_arrays(panel, {"a": ["y", "x", "y"], "b": ["x", "y", "y"]})
    other = unlabelled_of_arrays(panel, {"a": ["y", "y", "x"], "b": ["y", "x", "y"]})
    swapped = unlabelled_of_arrays(panel, {"b": ["x", "y", "y"], "a": ["y", "y", "x"]})
    assert one.fingerprint == turned.fingerprint
    assert len({one.fingerprint, other.fingerprint}) == 1  # the same three pairs of answers
    assert one.fingerprint != swapped.fingerprint or one.predicted.tolist() != swapped.predicted.tolist()
    assert len(one.fingerprint) == 64


def test_who_said_what_changes_the_fingerprint(panel: Panel) -> None:
    one = unlabelled_of_arrays(panel, {"a": ["x", "x"], "b": ["y", "x"]})
    other = unlabelled_of_arrays(panel, {"a": ["y", "x"], "b": ["x", "x"]})
    assert one.fingerprint != other.fingerprint


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"a": ["x"]}, "no predictions of the model 'b'"),
        ({"a": ["x"], "b": ["x", "y"]}, "b"),
        (np.zeros((3, 4)), "a row for each of the 2 models"),
        ({"a": ["p"], "b": ["q"]}, "Do both write them alike"),
        ({"a": [], "b": []}, "nothing to speak about"),
        ({"a": ["x", None], "b": ["x", "y"]}, 'missing="drop"'),
    ],
)
def test_what_is_wrong_is_said(panel: Panel, given: object, said: str) -> None:
    with pytest.raises(HoldfastError, match=said):
        unlabelled_of_arrays(panel, given)


def test_a_missing_answer_is_dropped_or_wrong_whatever_the_label(panel: Panel) -> None:
    given = {"a": ["x", None, "y"], "b": ["x", "y", "y"]}
    left = unlabelled_of_arrays(panel, given, missing="drop")
    assert left.predicted.tolist() == [[0, 1], [0, 1]]
    assert "1 of 3 unlabelled inputs lacks an answer" in left.notes[0]
    wrong = unlabelled_of_arrays(panel, given, missing="wrong")
    assert wrong.labels == ("x", "y", NO_ANSWER)
    assert wrong.predicted.tolist() == [[0, 2, 1], [0, 1, 1]]


def test_answers_known_as_right_or_wrong_have_no_unlabelled_inputs() -> None:
    passes = panel_of_arrays(correct={"a": [True, False], "b": [True, True]})
    with pytest.raises(InvalidEvidence, match="only known as right or wrong"):
        unlabelled_of_arrays(passes, {"a": [1], "b": [0]})


def test_a_file_and_a_frame_give_the_same(panel: Panel, tmp_path: Path) -> None:
    frame = pl.DataFrame({"id": [1, 2], "b": ["y", "x"], "a": ["x", "x"], "vote": ["y", "x"]})
    frame.write_csv(tmp_path / "new.csv")
    frame.write_parquet(tmp_path / "new.parquet")
    found = [
        read_unlabelled(source, panel, target="vote")
        for source in (str(tmp_path / "new.csv"), tmp_path / "new.parquet", frame)
    ]
    for each in found:
        assert each.predicted.tolist() == [[0, 0], [1, 0]]
        assert each.target is not None
        assert each.target.tolist() == [1, 0]
        assert each.fingerprint == found[0].fingerprint
    with pytest.raises(HoldfastError, match=r"no column of the model 'a'.* It has id, b, vote"):
        read_unlabelled(frame.drop("a"), panel)


def test_a_frame_of_pandas_gives_the_same(panel: Panel) -> None:
    columns = {"b": ["y", "x"], "a": ["x", "x"]}
    frames = pl.DataFrame(columns), module("pandas").DataFrame(columns)
    first, second = (read_unlabelled(frame, panel) for frame in frames)
    assert first.predicted.tolist() == second.predicted.tolist()
    assert first.fingerprint == second.fingerprint


def test_a_model_may_be_the_target(panel: Panel) -> None:
    frame = pl.DataFrame({"b": ["y", "x"], "a": ["x", "x"]})
    found = read_unlabelled(frame, panel, target="a")
    assert found.target is not None
    assert found.target.tolist() == found.predicted[0].tolist()


def test_shapes_are_checked() -> None:
    with pytest.raises(InvalidEvidence, match="a row of predictions for each"):
        Unlabelled(("a", "b"), ("x",), np.zeros((3, 2), int))
    with pytest.raises(InvalidEvidence, match="no unlabelled inputs"):
        Unlabelled(("a", "b"), ("x",), np.zeros((2, 0), int))
    with pytest.raises(InvalidEvidence, match="one prediction for each"):
        Unlabelled(("a", "b"), ("x",), np.zeros((2, 4), int), np.zeros(3, int))


@pytest.mark.parametrize("kind", ["polars", "lazy", "pandas"])
def test_a_frame_is_taken_by_its_columns_even_where_it_is_square(panel: Panel, kind: str) -> None:
    """As a table of models by inputs it would say something else, and nobody would notice."""
    columns = {"b": ["y", "x"], "a": ["x", "x"]}
    made = {"polars": pl.DataFrame, "lazy": pl.LazyFrame}
    given = (made[kind] if kind in made else module("pandas").DataFrame)(columns)
    assert unlabelled_of_arrays(panel, given).predicted.tolist() == [[0, 0], [1, 0]]


def test_the_name_of_a_file_is_no_prediction(panel: Panel) -> None:
    with pytest.raises(InvalidEvidence, match="read it with hf"):
        unlabelled_of_arrays(panel, "new.csv")
    with pytest.raises(InvalidEvidence, match="There are no rows in the unlabelled inputs"):
        unlabelled_of_arrays(panel, {"a": [], "b": []})
