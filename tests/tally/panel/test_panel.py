"""Several models from arrays: labels of one spelling, answers that are missing, and a fingerprint without order."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from holdfast.evidence import NO_ANSWER
from holdfast.evidence.pools.panel import Panel
from holdfast.predictions.design import Design
from holdfast.tally.panel.panel import panel_of_arrays
from tests.snapshots import matches, messages

TRUTH = ["x", "y", "y", "x"]
SAID = {"a": ["x", "x", "y", "x"], "b": ["y", "y", "y", "z"]}


def test_answers_beside_the_truth() -> None:
    panel = panel_of_arrays(TRUTH, SAID)
    assert panel.models == ("a", "b")
    assert panel.labels == ("x", "y", "z")
    assert panel.truth is not None
    assert panel.predicted is not None
    assert [panel.labels[place] for place in panel.truth] == TRUTH
    assert [[panel.labels[place] for place in row] for row in panel.predicted] == [*SAID.values()]
    assert panel.wrong.tolist() == [[False, True, False, False], [True, False, False, True]]
    assert panel.wrong.dtype == np.bool_
    assert (panel.rows, panel.dropped, panel.missing, panel.notes) == (4, 0, {}, ())


@pytest.mark.parametrize(
    "made",
    [list, np.array, pl.Series, lambda values: pl.Series(values, dtype=pl.Categorical)],
    ids=["list", "array", "series", "categorical"],
)
def test_columns_of_any_kind(made: Any) -> None:
    panel = panel_of_arrays(made(TRUTH), {name: made(values) for name, values in SAID.items()})
    assert panel.fingerprint == panel_of_arrays(TRUTH, SAID).fingerprint


def test_numbers_and_true_or_false() -> None:
    panel = panel_of_arrays([0, 1, 1], {"a": [True, True, False], "b": np.array([0.0, 1.0, 0.0])})
    assert panel.labels == ("0", "1")
    assert panel.wrong.tolist() == [[True, False, True], [False, False, True]]
    assert panel.positive == "1"


def test_right_or_wrong() -> None:
    panel = panel_of_arrays(correct={"a": [1, 0], "b": ["yes", "fail"], "c": [True, True]})
    assert panel.wrong.tolist() == [[False, True], [False, True], [False, False]]
    assert (panel.truth, panel.predicted, panel.labels) == (None, None, ())


def test_scores_and_clusters() -> None:
    scores = {"b": [0.1, 0.2, 0.3, 0.4], "a": [1, 2, 3, 4]}  # found by name, not by order
    panel = panel_of_arrays(TRUTH, SAID, scores, design=Design(clusters=["p", "q", "p", "r"]), positive="y")
    assert panel.scores is not None
    assert panel.scores.tolist() == [[1, 2, 3, 4], [0.1, 0.2, 0.3, 0.4]]
    assert panel.positive == "y"
    assert panel.clusters is not None
    assert panel.clusters.tolist() == [0, 1, 0, 2]


GAPS = {"a": ["x", None, "y", "x"], "b": ["y", None, None, "x"]}


def test_items_without_an_answer_are_left_out() -> None:
    panel = panel_of_arrays(TRUTH, GAPS, design=Design(clusters=[5, 5, 6, 7]), missing="drop")
    assert panel.wrong.tolist() == [[False, False], [True, False]]
    assert (panel.rows, panel.dropped, panel.missing) == (4, 2, {"answer": 3})
    assert panel.clusters is not None
    assert panel.clusters.tolist() == [0, 1]
    assert panel.notes == ("Left out: 2 of 4 items; 2 lack an answer ('b' 2, 'a' 1; e.g. rows 2, 3).",)


def test_missing_answers_count_as_errors() -> None:
    panel = panel_of_arrays(TRUTH, GAPS, missing="wrong")
    assert panel.labels == ("x", "y", NO_ANSWER)
    assert panel.wrong.tolist() == [[False, True, False, False], [True, True, True, False]]
    assert panel.table(1).predicted.tolist() == [1, 1, 2]
    assert (panel.dropped, panel.missing) == (0, {"answer": 3})
    assert panel.notes[0].startswith("Counted as errors, 3 in all: of 4 items, 2 lack an answer")
    passes = panel_of_arrays(correct={"a": [1, None], "b": [None, 1]}, missing="wrong")
    assert passes.wrong.tolist() == [[False, True], [True, False]]


def test_as_many_labels_as_a_small_number_can_tell() -> None:
    for size in (126, 127, 128, 129):
        truth = list(range(size))
        panel = panel_of_arrays(truth, {"a": truth, "b": [None, *truth[:-1]]}, missing="wrong")
        assert panel.errors.k.tolist() == [0, size]
        assert len(panel.labels) == size + 1


def same(one: Panel, other: Panel) -> bool:
    return one.fingerprint == other.fingerprint


def test_the_fingerprint_has_no_order() -> None:
    random = np.random.default_rng(2)
    truth, order = random.integers(0, 3, 200), random.permutation(200)
    said = {name: random.integers(0, 3, 200) for name in "abc"}
    score = {name: random.random(200) for name in "abc"}
    parts = random.integers(0, 40, 200)
    here = panel_of_arrays(truth, said, score, design=Design(clusters=parts), positive=1)
    shuffled = panel_of_arrays(
        truth[order],
        {name: said[name][order] for name in "cab"},
        {name: score[name][order] for name in "bca"},
        design=Design(clusters=100 - parts[order]),
        positive=1,
        labels=[2, 1, 0, 7],
    )
    assert same(here, shuffled)
    assert len(here.fingerprint) == 64


def test_the_fingerprint_sees_every_change() -> None:
    truth, said, score = [0, 1, 1, 0], {"a": [0, 1, 0, 0], "b": [1, 1, 1, 0]}, {"a": [0.1] * 4, "b": [0.2] * 4}
    found = {
        "as it is": panel_of_arrays(truth, said),
        "truth": panel_of_arrays([0, 1, 1, 1], said),
        "answer": panel_of_arrays(truth, {**said, "a": [0, 1, 0, 1]}),
        "models changed places": panel_of_arrays(truth, {"a": said["b"], "b": said["a"]}),
        "name": panel_of_arrays(truth, {"a": said["a"], "c": said["b"]}),
        "answers moved within a model": panel_of_arrays(truth, {**said, "a": [0, 0, 1, 0]}),
        "scores": panel_of_arrays(truth, said, score),
        "other scores": panel_of_arrays(truth, said, {**score, "a": [0.1, 0.1, 0.1, 0.3]}),
        "clusters": panel_of_arrays(truth, said, design=Design(clusters=[1, 1, 2, 2])),
        "other clusters": panel_of_arrays(truth, said, design=Design(clusters=[1, 2, 2, 1])),
        "right or wrong": panel_of_arrays(correct={"a": [1, 1, 0, 1], "b": [0, 1, 1, 1]}),
    }
    assert len({panel.fingerprint for panel in found.values()}) == len(found) - 1
    assert same(found["as it is"], found["answers moved within a model"])  # the same items in another order


LONG = "x" * 300


def test_refusals() -> None:
    names = {f"{LONG}{i}": [None, None, None, None] for i in range(6)}
    calls = {
        "nothing": lambda: panel_of_arrays(),
        "truth alone": lambda: panel_of_arrays(TRUTH),
        "both": lambda: panel_of_arrays(TRUTH, SAID, correct={"a": [1], "b": [0]}),
        "no names": lambda: panel_of_arrays(TRUTH, [["x"], ["y"]]),  # type: ignore[arg-type]
        "one model": lambda: panel_of_arrays(TRUTH, {"a": SAID["a"]}),
        "no models": lambda: panel_of_arrays(TRUTH, {}),
        "no models, right or wrong": lambda: panel_of_arrays(correct={}),
        "another length": lambda: panel_of_arrays(TRUTH, {**SAID, "c": ["x"]}),
        "no items": lambda: panel_of_arrays([], {"a": [], "b": []}),
        "missing": lambda: panel_of_arrays(TRUTH, GAPS),
        "missing truth": lambda: panel_of_arrays(["x", None, "y", "x"], SAID),
        "missing truth, counted as wrong": lambda: panel_of_arrays(["x", None, "y", "x"], GAPS, missing="wrong"),
        "missing, and nothing left": lambda: panel_of_arrays(TRUTH, {"a": [None] * 4, "b": TRUTH}, missing="drop"),
        "missing in models with long names": lambda: panel_of_arrays(TRUTH, names),
        "missing score": lambda: panel_of_arrays(TRUTH, SAID, {"a": [1, 2, 3, None], "b": [1, 2, 3, 4]}, positive="x"),
        "missing cluster": lambda: panel_of_arrays(TRUTH, SAID, design=Design(clusters=[1, None, 2, 3])),
        "scores of another model": lambda: panel_of_arrays(TRUTH, SAID, {"a": [1] * 4, "c": [1] * 4}),
        "scores of right or wrong": lambda: panel_of_arrays(None, None, {"a": [1]}, correct={"a": [1], "b": [1]}),
        "scores of what": lambda: panel_of_arrays(TRUTH, SAID, {"a": [1] * 4, "b": [1] * 4}),
        "scores that are words": lambda: panel_of_arrays(TRUTH, SAID, {"a": ["p"] * 4, "b": [1] * 4}, positive="x"),
        "numbers beside text": lambda: panel_of_arrays([0, 1], {"a": [0, 1], "b": ["0", "1"]}),
        "written differently": lambda: panel_of_arrays(["ham", "spam"], {"a": ["ham", "spam"], "b": ["Ham", "spam"]}),
        "neither right nor wrong": lambda: panel_of_arrays(correct={"a": [1, 0], "b": [1, 2]}),
        "no answer in truth": lambda: panel_of_arrays([NO_ANSWER, "x"], {"a": ["x", "x"], "b": ["x", "x"]}),
        "a label not listed": lambda: panel_of_arrays(TRUTH, SAID, labels=["x", "y"]),
        "unknown way": lambda: panel_of_arrays(TRUTH, SAID, missing="ignore"),  # type: ignore[arg-type]
    }
    told = messages(calls)
    matches("panel_of_arrays_refusals", told)
    assert all(len(line) <= 600 for line in told.splitlines())
