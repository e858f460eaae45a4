"""Scores in rising order with the class of each: sorted once, as integers, and then walked in blocks.

Whatever is summed over them is summed exactly, in whole numbers, so that neither the order of the examples nor the
way in which they were stored can change a digit.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, reduce
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdfast.evidence.given import Array, Integers

ROWS = 2**15  # examples of a block: few enough for the cache, and for sums of cubes to be whole numbers below 2**53
RANKS = np.arange(float(ROWS))
FIXED = 2.0**26  # parts of one, of which parts again are taken

Keys = NDArray[np.uint64]


class Block(NamedTuple):
    """Distinct scores in rising order, and how many examples of the class and how many others have each.

    There are at most ROWS examples in a block, or only one score.
    """

    values: Array
    positives: Integers
    negatives: Integers


@dataclass(frozen=True)
class Placements:
    """How the examples of one class stand among those of the other: sums over them of whole numbers.

    The placement of an example is twice the number of the others below it, those with the same score counted once.
    """

    number: int
    total: int
    squares: int

    @property
    def variance(self) -> float:
        """The unbiased variance of the placements, from whole numbers: nothing cancels. NaN for fewer than two."""
        pairs = self.number * (self.number - 1)
        return (self.number * self.squares - self.total**2) / pairs if pairs else float("nan")

    def after(self, own: Placements, others: Placements) -> Placements:
        """These, with lower ones of both classes put before them."""
        by = 2 * others.number
        total = self.total + by * self.number
        squares = self.squares + 2 * by * self.total + by**2 * self.number
        return Placements(own.number + self.number, own.total + total, own.squares + squares)


@dataclass(frozen=True)
class Order:
    """All that the order of two classes says about how well they are told apart."""

    positives: Placements  # among the negatives
    negatives: Placements  # among the positives
    tied: int  # pairs of one of each class with the same score

    def then(self, higher: Order) -> Order:
        """The order of these scores and of higher ones."""
        return Order(
            higher.positives.after(self.positives, self.negatives),
            higher.negatives.after(self.negatives, self.positives),
            self.tied + higher.tied,
        )


NOTHING = Order(Placements(0, 0, 0), Placements(0, 0, 0), 0)


def _order(block: Block) -> Order:
    """The order of a block's scores alone, among which placements stay small and their powers whole numbers."""
    _, p, q = block
    if p.size == 1:
        m, n = int(p[0]), int(q[0])
        return Order(Placements(m, m * n, m * n * n), Placements(n, n * m, n * m * m), m * n)
    return Order(_placements(p, q), _placements(q, p), int(np.einsum("i,i", p, q)))


def _placements(own: Integers, others: Integers) -> Placements:
    below = (2 * np.cumsum(others) - others).astype(np.float64)
    weighted = own * below
    return Placements(int(own.sum()), int(weighted.sum()), int(np.einsum("i,i", weighted, below)))


def _order_of_distinct(positive: Keys) -> Order:
    """The same for scores of which no two are equal, from the places of the positives alone.

    The square of the number of positives below a negative is the sum of 2 k + 1 over them, k = 0 for the lowest; so
    the k-th positive adds 2 k + 1 for each negative above it.
    """
    places = np.flatnonzero(positive).astype(np.float64)
    m, n = places.size, positive.size - places.size
    rank = RANKS[:m]
    below = places - rank
    total, squares = int(below.sum()), int(np.einsum("i,i", below, below))
    ranked = 2 * int(np.einsum("i,i", rank, below)) + total
    return Order(Placements(m, 2 * total, 4 * squares), Placements(n, 2 * (m * n - total), 4 * (n * m * m - ranked)), 0)


class Ranking(ABC):
    """The scores of two classes, in order."""

    @abstractmethod
    def blocks(self) -> Iterator[Block]:
        """The scores from the lowest to the highest."""

    @cached_property
    def order(self) -> Order:
        return reduce(Order.then, self._orders(), NOTHING)

    def _orders(self) -> Iterator[Order]:
        return (_order(block) for block in self.blocks())


