"""Does a method keep its promise? How often its interval covers, against how often it says it does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from holdfast.render.charts.look import finished, inline, percent_axis

if TYPE_CHECKING:
    import altair as alt


def coverage_chart(
    x: Sequence[float], coverage: Sequence[float], promise: float, *, x_title: str, title: str, subtitle: str
) -> alt.LayerChart:
    """Coverage as a line, the promise as a rule: where the line falls below the rule the promise is not kept."""
    import altair as alt

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
    rule = (
        alt.Chart(inline([{"promise": promise}])).mark_rule(style="promise").encode(y=alt.Y("promise:Q", scale=scale))
    )
    return finished(alt.layer(line, rule), title, subtitle, width=640, height=300)
