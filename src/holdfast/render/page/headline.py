"""The sentence at the top, and the error rate drawn beneath it."""

from __future__ import annotations

from decimal import Decimal
from math import floor, log10
from typing import TYPE_CHECKING, Any

from holdfast.render.numbers import digits_for, percent
from holdfast.render.text.assessment import headline
from holdfast.render.text.crossed import seen_and_following
from holdfast.render.text.text import headline as claim_headline

if TYPE_CHECKING:
    from holdfast.report import Report


def headline_of(report: Report) -> tuple[str, str]:
    """What was seen, and what follows."""
    if "target" in report.details:
        seen, follows = seen_and_following(report)
        return (seen, follows) if follows else ("", seen)
    if {"errors", "missing"} & report.details.keys():
        said = headline(report)
    elif report.whole:
        claim = report.whole[0].claim
        said = f"{claim_headline(claim)[:-1]}; this {claim.guarantee.sentence}."
    else:
        said = "This report makes no claim about the whole."
    first, stop, rest = said.partition(". ")
    return (first + ".", rest) if stop else ("", said)


def strip(report: Report) -> dict[str, Any] | None:
    """The error rate on a scale from nothing on: where its ends and the estimate are, in percent of the width."""
    line = next((line for line in report.whole if line.measure == "error-rate" and line.label is None), None)
    if line is None:
        return None
    lower, upper, estimate = float(line.claim.lower), float(line.claim.upper), line.claim.estimate
    top = scale_end(upper)
    ticks = [(f"{100 * part:g}", f"{Decimal(repr(top)) * Decimal(str(part)) * 100:g}".rstrip()) for part in (0, 0.5, 1)]
    digits = digits_for(upper - lower)
    return {
        "start": f"{100 * lower / top:.3f}",
        "width": f"{100 * (upper - lower) / top:.3f}",
        "end": f"{100 * upper / top:.3f}",
        "estimate": None if estimate is None else f"{100 * float(estimate) / top:.3f}",
        "told": [percent(value, digits, way) for value, way in ((lower, "down"), (upper, "up"))],
        "middle": percent(None if estimate is None else float(estimate), digits, "nearest"),
        "ticks": [(place, f"{float(mark):g} %") for place, mark in ticks],
    }


def scale_end(upper: float) -> float:
    """The next of 1, 2, 4, 5, 10 times a power of ten, at most the whole."""
    step = 10.0 ** floor(log10(max(upper, 1e-9)))
    return min(1.0, next(times * step for times in (1, 2, 4, 5, 10) if times * step >= upper * 0.999999))
