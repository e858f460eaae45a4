"""Tables: which way round, which labels, sparse or full, stacked, drawn again."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.catalog import find_measure
from holdfast.errors import HoldfastError, InvalidEvidence, UnfitMethod, UnknownName
from holdfast.evidence import NO_ANSWER, Contingency, Counts, Overlap, Proportions, Strata, TableStatistic
from holdfast.evidence import contingency as module

IRIS = Contingency([[10, 0, 0], [0, 7, 5], [0, 3, 5]], ["setosa", "versicolor", "virginica"], rows="predicted")


def test_rows_must_be_told() -> None:
    matrix = [[10, 2], [1, 5]]
    one, other = (Contingency(matrix, rows=rows) for rows in ("predicted", "actual"))
    assert one.actual.tolist() == other.predicted.tolist() == [11, 7]
    assert one.predicted.tolist() == other.actual.tolist() == [12, 6]
    with pytest.raises(TypeError):
        Contingency(matrix)  # type: ignore[call-arg]
    with pytest.raises(UnknownName, match="rows"):
        Contingency(matrix, rows="truth")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("matrix", "labels", "said"),
    [
        ([[1, 2, 3], [4, 5, 6]], None, "as many rows as columns"),
        ([1, 2], None, "as many rows as columns"),
        ([[1, 2], [3, 4]], ["a"], "2 different labels"),
        ([[1, 2], [3, 4]], ["a", "a"], "2 different labels"),
        ([[1, -2], [3, 4]], None, "whole numbers"),
        ([[1, 0.5], [3, 4]], None, "whole numbers"),
    ],
)
def test_what_is_no_table_is_refused(matrix: object, labels: list[str] | None, said: str) -> None:
    with pytest.raises(InvalidEvidence, match=said):
        Contingency(matrix, labels, rows="predicted")  # type: ignore[arg-type]


def test_cells_and_square_are_one() -> None:
    again = Contingency.of_cells(IRIS.labels, *IRIS.cells)
    assert again.table.tolist() == IRIS.table.tolist() == [[10, 0, 0], [0, 7, 5], [0, 3, 5]]
    assert again.hits.tolist() == [10, 7, 5]
    assert (int(again.n), int(again.errors)) == (30, 8)
    assert IRIS.seen.cells[2].tolist() == [10, 7, 5, 3, 5]
    assert IRIS.seen.table.tolist() == IRIS.table.tolist()


def test_a_stack_is_its_tables() -> None:
    tables = np.random.default_rng(0).integers(0, 5, (3, 7, 4, 4))
    stack = Contingency(tables, rows="actual")
    for i in range(3):
        for j in range(7):
            alone = Contingency(tables[i, j], rows="actual")
            for name in ("n", "hits", "actual", "predicted", "errors", "table"):
                assert getattr(stack, name)[i, j].tolist() == getattr(alone, name).tolist(), name


def test_a_square_of_too_many_labels_is_not_laid_out() -> None:
    many = Contingency.of_cells([str(i) for i in range(3000)], [0, 1], [0, 2], [5, 6])
    assert many.hits.sum() == 5
    with pytest.raises(InvalidEvidence, match="too large"):
        many.table  # noqa: B018


def test_labels_are_found_as_strings() -> None:
    table = Contingency([[1, 2], [3, 4]], [0, NO_ANSWER], rows="predicted")
    assert (table.place(0), table.classes.tolist()) == (0, [0])
    with pytest.raises(UnknownName, match="virginica"):
        IRIS.place("virginika")


def test_redrawn_tables_are_multinomial() -> None:
    """Of every cell the mean and variance that n draws with replacement have, within five standard errors."""
    size, n = 20_000, 30
    stacks = list(IRIS.redrawn(np.random.default_rng(0), size))
    times = np.concatenate([stack.cells[2] for stack in stacks])
    shares = IRIS.seen.cells[2] / n
    assert np.all(times.sum(axis=1) == n)
    deviation = np.abs(times.mean(axis=0) - n * shares) / np.sqrt(n * shares * (1 - shares) / size)
    assert deviation.max() < 5
    covariance = n * (np.diag(shares) - np.outer(shares, shares))
    np.testing.assert_allclose(np.cov(times.T), covariance, atol=0.25)


def test_stacks_stay_small_however_large_the_table() -> None:
    """A full table of a hundred labels is drawn and left out in pieces, not as one square of ten thousand cells."""
    table = Contingency(np.full((100, 100), 3), rows="predicted")
    sizes = [stack.cells[2].shape for stack in table.each_left_out()]
    assert sum(rows for rows, _ in sizes) == 10_000
    assert max(rows * columns for rows, columns in sizes) <= module.AT_ONCE
    drawn = [stack.cells[2].shape for stack in table.redrawn(np.random.default_rng(0), 60)]
    assert sum(rows for rows, _ in drawn) == 60
    assert max(rows * columns for rows, columns in drawn) <= module.AT_ONCE


def test_pieces_do_not_matter(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = find_measure("kappa")(IRIS)
    draws, left = whole.draws(np.random.default_rng(5), 300), whole.left_out()
    monkeypatch.setattr(module, "AT_ONCE", 12)
    np.testing.assert_array_equal(whole.draws(np.random.default_rng(5), 300), draws)
    np.testing.assert_array_equal(whole.left_out(), left)


def test_leaving_out_is_what_deleting_a_row_is() -> None:
    table = Contingency([[8, 5, 1], [3, 20, 2], [0, 1, 9]], rows="predicted")
    predicted, actual = (np.repeat(places, table.cells[2]) for places in table.cells[:2])
    for name in ("mcc", "weighted-f1", "weighted-precision"):
        evidence = find_measure(name)(table)
        values, times = evidence.left_out()
        assert times.sum() == table.n
        slow = []
        for i in range(int(table.n)):
            fewer = np.zeros((3, 3), int)
            np.add.at(fewer, (np.delete(predicted, i), np.delete(actual, i)), 1)
            slow.append(float(find_measure(name)(Contingency(fewer, rows="predicted")).mean))
        np.testing.assert_allclose(np.repeat(values, times), slow, atol=1e-15)


@pytest.mark.parametrize("name", ["accuracy", "error-rate", "balanced-accuracy", "macro-f1", "kappa"])
def test_any_measure_can_be_drawn_again(name: str) -> None:
    measure = find_measure(name)
    evidence, tabled = measure(IRIS), TableStatistic.of(measure, IRIS)
    assert float(tabled.units(tabled.mean)) == pytest.approx(float(evidence.units(evidence.mean)), abs=1e-15)
    assert (tabled.low, tabled.high) == measure.range
    assert tabled.draws(np.random.default_rng(0), 50).shape == (50,)


def test_one_class_can_be_drawn_again() -> None:
    tabled = TableStatistic.of(find_measure("f1"), IRIS, place=2)
    assert float(tabled.mean) == pytest.approx(10 / 18)
    rare = Contingency([[0, 0], [1, 99]], rows="predicted")
    recall = TableStatistic.of(find_measure("recall"), rare, place=0)
    share = np.isnan(recall.draws(np.random.default_rng(0), 4000)).mean()
    assert share == pytest.approx(0.99**100, abs=0.05)  # the only example of the class was not drawn


def test_an_undefined_reading_is_unknown_and_in_the_middle() -> None:
    evidence = find_measure("mcc")(Contingency([[4, 3, 0], [0, 0, 0], [0, 0, 0]], rows="predicted"))
    assert not evidence.known
    assert (float(evidence.mean), float(evidence.complement), float(evidence.mirror().mean)) == (0.5, 0.5, 0.5)


@pytest.mark.parametrize("weights", [[0.5, 0.6], [1.0], [-0.5, 1.5], [[0.5, 0.5, 0.0]], np.full((3, 2), 0.5)])
def test_weights_must_share_out_one(weights: object) -> None:
    with pytest.raises(InvalidEvidence, match="add up to 1"):
        Strata(Counts([1, 2], [3, 4]), weights)  # type: ignore[arg-type]


def test_several_proportions_are_needed() -> None:
    with pytest.raises(HoldfastError, match="several"):
        Proportions(Counts(1, 2))


def test_a_part_without_examples_leaves_the_mean_unknown_unless_it_weighs_nothing() -> None:
    parts = Counts([3, 0], [4, 0])
    assert not Strata(parts).known
    assert Strata(parts, [1.0, 0.0]).known
    assert not Strata(Counts([0, 0], [0, 0])).known


@pytest.mark.parametrize("size", [3, 7, 49, 1000])
def test_perfect_parts_have_a_perfect_mean(size: int) -> None:
    assert Strata(Counts(np.full(size, 5), 5)).mean == 1.0
    assert Proportions(Overlap(np.full(size, 5), 5)).mean == 1.0
    assert Strata(Counts(np.full(size, 5), 5)).complement == 0.0


def test_a_table_too_wide_to_be_drawn_again_is_refused() -> None:
    wide = Contingency.of_cells([str(i) for i in range(30_000)], *[np.arange(30_000)] * 2, np.ones(30_000, int))
    with pytest.raises(UnfitMethod, match=r"30,000 labels or cells, drawn 2,000 times.*up to 25,000"):
        next(wide.redrawn(np.random.default_rng(0), 2000))


def test_tables_drawn_from_one_look_for_its_classes_once(monkeypatch: pytest.MonkeyPatch) -> None:
    table = Contingency([[5, 1], [2, 7]], ["a", "b"], rows="predicted")
    assert table.classes.tolist() == [0, 1]
    monkeypatch.setattr(module, "classes_of", lambda labels: pytest.fail("label by label"))
    assert table.again(np.ones((3, 4), int)).classes.tolist() == [0, 1]
