"""What stands in one cell of a table: a label, a badge, a rate with its limits."""

from __future__ import annotations

from holdfast.claims import Guarantee
from holdfast.render.numbers import digits_for, rounded
from holdfast.render.text.assessment import shown

LONGEST = 60  # characters of a label

BADGE = {
    Guarantee.FINITE: ("finite", "every sample size"),
    Guarantee.ASYMPTOTIC: ("asymptotic", "large samples only"),
    Guarantee.HEURISTIC: ("heuristic", "no proof"),
}


def cut(label: object, longest: int = LONGEST) -> str:
    """A label, not too long."""
    return shown(str(label), longest)


def rate_and_limits(estimate: float | None, lower: float | None, upper: float | None) -> tuple[str, str]:
    """A rate to the nearest and its limits outward, with digits that show how far these are apart."""
    if lower is None or upper is None:
        return ("" if estimate is None else rounded(estimate, 3, "nearest")), ""
    digits = min(digits_for(upper - lower), 5)
    limits = f"[{rounded(lower, digits, 'down')}, {rounded(upper, digits, 'up')}]"
    return rounded(estimate, digits, "nearest"), limits
