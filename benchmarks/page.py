"""The page of a report does not grow with its rows, and is made at once: from 10^4 to 10^7 rows with scores.

Each size runs in a process of its own. The report is there; what is timed is `save("page.html")`, which makes views,
curves, charts and the file. A page of few rows was made before, so that imports are not counted; what a first page
takes in a new process, with them, stands beside it. Extra memory is what Python and numpy hold at most at a time,
beyond the report; it is looked at in a run of its own, for that is slow.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
import tracemalloc
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, get_args

import numpy as np

if TYPE_CHECKING:
    from holdfast.report import Report

SIZES = (10**4, 10**5, 10**6, 10**7)
REPEATS = 3
LONGEST = 3.0  # seconds that a page may take
How = Literal["warm", "cold", "traced"]


class Cost(NamedTuple):
    wall: float  # seconds
    cpu: float
    extra: float  # MB
    size: float  # bytes


def report_on(rows: int) -> Report:
    """Of a model with an AUC of .92, that says what its own threshold is."""
    import holdfast as hf

    random = np.random.default_rng(0)
    truth = random.random(rows) < 0.3
    score = 1 / (1 + np.exp(-(random.normal(size=rows) + np.where(truth, 1, -1))))
    return hf.assess(truth, score > 0.5, score, positive=True, operating_point=0.5, bins=10).with_command("benchmark")


def measured(rows: int, how: How) -> Cost:
    with tempfile.TemporaryDirectory() as folder:
        if how != "cold":
            report_on(1000).save(Path(folder) / "first.html")
        report, path = report_on(rows), Path(folder) / "page.html"
        if how == "traced":
            tracemalloc.start()
        wall, cpu = time.perf_counter(), time.process_time()
        report.save(path)
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        extra = tracemalloc.get_traced_memory()[1] / 2**20
        return Cost(wall, cpu, extra, path.stat().st_size)


def run(rows: int, how: How, repeats: int = REPEATS) -> Cost:
    """The cheapest of several runs, each in a new process."""
    command = [sys.executable, __file__, "--rows", str(rows), how]
    runs = [Cost(*json.loads(subprocess.run(command, check=True, capture_output=True).stdout)) for _ in range(repeats)]
    return Cost(*(min(each) for each in zip(*runs, strict=True)))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--rows", nargs=2, help=argparse.SUPPRESS)
    asked = arguments.parse_args()
    if asked.rows:
        rows, how = asked.rows
        print(json.dumps(measured(int(rows), next(each for each in get_args(How) if each == how))))
        return
    print(f"from a report to its page, two classes with scores; best of {REPEATS} new processes\n")
    print(f"{'rows':>12} {'wall s':>8} {'cpu s':>8} {'with imports':>13} {'extra MB':>9} {'page bytes':>11}")
    found = {}
    for rows in SIZES:
        cost, cold, traced = run(rows, "warm"), run(rows, "cold"), run(rows, "traced", 1)
        found[rows] = cost
        times = f"{cost.wall:8.2f} {cost.cpu:8.2f} {cold.wall:13.2f}"
        print(f"{rows:12,} {times} {traced.extra:9.1f} {cost.size:11,}", flush=True)
    first, last = found[SIZES[0]].size, found[SIZES[-1]].size
    print(f"\nthe page of {SIZES[-1] // SIZES[0]:,} times the rows has {100 * (last / first - 1):+.1f} % of bytes")
    slowest = max(cost.wall for cost in found.values())
    print(
        f"the slowest took {slowest:.2f} s; {'under' if slowest < LONGEST else 'NOT under'} {LONGEST:g} s was promised"
    )


if __name__ == "__main__":
    main()
