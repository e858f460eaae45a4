"""Coverage by enumeration, for methods that depend on the data through a count."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike

from holdfast.catalog import Bound, find
from holdfast.claims import Coverage, Side
from holdfast.errors import HoldfastError, UnfitMethod
from holdfast.evidence import Array, Counts, Integers, numbers
from holdfast.numerics.binomial import binomial_tail
from holdfast.verify.simulated import all_sizes, one_level, one_size

ROUNDING = 1e-9  # relative; how far a computed chance of missing may exceed delta by arithmetic alone
AT_ONCE = 20_000  # counts whose limits are computed in one call
CURVE = 1001  # evenly spaced rates of a coverage curve, beside its jumps


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
    return next(worst_coverages(_countable(method), [one_size(n)], one_level(confidence, delta), side))


def worst_coverages(bound: Bound, sizes: Sequence[int], delta: float, side: Side) -> Iterator[Coverage]:
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
    most = float(np.max(miss))
    worst = float(np.min(at[miss >= most * (1 - ROUNDING)]))  # of rates that differ by rounding only, the lowest
    return Coverage(bound.name, n, delta, side, 1.0 - most, worst, kept=most <= delta * (1 + ROUNDING))


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
    size, p = one_size(n), _rates(rates)
    ((lower, upper),) = _limits_of_all(_countable(method), [size], one_level(confidence, delta), side)
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
    p, wanted, level = _rates(rates).reshape(-1), sorted(set(all_sizes(sizes))), one_level(confidence, delta)
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
    size = one_size(n)
    ((lower, upper),) = _limits_of_all(_countable(method), [size], one_level(confidence, delta), side)
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


def _rates(rates: ArrayLike) -> Array:
    p = numbers("rates", rates)
    if np.any((p < 0) | (p > 1)):
        raise HoldfastError("True rates lie between 0 and 1.")
    return p


def binomial_tables(sizes: Iterable[int], p: Array) -> Iterator[tuple[int, Array]]:
    """Each n of `sizes`, in rising order, with P(X <= k) for k = 0..n down the rows and the rates p across.

    By the recurrence over trials, P_n(X <= k) = (1 - p) P_{n-1}(X <= k) + p P_{n-1}(X <= k - 1): sums of positive
    terms, two passes over the table a trial. The table is reused: read it before asking for the next.
    """
    wanted = set(sizes)
    table = np.ones((max(wanted) + 1, p.size))  # for every k of n trials or more the tail is 1
    shifted = np.empty_like(table)
    for n in range(1, max(wanted) + 1):
        np.multiply(table[: n - 1], p, out=shifted[: n - 1])
        table[:n] *= 1.0 - p
        table[1:n] += shifted[: n - 1]
        if n in wanted:
            yield n, table[: n + 1]
