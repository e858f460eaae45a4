"""What more labels would buy: of rows that test, and of rows that train; and whether a method keeps its promise."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from holdfast.render.charts.look import (
    WIDTH,
    coordinates,
    finished,
    in_percent,
    inline,
    learner,
    marks,
    percent_axis,
    rate_axis,
    share,
)
from holdfast.render.outline.training import share_of
from holdfast.render.phrases import confidence, percent
from holdfast.report import Report
from holdfast.report.facts.assessment import LearningFacts

TOOLTIP = {"examples": "examples", "limits": "limits to expect", "width": "width"}


def plan(report: Report) -> alt.LayerChart | None:
    """The limits to expect at the present rate, for fewer and for more examples."""
    view = report.views.get("plan")
    if not view or not view["points"] or view["estimate"] is None:
        return None
    rows = [
        {
            "n": point["n"],
            "lower": point["lower"],
            "upper": point["upper"],
            "examples": f"{point['n']:,}",
            "limits": share(None, point["lower"], point["upper"])[1],
            "width": percent(point["upper"] - point["lower"], 3, "up"),
        }
        for point in view["points"]
    ]
    top, bottom = max(row["upper"] for row in rows), min(row["lower"] for row in rows)
    room, measure = 0.06 * (top - bottom), view["measure"].replace("-", " ")
    x = alt.X(
        "n:Q",
        title="number of labelled examples",
        scale=alt.Scale(type="log", nice=False),
        axis=alt.Axis(grid=False, format=",", values=_sizes(view["now"], rows[0]["n"], rows[-1]["n"])),
    )
    y = rate_axis(alt.Y, "lower:Q", measure, [max(0.0, bottom - room), min(1.0, top + room)])
    chart = marks(rows, TOOLTIP).encode(x=x)
    now = [{"n": view["now"], "estimate": view["estimate"], "now": f"now: {view['now']:,}"}]
    present, line = marks(now).encode(x="n:Q"), chart.mark_line(style="curve", point={"opacity": 0, "size": 60})
    layers = [
        chart.mark_area(style="band").encode(y=y, y2="upper:Q"),
        *(line.encode(y=end) for end in ("lower:Q", "upper:Q")),
        marks([{"estimate": view["estimate"]}]).mark_rule(style="guide").encode(y="estimate:Q"),
        present.mark_rule(style="whole"),
        present.mark_text(style="value", dy=-4, baseline="bottom").encode(y=alt.value(0), text="now:N"),
    ]
    title = _four_times(view["now"], rows, report.whole[0].claim.side if report.whole else "both")
    subtitle = f"If the {measure} stays at {percent(view['estimate'], 3, 'nearest')} (dashed)."
    return finished(alt.layer(*layers), title, subtitle, width=WIDTH, height=280)


def _sizes(now: int, least: int, most: int) -> list[int]:
    """A quarter of what there is, the half, the double and so on; the ends are marked whatever they are."""
    return sorted({min(max(round(now * times), least), most) for times in (0.25, 0.5, 1, 2, 4, 8, 16)})


def _four_times(now: int, rows: list[dict[str, Any]], side: str) -> str:
    def at(n: int) -> dict[str, Any]:
        return min(rows, key=lambda row: abs(row["n"] - n))

    before, after = at(now), at(4 * now)
    if side == "both":
        widths = [percent(row["upper"] - row["lower"], 3, "up").removesuffix(" %") for row in (before, after)]
        return f"Four times the labels would narrow the interval from {widths[0]} to {widths[1]} points"
    way, verb = ("up", "lower") if side == "upper" else ("down", "raise")
    limits = [percent(row[side], 3, way) for row in (before, after)]
    return f"Four times the labels would {verb} the {side} limit from {limits[0]} to {limits[1]}"


def coverage_chart(
    x: Sequence[float], coverage: Sequence[float], promise: float, *, x_title: str, title: str, subtitle: str
) -> alt.LayerChart:
    """Coverage as a line, the promise as a rule: where the line falls below the rule the promise is not kept."""
    rows = inline({"x": float(a), "coverage": float(b)} for a, b in zip(x, coverage, strict=True))
    floor = max(0.0, min(*coverage, promise) - 0.02)
    scale = alt.Scale(domain=[floor, 1.0], nice=False)
    line = (
        alt.Chart(rows)
        .mark_line(style="curve", strokeWidth=1.4)
        .encode(
            x=alt.X("x:Q", title=x_title, scale=alt.Scale(nice=False, zero=False), axis=alt.Axis(grid=False)),
            y=alt.Y("coverage:Q", title="coverage", scale=scale, axis=percent_axis(tickCount=6)),
            tooltip=[alt.Tooltip("x:Q", title=x_title), alt.Tooltip("coverage:Q", format=".3%")],
        )
    )
    rule = marks([{"promise": promise}]).mark_rule(style="promise").encode(y=alt.Y("promise:Q", scale=scale))
    return finished(alt.layer(line, rule), title, subtitle, width=640, height=300)


SIZE = {"width": 440, "height": 280}
HOVER = {
    "trained": "trained on",
    "rows": "rows that train",
    "tested": "rows that test",
    "estimated": "error rate",
    "limits": "limits",
    "wide": "width",
}


def learning_curve(report: Report) -> alt.LayerChart | None:
    """The error rate with its band, against the share of the rows that trained."""
    facts = report.facts
    if not isinstance(facts, LearningFacts):
        return None
    rows = _rows(report, facts)
    top = max(row["upper"] for row in rows)
    y = alt.Y("lower:Q", title="error rate", scale=alt.Scale(domain=[0, top]), axis=percent_axis(tickCount=6))
    chart = marks(rows, HOVER).encode(x=_x(rows))
    layers = [
        chart.mark_area(style="band").encode(y=y, y2="upper:Q"),
        chart.mark_rule(style="curve", strokeWidth=1).encode(y="lower:Q", y2="upper:Q"),
        chart.mark_line(style="curve").encode(y="estimate:Q"),
        chart.mark_point(style="curve", filled=True, size=55, opacity=1).encode(y="estimate:Q"),
    ]
    claims = [line.claim for line in report.whole]
    first, last = rows[0], rows[-1]
    widths = " to ".join(f"{100 * float(claim.width):.2g}" for claim in (claims[0], claims[-1]))
    title = f"{learner(facts.learner)}, trained on {first['trained']} to {last['trained']} of the rows"
    level = confidence(float(claims[0].delta))
    repeats = facts.learning_curve.repeats
    whose = "the model trained on that share" if repeats == 1 else f"the average of {repeats} models"
    subtitle = [f"Shaded: {level} limits, each on its own, about {whose};", f"from first to last {widths} points wide."]
    return finished(alt.layer(*layers), title, subtitle, **SIZE)


def interval_width(report: Report) -> alt.LayerChart | None:
    """How wide the interval is, against the share of the rows that trained."""
    facts = report.facts
    if not isinstance(facts, LearningFacts) or report.whole[0].claim.side != "both":
        return None
    rows = _rows(report, facts)
    y = alt.Y("width:Q", title="width of the interval", scale=alt.Scale(zero=True), axis=percent_axis(tickCount=6))
    chart = marks(rows, HOVER).encode(x=_x(rows), y=y)
    layers = [chart.mark_line(style="operating"), chart.mark_point(style="operating-dot", filled=True, size=60)]
    first, last = rows[0]["wide"].removesuffix(" %"), rows[-1]["wide"]
    title = f"The interval of {learner(facts.learner)} goes from {first} to {last.removesuffix(' %')} points"
    subtitle = f"{rows[0]['tested']} rows test the first model, {rows[-1]['tested']} the last: what trains cannot test."
    return finished(alt.layer(*layers), title, subtitle, **SIZE)


def _rows(report: Report, facts: LearningFacts) -> list[dict[str, Any]]:
    return [
        {
            "share": each.train_share,
            **coordinates(line.claim),
            "width": float(line.claim.width),
            "trained": share_of(each),
            "rows": f"{each.n_train:,}",
            "tested": f"{each.n_test:,}",
            **in_percent(line.claim),
            "wide": percent(float(line.claim.width), 3, "up"),
        }
        for each, line in zip(facts.learning_curve.points, report.whole, strict=True)
    ]


def _x(rows: list[dict[str, Any]]) -> alt.X:
    ends = [rows[0]["share"], rows[-1]["share"]] if len(rows) > 1 else [0, 1]
    scale, axis = alt.Scale(domain=ends, nice=False), percent_axis(grid=False, tickCount=6)
    return alt.X("share:Q", title="share of the rows that trains", scale=scale, axis=axis)
