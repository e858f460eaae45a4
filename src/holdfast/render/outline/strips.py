"""What is drawn under the headline of a page: the error rate, or how far two models are apart."""

from __future__ import annotations

from decimal import Decimal
from math import floor, log10
from typing import Any, NamedTuple

from holdfast.render.phrases import digits_for, percent, point, rounded
from holdfast.report import Report
from holdfast.report.facts.compared import Compared
from holdfast.wording import printable


def rate(report: Report, measure: str) -> dict[str, Any] | None:
    """A rate on a scale from nothing on: where its ends and the estimate are, in percent of the width."""
    line = next((line for line in report.whole if line.measure == measure and line.label is None), None)
    if line is None:
        return None
    lower, upper, estimate = float(line.claim.lower), float(line.claim.upper), point(line.claim)
    top = _scale_end(upper)
    ticks = [(f"{100 * part:g}", f"{Decimal(repr(top)) * Decimal(str(part)) * 100:g}".rstrip()) for part in (0, 0.5, 1)]
    digits = digits_for(upper - lower)
    return {
        "start": f"{100 * lower / top:.3f}",
        "width": f"{100 * (upper - lower) / top:.3f}",
        "end": f"{100 * upper / top:.3f}",
        "estimate": None if estimate is None else f"{100 * estimate / top:.3f}",
        "told": [percent(value, digits, way) for value, way in ((lower, "down"), (upper, "up"))],
        "middle": percent(estimate, digits, "nearest"),
        "ticks": [(place, f"{float(mark):g} %") for place, mark in ticks],
    }


def _scale_end(upper: float) -> float:
    """The next of 1, 2, 4, 5, 10 times a power of ten, at most the whole."""
    step = 10.0 ** floor(log10(max(upper, 1e-9)))
    return min(1.0, next(times * step for times in (1, 2, 4, 5, 10) if times * step >= upper * 0.999999))


class Side(NamedTuple):
    """Who is better where the strip goes on."""

    place: str
    anchor: str
    said: str


def difference(report: Report, facts: Compared, measure: str) -> dict[str, Any] | None:
    """Of two models, the difference on a scale with no difference in its middle; places in percent of the width."""
    line = facts.deciding_line(report.whole)
    if line is None:
        return None
    claim, margin = line.claim, float(facts.margin)
    lower, upper = float(claim.lower), float(claim.upper)
    rate = claim.measure == "error-rate-difference"
    far = max(abs(lower), abs(upper), margin)
    top = _scale_end(far) if rate else far or 1.0

    def at(value: float) -> str:
        return f"{50 + 50 * value / top:.3f}"

    show, digits = percent if rate else rounded, digits_for(upper - lower)
    estimate = point(claim)
    first, second = (printable(str(name), 24) for name in (line.model, line.against))
    left, right = (second, first) if facts.better_values == "higher" else (first, second)
    return {
        "measure": measure,
        "start": at(lower),
        "width": f"{50 * (upper - lower) / top:.3f}",
        "estimate": None if estimate is None else at(estimate),
        "middle": show(estimate, digits, "nearest"),
        "told": [show(lower, digits, "down"), show(upper, digits, "up")],
        "shade": (at(-margin), f"{100 * margin / top:.3f}") if margin else None,
        "ticks": [
            ("0", "start", f"-{100 * top:g} %" if rate else f"-{top:.3g}"),
            ("50", "middle", "0"),
            ("100", "end", f"{100 * top:g} %" if rate else f"{top:.3g}"),
        ],
        "sides": [Side("0", "start", f"← {left} better"), Side("100", "end", f"{right} better →")],
        "about": f"{first} minus {second}",
    }
