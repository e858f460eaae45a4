"""How the scores of the positive class and of the others are spread."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdfast.render.charts.look import WIDTH, finished, inline
from holdfast.wording import printable

if TYPE_CHECKING:
    import altair as alt

    from holdfast.report import Report

MOST_CROWDED = 0.13  # of half the axis, from one tick to the next
TOOLTIP = {"class": "class", "bin": "score", "counted": "examples", "part": "share of the class"}


def scores(report: Report) -> alt.LayerChart | None:
    """The positive class upward, all others downward, each as shares of its own examples."""
    import altair as alt

    view = report.views.get("scores")
    if not view or not sum(view["positive"]) + sum(view["other"]):
        return None
    label = printable(view["label"], 24)
    sides = ((label, "positive", 1), (f"not {label}", "other", -1))
    rows = [row for name, key, way in sides for row in _bars(view, name, key, way)]
    top = max(abs(row["end"]) for row in rows)
    x = alt.X(
        "left:Q",
        title=f"score of {label}",
        scale=alt.Scale(nice=False, zero=False),
        axis=alt.Axis(grid=False, tickCount=8, labelOverlap="greedy", labelSeparation=6),
    )
    y = alt.Y(
        "end:Q",
        title="share of each class, square-root axis",
        scale=alt.Scale(type="sqrt", domain=[-top, top]),
        axis=alt.Axis(
            values=[way * share for share in _ticks(top) for way in (1, -1)],
            tickCount=20,
            labelOverlap=False,
            labelExpr="format(abs(datum.value) * 100, '.3~f') + ' %'",
        ),
    )
    hover = [alt.Tooltip(f"{field}:N", title=title) for field, title in TOOLTIP.items()]
    bars = alt.Chart(inline(rows)).encode(x=x, x2="right:Q", y=y, y2=alt.datum(0), tooltip=hover)
    layers: list[Any] = [
        bars.transform_filter(f"datum.way == {way}").mark_bar(style=key, binSpacing=0.5, opacity=0.9)
        for _, key, way in sides
    ]
    layers.append(alt.Chart(inline([{"y": 0}])).mark_rule(style="whole", strokeWidth=1).encode(y="y:Q"))
    declared = (report.views.get("thresholds") or {}).get("declared")
    if declared is not None:
        layers.append(alt.Chart(inline([{"x": declared}])).mark_rule(style="guide").encode(x="x:Q"))
    said = f"{sum(view['positive']):,} of {label} upward, {sum(view['other']):,} others downward."
    subtitle = [said] + ([f"Dashed: the operating point, {declared:.4g}."] if declared is not None else [])
    title = f"How the scores keep {label} apart from the rest"
    return finished(alt.layer(*layers), title, subtitle, width=WIDTH, height=280)


def _bars(view: dict[str, Any], name: str, key: str, way: int) -> list[dict[str, Any]]:
    total = sum(view[key])
    edges = view["edges"]
    return [
        {
            "class": name,
            "way": way,
            "left": left,
            "right": right,
            "end": way * count / total,
            "bin": f"{left:.4g} to {right:.4g}",
            "counted": f"{count:,} of {total:,}",
            "part": f"{100 * count / total:.3g} %",
        }
        for left, right, count in zip(edges, edges[1:], view[key], strict=False)
        if count
    ]


def _ticks(top: float) -> list[float]:
    """Round shares that a square-root axis has room for: from the largest down, each as far off as a label is high."""
    chosen: list[float] = []
    for share in (1.0, 0.75, 0.5, 0.25, 0.1, 0.05, 0.02, 0.01):
        height = (share / top) ** 0.5
        if MOST_CROWDED <= height <= 1.001 and all((other / top) ** 0.5 - height >= MOST_CROWDED for other in chosen):
            chosen.append(share)
    return [*chosen, 0.0]
