"""Elementwise work: many elements in pieces that fit the cache, on threads; a few one by one."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike

from holdfast.numerics.arrays import Array

Values = TypeVar("Values", bound=tuple[Array, ...])

BLOCK = 16_384  # elements worked on at once: large enough for threads, small enough for the cache
MANY = 20_000  # elements from which starting threads pays
FEW = 8  # elements up to which scalars, on which an operation takes a tenth of the time, cost less than an array


def in_blocks(
    work: Callable[..., tuple[Array, ...]], results: int, *given: ArrayLike, scalars: bool = False
) -> list[Array]:
    """Run elementwise `work` on flat blocks of the broadcast arguments, on threads when there are many.

    Of work that takes `scalars` as well as arrays, a few elements are done one by one.
    """
    wanted = np.broadcast(*given)
    shape, size = wanted.shape, wanted.size
    if size <= BLOCK:
        own = np.empty((len(given), *shape))
        for place, each in enumerate(given):
            own[place] = each
        own = own.reshape(len(given), size)
        with np.errstate(all="ignore"):  # log 0 and its like are meant where they occur
            done = zip(*map(work, *own), strict=True) if scalars and 0 < size <= FEW else work(*own)
            return [np.asarray(each).reshape(shape) for each in done]
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


def piecewise(values: Values, where: Array, other: Callable[..., Values], *given: Array) -> Values:
    """The values, replaced `where` this is true by what the `other` formula makes of the given: in place if arrays.

    Examples
    --------
    >>> x = np.array([4.0, -1.0])
    >>> piecewise((x / 2,), x < 0, lambda x: (-x,), x)
    (array([2., 1.]),)
    >>> piecewise((x[1] / 2,), x[1] < 0, lambda x: (-x,), x[1])
    (np.float64(1.0),)
    """
    if not where.ndim:
        return other(*given) if where else values
    if where.any():
        for each, better in zip(values, other(*(each[where] for each in given)), strict=True):
            each[where] = better
    return values
