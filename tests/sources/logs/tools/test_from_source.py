"""Logs of OpenAI evals and lighteval, in the form that their own source writes, for no log of these was at hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from holdfast.errors import HoldfastError
from tests.sources.logs.making import write_lines
from tests.sources.logs.tools.reading import by_id, run


def events(path: Path, graded: dict[str, bool | None], finished: bool = True) -> Path:
    spec = {
        "completion_fns": ["gpt-toy"],
        "eval_name": "sums.dev.v0",
        "base_eval": "sums",
        "split": "dev",
        "run_id": "r",
    }
    told: list[dict[str, Any]] = [{"spec": spec}]
    for id_, correct in graded.items():
        told.append(
            {"run_id": "r", "event_id": len(told), "sample_id": id_, "type": "sampling", "data": {"sampled": ["x"]}}
        )
        kind, data = ("error", {"message": "made to"}) if correct is None else ("match", {"correct": correct})
        told.append({"run_id": "r", "event_id": len(told), "sample_id": id_, "type": kind, "data": data})
    return write_lines(path, [*told, *([{"final_report": {"accuracy": 0.5}}] if finished else [])])


def test_openai_evals_are_read_by_sample(tmp_path: Path) -> None:
    read = run(events(tmp_path / "a.jsonl", {"sums.dev.0": True, "sums.dev.1": False, "sums.dev.2": None}))
    assert (read.model, read.task, read.missing, read.values) == ("gpt-toy", "sums.dev.v0", {"crashed": 1}, None)
    assert by_id(read)["sums.dev.0"] == 1
    path = events(tmp_path / "b.jsonl", {"sums.dev.0": True, "sums.dev.1": False}, finished=False)
    with pytest.raises(HoldfastError, match=r"no final report.*it holds 2 samples"):
        run(path)
    assert run(path, partial=True).scored.tolist() == [1, 0]


def test_lighteval_details_are_read_by_document(tmp_path: Path) -> None:
    time = "2026-11-18T10-00-00"
    folder = tmp_path / "details" / "org" / "model" / time
    folder.mkdir(parents=True)
    rows = [
        {
            "doc": {
                "id": str(place),
                "task_name": "gsm8k|0",
                "query": f"q{place}",
                "num_samples": 1,
                "specific": {"level": "a"},
            },
            "metric": {"em": float(place % 3 == 0), "f1": place / 10},
            "model_response": {"text": ["x"]},
        }
        for place in range(9)
    ]
    pl.DataFrame(rows).write_parquet(folder / f"details_gsm8k|0_{time}.parquet")
    (tmp_path / "results" / "org" / "model").mkdir(parents=True)
    results = tmp_path / "results" / "org" / "model" / f"results_{time}.json"
    results.write_text(json.dumps({"config_general": {"model_name": "org/model"}}, indent=1))
    with pytest.raises(HoldfastError, match="several metrics: em, f1"):
        run(folder)
    read = run(folder, metric="em")
    assert (read.model, read.task, read.scored.sum(), read.values) == ("org/model", "gsm8k|0", 3, None)
    assert run(folder, metric="f1").values is not None