@dataclass(frozen=True, eq=False)
class Cells(Ranking):
    """Distinct scores with the counts of both classes."""

    values: Array
    positives: Integers
    negatives: Integers

    @classmethod
    def of(cls, values: Array, positives: Integers, negatives: Integers) -> Cells:
        seen = positives + negatives > 0
        distinct, place = np.unique(values[seen] + 0.0, return_inverse=True)  # -0.0 is 0.0
        counts = np.zeros((2, distinct.size), np.int64)
        for row, times in zip(counts, (positives, negatives), strict=True):
            np.add.at(row, place, times[seen])
        return cls(distinct, *counts)

    def blocks(self) -> Iterator[Block]:
        ends = np.cumsum(self.positives + self.negatives)
        start, before = 0, 0
        while start < ends.size:
            stop = max(start + 1, int(np.searchsorted(ends, before + ROWS, side="right")))
            yield Block(self.values[start:stop], self.positives[start:stop], self.negatives[start:stop])
            start, before = stop, int(ends[stop - 1])


@dataclass(frozen=True, eq=False)
class Rows(Ranking):
    """One key an example, sorted: the bits of the size of its score, and the class in the lowest bit.

    The bits of floats of one sign are in the order of their sizes, so negative scores stand apart, the largest
    size last. Integers sort several times faster than an order of indices could be found, and nothing is moved.
    """

    below: Keys  # of negative scores
    above: Keys

    @classmethod
    def of(cls, scores: Array, positive: NDArray[np.bool_]) -> Rows:
        """From scores that may be overwritten."""
        negative = scores < 0  # -0.0 is not, and loses its sign like all others
        keys = scores.view(np.uint64)
        keys <<= 1
        keys |= positive
        below, above = keys[:0], keys
        if negative.any():
            below, above = np.compress(negative, keys), np.compress(~negative, keys)
        below.sort()
        above.sort()
        return cls(below, above)

    def blocks(self) -> Iterator[Block]:
        for keys, rising in self._parts():
            values, positives, negatives = _cells(keys)
            yield (
                Block(values, positives, negatives)
                if rising
                else Block(-values[::-1], positives[::-1], negatives[::-1])
            )

    def _orders(self) -> Iterator[Order]:
        for keys, rising in self._parts():
            step = 1 if rising else -1
            if _distinct(keys >> 1):
                yield _order_of_distinct((keys & 1)[::step])
            else:
                values, positives, negatives = _cells(keys)
                yield _order(Block(values, positives[::step], negatives[::step]))

    def _parts(self) -> Iterator[tuple[Keys, bool]]:
        """Keys of a block each, the blocks from the lowest score to the highest; and whether they rise within it."""
        stop = self.below.size
        while stop:
            start = max(stop - ROWS, 0)
            if start:
                start = int(np.searchsorted(self.below, self.below[start - 1] | 1, side="right"))
            if start == stop:  # one score fills it
                start = int(np.searchsorted(self.below, self.below[stop - 1] >> 1 << 1))
            yield self.below[start:stop], False
            stop = start
        start = 0
        while start < self.above.size:
            stop = start + ROWS
            if stop < self.above.size:
                stop = int(np.searchsorted(self.above, self.above[stop] >> 1 << 1))
            if start == stop:
                stop = int(np.searchsorted(self.above, self.above[start] | 1, side="right"))
            yield self.above[start:stop], True
            start = stop


def _distinct(sizes: Keys) -> bool:
    return bool(np.all(sizes[1:] != sizes[:-1]))


def _cells(keys: Keys) -> Block:
    sizes = keys >> 1
    positive = (keys & 1).view(np.int64)
    if _distinct(sizes):
        return Block(sizes.view(np.float64), positive, 1 - positive)
    starts = np.concatenate(([0], np.flatnonzero(sizes[1:] != sizes[:-1]) + 1))
    positives = np.add.reduceat(positive, starts)
    return Block(sizes[starts].view(np.float64), positives, np.diff(starts, append=keys.size) - positives)


def exact_sum(shares: Array, times: Array) -> int:
    """The sum of numbers in [0, 1], each taken so many times, in units of 2**-52; each is rounded to one such unit."""
    scaled = shares * FIXED
    leading = np.rint(scaled)
    rest = np.rint((scaled - leading) * FIXED)
    counts = times.astype(np.int64)
    units = np.einsum("i,i", leading.astype(np.int64), counts), np.einsum("i,i", rest.astype(np.int64), counts)
    return int(units[0]) * 2**26 + int(units[1])
