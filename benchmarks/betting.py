"""How long a betting interval takes, how that grows with n, and what a grid over the mean costs instead.

The peer is the same two-sided interval found as confseq finds it: both wealth processes on 1001 candidate means,
every one an O(n) pass. Its ends lie on the grid, so they may be one step, 0.001, outside ours.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import TypeVar

import numpy as np

import holdfast as hf
from holdfast.bounds import betting as room_of_betting
from holdfast.bounds import shuffle
from holdfast.evidence import Array

DELTA = 0.05
SIZES = (10**3, 10**4, 10**5, 10**6)
LARGEST_GRID = 10**4  # the peer takes a minute and more beyond
STEPS = 1000
REPEATS = 3

T = TypeVar("T")


def main() -> None:
    rng = np.random.default_rng(0)
    print(f"Two-sided 95% betting interval of n losses from Beta(10, 30); processor time, the best of {REPEATS} runs")
    print(f"{'n':>9} {'seconds':>9} {'growth':>7} {'grid':>9} {'ratio':>7}   interval, and how far out the grid's is")
    previous = None
    for n in SIZES:
        x = rng.beta(10, 30, n)
        seconds, claim = best_of(partial(hf.bound, hf.Losses(x), "betting", delta=DELTA))
        growth = f"{seconds / previous:6.1f}x" if previous else ""
        line = f"{n:>9} {seconds:9.5f} {growth:>7}"
        if n <= LARGEST_GRID:
            grid_seconds, (lower, upper) = best_of(partial(grid_interval, x), repeats=1)
            line += f" {grid_seconds:9.3f} {grid_seconds / seconds:6.0f}x   [{claim.lower:.6f}, {claim.upper:.6f}]"
            line += f"  {claim.lower - lower:.6f} {upper - claim.upper:.6f}"
        else:
            line += f" {'':>9} {'':>7}   [{claim.lower:.6f}, {claim.upper:.6f}]"
        print(line, flush=True)
        previous = seconds


def best_of(run: Callable[[], T], repeats: int = REPEATS) -> tuple[float, T]:
    times = []  # of the processor: everything here is one thread, and the machine may have other work
    for _ in range(repeats):
        start = time.process_time()
        result = run()
        times.append(time.process_time() - start)
    return min(times), result


def grid_interval(x: Array) -> tuple[float, float]:
    return grid_lower(x), 1.0 - grid_lower(1.0 - x)


def grid_lower(x: Array) -> float:
    """The last candidate of the first run of refuted ones, at the part of delta / 2 that is bet."""
    y = shuffle.shuffled(x[np.newaxis])[0]  # the same order, or the two could not be compared
    n, target = y.size, -np.log((1 - shuffle.kept_back(y.size)) * DELTA / 2)
    t = np.arange(1, n + 1)
    means = (0.5 + np.cumsum(y)) / (t + 1)
    variances = (0.25 + np.cumsum((y - means) ** 2)) / (t + 1)
    bets = np.sqrt(2 * target / (n * np.concatenate(([0.25], variances[:-1]))))
    refuted = np.zeros(STEPS + 1, dtype=bool)
    for step in range(STEPS + 1):
        m = step / STEPS
        capped = np.minimum(bets, room_of_betting.CAP / m) if m > 0 else bets
        refuted[step] = np.max(np.cumsum(np.log(1 + capped * (y - m)))) >= target
    return max(int(np.argmin(refuted)) - 1, 0) / STEPS


if __name__ == "__main__":
    main()
