"""Zaki & Meira's numbers read off contingency tables (22.1.1, 22.1.2, exercise Q2), each with its status."""

from __future__ import annotations

import numpy as np
import pytest
from studies.checks import Check, Status
from studies.zaki_measures.exercises import tree
from studies.zaki_measures.printed import COMPONENTS, IRIS, TRAINING_Q2
from studies.zaki_measures.tables import rates

import holdfast as hf
from holdfast.catalog import find_measure


@pytest.mark.parametrize("check", [*rates()], ids=lambda check: f"{check.place}, {check.what}")
def test_printed_numbers(check: Check) -> None:
    assert check.status is Status.AGREES, check.found


def test_margins_of_the_tables() -> None:
    assert IRIS.predicted.tolist() == [10, 12, 8]
    assert IRIS.actual.tolist() == [10, 10, 10]
    assert (int(IRIS.n), int(IRIS.errors)) == (30, 8)
    assert (COMPONENTS.predicted.tolist(), COMPONENTS.actual.tolist()) == ([14, 16], [10, 20])


def test_exercise_2() -> None:
    """The full tree is the one split Z = A (it leaves no impurity), so A is class 1 and B is class 2."""
    assert all((z == "A") == (label == 1) for _, _, z, label in TRAINING_Q2)
    splits, report = tree()
    assert splits == ["Z = A"]
    assert report["accuracy"].estimate == 0.2
    assert (report["precision", 1].estimate, report["recall", 1].estimate) == (0.0, 0.0)
    assert (report["precision", 2].estimate, report["recall", 2].estimate) == (1 / 3, 1 / 3)


def test_the_precisions_weighted_by_their_predictions_make_the_accuracy() -> None:
    generator = np.random.default_rng(22)
    for size in (2, 3, 7):
        table = hf.Contingency(generator.integers(0, 50, (100, size, size)), rows="predicted")
        precision, accuracy = find_measure("precision")(table), find_measure("accuracy")(table)
        together = np.sum(table.predicted / table.n[:, None] * precision.mean, axis=-1)
        np.testing.assert_allclose(together, accuracy.mean, rtol=1e-14)
