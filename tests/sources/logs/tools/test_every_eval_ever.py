"""Samples of Every Eval Ever: scores as the raw files have them; and its traps."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from holdfast.errors import HoldfastError
from tests.sources.logs.making import DATA, shared
from tests.sources.logs.tools.reading import run


def test_every_eval_ever_crashes_are_not_scored_0() -> None:
    read = run(DATA / "eee" / "inspect-sums-delta")
    assert (len(read.ids), read.missing, np.nansum(read.scored), read.lost()) == (12, {"crashed": 1}, 6, "s7")
    assert run(DATA / "eee" / "inspect-sums-gamma").scored.sum() == 8
    rivers = run(DATA / "eee" / "lm-eval-alpha", task="facts_rivers", metric="acc")
    assert (len(rivers.ids), rivers.values) == (11, None)


def test_every_eval_ever_repeats_are_refused() -> None:
    with pytest.raises(HoldfastError, match=r"average of all on each, and calls a wrong one right"):
        run(shared("eee/inspect-counting-gamma"))


def test_every_eval_ever_rows_that_are_missing_are_noticed(tmp_path: Path) -> None:
    for path in (DATA / "eee" / "inspect-sums-gamma").rglob("*.json*"):
        (tmp_path / path.name).write_text(path.read_text())
    (samples,) = tmp_path.glob("*_samples.jsonl")
    samples.write_text("".join(samples.read_text().splitlines(keepends=True)[:-1]))
    with pytest.raises(HoldfastError, match="holds 11 rows, and 12 by the file beside it"):
        run(tmp_path)


def test_every_eval_ever_rows_of_no_metric_are_counted_and_no_answers(tmp_path: Path) -> None:
    (path,) = (DATA / "eee" / "inspect-sums-gamma").rglob("*_samples.jsonl")
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    for row in rows[:2]:
        row["evaluation_result_id"] = None
    copy = tmp_path / "some.jsonl"
    copy.write_text("".join(json.dumps(row) + "\n" for row in rows))
    read = run(copy)
    assert len(read.ids) == len(rows) - 2
    assert read.notes == (f"2 rows of {copy} are of no metric, and no item scores.",)
