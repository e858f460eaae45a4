"""On how many inputs any two of many classifiers say different things."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdfast.numerics.arrays import Integers
from holdfast.numerics.voting.dissent import by_dissent

Codes = NDArray[np.integer]
WORDS = 2**15  # of 64 inputs each, compared at once: what stays in the cache
LONGEST = 2**10 - 1  # words whose bits a sum of 16 bits can hold
MANY = 2**28  # answers to compare, from which on it is faster to look at who dissents
SLAB = 2**24  # answers in work at once while they are packed into bits
CROWD = 8  # classifiers to a label, from which on what they say is worth counting by label and input


def disagreements(first: Codes, second: Codes | None = None) -> Integers:
    r"""On how many inputs each of the first classifiers differs from each of the second, or from each other.

    Answers are codes of labels, classifiers along the first axis.

    Notes
    -----
    A code of b bits is b matrices of bits, and two codes differ where any of their bits do:

    .. math:: D_{mk} = \sum_{j} \mathrm{popcount}\bigl(\textstyle\bigvee_b x_{bmj} \oplus x_{bkj}\bigr)

    over words j of 64 inputs: a label more costs nothing until it needs another bit. Many classifiers are compared by
    what those say who dissent. Either way memory holds the result, and of the answers their bits or the part in work.

    Examples
    --------
    >>> disagreements(np.array([[0, 1, 2, 2], [0, 1, 1, 2], [1, 1, 0, 0]])).tolist()
    [[0, 1, 3], [1, 0, 3], [3, 3, 0]]
    >>> disagreements(np.array([[0, 1, 1]]), np.array([[0, 1, 0], [1, 0, 0]])).tolist()
    [[1, 3]]
    """
    several = (first,) if second is None else (first, second)
    largest = max((int(codes.max()) for codes in several if codes.size), default=0)
    lowest = min([0, *(int(codes.min()) for codes in several if codes.size)])
    labels = max(largest - lowest + 1, 2)
    if labels * CROWD <= sum(map(len, several)) and first.size * len(several[-1]) > MANY:
        return by_dissent(first, second, labels, lowest)
    return _by_words(first, second, (labels - 1).bit_length(), lowest)


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
