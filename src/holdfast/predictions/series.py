"""Columns of the engine, from whatever holds one value for each row: for rows that live there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from holdfast.errors import InvalidEvidence
from holdfast.predictions.arrays import read_column
from holdfast.predictions.coded import BLOCK, Coded, coded_series
from holdfast.predictions.objects import Column, text_of
from holdfast.predictions.rows import not_a_number
from holdfast.wording import brief

if TYPE_CHECKING:
    import polars as pl


def column(name: str, values: Any) -> pl.Series:
    """The values as one column, each of its own kind."""
    import polars as pl

    found = values if isinstance(values, Column) else read_column(name, values)
    if isinstance(found, Column):
        return _series(name, found)
    if isinstance(found, Coded):
        places = pl.Series(found.codes).cast(pl.Int64)
        return pl.Series(name, found.distinct).gather(places.set(places < 0, None)).alias(name)
    return found.alias(name)


def label_column(name: str, values: object) -> pl.Series:
    """One label for each row, under its name; missing ones are null, and categories are text."""
    raw = column(name, values)
    return _tidied(name, raw)


def coded_labels(name: str, raw: pl.Series) -> Coded:
    """A column of the engine as labels, by their values."""
    return coded_series(_tidied(name, raw))


def numbers(name: str, values: object, source: str = "the arrays") -> pl.Series:
    """One number for each row, under its name; text is read as the number it writes."""
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


def _tidied(name: str, raw: pl.Series) -> pl.Series:
    import polars as pl

    expression = tidy(raw.name, raw.dtype, name)
    if expression is None:
        return raw
    try:
        return raw.to_frame().select(expression).to_series()
    except pl.exceptions.PolarsError as error:
        raise InvalidEvidence(f"{name} cannot be read as labels: {brief(error)}") from None


def _series(name: str, held: Column) -> pl.Series:
    import polars as pl

    values = held.values
    made = _text(name, values) if held.text else pl.Series(name, values)
    return made if held.missing is None else made.set(pl.Series(held.missing), None)


def _text(name: str, values: Any) -> pl.Series:
    """Text, block by block."""
    import polars as pl

    parts = []
    for start in range(0, max(len(values), 1), BLOCK):
        block = values[start : start + BLOCK]
        block = block.tolist() if isinstance(block, np.ndarray) else block
        plain = set(map(type, block)) <= {str, type(None)}
        try:
            parts.append(pl.Series(name, block if plain else [text_of(value) for value in block], pl.String))
        except (UnicodeError, pl.exceptions.PolarsError):
            raise InvalidEvidence(f"{name} holds text that is not valid Unicode.") from None
    return parts[0] if len(parts) == 1 else pl.concat(parts)
