"""A threshold that was chosen: what is proven of it, and what other thresholds would have given up."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.render.charts.forest import TOOLTIP, row_of
from holdfast.render.charts.intervals import MOST_ROWS, ROW, interval_rows
from holdfast.render.charts.look import HEIGHT, WIDTH, beside, finished, inline, percent_axis, told
from holdfast.render.outline.threshold import named
from holdfast.render.phrases import confidence, percent
from holdfast.report.facts.listing import ThresholdFacts
from holdfast.wording import shortened

if TYPE_CHECKING:
    import altair as alt

    from holdfast.report import Report

LONGEST_NAME = 34
RATES = ("sensitivity", "specificity")


def rates(report: Report) -> alt.LayerChart | None:
    """What may be claimed at the threshold, of all rows and of each group."""
    import altair as alt

    facts, lines = report.facts, report.whole
    if not isinstance(facts, ThresholdFacts) or not lines:
        return None
    drawn = [line for line in lines if line.measure != "expected-cost"][:MOST_ROWS]
    if not drawn:
        return None
    names = beside((named(line, LONGEST_NAME) for line in drawn), LONGEST_NAME)
    rows = [
        row_of(line, name) | {"label": told(line.group) if line.group is not None else "all together"}
        for line, name in zip(drawn, names, strict=True)
    ]
    x = alt.X(
        "lower:Q",
        title=None,
        scale=alt.Scale(domain=[0, 1], nice=False),
        axis=percent_axis(tickCount=6),
    )
    made = facts.threshold
    title = f"From the score {made.threshold:.6g} on, with {confidence(made.delta)} confidence each"
    said = [f"The first is what was asked for: {made.condition}. Each limit holds on its own."]
    if len(drawn) < len(lines):
        said.append(f"{len(drawn)} of {len(lines):,}; all are in the tables.")
    tooltip = {**TOOLTIP, "label": "of"}
    return finished(interval_rows(rows, x, tooltip), title, said, width=WIDTH, height=alt.Step(ROW))


def trade_off(report: Report) -> alt.LayerChart | None:
    """Sensitivity and specificity seen at every threshold, and the one that was chosen."""
    import altair as alt

    facts, view = report.facts, report.views.get("trade-off")
    if not isinstance(facts, ThresholdFacts) or view is None:
        return None
    made = facts.threshold
    rows = [
        {
            "threshold": at,
            "rate": value,
            "of": name,
            "shown": f"{at:.6g}",
            "share": percent(value, 4, "nearest"),
        }
        for name in RATES
        for at, value in zip(view["thresholds"], view[name], strict=True)
    ]
    domain = [min(view["thresholds"]), max(view["thresholds"])]
    key = alt.Legend(title=None, symbolType="stroke", symbolStrokeWidth=3)
    colour = alt.Color("of:N", scale=alt.Scale(domain=[*RATES], range="ordinal"), legend=key)
    dash = alt.StrokeDash("of:N", scale=alt.Scale(domain=[*RATES], range=[[1, 0], [7, 3]]), legend=key)
    curves = (
        alt.Chart(inline(rows))
        .mark_line(strokeWidth=2, interpolate="step-before", point={"opacity": 0, "size": 40})
        .encode(
            x=alt.X("threshold:Q", title="threshold", scale=alt.Scale(domain=domain, nice=False)),
            y=alt.Y("rate:Q", title=None, scale=alt.Scale(domain=[0, 1]), axis=percent_axis(tickCount=6)),
            color=colour,
            strokeDash=dash,
            tooltip=[
                alt.Tooltip("of:N", title="rate"),
                alt.Tooltip("shown:N", title="threshold"),
                alt.Tooltip("share:N", title="seen here"),
            ],
        )
    )
    layers = [curves]
    title = "What each threshold gives and takes"
    if made.threshold is not None:
        at = alt.Chart(inline([{"threshold": made.threshold}]))
        layers.insert(0, at.mark_rule(style="guide").encode(x="threshold:Q"))
        title += f"; chosen: {made.threshold:.6g}"
    said = [
        f"Rates seen on these examples; an example is called {shortened(made.positive, 30)} from the threshold on.",
        "Estimates without limits: only what the tables say of the one that was chosen is claimed.",
    ]
    return finished(alt.layer(*layers), title, said, width=WIDTH, height=HEIGHT)
