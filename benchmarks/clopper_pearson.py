"""A million two-sided Clopper-Pearson intervals: how long they take and how many digits are right, beside the peers.

The peers are scipy.special's inverses of the incomplete beta function, called as one would, and statsmodels, which
calls them too. Processor time counts all threads; it is the one to judge by on a machine that has other work.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import mpmath
import numpy as np
from scipy import special

from holdfast.evidence import Array, Integers
from holdfast.numerics.binomial import binomial_tail_inverse

try:
    from statsmodels.stats.proportion import proportion_confint
except ImportError:
    proportion_confint = None

INTERVALS = 10**6
DELTA = 0.05
CHECKED = 400  # intervals whose digits are checked
FAR_COUNTS, FAR_TRIALS, FAR_DELTA = (1, 37, 999, 1000), 10**9, 2e-12
REPEATS = 2
BITS = 200  # of the sums that say what is right

Interval = tuple[Array, Array]
Method = Callable[[Integers, Integers, float], Interval]


def main() -> None:
    methods: dict[str, Method] = {"holdfast": ours, "scipy.special": scipys}
    if proportion_confint is None:
        print("statsmodels is not installed and left out")
    else:
        methods["statsmodels"] = statsmodels
    rng = np.random.default_rng(0)
    n = np.exp(rng.uniform(np.log(10), np.log(1e6), INTERVALS)).astype(np.int64)
    k = rng.binomial(n, np.exp(rng.uniform(np.log(1e-4), np.log(0.5), INTERVALS)))
    some = rng.choice(INTERVALS, CHECKED, replace=False)
    print(f"{INTERVALS} two-sided {1 - DELTA:.0%} intervals, n log-uniform in 10..10^6, rates in 0.0001..0.5;")
    print(f"no event in {np.mean(k == 0):.0%} of them, fewer than 10 in {np.mean(k < 10):.0%}; best of {REPEATS} runs.")
    print(f"Relative errors: the worst in {CHECKED} of them, against sums of binomial terms in {BITS} bits.\n")
    print(f"{'':14} {'wall s':>7} {'ratio':>6} {'cpu s':>7} {'ratio':>6} {'lower off by':>13} {'upper off by':>13}")
    times = race(methods, k, n)
    right = exact(k[some], n[some], DELTA)
    wall, cpu = times["holdfast"]
    for name, run in methods.items():
        its_wall, its_cpu = times[name]
        spent = f"{its_wall:7.2f} {its_wall / wall:6.1f} {its_cpu:7.2f} {its_cpu / cpu:6.1f}"
        off = [f"{worst:13.1e}" for worst in np.max(errors(run(k[some], n[some], DELTA), right), axis=1)]
        print(f"{name:14} {spent} {' '.join(off)}")

    print(f"\nFar out: n = 10^9, delta = 1e-12 a side; relative errors of lower, upper at k = {FAR_COUNTS}\n")
    k, n = np.array(FAR_COUNTS), np.full(len(FAR_COUNTS), FAR_TRIALS)
    right = exact(k, n, FAR_DELTA)
    for name, run in methods.items():
        lower, upper = errors(run(k, n, FAR_DELTA), right)
        print(f"{name:14} " + "  ".join(f"{a:8.1e},{b:8.1e}" for a, b in zip(lower, upper, strict=True)))


def race(methods: dict[str, Method], k: Integers, n: Integers) -> dict[str, tuple[float, float]]:
    """Best wall and processor seconds of each; they take turns, so that other work slows all alike."""
    best = dict.fromkeys(methods, (np.inf, np.inf))
    for _ in range(REPEATS):
        for name, run in methods.items():
            wall, cpu = time.perf_counter(), time.process_time()
            run(k, n, DELTA)
            wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
            best[name] = (min(best[name][0], wall), min(best[name][1], cpu))
    return best


def ours(k: Integers, n: Integers, delta: float) -> Interval:
    return binomial_tail_inverse(n - k, n, delta / 2).room, binomial_tail_inverse(k, n, delta / 2).limit


def scipys(k: Integers, n: Integers, delta: float) -> Interval:
    lower = special.betaincinv(np.maximum(k, 1), n - k + 1, delta / 2)
    upper = special.betainccinv(k + 1, np.maximum(n - k, 1), delta / 2)
    return np.where(k == 0, 0.0, lower), np.where(k == n, 1.0, upper)


def statsmodels(k: Integers, n: Integers, delta: float) -> Interval:
    lower, upper = proportion_confint(k, n, alpha=delta, method="beta")
    return lower, upper


def errors(found: Interval, right: tuple[list[mpmath.mpf], list[mpmath.mpf]]) -> list[list[float]]:
    """Relative errors of the lower and of the upper limits."""
    return [
        [float(abs(f - r) / r) if r else float(abs(f)) for f, r in zip(side.tolist(), exactly, strict=True)]
        for side, exactly in zip(found, right, strict=True)
    ]


def exact(k: Integers, n: Integers, delta: float) -> tuple[list[mpmath.mpf], list[mpmath.mpf]]:
    with mpmath.workprec(BITS):
        pairs = [(int(events), int(trials)) for events, trials in zip(k, n, strict=True)]
        upper = [exact_upper(events, trials, delta / 2)[0] for events, trials in pairs]
        lower = [exact_upper(trials - events, trials, delta / 2)[1] for events, trials in pairs]
        return lower, upper


def exact_upper(k: int, n: int, delta: float) -> tuple[mpmath.mpf, mpmath.mpf]:
    """The upper limit and its room: Newton's method on log P(X <= k) by the log odds, in which it is concave."""
    if k == n:
        return mpmath.mpf(1), mpmath.mpf(0)
    ways = mpmath.loggamma(n + 1) - mpmath.loggamma(k + 1) - mpmath.loggamma(n - k + 1)
    spread = mpmath.sqrt(mpmath.mpf(1) / (k + 1) + mpmath.mpf(1) / (n - k))
    log_odds = mpmath.log(mpmath.mpf(k + 1) / (n - k)) + mpmath.sqrt(-2 * mpmath.log(delta)) * spread
    for _ in range(50):
        odds = mpmath.exp(log_odds)
        p, room = odds / (1 + odds), 1 / (1 + odds)
        ratio = terms_below(k, n, odds)
        missed = ways + k * mpmath.log(p) + (n - k) * mpmath.log(room) + mpmath.log(ratio) - mpmath.log(delta)
        move = missed * ratio / ((n - k) * p)
        log_odds += move
        if abs(move) < 1e-30:
            return p, room
    raise ArithmeticError(f"no limit found for k = {k}, n = {n}, delta = {delta}")


def terms_below(k: int, n: int, odds: mpmath.mpf) -> mpmath.mpf:
    """P(X <= k) / P(X = k): the terms from k downwards until they vanish."""
    scaled = int(odds * 2**BITS)
    term = total = 1 << BITS
    for j in range(k, 0, -1):
        term = ((term * j) << BITS) // ((n - j + 1) * scaled)
        if not term:
            break
        total += term
    return mpmath.mpf(total) / (1 << BITS)


if __name__ == "__main__":
    main()
