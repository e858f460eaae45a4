"""Who agrees with whom: a cell for every two models, ordered by clusters of those that answer alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from holdfast.render.charts.look import beside, finished, inline
from holdfast.render.phrases import percent
from holdfast.wording import printable

if TYPE_CHECKING:
    import altair as alt

    from holdfast.report import Report

MOST_NUMBERED = 12  # models up to which each cell bears its number
LONGEST_COLUMN = 18
SIZE = 560  # points that all cells share
TOOLTIP = {"pair": "models", "apart": "answer differently on", "same": "cluster"}


def agreement(report: Report) -> alt.LayerChart | None:
    """The matrix of disagreements, the bluer the more alike, a frame around each cluster."""
    import altair as alt

    view = report.views.get("agreement")
    if view is None:
        return None
    names = beside(view["models"], LONGEST_COLUMN)
    step = max(8, min(56, SIZE // len(names)))
    edge: dict[str, Any] = {"domain": False, "ticks": False, "grid": False, "labelFontSize": 12 if step > 13 else 8}
    edge |= {"labelLimit": 0, "labelOverlap": False}
    turned = any(len(name) * 7 + 8 > step for name in names)
    angle = (-40 if step > 16 else -90) if turned else 0
    scale = alt.Scale(domain=names)
    x = alt.X("column:N", sort=None, title=None, scale=scale, axis=alt.Axis(orient="top", labelAngle=angle, **edge))
    y = alt.Y("row:N", sort=None, title=None, scale=scale, axis=alt.Axis(**edge))
    hover = [alt.Tooltip(f"{field}:N", title=title) for field, title in TOOLTIP.items()]
    cells = alt.Chart(inline(_cells(view, names))).encode(x=x, y=y, tooltip=hover)
    depth = alt.FillOpacity("alike:Q", scale=alt.Scale(domain=[0, 1], range=[0.03, 0.85]), legend=None)
    layers = [cells.mark_rect(style="right", strokeWidth=0).encode(fillOpacity=depth)]
    if len(names) <= MOST_NUMBERED:
        layers.append(cells.mark_text(style="value").encode(text="told:N"))
    layers.append(_frames(view, names))
    return finished(alt.layer(*layers), _title(view), _subtitle(view), width=alt.Step(step), height=alt.Step(step))


def _cells(view: Mapping[str, Any], names: list[str]) -> Iterator[dict[str, Any]]:
    table, clusters = view["disagreement"], view["clusters"]
    most = max((value for row in table for value in row), default=0.0) or 1.0
    for i, row in enumerate(table):
        for j, value in enumerate(row):
            together = clusters[i] == clusters[j]
            yield {
                "row": names[i],
                "column": names[j],
                "alike": 1.0 - value / most,
                "told": "" if i == j else percent(value, 2, "nearest").removesuffix(" %"),
                "pair": f"{printable(view['models'][i], 60)}, {printable(view['models'][j], 60)}",
                "apart": f"{percent(value, 3, 'nearest')} of the inputs",
                "same": f"both in {clusters[i] + 1}" if together else f"{clusters[i] + 1} and {clusters[j] + 1}",
            }


def _frames(view: Mapping[str, Any], names: list[str]) -> Any:
    """A frame around the models of each cluster, which stand next to each other."""
    import altair as alt

    ends: dict[int, list[int]] = {}
    for place, cluster in enumerate(view["clusters"]):
        ends.setdefault(cluster, []).append(place)
    rows = [{"first": names[places[0]], "last": names[places[-1]]} for places in ends.values()]
    return (
        alt.Chart(inline(rows))
        .mark_rect(style="whole", filled=False, strokeWidth=1.6)
        .encode(
            x=alt.X("first:N", bandPosition=0, sort=None),
            x2=alt.X2("last:N", bandPosition=1),
            y=alt.Y("first:N", bandPosition=0, sort=None),
            y2=alt.Y2("last:N", bandPosition=1),
        )
    )


def _title(view: Mapping[str, Any]) -> str:
    number = len({*view["clusters"]})
    if number == 1:
        return f"No clusters among {view['number']:,} models"
    return f"{view['number']:,} models in {number} clusters that answer alike"


def _subtitle(view: Mapping[str, Any]) -> list[str]:
    drawn = len(view["models"])
    said = [f"The bluer a cell, the more of the {view['n']:,} inputs both models answer alike. Framed: clusters."]
    if drawn <= MOST_NUMBERED:
        said.append("In the cells: percent of the inputs on which they differ.")
    if drawn < view["number"]:
        said.append(f"Drawn are {drawn:,} of {view['number']:,} models, evenly taken from all clusters.")
    return said
