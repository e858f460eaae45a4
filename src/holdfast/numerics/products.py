"""Counting by matrix products of floats, several counts in each: a float holds 24 bits, and a small count needs few."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from holdfast.evidence import Integers

BITS = 24  # of a whole number that a float of four bytes holds exactly
LENGTH = 255  # inputs in one product: their number fits into a third of these bits
MOST, FEWEST = 4, 3  # counts in one float: the former where no row has more ones than a quarter of the bits holds
ROWS = 252  # of the product that are found at once, a multiple of both; the rest of its triangle is left out


def ones_in_common(first: NDArray[np.integer], second: NDArray[np.integer] | None = None) -> Integers:
    r"""On how many inputs a row of 0/1 in the first and one in the second, or in the first as well, are both 1.

    Notes
    -----
    With three rows of the second in one, as digits of base 256, a product of matrices counts for all three:

    .. math:: \sum_j x_j (y_j + 256\, y'_j + 65536\, y''_j) < 2^{24} \quad\text{for up to 255 inputs,}

    which floats of four bytes hold exactly. No count exceeds the ones of its row: where these are few, four digits of
    base 64 do. Of a square only the blocks on and above the diagonal are found.

    Examples
    --------
    >>> ones_in_common(np.array([[1, 1, 0, 1], [0, 1, 1, 0]])).tolist()
    [[3, 1], [1, 2]]
    """
    other = first if second is None else second
    columns = -(-len(other) // (MOST * FEWEST)) * MOST * FEWEST
    tops = range(0, len(first), ROWS)
    corners = [(top, top if second is None else 0) for top in tops]
    found = np.zeros((len(first), columns), np.int32 if first.shape[1] < 2**31 else np.int64)
    sums = {number: Sums(number, corners, found) for number in (MOST, FEWEST)}
    padded = np.zeros((columns, LENGTH), np.float32)
    for start in range(0, first.shape[1], LENGTH):
        rows = _floats(first, start)
        padded[: len(other), : rows.shape[1]] = rows if second is None else _floats(second, start)
        number = MOST if rows.sum(axis=1).max(initial=0) < 2 ** (BITS // MOST) else FEWEST
        sums[number].add(rows, padded[:, : rows.shape[1]])
    for each in sums.values():
        each.empty()
    found = found[:, : len(other)]
    if second is None:
        for top, bottom in ((top, top + ROWS) for top in tops):
            found[bottom:, top:bottom] = found[top:bottom, bottom:].T
    return found


def _floats(codes: NDArray[np.integer], start: int) -> NDArray[np.float32]:
    """A few columns. Whole rows are cast at the speed of a copy, a piece of each is not."""
    return np.ascontiguousarray(codes[:, start : start + LENGTH]).astype(np.float32)


@dataclass
class Sums:
    """Counts of many blocks of inputs, `number` of them in a word, until they are added to what is found.

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
        self.full = (1 << 2 * self.bits) - 1
        self.alternate = np.uint32(sum((1 << self.bits) - 1 << 2 * self.bits * place for place in range(2)))

    def add(self, rows: NDArray[np.float32], columns: NDArray[np.float32]) -> None:
        digits = columns[0 :: self.number].copy()
        for place in range(1, self.number):
            digits += np.float32(1 << self.bits * place) * columns[place :: self.number]
        for (top, left), (product, every, alternate) in zip(self.corners, self._words(), strict=True):
            np.matmul(rows[top : top + ROWS], digits[left // self.number :].T, out=product)
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
                shape = min(ROWS, height - top), (width - left) // self.number
                self.words.append((np.empty(shape, np.float32), np.zeros(shape, np.uint32), np.zeros(shape, np.uint32)))
        return self.words

    def empty(self) -> None:
        for (top, left), (_, every, alternate) in zip(self.corners, self.words, strict=bool(self.words)):
            every -= alternate
            every >>= np.uint32(self.bits)
            for place in range(self.number):
                digit = (alternate, every)[place % 2] >> np.uint32(2 * self.bits * (place // 2))
                self.found[top : top + ROWS, left + place :: self.number] += digit & self.full
            every[:], alternate[:] = 0, 0
        self.blocks = 0
