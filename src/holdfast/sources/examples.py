"""Examples to learn from, out of a file or a data frame: numbers, codes of text, and one label each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from holdfast.errors import HoldfastError, InvalidEvidence, UnknownName
from holdfast.evidence import Array
from holdfast.predictions.spelling import spelled
from holdfast.predictions.wording import listed, opening, quoted
from holdfast.sources.columns import Found, Header
from holdfast.sources.files import read_files
from holdfast.sources.frames import read_frame

if TYPE_CHECKING:
    import polars as pl

Missing = Literal["refuse", "drop"]
MISSING: tuple[str, ...] = get_args(Missing)
MOST_VALUES = 1_000  # of a column of text; more look like names or numbers of rows
NO_VALUE = ("?", "na", "n/a", "nan", "null", "none")  # how files say, among numbers, that there is none


@dataclass(frozen=True, eq=False, repr=False)
class Examples:
    """What there is to learn from: a matrix of features, and a label for each of its rows."""

    X: Array  # float64; text as the place of its value among the sorted ones, NaN where there is none
    y: list[Any]  # text, whole numbers or true/false
    groups: list[Any] | None
    names: tuple[str, ...]  # of the features
    text_columns: dict[int, tuple[str, ...]]  # by place, the values of a feature of text
    fingerprint: str  # SHA-256 of all this, in the order of the rows
    source: str

    @property
    def rows(self) -> int:
        return len(self.y)

    @property
    def gaps(self) -> list[int]:
        """The places of the numbers of which some are missing."""
        some = np.flatnonzero(np.isnan(self.X).any(axis=0)).tolist()
        return [place for place in some if place not in self.text_columns]

    def __repr__(self) -> str:
        return f"Examples({self.source}: {self.rows:,} rows, {len(self.names):,} features)"

    def prepared(self, estimator: Any) -> Any:
        """The estimator behind what these features need; as it is where they are all numbers without a gap.

        Text becomes one column a value, and what is missing among numbers the median. Both are learnt with the
        estimator from the part it is trained on, so that the part it is tested on has no say. A value that did not
        occur there is none of the columns. The estimator's parameters are found under `model__`.
        """
        text, gaps = [*self.text_columns], [*self.gaps]
        if not text and not gaps:
            return estimator
        from sklearn.compose import ColumnTransformer
        from sklearn.impute import SimpleImputer
        from sklearn.pipeline import Pipeline
        from sklearn.preprocessing import OneHotEncoder

        steps = [
            ("text", OneHotEncoder(handle_unknown="ignore", sparse_output=False), text),
            ("gaps", SimpleImputer(strategy="median", keep_empty_features=True), gaps),
        ]
        columns = ColumnTransformer([step for step in steps if step[2]], remainder="passthrough")
        return Pipeline([("columns", columns), ("model", estimator)])


def read_examples(
    source: Any,
    *,
    target: str,
    drop: Sequence[str] = (),
    group: str | None = None,
    missing: Missing = "refuse",
    separator: str | None = None,
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
    missing
        What to do with rows without a label: "refuse" or "drop". Features may be missing.

    Examples
    --------
    >>> from tempfile import NamedTemporaryFile
    >>> with NamedTemporaryFile("w", suffix=".csv") as file:
    ...     _ = file.write("size,colour,kind\n1.5,red,a\n2.5,blue,b\n,red,a\n")
    ...     file.flush()
    ...     found = read_examples(file.name, target="kind")
    >>> found.X.tolist(), found.y, found.text_columns
    ([[1.5, 1.0], [2.5, 0.0], [nan, 1.0]], ['a', 'b', 'a'], {1: ('blue', 'red')})
    """
    if missing not in MISSING:
        raise UnknownName("way with missing labels", missing, MISSING)
    asked = _Asked(target, (drop,) if isinstance(drop, str) else tuple(drop), group)
    of_files = isinstance(source, (str, PathLike)) or (
        isinstance(source, (list, tuple)) and all(isinstance(each, (str, PathLike)) for each in source)
    )
    try:
        rows = read_files(source, asked, "drop", separator) if of_files else read_frame(source, asked, "drop")
    except InvalidEvidence as error:  # of a column by the name that it has among ours
        role, _, wrong = str(error).partition(" ")
        raise InvalidEvidence(f"{quoted(asked.called.get(role, role))} {wrong}") from None
    where, names = rows.source, rows.group_names
    frame = _labelled(rows.fetch(rows.frame), target, missing, where)
    if group is not None:
        _refuse(frame["cluster"].is_null(), frame, where, f"there is no group in column {quoted(group)}; give one.")
    features = [_feature(frame, f"by_{place}", name, where) for place, name in enumerate(names)]
    x = np.column_stack([values for values, _ in features])
    text = {place: known for place, (_, known) in enumerate(features) if known is not None}
    y = _labels(frame["truth"], target, where)
    groups = None if group is None else frame["cluster"].to_list()
    return Examples(x, y, groups, names, text, _fingerprint(x, y, groups, names, text), where)


