"""Joint tables of two models: whatever is read off them agrees with the rows, and swapping turns every sign."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.bounds.bootstrap import bca, percentile
from holdfast.bounds.jackknife import jackknife
from holdfast.catalog import find_measure
from holdfast.evidence import NO_ANSWER, Contingency
from holdfast.evidence.pairs.paired_table import Joint, JointTable

MEASURES = ["precision", "f1", "npv", "balanced-accuracy", "macro-f1", "weighted-precision", "mcc", "kappa"]


def answers(n: int = 60, labels: int = 3, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, labels, n)
    first = np.where(rng.random(n) < 0.8, truth, rng.integers(0, labels, n))
    return truth, first, np.where(rng.random(n) < 0.6, first, rng.integers(0, labels, n))


def names(labels: int) -> list[str]:
    return [f"label {i}" for i in range(labels)]


def read(name: str, rows: tuple[np.ndarray, ...], clusters: np.ndarray | None = None, labels: int = 3) -> Joint:
    measure = find_measure(name)
    return Joint.read(measure, JointTable.of(names(labels), *rows, clusters), [1] if measure.per_class else None)[0]


def by_hand(name: str, truth: np.ndarray, first: np.ndarray, second: np.ndarray, labels: int = 3) -> float:
    """The measure of the first minus that of the second, from a table of the rows of each."""
    measure, found = find_measure(name), []
    for said in (first, second):
        table = np.zeros((labels, labels), np.int64)
        np.add.at(table, (said, truth), 1)
        narrowed = measure(
            Contingency.of_cells(names(labels), *np.indices((labels, labels)).reshape(2, -1), table.reshape(-1))
        )
        value = np.where(narrowed.known, narrowed.units(narrowed.mean), np.nan)
        found.append(float(value[1] if measure.per_class else value))
    return found[0] - found[1]


@pytest.mark.parametrize("name", MEASURES)
def test_the_estimate_is_the_difference_of_the_measure(name: str) -> None:
    found = read(name, answers())
    assert float(found.estimate) == pytest.approx(by_hand(name, *answers()), abs=1e-15)
    assert float(found.units(found.mean)) == pytest.approx(float(found.estimate), abs=1e-15)
    low, high = find_measure(name).range
    assert (float(found.units(np.asarray(0.0))), float(found.units(np.asarray(1.0)))) == (low - high, high - low)
    assert int(found.n) == 60


@pytest.mark.parametrize("name", MEASURES)
def test_leaving_out_draws_is_leaving_out_rows(name: str) -> None:
    rows = answers()
    values, times = read(name, rows).left_out()
    low, high = find_measure(name).range
    gaps = np.repeat((2 * values - 1) * (high - low), times)
    wanted = [by_hand(name, *(np.delete(each, i) for each in rows)) for i in range(60)]
    assert np.sort(gaps) == pytest.approx(np.sort(wanted), abs=1e-13)


@pytest.mark.parametrize("name", MEASURES)
def test_leaving_out_clusters_is_leaving_out_their_rows(name: str) -> None:
    rows, clusters = answers(), np.random.default_rng(4).integers(0, 9, 60) * 3  # not all numbers are clusters
    found = read(name, rows, clusters)
    values, times = found.left_out()
    present = np.unique(clusters)
    assert (int(found.n), times.tolist()) == (present.size, [1] * present.size)
    low, high = find_measure(name).range
    wanted = [by_hand(name, *(each[clusters != one] for each in rows)) for one in present]
    assert (2 * values - 1) * (high - low) == pytest.approx(np.array(wanted), abs=1e-13)
    assert float(found.estimate) == pytest.approx(by_hand(name, *rows), abs=1e-15)


@pytest.mark.parametrize("clustered", [False, True])
def test_the_jackknife_error_is_near_the_spread_of_resamples(clustered: bool) -> None:
    rows = answers(2000, seed=5)
    clusters = np.arange(2000) // 4 if clustered else None
    found = read("macro-f1", rows, clusters)
    spread = float(np.std(found.draws(np.random.default_rng(1), 10_000)))
    assert found.standard_error == pytest.approx(spread, rel=0.06)


def test_the_error_heeds_clusters_and_pairs() -> None:
    """Rows that come in threes, all alike, say a third; models that err together differ less than their errors vary."""
    rows = answers(200, seed=6)
    thrice = tuple(np.repeat(each, 3) for each in rows)
    alone = read("macro-f1", rows).standard_error
    by_threes = read("macro-f1", thrice, np.repeat(np.arange(200), 3)).standard_error
    assert by_threes == pytest.approx(alone, rel=1e-10)
    assert read("macro-f1", thrice).standard_error < 0.65 * alone


@pytest.mark.parametrize("bound", [jackknife, bca, percentile], ids=lambda bound: bound.name)
@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("name", ["precision", "mcc"])
def test_swapped_models_have_mirrored_limits_to_the_last_bit(bound: object, clustered: bool, name: str) -> None:
    for seed in range(5):
        truth, first, second = answers(100, seed=seed)
        clusters = np.arange(100) // 3 if clustered else None
        here = bound(read(name, (truth, first, second), clusters), 0.1)  # type: ignore[operator]
        there = bound(read(name, (truth, second, first), clusters), 0.1)  # type: ignore[operator]
        mirrored = bound(read(name, (truth, first, second), clusters).mirror(), 0.1)  # type: ignore[operator]
        assert (here.estimate, here.lower, here.upper) == (-there.estimate, -there.upper, -there.lower)
        assert (there.estimate, there.lower, there.upper) == (mirrored.estimate, mirrored.lower, mirrored.upper)
        assert here.lower < here.estimate < here.upper


def test_the_order_of_the_rows_leaves_no_trace() -> None:
    rows, order = answers(100), np.random.default_rng(8).permutation(100)
    here, there = (jackknife(read("f1", r)) for r in (rows, tuple(each[order] for each in rows)))
    assert (here.lower, here.upper) == (there.lower, there.upper)


def test_equal_models_and_no_examples_say_nothing() -> None:
    truth, first, _ = answers()
    for rows, estimate in (((truth, first, first), 0.0), ((truth[:0],) * 3, None), ((truth[:1],) * 3, None)):
        found = read("kappa", rows)
        for bound in (jackknife, bca):
            claim = bound(found)
            assert (claim.estimate, claim.lower, claim.upper) == (estimate, -2.0, 2.0)


def test_what_is_undefined_for_one_model_is_for_the_difference() -> None:
    truth, first, second = answers()
    never = np.where(second == 1, 0, second)
    claim = jackknife(read("precision", (truth, first, never)))
    assert (claim.estimate, claim.lower, claim.upper) == (None, -1.0, 1.0)


def test_a_class_that_one_example_holds_leaves_the_limits_open() -> None:
    """Without that example the mean of the recalls has one class less: no error can be estimated."""
    truth, first, second = answers()
    truth = np.where(np.arange(60) == 7, 2, np.minimum(truth, 1))
    claim = jackknife(read("balanced-accuracy", (truth, first, second)))
    assert claim.estimate is not None
    assert (claim.lower, claim.upper) == (-1.0, 1.0)


def test_many_labels_are_counted_without_a_cube() -> None:
    labels = 3000
    rows = answers(400, labels, seed=2)
    found = read("weighted-f1", rows, labels=labels)
    assert float(found.estimate) > 0
    assert found.left_out()[1].sum() == 400


def test_missing_answers_are_no_class() -> None:
    truth, first, second = answers()
    table = JointTable.of(["a", "b", "c", NO_ANSWER], truth, np.where(first == 1, 3, first), second)
    (one,) = Joint.read(find_measure("macro-f1"), table)
    assert not one.known or float(one.estimate) < 0
    assert table.whole.one.classes.tolist() == [0, 1, 2]
