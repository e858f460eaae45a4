"""The error of a vote of 50 validated models on 10^5 unlabelled inputs, against the programme as a textbook has it."""

from __future__ import annotations

import resource
import time

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

import holdfast as hf
from holdfast.selection.cores.committee import vote

CORES, LABELLED, INPUTS = 50, 5_000, 100_000


def main() -> None:
    for labels, alike in ((2, 0.9), (2, 0.0), (10, 0.9)):
        truth, said = answers(labels, alike)
        panel = hf.Panel(said[:, :LABELLED], truth[:LABELLED])
        rest = said[:, LABELLED:]
        target = vote(rest, labels)
        hf.infer(target[:100], panel, rest[:, :100])  # what is imported on first use
        clock, core = time.perf_counter(), time.process_time()
        claim = hf.infer(target, panel, rest)
        clock, core = time.perf_counter() - clock, time.process_time() - core
        memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
        error = np.mean(target != truth[LABELLED:])
        print(f"{CORES} cores, {INPUTS:,} inputs, {labels} labels, {'alike' if alike else 'independent'}")
        print(f"  hf.infer       {core:6.1f} s of one core, {clock:6.1f} s by the clock; {memory:.2f} GB at most")
        print(f"  the vote errs  {claim}; in truth {error:.4f}")
        if labels == 2:
            start = time.process_time()
            upper = textbook(target, rest, np.mean(panel.wrong, axis=1))
            taken = time.process_time() - start
            print(f"  linprog, a variable an input, upper limit only: {taken:6.1f} s of one core (limit {upper:.4f})")


def textbook(target: np.ndarray, cores: np.ndarray, rates: np.ndarray) -> float:
    """The largest error rate of the target if the cores err at their rates, give or take 0.02."""
    apart = cores != target
    rows = sparse.csc_array(1.0 - 2.0 * apart)
    most, least = ((rates + slack) * INPUTS - apart.sum(axis=1) for slack in (0.02, -0.02))
    limits = np.concatenate([most, -least])
    found = linprog(-np.ones(INPUTS), sparse.vstack([rows, -rows]), limits, bounds=(0, 1), method="highs")
    return float(-found.fun / INPUTS)


def answers(labels: int, alike: float) -> tuple[np.ndarray, np.ndarray]:
    """A truth, and models that err on 15 inputs in 100: where they are alike, mostly on the same."""
    random = np.random.default_rng(1)
    inputs = LABELLED + INPUTS
    truth = random.integers(0, labels, inputs)
    hard = random.beta(0.3, 1.7, inputs)
    rate = np.where(random.random((CORES, inputs)) < alike, hard, 0.15)
    wrong = (truth + random.integers(1, labels, rate.shape)) % labels
    return truth, np.where(random.random(rate.shape) < rate, wrong, truth)


if __name__ == "__main__":
    main()
