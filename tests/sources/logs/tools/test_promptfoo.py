"""Logs of promptfoo: rows, repeats and errors as the raw file has them; and its traps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from holdfast.errors import HoldfastError
from holdfast.sources.logs.asked import Asked
from holdfast.sources.logs.reading import runs_of
from holdfast.sources.logs.run import Run
from holdfast.sources.opening import files_of
from tests.sources.logs.making import DATA, shared, write_lines

FAULTY = DATA / "promptfoo" / "faulty.results.json"


def runs(path: Path, **asked: Any) -> dict[str, Run]:
    return {run.model: run for run in runs_of(files_of(path, None, Asked(**asked)))}


def raw(path: Path, prompt: int) -> list[dict[str, Any]]:
    rows = json.loads(path.read_text())["results"]["results"]
    return sorted((row for row in rows if row["promptIdx"] == prompt), key=lambda row: row["testIdx"])


def test_only_errors_are_errors_though_failures_have_a_text_too() -> None:
    found = runs(FAULTY)
    for place, (model, passed) in enumerate({"alpha": 6, "beta": 7}.items()):
        rows = raw(FAULTY, place)
        assert sum(bool(row.get("error")) for row in rows) > 1
        assert found[model].missing == {"crashed": sum(row["failureReason"] == 2 for row in rows)} == {"crashed": 1}
        assert np.nansum(found[model].scored) == passed == sum(row["success"] for row in rows)
        assert len(found[model].ids) == 10
    assert found["alpha"].version == "0.123.1"


def test_older_versions_are_read_alike() -> None:
    old, new = runs(shared("promptfoo/faulty-0.121.20.results.json")), runs(FAULTY)
    for model in ("alpha", "beta"):
        assert old[model].version == "0.121.20"
        first, second = (dict(zip(r.ids, r.scored.tolist(), strict=True)) for r in (old[model], new[model]))
        assert str(sorted(first.items())) == str(sorted(second.items()))


def test_named_metrics_and_success_have_denominators_of_their_own() -> None:
    assert runs(FAULTY, metric="mentions")["alpha"].missing == {"crashed": 1}
    with pytest.raises(HoldfastError, match=r"no metric in .* named 'mentons'; did you mean 'mentions'"):
        runs(FAULTY, metric="mentons")


def test_a_test_without_assertions_is_not_scored_and_not_passed(tmp_path: Path) -> None:
    log = json.loads(FAULTY.read_text())
    row = next(row for row in log["results"]["results"] if row["failureReason"] == 0)
    row |= {"success": True, "score": 1, "namedScores": {}, "gradingResult": {"pass": True, "reason": "No assertions"}}
    (tmp_path / "bare.json").write_text(json.dumps(log))
    model = row["provider"]["label"]
    assert runs(tmp_path / "bare.json")[model].missing == {"not scored": 1, "crashed": 1}


def test_repeats_are_samples_of_one_item() -> None:
    path = shared("promptfoo/repeat.results.json")
    log = json.loads(path.read_text())
    repeat = log["runtimeOptions"]["repeat"]
    for model, run in runs(path).items():
        place = ["alpha", "beta"].index(model)
        assert (run.questions, len(run.ids)) == (6, 24)
        items: dict[str, int] = {}
        for row in raw(path, place):
            items[str(row["testIdx"] // repeat)] = items.get(str(row["testIdx"] // repeat), 0) + row["success"]
        told = dict.fromkeys(run.ids, 0.0)
        for id_, score in zip(run.ids, run.scored.tolist(), strict=True):
            told[id_] += score
        assert told == items


def test_lines_alone_cannot_know_repeats_and_say_so() -> None:
    with pytest.raises(HoldfastError, match=r"24 tests of a model share their variables.*Give the \.json"):
        runs(shared("promptfoo/repeat.results.jsonl"))
    run = runs(FAULTY.with_suffix(".jsonl"))["alpha"]
    assert "does not say whether tests were repeated" in run.notes[0]
    assert run.missing == {"crashed": 1}


def test_pass_rate_and_mean_score_are_two_scores() -> None:
    path = shared("promptfoo/basic.results.json")
    assert runs(path)["alpha"].scored.sum() == 20
    assert runs(path, metric="score")["alpha"].scored.sum() == pytest.approx(24.0)
    assert runs(path, metric="score")["beta"].scored.sum() == pytest.approx(21.625)


def test_two_prompts_of_one_provider_are_two_models(tmp_path: Path) -> None:
    def row(prompt: int, test: int) -> dict[str, Any]:
        about = {"provider": {"id": "toy", "label": ""}, "prompt": {"label": f"prompt {prompt}"}}
        return about | {"promptIdx": prompt, "testIdx": test, "success": True, "score": 1, "namedScores": {},
                        "vars": {"q": test}, "failureReason": 0, "gradingResult": {"reason": "ok"}}  # fmt: skip

    path = write_lines(tmp_path / "two.jsonl", [row(prompt, test) for prompt in (0, 1) for test in (0, 1)])
    assert [*runs(path)] == ["toy (prompt 0)", "toy (prompt 1)"]
