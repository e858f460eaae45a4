"""Logs of Inspect from the shell: two runs of 2,000 questions with 4 epochs compared, and one of 100,000 assessed.

Samples are as large as Inspect's own summaries are. Each command is a process of its own, with its start; the best of
three runs, the time of a processor that it took, which other work on the machine hardly lengthens, and the most memory.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile

import numpy as np

PADDING = {"model_usage": {"made-up/model": {"input_tokens": 812, "output_tokens": 204, "total_tokens": 1016}}}
PADDING |= {"started_at": "2026-11-18T10:00:00.000000+00:00", "completed_at": "2026-11-18T10:00:02.000000+00:00"}
PADDING |= {"total_time": 2.006, "working_time": 2.006, "uuid": "X73T5dutdg5G2WwYVRrjzu", "retries": 0}
PADDING |= {"completed": True, "message_count": 2, "turn_count": 1}


def main() -> None:
    rng = np.random.default_rng(0)
    with TemporaryDirectory() as folder:
        here = Path(folder)
        for model, rate in (("atlas", 0.7), ("borea", 0.6)):
            write(here / f"{model}.eval", model, 2_000, 4, rate, rng)
        write(here / "large.eval", "atlas", 100_000, 1, 0.7, rng)
        sizes = {path.name: path.stat().st_size for path in sorted(here.glob("*.eval"))}
        print("bytes:", ", ".join(f"{name} {size:,}" for name, size in sizes.items()))
        tell("compare, 2 x 2,000 questions x 4 epochs", ["compare", str(here / "atlas.eval"), str(here / "borea.eval")])
        tell("assess, 100,000 samples", ["assess", str(here / "large.eval")])


def write(path: Path, model: str, questions: int, epochs: int, rate: float, rng: np.random.Generator) -> None:
    right = rng.random((epochs, questions)) < np.clip(rate + rng.normal(0, 0.2, questions), 0, 1)
    ids = [f"question-{place:06d}" for place in range(questions)]
    samples = [
        {
            "id": ids[place],
            "epoch": epoch + 1,
            "input": f"A question of the usual length, number {place}. " * 4,
            "target": "answer",
            "metadata": {"subject": "abcd"[place % 4]},
            "scores": {"choice": {"value": "C" if right[epoch, place] else "I", "answer": "B", "history": []}},
            **PADDING,
        }
        for epoch in range(epochs)
        for place in range(questions)
    ]
    evaluation = {"task": "quiz", "model": f"made-up/{model}", "dataset": {"name": "quiz", "sample_ids": ids}}
    evaluation |= {"config": {"epochs": epochs}, "scorers": [{"name": "choice", "options": {}, "metrics": []}]}
    results = {"headline": {"scorer": "choice", "score": "choice"}}
    header = {"version": 2, "status": "success", "eval": evaluation, "results": results}
    with ZipFile(path, "w", ZIP_DEFLATED) as archive:
        archive.writestr("header.json", json.dumps(header))
        archive.writestr("summaries.json", json.dumps(samples))


def tell(name: str, words: list[str]) -> None:
    seconds, busy, most = [], [], 0
    for _ in range(3):
        start = time.perf_counter()
        child = os.posix_spawn(
            sys.executable,
            [sys.executable, "-m", "holdfast", *words],
            os.environ,
            file_actions=[(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)],
        )
        _, status, used = os.wait4(child, 0)
        seconds.append(time.perf_counter() - start)
        busy.append(used.ru_utime + used.ru_stime)
        most = max(most, used.ru_maxrss)
        assert os.waitstatus_to_exitcode(status) == 0
    print(f"{name}: {min(seconds):.2f} s, of which {min(busy):.2f} s of processor, {most / 1024:,.0f} MB")


if __name__ == "__main__":
    main()
