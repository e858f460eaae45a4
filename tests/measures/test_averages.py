"""Averages over the classes, held to scikit-learn's wherever both are defined."""

from __future__ import annotations

import doctest
import inspect
import sys
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from sklearn import metrics

from holdfast.catalog import Measure, find, find_measure, measures
from holdfast.evidence import (
    NO_ANSWER,
    Array,
    Contingency,
    Counts,
    MonotoneInRecalls,
    Overlap,
    Proportions,
    SmoothStatistic,
    Strata,
    TableStatistic,
)

TABLES = st.integers(2, 6).flatmap(lambda size: arrays(np.int64, (size, size), elements=st.integers(0, 12)))
WHOLE = ("balanced-accuracy", "macro-precision", "macro-f1", "weighted-precision", "weighted-recall", "weighted-f1")


def value(name: str, table: Contingency) -> Array:
    evidence = find_measure(name)(table)
    return np.where(evidence.known, evidence.units(evidence.mean), np.nan)


def rows_of(table: Array) -> tuple[Array, Array]:
    """Actual and predicted label of each example of a table whose rows are predicted."""
    predicted, actual = np.nonzero(np.ones_like(table))
    return np.repeat(actual, table.ravel()), np.repeat(predicted, table.ravel())


def scikit_learn(table: Array) -> dict[str, float]:
    actual, predicted = rows_of(table)
    labels = np.arange(len(table))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        averages = {
            (kind, name): function(actual, predicted, labels=labels, average=kind, zero_division=np.nan)
            for kind in ("macro", "weighted")
            for name, function in (
                ("precision", metrics.precision_score),
                ("recall", metrics.recall_score),
                ("f1", metrics.f1_score),
            )
        }
        return {
            "balanced-accuracy": metrics.balanced_accuracy_score(actual, predicted),
            "accuracy": metrics.accuracy_score(actual, predicted),
            "mcc": metrics.matthews_corrcoef(actual, predicted),
            "kappa": metrics.cohen_kappa_score(actual, predicted, labels=labels),
            **{f"{kind}-{name}": found for (kind, name), found in averages.items() if kind + name != "macrorecall"},
        }


@settings(max_examples=40)
@given(TABLES)
def test_every_estimate_is_scikit_learns(table: Array) -> None:
    if not table.sum():
        return
    ours = Contingency(table, rows="predicted")
    for name, theirs in scikit_learn(table).items():
        found = value(name, ours)
        if np.isnan(found):
            assert_undefined(name, ours)
        else:
            assert found == pytest.approx(theirs, abs=1e-12), name


def assert_undefined(name: str, table: Contingency) -> None:
    """Where we say unknown there is a share of nothing."""
    no_prediction, no_truth = table.predicted == 0, table.actual == 0
    one_class = (table.actual > 0).sum() == 1, (table.predicted > 0).sum() == 1
    assert {
        "balanced-accuracy": no_truth.any(),
        "macro-precision": no_prediction.any(),
        "macro-f1": (no_prediction & no_truth).any(),
        "weighted-precision": (no_prediction & ~no_truth).any(),
        "mcc": any(one_class),
        "kappa": all(one_class),
    }[name]


def test_what_scikit_learn_calls_zero_is_unknown() -> None:
    """The second class occurs and is never predicted."""
    table = Contingency([[6, 4], [0, 0]], rows="predicted")
    assert not find_measure("weighted-precision")(table).known
    assert not find_measure("macro-precision")(table).known
    assert not find_measure("mcc")(table).known
    assert value("weighted-f1", table) == pytest.approx(0.6 * 0.75)


def test_balanced_accuracy_is_about_the_classes_declared_or_else_about_those_that_occur() -> None:
    declared = Contingency([[6, 1, 0], [1, 3, 0], [1, 0, 0]], rows="predicted")
    rows, columns, times = declared.cells
    found = Contingency.of_cells(declared.labels, rows, columns, times)
    assert value("balanced-accuracy", found) == pytest.approx((6 / 8 + 3 / 4) / 2)
    assert np.isnan(value("balanced-accuracy", declared))
    fisher = find("fisher")
    about_all, about_two = (fisher(find_measure("balanced-accuracy")(table)) for table in (declared, found))
    assert about_all.upper - about_all.lower > 1 / 3
    assert about_all.lower < about_two.lower * 2 / 3 + 1e-9


def test_no_answer_is_no_class() -> None:
    labels = ["cat", "dog", NO_ANSWER]
    table = Contingency([[6, 1, 0], [1, 3, 0], [1, 2, 0]], labels, rows="predicted")
    assert value("balanced-accuracy", table) == pytest.approx((6 / 8 + 3 / 6) / 2)
    assert value("macro-precision", table) == pytest.approx((6 / 7 + 3 / 4) / 2)
    assert value("macro-f1", table) == pytest.approx((12 / 15 + 6 / 10) / 2)
    assert value("weighted-recall", table) == pytest.approx(9 / 14)
    assert value("weighted-f1", table) == pytest.approx((8 * 12 / 15 + 6 * 6 / 10) / 14)


@pytest.mark.parametrize("name", [*WHOLE, "mcc", "kappa"])
def test_a_stack_of_tables_gives_what_each_gives(name: str) -> None:
    rng = np.random.default_rng(3)
    for size in (2, 4):
        tables = rng.integers(0, 4, (40, size, size)) * rng.integers(0, 2, (40, size, size))
        tables[0] = 0
        stacked = value(name, Contingency(tables, rows="predicted"))
        alone = [value(name, Contingency(table, rows="predicted")) for table in tables]
        np.testing.assert_array_equal(stacked, np.array(alone))
        assert np.isnan(stacked[0])


def test_each_kind_of_evidence() -> None:
    two, three = Contingency([[3, 1], [1, 4]], rows="predicted"), Contingency(np.eye(3, dtype=int), rows="predicted")
    kinds = {name: type(find_measure(name)(two)) for name in (*WHOLE, "mcc", "kappa")}
    assert kinds == {
        "balanced-accuracy": Strata,
        "macro-precision": Strata,
        "macro-f1": Proportions,
        "weighted-precision": SmoothStatistic,
        "weighted-recall": Counts,
        "weighted-f1": SmoothStatistic,
        "mcc": MonotoneInRecalls,
        "kappa": MonotoneInRecalls,
    }
    assert isinstance(find_measure("macro-f1")(two).parts, Overlap)
    assert {type(find_measure(name)(three)) for name in ("mcc", "kappa")} == {TableStatistic}


def test_an_error_counts_once_among_the_examples() -> None:
    assert find_measure("macro-f1")(Contingency([[3, 1], [1, 4]], rows="predicted")).n == 9


@pytest.mark.parametrize("measure", [m for m in measures() if ">>>" in (m.__doc__ or "")], ids=lambda m: m.name)
def test_every_measures_examples_run(measure: Measure) -> None:
    names = vars(sys.modules[measure.narrow.__module__])
    text = inspect.getdoc(measure.narrow) or ""
    example = doctest.DocTestParser().get_doctest(text, dict(names), measure.name, None, None)
    report: list[str] = []
    doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS).run(example, out=report.append)
    assert not report, "".join(report)
