"""The survey's coverage curves (n = 10..200, 1000 true rates, three methods) against loops over scipy.stats.binom."""

from __future__ import annotations

import time

import numpy as np
from scipy.stats import binom

import holdfast as hf

METHODS = ("normal", "wilson", "clopper-pearson")
SIZES = range(10, 201)
RATES = np.linspace(0.0, 0.5, 1000)
EVERY = 10  # the loop is timed on every tenth size and scaled up; each size costs what its neighbours cost


def by_loops(sizes: range) -> dict[str, np.ndarray]:
    """As one would write it: for each size and method, sum the probabilities of the covering counts."""
    curves: dict[str, list[np.ndarray]] = {name: [] for name in METHODS}
    for n in sizes:
        counts = np.arange(n + 1)
        for name in METHODS:
            upper = hf.bound(hf.Counts(counts, n), name, delta=0.05, side="upper").upper
            curves[name].append(np.array([binom.pmf(counts[upper >= rate], n, rate).sum() for rate in RATES]))
    return {name: np.array(rows) for name, rows in curves.items()}


def main() -> None:
    hf.coverage_curves(METHODS, [5], RATES, side="upper")  # warm: imports are not what is measured
    start = time.perf_counter()
    ours = hf.coverage_curves(METHODS, SIZES, RATES, side="upper")
    ours_time = time.perf_counter() - start
    some = range(SIZES.start, SIZES.stop, EVERY)
    start = time.perf_counter()
    theirs = by_loops(some)
    loop_time = (time.perf_counter() - start) * len(SIZES) / len(some)
    apart = max(float(np.abs(ours[name][::EVERY] - theirs[name]).max()) for name in METHODS)
    print(f"coverage curves: {len(SIZES)} sizes x {RATES.size} rates x {len(METHODS)} methods, upper limits")
    print(f"  holdfast.coverage_curves   {ours_time:9.3f} s")
    print(f"  loops over binom.pmf       {loop_time:9.3f} s (every {EVERY}th size, scaled up)")
    print(f"  ratio                      {loop_time / ours_time:9.0f}")
    print(f"  largest difference         {apart:9.1e}")


if __name__ == "__main__":
    main()
