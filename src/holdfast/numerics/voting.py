"""How much weight stands behind each label, on each of many inputs."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

from holdfast.numerics.arrays import Array, Integers

BLOCK = 2**22  # answers that are counted at once


def votes(
    predicted: NDArray[np.integer], labels: int, weights: Array | None = None
) -> Iterator[tuple[Integers, Array | Integers]]:
    r"""Labels in order and the weight behind each, a row for an input, some inputs at a time.

    Votes of equal weight are counted, in whole numbers. Of more labels than models only those that are said have a
    column: no row is longer than there are models.

    Examples
    --------
    >>> [(names, weight)] = votes(np.array([[0, 1], [2, 1], [2, 0]]), labels=3)
    >>> print(names, weight, sep="\n")
    [[0 1 2]
     [0 1 2]]
    [[1 0 2]
     [1 2 0]]
    >>> [(names, weight)] = votes(np.array([[0, 7], [9, 7], [9, 1]]), labels=10, weights=np.array([0.5, 0.25, 0.25]))
    >>> print(names[:, :2], weight, sep="\n")
    [[0 9]
     [1 7]]
    [[0.5  0.5  0.  ]
     [0.25 0.75 0.  ]]
    """
    models, inputs = predicted.shape
    step = max(1, BLOCK // max(models, 1))
    for start in range(0, inputs, step):
        here = predicted[:, start : start + step].astype(np.int64)
        size = here.shape[1]
        names, place = _said(here) if labels > models else (np.tile(np.arange(labels), (size, 1)), here)
        code = (place + names.shape[1] * np.arange(size)).reshape(-1)
        each = None if weights is None else np.repeat(weights, size)
        yield names, np.bincount(code, each, minlength=names.size).reshape(names.shape)


def _said(answers: Integers) -> tuple[Integers, Integers]:
    """The labels that are said on each input, a row of as many as there are models, and where each answer is in it."""
    order = np.argsort(answers, axis=0, kind="stable")
    ranked = np.take_along_axis(answers, order, axis=0)
    rank = np.cumsum(np.diff(ranked, axis=0, prepend=ranked[:1]) != 0, axis=0)
    names, place = np.zeros_like(answers), np.empty_like(answers)
    np.put_along_axis(names, rank, ranked, axis=0)
    np.put_along_axis(place, order, rank, axis=0)
    return names.T, place


Codes = NDArray[np.integer]
WORDS = 2**17  # of 64 inputs each, compared at once: what stays in the cache; of fewer, threads wait for their turn
LONGEST = 2**10 - 1  # words whose bits a sum of 16 bits can hold
SLAB = 2**22  # answers in work at once while they are packed into bits


def disagreements(first: Codes, second: Codes | None = None) -> Integers:
    r"""On how many inputs each of the first classifiers differs from each of the second, or from each other.

    Answers are codes of labels, classifiers along the first axis.

    Notes
    -----
    A code of b bits is b matrices of bits, and two codes differ where any of their bits do:

    .. math:: D_{mk} = \sum_{j} \mathrm{popcount}\bigl(\textstyle\bigvee_b x_{bmj} \oplus x_{bkj}\bigr)

    over words j of 64 inputs: a label more costs nothing until it needs another bit. Memory holds the result, and the
    bits of the answers.

    Examples
    --------
    >>> disagreements(np.array([[0, 1, 2, 2], [0, 1, 1, 2], [1, 1, 0, 0]])).tolist()
    [[0, 1, 3], [1, 0, 3], [3, 3, 0]]
    >>> disagreements(np.array([[0, 1, 1]]), np.array([[0, 1, 0], [1, 0, 0]])).tolist()
    [[1, 3]]
    """
    several = (first,) if second is None else (first, second)
    lowest = min([0, *(int(codes.min()) for codes in several if codes.size)])
    largest = max([1, *(int(codes.max()) for codes in several if codes.size)])
    planes = (largest - lowest).bit_length()
    rows = _packed(first, planes, lowest)
    columns = rows if second is None else _packed(second, planes, lowest)
    apart = np.zeros((len(first), columns.shape[1]), np.int64)
    width = min(max(rows.shape[2], 1), LONGEST)
    height = max(WORDS // width, 1)

    def count(top: int) -> None:
        """The disagreements with some of the second; of a square only the triangle, the rest being its mirror image."""
        bottom = min(top + height, columns.shape[1])
        for start in range(0, rows.shape[2], width):
            tile = np.ascontiguousarray(columns[:, top:bottom, start : start + width])
            differ, part = np.empty((2, *tile.shape[1:]), np.uint64)
            bits = np.empty(tile.shape[1:], np.uint8)
            for place in range(len(first) if second is not None else bottom):
                left = max(place, top) if second is None else top
                here, some = rows[:, place, start : start + width], slice(left - top, None)
                np.bitwise_xor(tile[0, some], here[0], out=differ[some])
                for plane in range(1, planes):
                    np.bitwise_xor(tile[plane, some], here[plane], out=part[some])
                    np.bitwise_or(differ[some], part[some], out=differ[some])
                np.bitwise_count(differ[some], out=bits[some])
                apart[place, left:bottom] += np.add.reduce(bits[some], axis=1, dtype=np.uint16)

    tops = range(0, columns.shape[1], height)
    if len(tops) == 1:
        count(0)
    else:
        with ThreadPoolExecutor(min(os.cpu_count() or 1, 8)) as pool:  # numpy lets go of the lock
            list(pool.map(count, reversed(tops)))  # of a triangle the longest first
    return apart if second is not None else apart + apart.T


def _packed(codes: Codes, planes: int, lowest: int) -> NDArray[np.uint64]:
    """The bits of the codes, by plane, classifier and word; the inputs that fill up the last word are all alike."""
    classifiers, inputs = codes.shape
    words = np.zeros((planes, classifiers, -(-inputs // 64) * 8), np.uint8)
    step = max(SLAB // max(inputs, 1), 1)
    for start in range(0, classifiers, step):
        some = codes[start : start + step]
        shifted = some.astype(np.int64) - lowest if lowest else some
        for plane in range(planes):
            bit = np.packbits(shifted & (1 << plane) if planes > 1 else shifted, axis=1)
            words[plane, start : start + step, : bit.shape[1]] = bit
    return words.view(np.uint64)
