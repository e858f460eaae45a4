"""Coverage by seeded simulation, for methods that need the losses, over laws that break careless bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from holdfast.catalog import Bound, find
from holdfast.claims import Coverage, Side, chance_of_error
from holdfast.errors import HoldfastError, UnfitMethod, UnknownName
from holdfast.evidence import Array, Losses, whole
from holdfast.numerics.binomial import binomial_tail

LARGEST_N = 1_000_000  # examples up to which every count is looked at


def one_level(confidence: float | str | None, delta: float | None) -> float:
    level = chance_of_error(confidence, delta)
    if level.ndim:
        raise HoldfastError("Coverage is computed for one delta at a time.")
    return float(level)


def one_size(n: int) -> int:
    sizes = all_sizes(n)
    if len(sizes) != 1:
        raise HoldfastError(f"This takes one number of examples; got {len(sizes)}.")
    return sizes[0]


def all_sizes(n: int | Iterable[int]) -> list[int]:
    """Numbers of examples, each from 1 to what can be enumerated."""
    given = list(n) if isinstance(n, Iterable) and not isinstance(n, str) else n
    sizes = np.atleast_1d(whole("n, the number of examples,", given)).reshape(-1)
    if not sizes.size or sizes.min() < 1 or sizes.max() > LARGEST_N:
        raise HoldfastError(f"Coverage is computed for 1 to {LARGEST_N} examples; got {n!r}.")
    return [int(size) for size in sizes]


BY_CHANCE = 1e-6  # a simulation speaks against a promise only where chance would do so less often than this

Law = Callable[[np.random.Generator, tuple[int, int]], Array]


def _near_constant(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    return rng.uniform(0.2, 0.3, shape)


def _two_points(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    return np.where(rng.random(shape) < 0.03, 1.0, 0.1)


def _three_points(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    return rng.choice([0.0, 0.3, 1.0], shape, p=[0.6, 0.3, 0.1])


def _arcsine_like(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    return np.clip(rng.beta(0.1, 0.1, shape), 0.0, 1.0)


def _atom_at_zero(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    return np.where(rng.random(shape) < 0.95, 0.0, rng.random(shape))


def _sorted_atom(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    return np.sort(_atom_at_zero(rng, shape), axis=-1)


def _hair_apart(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    return 0.5 + 1e-9 * np.sign(rng.random(shape) - 0.5)


SORTED = "atom at zero, sorted"
LAWS: dict[str, tuple[Law, float]] = {
    "two points .1 and 1": (_two_points, 0.1 + 0.03 * 0.9),
    "three points 0, .3 and 1": (_three_points, 0.3 * 0.3 + 0.1),
    "beta(.1, .1)": (_arcsine_like, 0.5),
    "atom at zero": (_atom_at_zero, 0.05 * 0.5),
    SORTED: (_sorted_atom, 0.05 * 0.5),
    "uniform on [.2, .3]": (_near_constant, 0.25),
    "a hair apart": (_hair_apart, 0.5),
}


def laws_for(bound: Bound) -> list[str]:
    """The laws under which it is tried: what is proven in the order of the draws says nothing of sorted ones."""
    return [law for law in LAWS if law != SORTED or not bound.in_order]


def simulated_coverage(
    method: str | Bound,
    n: int,
    law: str,
    *,
    delta: float = 0.05,
    side: Side = "both",
    repeats: int = 2000,
    seed: int = 0,
) -> Coverage:
    """The share of seeded samples whose interval contains the law's true mean."""
    bound, size = find(method), one_size(n)
    if Losses not in bound.takes:
        raise UnfitMethod(f"{bound.name} takes counts only; worst_coverage enumerates them.")
    if law not in LAWS:
        raise UnknownName("law", law, LAWS)
    if int(whole("repeats", repeats)) < 1:
        raise HoldfastError("A simulation needs at least one repeat.")
    draw, mean = LAWS[law]
    values = draw(np.random.default_rng(int(whole("seed", seed))), (repeats, size))
    claim = bound(Losses(values, order="drawn" if bound.in_order and law != SORTED else None), delta, side)
    missed = int(np.sum((claim.lower > mean) | (claim.upper < mean)))
    return outcome(bound, size, delta, side, mean, law, missed, repeats)


def outcome(
    bound: Bound, n: int, delta: float, side: Side, truth: float, law: str, missed: int, repeats: int
) -> Coverage:
    """What so many misses say about the promise."""
    # P(Bin(repeats, delta) >= missed): how often a method that keeps its promise would miss so often.
    chance = float(binomial_tail(repeats - missed, repeats, 1 - delta, delta)) if missed else 1.0
    covered = 1 - missed / repeats
    return Coverage(bound.name, n, delta, side, covered, truth, law, missed, repeats, kept=chance >= BY_CHANCE)
