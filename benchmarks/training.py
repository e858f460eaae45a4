"""Ten folds of 50,000 rows against a bare loop and scikit-learn, and leave-one-out on 10,000 rows.

Each way runs in a process of its own, all in turn, again and again; the least of each counts, since other work on the
machine only adds. `first` is the first call in a process that has imported what it needs; `again` is a later one, when
two workers, wherever they are asked for, have been started before.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict, cross_validate
from sklearn.naive_bayes import GaussianNB

from holdfast.resampling import Plan, plan
from holdfast.training import fit_all

ROWS, FEATURES, FOLDS = 50_000, 20, 10
SINGLE_ROWS, SINGLE_LOOPED = 10_000, 500  # leave-one-out; splits that the bare loop is run for, then scaled up
REPEATS = 3
LEARNERS = {"GaussianNB": GaussianNB(), "LogisticRegression": LogisticRegression()}
Job = Callable[[Any, Any, NDArray[np.int64], Plan], object]


def drawn(rows: int) -> tuple[Any, NDArray[np.int64]]:
    random = np.random.default_rng(0)
    x = random.normal(size=(rows, FEATURES))
    return x, (x[:, :5].sum(axis=1) + 2 * random.normal(size=rows) > 0).astype(np.int64)


def loop(learner: Any, x: Any, y: NDArray[np.int64], splits: Plan) -> None:
    for train, test in splits:
        clone(learner).fit(x[train], y[train]).predict(x[test])


def loop_scored(learner: Any, x: Any, y: NDArray[np.int64], splits: Plan) -> None:
    for train, test in splits:
        model = clone(learner).fit(x[train], y[train])
        model.predict(x[test])
        model.predict_proba(x[test])


def ours(**options: Any) -> Job:
    return lambda learner, x, y, splits: fit_all(learner, x, y, splits, **options)


def validate(workers: int) -> Job:
    return lambda learner, x, y, splits: cross_validate(learner, x, y, cv=splits, n_jobs=workers)


def predict(workers: int) -> Job:
    return lambda learner, x, y, splits: cross_val_predict(learner, x, y, cv=splits, n_jobs=workers)


JOBS: dict[str, Job] = {
    "a bare loop: fit, predict": loop,
    "holdfast, serial, without scores": ours(engine="serial", scores=False),
    "a bare loop: fit, predict, predict_proba": loop_scored,
    "holdfast, serial, with scores": ours(engine="serial"),
    "cross_validate, 1 worker": validate(1),
    "cross_val_predict, 1 worker": predict(1),
    "holdfast, 1 worker": ours(workers=1, scores=False),
    "cross_validate, 2 workers": validate(2),
    "cross_val_predict, 2 workers": predict(2),
    "holdfast, 2 workers": ours(workers=2, scores=False),
}
RATIOS = {
    "holdfast, serial, without scores": ("a bare loop: fit, predict",),
    "holdfast, serial, with scores": ("a bare loop: fit, predict, predict_proba",),
    "holdfast, 1 worker": ("cross_validate, 1 worker", "cross_val_predict, 1 worker"),
    "holdfast, 2 workers": ("cross_validate, 2 workers", "cross_val_predict, 2 workers"),
}


def timed(name: str, kind: str) -> list[float]:
    """Wall seconds of the first call and of the best of those that follow."""
    learner, (x, y) = LEARNERS[kind], drawn(ROWS)
    clone(learner).fit(x[:1000], y[:1000]).predict(x[:10])
    splits = plan("kfold", y, folds=FOLDS, seed=0)
    fit_all(GaussianNB(), x[:40], np.arange(40) % 2, plan("kfold", np.arange(40) % 2, folds=2), engine="serial")
    taken = []
    for number in range(4):
        if number == 1 and "2 workers" in name:
            validate(2)(GaussianNB(), x[:40], np.arange(40) % 2, plan("kfold", np.arange(40), folds=4))
        start = time.perf_counter()
        JOBS[name](learner, x, y, splits)
        taken.append(time.perf_counter() - start)
    return [taken[0], min(taken[1:])]


def folds() -> None:
    print(f"{FOLDS} folds of {ROWS:,} rows with {FEATURES} features; wall seconds, best of {REPEATS} processes\n")
    for kind in LEARNERS:
        found: dict[str, list[list[float]]] = {name: [] for name in JOBS}
        for _ in range(REPEATS):
            for name in JOBS:
                words = [sys.executable, __file__, "--job", name, kind]
                done = subprocess.run(words, check=True, capture_output=True, text=True)
                found[name].append(json.loads(done.stdout))
        best = {name: [min(column) for column in zip(*runs, strict=True)] for name, runs in found.items()}
        print(f"  {kind:42} {'first':>8} {'again':>8}")
        for name, (first, again) in best.items():
            print(f"    {name:40} {first:8.3f} {again:8.3f}")
            for peer in RATIOS.get(name, ()):
                print(f"      times {peer:34} {first / best[peer][0]:8.2f} {again / best[peer][1]:8.2f}")
        print(flush=True)


def single() -> None:
    x, y = drawn(SINGLE_ROWS)
    everyone = plan("leave-one-out", y)
    start = time.perf_counter()
    for split in range(SINGLE_LOOPED):
        train, test = everyone.train(split), everyone.test(split)
        clone(GaussianNB()).fit(x[train], y[train]).predict(x[test])
    looped = (time.perf_counter() - start) * SINGLE_ROWS / SINGLE_LOOPED
    print(f"Leave-one-out on {SINGLE_ROWS:,} rows with GaussianNB, without scores; wall seconds\n")
    print(f"  a bare loop, scaled up from {SINGLE_LOOPED} splits      {looped:8.1f}")
    for workers in (1, 2):
        start = time.perf_counter()
        fits = fit_all(GaussianNB(), x, y, everyone, workers=workers, scores=False)
        taken = time.perf_counter() - start
        told = f"{fits.tasks} tasks sent" if fits.tasks else "nothing sent"
        print(f"  holdfast, {workers} worker{'s' * (workers > 1):27} {taken:8.1f}; {taken / looped:.2f} times; {told}")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--job", nargs=2, help=argparse.SUPPRESS)
    asked = arguments.parse_args()
    if asked.job:
        print(json.dumps(timed(*asked.job)))
    else:
        folds()
        single()


if __name__ == "__main__":
    main()
