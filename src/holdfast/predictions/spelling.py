"""Labels as text, and what kind of value each was: the same in a list, a file and an engine."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any


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
    try:
        value = float(text)
    except ValueError:
        return None
    return value if abs(value) < float("inf") else None
