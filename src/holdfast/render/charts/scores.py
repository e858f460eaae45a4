"""How the scores of the positive class and of the others are spread, and whether they mean what they say."""

from __future__ import annotations

from typing import Any

import altair as alt

from holdfast.render.charts.look import (
    SQUARE,
    WIDTH,
    diagonal,
    finished,
    guaranteed,
    in_percent,
    marks,
    rate_axis,
    titled,
)
from holdfast.render.phrases import confidence, percent, point
from holdfast.report import Report
from holdfast.report.facts.assessment import AssessmentFacts
from holdfast.wording import printable

MOST_CROWDED = 0.13  # of half the axis, from one tick to the next
TOOLTIP = {"class": "class", "bin": "score", "counted": "examples", "part": "share of the class"}


def scores(report: Report) -> alt.LayerChart | None:
    """The positive class upward, all others downward, each as shares of its own examples."""
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
    bars = marks(rows, TOOLTIP).encode(x=x, x2="right:Q", y=y, y2=alt.datum(0))
    layers: list[Any] = [
        bars.transform_filter(f"datum.way == {way}").mark_bar(style=key, binSpacing=0.5, opacity=0.9)
        for _, key, way in sides
    ]
    layers.append(marks([{"y": 0}]).mark_rule(style="whole", strokeWidth=1).encode(y="y:Q"))
    declared = (report.views.get("thresholds") or {}).get("declared")
    if declared is not None:
        layers.append(marks([{"x": declared}]).mark_rule(style="guide").encode(x="x:Q"))
    sides_say = f"{sum(view['positive']):,} of {label} upward, {sum(view['other']):,} others downward."
    subtitle = [sides_say] + ([f"Dashed: the operating point, {declared:.4g}."] if declared is not None else [])
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


OF_A_BIN = titled(
    *("bin", "counted", "forecast", "estimated", "limits", "guarantee"),
    bin="scores",
    counted="came true",
    forecast="mean score",
    estimated="share that came true",
)


def calibration(report: Report) -> alt.LayerChart | None:
    """Each bin at its mean score, with the interval of what came true; on the diagonal scores mean what they say."""
    facts = report.facts
    detail = facts.calibration if isinstance(facts, AssessmentFacts) else None
    if detail is None:
        return None
    claims = {line.label: line.claim for line in report.whole if line.measure == "calibration"}
    rows = [
        {
            "bin": each.bin,
            "x": each.mean_score,
            "y": point(claims[each.bin]),
            "lower": float(claims[each.bin].lower),
            "upper": float(claims[each.bin].upper),
            "n": each.n,
            "counted": f"{each.positives:,} of {each.n:,}",
            "forecast": percent(each.mean_score, 3, "nearest"),
            **in_percent(claims[each.bin]),
            "guarantee": claims[each.bin].guarantee.sentence,
        }
        for each in detail.bins
        if each.bin in claims and claims[each.bin].estimate is not None and each.mean_score is not None
    ]
    if not rows:
        return None
    label = printable(detail.label, 24)
    x = rate_axis(alt.X, "x:Q", "mean score in the bin", ticks=5)
    y = rate_axis(alt.Y, "y:Q", "share that came true", ticks=5)
    colour, shape = guaranteed(rows)
    size = alt.Size("n:Q", scale=alt.Scale(type="sqrt", range=[60, 260], domainMin=0), legend=None)
    bins = marks(rows, OF_A_BIN).encode(x=x)
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
    return finished(alt.layer(diagonal(y), limits_drawn, *ends, dots), title, subtitle, width=SQUARE, height=SQUARE)
