"""Examples to learn from, out of a file or a data frame: columns of their own kinds, and one label each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from holdfast.errors import HoldfastError, UnknownName
from holdfast.predictions.coded import spelled
from holdfast.sources.columns import ColumnPlaces
from holdfast.sources.opening import open_table
from holdfast.sources.selection import selected
from holdfast.sources.table import Header
from holdfast.training.given import fingerprint
from holdfast.wording import listed, opening, quoted

if TYPE_CHECKING:
    import polars as pl

Missing = Literal["refuse", "drop"]
MISSING: tuple[str, ...] = get_args(Missing)
NO_VALUE = ("?", "na", "n/a", "nan", "null", "none")  # how files say, among numbers, that there is none


@dataclass(frozen=True, eq=False, repr=False)
class Examples:
    """What there is to learn from: a frame of features, and a label for each of its rows."""

    features: pl.DataFrame  # numbers, true/false, text, categories; numbers are NaN where there is none
    y: list[Any]  # text, whole numbers or true/false
    groups: list[Any] | None
    beside: dict[str, list[Any]]  # by name, further columns that are no features
    fingerprint: str  # SHA-256 of all this, in the order of the rows
    source: str

    @property
    def rows(self) -> int:
        return len(self.y)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.features.columns)

    @cached_property
    def X(self) -> Any:  # scikit-learn's name
        """The features as estimators are given them: in pandas where it is installed, since most are written for it."""
        return in_pandas(self.features) if find_spec("pandas") else self.features

    def __repr__(self) -> str:
        return f"Examples({self.source}: {self.rows:,} rows, {len(self.names):,} features)"


def in_pandas(frame: pl.DataFrame) -> Any:
    """The frame as one of pandas, its columns of the same kinds; missing text is NaN, as pandas reads it."""
    import polars as pl

    pd = import_module("pandas")  # which need not be there
    columns: dict[str, Any] = {}
    for name, values in zip(frame.columns, frame.iter_columns(), strict=True):
        if values.dtype in (pl.Categorical, pl.Enum):
            text = values.cast(pl.String)
            known = values.dtype.categories if isinstance(values.dtype, pl.Enum) else text.drop_nulls().unique().sort()
            columns[name] = pd.Categorical(text.to_list(), categories=known.to_list())
        elif values.dtype.is_numeric() or values.dtype in (pl.Boolean, pl.Date, pl.Datetime, pl.Duration):
            columns[name] = pd.Series(values.to_numpy())
        else:
            columns[name] = pd.Series([np.nan if value is None else value for value in values.to_list()])
    return pd.DataFrame(columns, copy=False)


def read_examples(
    source: Any,
    *,
    target: str,
    drop: Sequence[str] = (),
    group: str | None = None,
    beside: Sequence[str] = (),
    missing: Missing = "refuse",
) -> Examples:
    r"""Examples from a file, several files, standard input ("-") or a data frame of any library.

    Parameters
    ----------
    source
        As for `read`: CSV, Parquet, NDJSON or Arrow, or a frame.
    target
        The column of labels.
    drop
        Columns to leave out.
    group
        The column that says which rows must stay together; it is no feature.
    beside
        Further columns that are no features, such as weights: those of a row without a value are None.
    missing
        What to do with rows without a label: "refuse" or "drop". Features may be missing.

    Examples
    --------
    >>> from tempfile import NamedTemporaryFile
    >>> with NamedTemporaryFile("w", suffix=".csv") as file:
    ...     _ = file.write("size,colour,kind\n1.5,red,a\n2.5,blue,b\n,red,a\n")
    ...     file.flush()
    ...     found = read_examples(file.name, target="kind")
    >>> found.features.rows(), found.y
    ([(1.5, 'red'), (2.5, 'blue'), (nan, 'red')], ['a', 'b', 'a'])
    """
    if missing not in MISSING:
        raise UnknownName("way with missing labels", missing, MISSING)
    columns = _ExampleColumns(target, (drop,) if isinstance(drop, str) else tuple(drop), group, tuple(beside))
    rows = selected(open_table(source), columns)
    where, names = rows.source, rows.columns.group_names
    frame = _labelled(rows.collected(), target, missing, where)
    if group is not None:
        _refuse(frame["group"].is_null(), frame, where, f"there is no group in column {quoted(group)}; give one.")
    features = frame.select(_feature(frame, f"feature_{place}", name, where) for place, name in enumerate(names))
    y = _labels(frame["label"], target, where)
    groups = None if group is None else frame["group"].to_list()
    more = {name: frame[f"beside_{place}"].to_list() for place, name in enumerate(beside)}
    return Examples(features, y, groups, more, _fingerprint(features, y, groups), where)


@dataclass(frozen=True)
class _ExampleColumns:
    """The label, perhaps the group, and all else that is not to be left out."""

    target: str
    drop: tuple[str, ...]
    group: str | None
    beside: tuple[str, ...]

    def find(self, header: Header) -> ColumnPlaces:
        names = header.names
        header.check_distinct()
        places = {"label": header.place(self.target)}
        if self.group is not None:
            places["group"] = header.place(self.group)
        if len({*places.values()}) < len(places):
            raise HoldfastError(f"The column {quoted(self.target)} cannot be both the target and the group.")
        aside = {f"beside_{place}": header.place(name) for place, name in enumerate(self.beside)}
        left_out = {header.place(name) for name in self.drop} | {*aside.values()}
        if self.target in self.drop:
            raise HoldfastError(f"The target {quoted(self.target)} is to be dropped; drop another column.")
        kept = [place for place in range(len(names)) if place not in left_out and place not in places.values()]
        if not kept:
            raise HoldfastError(
                f"{opening(header.source)} has no column left to learn from beside the target {quoted(self.target)}; "
                f"its columns: {listed([*names])}."
            )
        places |= aside
        places |= {f"feature_{number}": place for number, place in enumerate(kept)}
        called = {role: quoted(names[place]) for role, place in places.items()}
        return ColumnPlaces(places, group_names=tuple(names[place] for place in kept), called=called)


def _labelled(frame: pl.DataFrame, target: str, missing: str, source: str) -> pl.DataFrame:
    """The rows that have a label."""
    none = frame["label"].is_null()
    if none.any() and missing == "refuse":
        first = (none.arg_max() or 0) + 1
        raise HoldfastError(
            f"{opening(source)} has {none.sum():,} of {frame.height:,} rows without a label in column "
            f"{quoted(target)}, the first in row {first:,}; label them, or leave them out with "
            "missing='drop' (--missing drop)."
        )
    frame = frame.with_row_index("row", 1).filter(~none)
    if not frame.height:
        raise HoldfastError(f"{opening(source)} has no row with a label in column {quoted(target)}.")
    return frame


def _refuse(wrong: pl.Series, frame: pl.DataFrame, source: str, message: str) -> None:
    if wrong.any():
        raise HoldfastError(f"{opening(source)}, row {frame['row'][wrong.arg_max() or 0]:,}: {message}")


def _feature(frame: pl.DataFrame, role: str, name: str, source: str) -> pl.Series:
    """A feature of its own kind: text that writes numbers or true/false is such, and what is missing among them NaN."""
    import polars as pl

    column = frame[role].alias(name)
    if column.dtype in (pl.String, pl.Binary, pl.Null):
        column = _read(column.cast(pl.String).str.strip_chars().replace("", None))
    if column.dtype.is_decimal() or (column.null_count() and (column.dtype.is_integer() or column.dtype == pl.Boolean)):
        column = column.cast(pl.Float64)
    if column.dtype.is_float():
        advice = f"{quoted(name)} is infinite; write a number, or nothing where it is not known."
        _refuse(column.is_infinite().fill_null(False), frame, source, advice)
        column = column.fill_null(np.nan)
    return column


def _read(column: pl.Series) -> pl.Series:
    """Text as what it writes: whole numbers, numbers or true/false, where all of it does."""
    import polars as pl

    small = column.str.to_lowercase()
    given = column.set(small.is_in(NO_VALUE), None)
    for kind in (pl.Int64, pl.Float64):
        numbers = given.cast(kind, strict=False)
        if not (numbers.is_null() & given.is_not_null()).any():
            return numbers.cast(pl.Float64) if numbers.null_count() else numbers
    if not (given.is_not_null() & ~small.is_in(("true", "false"))).any():
        return (small == "true").set(given.is_null(), None)
    return column


def _labels(column: pl.Series, target: str, source: str) -> list[Any]:
    """The labels: whole numbers where all are, true/false as such, and else text."""
    import polars as pl

    if column.dtype == pl.String:
        column = column.str.strip_chars()
    elif not (column.dtype.is_integer() or column.dtype == pl.Boolean):
        column = pl.Series([spelled(value) for value in column])
    if column.dtype == pl.String:
        whole = column.cast(pl.Int64, strict=False)
        if not whole.is_null().any() and (whole.cast(pl.String) == column).all():  # "01" and "1" are two labels
            column = whole
    classes = column.n_unique()
    told = f"The column {quoted(target)} of {source} holds"
    if classes == 1:
        raise HoldfastError(f"{told} only the label {quoted(column[0])}; there is nothing to tell apart.")
    if classes > 20 and 2 * classes > len(column):
        raise HoldfastError(
            f"{told} {classes:,} different values in {len(column):,} rows; these are no classes. "
            "Give the column of labels, or make classes of the numbers."
        )
    return column.to_list()


def _fingerprint(features: pl.DataFrame, y: list[Any], groups: list[Any] | None) -> str:
    digest = sha256(b"holdfast examples 2\n")
    digest.update(fingerprint(features).encode())
    digest.update(repr((y, groups)).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
