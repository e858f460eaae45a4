"""On how many inputs any two of many classifiers say different things."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.evidence import Integers
from holdfast.numerics.products import ones_in_common

Codes = NDArray[np.integer]
WORDS = 2**15  # of 64 inputs each, compared at once: what stays in the cache
LONGEST = 2**10 - 1  # words whose bits a sum of 16 bits can hold
MANY = 2**28  # answers of two labels to compare, from which on products are faster
SLAB = 2**24  # answers in work at once while they are packed into bits
FEW = 0.025  # of all classifiers: where no more dissent, to count their pairs one by one is faster than a product
SOME = 1 / 6  # of all: where no more dissent, a product mostly counts four pairs in one
MOST_CORES = 8  # at work at once: each holds counts of its own for all pairs


def disagreements(first: Codes, second: Codes | None = None) -> Integers:
    r"""On how many inputs each of the first classifiers differs from each of the second, or from each other.

    Answers are codes of labels, classifiers along the first axis.

    Notes
    -----
    A code of b bits is b matrices of bits, and two codes differ where any of their bits do:

    .. math:: D_{mk} = \sum_{j} \mathrm{popcount}\bigl(\textstyle\bigvee_b x_{bmj} \oplus x_{bkj}\bigr)

    over words j of 64 inputs: a label more costs nothing until it needs another bit. Two labels in large numbers are
    counted by products of matrices instead, where these can be held to one thread; there inputs on which all agree cost
    nothing, and those on which few dissent little. Either way memory holds the result, and of the answers no more than
    their bits or a few columns.

    Examples
    --------
    >>> disagreements(np.array([[0, 1, 2, 2], [0, 1, 1, 2], [1, 1, 0, 0]])).tolist()
    [[0, 1, 3], [1, 0, 3], [3, 3, 0]]
    >>> disagreements(np.array([[0, 1, 1]]), np.array([[0, 1, 0], [1, 0, 0]])).tolist()
    [[1, 3]]
    """
    several = (first,) if second is None else (first, second)
    largest = max((int(codes.max()) for codes in several if codes.size), default=0)
    lowest = min((int(codes.min()) for codes in several if codes.size), default=0)
    planes = max((largest - min(lowest, 0)).bit_length(), 1)
    if planes == 1 and lowest >= 0 and first.size * len(several[-1]) > MANY and _can_be_held_to_one_thread():
        return _by_products(first, second)
    return _by_words(first, second, planes, min(lowest, 0))


def _can_be_held_to_one_thread() -> bool:
    """Whether products can be kept from starting threads, which in many small ones stand in each other's way."""
    return find_spec("threadpoolctl") is not None


def _by_products(first: Codes, second: Codes | None) -> Integers:
    """Each core at a part of the inputs: so none waits for another, as the threads of one product do."""
    from threadpoolctl import threadpool_limits

    cores = min(os.cpu_count() or 1, MOST_CORES)
    parts = [slice(*ends) for ends in pairwise(np.linspace(0, first.shape[1], cores + 1).astype(int).tolist())]
    with threadpool_limits(1, user_api="blas"), ThreadPoolExecutor(cores) as workers:
        each = workers.map(lambda part: _in_part(first[:, part], second if second is None else second[:, part]), parts)
        return np.asarray(sum(each))


def _in_part(first: Codes, second: Codes | None) -> Integers:
    """Two labels: |x| + |y| - 2 |x and y|, for the inputs that x and y mark by not saying what most say."""
    several = [codes.astype(np.int8, copy=False) for codes in ((first,) if second is None else (first, second))]
    everyone = sum(map(len, several))
    ones = sum(np.add.reduce(codes, axis=0, dtype=np.int32) for codes in several)
    fewer = np.minimum(ones, everyone - ones)
    usual = 2 * ones > everyone
    many = np.flatnonzero(fewer > FEW * everyone)
    many = many[np.argsort(fewer[many] > SOME * everyone, kind="stable")]
    few = np.flatnonzero((fewer > 0) & (fewer <= FEW * everyone))
    marked = [np.take(codes, many, axis=1) != usual[many] for codes in several]
    rare = [_sparse(np.take(codes, few, axis=1) != usual[few]) for codes in several]
    both = ones_in_common(marked[0], None if second is None else marked[1]) + (rare[0] @ rare[-1].T).toarray()
    sizes = [np.count_nonzero(rows, axis=1) + np.diff(some.indptr) for rows, some in zip(marked, rare, strict=True)]
    return np.asarray(sizes[0][:, np.newaxis] + sizes[-1] - 2 * both)


def _sparse(marked: NDArray[np.bool_]) -> Any:
    """The places of the few marks, by row: scipy's own way to them is eight times slower."""
    from scipy.sparse import csr_array

    rows, width = marked.shape
    places = np.flatnonzero(marked)
    ends = np.searchsorted(places, np.arange(rows + 1) * width)
    return csr_array((np.ones(len(places), np.int32), places % max(width, 1), ends), shape=marked.shape)


def _by_words(first: Codes, second: Codes | None, planes: int, lowest: int) -> Integers:
    rows = _packed(first, planes, lowest)
    columns = rows if second is None else _packed(second, planes, lowest)
    apart = np.zeros((len(first), columns.shape[1]), np.int64)
    width = min(max(rows.shape[2], 1), LONGEST)
    height = max(WORDS // width, 1)
    for start in range(0, rows.shape[2], width):
        for top in range(0, columns.shape[1], height):
            tile = np.ascontiguousarray(columns[:, top : top + height, start : start + width])
            differ, part = np.empty((2, *tile.shape[1:]), np.uint64)
            bits = np.empty(tile.shape[1:], np.uint8)
            # Of a square only the triangle up to this tile: the rest is its mirror image.
            for place in range(len(first) if second is not None else min(top + height, len(first))):
                here = rows[:, place, start : start + width]
                np.bitwise_xor(tile[0], here[0], out=differ)
                for plane in range(1, planes):
                    np.bitwise_xor(tile[plane], here[plane], out=part)
                    np.bitwise_or(differ, part, out=differ)
                np.bitwise_count(differ, out=bits)
                apart[place, top : top + height] += np.add.reduce(bits, axis=1, dtype=np.uint16)
    return apart if second is not None else np.triu(apart) + np.triu(apart, 1).T


def _packed(codes: Codes, planes: int, lowest: int) -> NDArray[np.uint64]:
    """The bits of the codes, by plane, classifier and word; the inputs that fill up the last word are all alike."""
    classifiers, inputs = codes.shape
    words = np.zeros((planes, classifiers, -(-inputs // 64) * 8), np.uint8)
    step = max(SLAB // max(inputs, 1), 1)
    for start in range(0, classifiers, step):
        some = codes[start : start + step]
        shifted = some.astype(np.int64) - lowest if lowest else some
        for plane in range(planes):
            bit = np.packbits((shifted >> plane) & 1, axis=1) if planes > 1 else np.packbits(shifted, axis=1)
            words[plane, start : start + step, : bit.shape[1]] = bit
    return words.view(np.uint64)
