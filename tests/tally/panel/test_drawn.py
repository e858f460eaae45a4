"""What two models differ by, draw by draw: it agrees with the rows, and swapping the models turns every sign."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from holdfast.bounds.bootstrap import bca, jackknife, percentile
from holdfast.bounds.influence import influence
from holdfast.catalog import find_measure
from holdfast.claims import Claim
from holdfast.evidence import NO_ANSWER, Contingency
from holdfast.evidence.draws import Influence, Ratio
from holdfast.evidence.pools.panel import Panel
from holdfast.predictions.design import Design
from holdfast.tally.designs.reading import readings
from holdfast.tally.panel.drawn import PanelRows

MEASURES = ["precision", "f1", "npv", "balanced-accuracy", "macro-f1", "weighted-precision", "mcc", "kappa"]


def answers(n: int = 60, labels: int = 3, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, labels, n)
    first = np.where(rng.random(n) < 0.8, truth, rng.integers(0, labels, n))
    return truth, first, np.where(rng.random(n) < 0.6, first, rng.integers(0, labels, n))


def names(labels: int) -> list[str]:
    return [f"label {i}" for i in range(labels)]


def panel(
    rows: tuple[np.ndarray, ...], clusters: np.ndarray | None = None, labels: list[str] | None = None, **given: Any
) -> Panel:
    truth, *predicted = rows
    said = np.stack(predicted)
    return Panel(
        tuple(f"model {i}" for i in range(len(said))),
        said != truth,
        labels=tuple(labels or names(3)),
        truth=truth,
        predicted=said,
        clusters=clusters,
        **given,
    )


def read(
    name: str, rows: tuple[np.ndarray, ...], clusters: np.ndarray | None = None, labels: int = 3
) -> Ratio | Influence:
    """The first model minus the second."""
    measure, source = find_measure(name), PanelRows(panel(rows, clusters, names(labels)))
    both = source.pair(0, 1) if clusters is None else (source.model(0), source.model(1))
    asked = ["label 1"] if measure.per_class else None
    one, other = (next(each for _, each in readings(measure, side.draw_by_draw(), asked)) for side in both)
    assert isinstance(one, (Ratio, Influence))
    assert isinstance(other, (Ratio, Influence))
    return one - other


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
    assert found.draws.number == 60


@pytest.mark.parametrize("name", MEASURES)
def test_leaving_out_draws_is_leaving_out_rows(name: str) -> None:
    rows = answers()
    values, times = read(name, rows).redrawn.left_out()
    low, high = find_measure(name).range
    gaps = np.repeat((2 * values - 1) * (high - low), times.astype(int))
    wanted = [by_hand(name, *(np.delete(each, i) for each in rows)) for i in range(60)]
    assert np.sort(gaps) == pytest.approx(np.sort(wanted), abs=1e-13)


@pytest.mark.parametrize("name", MEASURES)
def test_leaving_out_clusters_is_leaving_out_their_rows(name: str) -> None:
    rows, clusters = answers(), np.random.default_rng(4).integers(0, 9, 60) * 3  # not all numbers are clusters
    found = read(name, rows, clusters)
    values, times = found.redrawn.left_out()
    present = np.unique(clusters)
    assert (found.draws.number, times.tolist()) == (present.size, [1] * present.size)
    low, high = find_measure(name).range
    wanted = [by_hand(name, *(each[clusters != one] for each in rows)) for one in present]
    assert np.sort((2 * values - 1) * (high - low)) == pytest.approx(np.sort(wanted), abs=1e-13)
    assert float(found.estimate) == pytest.approx(by_hand(name, *rows), abs=1e-15)


@pytest.mark.parametrize("clustered", [False, True])
def test_both_errors_are_near_the_spread_of_resamples(clustered: bool) -> None:
    rows = answers(2000, seed=5)
    clusters = np.arange(2000) // 4 if clustered else None
    found = read("macro-f1", rows, clusters)
    spread = float(np.std(found.redrawn.draws(np.random.default_rng(1), 10_000)))
    assert found.redrawn.standard_error == pytest.approx(spread, rel=0.06)
    assert np.sqrt(found.influence.spread.variance) == pytest.approx(spread, rel=0.06)


def test_the_error_heeds_clusters_and_pairs() -> None:
    """Rows that come in threes, all alike, say a third; models that err together differ less than their errors vary."""
    rows = answers(200, seed=6)
    thrice = tuple(np.repeat(each, 3) for each in rows)
    alone, by_threes, ignored = (
        np.array([found.redrawn.standard_error, np.sqrt(found.influence.spread.variance)])
        for found in (
            read("macro-f1", rows),
            read("macro-f1", thrice, np.repeat(np.arange(200), 3)),
            read("macro-f1", thrice),
        )
    )
    assert by_threes == pytest.approx(alone, rel=1e-10)
    assert np.all(ignored < 0.65 * alone)
    apart = [read("macro-f1", (rows[0], said, rows[0])).influence.spread.variance for said in rows[1:]]
    assert alone[1] ** 2 < sum(apart)


def limits(method: str, found: Ratio | Influence) -> Claim:
    if method == "influence":
        return influence(found, 0.1)
    return {"jackknife": jackknife, "bca": bca, "percentile": percentile}[method](found.redrawn, 0.1)


@pytest.mark.crossing(4)
@pytest.mark.parametrize("method", ["influence", "jackknife", "bca", "percentile"])
@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("name", ["precision", "mcc", "macro-f1"])
def test_swapped_models_have_mirrored_limits_to_the_last_bit(method: str, clustered: bool, name: str) -> None:
    for seed in range(5):
        truth, first, second = answers(100, seed=seed)
        clusters = np.arange(100) // 3 if clustered else None
        here = limits(method, read(name, (truth, first, second), clusters))
        there = limits(method, read(name, (truth, second, first), clusters))
        mirrored = limits(method, read(name, (truth, first, second), clusters).influence.mirror())
        assert (here.estimate, here.lower, here.upper) == (-there.estimate, -there.upper, -there.lower)
        assert (there.estimate, there.lower, there.upper) == (mirrored.estimate, mirrored.lower, mirrored.upper)
        assert here.lower < here.estimate < here.upper


@pytest.mark.parametrize("clustered", [False, True])
@pytest.mark.parametrize("name", ["f1", "mcc"])
def test_neither_the_order_of_the_rows_nor_the_names_of_clusters_leave_a_trace(name: str, clustered: bool) -> None:
    rows, order = answers(100), np.random.default_rng(8).permutation(100)
    clusters = np.arange(100) // 3 if clustered else None
    renamed = None if clusters is None else (999 - 7 * clusters)[order]
    both = read(name, rows, clusters), read(name, tuple(each[order] for each in rows), renamed)
    for method in ("influence", "jackknife", "percentile"):
        here, there = (limits(method, found) for found in both)
        assert (here.estimate, here.lower, here.upper) == (there.estimate, there.lower, there.upper)


def test_clusters_stand_in_the_order_of_their_first_rows_where_they_were_drawn_in_it() -> None:
    rows, clusters = answers(6), np.array([7, 2, 7, 9, 2, 9])
    source = PanelRows(panel(rows, clusters, design=Design(order="drawn")))
    assert source.model(0).draw.tolist() == [0, 1, 0, 2, 1, 2]
    assert source.draws.ordered


@pytest.mark.parametrize("method", ["influence", "jackknife", "bca"])
def test_equal_models_and_no_examples_say_nothing(method: str) -> None:
    truth, first, _ = answers()
    for rows, estimate in (((truth, first, first), 0.0), ((truth[:0],) * 3, None), ((truth[:1],) * 3, None)):
        claim = limits(method, read("kappa", rows))
        assert (claim.estimate, claim.lower, claim.upper) == (estimate, -2.0, 2.0)


@pytest.mark.parametrize("method", ["influence", "jackknife"])
def test_what_is_undefined_for_one_model_is_for_the_difference(method: str) -> None:
    truth, first, second = answers()
    never = np.where(second == 1, 0, second)
    claim = limits(method, read("precision", (truth, first, never)))
    assert (claim.estimate, claim.lower, claim.upper) == (None, -1.0, 1.0)


@pytest.mark.parametrize("method", ["influence", "jackknife"])
@pytest.mark.parametrize("clustered", [False, True])
def test_a_class_that_one_draw_holds_leaves_the_limits_open(method: str, clustered: bool) -> None:
    """Without that draw the mean of the recalls has one class less: no error can be estimated."""
    truth, first, second = answers()
    truth = np.where(np.arange(60) // 3 == 7 if clustered else np.arange(60) == 7, 2, np.minimum(truth, 1))
    clusters = np.arange(60) // 3 if clustered else None
    claim = limits(method, read("balanced-accuracy", (truth, first, second), clusters))
    assert claim.estimate is not None
    assert (claim.lower, claim.upper) == (-1.0, 1.0)


def test_many_labels_are_counted_without_a_cube() -> None:
    labels = 3000
    rows = answers(400, labels, seed=2)
    found = read("weighted-f1", rows, labels=labels)
    assert float(found.estimate) > 0
    assert found.redrawn.left_out()[1].sum() == 400


def test_missing_answers_are_no_class() -> None:
    truth, first, second = answers()
    source = PanelRows(panel((truth, np.where(first == 1, 3, first), second), labels=["a", "b", "c", NO_ANSWER]))
    one, other = source.pair(0, 1)
    assert one.classes.tolist() == other.classes.tolist() == [0, 1, 2]
    found = [dict(readings(find_measure("macro-f1"), rows.draw_by_draw()))[None] for rows in (one, other)]
    assert float(found[0].estimate) < float(found[1].estimate)
