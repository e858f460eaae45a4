"""Every group in one call: 10^6 rows in 10^5 groups, against a loop over the groups."""

from __future__ import annotations

import resource
import time

import numpy as np
import polars as pl

import holdfast as hf

ROWS, GROUPS = 1_000_000, 100_000
LOOPED = 200  # groups that the loops are run for; their time is scaled up


def main() -> None:
    random = np.random.default_rng(0)
    truth = random.integers(0, 2, ROWS)
    predicted = np.where(random.random(ROWS) < 0.9, truth, 1 - truth)
    user = random.integers(0, GROUPS, ROWS)
    hf.assess(truth[:100], predicted[:100], groups={"user": user[:100]})  # what is imported on first use
    start = time.perf_counter()
    report = hf.assess(truth, predicted, groups={"user": user}, simultaneous=True)
    taken = time.perf_counter() - start
    start = time.perf_counter()
    frame = report.to_frame()
    framed = time.perf_counter() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    print(f"{ROWS:,} rows in {GROUPS:,} groups: {frame.height:,} intervals that hold together")
    print(f"  hf.assess(..., groups=, simultaneous=True)   {taken:9.2f} s, {memory:.2f} GB at most")
    print(f"  and all of them as a frame                   {framed:9.2f} s")
    rows = pl.DataFrame({"truth": truth, "predicted": predicted, "user": user})
    parts = rows.partition_by("user", as_dict=False)[:LOOPED]
    for name, work in (("hf.assess of each group", looped_assess), ("hf.bound of each group's counts", looped_bound)):
        start = time.perf_counter()
        for part in parts:
            work(part)
        scaled = (time.perf_counter() - start) * GROUPS / LOOPED
        print(f"  a loop: {name:36} {scaled:9.0f} s, scaled up from {LOOPED}; {scaled / taken:,.0f} times as long")


def looped_assess(part: pl.DataFrame) -> object:
    return hf.assess(part["truth"], part["predicted"], only=["error-rate", "precision", "recall"])


def looped_bound(part: pl.DataFrame) -> object:
    truth, predicted = part["truth"].to_numpy(), part["predicted"].to_numpy()
    hits = int(np.sum(truth & predicted))
    counts = (
        (int(np.sum(truth != predicted)), truth.size),
        (hits, int(predicted.sum())),
        (hits, int(truth.sum())),
    )
    return [hf.bound(hf.Counts(k, n)) for k, n in counts]


if __name__ == "__main__":
    main()
