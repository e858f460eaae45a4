"""Reading what was drawn: by hand, by a plain loop, in any order and on any engine, and what is refused."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import polars as pl
import pytest

from holdfast.catalog import find_measure
from holdfast.errors import HoldfastError, InvalidEvidence
from holdfast.evidence import NO_ANSWER
from holdfast.evidence.draws import Ratio
from holdfast.predictions import Missing, Predictions
from holdfast.sources import read
from holdfast.tally import tally
from holdfast.tally.designs import reading
from holdfast.tally.designs.draws import DrawnRows, read_draws
from holdfast.tally.designs.reading import readings
from tests.needs import module
from tests.tally.asking import given


def of(missing: Missing = "refuse", labels: Any = None, positive: Any = None, **columns: Any) -> DrawnRows:
    return read_draws(given(missing, **columns), labels=labels, positive=positive)


def refusal(**columns: Any) -> str:
    with pytest.raises(HoldfastError) as caught:
        of(**columns)
    return str(caught.value)


def errors(counted: DrawnRows) -> Ratio:
    [(_, found)] = readings(find_measure("error-rate"), counted.tables.rows.draw_by_draw())
    assert isinstance(found, Ratio)
    return found


def pairs(counted: DrawnRows) -> list[tuple[int, int]]:
    """Errors and rows of each draw, rising."""
    found = errors(counted)
    return sorted(zip(found.above.astype(int).tolist(), found.below.astype(int).tolist(), strict=True))


def tables(counted: DrawnRows) -> list[list[list[int]]]:
    """The table of each draw, rows predicted and columns actual."""
    rows, size = counted.tables.rows, len(counted.tables.rows.labels)
    each = np.zeros((rows.draws.number, size, size), np.int64)
    np.add.at(each, (rows.draw, rows.predicted, rows.truth), rows.weight.astype(np.int64))
    return each.tolist()  # type: ignore[no-any-return]


TRUTH = ["a", "b", "b", "a", "a", "b"]
PREDICTED = ["a", "a", "b", "b", "a", "b"]
CLUSTER = ["x", "y", "y", "y", "z", "z"]


def test_errors_and_tables_by_hand() -> None:
    counted = of(truth=TRUTH, predicted=PREDICTED, cluster=CLUSTER)
    assert pairs(counted) == [(0, 1), (0, 2), (2, 3)]
    assert (counted.rows, counted.largest, counted.uneven) == (6, 3, True)
    assert (int(counted.errors.k), int(counted.errors.n)) == (2, 6)
    assert counted.cells is not None
    assert counted.cells.labels == ("a", "b")
    assert counted.cells.table.table.tolist() == [[2, 1], [1, 2]]
    assert np.sum(tables(counted), axis=0).tolist() == [[2, 1], [1, 2]]
    assert sorted(tables(counted)) == [[[0, 1], [1, 1]], [[1, 0], [0, 0]], [[1, 0], [0, 1]]]
    assert (counted.missing, counted.dropped, counted.positive) == ({}, 0, None)


def test_against_a_plain_loop() -> None:
    random = np.random.default_rng(0)
    truth, predicted = random.integers(0, 4, (2, 3000))
    cluster = random.integers(0, 200, 3000)
    counted = of(truth=truth, predicted=predicted, cluster=cluster, labels=[3, 1, 0, 2])
    plain = Counter(zip(cluster.tolist(), predicted.tolist(), truth.tolist(), strict=True))
    assert counted.cells is not None
    places = [counted.cells.labels.index(str(i)) for i in range(4)]
    expected = np.zeros((200, 4, 4), np.int64)
    for (which, guess, actual), times in plain.items():
        expected[which, places[guess], places[actual]] = times
    assert sorted(tables(counted)) == sorted(expected.tolist())
    sizes = np.bincount(cluster, minlength=200)
    wrong = np.bincount(cluster, truth != predicted, 200).astype(int)
    assert pairs(counted) == sorted(zip(wrong.tolist(), sizes.tolist(), strict=True))


def shuffled(seed: int, names: Any = str) -> Predictions:
    random = np.random.default_rng(1)
    truth, predicted, cluster = random.integers(0, 2, 500), random.integers(0, 2, 500), random.integers(0, 60, 500)
    score, weight = random.random(500), random.integers(1, 9, 500)
    order = np.random.default_rng(seed).permutation(500)
    return given(
        truth=truth[order],
        predicted=predicted[order],
        score=score[order],
        cluster=[names(i) for i in cluster[order].tolist()],
        weight=weight[order],
    )


READ = ("error-rate", "precision", "mcc", "macro-f1", "auc", "average-precision", "ks", "brier", "log-loss")
OTHERWISE = (shuffled(1), shuffled(2, lambda i: f"passage {59 - i}"), shuffled(3, lambda i: i / 7))


@pytest.mark.parametrize("columns", [(), ("weight",), ("score",), ("score", "weight")], ids=str)
def test_neither_the_order_of_the_rows_nor_the_names_of_the_clusters_change_a_digit(columns: tuple[str, ...]) -> None:
    kept = ("truth", "predicted", *columns, "cluster")
    first, *others = (tally(rows.only(kept), positive=1) for rows in (shuffled(0), *OTHERWISE))
    for again in others:
        assert again.fingerprint == first.fingerprint
        assert again.drawn is not None
        assert first.drawn is not None
        assert pairs(again.drawn) == pairs(first.drawn)
        sources = [(each.drawn.tables if each.ranked is None else each.ranked.rows).rows for each in (first, again)]  # type: ignore[union-attr]
        for name in READ:
            for (_, one), (_, other) in zip(*(readings(find_measure(name), rows) for rows in sources), strict=True):
                here, there = one.influence, other.influence
                assert (here.value, here.values.tolist(), here.spread) == (
                    there.value,
                    there.values.tolist(),
                    there.spread,
                )
                if here.redrawable:
                    assert here.redrawn.resampled(50, 3).tolist() == there.redrawn.resampled(50, 3).tolist()


def test_which_rows_are_together_does_matter() -> None:
    marks = {
        of(truth=TRUTH, predicted=PREDICTED, cluster=cluster).fingerprint
        for cluster in (CLUSTER, ["x", "x", "y", "y", "z", "z"], list("abcdef"), ["x"] * 6)
    }
    assert len(marks) == 4
    right = [1, 0, 1, 1]
    assert of(correct=right, cluster=[1, 1, 2, 2]).fingerprint == of(correct=right, cluster=[5, 5, 3, 3]).fingerprint
    assert of(correct=right, cluster=[1, 1, 2, 2]).fingerprint != of(correct=right, cluster=[1, 2, 2, 2]).fingerprint


def test_the_order_of_the_labels_does_not_change_the_fingerprint() -> None:
    marks = {
        of(truth=TRUTH, predicted=PREDICTED, cluster=CLUSTER, labels=labels).fingerprint for labels in ("ab", "ba")
    }
    assert len(marks) == 1


@pytest.mark.parametrize(
    "correct",
    [[True, False, True], [1, 0, 1], [1.0, 0.0, 1.0], ["yes", "no", "yes"], ["pass", " FAIL", "Pass"], ["1", "0", "1"]],
    ids=str,
)
def test_right_and_wrong_however_they_are_written(correct: list[Any]) -> None:
    counted = of(correct=correct, cluster=["p", "p", "q"])
    assert pairs(counted) == [(0, 1), (1, 2)]
    assert counted.cells is None
    assert counted.tables.rows.labels == ()


def test_what_is_neither_right_nor_wrong_is_refused() -> None:
    assert "maybe" in refusal(correct=["yes", "maybe"], cluster=[1, 2])


@pytest.mark.parametrize("nothing", [None, float("nan")])
def test_rows_without_a_cluster(nothing: Any) -> None:
    cluster = [1.0, 1.0, nothing, 2.0] if nothing is not None else ["a", "a", None, "b"]
    told = refusal(correct=[1, 0, 1, 1], cluster=cluster)
    assert "1 without a cluster (row 3" in told
    assert 'missing="drop"' in told
    with pytest.raises(InvalidEvidence):
        of("wrong", correct=[1, 0, 1, 1], cluster=cluster)
    kept = of("drop", correct=[1, 0, 1, 1], cluster=cluster)
    assert pairs(kept) == [(0, 1), (1, 2)]
    assert (kept.missing, kept.dropped, kept.rows) == ({"cluster": 1}, 1, 3)
    with pytest.raises(InvalidEvidence, match="names its cluster"):
        of("drop", correct=[1, 0], cluster=[None, None])


def test_missing_answers() -> None:
    columns = {"truth": ["a", "b", "a", None], "predicted": ["a", None, "b", "b"], "cluster": [1, 1, 2, 3]}
    assert "1 without truth" in refusal(**columns)
    kept = of("drop", **columns)
    assert pairs(kept) == [(0, 1), (1, 1)]  # the third cluster is gone with its only row
    assert (kept.missing, kept.dropped, kept.rows) == ({"truth": 1, "predicted": 1}, 2, 2)
    answered = {"truth": ["a", "b", "a"], "predicted": ["a", None, "b"], "cluster": [1, 1, 2]}
    counted = of("wrong", **answered)
    assert pairs(counted) == [(1, 1), (1, 2)]
    assert counted.tables.rows.labels[-1] == NO_ANSWER
    passes = {"correct": [1, None, 0, 1], "cluster": [1, 1, 2, 3]}
    assert pairs(of("drop", **passes)) == [(0, 1), (0, 1), (1, 1)]
    assert pairs(of("wrong", **passes)) == [(0, 1), (1, 1), (1, 2)]
    assert "1 without correct" in refusal(**passes)


def test_no_rows_are_refused() -> None:
    assert "no rows" in refusal(truth=[], predicted=[], cluster=[])
    assert "no rows" in refusal(correct=[], cluster=[])


def test_too_many_cells_leave_out_what_only_a_table_says(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = of(truth=TRUTH, predicted=PREDICTED, cluster=CLUSTER)
    assert [*readings(find_measure("mcc"), whole.tables.rows)]
    monkeypatch.setattr(reading, "MOST_CELLS", 3)
    assert [*readings(find_measure("mcc"), whole.tables.rows)] == []
    assert pairs(whole) == [(0, 1), (0, 2), (2, 3)]


@pytest.mark.parametrize("engine", ["pandas", "pyarrow", "duckdb"])
@pytest.mark.parametrize("passes", [False, True])
def test_any_engine(engine: str, passes: bool) -> None:
    engines = module(engine)
    random = np.random.default_rng(5)
    columns = (
        {"correct": random.integers(0, 2, 300)}
        if passes
        else {"truth": random.choice(["a", "b"], 300), "predicted": random.choice(["a", "b", "c"], 300)}
    )
    frame = pl.DataFrame({**columns, "passage": random.choice(["p", "q", "r", "s"], 300)})
    made: Any = frame.to_pandas() if engine == "pandas" else frame.to_arrow()
    if engine == "duckdb":
        made = engines.sql("select * from made")
    asked: dict[str, Any] = {"correct": "correct"} if passes else {"truth": "truth", "predicted": "predicted"}
    here, there = (read_draws(read(source, cluster="passage", **asked)) for source in (frame, made))
    assert here.fingerprint == there.fingerprint
    assert pairs(here) == pairs(there)
