"""Bias and variance along a parameter, as in Figure 22.7d of the book; without one, the parts of the loss in rows."""

from __future__ import annotations

from math import ceil, floor
from typing import TYPE_CHECKING, Any, TypeGuard

from holdfast.render.charts.forest import TOOLTIP, row_of
from holdfast.render.charts.intervals import ROW, interval_rows
from holdfast.render.charts.look import DASHES, WIDTH, beside, finished, inline, learner, percent_axis, share, told
from holdfast.render.outline.training import NAMES, drawn_measures, settings, value_of
from holdfast.render.phrases import confidence, digits_for, percent, rounded
from holdfast.report.facts.training import Decomposed, DecompositionFacts
from holdfast.wording import shortened

if TYPE_CHECKING:
    import altair as alt

    from holdfast.claims import Claim
    from holdfast.report import Report

HEIGHT = 320
MANY_VALUES = 40  # from which on points are left out
FAR = 50  # times the least value, from which on the values are drawn at equal ratios
HOVER = {"value": "", "part": "part", "estimated": "estimate", "limits": "limits"}


def decomposition(report: Report) -> alt.LayerChart | None:
    """Loss, bias and variance with their intervals."""
    facts = report.facts
    if not isinstance(facts, DecompositionFacts):
        return None
    found = facts.decomposition
    return _along(report, facts) if found.parameter and len(found.values) > 1 else _rows(report, facts)


def _along(report: Report, facts: DecompositionFacts) -> alt.LayerChart:
    import altair as alt

    found = facts.decomposition
    measures = drawn_measures(found)
    parts = [NAMES.get(name, name) for name in measures]
    rows = [
        _point(claims[name], part, value, value_of(group, found), found)
        for value, (group, claims) in zip(found.values, settings(report).items(), strict=True)
        for name, part in zip(measures, parts, strict=True)
    ]
    x = _x(found)
    top = max(row["upper"] for row in rows)
    low = min(0.0, min(row["lower"] for row in rows))
    y = alt.Y("lower:Q", title=f"{found.loss} loss", scale=alt.Scale(domain=[low, top], nice=True), axis=_axis(found))
    key = alt.Legend(symbolType="stroke", symbolStrokeWidth=3)
    colour = alt.Color("part:N", scale=alt.Scale(domain=parts, range="ordinal"), legend=key)
    hover = [alt.Tooltip(f"{field}:N", title=title or found.parameter) for field, title in HOVER.items()]
    chart = alt.Chart(inline(rows)).encode(x=x, color=colour, tooltip=hover)
    size = 45 if len(found.values) <= MANY_VALUES else 0
    point = chart.mark_point(filled=True, size=size, opacity=1)
    point = point.encode(y="estimate:Q", shape=alt.Shape("part:N", legend=None))
    if any(isinstance(value, str) for value in found.values):  # names have no order: nothing lies between them
        apart = alt.XOffset("part:N", sort=parts)
        layers = [chart.mark_rule(strokeWidth=2).encode(y=y, y2="upper:Q", xOffset=apart), point.encode(xOffset=apart)]
        sign = "Bars"
    else:
        # Three bands over each other would be mud: their edges tell.
        edge = chart.mark_line(strokeWidth=1, strokeDash=DASHES, opacity=0.8)
        edges = [edge.encode(y=y), edge.encode(y="upper:Q")]
        layers = [*edges, chart.mark_line(strokeWidth=2).encode(y="estimate:Q"), point]
        sign = "Dashed"
    level = confidence(float(report.claims[0].delta))
    subtitle = [
        f"{found.rounds:,} training sets, {found.n_test:,} test examples. {sign}: {level} limits, each on its own,",
        f"about these training sets. {_sum(found)}",
    ]
    return finished(alt.layer(*layers), _title(report, facts), subtitle, width=WIDTH, height=HEIGHT)


def _rows(report: Report, facts: DecompositionFacts) -> alt.LayerChart:
    import altair as alt

    lines = report.whole
    names = beside(NAMES.get(line.measure, line.measure) for line in lines)
    rows = [row_of(line, name) for line, name in zip(lines, names, strict=True)]
    ends = [end for row in rows for end in (row["lower"], row["upper"])]
    domain = [min(0.0, floor(min(ends) * 20) / 20), ceil(max(ends) * 20) / 20]
    x = alt.X("lower:Q", title=None, scale=alt.Scale(domain=domain, nice=False), axis=alt.Axis(tickCount=6))
    level = confidence(float(lines[0].claim.delta))
    subtitle = f"{level} limits, each on its own, about these {facts.decomposition.rounds:,} training sets."
    tooltip = {name: title for name, title in TOOLTIP.items() if name != "label"}
    chart = interval_rows(rows, x, tooltip)
    return finished(chart, _title(report, facts), subtitle, width=WIDTH, height=alt.Step(ROW + 8))


def _point(claim: Claim, part: str, value: Any, name: str, found: Decomposed) -> dict[str, Any]:
    """What one part of the loss is at one value."""
    lower, upper = float(claim.lower), float(claim.upper)
    estimate = None if claim.estimate is None else float(claim.estimate)
    estimated, limits = share(estimate, lower, upper)
    if found.loss == "squared":
        digits = digits_for(upper - lower)
        estimated = rounded(estimate, digits, "nearest")
        limits = f"{rounded(lower, digits, 'down')} to {rounded(upper, digits, 'up')}"
    at = value if all(map(_is_number, found.values)) else shortened(name, 20)
    return {
        "at": at,
        "value": told(name),
        "part": part,
        "estimate": estimate,
        "lower": lower,
        "upper": upper,
        "estimated": estimated,
        "limits": limits,
    }


def _x(found: Decomposed) -> alt.X:
    import altair as alt

    title, values = shortened(str(found.parameter), 40), [value for value in found.values if _is_number(value)]
    if len(values) < len(found.values):
        return alt.X("at:N", sort=None, title=title, axis=alt.Axis(grid=False, labelAngle=0))
    far = min(values) > 0 and max(values) >= FAR * min(values)
    scale = alt.Scale(type="log", nice=False) if far else alt.Scale(zero=False, nice=False)
    marks = {"values": sorted(values)} if len(values) <= 15 else {"tickCount": 8}
    axis = alt.Axis(grid=False, format="~r", labelOverlap=True, **marks)
    return alt.X("at:Q", title=title, scale=scale, axis=axis)


def _axis(found: Decomposed) -> alt.Axis:
    import altair as alt

    return percent_axis(tickCount=5) if found.loss == "zero-one" else alt.Axis(tickCount=5)


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _sum(found: Decomposed) -> str:
    if found.loss == "squared":
        return "The loss is the sum of the other two."
    return "Variance costs where the vote is right, and helps where it is wrong."


def _title(report: Report, facts: DecompositionFacts) -> str:
    found = facts.decomposition
    by_value = settings(report)
    losses = {group: float(claims["expected-loss"].estimate or 0.0) for group, claims in by_value.items()}
    least = min(losses, key=lambda group: losses[group])
    say = percent if found.loss == "zero-one" else rounded
    loss, trained = say(losses[least], 3, "nearest"), learner(facts.learner)
    if found.parameter and len(losses) > 1:
        return f"The loss of {trained} is least at {shortened(str(least), 40)}: {loss}"
    return f"{trained}: models of {found.rounds:,} training sets lose {loss} on average"
