"""The switch of the confidence: the limits of every line at each level, as text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from holdfast.claims import Claim
from holdfast.render.numbers import UNKNOWN
from holdfast.render.phrases import estimate_and_limits

if TYPE_CHECKING:
    from holdfast.report import Report


def levels(report: Report) -> dict[str, Any] | None:
    """The limits of every line at every level, in the order of the lines, and which level was declared."""
    view = report.views.get("levels")
    if view is None:
        return None
    shown_limits = []
    for level in view["levels"]:
        pairs = zip(report.whole, view["claims"][str(level)], strict=True)
        shown_limits.append([_limits_at(line.claim, limits) for line, limits in pairs])
    names = [f"{(Decimal(str(level)) * 100).normalize():f} %" for level in view["levels"]]
    return {"names": names, "declared": view["levels"].index(view["declared"]), "limits": shown_limits}


def _limits_at(claim: Claim, limits: Mapping[str, float | None]) -> str:
    if limits["lower"] is None or limits["upper"] is None:
        return UNKNOWN
    return estimate_and_limits(replace(claim, lower=limits["lower"], upper=limits["upper"]))[1]
