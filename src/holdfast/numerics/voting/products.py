"""Counting by matrix products of floats, several counts in each: a float holds 24 bits, and a small count needs few."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.numerics.arrays import Integers

Marks = NDArray[np.bool_]
BITS = 24  # of a whole number that a float of four bytes holds exactly
LENGTH = 255  # rows in one product: their number fits into a third of these bits
MOST, FEWEST = 4, 3  # counts in one float: the former where no column has more marks than a quarter of the bits holds
SOME = 1 / 6  # of a row: where no more are marked, rows go together, and mostly allow for the former
BLOCK = 132  # columns of the first for which counts are found at once, a multiple of both


class MarksInCommon:
    r"""In how many rows a column of the first matrix and one of the second, or else of the first, are both marked.

    Rows come in piece by piece.

    Notes
    -----
    With three columns of the second in one, as digits of base 256, a product of matrices counts for all three:

    .. math:: \sum_j x_j (y_j + 256\, y'_j + 65536\, y''_j) < 2^{24} \quad\text{for up to 255 rows,}

    which floats of four bytes hold exactly. No count exceeds the marks of its column: where these are few, four digits
    of base 64 do. Of a square only the blocks on and above the diagonal are found.

    Examples
    --------
    >>> common = MarksInCommon([2], np.int64)
    >>> common.add([np.array([[True, False], [True, True], [False, True]])])
    >>> common.add([np.array([[True, False]])])
    >>> common.total().tolist()
    [[3, 1], [1, 2]]
    """

    def __init__(self, widths: Sequence[int], kind: type[np.signedinteger[Any]]) -> None:
        self.widths = widths
        self.padded = [-(-width // (MOST * FEWEST)) * MOST * FEWEST for width in widths]
        self.found = np.zeros((widths[0], self.padded[-1]), kind)
        self.tops = range(0, widths[0], BLOCK)
        corners = [(top, top if len(widths) == 1 else 0) for top in self.tops]
        self.sums = {number: Sums(number, corners, self.found) for number in (MOST, FEWEST)}
        self.waiting: dict[bool, list[Sequence[Marks]]] = {True: [], False: []}  # rows where no more than some, or more

    def add(self, marked: Sequence[Marks]) -> None:
        some = marks_by_row(marked) <= SOME * sum(self.widths)
        for which, waiting in self.waiting.items():
            waiting.append([rows[some == which] for rows in marked])
            self._multiply(waiting, sum(len(rows[0]) for rows in waiting) // LENGTH * LENGTH)

    def include(self, counts: Integers) -> None:
        """Add what was counted elsewhere."""
        self.found[:, : self.widths[-1]] += counts

    def total(self) -> Integers:
        for waiting in self.waiting.values():
            self._multiply(waiting, sum(len(rows[0]) for rows in waiting))
        for each in self.sums.values():
            each.empty()
        found = self.found[:, : self.widths[-1]]
        if len(self.widths) == 1:
            for top, bottom in ((top, top + BLOCK) for top in self.tops):
                found[bottom:, top:bottom] = found[top:bottom, bottom:].T
        return found

    def _multiply(self, waiting: list[Sequence[Marks]], length: int) -> None:
        """Count the first so many of the rows that wait."""
        if not length:
            return
        marked = [np.concatenate(pieces) for pieces in zip(*waiting, strict=True)]
        waiting[:] = [[rows[length:] for rows in marked]]
        for start in range(0, length, LENGTH):
            end = min(start + LENGTH, length)
            several = [np.zeros((end - start, width), np.float32) for width in self.padded]
            for floats, rows in zip(several, marked, strict=True):
                floats[:, : rows.shape[1]] = rows[start:end]
            most = max(int(floats.sum(axis=0).max()) for floats in several)
            self.sums[MOST if most < 2 ** (BITS // MOST) else FEWEST].add(several[0], several[-1])


def marks_by_row(marked: Sequence[Marks]) -> Integers:
    """How many are marked in each row of the matrices together: counted as bits, which is faster than as bytes.

    Examples
    --------
    >>> marks_by_row([np.array([[True, False], [True, True]])]).tolist()
    [1, 2]
    """
    bits = (np.bitwise_count(np.packbits(rows, axis=1)) for rows in marked)
    return np.asarray(sum(np.add.reduce(counts, axis=1, dtype=np.int64) for counts in bits))


@dataclass
class Sums:
    """Counts of many blocks of rows, `number` of them in a word, until they are added to what is found.

    Every other digit is added apart, with as many bits again to grow into; all digits together are added as they are,
    modulo 2^32, and what the former leave of that are the others.
    """

    number: int
    corners: list[tuple[int, int]]  # top and left of each block of the product
    found: Integers
    blocks: int = 0
    words: list[tuple[NDArray[np.float32], NDArray[np.uint32], NDArray[np.uint32]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.bits = BITS // self.number
        self.bases = np.array([1 << self.bits * place for place in range(self.number)], np.float32)
        self.full = (1 << 2 * self.bits) - 1
        self.alternate = np.uint32(sum((1 << self.bits) - 1 << 2 * self.bits * place for place in range(2)))

    def add(self, first: NDArray[np.float32], second: NDArray[np.float32]) -> None:
        digits = second.reshape(len(second), -1, self.number) @ self.bases
        for (top, left), (product, every, alternate) in zip(self.corners, self._words(), strict=True):
            np.matmul(first[:, top : top + len(product)].T, digits[:, left // self.number :], out=product)
            counts = product.astype(np.int32).view(np.uint32)
            every += counts
            counts &= self.alternate
            alternate += counts
        self.blocks += 1
        if self.blocks > 1 << self.bits:
            self.empty()

    def _words(self) -> list[tuple[NDArray[np.float32], NDArray[np.uint32], NDArray[np.uint32]]]:
        if not self.words:
            height, width = self.found.shape
            for top, left in self.corners:
                shape = min(BLOCK, height - top), (width - left) // self.number
                self.words.append((np.empty(shape, np.float32), np.zeros(shape, np.uint32), np.zeros(shape, np.uint32)))
        return self.words

    def empty(self) -> None:
        for (top, left), (_, every, alternate) in zip(self.corners, self.words, strict=bool(self.words)):
            every -= alternate
            every >>= np.uint32(self.bits)
            for place in range(self.number):
                digit = (alternate, every)[place % 2] >> np.uint32(2 * self.bits * (place // 2))
                self.found[top : top + BLOCK, left + place :: self.number] += digit & self.full
            every[:], alternate[:] = 0, 0
        self.blocks = 0
