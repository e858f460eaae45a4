"""The pictures of the study of document 001."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt
import numpy as np

from holdfast.catalog import find
from holdfast.evidence import Counts
from holdfast.render.charts.look import WIDTH, finished, inline
from studies.bax.jury import Outcome
from studies.bax.rates import direct, epsilon
from studies.bax.variance import largest_changes

DELTA = 0.05
SIZES = (50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000, 100_000)
VOTE = ("tested directly", "linear programme", "nearest member", "factor two", "C-bound", "tandem")


def reaches() -> Any:
    """How far above 5 % the limit of a test error rate lies, by the number of examples."""
    rows = []
    for d in SIZES:
        k = round(0.05 * d)
        exact = find("hypergeometric")(Counts(k, d), DELTA, unlabelled=d)
        ways = {
            "Eq. 8": epsilon(DELTA, d),
            "difference of means": direct(DELTA, d, d),
            "exact (hypergeometric)": float(exact.upper) - k / d,
        }
        rows += [{"d": d, "reach": reach, "way": way} for way, reach in ways.items()]
    names = [*ways]
    colour = alt.Color("way:N", sort=names, scale=alt.Scale(domain=names, range="ordinal"), legend=None)
    base = alt.Chart(inline(rows)).encode(
        x=alt.X(
            "d:Q",
            title="validation examples, and as many test inputs",
            scale=alt.Scale(type="log", domain=[50, 1_000_000], nice=False),
            axis=alt.Axis(values=[100, 1000, 10_000, 100_000], format=",d", grid=False),
        ),
        y=alt.Y(
            "reach:Q",
            title="how far the limit lies above the estimate",
            scale=alt.Scale(type="log", domain=[0.001, 0.6], nice=False),
            axis=alt.Axis(values=[0.001, 0.003, 0.01, 0.03, 0.1, 0.3]),
        ),
        color=colour,
    )
    line = base.mark_line(strokeWidth=2, point=alt.OverlayMarkDef(size=26, filled=True))
    last = base.transform_filter(f"datum.d == {SIZES[-1]}")
    words = last.mark_text(align="left", dx=8, fontSize=11).encode(text="way:N")
    return finished(
        alt.layer(line, words),
        "The same test error rate, three times",
        "95 % confidence, 5 % errors seen on the validation examples.",
        width=WIDTH,
        height=300,
    )


def change_of_variance() -> Any:
    """Eq. 33 beside the largest change that a search finds."""
    grid = np.linspace(0, 0.5, 51)
    lines = [
        {"e": e, "most": e + sign * e**2, "way": way}
        for way, sign in (("ε + ε², as printed", 1), ("ε − ε²", -1))
        for e in grid
    ]
    found = [{"e": e, "most": largest_changes(e)[1]} for e in (0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5)]
    names = ["ε + ε², as printed", "ε − ε²"]
    colour = alt.Color("way:N", sort=names, scale=alt.Scale(domain=names, range="ordinal"), legend=None)
    base = alt.Chart(inline(lines)).encode(
        x=alt.X(
            "e:Q",
            title="ε: how far each test error rate may be from its validation error rate",
            scale=alt.Scale(domain=[0, 0.68], nice=False),
            axis=alt.Axis(values=[0, 0.1, 0.2, 0.3, 0.4, 0.5], grid=False),
        ),
        y=alt.Y("most:Q", title="change of the variance", scale=alt.Scale(domain=[0, 0.8]), axis=alt.Axis(tickCount=5)),
        color=colour,
    )
    words = base.transform_filter("datum.e == 0.5").mark_text(align="left", dx=8, fontSize=11).encode(text="way:N")
    dots = alt.Chart(inline(found)).mark_point(style="operating-dot", filled=True, size=60).encode(x="e:Q", y="most:Q")
    return finished(
        alt.layer(base.mark_line(strokeWidth=2), words, dots),
        "How much the variance over classifiers can change",
        "Dots: the largest change that a search over sets of error rates in [0, 1] finds.",
        width=WIDTH,
        height=280,
    )


def of_vote(outcomes: Sequence[Outcome], title: str) -> Any:
    """Where each method's upper limit for the vote falls over the cuts, and where the truth does."""
    rows, dots = [], []
    for way in VOTE:
        uppers = np.array([each[f"vote: {way}"][1] for each in outcomes])
        low, middle, high = np.quantile(uppers, [0.05, 0.5, 0.95])
        rows.append({"way": way, "low": low, "middle": middle, "high": high, "said": f"{middle:.3f}"})
    truth = np.array([each["vote: tested directly"][2] for each in outcomes])
    low, middle, high = np.quantile(truth, [0.05, 0.5, 0.95])
    dots.append({"low": low, "middle": middle, "high": high})
    top = 1.08 * max(row["high"] for row in rows)
    y = alt.Y(
        "way:N", sort=list(VOTE), title=None, axis=alt.Axis(domain=False, ticks=False, labelFontSize=12, grid=True)
    )
    scale = alt.Scale(domain=[0, top], nice=True)
    chart = alt.Chart(inline(rows)).encode(y=y)
    x = alt.X("low:Q", title="error rate of the vote on the hidden part", scale=scale, axis=alt.Axis(tickCount=6))
    band = chart.mark_bar(style="band", height=10).encode(x=x, x2="high:Q")
    tick = chart.mark_tick(style="curve", thickness=3, size=16, orient="vertical").encode(x="middle:Q")
    numbers = chart.mark_text(align="left", dx=14, style="value").encode(x=alt.value("width"), text="said:N")
    true = alt.Chart(inline(dots)).mark_rect(style="whole-band").encode(x="low:Q", x2="high:Q")
    at = alt.Chart(inline(dots)).mark_rule(style="guide").encode(x="middle:Q")
    return finished(
        alt.layer(true, at, band, tick, numbers),
        f"How often the vote errs at most: {title}",
        [
            f"Ticks: the median upper limit over {len(outcomes)} cuts, 95 % confidence; bands: nine in ten of them.",
            "Grey: how often it did err.",
        ],
        width=WIDTH,
        height=alt.Step(26),
    )
