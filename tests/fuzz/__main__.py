"""The soak: a hundred times what CI tries, on all cores; `make soak` keeps its output beside this file."""

from __future__ import annotations

import argparse
import os
import platform
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed

from holdfast import __version__
from tests.fuzz.trying import Trial, as_processes, in_this_process

PART = 250  # of a task; few enough that a bar would move


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=100, help="how many times as much as CI tries")
    times = parser.parse_args().times
    print(f"holdfast {__version__}, Python {platform.python_version()}, {os.cpu_count()} cores, {times} times CI")
    broken = False
    with ProcessPoolExecutor() as pool:
        for name, run, number in (
            ("in one process", in_this_process, 1_000 * times),
            ("as processes", as_processes, 50 * times),
        ):
            trial = Trial()
            part = min(PART, number)
            for task in as_completed(pool.submit(run, 1_000 + seed, part) for seed in range(number // part)):
                trial.add(task.result())
                print(f"\r{trial.tried['lines']:,} of {number:,} {name}", end="", file=sys.stderr)
            print(f"{name}: {trial}")
            print(*trial.wrong, sep="\n", end="\n" if trial.wrong else "", flush=True)
            broken |= bool(trial.wrong)
    sys.exit(broken)


if __name__ == "__main__":
    main()
