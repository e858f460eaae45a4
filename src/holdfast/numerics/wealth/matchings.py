r"""Products over all ways to match one class with different examples of the other, on average: no order enters.

A row is an example of the smaller class, a column one of the larger. In one matching every row has a column of its own,
and wins it (1), ties with it (1/2) or loses it (0). The rows are sorted so that whatever a row wins or ties with, the
rows after it win. For such boards the mean over all matchings of the sum of products over k rows has a recursion, row
by row (rook numbers of a Ferrers board, Goldman, Joichi and White 1975), and with ties one group of equal rows at a
time. All terms are positive, and what is kept, the mean product of k rows, lies in [0, 1]: nothing cancels.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.special import gammaln

from holdfast.numerics.arrays import Array, Integers

LEAST = float(np.finfo(float).tiny)


class Board(NamedTuple):
    """Groups of rows that are equal, in their order: how many rows, how many columns they beat, how many they tie."""

    rows: Integers
    beaten: Integers
    tied: Integers
    columns: int

    @classmethod
    def of(cls, rows: Integers, columns: Integers, ties: float = 0.5) -> Board:
        """From how many of either class have each score, rising; `ties` are worth 1/2, or 1, or nothing."""
        below = np.cumsum(columns) - columns
        beaten = below + (columns if ties == 1.0 else 0)
        tied = columns if ties == 0.5 else np.zeros_like(columns)
        held = rows > 0
        return cls(rows[held], beaten[held], tied[held], int(columns.sum()))

    @property
    def size(self) -> int:
        return int(self.rows.sum())


def mean_products(board: Board) -> Array:
    """For each k the mean product of k rows, over all choices of the rows and over all matchings.

    It falls in k. What is too small for a float is left off, and with it all that follows.

    Examples
    --------
    >>> print(mean_products(Board.of(np.array([1, 1]), np.array([1, 1]))))  # rows 0, 1 against columns 0, 1
    [1.    0.5   0.125]
    """
    means, before = np.ones(1), 0
    logs = gammaln(np.arange(board.columns + board.size + 2.0) + 1.0)  # of factorials
    for rows, beaten, tied in zip(*(each.tolist() for each in board[:3]), strict=True):
        if rows == 1 or not tied:
            for row in range(rows):
                means = _with_row(means, before + row, beaten + tied / 2, board.columns)
        else:
            means = _with_ties(means, before, rows, beaten, tied, board.columns, logs)
        before += rows
    return means


def _with_row(means: Array, before: int, worth: float, columns: int) -> Array:
    """One row more than those before: a product of k rows has it or has it not."""
    k = np.arange(float(means.size))
    free = np.maximum(worth - k, 0.0) / np.maximum(columns - k, 1.0)  # what a column that is still free is worth
    more = np.zeros(means.size + 1)
    more[:-1] = (before + 1 - k) * means
    more[1:] += (k + 1) * free * means
    return _held(more / (before + 1))


def _held(means: Array) -> Array:
    """Without what a float does not hold in full."""
    return means if means[-1] >= LEAST else means[: np.count_nonzero(means >= LEAST)]


def _with_ties(means: Array, before: int, rows: int, beaten: int, tied: int, columns: int, logs: Array) -> Array:
    r"""A group of equal rows: s of them have columns that they tie with, the others may have columns that they beat.

    Of k rows in all, s tied ones add

    .. math:: \binom{a}{s} \frac{(b)_s}{2^s} \frac{(k)_s}{(i)_s\, (N - k + s)_s}

    times what a - s rows without a tie leave of the other k - s, with a rows and b ties in the group, i rows so far and
    N columns.
    """
    every = before + rows
    more = np.zeros(min(means.size + rows, every + 1))
    for untied in range(rows + 1):
        s = rows - untied
        if s <= tied:
            first, stop = s, s + means.size
            constant = logs[rows] - logs[s] - logs[rows - s] + logs[tied] - logs[tied - s] - s * np.log(2.0)
            constant += logs[every - s] - logs[every]
            by_k = logs[first:stop] - logs[first - s : stop - s]
            by_k += logs[columns - np.arange(first, stop)] - logs[columns - np.arange(first, stop) + s]
            more[first:stop] += means * np.exp(constant + by_k)
        if untied < rows:
            means = _with_row(means, before + untied, beaten, columns)
    return _held(more)
