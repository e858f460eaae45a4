"""How many examples make an interval so narrow that it reaches no further than asked for, to either side."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from holdfast.catalog import Bound
from holdfast.comparisons.power import MOST_EXAMPLES
from holdfast.errors import HoldfastError, UnfitMethod
from holdfast.evidence import Array, Counts, Integers
from holdfast.numerics.binomial import binomial_tail

ROUGH = 200  # numbers of examples that are tried first, before every one between what is surely short and surely enough


def examples_for_half_width(
    bound: Bound, half_width: float, expect: float | None, power: float, delta: float
) -> tuple[int, int]:
    """The smallest n, and that from which every n will do, with which both ends are probably near enough.

    With `expect`, so that the interval reaches at most `half_width` to either side of the estimate with the
    probability `power`; without it, so that it always does. The chance of that is a saw-tooth in n: it is worked out
    for every n between the first that comes near enough and the last that may still fall short.
    """
    of_one = np.sqrt(np.log(2 / delta) / 2)  # how far Hoeffding's interval reaches, with one example
    if not half_width > of_one / np.sqrt(MOST_EXAMPLES):
        raise HoldfastError(
            f"A half-width of {half_width} may need more than {MOST_EXAMPLES:,} examples; plan for a wider interval."
        )
    ceiling = int(np.ceil((of_one / half_width) ** 2)) + 1  # where it is narrow enough

    def lacking(n: Integers) -> Array:
        if expect is None:
            return _farthest(bound, n, delta) - half_width
        return power - _chance(bound, n, half_width, expect, delta)

    if lacking(np.array([ceiling]))[0] > 0:
        raise UnfitMethod(f"{bound.name} reaches further than {half_width} even with {ceiling} examples.")
    first, last = 1, ceiling
    while last - first > ROUGH:
        some = np.unique(np.geomspace(first, last, ROUGH).astype(np.int64))
        short = lacking(some)
        # The teeth: by how much an example, or a count, more or less can change what is lacking.
        tooth = 1.0 / some if expect is None else 2.0 / np.sqrt(np.maximum(some * expect * (1 - expect), 1.0))
        between = np.diff(some, prepend=some[0] - 1, append=some[-1] + 1) > 1  # whether any is left out on either side
        near = np.flatnonzero(short <= np.where(between[:-1] | between[1:], tooth, 0.0))[0]
        far = np.flatnonzero(short > -tooth)[-1]
        narrowed = int(some[max(near - 1, 0)]), int(some[min(far + 1, some.size - 1)])
        if narrowed == (first, last):
            break
        first, last = narrowed
    every = np.arange(first, last + 1)
    enough = lacking(every) <= 0
    failing = np.flatnonzero(~enough)
    return int(every[np.argmax(enough)]), int(every[failing[-1]]) + 1 if failing.size else first


def _reach(bound: Bound, k: Integers, n: Integers, delta: float) -> Array:
    """How far the interval for k of n events reaches from the estimate, to the farther side."""
    lower, upper = bound.limits(Counts(k, n), np.asarray(delta), "both")
    return np.maximum(upper - k / n, k / n - lower)


def _chance(bound: Bound, n: Integers, half_width: float, expect: float, delta: float) -> Array:
    """The chance that the interval reaches no further, for intervals that reach the farther the nearer k is to n/2."""
    rate, rest = np.asarray(expect), np.asarray(1 - expect)
    few = _run(lambda j: _reach(bound, j, n, delta) <= half_width, n // 2)
    many = _run(lambda j: _reach(bound, n - j, n, delta) <= half_width, (n - 1) // 2)
    parts = (np.where(j >= 0, binomial_tail(np.maximum(j, 0), n, p), 0.0) for j, p in ((few, rate), (many, rest)))
    return np.where(few + many + 1 >= n, 1.0, sum(parts))


def _run(holds: Callable[[Integers], Array], most: Integers) -> Integers:
    """The largest j up to `most` for which it holds, of what holds up to some j and then no more; -1 if for none."""
    low, high = np.full(most.shape, -1), most + 1
    while np.any(high - low > 1):
        middle = (low + high) // 2
        good = holds(np.maximum(middle, 0)) & (middle >= 0)
        low, high = np.where(good, middle, low), np.where(good, high, middle)
    return low


def _farthest(bound: Bound, n: Integers, delta: float) -> Array:
    """The farthest reach over all counts, which lies a few times sqrt(n) to either side of n/2.

    Where it lies at the largest n is searched for; at the others it is as many times sqrt(n) away, and so flat there
    that the counts next to it differ by less than the limits' own rounding.
    """
    largest = int(n[-1])
    away = largest / 2 - _peak(bound, largest, delta)
    k = np.rint(n / 2 - away * np.sqrt(n / largest)).astype(np.int64)
    counts = [np.clip(k + step, 0, n) for step in (-1, 0, 1)]
    return np.maximum.reduce([_reach(bound, each, n, delta) for one in counts for each in (one, n - one)])


def _peak(bound: Bound, n: int, delta: float) -> int:
    """The count up to n/2 whose interval reaches farthest, by a search that keeps two thirds each time."""
    low, high = 0, n // 2
    while high - low > 2:
        third = (high - low) // 3 or 1
        left, right = _reach(bound, np.array([low + third, high - third]), np.array([n, n]), delta)
        low, high = (low + third, high) if left < right else (low, high - third)
    every = np.arange(low, high + 1)
    return int(every[np.argmax(_reach(bound, every, np.full(every.shape, n), delta))])
