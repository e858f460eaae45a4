"""Arrays of numbers: their types, their order, and sums in which no order changes a digit.

Nor does it change one how numbers are split into several sums. Each number is split at 2**-26. The leading parts are
whole numbers of 2**-26, which floats add up without any rounding as long as the sum stays below 2**27; what they leave
is at most half of such a part, and is summed by itself.
"""

from __future__ import annotations

import sys
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]  # numbers, of any shape; formulas mix whole and real ones freely
Integers = NDArray[np.int64]


ROOM = 4  # slots a number up to which counting costs less than sorting
AT_LEAST = 2**16  # slots that there may always be
MANY = 2**20  # numbers, from which on it matters who sorts them
WIDE = {"AVX512_SKX", "X86_V4"}  # vector units, as numpy's versions call them, with which its own sort is the fastest


def sort_in_place(numbers: NDArray[np.uint64]) -> None:
    """Put the numbers in order where they are.

    Without wide vector units numpy takes more than twice the processor time of polars, which also uses all cores, for
    the price of a copy; but nobody who does without polars waits for its import.
    """
    if numbers.size < MANY or "polars" not in sys.modules or has_wide_units():
        numbers.sort()
        return
    import polars as pl

    numbers[:] = pl.Series(numbers).sort().to_numpy()


def rising_order(numbers: Array) -> Integers:
    """The places of the numbers from the least to the largest; those of equal ones in any order."""
    if numbers.size < MANY or "polars" not in sys.modules:
        return np.argsort(numbers)
    import polars as pl

    return pl.Series(numbers).arg_sort().to_numpy().astype(np.int64)


def distinct(numbers: NDArray[np.integer[Any]]) -> tuple[Integers, Integers]:
    """The different ones among whole numbers from 0 on, rising, and the place of each number among them.

    Numbers that lie close together are counted, which takes a tenth of the time that sorting them does.

    Examples
    --------
    >>> distinct(np.array([5, 2, 5]))
    (array([2, 5]), array([1, 0, 1]))
    """
    most = int(numbers.max()) + 1 if numbers.size else 0
    if most > max(ROOM * numbers.size, AT_LEAST):
        found, place = np.unique(numbers, return_inverse=True)
        return found, place.reshape(-1)
    held = np.zeros(most, np.bool_)
    held[numbers] = True
    found = np.flatnonzero(held)
    if found.size == most:
        return found, numbers.astype(np.int64, copy=False)
    rank = np.cumsum(held) - 1
    return found, rank[numbers]


@cache
def has_wide_units() -> bool:
    """Whether numpy found vector units of 512 bits here."""
    units = np.show_config(mode="dicts").get("SIMD Extensions", {}).get("found", [])
    return not WIDE.isdisjoint(units)


PARTS = 2.0**26  # of one; and of each of them again
UNITS = 2**52  # of one, in which `whole_sum` counts
BLOCK = 2**17  # numbers of many groups at a time: what stays in the cache


def exact_sum(values: Array) -> Array:
    """The sum along the last axis, right to the last digit: thirty times 0.1 is 3, not 3.0000000000000004.

    Nothing is rounded before it is summed, so that tiny numbers keep all their digits; the rounding of what the
    leading parts leave is too small to matter.
    """
    leading, rest = _split(values)
    return np.asarray((leading.sum(axis=-1) + rest.sum(axis=-1)) / PARTS)


def whole_sums(shares: Array, times: Integers | None = None) -> tuple[Array, Array]:
    """The sum of numbers in [0, 1] along the last axis, each rounded to 2**-52 and taken once or so many times.

    It comes in two parts: whole numbers of 2**-26, and, for what these leave, of 2**-52.
    """
    leading, rest = _split(shares)
    rest *= PARTS
    rest = np.rint(rest, out=rest)
    if times is not None:
        # Beyond 2**36 examples, more than anybody has, Python's own whole numbers take over.
        counts = times.astype(np.int64 if times.sum() < 2**36 else object)
        leading, rest = (part.astype(np.int64) * counts for part in (leading, rest))
    return leading.sum(axis=-1), rest.sum(axis=-1)  # floats are right for up to 2**27 numbers


def whole_sum(shares: Array, times: Integers | None = None) -> int:
    """The same in one whole number of 2**-52, of which there are `UNITS` in one."""
    leading, rest = whole_sums(shares, times)
    return int(leading) * 2**26 + int(rest)


def grouped_sums(
    values: Array | float, group: Integers, groups: int, largest: float, weight: Array | None = None
) -> Array:
    """The sum of each group, its numbers rounded to 2**-52 of the power of two above the largest that there may be.

    Numbers may each count by a `weight`; `largest` is then of the products.

    Examples
    --------
    >>> grouped_sums(np.array([0.1, 0.2, 0.3, -1.0]), np.array([0, 0, 0, 2]), 3, largest=1.0)
    array([ 0.6,  0. , -1. ])
    """
    unit = 2.0 ** float(np.frexp(largest)[1])
    whole, left = np.zeros(groups), np.zeros(groups)
    # Sums of whole numbers are exact: where one block ends and the next begins changes no digit.
    step = max(BLOCK, groups)
    for start in range(0, group.size, step):
        here = slice(start, start + step)
        some = values[here] if isinstance(values, np.ndarray) else values
        leading, rest = _split((some if weight is None else some * weight[here]) / unit)
        whole += np.bincount(group[here], leading, groups)
        if rest.any():
            rest *= PARTS
            left += np.bincount(group[here], np.rint(rest, out=rest), groups)
    return np.asarray((whole + left / PARTS) * (unit / PARTS))


def _split(values: Array) -> tuple[Array, Array]:
    """The nearest whole numbers of 2**-26, and what they leave of the values, in the same unit."""
    rest = values * PARTS
    leading = np.rint(rest)
    rest -= leading
    return leading, rest
