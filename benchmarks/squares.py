"""How long the order-free interval takes, how that grows with the draws, and how wide it is beside the normal one.

The peers are the other guaranteed methods for the same losses: `mixture`, in which no order enters either, and
`maurer-pontil`, which takes over beyond 10^6. Widths are in parts of the normal interval, 2 x 1.96 s / sqrt(n).
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

import holdfast as hf
from holdfast.catalog import find
from holdfast.claims import Claim
from holdfast.evidence import Counts
from holdfast.evidence.draws import Ratio
from holdfast.evidence.losses import Losses

SIZES = (10**3, 10**4, 10**5, 10**6)
REPEATS = 3
PEERS = ("mixture", "maurer-pontil")


def losses(rng: np.random.Generator, n: int) -> dict[str, Losses]:
    return {
        "Beta(10, 30)": Losses(rng.beta(10, 30, n)),
        "grades 0, .5, 1": Losses(rng.choice([0.0, 0.5, 1.0], n, p=[0.7, 0.2, 0.1])),
    }


def clusters(rng: np.random.Generator, n: int) -> Ratio:
    trials = rng.integers(1, 7, n)
    return Ratio.of_counts(Counts(rng.binomial(trials, rng.beta(1, 5, n)), trials), most=6)


def main() -> None:
    rng = np.random.default_rng(0)
    print(f"Two-sided 95 % intervals of n draws; processor time, the best of {REPEATS} runs, and the first one")
    print(f"{'draws':>9}  {'law':18} {'method':14} {'seconds':>9} {'first':>9} {'width':>7}")
    for n in SIZES:
        for law, sample in losses(rng, n).items():
            normal = 2 * 1.959964 * float(np.sqrt(sample.s2 / n))
            for method in ("squares", *PEERS):
                show(n, law, method, lambda e=sample, m=method: hf.bound(e, m), normal)
        drawn = clusters(rng, n)
        for method in ("squares", "cluster-sums"):
            show(n, "clusters of 1 to 6", method, lambda e=drawn, m=method: find(m)(e), ratio_width(drawn))


def ratio_width(drawn: Ratio) -> float:
    """The normal interval of a ratio, from what each cluster adds to it."""
    rest = drawn.above - float(drawn.mean) * drawn.below
    return float(2 * 1.959964 * np.sqrt(np.sum(rest**2)) / drawn.below.sum())


def show(n: int, law: str, method: str, run: Callable[[], Claim], normal: float) -> None:
    times = []  # of the processor: everything here is one thread, and the machine may have other work
    for _ in range(REPEATS):
        start = time.process_time()
        claim = run()
        times.append(time.process_time() - start)
    width = float(claim.upper - claim.lower) / normal
    print(f"{n:>9}  {law:18} {method:14} {min(times):9.4f} {times[0]:9.4f} {width:7.2f}", flush=True)


if __name__ == "__main__":
    main()
