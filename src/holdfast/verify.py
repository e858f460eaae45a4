"""Does a method keep its promise? By enumeration where it can be counted out, by seeded simulation elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np
from numpy.typing import ArrayLike

from holdfast.catalog import Bound, find
from holdfast.claims import Coverage, Guarantee, Side, chance_of_error
from holdfast.errors import HoldfastError, UnfitMethod
from holdfast.evidence import Array, Counts, Integers, Losses
from holdfast.numerics.binomial import binomial_tail

ROUNDING = 1e-9  # relative; how far a computed chance of missing may exceed delta by arithmetic alone
BY_CHANCE = 1e-6  # a simulation speaks against a promise only where chance would do so less often than this


def worst_coverage(
    method: str | Bound,
    n: int,
    *,
    confidence: float | str | None = None,
    delta: float | None = None,
    side: Side = "both",
) -> Coverage:
    """The least coverage over every true rate, by enumeration of all counts.

    Between two neighbouring limits the set of covering counts is constant and its probability has no inner
    minimum, so only the rates just beyond each limit need looking at.

    Examples
    --------
    >>> worst = worst_coverage("clopper-pearson", n=200, delta=0.05, side="upper")
    >>> print(f"{worst.coverage:.4f} at {worst.at:.4f}")
    0.9500 at ...
    """
    bound, level = _countable(method), float(chance_of_error(confidence, delta))
    size = int(Counts(0, n).n)
    if size < 1:
        raise HoldfastError("worst_coverage needs n of at least 1.")
    lower, upper = _limits(bound, size, level, side)
    k = np.arange(size + 1)
    # Just above an upper limit the count k no longer covers; just below a lower limit neither.
    beyond = upper < 1
    misses = [_miss(size, k[beyond] + 1, np.searchsorted(lower, upper[beyond], "right") - 1, upper[beyond])]
    places = [upper[beyond]]
    short = lower > 0
    misses.append(_miss(size, np.searchsorted(upper, lower[short], "left"), k[short] - 1, lower[short]))
    places.append(lower[short])
    miss, at = np.concatenate(misses), np.concatenate(places)
    worst = int(np.argmax(miss)) if miss.size else -1
    least = 1.0 - float(miss[worst]) if miss.size else 1.0
    broken = bool(miss.size) and float(miss[worst]) > level * (1 + ROUNDING)
    return Coverage(bound.name, size, level, side, least, float(at[worst]) if miss.size else 0.0, kept=not broken)


def coverage(method: str | Bound, n: int, rates: ArrayLike, *, delta: float = 0.05, side: Side = "both") -> Array:
    """The exact coverage at each of these true rates."""
    bound, p = _countable(method), np.asarray(rates, dtype=np.float64)
    lower, upper = _limits(bound, n, delta, side)
    first, last = np.searchsorted(upper, p, "left"), np.searchsorted(lower, p, "right") - 1
    return np.asarray(1.0 - _miss(n, first, last, p))


def _countable(method: str | Bound) -> Bound:
    bound = find(method)
    if Counts not in bound.takes or bound.parameters:
        raise UnfitMethod(
            f"{bound.name} depends on more than a count, so its coverage cannot be enumerated; "
            "hf.verify simulates it over several laws."
        )
    return bound


def _limits(bound: Bound, n: int, delta: float, side: Side) -> tuple[Array, Array]:
    claim = bound(Counts(np.arange(n + 1), n), delta, side)
    return np.asarray(claim.lower), np.asarray(claim.upper)


def _miss(n: int, first: Integers, last: Integers, p: Array) -> Array:
    """The chance of a count below `first` or above `last`."""
    return binomial_tail(first - 1, n, p) + binomial_tail(n - last - 1, n, 1 - p, p)


Law = Callable[[np.random.Generator, tuple[int, int]], Array]


def _near_constant(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    return rng.uniform(0.2, 0.3, shape)


def _two_points(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    return np.where(rng.random(shape) < 0.03, 1.0, 0.1)


def _arcsine_like(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    return np.clip(rng.beta(0.1, 0.1, shape), 0.0, 1.0)


def _atom_at_zero(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    return np.where(rng.random(shape) < 0.95, 0.0, rng.random(shape))


def _sorted_atom(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    return np.sort(_atom_at_zero(rng, shape), axis=-1)


def _hair_apart(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    return 0.5 + 1e-9 * np.sign(rng.random(shape) - 0.5)


LAWS: dict[str, tuple[Law, float]] = {
    "two points .1 and 1": (_two_points, 0.1 + 0.03 * 0.9),
    "beta(.1, .1)": (_arcsine_like, 0.5),
    "atom at zero": (_atom_at_zero, 0.05 * 0.5),
    "atom at zero, sorted": (_sorted_atom, 0.05 * 0.5),
    "uniform on [.2, .3]": (_near_constant, 0.25),
    "a hair apart": (_hair_apart, 0.5),
}


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
    bound = find(method)
    if Losses not in bound.takes:
        raise UnfitMethod(f"{bound.name} takes counts only; worst_coverage enumerates them.")
    draw, mean = LAWS[law]
    claim = bound(Losses(draw(np.random.default_rng(seed), (repeats, n))), delta, side)
    missed = int(np.sum((claim.lower > mean) | (claim.upper < mean)))
    # P(Bin(repeats, delta) >= missed): how often a method that keeps its promise would miss so often.
    chance = float(binomial_tail(repeats - missed, repeats, 1 - delta, delta)) if missed else 1.0
    return Coverage(
        bound.name, n, delta, side, 1 - missed / repeats, mean, law, missed, repeats, kept=chance >= BY_CHANCE
    )


def verify(
    method: str | Bound,
    n: int | Iterable[int] = 100,
    *,
    confidence: float | str | None = None,
    delta: float | None = None,
    side: Side = "both",
    repeats: int = 2000,
    seed: int = 0,
) -> list[Coverage]:
    """Every check of this method's promise: by enumeration for counts, by seeded simulation for losses."""
    return list(checks(method, n, confidence=confidence, delta=delta, side=side, repeats=repeats, seed=seed))


def checks(
    method: str | Bound,
    n: int | Iterable[int],
    *,
    confidence: float | str | None = None,
    delta: float | None = None,
    side: Side = "both",
    repeats: int = 2000,
    seed: int = 0,
) -> Iterator[Coverage]:
    """The same, one at a time, for whoever shows progress."""
    bound, level = find(method), float(chance_of_error(confidence, delta))
    if bound.parameters:
        raise UnfitMethod(f"{bound.name} needs {', '.join(bound.parameters)}; its promise is tested by enumeration.")
    sizes = [n] if isinstance(n, int) else list(n)
    for size in sizes:
        if Counts in bound.takes:
            yield worst_coverage(bound, size, delta=level, side=side)
    for size in sizes if Losses in bound.takes else ():
        for law in LAWS:
            yield simulated_coverage(bound, size, law, delta=level, side=side, repeats=repeats, seed=seed)


def promise_kept(method: str | Bound, results: Iterable[Coverage]) -> bool:
    """Whether nothing speaks against a FINITE promise; other methods promise nothing at a given n."""
    return find(method).guarantee is not Guarantee.FINITE or all(result.kept for result in results)
