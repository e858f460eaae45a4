"""Elementwise work in pieces that fit the cache, on threads where there are many."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import ArrayLike

from holdfast.numerics.arrays import Array

BLOCK = 16_384  # elements worked on at once: large enough for threads, small enough for the cache
MANY = 20_000  # elements from which starting threads pays


def in_blocks(work: Callable[..., tuple[Array, ...]], results: int, *given: ArrayLike) -> list[Array]:
    """Run elementwise `work` on flat blocks of the broadcast arguments, on threads when there are many."""
    wanted = np.broadcast(*given)
    shape, size = wanted.shape, wanted.size
    if size <= BLOCK:
        own = [np.empty(shape) for _ in given]
        for copy, each in zip(own, given, strict=True):
            copy[...] = each
        with np.errstate(all="ignore"):  # log 0 and its like are meant where they occur
            return [each.reshape(shape) for each in work(*(copy.reshape(size) for copy in own))]
    flat = [np.broadcast_to(each, shape).reshape(-1) for each in given]
    found = np.empty((results, size))

    def block(start: int) -> None:
        here = slice(start, start + BLOCK)
        with np.errstate(all="ignore"):
            found[:, here] = work(*(each[here].astype(np.float64) for each in flat))

    starts = range(0, size, BLOCK)
    if size < MANY:
        for start in starts:
            block(start)
    else:
        with ThreadPoolExecutor(min(os.cpu_count() or 1, 8)) as pool:  # numpy and scipy let go of the lock
            list(pool.map(block, starts))
    return [each.reshape(shape) for each in found]
