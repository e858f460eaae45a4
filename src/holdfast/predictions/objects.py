"""Columns from Python values: one kind a column, so that '1' is never mistaken for 1."""

from __future__ import annotations

from collections.abc import Sequence, Set
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from holdfast.errors import InvalidEvidence
from holdfast.predictions.wording import quoted

if TYPE_CHECKING:
    import polars as pl

NUMBERS, TEXT, LOGICAL, DATES, MISSING = "numbers", "text", "true/false values", "dates", "missing values"
BLOCK = 2**20  # strings at a time: each is a Python object on its way


def from_objects(name: str, values: Sequence[Any]) -> pl.Series:
    """The values as a column of their kind; several kinds in one column are refused."""
    import polars as pl

    kinds = {kind: _kind(name, kind) for kind in set(map(type, values))}
    found = set(kinds.values()) - {MISSING}
    if len(found) > 1 or MISSING in kinds.values():
        values = [None if kinds[type(value)] is MISSING or value != value else value for value in values]
        found = {kinds[kind] for kind in set(map(type, values)) if kind is not type(None)}
    if len(found) > 1:
        raise _mixed(name, values, kinds, found)
    try:
        if found <= {TEXT}:
            return text_column(name, values, plain=kinds.keys() <= {str, type(None)})
        if found == {NUMBERS}:
            return _numbers(name, values, kinds.keys())
        if found == {LOGICAL}:
            return pl.Series(name, [None if value is None else bool(value) for value in values], pl.Boolean)
        return pl.Series(name, values)
    except InvalidEvidence:
        raise
    except (OverflowError, ValueError, TypeError, pl.exceptions.PolarsError):
        raise InvalidEvidence(f"{name} holds {next(iter(found))} that cannot be labels; write them as text.") from None


def text_column(name: str, values: Any, plain: bool = True) -> pl.Series:
    """Text, block by block."""
    import polars as pl

    parts = []
    for start in range(0, max(len(values), 1), BLOCK):
        block = values[start : start + BLOCK]
        block = block.tolist() if isinstance(block, np.ndarray) else block
        try:
            if not plain:
                block = [_text(value) for value in block]
            parts.append(pl.Series(name, block, pl.String))
        except (UnicodeError, pl.exceptions.PolarsError):
            raise InvalidEvidence(f"{name} holds text that is not valid Unicode.") from None
    return parts[0] if len(parts) == 1 else pl.concat(parts)


def _text(value: Any) -> str | None:
    if isinstance(value, bytes):
        return value.decode()
    return None if value is None else str.__str__(value)


def _numbers(name: str, values: Sequence[Any], kinds: Set[type]) -> pl.Series:
    """Whole numbers where all are, and else floats; a whole number that a float cannot hold is refused."""
    import polars as pl

    if kinds <= {int} or kinds <= {float}:
        array = np.array(values)
        if array.dtype.kind == ("i" if int in kinds else "f"):  # large whole numbers would become floats here
            return pl.Series(name, array)
    if all(issubclass(kind, (int, np.integer, type(None))) for kind in kinds):
        whole = [None if value is None else int(value) for value in values]
        largest = max((value for value in whole if value is not None), default=0)
        return pl.Series(name, whole, pl.Int64 if largest < 2**63 else pl.UInt64)
    if any(isinstance(value, (int, np.integer)) and abs(int(value)) > 2**53 for value in values):
        raise InvalidEvidence(f"{name} holds whole numbers beyond 2**53 beside others; write its labels as text.")
    return pl.Series(name, [None if value is None else float(value) for value in values], pl.Float64)


def _kind(name: str, kind: type) -> str:
    if kind is type(None) or kind.__name__ in ("NAType", "NaTType"):
        return MISSING
    if issubclass(kind, (bool, np.bool_)):
        return LOGICAL
    if issubclass(kind, (int, float, np.integer, np.floating, Decimal, Fraction)):
        return NUMBERS
    if issubclass(kind, (str, bytes)):
        return TEXT
    if issubclass(kind, (date, np.datetime64)):
        return DATES
    raise InvalidEvidence(
        f"{name} should hold numbers, text or true/false values, one a row; it holds values of type {kind.__name__}."
    )


def _mixed(name: str, values: Sequence[Any], kinds: dict[type, str], found: set[str]) -> InvalidEvidence:
    """The rarer kind is told by how often and where it stands."""
    told = [kinds.get(type(value), MISSING) for value in values]
    rare, often = sorted(found, key=lambda kind: (told.count(kind), kind))[:2]
    row = told.index(rare)
    return InvalidEvidence(
        f"{name} mixes {often} and {rare}: {told.count(rare):,} of {len(values):,} values are {rare}, "
        f"e.g. row {row + 1}, {quoted(values[row])}; make them one kind."
    )
