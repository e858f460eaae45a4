"""The figures of section 22.3, drawn anew, in the house's look."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import altair as alt
import numpy as np

from holdfast.render.charts.look import SHAPES, finished, inline, percent_axis
from studies.zaki_ensembles.conics import FRAME, Rows, curve, distances, line, regions, voted
from studies.zaki_ensembles.iris import Iris
from studies.zaki_ensembles.printed import BAGGED, C_GRID, COMBINED, EPSILONS, LEAST_AT, LEAST_TEST_ERROR, N

PANEL = (300, 210)
CLASSES = {1: "versicolor (+1)", -1: "setosa and virginica (−1)"}
PARTS = ("expected loss", "squared bias", "variance")


def _axes() -> tuple[alt.X, alt.Y]:
    scale = [alt.Scale(domain=ends, nice=False) for ends in FRAME]
    plain: dict[str, Any] = {"grid": False, "tickCount": 5}
    return (
        alt.X("x:Q", title="first principal component", scale=scale[0], axis=alt.Axis(**plain)),
        alt.Y("y:Q", title="second component", scale=scale[1], axis=alt.Axis(**plain)),
    )


def _points(iris: Iris, shown: bool = True) -> alt.Chart:
    x, y = _axes()
    rows = [
        {"x": round(float(a), 2), "y": round(float(b), 2), "class": CLASSES[int(sign)]}
        for (a, b), sign in zip(iris.points, iris.signs, strict=True)
    ]
    domain = [*CLASSES.values()]
    key = alt.Legend() if shown else None
    colour = alt.Color("class:N", scale=alt.Scale(domain=domain, range="ordinal"), legend=key)
    shape = alt.Shape("class:N", scale=alt.Scale(domain=domain, range=["circle", "triangle-up"]), legend=key)
    dots = alt.Chart(inline(rows)).mark_point(
        style="open", filled=True, size=16, strokeWidth=0, opacity=0.55, aria=False
    )
    return dots.encode(x, y, shape, *([colour] if shown else []))


def _curves(rows: Iterable[Mapping[str, Any]], style: str, width: float, opacity: float = 1.0) -> alt.Chart:
    x, y = _axes()
    mark = alt.Chart(inline(rows)).mark_line(style=style, strokeWidth=width, opacity=opacity, aria=False, clip=True)
    return mark.encode(x, y, detail="part:N", order=alt.Order("order:Q"))


def _ordered(rows: Iterable[Mapping[str, Any]]) -> Rows:
    return [{**row, "order": place} for place, row in enumerate(rows)]


def boundaries(iris: Iris, panels: Mapping[str, Sequence[Any]], title: str, subtitle: str) -> Any:
    """For each panel its models' boundaries, thin, and that of their vote, bold: Figures 22.7a to c, and 22.8a."""
    charts = []
    for name, models in panels.items():
        thin = [row for number, model in enumerate(models) for row in curve(distances(model), f"{number}")]
        layers = [
            _points(iris),
            _curves(_ordered(thin), "open", 1, 0.75),
            _curves(_ordered(curve(voted(models), "vote")), "whole", 2.6),
        ]
        charts.append(alt.layer(*layers).properties(width=PANEL[0], height=PANEL[1], title=_small(name)))
    return finished(alt.hconcat(*charts, spacing=26), title, subtitle)


def combined(iris: Iris, panels: Mapping[str, Sequence[Any]], title: str, subtitle: str) -> Any:
    """The boundaries of votes of different size, in one frame: Figure 22.8b."""
    x, y = _axes()
    rows = _ordered(row for name, models in panels.items() for row in curve(voted(models), name))
    names = [*panels]
    styles: dict[str, Any] = {
        "scale": alt.Scale(domain=names, range=[[1, 0], [7, 3], [2, 2], [9, 3, 2, 3], [12, 4]]),
        "legend": None,
    }
    colour = alt.Color(
        "name:N",
        scale=alt.Scale(domain=names, range="ordinal"),
        legend=alt.Legend(symbolType="stroke", symbolStrokeWidth=3),
    )
    lines = (
        alt.Chart(inline(rows))
        .mark_line(strokeWidth=2, aria=False, clip=True)
        .encode(x, y, colour, detail="part:N", order="order:Q", strokeDash=alt.StrokeDash("name:N", **styles))
    )
    dots = _points(iris, shown=False)
    return finished(alt.layer(dots, lines).resolve_scale(color="independent"), title, subtitle, width=560, height=300)


