"""How every picture looks: colours by name, one configuration for light paper and one for dark."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import altair as alt

from holdfast.claims import Claim, Guarantee
from holdfast.render.phrases import UNKNOWN, digits_for, percent, point
from holdfast.wording import printable, shortened

WIDTH, HEIGHT = 560, 340
SQUARE = 400  # a curve between two rates
# Fonts as wide as each other, of which the converter of pictures knows the first: no label is then cut off elsewhere.
FONT = "Liberation Sans, Arial, Helvetica, sans-serif"
LONGEST_ROW = 34  # characters of a label beside a row
LONGEST_LEARNER = 30  # of what was trained, in a title
LONGEST_TOLD = 400  # of one under the pointer
INKS = {  # on light paper, and on dark
    "paper": ("#ffffff", "#14181c"),
    "text": ("#17202a", "#eef1f3"),
    "soft": ("#4d5a66", "#aab4bd"),
    "line": ("#c9d0d6", "#4a545d"),
    "grid": ("#e6e9ec", "#2a3138"),
    "finite": ("#1b4f72", "#7fb8de"),
    "asymptotic": ("#b9770e", "#eeb04e"),
    "heuristic": ("#96504c", "#dd9f9a"),
    "positive": ("#00796b", "#4db6a5"),
    "other": ("#8e5ea2", "#c39bd3"),
    "right": ("#2e7cb0", "#2f78aa"),
    "wrong": ("#d98a1b", "#a9660a"),
}
LIGHT, DARK = ({name: pair[side] for name, pair in INKS.items()} for side in (0, 1))
CLASSES = ("#0072b2", "#d55e00", "#009e73", "#a8558a", "#8a7000", "#3d8fbf")  # told apart by the colour-blind too
CLASSES_ON_DARK = ("#56b4e9", "#ff8c42", "#2fc49a", "#dd8fc0", "#d9c840", "#9fd3f5")
SHAPES = ("circle", "diamond", "square")  # of the guarantees, for those who do not see the colours
DASHES = [5, 4]
TITLES = {  # of fields under the pointer, where they are not called what they are
    "estimated": "estimate",
    "n": "examples",
    "per": "average over each",
    "guarantee": "this",
    "best": "may be the best",
}


def configuration(dark: bool = False) -> dict[str, Any]:
    """All colours and fonts; marks name a style and no colour, so that exchanging this is enough for dark paper."""
    ink, classes = (DARK, CLASSES_ON_DARK) if dark else (LIGHT, CLASSES)
    words = {"labelColor": ink["soft"], "titleColor": ink["soft"], "labelFontSize": 11, "titleFontSize": 12}
    return {
        "background": ink["paper"],
        "font": FONT,
        "padding": 8,
        "view": {"stroke": None, "continuousWidth": WIDTH, "continuousHeight": HEIGHT},
        "axis": {
            **words,
            "gridColor": ink["grid"],
            "domainColor": ink["line"],
            "tickColor": ink["line"],
            "titleFontWeight": "normal",
            "titlePadding": 10,
            "labelPadding": 5,
            "labelFlush": False,
        },
        "legend": {
            **words,
            "title": None,
            "orient": "top",
            "offset": 6,
            "labelLimit": 320,
            "columnPadding": 18,
            "symbolStrokeWidth": 0,
            "symbolOpacity": 1,
        },
        "title": {
            "anchor": "start",
            "frame": "group",
            "fontSize": 15,
            "fontWeight": 600,
            "color": ink["text"],
            "subtitleColor": ink["soft"],
            "subtitleFontSize": 12,
            "subtitlePadding": 5,
            "subtitleLineHeight": 16,
            "lineHeight": 19,
            "offset": 14,
        },
        "range": {
            "category": [ink["finite"], ink["asymptotic"], ink["heuristic"]],
            "ordinal": list(classes),
        },
        "style": {
            "curve": {"color": ink["finite"], "strokeWidth": 2, "strokeJoin": "round"},
            "band": {"color": ink["finite"], "fillOpacity": 0.28 if dark else 0.16, "stroke": None},
            "guide": {"color": ink["soft"], "strokeDash": DASHES, "strokeWidth": 1.2},
            "promise": {"color": ink["asymptotic"], "strokeDash": [6, 4], "strokeWidth": 1.6},
            "whole": {"color": ink["text"], "strokeWidth": 1.4},
            "whole-band": {"color": ink["soft"], "fillOpacity": 0.16, "stroke": None},
            "operating": {"color": ink["asymptotic"], "strokeWidth": 2},
            "operating-dot": {"color": ink["asymptotic"], "fillOpacity": 1, "stroke": ink["paper"], "strokeWidth": 1.5},
            "asked": {"color": ink["soft"]},
            "value": {"color": ink["text"], "fontSize": 11},
            "halo": {  # under the same words once more: paper of their own
                "color": ink["text"],
                "fontSize": 11,
                "stroke": ink["paper"],
                "strokeWidth": 5,
                "strokeJoin": "round",
            },
            "right": {"color": ink["right"], "stroke": ink["line"], "strokeWidth": 1},
            "wrong": {"color": ink["wrong"], "stroke": ink["line"], "strokeWidth": 1},
            "open": {"color": ink["soft"], "stroke": ink["line"], "strokeWidth": 1},
            "positive": {"color": ink["positive"]},
            "other": {"color": ink["other"]},
        },
    }


def finished(chart: Any, title: str, subtitle: str | Sequence[str] = "", **size: Any) -> alt.LayerChart:
    """The picture with its sentence on top, in the house's look; the dark one travels with it, under `usermeta`."""
    sentences = alt.Title(title, subtitle=[subtitle] if isinstance(subtitle, str) else list(subtitle))
    named = chart.properties(title=sentences, usermeta={"dark": configuration(dark=True)}, **size)
    return named.configure(**configuration())


