"""Bootstrap of four measures at once: how long it takes, that this does not depend on n, and what rows cost instead.

We draw the table, not the rows, and read all four measures off the same draws. The peer is scipy.stats.bootstrap, one
call a measure, with scikit-learn's functions as its statistics, and again with the quickest statistic one can write
by hand (one bincount). Its time grows with the number of resamples and nothing else, so a few are timed, the time of a
call with two is taken off, and what is left is scaled up. Its BCa would need n more evaluations of every
measure; both sides take the percentile method.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import numpy as np
from scipy import stats
from sklearn import metrics

from holdfast.bounds.bootstrap import share_draws
from holdfast.catalog import find, find_measure
from holdfast.evidence import Array, Contingency, TableStatistic

RESAMPLES = 10_000
SIZES = (10**3, 10**5, 10**6)
PEER_SIZE = 10**5
FEW = 12  # resamples of the peer that are timed
SOME = 1500  # resamples of the peer's quickest form, for its limits
REPEATS = 3
MEASURES: dict[str, Callable[..., float]] = {
    "accuracy": metrics.accuracy_score,
    "macro-f1": partial(metrics.f1_score, average="macro"),
    "mcc": metrics.matthews_corrcoef,
    "kappa": metrics.cohen_kappa_score,
}

T = TypeVar("T")


def main() -> None:
    for classes in (2, 10):
        print(f"{classes} classes, {RESAMPLES:,} resamples; seconds of the processor, the best of {REPEATS} runs")
        for n in SIZES:
            actual, predicted = examples(classes, n)
            table = tabulated(actual, predicted, classes)
            seconds, limits = best_of(partial(ours, table))
            print(f"  n = {n:>9,}: all four {seconds:8.4f}")
            if n == PEER_SIZE:
                against_scipy(actual, predicted, classes, seconds, limits)
        print()


def against_scipy(actual: Array, predicted: Array, classes: int, seconds: float, limits: dict[str, Array]) -> None:
    rows = (actual, predicted)
    by_library = sum(scaled(rows, function) for function in MEASURES.values())
    by_hand = sum(scaled(rows, partial(from_table, name, classes)) for name in MEASURES)
    for what, theirs in (("scikit-learn's functions", by_library), ("statistics by bincount", by_hand)):
        print(f"    scipy.stats.bootstrap of {what:<24} {theirs:8,.0f}  ratio {theirs / seconds:8,.0f}x")
    for name, (lower, upper) in limits.items():
        found = resampled(rows, partial(from_table, name, classes), SOME)
        low, high, error = *found.confidence_interval, found.standard_error
        print(f"    {name:>9} [{lower:.5f}, {upper:.5f}]  scipy's [{low:.5f}, {high:.5f}], off by", end=" ")
        print(f"{(lower - low) / error:+.2f} and {(upper - high) / error:+.2f} standard errors")


def examples(classes: int, n: int) -> tuple[Array, Array]:
    rng = np.random.default_rng(0)
    actual = rng.integers(0, classes, n)
    return actual, np.where(rng.random(n) < 0.8, actual, rng.integers(0, classes, n))


def tabulated(actual: Array, predicted: Array, classes: int) -> Contingency:
    counts = np.bincount(classes * predicted + actual, minlength=classes * classes)
    return Contingency(counts.reshape(classes, classes), rows="predicted")


def ours(table: Contingency) -> dict[str, Array]:
    evidence = {name: TableStatistic.of(find_measure(name), table) for name in MEASURES}
    share_draws(list(evidence.values()), RESAMPLES, seed=0)
    claims = {name: find("percentile")(each, resamples=RESAMPLES, seed=0) for name, each in evidence.items()}
    return {name: np.array([claim.lower, claim.upper]) for name, claim in claims.items()}


def from_table(name: str, classes: int, actual: Array, predicted: Array) -> float:
    evidence = find_measure(name)(tabulated(actual, predicted, classes))
    return float(evidence.units(evidence.mean))


def resampled(rows: tuple[Array, Array], statistic: Callable[..., float], resamples: int) -> Any:
    return stats.bootstrap(
        rows,
        statistic,
        paired=True,
        vectorized=False,
        n_resamples=resamples,
        batch=1,  # or it would lay out all resamples at once
        method="percentile",
        rng=np.random.default_rng(0),
    )


def scaled(rows: tuple[Array, Array], statistic: Callable[..., float]) -> float:
    one, few = (best_of(partial(resampled, rows, statistic, resamples), 2)[0] for resamples in (2, FEW + 2))
    return (few - one) / FEW * RESAMPLES


def best_of(run: Callable[[], T], repeats: int = REPEATS) -> tuple[float, T]:
    times = []  # of the processor: everything here is one thread, and the machine may have other work
    for _ in range(repeats):
        start = time.process_time()
        result = run()
        times.append(time.process_time() - start)
    return min(times), result


if __name__ == "__main__":
    main()
