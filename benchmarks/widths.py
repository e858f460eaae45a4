"""How wide the intervals are that answer by default, beside those that answered before and the normal one.

The width of the two-sided 95 % interval, on average over seeded samples, in parts of 3.92 true standard deviations of
the estimate: 1 is what somebody could claim who knew the deviation and had no end of examples. Every line has a bar;
the benchmark fails where a default is above it.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

import holdfast as hf
from holdfast.catalog import find, find_measure
from holdfast.evidence import Array, Contingency, Evidence, Losses, Scores
from holdfast.evidence.folds.sample import Progressive
from holdfast.verbs.bound import default_methods

N, SAMPLES, MANY, TWO_SIDED = 1000, 60, 20_000, 2 * 1.959964
REPEATS = 5

Generator = np.random.Generator
Draw = Callable[[Generator], Evidence]


class Line(NamedTuple):
    """A law, what is drawn from it, the deviation of the estimate, who answered before, and the bar."""

    law: str
    draw: Draw
    deviation: float
    before: str
    bar: float | None = None


def losses() -> Iterator[Line]:
    half = np.array([0.0, 0.5, 1.0])
    five = np.arange(5) / 4
    marks = np.array([0.05, 0.1, 0.2, 0.35, 0.3])
    laws: list[tuple[str, Callable[[Generator, int], Array], float]] = [
        ("0, 0.5, 1 (0.7, 0.2, 0.1)", lambda rng, n: rng.choice(half, n, p=[0.7, 0.2, 0.1]), 1.45),
        ("means of clusters of 4, rho 0.3", lambda rng, n: rng.binomial(4, beta(rng, 0.2, 0.3, n)) / 4, 1.45),
        ("marks of 5 points", lambda rng, n: rng.choice(five, n, p=marks), 1.45),
        ("Beta(3, 27)", lambda rng, n: rng.beta(3, 27, n), 1.85),
        ("90 % zeros, else Beta(2, 2)", lambda rng, n: np.where(rng.random(n) < 0.9, 0, rng.beta(2, 2, n)), 1.45),
    ]
    for law, values, bar in laws:
        spread = float(np.std(values(np.random.default_rng(1), 50 * MANY))) / np.sqrt(N)
        yield Line(law, lambda rng, draw=values: Losses(draw(rng, N)), spread, "betting", bar)  # type: ignore[misc]


def beta(rng: Generator, mean: float, rho: float, n: int) -> Array:
    """Rates of clusters whose rows are correlated by rho."""
    size = 1 / rho - 1
    return rng.beta(mean * size, (1 - mean) * size, n)


def areas() -> Iterator[Line]:
    for m, n, shift, bar in ((500, 500, 1.5, 1.65), (50, 950, 1.5, 1.6), (500, 500, 3.0, None)):

        def draw(rng: Generator, m: int = m, n: int = n, shift: float = shift) -> Scores:
            return Scores(np.concatenate([rng.normal(shift, 1, m), rng.normal(0, 1, n)]), np.arange(m + n) < m)

        rng = np.random.default_rng(1)
        spread = float(np.std([draw(rng).mean for _ in range(MANY // 10)]))
        yield Line(f"AUC {m} + {n}, normal scores {shift:g} apart", draw, spread, "auc-bentkus", bar)


def agreements() -> Iterator[Line]:
    for name in ("mcc", "kappa"):
        for share, first, second in ((0.5, 0.9, 0.8), (0.1, 0.8, 0.95)):
            cells = np.array([share * first, (1 - share) * (1 - second), share * (1 - first), (1 - share) * second])

            def draw(rng: Generator, size: int | None = None, cells: Array = cells, name: str = name) -> Evidence:
                counts = rng.multinomial(N, cells, size)
                return find_measure(name)(Contingency(counts.reshape(*counts.shape[:-1], 2, 2), rows="predicted"))

            spread = float(np.std(draw(np.random.default_rng(1), MANY).estimate))
            yield Line(f"{name}, prevalence {share:g}, recalls {first:g} and {second:g}", draw, spread, "box", 1.5)


def sequences() -> Iterator[Line]:
    for risk, bar in ((0.1, None), (0.03, 1.7)):
        spread = np.sqrt(risk * (1 - risk) / N)
        yield Line(
            f"progressive validation at risk {risk:g}",
            lambda rng, risk=risk: Progressive.from_counts([rng.binomial(N, risk)], [N]),  # type: ignore[misc]
            spread,
            "progressive",
            bar,
        )


def averages() -> Iterator[Line]:
    """No bar: as wide as measured; the classes are alike, nine of ten examples right."""
    for name in ("balanced-accuracy", "macro-f1"):
        for classes in (2, 5, 10):
            chances = np.where(np.eye(classes) > 0, 0.9, 0.1 / (classes - 1)) / classes

            def draw(
                rng: Generator, size: tuple[int, ...] = (), chances: Array = chances, name: str = name
            ) -> Evidence:
                counts = rng.multinomial(N, chances.ravel(), size or None).reshape(*size, *chances.shape)
                return find_measure(name)(Contingency(counts, rows="predicted"))

            rng = np.random.default_rng(1)
            spread = float(np.std(draw(rng, (MANY,)).estimate))
            yield Line(f"{name}, {classes} classes", draw, spread, default_methods(draw(rng))[0].name)


def main() -> int:
    print(f"Two-sided 95 % intervals in parts of {TWO_SIDED:.2f} true standard deviations, {SAMPLES} samples a line")
    print(f"{'n = 1,000':52} {'before':>22} {'now':>26} {'bar':>6}")
    above = 0
    for line in (*losses(), *areas(), *agreements(), *sequences(), *averages()):
        rng = np.random.default_rng(0)
        samples = [line.draw(rng) for _ in range(SAMPLES)]
        now = default_methods(samples[0])[0].name
        widths = {
            name: np.mean([find(name)(each).width for each in samples]) / (TWO_SIDED * line.deviation)
            for name in (line.before, now)
        }
        above += int(line.bar is not None and widths[now] > line.bar)
        before, after = (f"{name} {widths[name]:.2f}" for name in (line.before, now))
        bar = "" if line.bar is None else f"{line.bar:.2f}"
        print(f"{line.law:52} {before:>22} {after:>26} {bar:>6}".rstrip(), flush=True)
    print("Every default is within its bar." if not above else f"{above} above the bar.")
    print(f"\nProcessor seconds, the best of {REPEATS} runs and the first one; both limits, rows already read")
    for what, run in timed():
        times = [processor_seconds(run) for _ in range(REPEATS)]
        print(f"{what:52} {min(times):9.4f} {times[0]:9.4f}", flush=True)
    return above


def timed() -> Iterator[tuple[str, Callable[[], object]]]:
    rng = np.random.default_rng(0)
    for m, n, digits in ((500, 500, 9), (500, 500, 1), (5_000, 10**6, 9), (5_000, 10**6, 1)):
        values = np.concatenate([rng.normal(1.5, 1, m), rng.normal(0, 1, n)]).round(digits)
        scores = Scores(values, np.arange(m + n) < m)
        assert scores.order.positives.number == m  # sorted once, here
        ties = ", ties" if digits == 1 else ""
        yield f"auc-matchings, {m:,} + {n:,}{ties}", partial(find("auc-matchings"), scores)
    for n in (10**5, 10**6):
        yield f"squares, {n:,} different losses", partial(find("squares"), Losses(rng.beta(10, 30, n)))
    table = Contingency([[430, 60], [70, 440]], rows="predicted")
    yield "fisher-region, MCC of 1,000 rows", partial(find("fisher-region"), find_measure("mcc")(table))
    truth = rng.choice(["good", "bad"], N)
    said = np.where(rng.random(N) < 0.9, truth, rng.choice(["good", "bad"], N))
    yield "assess, 1,000 rows of two labels, all measures", partial(hf.assess, truth, said)


def processor_seconds(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


if __name__ == "__main__":
    sys.exit(main())
