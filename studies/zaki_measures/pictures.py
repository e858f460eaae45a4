"""The figures of sections 22.1 and 22.2, drawn anew in the house's look; they compute nothing but where to draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import altair as alt
import numpy as np
from scipy.special import gammaln

from holdfast.evidence import Scores
from holdfast.render.charts.look import SQUARE, finished, inline, percent_axis
from holdfast.selection.bands import roc
from studies.zaki_measures.bayes import posteriors

if TYPE_CHECKING:
    from studies.zaki_measures.redrawn import Iris

SHAPES = ["circle", "square", "triangle-up"]


class Panel(NamedTuple):
    """A histogram: its title, the values, what is printed, and the width of a bar."""

    title: str
    values: Any
    printed: tuple[float, ...]
    width: float
    whole: bool = False  # values are whole numbers: bars stand around them


def curve(scores: Scores, point: tuple[float, float]) -> Any:
    found = roc(scores)
    rows = [{"x": float(x), "y": float(y), "place": i} for i, (x, y) in enumerate(zip(found.x, found.y, strict=True))]
    x, y = _rates()
    line = alt.Chart(inline(rows)).encode(x=x, y=y, order="place:Q")
    band = [*_banded(found)]
    marked = alt.Chart(inline([{"x": point[0], "y": point[1], "said": "above 0.71"}])).encode(x=x, y=y)
    layers = [
        alt.Chart(inline(band)).mark_area(style="band", interpolate="step-after").encode(x=x, y="low:Q", y2="high:Q"),
        _diagonal(x, y),
        line.mark_line(style="curve"),
        line.mark_point(style="curve", filled=True, size=26, opacity=1),
        marked.mark_point(style="operating-dot", filled=True, size=110),
        marked.mark_text(style="halo", align="left", dx=10, dy=2).encode(text="said:N"),
        marked.mark_text(style="value", align="left", dx=10, dy=2).encode(text="said:N"),
    ]
    subtitle = ["Shaded: where the true curve lies with 95 % confidence, at every threshold.", "Dashed: guessing."]
    title = f"30 points tell little of a ROC curve with area {float(scores.mean):.4f}"
    return finished(alt.layer(*layers), title, subtitle, width=SQUARE, height=SQUARE)


def _banded(found: Any) -> list[dict[str, float]]:
    """The union of all rectangles, in cells of the x axis."""
    edges = np.linspace(0, 1, 101)
    touches = (found.x_lower[:, None] <= edges[1:]) & (found.x_upper[:, None] >= edges[:-1])
    low = np.where(touches, found.y_lower[:, None], np.inf).min(axis=0)
    high = np.where(touches, found.y_upper[:, None], -np.inf).max(axis=0)
    rows = [{"x": float(x), "low": float(a), "high": float(b)} for x, a, b in zip(edges, low, high, strict=False)]
    return [*rows, {**rows[-1], "x": 1.0}]


def area(scores: Scores, points: Sequence[tuple[float, float]]) -> Any:
    rows = [{"x": a, "y": b, "place": i} for i, (a, b) in enumerate(points)]
    x, y = _rates()
    chart = alt.Chart(inline(rows)).encode(x=x, y=y, order="place:Q")
    said = [{"x": 0.27, "y": 0.47, "said": "trapezoid 0.333"}, {"x": 0.75, "y": 0.5, "said": "rectangle 0.5"}]
    layers = [
        chart.mark_area(style="band", line=False).encode(order=alt.Order()),
        _diagonal(x, y),
        chart.mark_line(style="curve"),
        chart.mark_point(style="curve", filled=True, size=60, opacity=1),
        alt.Chart(inline(said)).mark_text(style="value", fontSize=13).encode(x=x, y=y, text="said:N"),
    ]
    title = f"Equal scores of both classes make a slope: area {float(scores.mean):.3f}"
    return finished(
        alt.layer(*layers), title, "Scores 0.9, 0.8 three times, 0.1. Dashed: guessing.", width=320, height=320
    )


def coverages(found: Mapping[tuple[str, int], Sequence[float]], sizes: Sequence[int]) -> Any:
    """Coverage against K, by law and divisor."""
    names = {
        ("t", 1): "t, divisor K - 1",
        ("t", 0): "t, divisor K",
        ("z", 1): "z, divisor K - 1",
        ("z", 0): "z, divisor K",
    }
    rows = [
        {"k": k, "coverage": value, "which": names[key]}
        for key, values in found.items()
        for k, value in zip(sizes, values, strict=True)
    ]
    colour = alt.Color(
        "which:N",
        scale=alt.Scale(domain=[*names.values()], range="ordinal"),
        legend=alt.Legend(symbolType="stroke", symbolStrokeWidth=3),
    )
    scale = alt.Scale(domain=[0.6, 1], nice=False)
    y = alt.Y("coverage:Q", title="coverage", scale=scale, axis=percent_axis(tickCount=5))
    x = alt.X(
        "k:Q",
        title="results, K (spaced by their logarithm)",
        scale=alt.Scale(type="log", domain=[2, 50], nice=False),
        axis=alt.Axis(values=[2, 3, 5, 10, 20, 50], grid=False),
    )
    chart = alt.Chart(inline(rows)).encode(x=x, y=y, color=colour)
    layers = [
        alt.Chart(inline([{"promise": 0.95}])).mark_rule(style="promise").encode(y=alt.Y("promise:Q", scale=scale)),
        chart.mark_line(strokeWidth=2),
        chart.mark_point(filled=True, size=36, opacity=1),
    ]
    title = "Only Student's quantile with divisor K - 1 covers what it says"
    return finished(
        alt.layer(*layers), title, "Independent normal results, exactly. Dashed: the promise, 95 %.", height=280
    )


def densities(freedoms: Sequence[int]) -> Any:
    """Student's densities and the normal one."""
    grid = np.linspace(-5, 5, 101)
    rows = [
        {"x": float(a), "density": float(b), "law": f"t, {freedom} degree{'s' * (freedom > 1)} of freedom"}
        for freedom in freedoms
        for a, b in zip(grid, _student(grid, freedom), strict=True)
    ]
    normal = np.exp(-(grid**2) / 2) / np.sqrt(2 * np.pi)
    rows += [{"x": float(a), "density": float(b), "law": "normal"} for a, b in zip(grid, normal, strict=True)]
    names = list(dict.fromkeys(str(row["law"]) for row in rows))
    colour = alt.Color(
        "law:N",
        scale=alt.Scale(domain=names, range="ordinal"),
        legend=alt.Legend(symbolType="stroke", symbolStrokeWidth=3),
    )
    chart = alt.Chart(inline(rows)).encode(
        x=alt.X("x:Q", title="value", axis=alt.Axis(grid=False)),
        y=alt.Y("density:Q", title="density", axis=alt.Axis(tickCount=4)),
        color=colour,
        strokeWidth=alt.condition("datum.law == 'normal'", alt.value(3.2), alt.value(1.8)),
    )
    title = "Few results, fat tails: Student's densities and the normal one"
    return finished(alt.layer(chart.mark_line()), title, "Thick: the normal density.", height=260)


