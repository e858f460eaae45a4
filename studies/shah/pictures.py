"""The study's pictures: what the Gaussian columns are, Theorem 2 as printed, our errors beside the printed ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np

import holdfast as hf
from holdfast.render.charts.look import finished, inline, percent_axis
from holdfast.render.phrases import confidence
from studies.shah.audit import DELTA, Row, clopper_pearson, standard_error_interval, theorem_2_as_printed
from studies.shah.data import TABLE_1
from studies.shah.experiment import Outcome
from studies.shah.learners import LEARNERS
from studies.shah.statements import coverage_as_printed, right_coverage

ORDER = [about.name for about in TABLE_1]
LEVELS = {"lowest": 0.025, "low": 0.25, "middle": 0.5, "high": 0.75, "highest": 0.975}
SCALE = "The axis is that of square roots, so that small rates can be told apart."
ROW = 17  # points a data set
LINES = alt.Legend(symbolType="stroke", symbolStrokeWidth=3, symbolSize=220)
TOLD = ("as printed: two standard deviations", "two standard errors", "exact")


def gaussian(rows: Sequence[Row]) -> Any:
    """The intervals of naive Bayes, which errs on every set: as printed on the left, as they should be on the right."""
    ours = [row for row in rows if row.learner == "NB"]
    printed, near = [], []
    for row in ours:
        limits = [float(row.cells[column].printed.value) for column in ("CI_l", "CI_u")]
        exact = [float(limit[row.k]) for limit in clopper_pearson(row.m)]
        here = {"dataset": row.dataset, "risk": row.k / row.m}
        printed.append({**here, "lower": limits[0], "upper": limits[1], "kind": TOLD[0]})
        for kind, (lower, upper) in ((TOLD[1], standard_error_interval(row.k, row.m)), (TOLD[2], exact)):
            near.append({**here, "lower": lower, "upper": upper, "kind": kind})
    names = alt.Y("dataset:N", sort=ORDER, title=None, axis=alt.Axis(grid=False, ticks=False, domain=False))
    colour = alt.Color("kind:N", scale=alt.Scale(domain=TOLD[::-1], range="category"), legend=LINES)
    edges = alt.Chart(inline([{"x": 0}, {"x": 1}])).mark_rule(style="guide").encode(x="x:Q")
    x = alt.X("lower:Q", title="risk, as printed", scale=alt.Scale(domain=[-0.75, 1.5]), axis=alt.Axis(tickCount=5))
    wide = alt.Chart(inline(printed)).mark_rule(strokeWidth=3).encode(y=names, x=x, x2="upper:Q", color=colour)
    dots = alt.Chart(inline(printed)).mark_point(style="whole", size=14).encode(y=names, x="risk:Q")
    left = alt.layer(edges, wide, dots).properties(width=300, height=alt.Step(ROW))
    x = alt.X("lower:Q", title="risk, with the standard error", scale=alt.Scale(domain=[0, 0.5]))
    bare = alt.Y(
        "dataset:N", sort=ORDER, title=None, axis=alt.Axis(labels=False, grid=False, ticks=False, domain=False)
    )
    layers = [
        alt.Chart(inline(near))
        .transform_filter(f"datum.kind == '{kind}'")
        .mark_rule(strokeWidth=2.4, yOffset=shift)
        .encode(y=bare, x=x, x2="upper:Q", color=colour)
        for kind, shift in ((TOLD[2], -3), (TOLD[1], 3))
    ]
    right = alt.layer(*layers).properties(width=260, height=alt.Step(ROW))
    title = "With its standard error the Gaussian interval is about as wide as the exact one"
    said = [
        "Naive Bayes. Left: as printed, beyond 0 and 1 (dashed) for want of a division by √m. Right: as it should be."
    ]
    return finished(alt.hconcat(left, right, spacing=14), title, said)


def theorem_2(m: int = 103) -> Any:
    """The coverage of the lower limit of Theorem 2, as printed and as it should read, at each true risk."""
    rates = np.geomspace(1e-4, 0.5, 420)
    curves = {"as printed": coverage_as_printed(m, rates), "with λ or more errors": right_coverage(m, rates)}
    points = [
        {"risk": round(float(rate), 6), "coverage": round(float(chance), 5), "kind": kind}
        for kind, curve in curves.items()
        for rate, chance in zip(rates, curve, strict=True)
    ]
    ticks = alt.Axis(grid=False, format="~g", values=[1e-4, 1e-3, 0.01, 0.1, 0.5])
    x = alt.X("risk:Q", title="true risk", scale=alt.Scale(type="log", nice=False), axis=ticks)
    scale = alt.Scale(domain=[0, 1], nice=False)
    y = alt.Y("coverage:Q", title="chance that the limit holds", scale=scale, axis=percent_axis(tickCount=5))
    colour = alt.Color("kind:N", scale=alt.Scale(domain=[*curves][::-1], range="category"), legend=LINES)
    lines = alt.Chart(inline(points)).mark_line(strokeWidth=1.6, clip=True).encode(x=x, y=y, color=colour)
    promise = (
        alt.Chart(inline([{"promise": 1 - DELTA}])).mark_rule(style="guide").encode(y=alt.Y("promise:Q", scale=scale))
    )
    title = "Theorem 2 as printed does not keep its promise"
    never = theorem_2_as_printed(0, m)
    said = f"{m} test examples. Dashed: {confidence(DELTA)}, as promised. Below a risk of {never:.5f} it never holds."
    return finished(alt.layer(promise, lines), title, said, width=600, height=260)


def beside_printed(rows: Sequence[Row], outcomes: Sequence[Outcome]) -> Any:
    """For every learner and data set the exact interval found here, and the risk that the paper prints."""
    found = {(outcome.dataset, outcome.learner): outcome for outcome in outcomes}
    points = []
    for row in rows:
        outcome = found.get((row.dataset, row.learner))
        if outcome is None:
            continue
        claim = hf.bound(hf.Counts(outcome.errors, outcome.tested), delta=2 * DELTA)
        points.append(
            {
                "dataset": row.dataset,
                "learner": row.learner,
                "lower": round(float(claim.lower), 4),
                "upper": round(float(claim.upper), 4),
                "here": round(outcome.errors / outcome.tested, 4),
                "printed": round(row.k / row.m, 4),
            }
        )
    names = [name for name in ORDER if any(point["dataset"] == name for point in points)]
    y = alt.Y("dataset:N", sort=names, title=None, axis=alt.Axis(grid=True, ticks=False, domain=False))
    labels = "format(datum.value * 100, '.0f') + (datum.value > 0.25 ? ' %' : '')"
    ticks = alt.Axis(values=[0, 0.02, 0.1, 0.3], labelExpr=labels, labelOverlap=False)
    x = alt.X("lower:Q", title=None, scale=alt.Scale(type="sqrt", domain=[0, 0.56], nice=False), axis=ticks)
    base = alt.Chart().encode(y=y)
    layers = alt.layer(
        base.mark_rule(style="curve", strokeWidth=2, yOffset=-3).encode(x=x, x2="upper:Q"),
        base.mark_point(style="curve", size=26, filled=True, opacity=1, yOffset=-3).encode(x="here:Q"),
        base.mark_point(style="operating-dot", shape="diamond", size=34, filled=True, strokeWidth=0, yOffset=4).encode(
            x="printed:Q"
        ),
        data=inline(points),
    ).properties(width=124, height=alt.Step(ROW + 1))
    learners = [learner.name for learner in LEARNERS]
    header = alt.Header(title=None, labelFontSize=12, labelFontWeight="bold")
    chart = layers.facet(column=alt.Column("learner:N", sort=learners, header=header), spacing=10)
    said = ["Blue: error rate on our test part with its exact 95 % interval. Amber: what Table 2 prints.", SCALE]
    return finished(chart, "Errors found here and errors printed", said)


def over_splits(rows: Sequence[Row], errors: Mapping[str, Sequence[int]]) -> Any:
    """Where the printed risk of naive Bayes falls among those of many splits."""
    points = []
    for row in rows:
        if row.learner != "NB" or row.dataset not in errors:
            continue
        marks = dict(zip(LEVELS, np.quantile(np.array(errors[row.dataset]) / row.m, [*LEVELS.values()]), strict=True))
        marks = {name: round(float(value), 4) for name, value in (marks | {"printed": row.k / row.m}).items()}
        points.append({"dataset": row.dataset, **marks})
    names = [point["dataset"] for point in points]
    y = alt.Y("dataset:N", sort=names, title=None, axis=alt.Axis(grid=False, ticks=False, domain=False))
    x = alt.X(
        "lowest:Q", title="error rate on the test part", scale=alt.Scale(zero=True), axis=percent_axis(tickCount=6)
    )
    base = alt.Chart(inline(points)).encode(y=y)
    layers = alt.layer(
        base.mark_rule(style="curve", strokeWidth=1.4).encode(x=x, x2="highest:Q"),
        base.mark_bar(style="curve", height=8).encode(x="low:Q", x2="high:Q"),
        base.mark_tick(style="whole", thickness=2, size=15, orient="vertical", opacity=1).encode(x="middle:Q"),
        base.mark_point(style="operating-dot", shape="diamond", size=70, filled=True).encode(x="printed:Q"),
    )
    said = [
        "Line: 95 % of the splits; bar: half; tick: median. Amber: what Table 2 prints. SonarM has one known split."
    ]
    return finished(
        layers, "Naive Bayes over many splits of the paper's sizes", said, width=560, height=alt.Step(ROW + 2)
    )
