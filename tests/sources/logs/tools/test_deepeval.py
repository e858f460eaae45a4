"""Test runs of DeepEval: scores as the raw files have them; and its traps."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tests.sources.logs.making import DATA
from tests.sources.logs.tools.reading import run, written


@pytest.mark.parametrize(("place", "model", "passed", "near"), [(0, "alpha", 11, 13.25), (1, "beta", 6, 12.0)])
def test_deepeval_counts_errors_apart(place: int, model: str, passed: int, near: float) -> None:
    path = sorted((DATA / "deepeval").glob("test_run_*.json"))[place]
    raw = json.loads(path.read_text())["testCases"]
    assert run(path).scored.sum() == passed == sum(case["success"] for case in raw)
    read = run(path, metric="Nearness")
    assert (read.missing, np.nansum(read.scored), read.model) == ({"not scored": 2}, near, model)


def test_deepeval_does_not_pass_a_case_whose_metric_was_skipped() -> None:
    path = sorted((DATA / "deepeval").glob("test_run_*.json"))[0]
    log = json.loads(path.read_text())
    case = next(case for case in log["testCases"] if case["success"])
    case["metricsData"] = case["metricsData"][:1]  # the other one vanished, and the case still says that it passed
    read = run(written("skipped.json", log))
    assert read.missing == {"not scored": 1}
    assert read.lost() == case["name"]


def test_deepeval_cases_of_one_input_may_be_repeats_and_it_says_so() -> None:
    path = sorted((DATA / "deepeval").glob("test_run_*.json"))[0]
    log = json.loads(path.read_text())
    assert not run(path).notes
    first, second, third = log["testCases"][:3]
    second["input"] = third["input"] = first["input"]
    (note,) = run(written("equal.json", log)).notes
    assert note.startswith("3 cases of ")
    assert "--cluster input" in note