def _student(x: Any, freedom: int) -> Any:
    height = gammaln((freedom + 1) / 2) - gammaln(freedom / 2) - np.log(freedom * np.pi) / 2
    return np.exp(height - (freedom + 1) / 2 * np.log1p(x**2 / freedom))


def classified(iris: Iris, train: Any, test: Any) -> Any:
    """Figure 22.1: the points, the classes' densities, and which test points full Bayes gets wrong."""
    trained = np.isin(np.arange(len(iris.species)), train)[np.newaxis].astype(float)
    wrong = posteriors(iris.sepals, iris.codes, trained, naive=False)[0].argmax(axis=-1)[test] != iris.codes[test]
    clouds = {name: iris.sepals[train][iris.species[train] == name] for name in np.unique(iris.species)}
    ellipses = {name: (each.mean(axis=0), np.cov(each.T)) for name, each in clouds.items()}
    title = f"Full Bayes errs on {wrong.sum()} of 30 test points, none of them setosa"
    if "setosa" in iris.species[test][wrong]:
        title = f"Full Bayes errs on {wrong.sum()} of 30 test points"
    return _scatter(
        iris.sepals, iris.species, train, test, wrong, ellipses, title, ("sepal length, cm", "sepal width, cm")
    )


def separated(iris: Iris, train: Any, test: Any) -> Any:
    """Figure 22.2: versicolor against the others on two components, with naive Bayes' densities."""
    trained = np.isin(np.arange(len(iris.species)), train)[np.newaxis].astype(float)
    codes = (iris.versicolor == "versicolor").astype(int)
    wrong = posteriors(iris.components, codes, trained, naive=True)[0].argmax(axis=-1)[test] != codes[test]
    clouds = {name: iris.components[train][iris.versicolor[train] == name] for name in ("versicolor", "other")}
    ellipses = {name: (each.mean(axis=0), np.diag(each.var(axis=0))) for name, each in clouds.items()}
    title = f"Naive Bayes errs on {wrong.sum()} of 30 test points"
    axes = ("first principal component", "second principal component")
    return _scatter(iris.components, iris.versicolor, train, test, wrong, ellipses, title, axes)


