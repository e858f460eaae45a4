"""Who was wrong where: the counts of all pairs, against a loop that nobody would run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from holdfast.errors import HoldfastError, InvalidEvidence
from holdfast.evidence.pools.panel import Panel
from tests.snapshots import matches, messages


def drawn(models: int, n: int, seed: int = 0) -> Panel:
    random = np.random.default_rng(seed)
    hard = random.random(n)  # so that models err together
    wrong = random.random((models, n)) * 0.5 + hard * 0.5 < random.uniform(0.2, 0.6, (models, 1))
    return Panel(tuple(f"m{i}" for i in range(models)), wrong)


@pytest.mark.parametrize("n", [0, 1, 7, 8, 63, 64, 65, 4095, 20_000])
@pytest.mark.parametrize("models", [2, 5])
def test_all_pairs_are_counted_as_a_loop_counts_them(models: int, n: int) -> None:
    panel = drawn(models, n)
    paired = panel.paired()
    assert len(panel.pairs) == models * (models - 1) // 2
    for place, (i, j) in enumerate(panel.pairs):
        assert i < j
        first, second = panel.wrong[i], panel.wrong[j]
        assert paired.won[place] == np.sum(~first & second)
        assert paired.lost[place] == np.sum(first & ~second)
        assert paired.n[place] == n


def test_swapping_the_models_swaps_won_and_lost() -> None:
    panel = drawn(2, 500)
    here, there = panel.paired(), panel.among(["m1", "m0"]).paired()
    assert (here.won, here.lost) == (there.lost, there.won)


def test_errors_and_differences() -> None:
    panel = drawn(3, 1000)
    assert panel.errors.k.tolist() == panel.wrong.sum(axis=1).tolist()
    paired = panel.paired()
    for place, (i, j) in enumerate(panel.pairs):
        gone = panel.difference(i, j)
        expected = (paired.lost[place] - paired.won[place]) / panel.n
        assert float(gone.units(gone.mean)) == pytest.approx(expected, abs=1e-12)


def test_shares_are_no_counts() -> None:
    tries, right = np.array([[2, 4], [1, 1]]), np.array([[1, 1], [1, 0]])
    panel = Panel(("a", "b"), (tries - right) / tries, tries=tries, right=right)
    assert panel.sampled
    assert not panel.counted
    assert panel.samples.each.k.tolist() == [[1, 3], [0, 1]]
    assert float(panel.difference(0, 1).units(panel.difference(0, 1).mean)) == pytest.approx((0.5 + 0.75 - 1) / 2)


def test_counts_say_it_all_unless_examples_hang_together() -> None:
    plain = drawn(2, 10)
    assert plain.counted
    assert plain.samples.each.k.tolist() == plain.wrong.astype(int).tolist()
    clustered = Panel(plain.models, plain.wrong, clusters=np.zeros(10, np.int64))
    assert not clustered.counted


def test_the_table_of_one_model() -> None:
    panel = Panel(
        ("a", "b"),
        np.array([[0, 1, 0], [1, 0, 0]], bool),
        labels=("x", "y"),
        truth=np.array([0, 0, 1]),
        predicted=np.array([[0, 1, 1], [1, 0, 1]], np.int8),
    )
    table = panel.table(0)
    assert (table.n, table.errors) == (3, 1)
    assert table.actual.tolist() == [2, 1]
    assert table.predicted.tolist() == [1, 2]


def test_models_chosen_from_a_panel_keep_what_they_had() -> None:
    panel = Panel(("a", "b", "c"), np.eye(3, dtype=bool), scores=np.arange(9.0).reshape(3, 3), rows=7)
    some = panel.among(["c", "a"])
    assert some.models == ("c", "a")
    assert some.wrong.tolist() == [[False, False, True], [True, False, False]]
    assert some.scores is not None
    assert some.scores[:, 0].tolist() == [6.0, 0.0]
    assert some.rows == 7
    assert panel.paired().won.tolist() == [1, 1, 1]  # which is kept, and is not that of the models chosen
    assert panel.among(["c", "a"]).paired().won.tolist() == [1]
    for wrong in (["a"], ["a", "a"], []):
        with pytest.raises(InvalidEvidence, match=r"at least two models|stands twice"):
            panel.among(wrong)


def made(models: tuple[str, ...] = ("a", "b"), wrong: Any = ((True, False), (False, False)), **given: Any) -> Panel:
    return Panel(models, np.array(wrong), **given)


def test_refusals() -> None:
    calls = {
        "one model": lambda: made(("a",), [[True]]),
        "none": lambda: made((), np.empty((0, 3))),
        "twice": lambda: made(("a", "a")),
        "a row too few": lambda: made(("a", "b", "c")),
        "one axis": lambda: made(wrong=[True, False]),
        "shares beyond one": lambda: made(wrong=[[0.5, 2.0], [0.0, 1.0]]),
        "shares that are none": lambda: made(wrong=[[0.5, np.nan], [0.0, 1.0]]),
        "truth of another length": lambda: made(truth=np.zeros(3, int)),
        "scores of one model": lambda: made(scores=np.zeros(2)),
        "unknown": lambda: made(("alpha", "beta")).among(["alhpa", "beta"]),
        "counts of shares": lambda: made(wrong=[[0.5, 1.0], [0.0, 1.0]]).paired(),
        "errors of shares": lambda: made(wrong=[[0.5, 1.0], [0.0, 1.0]]).errors,
        "no labels": lambda: made().table(0),
    }
    matches("panel_refusals", messages(calls))
    for call in calls.values():
        with pytest.raises(HoldfastError):
            call()


def test_answers_that_lie_in_columns_are_counted_as_in_rows() -> None:
    panel = drawn(3, 200)
    some = np.flatnonzero(np.arange(200) % 7)
    columns = Panel(panel.models, np.asfortranarray(panel.wrong[:, some]))
    rows = Panel(panel.models, np.ascontiguousarray(panel.wrong[:, some]))
    assert columns.paired().won.tolist() == rows.paired().won.tolist()
