"""How two classes stand among each other, in whole numbers, so that nothing is lost however many examples there are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from holdfast.evidence.arrays import Integers


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
