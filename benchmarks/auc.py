"""The area under the ROC curve with DeLong's interval beside one sort of the scores, and its bootstrap beside a loop.

The peer is scikit-learn's roc_auc_score, which gives the bare number. Processor time counts; all take turns, so that
other work slows all alike. The loop over it is timed on a few resamples and scaled up.
"""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable
from functools import partial

import numpy as np

from holdfast.bounds.ranking import delong, delong_variance
from holdfast.evidence import Array, Scores

try:
    from sklearn.metrics import roc_auc_score
except ImportError:
    roc_auc_score = None

SIZES = (10**5, 10**6, 10**7)
DRAWN_FROM, RESAMPLES, TIMED = 10**5, 2_000, 8
REPEATS = 3
SHARE = 0.3  # of the examples are of the class


def main() -> None:
    if roc_auc_score is None:
        print("scikit-learn is not installed and left out")
    print(
        f"AUC with its DeLong interval, {SHARE:.0%} positives; processor seconds, best of {REPEATS}, sort = np.sort\n"
    )
    heads = f"{'sort':>8} {'holdfast':>9} {'x sort':>7} {'sklearn':>8} {'ratio':>6} {'apart by':>9} {'bytes':>6}"
    print(f"{'':24} {'n':>9} {heads}")
    for n in SIZES:
        for name, values, positive in laws(n):
            line(name, values, positive)
    print(
        f"\nBootstrap of AUC, {RESAMPLES} resamples of n = {DRAWN_FROM}; sklearn: a loop, {TIMED} resamples scaled up\n"
    )
    print(f"{'':24} {'holdfast':>9} {'sklearn':>8} {'ratio':>6}   standard deviation of the draws, and DeLong's")
    for name, values, positive in laws(DRAWN_FROM):
        again(name, values, positive)


def laws(n: int) -> list[tuple[str, Array, Array]]:
    rng = np.random.default_rng(n)
    positive = rng.random(n) < SHARE
    scores = rng.normal(positive * 1.0)
    shares = 1 / (1 + np.exp(-scores))
    return [
        ("probabilities", shares, positive),
        ("scores of both signs", scores, positive),
        ("1,000 distinct values", np.floor(shares * 1000) / 1000, positive),
    ]


def line(name: str, values: Array, positive: Array) -> None:
    runs: dict[str, Callable[[], object]] = {
        "sort": partial(np.sort, values),
        "holdfast": lambda: delong(Scores(values, positive), 0.05),
    }
    if roc_auc_score is not None:
        runs["sklearn"] = lambda: roc_auc_score(positive, values)
    best = race(runs)
    text = (
        f"{name:24} {values.size:>9} {best['sort']:8.4f} {best['holdfast']:9.4f} {best['holdfast'] / best['sort']:7.2f}"
    )
    if roc_auc_score is not None:
        apart = abs(float(Scores(values, positive).mean) - roc_auc_score(positive, values))
        text += f" {best['sklearn']:8.3f} {best['sklearn'] / best['holdfast']:6.1f} {apart:9.1e}"
    else:
        text += f" {'':8} {'':6} {'':9}"
    print(f"{text} {peak(values, positive) / values.size:6.1f}", flush=True)


def again(name: str, values: Array, positive: Array) -> None:
    scores = Scores(values, positive)
    start = time.process_time()
    drawn = scores.draws(np.random.default_rng(0), RESAMPLES)
    ours = time.process_time() - start
    text = f"{name:24} {ours:9.3f}"
    if roc_auc_score is None:
        text += f" {'':8} {'':6}"
    else:
        rng, start = np.random.default_rng(0), time.process_time()
        for _ in range(TIMED):
            rows = rng.integers(0, values.size, values.size)
            roc_auc_score(positive[rows], values[rows])
        loop = (time.process_time() - start) * RESAMPLES / TIMED
        text += f" {loop:8.1f} {loop / ours:6.0f}"
    print(f"{text}   {drawn.std():.6f} {np.sqrt(delong_variance(scores)):.6f}", flush=True)


def race(runs: dict[str, Callable[[], object]]) -> dict[str, float]:
    best = dict.fromkeys(runs, np.inf)
    for _ in range(REPEATS):
        for name, run in runs.items():
            start = time.process_time()
            run()
            best[name] = min(best[name], time.process_time() - start)
    return best


def peak(values: Array, positive: Array) -> int:
    """Bytes taken at most, beyond what was given."""
    tracemalloc.start()
    delong(Scores(values, positive), 0.05)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    return most


if __name__ == "__main__":
    main()
