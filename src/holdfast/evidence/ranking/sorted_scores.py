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

from holdfast.evidence.value import Array, Integers
from holdfast.numerics.arrays import sort_in_place


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

    positives: Placements  # of the positives among the negatives
    negatives: Placements  # of the negatives among the positives
    tied: int  # pairs of one of each class with the same score
    distinct: int  # how many scores there are

    def then(self, higher: Order) -> Order:
        """The order of these scores and of higher ones."""
        return Order(
            higher.positives.after(self.positives, self.negatives),
            higher.negatives.after(self.negatives, self.positives),
            self.tied + higher.tied,
            self.distinct + higher.distinct,
        )


NOTHING = Order(Placements(0, 0, 0), Placements(0, 0, 0), 0, 0)


def order_of_counts(p: Integers, q: Integers) -> Order:
    """The order of the examples of a block, from how many of either class have each of its scores.

    Few as they are, their placements stay small and the powers of these whole numbers below 2**53.
    """
    if p.size == 1:
        m, n = int(p[0]), int(q[0])
        return Order(Placements(m, m * n, m * n * n), Placements(n, n * m, n * m * m), m * n, 1)
    return Order(_placements(p, q), _placements(q, p), int(np.einsum("i,i", p, q)), p.size)


def _placements(own: Integers, others: Integers) -> Placements:
    below = (2 * np.cumsum(others) - others).astype(np.float64)
    weighted = own * below
    return Placements(int(own.sum()), int(weighted.sum()), int(np.einsum("i,i", weighted, below)))


def order_of_places(places: Integers, size: int) -> Order:
    """The order of the examples of a block in which no two scores are equal, from the places of the positives alone.

    The square of the number of positives below a negative is the sum of 2 k + 1 over them, k = 0 for the lowest; so
    the k-th positive adds 2 k + 1 for each negative above it.
    """
    m, n = places.size, size - places.size
    rank = np.arange(float(m))
    below = places - rank
    total, squares = int(below.sum()), int(np.einsum("i,i", below, below))
    ranked = 2 * int(np.einsum("i,i", rank, below)) + total
    negatives = Placements(n, 2 * (m * n - total), 4 * (n * m * m - ranked))
    return Order(Placements(m, 2 * total, 4 * squares), negatives, 0, size)


ROWS = 2**15  # examples of a block: few enough for the cache, and for sums of cubes to be whole numbers below 2**53

Keys = NDArray[np.uint64]


class Block(NamedTuple):
    """Distinct scores in rising order, and how many examples of the class and how many others have each.

    There are at most ROWS examples in a block, or only one score. Where no two examples share a score, the counts
    are true/false instead of numbers.
    """

    values: Array
    positives: Array
    negatives: Array

    @property
    def single(self) -> bool:
        """Whether no two examples share a score."""
        return self.positives.dtype == np.bool_

    def turned(self) -> Block:
        """The block of the scores' opposites."""
        return Block(-self.values[::-1], self.positives[::-1], self.negatives[::-1])

    def below_positives(self) -> tuple[Integers, Integers, Integers]:
        """The places of the positives' scores, and how many positives and negatives of the block are below each."""
        places = np.flatnonzero(self.positives)
        if self.single:
            ranks = np.arange(places.size)
            return places, ranks, places - ranks
        own, others = self.positives, self.negatives
        return places, (np.cumsum(own) - own)[places], (np.cumsum(others) - others)[places]


class Ranking(ABC):
    """The scores of two classes, in order."""

    @property
    @abstractmethod
    def ends(self) -> tuple[float, float]:
        """The lowest and the highest score; both 0 where there is none."""

    @abstractmethod
    def blocks(self) -> Iterator[Block]:
        """The scores from the lowest to the highest."""

    @cached_property
    def order(self) -> Order:
        return reduce(Order.then, self._orders(), NOTHING)

    def _orders(self) -> Iterator[Order]:
        for block in self.blocks():
            if block.single:
                yield order_of_places(np.flatnonzero(block.positives), block.values.size)
            else:
                yield order_of_counts(block.positives, block.negatives)


@dataclass(frozen=True, eq=False)
class Cells(Ranking):
    """Distinct scores with the counts of both classes."""

    values: Array
    positives: Integers
    negatives: Integers

    @classmethod
    def of(cls, values: Array, positives: Integers, negatives: Integers) -> Cells:
        held = positives + negatives > 0
        distinct, place = np.unique(values[held] + 0.0, return_inverse=True)  # -0.0 is 0.0
        counts = np.zeros((2, distinct.size), np.int64)
        for row, times in zip(counts, (positives, negatives), strict=True):
            np.add.at(row, place, times[held])
        return cls(distinct, *counts)

    @property
    def ends(self) -> tuple[float, float]:
        return (float(self.values[0]), float(self.values[-1])) if self.values.size else (0.0, 0.0)

    def blocks(self) -> Iterator[Block]:
        ends = np.cumsum(self.positives + self.negatives)
        start, before = 0, 0
        while start < ends.size:
            stop = max(start + 1, int(np.searchsorted(ends, before + ROWS, side="right")))
            yield Block(self.values[start:stop], self.positives[start:stop], self.negatives[start:stop])
            start, before = stop, int(ends[stop - 1])


@dataclass(frozen=True, eq=False)
class Rows(Ranking):
    """One key per example, sorted: the bits of the size of its score, and the class in the lowest bit.

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
        sort_in_place(below)
        sort_in_place(above)
        return cls(below, above)

    @property
    def ends(self) -> tuple[float, float]:
        if not self.below.size + self.above.size:
            return 0.0, 0.0
        lowest = -_size(self.below[-1:]) if self.below.size else _size(self.above[:1])
        return lowest, _size(self.above[-1:]) if self.above.size else -_size(self.below[:1])

    def blocks(self) -> Iterator[Block]:
        few = self.below.size + self.above.size <= ROWS
        return iter(self._kept) if few else self._read()

    @cached_property
    def _kept(self) -> tuple[Block, ...]:
        return (*self._read(),)

    def _read(self) -> Iterator[Block]:
        for keys, rising in self._parts():
            block = _cells(keys)
            yield block if rising else block.turned()

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


def _size(key: Keys) -> float:
    return float((key >> 1).view(np.float64)[0])


def _cells(keys: Keys) -> Block:
    sizes = keys >> 1
    positive = keys & 1
    fresh = sizes[1:] != sizes[:-1]
    if fresh.all():
        single = positive.astype(np.bool_)
        return Block(sizes.view(np.float64), single, ~single)
    starts = np.concatenate(([0], np.flatnonzero(fresh) + 1))
    positives = np.add.reduceat(positive.view(np.int64), starts)
    return Block(sizes[starts].view(np.float64), positives, np.diff(starts, append=keys.size) - positives)
