"""Zaki & Meira's numbers read off contingency tables (22.1.1, 22.1.2, exercise Q2), each with its status."""

from __future__ import annotations

import numpy as np
import pytest
from tests.published.test_slides import status

import holdfast as hf
from holdfast.catalog import find_measure

IRIS = hf.Contingency(
    [[10, 0, 0], [0, 7, 5], [0, 3, 5]], ["setosa", "versicolor", "virginica"], rows="predicted"
)  # Table 22.1
COMPONENTS = hf.Contingency([[7, 7], [3, 13]], ["versicolor", "other"], rows="predicted")  # Table 22.3

PRINTED = [
    ("22.1", IRIS, "error-rate", None, "0.267"),
    ("22.1", IRIS, "accuracy", None, "0.733"),
    ("22.2", IRIS, "precision", "setosa", "1.0"),
    ("22.2", IRIS, "precision", "versicolor", "0.583"),
    ("22.2", IRIS, "precision", "virginica", "0.625"),
    ("22.2", IRIS, "recall", "setosa", "1.0"),
    ("22.2", IRIS, "recall", "versicolor", "0.7"),
    ("22.2", IRIS, "recall", "virginica", "0.5"),
    ("22.2", IRIS, "f1", "setosa", "1.0"),
    ("22.2", IRIS, "f1", "versicolor", "0.636"),
    ("22.2", IRIS, "f1", "virginica", "0.556"),
    ("22.2", IRIS, "macro-f1", None, "0.731"),
    ("22.3", COMPONENTS, "error-rate", None, "0.33"),
    ("22.3", COMPONENTS, "accuracy", None, "0.67"),
    ("22.3", COMPONENTS, "precision", "versicolor", "0.5"),
    ("22.3", COMPONENTS, "precision", "other", "0.8125"),
    ("22.3", COMPONENTS, "sensitivity", "versicolor", "0.7"),
    ("22.3", COMPONENTS, "specificity", "versicolor", "0.65"),
    ("22.3", COMPONENTS, "recall", "other", "0.65"),
    ("22.3", COMPONENTS, "fnr", "versicolor", "0.3"),
    ("22.3", COMPONENTS, "fpr", "versicolor", "0.35"),
]


def estimate(table: hf.Contingency, name: str, label: str | None) -> float:
    evidence = find_measure(name)(table)
    values = evidence.units(evidence.mean)
    return float(values if label is None else values[table.place(label)])


@pytest.mark.parametrize(("example", "table", "name", "label", "printed"), PRINTED)
def test_printed_numbers(example: str, table: hf.Contingency, name: str, label: str | None, printed: str) -> None:
    assert status(printed, estimate(table, name, label)).reproduced, example


def test_margins_of_the_tables() -> None:
    assert IRIS.predicted.tolist() == [10, 12, 8]
    assert IRIS.actual.tolist() == [10, 10, 10]
    assert (int(IRIS.n), int(IRIS.errors)) == (30, 8)
    assert (COMPONENTS.predicted.tolist(), COMPONENTS.actual.tolist()) == ([14, 16], [10, 20])


def test_exercise_2() -> None:
    """The full tree is the one split Z = A (it leaves no impurity), so A is class 1 and B is class 2."""
    training = [("A", 1), ("B", 2), ("A", 1), ("A", 1), ("B", 2), ("A", 1), ("B", 2), ("B", 2)]
    says = dict(training)
    assert all(says[z] == label for z, label in training)
    testing = [("A", 2), ("B", 1), ("A", 2), ("B", 2), ("B", 1)]
    report = hf.assess([label for _, label in testing], [says[z] for z, _ in testing])
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
