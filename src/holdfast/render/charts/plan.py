"""What more labels would buy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdfast.render.charts.look import WIDTH, finished, inline, percent_axis, share
from holdfast.render.phrases import percent

if TYPE_CHECKING:
    import altair as alt

    from holdfast.report import Report

TOOLTIP = {"examples": "examples", "limits": "limits to expect", "width": "width"}


def plan(report: Report) -> alt.LayerChart | None:
    """The limits to expect at the present rate, for fewer and for more examples."""
    import altair as alt

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
    top = max(row["upper"] for row in rows)
    bottom = min(row["lower"] for row in rows)
    room = 0.06 * (top - bottom)
    domain = [max(0.0, bottom - room), min(1.0, top + room)]
    x = alt.X(
        "n:Q",
        title="number of labelled examples",
        scale=alt.Scale(type="log", nice=False),
        axis=alt.Axis(grid=False, format=",", values=_sizes(view["now"], rows[0]["n"], rows[-1]["n"])),
    )
    y = alt.Y(
        "lower:Q",
        title=view["measure"].replace("-", " "),
        scale=alt.Scale(domain=domain, nice=False),
        axis=percent_axis(tickCount=6),
    )
    hover = [alt.Tooltip(f"{field}:N", title=title) for field, title in TOOLTIP.items()]
    chart = alt.Chart(inline(rows)).encode(x=x, tooltip=hover)
    now = alt.Chart(inline([{"n": view["now"], "estimate": view["estimate"], "now": f"now: {view['now']:,}"}])).encode(
        x="n:Q"
    )
    layers = [
        chart.mark_area(style="band").encode(y=y, y2="upper:Q"),
        *(
            chart.mark_line(style="curve", point={"opacity": 0, "size": 60}).encode(y=end)
            for end in ("lower:Q", "upper:Q")
        ),
        alt.Chart(inline([{"estimate": view["estimate"]}])).mark_rule(style="guide").encode(y="estimate:Q"),
        now.mark_rule(style="whole"),
        now.mark_text(style="value", dy=-4, baseline="bottom").encode(y=alt.value(0), text="now:N"),
    ]
    title, subtitle = (
        _said(view["now"], rows, report.whole[0].claim.side if report.whole else "both"),
        f"If the {view['measure'].replace('-', ' ')} stays at {percent(view['estimate'], 3, 'nearest')} (dashed).",
    )
    return finished(alt.layer(*layers), title, subtitle, width=WIDTH, height=280)


def _sizes(now: int, least: int, most: int) -> list[int]:
    """A quarter of what there is, the half, the double and so on; the ends are marked whatever they are."""
    return sorted({min(max(round(now * times), least), most) for times in (0.25, 0.5, 1, 2, 4, 8, 16)})


def _said(now: int, rows: list[dict[str, Any]], side: str) -> str:
    def at(n: int) -> dict[str, Any]:
        return min(rows, key=lambda row: abs(row["n"] - n))

    before, after = at(now), at(4 * now)
    if side == "both":
        widths = [percent(row["upper"] - row["lower"], 3, "up").removesuffix(" %") for row in (before, after)]
        return f"Four times the labels would narrow the interval from {widths[0]} to {widths[1]} points"
    way, verb = ("up", "lower") if side == "upper" else ("down", "raise")
    limits = [percent(row[side], 3, way) for row in (before, after)]
    return f"Four times the labels would {verb} the {side} limit from {limits[0]} to {limits[1]}"
