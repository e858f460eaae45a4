"""What a log holds under a name, of the kind that belongs there; anything else is refused, not guessed at."""

from __future__ import annotations

from typing import Any

from holdfast.errors import HoldfastError
from holdfast.wording import quoted


def mapping(value: Any, what: str, source: str) -> dict[str, Any]:
    """A value that holds others by their names."""
    if not isinstance(value, dict):
        raise HoldfastError(f"{source} should hold fields in {what}; found {quoted(value)}. It may be damaged.")
    return value


def sequence(value: Any, what: str, source: str) -> list[Any]:
    """A value that holds others in their order."""
    if not isinstance(value, list):
        raise HoldfastError(f"{source} should hold a list of {what}; found {quoted(value)}. It may be damaged.")
    return value


def text(value: Any) -> str | None:
    """A value as text; None where there is none."""
    return None if value is None or isinstance(value, (dict, list)) else str(value)
