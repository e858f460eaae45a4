"""Binomial tails of every count, for one number of trials after the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from holdfast.numerics.arrays import Array


def binomial_tables(sizes: Iterable[int], p: Array) -> Iterator[tuple[int, Array]]:
    """Each n of `sizes`, in rising order, with P(X <= k) for k = 0..n down the rows and the rates p across.

    By the recurrence over trials, P_n(X <= k) = (1 - p) P_{n-1}(X <= k) + p P_{n-1}(X <= k - 1): sums of positive
    terms, two passes over the table a trial. The table is reused: read it before asking for the next.
    """
    wanted = set(sizes)
    table = np.ones((max(wanted) + 1, p.size))  # for every k of n trials or more the tail is 1
    shifted = np.empty_like(table)
    for n in range(1, max(wanted) + 1):
        np.multiply(table[: n - 1], p, out=shifted[: n - 1])
        table[:n] *= 1.0 - p
        table[1:n] += shifted[: n - 1]
        if n in wanted:
            yield n, table[: n + 1]