@dataclass(frozen=True)
class _Asked:
    """The label, perhaps the group, and all else that is not to be left out."""

    target: str
    drop: tuple[str, ...]
    group: str | None
    called: dict[str, str] = field(default_factory=dict)  # what the columns found are called, by our names

    def find(self, names: Sequence[str], source: str) -> Found:
        header = Header(names, source)
        header.check_distinct()
        places = {"truth": header.place(self.target)}
        if self.group is not None:
            places["cluster"] = header.place(self.group)
        if len({*places.values()}) < len(places):
            raise HoldfastError(f"The column {quoted(self.target)} cannot be both the target and the group.")
        left_out = {header.place(name) for name in self.drop}
        if self.target in self.drop:
            raise HoldfastError(f"The target {quoted(self.target)} is to be dropped; drop another column.")
        kept = [place for place in range(len(names)) if place not in left_out and place not in places.values()]
        if not kept:
            raise HoldfastError(
                f"{opening(source)} has no column left to learn from beside the target {quoted(self.target)}; "
                f"its columns: {listed([*names])}."
            )
        places |= {f"by_{number}": place for number, place in enumerate(kept)}
        self.called.update((role, names[place]) for role, place in places.items())
        return Found(places, (), tuple(names[place] for place in kept))


def _labelled(frame: pl.DataFrame, target: str, missing: str, source: str) -> pl.DataFrame:
    """The rows that have a label."""
    none = frame["truth"].is_null()
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


def _feature(frame: pl.DataFrame, role: str, name: str, source: str) -> tuple[Array, tuple[str, ...] | None]:
    """A feature as numbers; where it is text, as places among its values, which come along."""
    import polars as pl

    column = frame[role]
    if column.dtype == pl.String:
        trimmed = column.str.strip_chars().replace("", None)
        numbers = _numbers(trimmed)
        if numbers is None:
            return _coded(trimmed, name, source)
    elif column.dtype.is_numeric() or column.dtype == pl.Boolean:
        numbers = column.cast(pl.Float64)
    else:
        raise HoldfastError(
            f"The column {quoted(name)} of {source} holds values of type {column.dtype}; make numbers or text of them, "
            f"or leave it out (--drop {name})."
        )
    advice = f"{quoted(name)} is infinite; write a number, or nothing where it is not known."
    _refuse(numbers.is_infinite().fill_null(False), frame, source, advice)
    return numbers.fill_null(np.nan).to_numpy(), None


def _numbers(column: pl.Series) -> pl.Series | None:
    """The numbers that the text writes; None where there is a word among them."""
    import polars as pl

    given = column.set(column.str.to_lowercase().is_in(NO_VALUE), None)
    numbers = given.cast(pl.Float64, strict=False)
    return None if (numbers.is_null() & given.is_not_null()).any() else numbers


def _coded(column: pl.Series, name: str, source: str) -> tuple[Array, tuple[str, ...]]:
    values = column.drop_nulls().unique().sort()
    if len(values) > MOST_VALUES:
        raise HoldfastError(
            f"The column {quoted(name)} of {source} holds {len(values):,} different texts, as {quoted(values[0])} and "
            f"{quoted(values[1])}: it looks like a name, a number of a row or free text, from which nothing carries "
            f"over to other rows. Leave it out (--drop {name}), or make numbers of it."
        )
    places = np.arange(len(values), dtype=np.float64)
    codes = column.replace_strict(values, places, default=None)
    return codes.fill_null(np.nan).to_numpy(), tuple(values)


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


def _fingerprint(
    x: Array, y: list[Any], groups: list[Any] | None, names: tuple[str, ...], text: dict[int, tuple[str, ...]]
) -> str:
    digest = sha256(b"holdfast examples 1\n")
    digest.update(repr((names, sorted(text.items()), x.shape)).encode("utf-8", "surrogatepass"))
    digest.update(np.where(np.isnan(x), np.nan, x + 0.0).astype("<f8").tobytes())  # one zero, one NaN
    digest.update(repr((y, groups)).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()
