"""The different values of a column, and for each row the place of its value among them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import polars as pl

ROOM = 4  # slots a value in a table that is looked up: in that of leading bits few values then share a slot
AT_LEAST = 2**16  # slots that such a table may always have


@dataclass(frozen=True, eq=False)
class Coded:
    """A column as its different values, in rising order, and the place of each row's value; -1 where it is missing.

    Examples
    --------
    >>> import polars as pl
    >>> column = coded_column(pl.Series(["b", None, "a", "b"]))
    >>> column.values.to_list(), column.codes.tolist()
    (['a', 'b'], [1, -1, 0, 1])
    """

    values: pl.Series
    codes: NDArray[np.int32]

    @property
    def missing(self) -> int:
        return int(np.count_nonzero(self.codes < 0))


def coded_column(column: pl.Series) -> Coded:
    """The column by its values: through a hash of each, and then checked value by value."""
    import polars as pl

    column = column.rechunk()
    if column.dtype.is_float():
        column = column.fill_nan(None)
    if column.null_count():
        there = column.is_not_null().to_numpy()
        known = coded_column(column.drop_nulls())
        codes = np.full(len(column), -1, np.int32)
        codes[there] = known.codes
        return Coded(known.values, codes)
    if not len(column):
        return Coded(column, np.empty(0, np.int32))
    found = _by_value(column) or by_words(column, column.hash().to_numpy())
    if found is None:  # two values with one hash: once in a blue moon
        values = column.unique().sort()
        return Coded(values, values.search_sorted(column).cast(pl.Int32).to_numpy())
    return found


def _by_value(column: pl.Series) -> Coded | None:
    """The column where its values are whole numbers that lie close together."""
    import polars as pl

    if column.dtype not in (pl.Boolean, *(pl.Int8, pl.Int16, pl.Int32, pl.Int64), *(pl.UInt8, pl.UInt16, pl.UInt32)):
        return None
    places = column.cast(pl.Int64).to_numpy()
    least, most = int(places.min()), int(places.max())
    if most - least >= max(ROOM * len(places), AT_LEAST):
        return None
    places = places - least
    seen = np.zeros(most - least + 1, np.bool_)
    seen[places] = True
    values = pl.Series(np.flatnonzero(seen) + least).cast(column.dtype)
    return Coded(values, (np.cumsum(seen, dtype=np.int32) - np.int32(1))[places])


def coded_columns(columns: Sequence[pl.Series]) -> list[Coded]:
    """Each of the columns by its values, several at a time."""
    with ThreadPoolExecutor(min(os.cpu_count() or 1, 8)) as pool:  # numpy and the engine let go of the lock
        return [*pool.map(coded_column, columns)]


def by_words(column: pl.Series, words: NDArray[np.uint64]) -> Coded | None:
    """The column by a word for each of its values; None where two values share one."""
    import polars as pl

    seen = pl.Series(words).unique().sort().to_numpy()
    codes = _places(words, seen)
    last = np.empty(len(seen), np.int64)
    last[codes] = np.arange(len(codes))
    values = column.gather(last)
    if not (values.gather(codes) == column).all():
        return None
    order = values.arg_sort().to_numpy()
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return Coded(values.gather(order), rank[codes])


def _places(words: NDArray[np.uint64], seen: NDArray[np.uint64]) -> NDArray[np.int32]:
    """Where each word stands among those seen, which are sorted: words spread evenly, so their first bits nearly tell.

    A search by halves would touch memory twenty times a row; this does so about twice.
    """
    bits = (ROOM * len(seen)).bit_length()
    shift = np.uint64(64 - bits)
    starts = np.searchsorted(seen >> shift, np.arange(1 << bits, dtype=np.uint64)).astype(np.int32)
    places = starts[(words >> shift).view(np.int64)]
    off = np.flatnonzero(seen[places] != words)
    while off.size:
        places[off] += 1
        off = off[seen[places[off]] != words[off]]
    return places
