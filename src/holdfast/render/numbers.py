"""Numbers as people read them: upper limits rounded up, lower limits down, estimates to the nearest."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from math import ceil, log10

UNKNOWN = "–"
WAYS = {"up": ROUND_CEILING, "down": ROUND_FLOOR, "nearest": ROUND_HALF_EVEN}
EXACT = Context(prec=1100)  # room for every digit of every float


def digits_for(width: float) -> int:
    """Enough decimals to see an interval of that width, and at least three."""
    return 3 if not 0 < width < float("inf") else min(max(3, ceil(-log10(width)) + 2), 15)


def digits_apart(value: float, way: str, limit: float, least: int, most: int) -> int:
    """The decimals, from `least` to `most`, with which the rounded value is on the same side of the limit."""
    asked = Decimal(repr(limit))
    side = Decimal(value).compare(asked)
    fitting = (d for d in range(least, most) if Decimal(rounded(value, d, way)).compare(asked) == side)
    return next(fitting, most)


def rounded(value: float | None, digits: int, way: str) -> str:
    """The number with that many decimals; the shortest decimal that means this float is what gets rounded."""
    if value is None or value != value:
        return UNKNOWN
    return _quantized(_meant(value), digits, way)


def percent(value: float | None, digits: int, way: str) -> str:
    """The same in percent, two decimals fewer."""
    if value is None or value != value:
        return UNKNOWN
    return _quantized(EXACT.multiply(_meant(value), Decimal(100)), digits - 2, way) + " %"


def confidence(delta: float) -> str:
    """95 %, from delta = 0.05, without inventing digits, and never more than it is."""
    level = EXACT.multiply(EXACT.subtract(Decimal(1), _meant(delta)), Decimal(100))
    return format(Decimal(_quantized(level, 13, "down")).normalize(), "f") + " %"


def significant(value: float, digits: int, way: str) -> str:
    """The number in so many digits, rounded this way."""
    context = Context(prec=digits, rounding=WAYS[way])
    return f"{float(context.create_decimal(repr(without_last_places(value)))):.{digits}g}"


def without_last_places(value: float) -> float:
    """The number in twelve digits: 0.7000000000000044 is 0.7 and not rounded up to 0.71; processors differ there."""
    return float(f"{value:.12g}")


def _meant(value: float) -> Decimal:
    return Decimal(repr(float(value)))


def _quantized(value: Decimal, digits: int, way: str) -> str:
    return format(value.quantize(Decimal(1).scaleb(-digits), WAYS[way], context=EXACT), "f")
