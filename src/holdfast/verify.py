"""Does a method keep its promise? By enumeration where it can be counted out, by seeded simulation elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from holdfast.catalog import Bound, find
from holdfast.claims import Coverage, Guarantee, Side, chance_of_error
from holdfast.errors import HoldfastError, UnfitMethod, UnknownName
from holdfast.evidence import Array, Counts, Integers, Losses, numbers, whole
from holdfast.numerics.binomial import binomial_tail
from holdfast.numerics.table import binomial_tables

ROUNDING = 1e-9  # relative; how far a computed chance of missing may exceed delta by arithmetic alone
LARGEST_N = 1_000_000  # examples up to which every count is looked at
AT_ONCE = 20_000  # counts whose limits are computed in one call
CURVE = 1001  # evenly spaced rates of a coverage curve, beside its jumps
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
    return next(_worst(_countable(method), [_size(n)], _level(confidence, delta), side))


def _worst(bound: Bound, sizes: Sequence[int], delta: float, side: Side) -> Iterator[Coverage]:
    """The worst coverage at each size."""
    for size, (lower, upper) in zip(sizes, _limits_of_all(bound, sizes, delta, side), strict=True):
        yield _worst_of(bound, size, lower, upper, delta, side)


def _limits_of_all(bound: Bound, sizes: Sequence[int], delta: float, side: Side) -> Iterator[tuple[Array, Array]]:
    """The limits of every count for each size in turn, many sizes being computed at once."""
    for some in _portions(sizes):
        n = np.repeat(some, np.asarray(some) + 1)
        k = np.concatenate([np.arange(size + 1) for size in some])
        claim = bound(Counts(k, n), delta, side)
        ends = np.cumsum(np.asarray(some) + 1)[:-1]
        yield from zip(np.split(np.asarray(claim.lower), ends), np.split(np.asarray(claim.upper), ends), strict=True)


def _portions(sizes: Sequence[int]) -> Iterator[list[int]]:
    """Sizes in groups whose counts fit into one call."""
    group: list[int] = []
    for size in sizes:
        if group and sum(group) + size > AT_ONCE:
            yield group
            group = []
        group.append(int(size))
    yield group


def _worst_of(bound: Bound, n: int, lower: Array, upper: Array, delta: float, side: Side) -> Coverage:
    k = np.arange(n + 1)
    # Just above an upper limit the count k no longer covers; just below a lower limit neither.
    above, below = upper < 1, lower > 0
    at = np.concatenate([upper[above], lower[below]])
    first = np.concatenate([k[above] + 1, np.searchsorted(upper, lower[below], "left")])
    last = np.concatenate([np.searchsorted(lower, upper[above], "right") - 1, k[below] - 1])
    if not at.size:
        return Coverage(bound.name, n, delta, side, 1.0, 0.0)
    miss = _miss(n, first, last, at)
    worst = int(np.argmax(miss))
    kept = bool(miss[worst] <= delta * (1 + ROUNDING))
    return Coverage(bound.name, n, delta, side, 1.0 - float(miss[worst]), float(at[worst]), kept=kept)


def coverage(
    method: str | Bound,
    n: int,
    rates: ArrayLike,
    *,
    confidence: float | str | None = None,
    delta: float | None = None,
    side: Side = "both",
) -> Array:
    """The exact coverage at each of these true rates."""
    size, p = _size(n), _rates(rates)
    ((lower, upper),) = _limits_of_all(_countable(method), [size], _level(confidence, delta), side)
    return _covered(size, lower, upper, p)


def coverage_curves(
    methods: Iterable[str | Bound],
    sizes: Iterable[int],
    rates: ArrayLike,
    *,
    confidence: float | str | None = None,
    delta: float | None = None,
    side: Side = "both",
) -> dict[str, Array]:
    """The exact coverage of several methods at each size (down) and true rate (across), by name.

    One table of tails serves every method and grows from size to size, so that the survey's figures take a blink.
    """
    p, wanted, level = _rates(rates).reshape(-1), sorted(set(_sizes(sizes))), _level(confidence, delta)
    bounds = [_countable(method) for method in methods]
    limits = [dict(zip(wanted, _limits_of_all(bound, wanted, level, side), strict=True)) for bound in bounds]
    curves = {bound.name: np.empty((len(wanted), p.size)) for bound in bounds}
    columns = np.arange(p.size)
    for row, (n, tails) in enumerate(binomial_tables(wanted, p)):
        for bound, of in zip(bounds, limits, strict=True):
            lower, upper = of[n]
            first, last = np.searchsorted(upper, p, "left"), np.searchsorted(lower, p, "right") - 1
            below = np.where(first > 0, tails[np.maximum(first - 1, 0), columns], 0.0)
            curves[bound.name][row] = tails[last, columns] - below
    return curves


def coverage_curve(
    method: str | Bound,
    n: int,
    *,
    confidence: float | str | None = None,
    delta: float | None = None,
    side: Side = "both",
) -> tuple[Array, Array]:
    """True rates and the exact coverage there, with a point on either side of every limit, where it jumps."""
    size = _size(n)
    ((lower, upper),) = _limits_of_all(_countable(method), [size], _level(confidence, delta), side)
    jumps = np.concatenate([lower, np.nextafter(lower, 0.0), upper, np.nextafter(upper, 1.0)])
    rates = np.unique(np.append(jumps, np.linspace(0.0, 1.0, CURVE)))
    return rates, _covered(size, lower, upper, rates)


def _covered(n: int, lower: Array, upper: Array, p: Array) -> Array:
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


def _miss(n: int, first: Integers, last: Integers, p: Array) -> Array:
    """The chance of a count below `first` or above `last`."""
    return binomial_tail(first - 1, n, p) + binomial_tail(n - last - 1, n, 1 - p, p)


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


LAWS: dict[str, tuple[Law, float]] = {
    "two points .1 and 1": (_two_points, 0.1 + 0.03 * 0.9),
    "three points 0, .3 and 1": (_three_points, 0.3 * 0.3 + 0.1),
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
    bound, size = find(method), _size(n)
    if Losses not in bound.takes:
        raise UnfitMethod(f"{bound.name} takes counts only; worst_coverage enumerates them.")
    if law not in LAWS:
        raise UnknownName("law", law, LAWS)
    if int(whole("repeats", repeats)) < 1:
        raise HoldfastError("A simulation needs at least one repeat.")
    draw, mean = LAWS[law]
    claim = bound(Losses(draw(np.random.default_rng(int(whole("seed", seed))), (repeats, size))), delta, side)
    missed = int(np.sum((claim.lower > mean) | (claim.upper < mean)))
    # P(Bin(repeats, delta) >= missed): how often a method that keeps its promise would miss so often.
    chance = float(binomial_tail(repeats - missed, repeats, 1 - delta, delta)) if missed else 1.0
    return Coverage(
        bound.name, size, delta, side, 1 - missed / repeats, mean, law, missed, repeats, kept=chance >= BY_CHANCE
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
    """Every check of this method's promise: by enumeration for counts, by seeded simulation for losses.

    Enumeration covers every n given, simulation the smallest and the largest.
    """
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
    bound, level, sizes = find(method), _level(confidence, delta), _sizes(n)
    if bound.parameters:
        raise UnfitMethod(f"{bound.name} needs {', '.join(bound.parameters)}; its promise is tested by enumeration.")
    if Counts in bound.takes:
        yield from _worst(bound, sizes, level, side)
    for size in _ends(sizes) if Losses in bound.takes else ():
        for law in LAWS:
            yield simulated_coverage(bound, size, law, delta=level, side=side, repeats=repeats, seed=seed)


def _level(confidence: float | str | None, delta: float | None) -> float:
    level = chance_of_error(confidence, delta)
    if level.ndim:
        raise HoldfastError("Coverage is computed for one delta at a time.")
    return float(level)


def _size(n: int) -> int:
    sizes = _sizes(n)
    if len(sizes) != 1:
        raise HoldfastError(f"This takes one number of examples; got {len(sizes)}.")
    return sizes[0]


def _sizes(n: int | Iterable[int]) -> list[int]:
    """Numbers of examples, each from 1 to what can be enumerated."""
    given = list(n) if isinstance(n, Iterable) and not isinstance(n, str) else n
    sizes = np.atleast_1d(whole("n, the number of examples,", given)).reshape(-1)
    if not sizes.size or sizes.min() < 1 or sizes.max() > LARGEST_N:
        raise HoldfastError(f"Coverage is computed for 1 to {LARGEST_N} examples; got {n!r}.")
    return [int(size) for size in sizes]


def _rates(rates: ArrayLike) -> Array:
    p = numbers("rates", rates)
    if np.any((p < 0) | (p > 1)):
        raise HoldfastError("True rates lie between 0 and 1.")
    return p


def _ends(sizes: Sequence[int]) -> list[int]:
    """The smallest and the largest: simulation is dear, and promises break first at small n."""
    return sorted({min(sizes), max(sizes)})


def number_of_checks(method: str | Bound, n: int | Iterable[int]) -> int:
    """How many results `checks` will give."""
    takes, sizes = find(method).takes, _sizes(n)
    return len(sizes) * (Counts in takes) + len(_ends(sizes)) * (Losses in takes) * len(LAWS)


def promise_kept(method: str | Bound, results: Iterable[Coverage]) -> bool:
    """Whether nothing speaks against a FINITE promise; other methods promise nothing at a given n."""
    return find(method).guarantee is not Guarantee.FINITE or all(result.kept for result in results)


class _Verb(ModuleType):
    """`holdfast.verify` is both this module and the verb in it: whichever is imported first, it can be called."""

    def __call__(self, *arguments: Any, **options: Any) -> list[Coverage]:
        return verify(*arguments, **options)


sys.modules[__name__].__class__ = _Verb