def _small(text: str) -> alt.Title:
    return alt.Title(text, fontSize=12, fontWeight="normal", offset=4, anchor="middle", frame="bounds")


def spread(found: Sequence[Any], title: str, subtitle: Sequence[str]) -> Any:
    """Figure 22.7d: loss, bias and variance along C; the line is the median of the redraws, the band 95 % of them."""
    table = np.array(found)
    low, middle, high = np.quantile(table, [0.025, 0.5, 0.975], axis=0)
    rows = [
        {"C": c, "part": part, "low": low[i, j], "middle": middle[i, j], "high": high[i, j]}
        for i, c in enumerate(C_GRID)
        for j, part in enumerate(PARTS)
    ]
    x = alt.X("C:Q", title="C", scale=alt.Scale(type="log", nice=False), axis=alt.Axis(values=[*C_GRID], format="~r"))
    colour = _part_colour(PARTS)
    chart = alt.Chart(inline(rows)).encode(x=x, color=colour)
    y = alt.Y("low:Q", title="squared loss of the labels ±1", scale=alt.Scale(domainMin=0), axis=alt.Axis(tickCount=5))
    band = chart.mark_area(opacity=0.16, stroke=None).encode(y=y, y2="high:Q")
    lines = chart.mark_line(strokeWidth=2).encode(y="middle:Q")
    dots = chart.mark_point(filled=True, size=45, opacity=1).encode(
        y="middle:Q", shape=alt.Shape("part:N", legend=None)
    )
    return finished(alt.layer(band, lines, dots), title, list(subtitle), width=560, height=300)


def _part_colour(parts: Sequence[str]) -> alt.Color:
    key = alt.Legend(symbolType="stroke", symbolStrokeWidth=3)
    return alt.Color("part:N", scale=alt.Scale(domain=list(parts), range="ordinal"), legend=key)


def losses(found: Mapping[str, Any], title: str, subtitle: Sequence[str]) -> Any:
    """The zero-one loss by K: how often each number of errors came up, and what is printed."""
    rows = []
    for models, _, _ in BAGGED:
        wrong = np.array(found[str(models)])[:, 0]
        counts = np.bincount(wrong) / len(wrong)
        rows += [{"K": models, "loss": k / N, "share": float(share)} for k, share in enumerate(counts) if share]
    marked = [{"K": models, "loss": float(loss), "what": "printed"} for models, loss, _ in BAGGED]
    x = alt.X("K:O", title="models K", axis=alt.Axis(labelAngle=0))
    y = alt.Y("loss:Q", title="zero-one loss on the training points", axis=percent_axis(tickCount=6))
    size = alt.Size("share:Q", scale=alt.Scale(range=[0, 900], domainMin=0), legend=None)
    dots = alt.Chart(inline(rows)).mark_point(style="right", filled=True, opacity=0.45).encode(x=x, y=y, size=size)
    return finished(alt.layer(dots, _printed(marked, x, y)), title, list(subtitle), width=420, height=280)


def _printed(rows: Rows, x: alt.X, y: alt.Y) -> alt.Chart:
    """What the book has: a mark that is found without its colour."""
    return (
        alt.Chart(inline(rows)).mark_point(style="operating", shape=SHAPES[1], size=130, strokeWidth=2.4).encode(x, y)
    )


