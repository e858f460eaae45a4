"""Counting by matrix products of floats, three counts in each: a float holds 24 bits, and few inputs need but eight."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from holdfast.evidence import Integers

LENGTH = 255  # inputs, the number of which a digit of 8 bits can hold
ROWS = 252  # of the product that are found at once, a multiple of three; the rest of its triangle is left out
MOST_CORES = 8  # at work at once: each holds counts of its own for all pairs
BLOCKS = 257  # of that length, after which digits of 16 bits may be full


def ones_in_common(first: NDArray[np.integer], second: NDArray[np.integer] | None = None) -> Integers:
    r"""On how many inputs a row of 0/1 in the first and one in the second, or in the first as well, are both 1.

    Notes
    -----
    With three rows of the second in one, as digits of base 256, a product of matrices counts for all three:

    .. math:: \sum_j x_j (y_j + 256\, y'_j + 65536\, y''_j) < 2^{24} \quad\text{for up to 255 inputs,}

    which floats of four bytes hold exactly. Of a square only the blocks on and above the diagonal are found.

    Examples
    --------
    >>> ones_in_common(np.array([[1, 1, 0, 1], [0, 1, 1, 0]])).tolist()
    [[3, 1], [1, 2]]
    """
    other = first if second is None else second
    columns = -(-len(other) // 3) * 3
    found = np.zeros((len(first), columns), np.int64)
    tops = range(0, len(first), ROWS)
    lefts = [top if second is None else 0 for top in tops]
    shapes = [(min(ROWS, len(first) - top), (columns - left) // 3) for top, left in zip(tops, lefts, strict=True)]
    outer, inner = ([np.zeros(shape, np.uint32) for shape in shapes] for _ in range(2))
    three = np.zeros((columns, LENGTH), np.float32)

    def empty() -> None:
        for top, left, ends, middle in zip(tops, lefts, outer, inner, strict=True):
            block = found[top : top + ROWS, left:]
            block[:, 0::3] += ends & 0xFFFF
            block[:, 1::3] += middle
            block[:, 2::3] += ends >> 16
            ends[:], middle[:] = 0, 0

    for number, start in enumerate(range(0, first.shape[1], LENGTH), 1):
        here = first[:, start : start + LENGTH].astype(np.float32)
        width = here.shape[1]
        three[: len(other), :width] = here if second is None else second[:, start : start + LENGTH]
        digits = three[0::3, :width] + np.float32(256) * three[1::3, :width] + np.float32(65536) * three[2::3, :width]
        for top, left, ends, middle in zip(tops, lefts, outer, inner, strict=True):
            counts = (here[top : top + ROWS] @ digits[left // 3 :].T).astype(np.uint32)
            ends += counts & np.uint32(0xFF00FF)
            counts >>= np.uint32(8)
            counts &= np.uint32(0xFF)
            middle += counts
        if number % BLOCKS == 0:
            empty()
    empty()
    found = found[:, : len(other)]
    return found if second is not None else np.triu(found) + np.triu(found, 1).T


def ones_in_common_by_parts(first: NDArray[np.integer], second: NDArray[np.integer] | None = None) -> Integers:
    """The same, each core at a part of the inputs: so none waits for another, as the threads of one product do."""
    from threadpoolctl import threadpool_limits

    cores = min(os.cpu_count() or 1, MOST_CORES)
    ends = np.linspace(0, first.shape[1], cores + 1).astype(int)
    parts = [slice(start, stop) for start, stop in pairwise(ends.tolist())]
    with threadpool_limits(1, user_api="blas"), ThreadPoolExecutor(cores) as workers:
        each = workers.map(
            lambda part: ones_in_common(first[:, part], None if second is None else second[:, part]), parts
        )
        return np.asarray(sum(each))


def can_be_held_to_one_thread() -> bool:
    """Whether products can be kept from starting threads, which in many small ones stand in each other's way."""
    return find_spec("threadpoolctl") is not None
