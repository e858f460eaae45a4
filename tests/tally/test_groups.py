"""The table of every group, against counting it by hand."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import polars as pl
import pytest

from holdfast.errors import InvalidEvidence, UnknownName
from holdfast.predictions import Missing, Predictions
from holdfast.tally import Tally, groups, tally

ROWS = 400
RANDOM = np.random.default_rng(5)
TRUTH = RANDOM.choice(["a", "b", "c"], ROWS)
PREDICTED = np.where(RANDOM.random(ROWS) < 0.7, TRUTH, RANDOM.choice(["a", "b", "d"], ROWS))
COLUMNS: dict[str, list[Any]] = {
    "text": RANDOM.choice(["DE", "FR", "it, 'quoted'\n"], ROWS).tolist(),
    "whole": RANDOM.choice([10, 9, -1], ROWS).tolist(),
    "real": RANDOM.choice([1.0, 0.5, np.nan], ROWS).tolist(),
    "yes/no": RANDOM.choice([True, False], ROWS).tolist(),
    "with gaps": [None if i % 3 else "some" for i in range(ROWS)],
}


def counted(*names: str, missing: Missing = "refuse", predicted: Any = PREDICTED, order: Any = slice(None)) -> Tally:
    held = {name: pl.Series(COLUMNS[name], strict=False)[order] for name in names}
    rows = Predictions.from_arrays(TRUTH[order], predicted[order], groups=held, missing=missing)
    return tally(rows, by=[names])


def spelled(value: Any) -> str:
    if value is None or value != value:
        return groups.UNNAMED
    return (
        {True: "True", False: "False"}[value]
        if isinstance(value, bool)
        else f"{value:g}"
        if isinstance(value, float)
        else str(value)
    )


@pytest.mark.parametrize(
    "names", [["text"], ["whole"], ["real"], ["yes/no"], ["with gaps"], [*COLUMNS], ["text", "whole"]]
)
def test_each_group_is_counted_as_by_hand(names: list[str]) -> None:
    (found,) = counted(*names).groups
    by_hand: dict[str, Counter[tuple[str, str]]] = {}
    for place in range(ROWS):
        name = ", ".join(f"{each}={spelled(COLUMNS[each][place])}" for each in names)
        by_hand.setdefault(name, Counter())[str(PREDICTED[place]), str(TRUTH[place])] += 1
    assert {name.lower() for name in found.names} == {name.lower() for name in by_hand}
    labels = found.table.labels
    for name, table in zip(found.names, found.table.table, strict=True):
        match = next(hand for key, hand in by_hand.items() if key.lower() == name.lower())
        assert {(labels[i], labels[j]): int(table[i, j]) for i, j in np.argwhere(table)} == match


def test_numbers_come_by_value_and_missing_values_are_a_group() -> None:
    assert counted("whole").groups[0].names == ("whole=-1", "whole=9", "whole=10")
    assert set(counted("real").groups[0].names) == {"real=0.5", "real=1", "real=(none)"}


def test_the_order_of_the_rows_leaves_no_trace_and_their_division_does() -> None:
    first = counted("text", "whole")
    again = counted("text", "whole", order=np.random.default_rng(1).permutation(ROWS))
    assert first.fingerprint == again.fingerprint
    assert first.groups[0].names == again.groups[0].names
    assert np.array_equal(first.groups[0].table.table, again.groups[0].table.table)
    assert len({first.fingerprint, counted("text").fingerprint, counted("whole").fingerprint}) == 3


def test_several_divisions_at_once() -> None:
    held = {name: COLUMNS[name] for name in ("text", "whole")}
    rows = Predictions.from_arrays(TRUTH, PREDICTED, groups=held)
    first, second = tally(rows, by=[["text"], ["whole", "text"]]).groups
    assert (len(first.names), len(second.names)) == (3, 9)
    assert first.table.n.sum() == second.table.n.sum() == ROWS


def test_what_was_dropped_is_in_no_group() -> None:
    gaps = np.array([None if i % 4 == 0 else str(label) for i, label in enumerate(PREDICTED)], object)
    dropped = counted("text", missing="drop", predicted=gaps)
    assert dropped.groups[0].table.n.sum() == dropped.rows == ROWS - ROWS // 4
    wrong = counted("text", missing="wrong", predicted=gaps)
    assert wrong.groups[0].table.n.sum() == ROWS
    assert wrong.groups[0].table.errors.sum() == wrong.counts.k
    only = Predictions.from_arrays(["a", "a"], ["a", None], groups={"g": ["x", "y"]}, missing="drop")
    assert tally(only, by=[["g"]]).groups[0].names == ("g=x",)


@pytest.mark.parametrize("missing", ["drop", "wrong"])
def test_groups_of_a_pass_fail_table(missing: Missing) -> None:
    correct = [None if i % 5 == 0 else bool(TRUTH[i] == PREDICTED[i]) for i in range(ROWS)]
    rows = Predictions.from_arrays(correct=correct, groups={"text": COLUMNS["text"]}, missing=missing)
    (found,) = tally(rows, by=[["text"]]).groups
    for name, n, errors in zip(found.names, found.table.n, found.table.errors, strict=True):
        own = [c for c, text in zip(correct, COLUMNS["text"], strict=True) if f"text={text}" == name]
        kept = own if missing == "wrong" else [c for c in own if c is not None]
        assert (n, errors) == (len(kept), sum(not c for c in kept))


def test_refusals(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = Predictions.from_arrays(TRUTH, PREDICTED, groups={"country": COLUMNS["text"]})
    with pytest.raises(UnknownName, match="did you mean 'country'"):
        tally(rows, by=[["county"]])
    monkeypatch.setattr(groups, "MOST_CELLS", 10)
    with pytest.raises(InvalidEvidence, match="too many to lay out"):
        tally(rows, by=[["country"]])
