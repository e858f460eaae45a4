"""The dilemma of the hold-out: more rows that train make a better model, of which fewer rows that test say less."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdfast.render.charts.look import finished, inline, learner, percent_axis, share
from holdfast.render.outline.training import share_of
from holdfast.render.phrases import confidence, percent
from holdfast.report.facts.training import LearningFacts

if TYPE_CHECKING:
    import altair as alt

    from holdfast.report import Report

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
    import altair as alt

    facts = report.facts
    if not isinstance(facts, LearningFacts):
        return None
    rows = _rows(report, facts)
    top = max(row["upper"] for row in rows)
    y = alt.Y("lower:Q", title="error rate", scale=alt.Scale(domain=[0, top]), axis=percent_axis(tickCount=6))
    chart = alt.Chart(inline(rows)).encode(x=_x(rows), tooltip=_hover())
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
    import altair as alt

    facts = report.facts
    if not isinstance(facts, LearningFacts) or report.whole[0].claim.side != "both":
        return None
    rows = _rows(report, facts)
    y = alt.Y("width:Q", title="width of the interval", scale=alt.Scale(zero=True), axis=percent_axis(tickCount=6))
    chart = alt.Chart(inline(rows)).encode(x=_x(rows), y=y, tooltip=_hover())
    layers = [chart.mark_line(style="operating"), chart.mark_point(style="operating-dot", filled=True, size=60)]
    first, last = rows[0]["wide"].removesuffix(" %"), rows[-1]["wide"]
    title = f"The interval of {learner(facts.learner)} goes from {first} to {last.removesuffix(' %')} points"
    subtitle = f"{rows[0]['tested']} rows test the first model, {rows[-1]['tested']} the last: what trains cannot test."
    return finished(alt.layer(*layers), title, subtitle, **SIZE)


def _rows(report: Report, facts: LearningFacts) -> list[dict[str, Any]]:
    rows = []
    for point, line in zip(facts.learning_curve.points, report.whole, strict=True):
        claim = line.claim
        lower, upper = float(claim.lower), float(claim.upper)
        estimate = None if claim.estimate is None else float(claim.estimate)
        estimated, limits = share(estimate, lower, upper)
        rows.append(
            {
                "share": point.train_share,
                "estimate": estimate,
                "lower": lower,
                "upper": upper,
                "width": upper - lower,
                "trained": share_of(point),
                "rows": f"{point.n_train:,}",
                "tested": f"{point.n_test:,}",
                "estimated": estimated,
                "limits": limits,
                "wide": percent(upper - lower, 3, "up"),
            }
        )
    return rows


def _x(rows: list[dict[str, Any]]) -> alt.X:
    import altair as alt

    ends = [rows[0]["share"], rows[-1]["share"]] if len(rows) > 1 else [0, 1]
    scale = alt.Scale(domain=ends, nice=False)
    return alt.X(
        "share:Q", title="share of the rows that trains", scale=scale, axis=percent_axis(grid=False, tickCount=6)
    )


def _hover() -> list[alt.Tooltip]:
    import altair as alt

    return [alt.Tooltip(f"{field}:N", title=title) for field, title in HOVER.items()]