def inline(rows: Iterable[Mapping[str, Any]]) -> alt.InlineData:
    """Rows as part of the picture, however many there are."""
    return alt.InlineData([dict(row) for row in rows])


def marks(rows: Iterable[Mapping[str, Any]], tooltip: Mapping[str, str] | None = None) -> alt.Chart:
    """What is drawn of the rows; under the pointer those of their fields that have a title."""
    chart = alt.Chart(inline(rows))
    return chart if tooltip is None else chart.encode(tooltip=hover(tooltip))


def titled(*fields: str, **own: str) -> dict[str, str]:
    """The fields with their titles: what they are mostly called, or their own."""
    return {field: own.get(field) or TITLES.get(field, field) for field in fields}


def hover(titles: Mapping[str, str]) -> list[alt.Tooltip]:
    """What stands under the pointer: fields that are text by now, and their titles."""
    return [alt.Tooltip(f"{field}:N", title=title) for field, title in titles.items()]


def diagonal(y: Any = "y:Q") -> alt.Chart:
    """Where both axes say the same."""
    return marks([{"x": 0, "y": 0}, {"x": 1, "y": 1}]).mark_line(style="guide").encode(x="x:Q", y=y)


def rate_axis(
    channel: type[Any], field: str, title: str, domain: Sequence[float] = (0, 1), *, ticks: int = 6, **scale: Any
) -> Any:
    """An axis of a rate, from nothing to all or over the domain."""
    reach = alt.Scale(domain=list(domain), nice=False, **scale)
    return channel(field, title=title, scale=reach, axis=percent_axis(tickCount=ticks))


def line_key(**more: Any) -> alt.Legend:
    """A legend whose symbols are strokes."""
    return alt.Legend(symbolType="stroke", symbolStrokeWidth=3, **more)


def stepped(chart: alt.Chart, field: str, names: Sequence[str], steps: Any, dashes: list[int], **key: Any) -> alt.Chart:
    """Two lines of steps, told apart by colour and by the dashes of the second."""
    line = chart.mark_line(strokeWidth=2, interpolate=steps, point={"opacity": 0, "size": 40})
    legend, names = line_key(**key), list(names)
    return line.encode(
        color=alt.Color(field, scale=alt.Scale(domain=names, range="ordinal"), legend=legend),
        strokeDash=alt.StrokeDash(field, scale=alt.Scale(domain=names, range=[[1, 0], dashes]), legend=legend),
    )


def cell_axes(names: list[str], angle: int, titles: Sequence[str | None] = (None, None), **axis: Any) -> dict[str, Any]:
    """Columns and rows of a matrix that bear the same names, those of the columns on top and turned by the angle."""
    scale, how = alt.Scale(domain=names), {"domain": False, "ticks": False, "grid": False, "labelLimit": 0, **axis}
    on_top = alt.Axis(orient="top", labelAngle=angle, **how)
    return {
        "x": alt.X("column:N", sort=None, title=titles[0], scale=scale, axis=on_top),
        "y": alt.Y("row:N", sort=None, title=titles[1], scale=scale, axis=alt.Axis(**how)),
    }


def guaranteed(rows: Iterable[Mapping[str, Any]]) -> tuple[alt.Color, alt.Shape]:
    """Colour and shape of a row's guarantee, and a legend of those that occur."""
    held = {row["guarantee"] for row in rows}
    every = [guarantee.sentence for guarantee in Guarantee]
    legend = alt.Legend(values=[sentence for sentence in every if sentence in held], title=None)
    return (
        alt.Color("guarantee:N", scale=alt.Scale(domain=every, range="category"), legend=legend),
        alt.Shape("guarantee:N", scale=alt.Scale(domain=every, range=list(SHAPES)), legend=legend),
    )


def percent_axis(**options: Any) -> alt.Axis:
    """Tick labels such as 20 %."""
    return alt.Axis(labelExpr="format(datum.value * 100, '.3~f') + ' %'", **options)


def share(estimate: float | None, lower: float | None, upper: float | None) -> tuple[str, str]:
    """An estimate and its limits in percent, the limits rounded outward; a dash for those there are not."""
    if lower is None or upper is None:
        return percent(estimate, 3, "nearest"), UNKNOWN
    digits = digits_for(upper - lower)
    return percent(estimate, digits, "nearest"), f"{percent(lower, digits, 'down')} to {percent(upper, digits, 'up')}"


def in_percent(claim: Claim) -> dict[str, str]:
    """The same of a claim."""
    estimate, limits = share(point(claim), float(claim.lower), float(claim.upper))
    return {"estimated": estimate, "limits": limits}


def coordinates(claim: Claim) -> dict[str, float | None]:
    """Where a claim is drawn."""
    return {"estimate": point(claim), "lower": float(claim.lower), "upper": float(claim.upper)}


def told(label: str) -> str:
    """A label under the pointer: whole, unless it would cover the page."""
    return printable(label, LONGEST_TOLD)


def learner(name: str) -> str:
    """What was trained, as a title names it."""
    return shortened(name, LONGEST_LEARNER)


def beside(labels: Iterable[str], longest: int = LONGEST_ROW) -> list[str]:
    """Labels as rows and columns bear them: short, and no two alike."""
    names: list[str] = []
    taken: dict[str, int] = {}
    for label in labels:
        name = shortened(label, longest)
        taken[name] = taken.get(name, 0) + 1
        while taken[name] > 1 and f"{name} ({taken[name]})" in taken:
            taken[name] += 1
        if taken[name] > 1:
            name = f"{name} ({taken[name]})"
            taken[name] = 1
        names.append(name)
    return names
