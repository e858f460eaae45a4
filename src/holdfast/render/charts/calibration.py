"""Do scores mean what they say? What came true in each bin, against what was forecast."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.render.charts.look import SQUARE, finished, guaranteed, inline, percent_axis, share
from holdfast.render.phrases import confidence, percent
from holdfast.report.facts.assessment import AssessmentFacts
from holdfast.wording import printable

if TYPE_CHECKING:
    import altair as alt

    from holdfast.report import Report

TOOLTIP = {
    "bin": "scores",
    "counted": "came true",
    "forecast": "mean score",
    "estimated": "share that came true",
    "limits": "limits",
    "guarantee": "this",
}


def calibration(report: Report) -> alt.LayerChart | None:
    """Each bin at its mean score, with the interval of what came true; on the diagonal scores mean what they say."""
    import altair as alt

    facts = report.facts
    detail = facts.calibration if isinstance(facts, AssessmentFacts) else None
    if detail is None:
        return None
    claims = {line.label: line.claim for line in report.whole if line.measure == "calibration"}
    rows = []
    for told in detail.bins:
        claim = claims.get(told.bin)
        if claim is None or claim.estimate is None or told.mean_score is None:
            continue
        lower, upper = float(claim.lower), float(claim.upper)
        estimated, limits = share(float(claim.estimate), lower, upper)
        rows.append(
            {
                "bin": told.bin,
                "x": told.mean_score,
                "y": float(claim.estimate),
                "lower": lower,
                "upper": upper,
                "n": told.n,
                "counted": f"{told.positives:,} of {told.n:,}",
                "forecast": percent(told.mean_score, 3, "nearest"),
                "estimated": estimated,
                "limits": limits,
                "guarantee": claim.guarantee.sentence,
            }
        )
    if not rows:
        return None
    label = printable(detail.label, 24)
    scale = alt.Scale(domain=[0, 1], nice=False)
    x = alt.X("x:Q", title="mean score in the bin", scale=scale, axis=percent_axis(tickCount=5))
    y = alt.Y("y:Q", title="share that came true", scale=scale, axis=percent_axis(tickCount=5))
    colour, shape = guaranteed(rows)
    size = alt.Size("n:Q", scale=alt.Scale(type="sqrt", range=[60, 260], domainMin=0), legend=None)
    bins = alt.Chart(inline(rows)).encode(x=x, tooltip=[alt.Tooltip(f"{f}:N", title=t) for f, t in TOOLTIP.items()])
    diagonal = alt.Chart(inline([{"x": 0, "y": 0}, {"x": 1, "y": 1}])).mark_line(style="guide").encode(x="x:Q", y=y)
    limits_drawn = bins.mark_rule(strokeWidth=2).encode(y="lower:Q", y2="upper:Q", color=colour)
    ends = [
        bins.mark_tick(thickness=2, size=9, orient="horizontal", opacity=1).encode(y=end, color=colour)
        for end in ("lower:Q", "upper:Q")
    ]
    dots = bins.mark_point(filled=True, opacity=1).encode(y="y:Q", color=colour, shape=shape, size=size)
    together = float(next(iter(claims.values())).delta) * len(detail.bins)
    title = f"What came true of the scores of {label}, bin by bin"
    subtitle = [
        f"All {len(detail.bins)} intervals hold together with {confidence(round(together, 12))} confidence."
        if detail.fixed
        else "The bins were chosen by these very scores: no proof.",
        "Dashed: scores that mean what they say. Larger marks: more examples.",
    ]
    return finished(alt.layer(diagonal, limits_drawn, *ends, dots), title, subtitle, width=SQUARE, height=SQUARE)
