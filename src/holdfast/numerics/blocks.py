"""Elementwise work in pieces that fit the cache, on threads where there are many."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import ArrayLike

from holdfast.evidence import Array

BLOCK = 16_384  # elements worked on at once: large enough for threads, small enough for the cache
MANY = 20_000  # elements from which starting threads pays


def in_blocks(work: Callable[..., tuple[Array, ...]], results: int, *given: ArrayLike) -> list[Array]:
    """Run elementwise `work` on flat blocks of the broadcast arguments, on threads when there are many."""
    arrays = np.broadcast_arrays(*given)
    shape, flat = arrays[0].shape, [each.reshape(-1) for each in arrays]
    if flat[0].size <= BLOCK:
        with np.errstate(all="ignore"):  # log 0 and its like are meant where they occur
            return [each.reshape(shape) for each in work(*(each.astype(np.float64) for each in flat))]
    found = np.empty((results, flat[0].size))

    def block(start: int) -> None:
        here = slice(start, start + BLOCK)
        with np.errstate(all="ignore"):
            found[:, here] = work(*(each[here].astype(np.float64) for each in flat))

    starts = range(0, flat[0].size, BLOCK)
    if flat[0].size < MANY:
        for start in starts:
            block(start)
    else:
        with ThreadPoolExecutor(min(os.cpu_count() or 1, 8)) as pool:  # numpy and scipy let go of the lock
            list(pool.map(block, starts))
    return [each.reshape(shape) for each in found]
