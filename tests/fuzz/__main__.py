"""The soak: a hundred times what CI tries, on all cores; `make soak` keeps its output beside this file."""

from __future__ import annotations

import argparse
import os
import platform
import sys
import warnings
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from functools import reduce

from holdfast import __version__
from tests.fuzz.calls import tried_calls
from tests.fuzz.trial import Trial
from tests.fuzz.trying import as_processes, in_this_process

# By name: what tries them, how many CI tries, and how many make a part.
STAGES = {
    "calls": (tried_calls, 10_000, 2_500),
    "lines": (in_this_process, 1_000, 250),
    "processes": (as_processes, 50, 25),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=100, help="how many times as much as CI tries")
    parser.add_argument("stages", nargs="*", default=[*STAGES], help=f"of {', '.join(STAGES)}; all of them by default")
    given = parser.parse_args()
    print(f"holdfast {__version__}, Python {platform.python_version()}, {os.cpu_count()} cores, {given.times} times CI")
    broken = False
    with ProcessPoolExecutor(initializer=_quiet) as pool:
        for name in given.stages:
            run, number, part = STAGES[name]
            tasks = [pool.submit(run, 1_000 + seed, part) for seed in range(number * given.times // part)]
            trials = [_shown(task.result(), name, place, tasks) for place, task in enumerate(as_completed(tasks), 1)]
            whole = reduce(Trial.__add__, trials)
            print(f"{name}: {whole}", *whole.wrong, sep="\n", flush=True)
            broken |= bool(whole.wrong)
    sys.exit(broken)


def _quiet() -> None:
    """What a call warns of is caught by the calls that look for it; command lines print no warnings."""
    warnings.simplefilter("ignore")


def _shown(trial: Trial, name: str, place: int, tasks: list[Future[Trial]]) -> Trial:
    print(f"\r{name}: {place} of {len(tasks)} parts", end="\n" * (place == len(tasks)), file=sys.stderr, flush=True)
    return trial


if __name__ == "__main__":
    main()
