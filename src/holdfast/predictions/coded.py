"""A column as its different values, and for each row the place of its value among them."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from holdfast.errors import InvalidEvidence
from holdfast.numerics.arrays import Array
from holdfast.predictions.objects import Column, text_of

if TYPE_CHECKING:
    import polars as pl


Codes = NDArray[np.int32]
Flags = NDArray[np.bool_]
ROOM = 4  # slots a value in a table that is looked up: in that of leading bits few values then share a slot
AT_LEAST = 2**16  # slots that such a table may always have
BLOCK = 2**20  # Python values at a time: each of an array of text becomes one on its way


@dataclass(frozen=True, eq=False)
class Coded:
    """A column as its different values, in rising order, and the place of each row's value; -1 where it is missing.

    Examples
    --------
    >>> column = coded("truth", Column(["b", None, "a", "b"]))
    >>> column.distinct, column.codes.tolist()
    (['a', 'b'], [1, -1, 0, 1])
    """

    values: Sequence[Any] | pl.Series
    codes: Codes

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def distinct(self) -> list[Any]:
        return [*self.values]

    @property
    def missing(self) -> int:
        """In how many rows there is no value."""
        return int(np.count_nonzero(self.codes < 0))

    def filter(self, which: Any) -> Coded:
        """Some of the rows."""
        return Coded(self.values, self.codes[which]).compact()

    def compact(self) -> Coded:
        """Without the values that no row holds."""
        held = np.zeros(len(self.values) + 1, np.bool_)
        held[self.codes] = True  # -1 is the last
        if held[:-1].all():
            return self
        places = np.flatnonzero(held[:-1])
        rank = np.full(len(held), -1, np.int32)
        rank[places] = np.arange(len(places))
        return Coded([self.values[place] for place in places.tolist()], rank[self.codes])

    def placed(self, places: Sequence[int], missing: int, kind: Any = np.int64) -> NDArray[Any]:
        """For each row what is said of its value, or of none."""
        return np.array([*places, missing], kind)[self.codes]  # -1 is the last

    def to_list(self) -> list[Any]:
        """The values row by row."""
        known = [*self.values, None]
        return [known[code] for code in self.codes.tolist()]


def coded(name: str, column: Column) -> Coded:
    """A column of Python values or of an array by its values; NaN is no value."""
    values, missing = column.values, column.missing
    if not isinstance(values, np.ndarray) or values.dtype.kind in "UST":
        known = _by_object(name, values)
        return known if missing is None else Coded(known.values, np.where(missing, -1, known.codes)).compact()
    if values.dtype.kind == "f":
        values = values.astype(np.float64, copy=False)
    if values.dtype.kind in "fM":
        gone = np.isnan(values) if values.dtype.kind == "f" else np.isnat(values)
        missing = gone if missing is None else gone | missing
    if missing is None or not missing.any():
        return _by_number(values)
    known = _by_number(values[~missing])
    codes = np.full(len(values), -1, np.int32)
    codes[~missing] = known.codes
    return Coded(known.values, codes)


class _Places(dict[Any, int]):
    """Values in the order in which they were first looked up."""

    def __missing__(self, value: Any) -> int:
        return self.setdefault(value, len(self))


def _by_object(name: str, values: Any) -> Coded:
    """Text and dates, which are looked up one by one."""
    places, codes = _Places(), np.empty(len(values), np.int32)
    for start in range(0, len(values), BLOCK):
        block = values[start : start + BLOCK]
        block = block.tolist() if isinstance(block, np.ndarray) else block
        codes[start : start + BLOCK] = np.fromiter(map(places.__getitem__, block), np.int32, len(block))
    try:
        found: list[Any] = [text_of(value) if isinstance(value, (str, bytes, float)) else value for value in places]
        "".join(value for value in found if isinstance(value, str)).encode()
    except UnicodeError:
        raise InvalidEvidence(f"{name} holds text that is not valid Unicode.") from None
    known = sorted({*found} - {None})
    rank: dict[Any, int] = {value: place for place, value in enumerate(known)}
    return Coded(known, np.array([rank.get(value, -1) for value in found], np.int32)[codes])


def _by_number(values: NDArray[Any]) -> Coded:
    """Numbers, true/false values and moments, none of which is missing."""
    if not values.size:
        return Coded([], np.empty(0, np.int32))
    found = _close(values)
    if found is None:
        known, places = np.unique(values, return_inverse=True)
        return Coded(known.tolist(), places.astype(np.int32))
    seen, codes = found
    return Coded(seen.astype(values.dtype).tolist(), codes)


def _close(values: NDArray[Any]) -> tuple[NDArray[np.int64], Codes] | None:
    """The different values and the codes where values are whole numbers that lie close together."""
    if values.dtype.kind not in "biuf":
        return None
    least, most = values.min(), values.max()
    if not (abs(float(least)) < 2**53 and float(most) - float(least) < max(ROOM * len(values), AT_LEAST)):
        return None
    places = values.astype(np.int64, copy=False)
    if values.dtype.kind == "f" and not np.array_equal(places, values):
        return None
    places = places - np.int64(least) if least else places
    seen = np.zeros(int(most) - int(least) + 1, np.bool_)
    seen[places] = True
    known = np.flatnonzero(seen)
    every = known.size == seen.size
    codes = places.astype(np.int32) if every else (np.cumsum(seen, dtype=np.int32) - np.int32(1))[places]
    return known + int(least), codes


def coded_series(column: pl.Series) -> Coded:
    """A column of the engine by its values: through a hash of each, and then checked value by value."""
    import polars as pl

    column = column.rechunk()
    if column.dtype.is_float():
        column = column.fill_nan(None)
    if column.null_count():
        there = column.is_not_null().to_numpy()
        known = coded_series(column.drop_nulls())
        codes = np.full(len(column), -1, np.int32)
        codes[there] = known.codes
        return Coded(known.values, codes)
    if not len(column):
        return Coded(column, np.empty(0, np.int32))
    if column.dtype in (pl.Boolean, *(pl.Int8, pl.Int16, pl.Int32, pl.Int64), *(pl.UInt8, pl.UInt16, pl.UInt32)):
        near = _close(column.to_numpy())
        if near is not None:
            return Coded(pl.Series(near[0]).cast(column.dtype), near[1])
    found = by_words(column, column.hash().to_numpy())
    if found is None:  # two values with one hash: once in a blue moon
        values = column.unique().sort()
        return Coded(values, values.search_sorted(column).cast(pl.Int32).to_numpy())
    return found


def coded_columns(columns: Sequence[pl.Series]) -> list[Coded]:
    """Each of the columns by its values, several at a time."""
    with ThreadPoolExecutor(min(os.cpu_count() or 1, 8)) as pool:  # numpy and the engine let go of the lock
        return [*pool.map(coded_series, columns)]


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


def _places(words: NDArray[np.uint64], seen: NDArray[np.uint64]) -> Codes:
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


def spelled(value: Any) -> str:
    """The label as text: 1 and 1.0 are "1", True is "True", and text stays as it is.

    Examples
    --------
    >>> [spelled(value) for value in (1, 1.0, -0.0, 0.5, True, " a")]
    ['1', '1', '0', '0.5', 'True', ' a']
    """
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    if kind(value) != "numbers":
        return str(value)
    return str(int(value)) if value == value // 1 else str(float(value))


def texts(values: Sequence[Any]) -> list[str | None]:
    """Labels as text; None where there is none."""
    known: dict[Any, str] = {}
    return [None if value is None else known.setdefault(value, spelled(value)) for value in values]


def kind(value: Any) -> str:
    """Text, numbers, true/false values, or what else it may be."""
    if isinstance(value, (str, bytes)):
        return "text"
    if isinstance(value, bool) or type(value).__name__ in ("bool", "bool_"):  # numpy's are no bool
        return "true/false values"
    numeric = isinstance(value, (int, float, Decimal)) or hasattr(value, "__index__") or hasattr(value, "is_integer")
    if numeric and not (isinstance(value, type) or getattr(value, "ndim", False)):  # an array of numbers is none
        return "numbers"
    return f"values of type {type(value).__name__}"


def number_in(text: str) -> float | None:
    """The number that the text writes; None where it writes none that is finite.

    Examples
    --------
    >>> [number_in(text) for text in ("1.0", " 2", "nan", "two")]
    [1.0, 2.0, None, None]
    """
    value = any_number_in(text)
    return value if value is not None and abs(value) < float("inf") else None


def any_number_in(text: str) -> float | None:
    """The number that the text writes, which may be infinite or not a number; None where it writes none."""
    try:
        return float(text)
    except ValueError:
        return None


@dataclass(frozen=True, eq=False)
class Held:
    """Columns by their names: of labels, where -1 is missing, and of numbers, where NaN is.

    It is asked for columns as a lazy frame is.

    Examples
    --------
    >>> from holdfast.predictions.arrays import read_labels
    >>> rows = Held({"truth": read_labels("truth", ["b", "a"]), "score": np.array([0.5, np.nan])})
    >>> rows.rename({"truth": "cluster"}).filter(~rows.missing("score")).labels("cluster").to_list()
    ['b']
    """

    columns: Mapping[str, Coded | Array]

    @cached_property
    def height(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def labels(self, name: str) -> Coded:
        column = self.columns[name]
        assert isinstance(column, Coded)
        return column

    def numbers(self, name: str) -> Array:
        column = self.columns[name]
        assert not isinstance(column, Coded)
        return column

    def missing(self, name: str) -> Array:
        """Where there is no value."""
        column = self.columns[name]
        return column.codes < 0 if isinstance(column, Coded) else np.isnan(column)

    def select(self, *names: str) -> Held:
        return Held({name: self.columns[name] for name in names})

    def rename(self, names: Mapping[str, str]) -> Held:
        return Held({names.get(name, name): column for name, column in self.columns.items()})

    def filter(self, which: Array) -> Held:
        """Some of the rows."""
        kept = {
            name: column.filter(which) if isinstance(column, Coded) else column[which]
            for name, column in self.columns.items()
        }
        return Held(kept)