def rounds(found: Mapping[str, Any], title: str, subtitle: Sequence[str]) -> Any:
    """Example 22.14: weighted errors of the four hyperplanes and errors of the combined classifiers."""
    kinds = {"weighted error of h": ("epsilons", EPSILONS), "training error of M": ("combined", COMBINED)}
    panels = []
    for name, (key, printed) in kinds.items():
        table = np.array(found[key])
        ends = np.quantile(table, [0.025, 0.25, 0.5, 0.75, 0.975], axis=0)
        rows = [
            {"t": f"{t + 1}", **dict(zip(("low", "q1", "median", "q3", "high"), ends[:, t].tolist(), strict=True))}
            for t in range(4)
        ]
        x = alt.X("t:O", title=f"{name}, t = 1 to 4", axis=alt.Axis(labelAngle=0))
        scale = alt.Scale(domain=[0, 0.5], nice=False)
        y = alt.Y("low:Q", title="error", scale=scale, axis=percent_axis(tickCount=6))
        chart = alt.Chart(inline(rows)).encode(x=x)
        layers = [
            chart.mark_rule(style="curve", strokeWidth=2).encode(y=y, y2="high:Q"),
            chart.mark_bar(style="curve", size=13, opacity=0.55).encode(y=alt.Y("q1:Q"), y2="q3:Q"),
            chart.mark_tick(style="whole", size=22, thickness=2.4, orient="horizontal", opacity=1).encode(y="median:Q"),
            _printed(
                [{"t": f"{t + 1}", "low": float(value)} for t, value in enumerate(printed)],
                x,
                alt.Y("low:Q", scale=scale),
            ),
        ]
        panels.append(alt.layer(*layers).properties(width=230, height=260))
    return finished(alt.hconcat(*panels, spacing=30), title, list(subtitle))


def boosted(iris: Iris, model: Any, title: str, subtitle: Sequence[str]) -> Any:
    """Figure 22.9a: the lines of four rounds, and where their vote says +1."""
    x, y = _axes()
    shaded = alt.Chart(inline(regions(model.predict))).mark_rect(style="whole-band", fillOpacity=0.22, aria=False)
    strips = shaded.encode(x, y, x2="x2:Q", y2="y2:Q")
    rows = [row for number, each in enumerate(model) for row in line(each, f"h{number + 1}")]
    ends = {row["name"]: row for row in rows}
    words = alt.Chart(inline(ends.values())).encode(x, y, text="name:N")
    shift: dict[str, Any] = {"dx": -12, "dy": -9, "fontSize": 13, "fontWeight": 600}
    layers = [
        strips,
        _points(iris),
        _curves(_ordered(rows), "curve", 1.8),
        words.mark_text(style="halo", **shift),
        words.mark_text(style="value", **shift),
    ]
    return finished(alt.layer(*layers), title, list(subtitle), width=560, height=300)


def crossed(found: Mapping[str, Any], title: str, subtitle: Sequence[str]) -> Any:
    """Figure 22.9b: training and testing error along the number of rounds; the band holds nine in ten redraws."""
    rows = []
    for name, curves in found.items():
        low, middle, high = np.quantile(np.array(curves), [0.05, 0.5, 0.95], axis=0)
        for k in _thinned(len(middle)):
            ends = {"low": low[k], "middle": middle[k], "high": high[k]}
            rows.append({"K": k + 1, "part": name, **{key: round(float(end), 4) for key, end in ends.items()}})
    x = alt.X("K:Q", title="boosting rounds K", scale=alt.Scale(nice=False), axis=alt.Axis(grid=False, tickCount=8))
    y = alt.Y("low:Q", title="error", scale=alt.Scale(domainMin=0), axis=percent_axis(tickCount=6))
    chart = alt.Chart(inline(rows)).encode(x=x, color=_part_colour(("training", "testing")))
    dash = alt.StrokeDash(
        "part:N", scale=alt.Scale(domain=["training", "testing"], range=[[6, 3], [1, 0]]), legend=None
    )
    layers = [
        chart.mark_area(opacity=0.16, stroke=None).encode(y=y, y2="high:Q"),
        chart.mark_line(strokeWidth=2).encode(y="middle:Q", strokeDash=dash),
        _printed([{"K": LEAST_AT, "low": float(LEAST_TEST_ERROR)}], x, alt.Y("low:Q")),
    ]
    return finished(alt.layer(*layers), title, list(subtitle), width=560, height=300)


def _thinned(number: int) -> list[int]:
    """All of the first rounds, where much happens, and every third of the others."""
    return [k for k in range(number) if k < 30 or k % 3 == 2 or k == number - 1]
