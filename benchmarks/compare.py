"""All pairs of many models: disagreements by products of bit matrices against a loop over pairs, and what growth costs.

Then a panel read from Parquet: 50 models in columns on 10^6 items, and 20 models in a long table of 10^7 rows. Each
reading runs in a process of its own, imports and a first call not counted; peak memory is that of the whole process.
Last `hf.compare` as a whole, of as many models as a leaderboard may have.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl
from numpy.typing import NDArray

import holdfast as hf
from holdfast.evidence.pools.panel import Panel

MODELS, ITEMS = 50, 1_000_000
LONG_MODELS, LONG_ITEMS = 20, 500_000
LEADERBOARDS, QUESTIONS = (200, 2_000), 1_000
LOOPED = 50  # pairs that the loop is run for; its time is scaled up
REPEATS = 3


class Cost(NamedTuple):
    wall: float  # seconds
    cpu: float
    peak: float  # GB


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--job", nargs=2, help=argparse.SUPPRESS)
    arguments.add_argument("--write", nargs=2, help=argparse.SUPPRESS)
    asked = arguments.parse_args()
    if asked.job:
        print(json.dumps(measured(asked.job[0], Path(asked.job[1]))))
    elif asked.write:
        TABLES[asked.write[0]](Path(asked.write[1]))
    else:
        count()
        grow()
        read()
        rank()


def drawn(models: int, items: int) -> NDArray[np.bool_]:
    """Models that err together on hard items."""
    random = np.random.default_rng(0)
    hard = random.random(items, np.float32)
    return np.stack([random.random(items, np.float32) + hard < 0.6 + 0.002 * model for model in range(models)])


def best(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """Processor time in seconds, the least of several runs: walls move on a busy machine."""
    found = []
    for _ in range(repeats):
        start = time.process_time()
        work()
        found.append(time.process_time() - start)
    return min(found)


def counted(wrong: NDArray[np.bool_]) -> float:
    names = tuple(f"m{i}" for i in range(len(wrong)))
    return best(lambda: Panel(names, wrong).paired())


def count() -> None:
    wrong = drawn(MODELS, ITEMS)
    pairs = [(i, j) for i in range(MODELS) for j in range(i)]

    def looped() -> list[tuple[np.intp, np.intp]]:
        return [
            (np.count_nonzero(~wrong[i] & wrong[j]), np.count_nonzero(wrong[i] & ~wrong[j])) for i, j in pairs[:LOOPED]
        ]

    def multiplied() -> object:
        some = wrong.astype(np.float32)
        return some @ some.T

    ours, loop = counted(wrong), best(looped) * len(pairs) / LOOPED
    print(f"Disagreements of all {len(pairs):,} pairs of {MODELS} models on {ITEMS:,} items; processor seconds\n")
    print(f"  holdfast, 64 items a word                    {ours:8.3f}")
    print(f"  a product of matrices of floats              {best(multiplied):8.3f}")
    print(f"  a loop over pairs, scaled up from {LOOPED}         {loop:8.3f}; {loop / ours:,.0f} times as long")


def grow() -> None:
    print("\nGrowth, processor seconds of the same count\n")
    base = counted(drawn(MODELS, ITEMS))
    for models, items in ((2 * MODELS, ITEMS), (4 * MODELS, ITEMS), (MODELS, 2 * ITEMS), (MODELS, 4 * ITEMS)):
        here = counted(drawn(models, items))
        print(f"  {models:4} models on {items:9,} items {here:24.3f}; {here / base:.1f} times that of the first")


def write_wide(path: Path) -> None:
    random, wrong = np.random.default_rng(1), drawn(MODELS, ITEMS)
    truth = random.integers(0, 10, ITEMS)
    codes = {"truth": truth} | {f"m_{i}": np.where(row, (truth + 1) % 10, truth) for i, row in enumerate(wrong)}
    pl.DataFrame(codes).select(pl.format("class {}", name).alias(name) for name in codes).write_parquet(path)


def long_rows() -> pl.DataFrame:
    random = np.random.default_rng(2)
    order = random.permutation(LONG_MODELS * LONG_ITEMS)  # the rows of an item are anywhere
    wrong = drawn(LONG_MODELS, LONG_ITEMS).reshape(-1)[order]
    model, item = np.divmod(order, LONG_ITEMS)
    return pl.DataFrame({"question": item, "model": model, "passed": ~wrong}).with_columns(
        question=pl.format("question-{}", "question"), model=pl.format("model-{}", "model")
    )


def write_long(path: Path) -> None:
    long_rows().write_parquet(path)


def write_answers(path: Path) -> None:
    """Predictions beside the truth, in place of right or wrong."""
    truth = pl.col("question").hash() % 10
    answer = pl.when("passed").then(truth).otherwise((truth + 1) % 10)
    rows = long_rows().with_columns(truth=pl.format("class {}", truth), predicted=pl.format("class {}", answer))
    rows.drop("passed").write_parquet(path)


TABLES = {"wide": write_wide, "long": write_long, "answers": write_answers}
CALLED = {
    "wide": f"{MODELS} models on {ITEMS:,} items, a column each",
    "long": f"{LONG_MODELS * LONG_ITEMS:,} rows of {LONG_MODELS} models, right or wrong",
    "answers": f"{LONG_MODELS * LONG_ITEMS:,} rows of {LONG_MODELS} models, truth and predicted",
}


def ranked(models: int) -> Cost:
    """All pairs of a panel in memory, as report and as text."""
    names = tuple(f"m{i}" for i in range(models))
    wrong = np.random.default_rng(3).random((models, QUESTIONS)) < np.linspace(0.05, 0.4, models)[:, np.newaxis]
    str(hf.compare(Panel(names[:2], wrong[:2])))  # what is imported on first use
    wall, cpu = time.perf_counter(), time.process_time()
    str(hf.compare(Panel(names, wrong)))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return Cost(wall, cpu, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20)


def rank() -> None:
    print(f"\nhf.compare of all pairs on {QUESTIONS:,} questions, and its text; best of {REPEATS} new processes\n")
    print(f"{'':58} {'wall s':>8} {'cpu s':>8} {'peak GB':>8}")
    for models in LEADERBOARDS:
        words = [sys.executable, __file__, "--job", "rank", str(models)]
        told(f"{models:,} models, {models * (models - 1) // 2:,} pairs", words)


def measured(kind: str, path: Path) -> Cost:
    if kind == "rank":
        return ranked(int(str(path)))
    from holdfast.sources.models.models import read_models

    read_models(pl.scan_parquet(path).head(LONG_MODELS).collect(), missing="wrong")  # what is imported on first use
    wall, cpu = time.perf_counter(), time.process_time()
    read_models(path).paired()
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    return Cost(wall, cpu, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20)


def read() -> None:
    print(f"\nParquet to the counts of all pairs; best of {REPEATS} new processes\n")
    print(f"{'':58} {'wall s':>8} {'cpu s':>8} {'peak GB':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for kind, name in CALLED.items():
            path = Path(folder, f"{kind}.parquet")
            subprocess.run([sys.executable, __file__, "--write", kind, str(path)], check=True)
            words = [sys.executable, __file__, "--job", kind, str(path)]
            told(name, words)


def told(name: str, words: list[str]) -> None:
    """The least cost of several new processes."""
    runs = [subprocess.run(words, check=True, capture_output=True, text=True) for _ in range(REPEATS)]
    costs = [Cost(*json.loads(run.stdout)) for run in runs]
    cost = Cost(*(min(each) for each in zip(*costs, strict=True)))
    print(f"  {name:56} {cost.wall:8.2f} {cost.cpu:8.2f} {cost.peak:8.2f}", flush=True)


if __name__ == "__main__":
    main()
