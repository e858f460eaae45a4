"""Numbers as people read them: upper limits rounded up, lower limits down, estimates to the nearest."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from math import ceil, log10

UNKNOWN = "–"
WAYS = {"up": ROUND_CEILING, "down": ROUND_FLOOR, "nearest": ROUND_HALF_EVEN}


def digits_for(width: float) -> int:
    """Enough decimals to see an interval of that width, and at least three."""
    return 3 if width <= 0 else min(max(3, ceil(-log10(width)) + 2), 15)


def rounded(value: float | None, digits: int, way: str) -> str:
    """The number with that many decimals; the shortest decimal that means this float is what gets rounded."""
    if value is None or value != value:
        return UNKNOWN
    return format(Decimal(repr(float(value))).quantize(Decimal(1).scaleb(-digits), WAYS[way]), "f")


def percent(value: float | None, digits: int, way: str) -> str:
    """The same in percent, two decimals fewer."""
    if value is None or value != value:
        return UNKNOWN
    scaled = Decimal(repr(float(value))) * 100
    return format(scaled.quantize(Decimal(1).scaleb(2 - digits), WAYS[way]), "f") + " %"


def confidence(delta: float) -> str:
    """95 %, from delta = 0.05, without inventing or losing digits."""
    return format((100 * (1 - Decimal(repr(float(delta))))).normalize(), "f") + " %"
