"""Where on a curve the model stands: the one threshold that was fixed beforehand, or its answers as they are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from holdfast.claims import Claim, Guarantee
from holdfast.render.charts.look import inline, share
from holdfast.report.lines import in_a_sentence

if TYPE_CHECKING:
    import altair as alt

    from holdfast.report import Report


def operating_point(report: Report, curve: Any) -> dict[str, Any] | None:
    """Where the model stands: at the threshold declared beforehand, or where its own answers put it."""
    wanted = curve.x_is, curve.y_is
    view = report.views.get("thresholds")
    if view and view["declared"] is not None:
        point = next(point for point in view["points"] if point["threshold"] == view["declared"])
        ranges = {measure: _limits_of(point, measure) for measure in wanted}
        what = f"the operating point, from the score {view['declared']:.4g} on"
    else:
        ranges = {measure: _claimed(report, measure) for measure in wanted}
        what = "the model's own answers"
    (across, up) = (ranges[measure] for measure in wanted)
    if across is None or up is None:
        return None
    corners = dict(zip(("x", "left", "right"), across, strict=True)) | dict(zip(("y", "low", "high"), up, strict=True))
    said = {field: ", ".join(share(*limits)) for field, limits in (("across", across), ("up", up))}
    return {**corners, **said, "what": what}


def _limits_of(point: Mapping[str, Any], measure: str) -> tuple[float, float, float] | None:
    found = point["specificity"] if measure == "false-positive-rate" else point[measure]
    if not found or found["estimate"] is None:
        return None
    if measure == "false-positive-rate":
        return 1 - found["estimate"], 1 - found["upper"], 1 - found["lower"]
    return found["estimate"], found["lower"], found["upper"]


def _claimed(report: Report, measure: str) -> tuple[float, float, float] | None:
    positive = report.facts.positive
    claims = [line.claim for line in report.whole if line.measure == measure and line.label == positive]
    claim: Claim | None = next((claim for claim in claims if claim.guarantee is Guarantee.FINITE), None)
    if positive is None or claim is None or claim.estimate is None:
        return None
    return float(claim.estimate), float(claim.lower), float(claim.upper)


def cross(point: Mapping[str, Any], curve: Any) -> list[alt.Chart]:
    """The point with the limits of either rate."""
    import altair as alt

    titles = {"what": "at", "up": in_a_sentence(curve.y_is), "across": in_a_sentence(curve.x_is)}
    hover = [alt.Tooltip(f"{field}:N", title=title) for field, title in titles.items()]
    chart = alt.Chart(inline([point])).encode(tooltip=hover)
    return [
        chart.mark_rule(style="operating").encode(x="left:Q", x2="right:Q", y="y:Q"),
        chart.mark_rule(style="operating").encode(x="x:Q", y="low:Q", y2="high:Q"),
        chart.mark_point(style="operating-dot", filled=True, size=90, opacity=1).encode(x="x:Q", y="y:Q"),
    ]
