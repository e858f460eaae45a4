"""The whole report on millions of rows: beside merely reading and sorting them, and beside pandas with scikit-learn.

Each job runs in a process of its own, imports and a first call not counted. Processor time counts all threads; peak
memory is that of the whole process. With --strings, scikit-learn also sees all rows with text labels (minutes); with
--hundred, the report is made on a folder of ten such files, 10^8 rows (1 GB of disk), and on two of them.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

ROWS = 10**7
FEWER = 10  # times fewer rows for what would take minutes
FILES = 10
REPEATS = 3
LABELS = ("ham", "spam")


class Cost(NamedTuple):
    wall: float  # seconds
    cpu: float
    peak: float  # GB


def made(path: Path, rows: int, seed: int, text: bool = True) -> Path:
    """A file of rows, written by another process: on Linux a child starts with its parent's peak memory."""
    written = ["--write", str(path), str(rows), str(seed), str(int(text))]
    subprocess.run([sys.executable, __file__, *written], check=True)
    return path


def write(path: Path, rows: int, seed: int, text: int) -> None:
    """Rows of two classes with a score each, as a model with an AUC of .92 would give them."""
    random = np.random.default_rng(seed)
    true = random.random(rows) < 0.3
    score = 1 / (1 + np.exp(-(random.normal(size=rows) + np.where(true, 1, -1))))
    frame = pl.DataFrame({"truth": true, "predicted": score > 0.5, "score": score})
    labels = pl.col("truth", "predicted").replace_strict([False, True], LABELS if text else [0, 1])
    frame.with_columns(labels).write_parquet(path)


def scan_and_sort(path: Path) -> None:
    read = pl.scan_parquet(path).select("truth", "predicted", "score").collect(engine="streaming")
    np.sort(read["score"].to_numpy())


def report(path: Path) -> None:
    import holdfast as hf

    hf.assess(hf.read(path), positive="spam")


def counted(path: Path) -> None:
    import holdfast as hf
    from holdfast.tally import tally

    tally(hf.read(path), positive="spam")


def scikit_learn(path: Path) -> None:
    import pandas as pd
    from sklearn.metrics import classification_report, confusion_matrix, roc_auc_score

    frame = pd.read_parquet(path)
    confusion_matrix(frame["truth"], frame["predicted"])
    classification_report(frame["truth"], frame["predicted"])
    positive = "spam" if frame["truth"].iloc[0] in LABELS else 1
    roc_auc_score(frame["truth"] == positive, frame["score"])


JOBS: dict[str, Callable[[Path], None]] = {job.__name__: job for job in (scan_and_sort, report, counted, scikit_learn)}


def run(job: str, path: Path, small: Path, repeats: int = REPEATS) -> Cost:
    """The cheapest of several runs, each in a new process."""
    runs = []
    for _ in range(repeats):
        command = [sys.executable, __file__, "--job", job, str(path), str(small)]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        runs.append(Cost(*json.loads(done.stdout.splitlines()[-1])))
    return Cost(*(min(each) for each in zip(*runs, strict=True)))


def measured(job: str, path: Path, small: Path) -> Cost:
    warnings.simplefilter("ignore")
    JOBS[job](small)  # imports, and whatever is made once
    wall, cpu = time.perf_counter(), time.process_time()
    JOBS[job](path)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return Cost(wall, cpu, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--job", nargs=3, help=argparse.SUPPRESS)
    arguments.add_argument("--write", nargs=4, help=argparse.SUPPRESS)
    arguments.add_argument("--strings", action="store_true", help="scikit-learn on all rows of text")
    arguments.add_argument("--hundred", action="store_true", help="ten files of rows")
    asked = arguments.parse_args()
    if asked.write:
        path, *numbers = asked.write
        write(Path(path), *map(int, numbers))
        return
    if asked.job:
        print(json.dumps(measured(asked.job[0], Path(asked.job[1]), Path(asked.job[2]))))
        return
    with tempfile.TemporaryDirectory() as folder:
        compare(Path(folder), asked.strings, asked.hundred)


def compare(folder: Path, strings: bool, hundred: bool) -> None:
    text = made(folder / "text.parquet", ROWS, seed=0)
    codes = made(folder / "codes.parquet", ROWS, seed=0, text=False)
    fewer = made(folder / "fewer.parquet", ROWS // FEWER, seed=0)
    small, small_codes = made(folder / "small.parquet", 1000, 1), made(folder / "little.parquet", 1000, 1, text=False)
    print(f"{ROWS:,} rows of Parquet, two text labels and a score; best of {REPEATS} new processes\n")
    print(f"{'':44} {'wall s':>8} {'cpu s':>8} {'peak GB':>8}")
    floor = shown("scan the columns, sort the scores", run("scan_and_sort", text, small))
    ours = shown("holdfast: counted only", run("counted", text, small))
    ours = shown("holdfast: the whole report", run("report", text, small))
    peer_codes = shown("pandas, scikit-learn, integer codes", run("scikit_learn", codes, small_codes, 1))
    peer = run("scikit_learn", fewer, small, 1)
    shown(f"pandas, scikit-learn, text, {ROWS // FEWER:,} rows", peer)
    peer = Cost(peer.wall * FEWER, peer.cpu * FEWER, peer.peak)
    scaled = f" (time on {ROWS // FEWER:,} rows, times {FEWER})"
    if strings:
        peer, scaled = shown("pandas, scikit-learn, text", run("scikit_learn", text, small, 1)), ""
    print(f"\nthe report takes {ours.cpu / floor.cpu:.1f} times the processor time of scanning and sorting")
    print(f"pandas and scikit-learn take, with text labels, {peer.wall / ours.wall:.0f} times as long{scaled}")
    print(f"with integer codes {peer_codes.wall / ours.wall:.0f} times as long")
    if hundred:
        grow(folder, small)


def grow(folder: Path, small: Path) -> None:
    few, many = folder / "few", folder / "many"
    few.mkdir()
    many.mkdir()
    for i in range(FILES):
        path = made(many / f"{i}.parquet", ROWS, seed=i)
        if i < 2:
            (few / path.name).symlink_to(path)
    print()
    two = shown(f"the whole report, {2 * ROWS:,} rows, 2 files", run("report", few, small))
    ten = shown(f"the whole report, {FILES * ROWS:,} rows, {FILES} files", run("report", many, small))
    print(f"\n{FILES // 2} times the rows take {ten.cpu / two.cpu:.1f} times the processor time")


def shown(name: str, cost: Cost) -> Cost:
    print(f"{name:44} {cost.wall:8.2f} {cost.cpu:8.2f} {cost.peak:8.2f}", flush=True)
    return cost


if __name__ == "__main__":
    main()
