"""All pairwise disagreements of 2,000 models on 50,000 inputs, against scikit-learn's hamming distances.

The answers of a model stand side by side in memory, or as in most tables those to an input do: scikit-learn takes the
latter as it comes, at a price.
"""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from functools import partial

import numpy as np
from scipy.spatial.distance import pdist
from sklearn.metrics import pairwise_distances

from holdfast.selection.cores.cores import disagreements

MODELS, INPUTS = 2_000, 50_000
SAMPLED = (
    300  # models that the peers are run for where nothing is claimed; their time is scaled up by the number of pairs
)
AGAIN = 9  # times that ours is run; the least counts, since other work on the machine only adds


def main() -> None:
    disagreements(answers(400, 4_000, 2))  # what is imported on first use
    print(f"{MODELS:,} models on {INPUTS:,} inputs: {MODELS * (MODELS - 1) // 2:,} pairs\n")
    compared("2 labels", answers(MODELS, INPUTS, 2), MODELS)
    compared("2 labels, all by tossing coins: no input is easy", coins(MODELS, INPUTS), SAMPLED)
    for labels in (3, 10):
        compared(f"{labels} labels", answers(MODELS, INPUTS, labels), SAMPLED)
        compared(f"{labels} labels, one error in five drawn from all", answers(MODELS, INPUTS, labels, 0.2), SAMPLED)


def compared(title: str, said: np.ndarray, sampled: int) -> None:
    print(title)
    laid_out("by model", said, sampled)
    laid_out("by input", np.asfortranarray(said), SAMPLED)


def laid_out(order: str, said: np.ndarray, sampled: int) -> None:
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    wall, taken, found = min((timed(partial(disagreements, said)) for _ in range(AGAIN)), key=lambda run: run[0])
    more = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 2**10
    print(
        f"  {order}, holdfast                {taken:6.2f} s of a core, {wall:6.2f} s by the clock; {more:,.0f} MB more"
    )
    some = np.asarray(said[:sampled], order="C" if order == "by model" else "F")
    scale = MODELS * (MODELS - 1) / (sampled * (sampled - 1))
    how = "" if sampled == MODELS else f" (scaled up from {sampled} models)"
    peers: dict[str, Callable[[], np.ndarray]] = {
        "pairwise_distances": partial(pairwise_distances, some, metric="hamming"),
        "scipy pdist": partial(pdist, some, metric="hamming"),
    }
    for name, work in peers.items():
        clock, each, result = timed(work)
        if name == "pairwise_distances":
            assert np.array_equal(np.rint(result * INPUTS), found[:sampled, :sampled])
        print(
            f"  {order}, {name:22} {each * scale:8.1f} s of a core, {clock * scale:6.1f} s by the clock; "
            f"{each * scale / taken:.0f} and {clock * scale / wall:.0f} times as long{how}",
            flush=True,
        )


def coins(models: int, inputs: int) -> np.ndarray:
    return np.random.default_rng(0).integers(0, 2, (models, inputs), dtype=np.int8)


def answers(models: int, inputs: int, labels: int, at_random: float = 0.0) -> np.ndarray:
    """Models that share what is hard: right on 4 inputs in 5 and, where wrong, wrong alike but for some errors."""
    random = np.random.default_rng(0)
    truth, lure = random.integers(0, labels, (2, inputs))
    hard = random.beta(0.4, 1.6, inputs)
    said = np.empty((models, inputs), np.int8)
    for row in said:
        wrong = random.random(inputs) < hard
        row[:] = np.where(wrong, lure, truth)
        if at_random:
            drawn = np.flatnonzero(wrong & (random.random(inputs) < at_random))
            row[drawn] = random.integers(0, labels, len(drawn))
    return said


def timed(work: Callable[[], np.ndarray]) -> tuple[float, float, np.ndarray]:
    """Seconds by the clock and of the processor: others may be at work on the same machine."""
    wall, processor = time.perf_counter(), time.process_time()
    result = work()
    return time.perf_counter() - wall, time.process_time() - processor, result


if __name__ == "__main__":
    main()
