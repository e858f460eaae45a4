"""Clusters, weights and groups at once on 10^7 rows; models compared by group with clusters on 10^6.

The peer for estimates is scikit-learn with sample_weight, which has neither interval nor group: bare numbers, for each
group in a loop, and nothing of clusters.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np
import polars as pl

import holdfast as hf

ROWS, CLUSTERS, GROUPS, MOST = 10_000_000, 100_000, 20, 400
COMPARED, MODELS = 1_000_000, 20
RATES = ["error-rate", "accuracy", "recall", "precision", "specificity"]


def main() -> None:
    """Each job in a process of its own, so that memory is its own."""
    parser = argparse.ArgumentParser()
    parser.add_argument("job", nargs="?", choices=JOBS)
    job = parser.parse_args().job
    if job is not None:
        JOBS[job]()
        return
    for name in JOBS:
        subprocess.run([sys.executable, __file__, name], check=True)


def rows(whole: bool) -> tuple[pl.DataFrame, float]:
    """Rows in clusters, with weights, in groups of whole clusters or across them."""
    random = np.random.default_rng(0)
    cluster = np.sort(random.integers(0, CLUSTERS, ROWS, np.int32))
    truth = random.integers(0, 2, ROWS, np.int8)
    predicted = np.where(random.random(ROWS, np.float32) < 0.9, truth, 1 - truth)
    weight = random.choice(np.array([0.5, 1.0, 2.0]), ROWS)
    group = cluster % GROUPS if whole else random.integers(0, GROUPS, ROWS, np.int32)
    frame = pl.DataFrame({"truth": truth, "predicted": predicted, "cluster": cluster, "weight": weight, "group": group})
    return frame, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def told(what: str, work: Callable[[], hf.Report], frame: float) -> hf.Report:
    hf.assess([0, 1] * 20, [0] * 40, clusters=[*range(40)], max_cluster=2)  # what is imported on first use
    hf.compare([0, 1] * 20, {"a": [0] * 40, "b": [1] * 40}, clusters=[*range(40)], max_cluster=2)
    start, busy = time.perf_counter(), time.process_time()
    report = work()
    taken, busy = time.perf_counter() - start, time.process_time() - busy
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    lines = f"{sum(1 for _ in report.lines):,} lines, "
    spent = f"{taken:7.2f} s, {busy:.2f} s of processors"
    print(f"{what:66} {spent}, {lines}{memory:.2f} GB at most, {frame:.2f} of it the rows", flush=True)
    return report


def rates(whole: bool) -> None:
    frame, memory = rows(whole)
    read = hf.read(frame, truth="truth", predicted="predicted", cluster="cluster", weight="weight", by="group")
    kind = "of whole clusters" if whole else "across clusters"
    report = told(
        f"{ROWS:,} rows, {CLUSTERS:,} clusters, weights, {GROUPS} groups {kind}, 5 rates",
        lambda: hf.assess(read, max_cluster=MOST, max_weight=2.0, positive=1, only=RATES),
        memory,
    )
    start = time.perf_counter()
    from sklearn.metrics import accuracy_score, precision_score, recall_score

    for _, part in frame.group_by("group"):
        numbers = part["truth"].to_numpy(), part["predicted"].to_numpy()
        weight = part["weight"].to_numpy()
        for score in (accuracy_score, recall_score, precision_score):
            score(*numbers, sample_weight=weight)
    taken = time.perf_counter() - start
    print(f"  scikit-learn, 3 bare numbers of each group, no interval{'':10} {taken:7.2f} s")
    print(f"  {report['recall', '1']}")


def areas() -> None:
    frame, memory = rows(whole=True)
    scores = np.random.default_rng(1).random(ROWS) * 0.7 + 0.3 * frame["truth"].to_numpy()
    read = hf.read(
        frame.with_columns(score=scores), truth="truth", score="score", cluster="cluster", weight="weight", by="group"
    )
    told(
        f"AUC of the same, {GROUPS} groups",
        lambda: hf.assess(read, max_cluster=MOST, max_weight=2.0, positive=1, only="auc"),
        memory,
    )


def comparison() -> None:
    random = np.random.default_rng(2)
    truth = random.integers(0, 2, COMPARED, np.int8)
    said = {
        f"model {place}": np.where(random.random(COMPARED) < 0.8 + place / 200, truth, 1 - truth)
        for place in range(MODELS)
    }
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    told(
        f"{COMPARED:,} rows x {MODELS} models, 10,000 clusters, 10 groups, error rate",
        lambda: hf.compare(
            truth,
            said,
            clusters=np.arange(COMPARED) // 100,
            max_cluster=100,
            groups={"group": np.arange(COMPARED) // 100 % 10},
        ),
        memory,
    )


JOBS: dict[str, Callable[[], None]] = {
    "whole": lambda: rates(whole=True),
    "across": lambda: rates(whole=False),
    "areas": areas,
    "comparison": comparison,
}

if __name__ == "__main__":
    main()
