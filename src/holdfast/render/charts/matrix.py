"""Which classes are taken for which."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any

import altair as alt

from holdfast.render.charts.intervals import ROW, labelled
from holdfast.render.charts.look import WIDTH, beside, cell_axes, finished, marks, rate_axis, share, told
from holdfast.report import Report
from holdfast.wording import shortened

MOST_NUMBERED = 20  # labels up to which each cell bears its count
MOST_DETAILED = 5  # labels up to which it bears its share of the class too
LONGEST_COLUMN = 18
TOOLTIP = {
    "said_predicted": "predicted",
    "said_actual": "actual",
    "counted": "examples",
    "estimated": "of this actual class",
    "limits": "limits",
}


def matrix(report: Report) -> alt.LayerChart | None:
    """The confusion matrix, rows predicted and columns actual; of very many classes the most confused pairs."""
    view = report.views.get("matrix")
    if not view or not view["labels"]:
        return None
    return _whole(view) if view["complete"] else _most_confused(view)


def _whole(view: Mapping[str, Any]) -> alt.LayerChart:
    labels = view["labels"]
    names = beside(labels, LONGEST_COLUMN)
    rows = [
        _cell(view, cell) | {"row": names[cell["predicted"]], "column": names[cell["actual"]]} for cell in view["cells"]
    ]
    step = max(16, min(136 if len(labels) <= 2 else 104, 520 // len(labels)))
    angle = -40 if any(len(name) * 6 > step for name in names) else 0
    axes = cell_axes(names, angle, ("actual", "predicted"), titleFontWeight="normal", labelFontSize=12)
    # Rare confusions should be seen: the square root of the share, and never so dark that words drown in it.
    depth = alt.FillOpacity("share:Q", scale=alt.Scale(type="sqrt", domain=[0, 1], range=[0, 0.7]), legend=None)
    cells = marks(rows, TOOLTIP).encode(**axes)
    layers = [
        cells.transform_filter(f"datum.right == {right}").mark_rect(style=style).encode(fillOpacity=depth)
        for right, style in (("true", "right"), ("false", "wrong"))
    ]
    detailed = len(labels) <= MOST_DETAILED
    lines = (-16, 5, 21) if any(row["brief"] for row in rows) else (-8, 12, 12)  # from the middle of the cell
    if len(labels) <= MOST_NUMBERED:
        size = 17 if detailed else 12 if step > 30 else 10
        count = cells.mark_text(
            style="value", fontSize=size, fontWeight=600 if detailed else "normal", dy=lines[0] if detailed else 0
        )
        layers.append(count.encode(text="counted:N"))
    if detailed:
        layers.append(cells.mark_text(style="value", fontSize=11, dy=lines[1]).encode(text="estimated:N"))
        layers.append(cells.mark_text(style="value", fontSize=10, dy=lines[2]).encode(text="brief:N"))
    right = sum(cell["count"] for cell in view["cells"] if cell["predicted"] == cell["actual"])
    title = f"{right:,} of {sum(view['actual']):,} answers are right"
    below = "Percentages are of the actual class."
    if not detailed:
        below = "The stronger the colour of a cell, the larger its share of the actual class."
    subtitle = [f"Blue is right, orange wrong. {below}"]
    return finished(alt.layer(*layers), title, subtitle, width=alt.Step(step), height=alt.Step(step))


def _cell(view: Mapping[str, Any], cell: Mapping[str, Any]) -> dict[str, Any]:
    predicted, actual = view["labels"][cell["predicted"]], view["labels"][cell["actual"]]
    estimated, limits = share(cell["share"], cell["lower"], cell["upper"])
    return {
        "said_predicted": told(predicted),
        "said_actual": told(actual),
        "right": cell["predicted"] == cell["actual"],
        "counted": f"{cell['count']:,}",
        "share": cell["share"] or 0.0,
        "estimated": estimated,
        "limits": limits,
        "brief": limits.replace(" %", "").replace(" to ", "–") + " %" if cell["lower"] is not None else "",
    }


def _most_confused(view: Mapping[str, Any]) -> alt.LayerChart | None:
    """Pairs of classes below each other: a matrix of so many classes would be a grey square."""
    wrong = [cell for cell in view["cells"] if cell["predicted"] != cell["actual"]]
    if not wrong:
        return None
    labels = [shortened(label, LONGEST_COLUMN) for label in view["labels"]]
    names = beside(f"{labels[cell['actual']]} → {labels[cell['predicted']]}" for cell in wrong)
    rows = [
        _cell(view, cell)
        | {"row": name, "estimate": cell["share"]}
        | {"numbers": f"{cell['count']:,} of {view['actual'][cell['actual']]:,}"}
        for cell, name in zip(wrong, names, strict=True)
    ]
    top = min(1.0, ceil(20 * max(row["estimate"] or 0.0 for row in rows)) / 20)
    tooltip = {field: title for field, title in TOOLTIP.items() if field != "limits"}
    chart, numbers = labelled(rows, tooltip, labelFontSize=12, grid=True)
    x = rate_axis(alt.X, "estimate:Q", "share of the actual class", [0, top or 1.0])
    dot = chart.transform_filter("isValid(datum.estimate)").mark_point(style="wrong", filled=True, size=75, opacity=1)
    title = f"The {len(rows)} most frequent confusions"
    subtitle = [
        "Actual class → what it was taken for, and how many of how many.",
        "They were picked for being frequent: an interval would hold for a pair named in advance.",
    ]
    return finished(alt.layer(dot.encode(x=x), numbers), title, subtitle, width=WIDTH, height=alt.Step(ROW))
