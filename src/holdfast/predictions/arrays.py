"""Columns from whatever holds one value a row: lists, arrays, and columns of any data frame."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from holdfast.errors import InvalidEvidence
from holdfast.predictions.objects import from_objects, text_column
from holdfast.predictions.rows import not_a_number
from holdfast.predictions.spelling import spelled
from holdfast.predictions.wording import brief, listed, quoted

if TYPE_CHECKING:
    import polars as pl

NESTED = (list, tuple, np.ndarray)


def label_column(name: str, values: object) -> pl.Series:
    """One label a row, under its name; missing ones are null, and categories are text."""
    raw = column(name, values)
    expression = tidy(raw.name, raw.dtype, name)
    return raw if expression is None else _cast(name, raw, expression)


def score_columns(
    score: object, seen: Sequence[pl.Series], labels: Iterable[object] | None
) -> tuple[dict[str, pl.Series], tuple[str, ...]]:
    """One column `score`, or one a label: `score_0`, `score_1`, ... and the labels they speak for."""
    if score is None:
        return {}, ()
    table, names = _table(score)
    if table is None or table.shape[1] == 1:
        return {"score": numbers("score", score if table is None else table[:, 0])}, ()
    width = table.shape[1]
    known = [spelled(label) for label in labels] if labels is not None else _distinct(seen)
    if len(known) != width:
        given = "labels= lists" if labels is not None else "truth and predicted hold"
        raise InvalidEvidence(
            f"score has {width:,} columns, one a label, but {given} {len(known):,}: {brief(listed(known))}. "
            "Give labels= in the order of the columns."
        )
    if labels is None and names is not None:
        if set(names) != set(known):
            raise InvalidEvidence(
                f"score has the columns {brief(listed(names))}; the labels are {brief(listed(known))}. "
                "Give labels= in the order of the columns."
            )
        known = names
    return {f"score_{i}": numbers(f"score_{i}", table[:, i]) for i in range(width)}, tuple(known)


def numbers(name: str, values: object, source: str = "the arrays") -> pl.Series:
    """One number a row, under its name; text is read as the number it writes."""
    import polars as pl

    raw = column(name, values)
    if raw.dtype == pl.Float64:
        return raw
    if raw.dtype == pl.String:
        raw = raw.str.strip_chars()
    elif not (raw.dtype.is_numeric() or raw.dtype in (pl.Boolean, pl.Null)):
        raise InvalidEvidence(f"{name} should hold numbers; it holds values of type {raw.dtype}.")
    made = raw.cast(pl.Float64, strict=False)
    wrong = made.is_null() & raw.is_not_null()
    if wrong.any():
        row = int(wrong.arg_max() or 0)
        raise not_a_number(source, name, row + 1, raw[row])
    return made


def column(name: str, values: Any) -> pl.Series:
    """The values as one column of the engine, each of its own kind; what is no column is refused."""
    import polars as pl

    library = type(values).__module__.partition(".")[0]
    if isinstance(values, np.ndarray):
        return _from_numpy(name, values)
    if isinstance(values, (list, tuple)):
        if any(issubclass(kind, NESTED) for kind in set(map(type, values))):
            return _from_numpy(name, _array(name, values))
        return from_objects(name, values)
    if hasattr(values, "columns") or hasattr(values, "column_names"):
        table, _ = _table(values)
        return _from_numpy(name, _array(name, values) if table is None else table)
    if library == "polars" and isinstance(values, pl.Series):
        return from_objects(name, values.to_list()) if values.dtype == pl.Object else values.alias(name)
    if library == "pandas":
        return _from_pandas(name, values)
    if hasattr(values, "__arrow_c_array__") or hasattr(values, "__arrow_c_stream__"):
        return pl.Series(name, values)
    if isinstance(values, (str, bytes, dict, set, frozenset)) or not hasattr(values, "__len__"):
        if hasattr(values, "__next__"):
            return column(name, list(values))
        if not hasattr(values, "__array__"):
            raise InvalidEvidence(f"{name} needs one value a row, in order: a list or an array; got {quoted(values)}.")
    return _from_numpy(name, _array(name, values))


def tidy(column_name: str, dtype: pl.DataType, name: str) -> pl.Expr | None:
    """How a column of labels becomes one of text, whole or real numbers, or true/false; None where it is one."""
    import polars as pl

    here = pl.col(column_name)
    if dtype.is_nested() or dtype == pl.Object:
        raise InvalidEvidence(f"{name} should hold one plain label a row; it holds values of type {brief(dtype, 60)}.")
    if dtype.is_float():
        return here.cast(pl.Float64).fill_nan(None)
    if dtype.is_decimal():
        return here.cast(pl.Float64)
    if dtype in (pl.Categorical, pl.Enum, pl.Null, pl.Binary):
        return here.cast(pl.String)
    return None


def _cast(name: str, raw: pl.Series, expression: pl.Expr) -> pl.Series:
    import polars as pl

    try:
        return raw.to_frame().select(expression).to_series()
    except pl.exceptions.PolarsError as error:
        raise InvalidEvidence(f"{name} cannot be read as labels: {brief(error)}") from None


def _from_numpy(name: str, array: np.ndarray[Any, Any]) -> pl.Series:
    import polars as pl

    if array.ndim == 2 and array.shape[1] == 1:
        array = array[:, 0]
    if array.ndim != 1:
        advice = "Wrap it in a list."
        if array.ndim > 1:
            advice = "For one-hot rows give the label, e.g. array.argmax(axis=1)."
        raise InvalidEvidence(f"{name} needs one value a row; got an array of shape {array.shape}. {advice}")
    mask = np.ma.getmaskarray(array) if isinstance(array, np.ma.MaskedArray) else None
    array = np.asarray(array)
    if array.dtype.kind == "O":
        made = from_objects(name, array.tolist())
    elif array.dtype.kind in "UST":
        made = text_column(name, array, plain=array.dtype.kind == "U")
    elif array.dtype.kind in "cVm":
        raise InvalidEvidence(f"{name} should hold numbers, text or true/false; got an array of {array.dtype}.")
    else:
        made = pl.Series(name, array.astype(_plain(array.dtype), copy=False))
    if mask is not None and mask.any():
        made = made.set(pl.Series(mask), None)
    return made


def _plain(kind: np.dtype[Any]) -> Any:
    """The kind of number that the engine holds these in."""
    if kind.kind == "M":
        return "datetime64[us]"
    return np.float64 if kind.kind == "f" and kind.itemsize not in (4, 8) else kind.newbyteorder("=")


def _from_pandas(name: str, values: Any) -> pl.Series:
    """By position, whatever the index; pyarrow speeds this up where it is installed, and is not needed."""
    import polars as pl

    kind = values.dtype
    if isinstance(kind, np.dtype):
        return _from_numpy(name, values.to_numpy())
    if kind.name == "category":
        holder = getattr(values, "cat", values)
        places = pl.Series(np.asarray(holder.codes)).cast(pl.Int64)
        labels = label_column(name, holder.categories)
        return labels.gather(places.set(places < 0, None)).alias(name)
    try:
        return pl.Series(name, values)
    except (ImportError, AttributeError, TypeError):  # no pyarrow, or a kind that it does not know
        return from_objects(name, values.to_numpy(dtype=object, na_value=None).tolist())


def _table(values: Any) -> tuple[np.ndarray[Any, Any] | None, list[str] | None]:
    """The values as a table of several columns where they are one, and the names of its columns where they have any."""
    if hasattr(values, "columns") or hasattr(values, "column_names"):
        titles = list(getattr(values, "column_names", None) or values.columns)
        array = values.to_numpy() if hasattr(values, "to_numpy") else _array("score", values)
        return array, None if titles == list(range(len(titles))) else [spelled(title) for title in titles]
    nested = isinstance(values, (list, tuple)) and any(issubclass(kind, NESTED) for kind in set(map(type, values)))
    if nested or (not isinstance(values, (list, tuple)) and getattr(values, "ndim", 1) == 2):
        array = values if isinstance(values, np.ndarray) else _array("score", values)
        if array.ndim == 2:
            return array, None
    return None, None


def _array(name: str, values: Any) -> np.ndarray[Any, Any]:
    try:
        return np.asarray(values)
    except Exception as error:  # whatever a foreign array may raise
        raise InvalidEvidence(f"{name} cannot be read as an array: {brief(error)}") from None


def _distinct(columns: Sequence[pl.Series]) -> list[str]:
    """The labels seen, sorted as scikit-learn sorts its classes."""
    import polars as pl

    parts = [each.unique().drop_nulls().alias("label").to_frame() for each in columns]
    try:
        labels = pl.concat(parts, how="vertical_relaxed").to_series().unique().sort()
        return [spelled(value) for value in labels.to_list()]
    except pl.exceptions.PolarsError:
        raise InvalidEvidence(
            f"truth holds values of type {columns[0].dtype}, predicted of type {columns[1].dtype}; make both the same."
        ) from None
