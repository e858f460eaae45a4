"""All pairwise disagreements of 2,000 models on 50,000 inputs, against scikit-learn's hamming distances."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from functools import partial

import numpy as np
from scipy.spatial.distance import pdist
from sklearn.metrics import pairwise_distances

from holdfast.comparisons.agreement import disagreements

MODELS, INPUTS = 2_000, 50_000
SAMPLED = 300  # models that the peers are run for; their time is scaled up by the number of pairs


def main() -> None:
    disagreements(answers(400, 4_000, 2))  # what is imported on first use
    for labels in (2, 3, 10):
        said = answers(MODELS, INPUTS, labels)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        wall, taken, found = timed(partial(disagreements, said))
        more = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 2**10
        print(f"{MODELS:,} models on {INPUTS:,} inputs, {labels} labels: {MODELS * (MODELS - 1) // 2:,} pairs")
        print(
            f"  holdfast disagreements        {taken:8.2f} s of one core, {wall:8.2f} s by the clock; "
            f"{more:,.0f} MB more"
        )
        some = said[:SAMPLED]
        scale = MODELS * (MODELS - 1) / (SAMPLED * (SAMPLED - 1))
        peers: dict[str, Callable[[], np.ndarray]] = {
            "scikit-learn pairwise_distances": partial(pairwise_distances, some, metric="hamming"),
            "scipy pdist": partial(pdist, some, metric="hamming"),
        }
        for name, work in peers.items():
            clock, each, result = timed(work)
            if name.startswith("scikit"):
                assert np.array_equal(np.rint(result * INPUTS), found[:SAMPLED, :SAMPLED])
            print(
                f"  {name:29} {each * scale:8.1f} s of one core, {clock * scale:8.1f} s by the clock; "
                f"{each * scale / taken:.0f} and {clock * scale / wall:.0f} times as long "
                f"(scaled up from {SAMPLED} models)"
            )


def answers(models: int, inputs: int, labels: int) -> np.ndarray:
    """Models that share what is hard: right on 4 inputs in 5 and, where wrong, often wrong alike."""
    random = np.random.default_rng(0)
    truth, lure = random.integers(0, labels, (2, inputs))
    hard = random.beta(0.4, 1.6, inputs)
    said = np.empty((models, inputs), np.int8)
    for row in said:
        row[:] = np.where(random.random(inputs) < hard, lure, truth)
    return said


def timed(work: Callable[[], np.ndarray]) -> tuple[float, float, np.ndarray]:
    """Seconds by the clock and of the processor: others may be at work on the same machine."""
    wall, processor = time.perf_counter(), time.process_time()
    result = work()
    return time.perf_counter() - wall, time.process_time() - processor, result


if __name__ == "__main__":
    main()
