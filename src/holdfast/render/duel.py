"""Two models on a stream, as text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context
from typing import Any

from holdfast.claims import Claim
from holdfast.render.assessment import shown
from holdfast.render.text import Parts, claim_parts


def duel_line(look: Mapping[str, Any]) -> str:
    """What has been seen and how strong the evidence is, of what `Duel.to_dict` gives."""
    first, second = (number(look["e_value"][side]) for side in ("first", "second"))
    p = significant(look["p_value"]["p"], 2, ROUND_CEILING)
    seen = "" if look["won"] is None else f"{look['won']:,} won, {look['lost']:,} lost, "
    examples = "1 example" if look["n"] == 1 else f"{look['n']:,} examples"
    return f"After {examples}: {seen}e-values {first} and {second}, p = {p}"


def duel_parts(look: Mapping[str, Any], claim: Claim, notes: Sequence[str]) -> Parts:
    """The verdict, what it rests on, and the difference."""
    needed = f"A model is called better once its e-value has reached {number(2 / look['delta'])}, that is 2/delta."
    said = [part for note in notes for part in ("", note)]
    first, second = (shown(name) for name in look["models"])
    subject = f"The {claim.measure.replace('-', ' ')}, {first} minus {second}:"
    return [look["verdict"]["sentence"], "", duel_line(look), needed, "", subject, *claim_parts(claim), *said]


def number(e: float) -> str:
    """An e-value in three digits, and never more than it is."""
    return "over 1e300" if e > 1e300 else significant(e, 3, ROUND_FLOOR)


def significant(value: float, digits: int, way: str) -> str:
    """The number in so many digits, rounded this way."""
    return f"{float(Context(prec=digits, rounding=way).create_decimal(repr(value))):.{digits}g}"
