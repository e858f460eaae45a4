"""Intervals below each other: what the forest plot, the groups and the most confused classes are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from holdfast.render.charts.look import guaranteed, inline

MOST_ROWS = 60
ROW = 22  # points from one row to the next


def interval_rows(
    rows: Sequence[Mapping[str, Any]], x: Any, tooltip: Mapping[str, str], under: Sequence[Any] = ()
) -> Any:
    """Each row's interval, ends and estimate in the colour of its guarantee, and its numbers on the right.

    A row has `row`, its label; `estimate`, `lower` and `upper`; `from` and `to`, the ends that are claimed;
    `guarantee` and `numbers`; and a text for each field of the tooltip.
    """
    import altair as alt

    colour, shape = guaranteed(rows)
    hover = [alt.Tooltip(f"{field}:N", title=title) for field, title in tooltip.items()]
    axis = alt.Axis(domain=False, ticks=False, labelLimit=0, labelPadding=12, labelFontSize=12, grid=True)
    y = alt.Y("row:N", sort=None, title=None, axis=axis)
    chart = alt.Chart(inline(rows)).encode(y=y, tooltip=hover)
    line = (
        chart.transform_filter("isValid(datum.lower)")
        .mark_rule(strokeWidth=2, clip=True)
        .encode(x=x, x2="upper:Q", color=colour)
    )
    end = chart.mark_tick(thickness=2, size=9, orient="vertical", opacity=1).encode(color=colour)
    least = end.transform_filter("isValid(datum.from)").encode(x="from:Q")
    most = end.transform_filter("isValid(datum.to)").encode(x="to:Q")
    dot = chart.transform_filter("isValid(datum.estimate)").mark_point(filled=True, size=75, opacity=1)
    numbers = chart.mark_text(align="left", dx=14, style="value").encode(x=alt.value("width"), text="numbers:N")
    return alt.layer(*under, line, least, most, dot.encode(x="estimate:Q", color=colour, shape=shape), numbers)
