"""The survey's ten bounds against their equations in sixty digits, from one example to a thousand million.

The reference cases stop at n = 10^6; these are made here, seeded, from the equations as printed and corrected.
Clopper-Pearson has its own oracle in tests/numerics/test_binomial.py.
"""

from __future__ import annotations

import random
from collections.abc import Callable

import mpmath as mp
import pytest

import holdfast as hf
from holdfast.evidence import Sample

pytestmark = pytest.mark.long

Number = mp.mpf
Equation = Callable[[Number, Number, Number, Number], Number]  # n, mean, s2, delta -> upper limit

DELTAS = (0.5, 0.05, 0.0123, 1e-6, 1e-12)
TOLERANCE = 1e-12


@pytest.fixture(autouse=True)
def sixty_digits() -> None:
    mp.mp.dps = 60


def larger_root(mean: Number, a: Number, spread: Number) -> Number:
    b = mp.sqrt(a * (a + 4 * mean * (1 - mean)) + 4 * spread * (1 + a))
    return (2 * mean + a + b) / (2 * (1 + a))


def quantile(delta: Number) -> Number:
    return mp.sqrt(2) * mp.erfinv(1 - 2 * delta)


def bernstein(n: Number, mean: Number, s2: Number, delta: Number) -> Number:
    x = mp.log(1 / delta) / n
    return mp.mpf(1) if mean + x / 3 >= 1 else larger_root(mean + x / 3, 2 * x, mp.mpf(0))


def maurer(n: Number, mean: Number, s2: Number, delta: Number) -> Number:
    x = mp.log(2 / delta)
    return mp.mpf(1) if n < 2 else mean + mp.sqrt(2 * s2 * x / n) + 7 * x / (3 * (n - 1))


def guttman(n: Number, mean: Number, s2: Number, delta: Number) -> Number:
    if n < 2:
        return mp.mpf(1)
    return larger_root(mean, mp.sqrt(2 / (delta * n * (n - 1))), s2 / (n - 1))


def tight_hoeffding(n: Number, mean: Number, s2: Number, delta: Number) -> Number:
    """By bisection in the difference of log-odds."""
    target = mp.log(1 / delta) / n
    if mean in (0, 1):
        return mean if mean == 1 else 1 - mp.exp(-target)
    low, high = mp.mpf(0), mp.mpf(1)
    while mp.log(1 - mean + mean * mp.exp(high)) - mean * high < target:
        high *= 2
    for _ in range(220):
        middle = (low + high) / 2
        reached = mp.log(1 - mean + mean * mp.exp(middle)) - mean * middle >= target
        low, high = (low, middle) if reached else (middle, high)
    return mean / (mean + (1 - mean) * mp.exp(-high))


EQUATIONS: dict[str, Equation] = {
    "NOR": lambda n, mean, s2, delta: mean + quantile(delta) * mp.sqrt(s2 / n),
    "WIL": lambda n, mean, s2, delta: larger_root(mean, quantile(delta) ** 2 / n, mp.mpf(0)),
    "CHE": lambda n, mean, s2, delta: larger_root(mean, 1 / (delta * n), mp.mpf(0)),
    "GUT": guttman,
    "BER": bernstein,
    "MAU": maurer,
    "CRF": lambda n, mean, s2, delta: mean + mp.sqrt(2 * mean * mp.log(1 / delta) / n) + 2 * mp.log(1 / delta) / n,
    "T_HOE": tight_hoeffding,
    "HOE": lambda n, mean, s2, delta: mean + mp.sqrt(mp.log(1 / delta) / (2 * n)),
}


def expected(name: str, side: str, n: Number, mean: Number, s2: Number, delta: Number) -> Number:
    if side == "upper":
        limit = EQUATIONS[name](n, mean, s2, delta)
    elif name == "CRF":
        limit = mean - mp.sqrt(2 * mean * mp.log(1 / delta) / n)
    else:
        limit = 1 - EQUATIONS[name](n, 1 - mean, s2, delta)
    return max(mp.mpf(0), min(mp.mpf(1), limit))


def disagreements(name: str, evidence: Sample, n: int, mean: Number, s2: Number) -> list[str]:
    found = []
    for delta in DELTAS:
        for side in ("upper", "lower"):
            got = getattr(hf.bound(evidence, name, delta=delta, side=side), side)  # type: ignore[arg-type]
            wanted = expected(name, side, mp.mpf(n), mean, s2, mp.mpf(str(delta)))
            off = abs(got - wanted) / wanted if wanted > 1e-40 else mp.mpf(got > 1e-40)
            if off > TOLERANCE:
                found.append(f"{name} {side}, {evidence!r}, delta = {delta}: {got}, not {mp.nstr(wanted, 17)}")
    return found


@pytest.mark.parametrize("name", EQUATIONS)
def test_counts(name: str) -> None:
    chance = random.Random(f"counts {name}")
    for n in (1, 2, 10, 12_345, 10**9):
        for k in {0, 1, 2, n // 7, n // 2, n - 1, n, chance.randint(0, n)}:
            if 0 <= k <= n:
                mean = mp.mpf(k) / n
                assert disagreements(name, hf.Counts(k, n), n, mean, mean * (1 - mean)) == []


@pytest.mark.parametrize("name", EQUATIONS)
def test_moments(name: str) -> None:
    for n in (2, 333, 10**9):
        for written in ("0.00001", "0.0123", "0.37", "0.5", "0.999"):
            for share in ("0", "0.3", "1"):
                mean = mp.mpf(written)
                s2 = mp.mpf(share) * mean * (1 - mean)
                evidence = hf.Losses.from_moments(n, float(mean), float(s2))
                assert disagreements(name, evidence, n, mean, s2) == []


@pytest.mark.parametrize("name", EQUATIONS)
def test_losses(name: str) -> None:
    chance = random.Random(f"losses {name}")
    draws: list[Callable[[], float]] = [
        chance.random,
        lambda: chance.betavariate(0.1, 0.1),
        lambda: 0.98 + chance.random() / 100,
        lambda: chance.choice([0, 0, 0, 0.5, 1]),
    ]
    for draw in draws:
        for n in (2, 3, 40, 200):
            written = [f"{draw():.4f}" for _ in range(n)]
            values = [mp.mpf(text) for text in written]
            mean = mp.fsum(values) / n
            s2 = mp.fsum((value - mean) ** 2 for value in values) / n
            assert disagreements(name, hf.Losses([float(text) for text in written]), n, mean, s2) == []


def test_the_oracle_can_disagree() -> None:
    assert disagreements("HOE", hf.Counts(3, 11), 10, mp.mpf("0.3"), mp.mpf("0.21"))