def _scatter(
    points: Any,
    kinds: Any,
    train: Any,
    test: Any,
    wrong: Any,
    ellipses: Mapping[str, tuple[Any, Any]],
    title: str,
    axes: tuple[str, str],
) -> Any:
    names = [*ellipses]
    scale = alt.Scale(domain=names, range="ordinal")
    colour = alt.Color("kind:N", scale=scale, legend=alt.Legend(symbolSize=80))
    shape = alt.Shape("kind:N", scale=alt.Scale(domain=names, range=SHAPES[: len(names)]), legend=alt.Legend())
    options: dict[str, Any] = {"scale": alt.Scale(zero=False, nice=True), "axis": alt.Axis(grid=False, tickCount=6)}
    x, y = alt.X("x:Q", title=axes[0], **options), alt.Y("y:Q", title=axes[1], **options)

    def at(places: Any) -> alt.Chart:
        rows = [
            {"x": round(float(a), 3), "y": round(float(b), 3), "kind": str(k)}
            for (a, b), k in zip(points[places], kinds[places], strict=True)
        ]
        return alt.Chart(inline(rows)).encode(x=x, y=y)

    round_ = np.linspace(0, 2 * np.pi, 49)
    outline = [
        {"x": float(a), "y": float(b), "kind": name, "ring": ring, "place": place}
        for name, (mean, spread) in ellipses.items()
        for ring in (1, 2)
        for place, (a, b) in enumerate(
            mean + ring * np.stack([np.cos(round_), np.sin(round_)], 1) @ np.linalg.cholesky(spread).T
        )
    ]
    layers = [
        alt.Chart(inline(outline))
        .mark_line(strokeWidth=1.2, opacity=0.75)
        .encode(x=x, y=y, color=colour, detail="ring:N", order="place:Q"),
        at(train).mark_point(filled=True, size=30, opacity=0.28).encode(color=colour, shape=shape),
        at(test).mark_point(filled=True, size=62, opacity=1).encode(color=colour, shape=shape),
        at(test[wrong]).mark_point(style="whole", filled=False, size=230, shape="circle", opacity=1),
    ]
    subtitle = [
        "Strong: test points; pale: training points; ringed: misclassified.",
        "Ellipses: one and two standard deviations of each class.",
    ]
    return finished(alt.layer(*layers), title, subtitle, width=520, height=360)


