"""Whole numbers in rising order, by whoever sorts them fastest here."""

from __future__ import annotations

import sys
from functools import cache

import numpy as np
from numpy.typing import NDArray

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


@cache
def has_wide_units() -> bool:
    """Whether numpy found vector units of 512 bits here."""
    found = np.show_config(mode="dicts").get("SIMD Extensions", {}).get("found", [])
    return not WIDE.isdisjoint(found)
