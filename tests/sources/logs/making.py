"""Logs for tests: those that the real tools wrote, and made-up ones in the form of theirs."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from tests.needs import module, require

DATA = Path(__file__).parent / "data"  # small logs of the real tools, which ship with the tests
SHARED = Path(__file__).parents[4] / "shared" / "data" / "logs"  # all of them


def shared(name: str) -> Path:
    """One of the logs that do not ship."""
    require((SHARED / name).exists(), f"the log {name} lies beside the project only where it is developed")
    return SHARED / name


def members(path: Path) -> dict[str, Any]:
    """What is in an archive, by a reading that shares nothing with ours."""
    reader = module("backports.zstd.zipfile")
    with reader.ZipFile(path) as archive:
        return {name: json.loads(archive.read(name)) for name in archive.namelist()}


def sample(
    id_: Any, epoch: int = 1, *, error: str | None = None, metadata: Any = None, **scores: Any
) -> dict[str, Any]:
    """A line of `summaries.json`."""
    made = {"id": id_, "epoch": epoch, "input": f"What is {id_}?", "target": f"{id_}", "metadata": metadata or {}}
    made |= {"scores": {name: {"value": value, "history": []} for name, value in scores.items()}, "completed": True}
    return made | ({} if error is None else {"error": error})


def header(samples: Iterable[Mapping[str, Any]], **evaluation: Any) -> dict[str, Any]:
    """A `header.json` that belongs to these samples."""
    ids = [*dict.fromkeys(each["id"] for each in samples)]
    epochs = max((each["epoch"] for each in samples), default=1)
    names = [*dict.fromkeys(name for each in samples for name in each["scores"])]
    told = {
        "task": "toy",
        "task_version": 1,
        "model": "mockllm/alpha",
        "dataset": {"name": "data", "samples": len(ids), "sample_ids": ids},
        "config": {"epochs": epochs},
        "packages": {"inspect_ai": "0.3.285"},
        "scorers": [{"name": name, "options": {}, "metrics": [{"name": "accuracy", "options": {}}]} for name in names],
    }
    headline = {"scorer": names[0], "score": names[0], "metric": "accuracy"} if names else None
    results = {"total_samples": len([*samples]), "headline": headline}
    return {"version": 2, "status": "success", "eval": told | evaluation, "results": results}


def write_eval(
    path: Path, samples: list[dict[str, Any]], head: dict[str, Any] | None = None, **evaluation: Any
) -> Path:
    """A log of Inspect, packed as it was before Zstandard."""
    told = header(samples, **evaluation) if head is None else head
    return write_archive(path, {"header.json": json.dumps(told), "summaries.json": json.dumps(samples)})


def write_archive(path: Path, held: Mapping[str, str | bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in held.items():
            archive.writestr(name, content)
    return path


def write_lines(path: Path, records: Iterable[Mapping[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(each) + "\n" for each in records))
    return path
