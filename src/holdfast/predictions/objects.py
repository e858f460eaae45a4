"""Columns from Python values: one kind in each, so that '1' is never mistaken for 1."""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.errors import InvalidEvidence
from holdfast.wording import quoted

NUMBERS, TEXT, LOGICAL, DATES, MISSING = "numbers", "text", "true/false values", "dates", "missing values"


@dataclass(frozen=True, eq=False)
class Column:
    """One value for each row, all of one kind.

    Numbers, true/false values and moments are in an array, of which `missing` says where there is none; text and dates
    may be in a list, with None where there is none.
    """

    values: NDArray[Any] | Sequence[Any]
    missing: NDArray[np.bool_] | None = None

    def __len__(self) -> int:
        return len(self.values)

    @property
    def text(self) -> bool:
        if isinstance(self.values, np.ndarray):
            return self.values.dtype.kind in "UST"
        return isinstance(next((value for value in self.values if value is not None), ""), (str, bytes))

    @property
    def numeric(self) -> bool:
        return isinstance(self.values, np.ndarray) and self.values.dtype.kind in "biuf"


def from_objects(name: str, values: Sequence[Any]) -> Column:
    """The values as a column of their kind; several kinds in one column are refused."""
    kinds = {kind: _kind(name, kind) for kind in set(map(type, values))}
    found = set(kinds.values()) - {MISSING}
    if len(found) > 1 or MISSING in kinds.values():
        values = [None if kinds[type(value)] is MISSING or value != value else value for value in values]
        found = {kinds[kind] for kind in set(map(type, values)) if kind is not type(None)}
    if len(found) > 1:
        raise _mixed(name, values, kinds, found)
    try:
        if found == {NUMBERS}:
            return _numbers(name, values, kinds.keys())
        if found == {LOGICAL}:
            return _filled(values, np.bool_)
        return Column(_moments(values) if found == {DATES} else values)
    except InvalidEvidence:
        raise
    except (OverflowError, ValueError, TypeError):
        raise InvalidEvidence(f"{name} holds {next(iter(found))} that cannot be labels; write them as text.") from None


def text_of(value: Any) -> str | None:
    """The text itself, without what else its type may say of it."""
    if isinstance(value, bytes):
        return value.decode()
    return None if value is None or value != value else str.__str__(value)


def _filled(values: Sequence[Any], kind: Any) -> Column:
    """The values in an array, with something in the places of those that are missing."""
    missing = np.fromiter((value is None for value in values), np.bool_, len(values))
    if not missing.any():
        return Column(np.array([*values], kind))
    return Column(np.array([0 if value is None else value for value in values], kind), missing)


def _numbers(name: str, values: Sequence[Any], kinds: Set[type]) -> Column:
    """Whole numbers where all are, and else floats; a whole number that a float cannot hold is refused."""
    if kinds <= {int} or kinds <= {float}:
        array = np.array(values)
        if array.dtype.kind == ("i" if int in kinds else "f"):  # large whole numbers would become floats here
            return Column(array)
    if all(issubclass(kind, (int, np.integer, type(None))) for kind in kinds):
        whole = [None if value is None else int(value) for value in values]
        largest = max((value for value in whole if value is not None), default=0)
        return _filled(whole, np.int64 if largest < 2**63 else np.uint64)
    if any(isinstance(value, (int, np.integer)) and abs(int(value)) > 2**53 for value in values):
        raise InvalidEvidence(f"{name} holds whole numbers beyond 2**53 beside others; write its labels as text.")
    return Column(np.array([np.nan if value is None else float(value) for value in values]))


def _moments(values: Sequence[Any]) -> Sequence[Any]:
    """Days, or moments as Python tells them; several zones of time as one."""
    known = [value for value in values if value is not None]
    if all(isinstance(value, datetime) for value in known):
        if len({value.tzinfo is None for value in known}) > 1:
            raise TypeError
        return [None if value is None else _moment(value) for value in values]
    if any(isinstance(value, (datetime, np.datetime64)) for value in known):
        raise TypeError
    return values


def _moment(value: datetime) -> datetime:
    value = value if value.tzinfo is None else value.astimezone(UTC)
    return datetime.combine(value.date(), value.time(), value.tzinfo)  # libraries have kinds of their own


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