def sampling(values: Any, crossed: float) -> Any:
    """Figure 22.5: error rates of one run of bootstrap samples, and three means."""
    width = 1 / 150
    marks: list[dict[str, Any]] = [
        {"at": 0.213, "said": "printed mean 0.213", "high": 1.22},
        {"at": crossed, "said": f"cross-validation {crossed:.3f}", "high": 1.1},
    ]
    chart = _bars(values, width, whole=True, share=False)
    x = alt.X(
        "low:Q", title="error rate", scale=alt.Scale(zero=False, nice=False), axis=percent_axis(grid=False, tickCount=6)
    )
    top = max(row["count"] for row in _counted(values, width, True, False))
    y = alt.Y(
        "count:Q", title="samples", scale=alt.Scale(domain=[0, 1.3 * top], nice=False), axis=alt.Axis(tickCount=5)
    )
    rules = alt.Chart(inline([mark | {"top": top * mark["high"]} for mark in marks])).encode(x=alt.X("at:Q"))
    layers = [
        chart.mark_rect(style="right", fillOpacity=0.55).encode(x=x, x2="high:Q", y=y, y2=alt.datum(0)),
        rules.mark_rule(style="operating"),
        rules.mark_text(style="halo", align="left", dx=6).encode(y="top:Q", text="said:N"),
        rules.mark_text(style="value", align="left", dx=6).encode(y="top:Q", text="said:N"),
    ]
    title = f"Fifty bootstrap samples, tested on all points: mean {values.mean():.3f}"
    return finished(
        alt.layer(*layers), title, "One run, drawn anew. Tested partly on what it was trained on.", height=260
    )


def histograms(panels: Sequence[Panel], title: str, subtitle: str, columns: int = 2) -> Any:
    """Shares of the values, and what is printed as a line."""
    drawn = [_panel(panel) for panel in panels]
    return finished(alt.concat(*drawn, columns=columns), title, subtitle)


def _panel(panel: Panel) -> Any:
    x = alt.X(
        "low:Q", title=panel.title, scale=alt.Scale(zero=False, nice=True), axis=alt.Axis(grid=False, tickCount=5)
    )
    y = alt.Y("count:Q", title="share of the values", axis=percent_axis(tickCount=3))
    bars = _bars(panel.values, panel.width, panel.whole, share=True)
    rules = alt.Chart(inline([{"at": each} for each in panel.printed])).mark_rule(style="operating")
    layers = [
        bars.mark_rect(style="right", fillOpacity=0.55, strokeWidth=0.4).encode(x=x, x2="high:Q", y=y, y2=alt.datum(0)),
        rules.encode(x=alt.X("at:Q")),
    ]
    return alt.layer(*layers).properties(width=300, height=140)


def _bars(values: Any, width: float, whole: bool, share: bool) -> alt.Chart:
    return alt.Chart(inline(_counted(values, width, whole, share)))


def _counted(values: Any, width: float, whole: bool, share: bool) -> list[dict[str, float]]:
    """How many values, or which share, are in each bar; around multiples of the width where they are whole ones."""
    inside = np.asarray(values) / width - (0 if whole else 0.5 + 1e-6)  # the largest value belongs to the last bar
    places, times = np.unique(np.round(inside), return_counts=True)
    counts = times / times.sum() if share else times
    start = (places - 0.5 if whole else places) * width
    return [{"low": float(a), "high": float(a + width), "count": float(n)} for a, n in zip(start, counts, strict=True)]


def _rates() -> tuple[alt.X, alt.Y]:
    options: dict[str, Any] = {"scale": alt.Scale(domain=[0, 1], nice=False), "axis": percent_axis(tickCount=5)}
    return alt.X("x:Q", title="false positive rate", **options), alt.Y("y:Q", title="true positive rate", **options)


def _diagonal(x: alt.X, y: alt.Y) -> alt.Chart:
    return alt.Chart(inline([{"x": 0, "y": 0}, {"x": 1, "y": 1}])).mark_line(style="guide").encode(x=x, y=y)
