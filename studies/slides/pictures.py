"""The pictures of the study of document 003."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np

from holdfast.render.charts import CHARTS
from holdfast.render.charts.look import finished, inline, percent_axis
from holdfast.report import Report

NAMES = {"normal": "as derived (normal)", "wilson": "Wilson", "clopper-pearson": "Clopper-Pearson"}


def coverage(rates: Any, curves: Mapping[str, Any], promise: float) -> Any:
    """Coverage against the true success rate, a line a method."""
    rows = [
        {"rate": round(float(p), 4), "coverage": round(float(value), 4), "which": NAMES[name]}
        for name, values in curves.items()
        for p, value in zip(rates, values, strict=True)
    ]
    scale = alt.Scale(domain=[0.6, 1], nice=False, clamp=True)
    colour = alt.Color(
        "which:N",
        scale=alt.Scale(domain=[*NAMES.values()], range="ordinal"),
        legend=alt.Legend(symbolType="stroke", symbolStrokeWidth=3),
    )
    x = alt.X(
        "rate:Q",
        title="true success rate",
        scale=alt.Scale(domain=[0.8, 1], nice=False),
        axis=percent_axis(grid=False, tickCount=6),
    )
    lines = alt.Chart(inline(rows)).mark_line(strokeWidth=1.5, clip=True)
    layers = [
        lines.encode(x=x, y=alt.Y("coverage:Q", title="coverage", scale=scale, axis=percent_axis()), color=colour),
        alt.Chart(inline([{"promise": promise}])).mark_rule(style="promise").encode(y=alt.Y("promise:Q", scale=scale)),
    ]
    title = "Near 100 % the slides' interval forgets its promise"
    return finished(alt.layer(*layers), title, "100 trials, 90 % confidence. Dashed: the promise.", height=280)


def dilemma(shares: Sequence[float], errors: Any) -> Any:
    """The mean error, and between which values 95 % of the estimates lie, by the share that trains."""
    low, high = np.quantile(errors, [0.025, 0.975], axis=0)
    rows = [
        {"share": share, "mean": float(mean), "low": float(a), "high": float(b)}
        for share, mean, a, b in zip(shares, errors.mean(axis=0), low, high, strict=True)
    ]
    x = alt.X(
        "share:Q",
        title="share of the rows that trains; the others test",
        scale=alt.Scale(domain=[0, 1], nice=False),
        axis=percent_axis(grid=False, tickCount=6),
    )
    y = alt.Y("mean:Q", title="error rate on the test rows", scale=alt.Scale(zero=True), axis=percent_axis(tickCount=6))
    chart = alt.Chart(inline(rows)).encode(x=x)
    layers = [
        chart.mark_area(style="band").encode(y=alt.Y("low:Q"), y2="high:Q"),
        chart.mark_line(style="curve").encode(y=y),
        chart.mark_point(style="curve", filled=True, size=45, opacity=1).encode(y=y),
    ]
    title = "More training: a better classifier, of which less is known"
    subtitle = f"Line: mean over {len(errors)} random orders. Shaded: where 95 % of the estimates lie."
    return finished(alt.layer(*layers), title, subtitle, height=280)


def one_order(report: Report) -> Any:
    """What hf.learning_curve draws."""
    return CHARTS["learning-curve"](report)
