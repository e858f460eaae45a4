"""Whole numbers in rising order, by whoever sorts them fastest here, and the different ones among them."""

from __future__ import annotations

import sys
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.numerics.arrays import Array, Integers

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
    found = np.show_config(mode="dicts").get("SIMD Extensions", {}).get("found", [])
    return not WIDE.isdisjoint(found)
