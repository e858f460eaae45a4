"""How tight each bound is: the mean of (upper limit - mean of the losses) over the slack of a known normal.

1 is what one could claim with a known variance and infinite n; a bound that holds at every n pays more.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import holdfast as hf
from holdfast.errors import UnfitMethod
from holdfast.evidence import Array

N = 1000
SAMPLES = 300
DELTA = 0.05
NORMAL = 1.6448536269514722  # the normal quantile at 1 - DELTA

Draw = Callable[[np.random.Generator, tuple[int, int]], Array]


def beta(a: float, b: float) -> tuple[Draw, float]:
    return lambda rng, shape: rng.beta(a, b, shape), np.sqrt(a * b / ((a + b) ** 2 * (a + b + 1)))


def bernoulli(p: float) -> tuple[Draw, float]:
    return lambda rng, shape: (rng.random(shape) < p).astype(float), np.sqrt(p * (1 - p))


def mostly_zero(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    return np.where(rng.random(shape) < 0.95, 0.0, rng.random(shape))


# Each law's draw and its true standard deviation.
LAWS: dict[str, tuple[Draw, float]] = {
    "Beta(10,30)": beta(10, 30),
    "Beta(2,8)": beta(2, 8),
    ".95 zero": (mostly_zero, np.sqrt(0.05 / 3 - 0.025**2)),
    "U(.2,.3)": (lambda rng, shape: rng.uniform(0.2, 0.3, shape), 0.1 / np.sqrt(12)),
    "Bern(.25)": bernoulli(0.25),
    "Bern(.01)": bernoulli(0.01),
}
METHODS = (
    *("squares", "betting", "star", "mixture", "maurer-pontil", "bentkus"),
    *("NOR", "WIL", "CP", "CHE", "GUT", "BER", "MAU", "CRF", "T_HOE", "HOE"),
)


def main() -> None:
    samples = {law: draw(np.random.default_rng(0), (SAMPLES, N)) for law, (draw, _) in LAWS.items()}
    print(f"(U - mean) / (1.645 sigma / sqrt n), one-sided delta = {DELTA}, n = {N}, mean of {SAMPLES} samples a law")
    print("NOR and WIL promise nothing at a given n; a dash: not for such losses")
    print(f"{'':14}" + "".join(f"{law:>13}" for law in LAWS))
    for method in METHODS:
        cells = [ratio(method, samples[law], deviation) for law, (_, deviation) in LAWS.items()]
        print(f"{method:14}" + "".join(f"{'-' if cell is None else f'{cell:.2f}':>13}" for cell in cells), flush=True)


def ratio(method: str, x: Array, deviation: float) -> float | None:
    """The mean ratio over the samples; 0/1 losses go to a method that takes only counts as what they are."""
    evidence: list[hf.Losses | hf.Counts] = [hf.Losses(x)]
    if np.all((x == 0) | (x == 1)):
        evidence.append(hf.Counts(x.sum(axis=-1), N))
    for given in evidence:
        try:
            upper = hf.bound(given, method, delta=DELTA, side="upper").upper
        except UnfitMethod:
            continue
        return float(np.mean(upper - given.mean) / (NORMAL * deviation / np.sqrt(N)))
    return None


if __name__ == "__main__":
    main()
