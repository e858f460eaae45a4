"""What every bound of the catalog owes: each law is a function that returns the places where it is broken.

The laws over the catalog and the planted mutants call the same functions, so a law that could not fail would show.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from holdfast.catalog import Bound
from holdfast.claims import SIDES, Coverage, Side
from holdfast.evidence import Counts, Losses
from holdfast.verify import checks, simulated_coverage
from holdfast.verify.learners import crossed_coverages
from holdfast.verify.simulated import drawn_coverages, laws_for

DELTAS = (0.5, 0.2, 0.05, 0.01, 1e-6)
ROUNDING = 1e-13


def exact_checks(bound: Bound, sizes: range, delta: float, side: Side) -> list[Coverage]:
    countable = replace(bound, takes=(Counts,))
    return list(checks(countable, sizes, delta=delta, side=side))


def sides(bound: Bound) -> tuple[Side, ...]:
    return SIDES if bound.one_sided else ("both",)


def broken_promises(bound: Bound, sizes: range, deltas: tuple[float, ...] = DELTAS) -> list[str]:
    """Exact worst coverage below 1 - delta, over every true rate."""
    return [
        f"{bound.name}, {side}, n = {result.n}, delta = {delta}: covers {result.coverage} at {result.at}"
        for side in sides(bound)
        for delta in deltas
        for result in exact_checks(bound, sizes, delta, side)
        if not result.kept
    ]


def broken_simulations(bound: Bound, sizes: tuple[int, ...], repeats: int = 2000, seed: int = 0) -> list[str]:
    """More misses on some law than a kept promise would show once in a million."""
    return [
        f"{bound.name}, {side}, {law}, n = {n}: missed {result.misses} of {repeats}"
        for side in sides(bound)
        for law in laws_for(bound)
        for n in sizes
        if not (result := simulated_coverage(bound, n, law, side=side, repeats=repeats, seed=seed)).kept
    ]


def broken_drawings(bound: Bound, sizes: tuple[int, ...], repeats: int, seed: int = 0) -> list[str]:
    """More misses on drawn test sets than a kept promise would show once in a million."""
    return [
        f"{bound.name}, {side}, {result.law}, n = {n}: missed {result.misses} of {repeats}"
        for side in sides(bound)
        for n in sizes
        for result in drawn_coverages(bound, n, 0.05, side, repeats, seed)
        if not result.kept
    ]


def broken_trainings(bound: Bound, sizes: tuple[int, ...], repeats: int, seed: int = 0) -> list[str]:
    """More misses on cross-validated learners than a kept promise would show once in a million."""
    return [
        f"{bound.name}, {side}, {result.law}, n = {n}: missed {result.misses} of {repeats}"
        for side in sides(bound)
        for n in sizes
        for result in crossed_coverages([bound], n, 0.05, side, repeats, seed)
        if not result.kept
    ]


def not_monotone_in_k(bound: Bound, sizes: tuple[int, ...] = (1, 2, 7, 40)) -> list[str]:
    """More events must not lower a limit."""
    found = []
    for n in sizes:
        for side in sides(bound):
            claim = bound(Counts(np.arange(n + 1), n), 0.05, side)
            if np.any(np.diff(claim.lower) < -ROUNDING) or np.any(np.diff(claim.upper) < -ROUNDING):
                found.append(f"{bound.name}, {side}, n = {n}")
    return found


def not_monotone_in_delta(bound: Bound, n: int = 25) -> list[str]:
    """A smaller chance of being wrong must not narrow the interval."""
    deltas = np.array([1e-12, 1e-6, 1e-3, 0.01, 0.05, 0.1, 0.3, 0.5, 0.8, 0.99])
    found = []
    for side in sides(bound):
        for k in (0, 1, 12, 24, 25):
            claim = bound(Counts(k, n), deltas, side)
            if np.any(np.diff(claim.lower) < -ROUNDING) or np.any(np.diff(claim.upper) > ROUNDING):
                found.append(f"{bound.name}, {side}, k = {k}")
    return found


def not_mirrored(bound: Bound, n: int = 30) -> list[str]:
    """The limits of the mirrored sample are the mirrored limits."""
    k = np.arange(n + 1)
    found = []
    for side, other in (("upper", "lower"), ("lower", "upper"), ("both", "both")):
        if side not in sides(bound):
            continue
        claim, mirrored = bound(Counts(k, n), 0.05, side), bound(Counts(n - k, n), 0.05, other)
        if not np.allclose(claim.upper, 1 - mirrored.lower, rtol=0, atol=1e-13):
            found.append(f"{bound.name}, {side}")
    return found


def not_within_range(bound: Bound) -> list[str]:
    """Limits lie in [0, 1] and never exclude the estimate."""
    found = []
    for n in (1, 2, 3, 10, 1000, 10**9):
        k = np.unique(np.array([0, 1, n // 3, n // 2, n - 1, n]))
        for side in sides(bound):
            for delta in (1e-12, 0.05, 0.5, 0.9):
                claim = bound(Counts(k, n), delta, side)
                inside = (claim.lower >= 0) & (claim.lower <= k / n) & (k / n <= claim.upper) & (claim.upper <= 1)
                if not np.all(inside):
                    found.append(f"{bound.name}, {side}, n = {n}, delta = {delta}")
    return found


def speaks_without_data(bound: Bound) -> list[str]:
    """No examples: no estimate, and the whole range."""
    empty = Counts(0, 0) if Counts in bound.takes else Losses([])
    claim = bound(empty, 0.05)
    return [] if (claim.estimate, claim.lower, claim.upper) == (None, 0.0, 1.0) else [bound.name]


def is_soft(bound: Bound, sizes: range = range(1, 51)) -> bool:
    """Whether some sample size and rate show that the promise is not kept at every n."""
    return any(result.coverage < 0.95 for side in sides(bound) for result in exact_checks(bound, sizes, 0.05, side))
