"""Curves in small multiples, a bound in the same colour and dashes everywhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import altair as alt
import numpy as np

from holdfast.evidence import Array
from holdfast.render.charts.look import LIGHT, finished, inline, percent_axis
from studies.anguita.figures import Figure

SOLID: list[int] = [1, 0]
LOOKS: dict[str, tuple[str, list[int]]] = {
    "NOR": ("#009e73", [2, 2]),
    "WIL": ("#d55e00", [6, 3]),
    "CP": ("#0072b2", SOLID),
    "T_HOE": ("#a8558a", SOLID),
    "HOE": ("#d55e00", [6, 3]),
    "BER": ("#0072b2", [2, 2]),
    "GUT": ("#009e73", SOLID),
    "CRF": ("#3d8fbf", [8, 2, 2, 2]),
    "CHE": ("#8a7000", [6, 3]),
    "MAU": ("#4d5a66", [2, 2]),
}
ACROSS = {"n": "examples n", "Lhat": "empirical error", "L": "true error rate L"}
SIZE = {"width": 250, "height": 180}


class Extra(NamedTuple):
    """A layer that one panel has besides its curves."""

    panel: int
    layer: alt.Chart


def panels(
    figures: Sequence[Figure],
    names: Mapping[str, str],  # the curve of a figure: the bound
    title: str,
    subtitle: str | Sequence[str],
    up: str,
    *,
    domain: Sequence[tuple[float, float]],
    promise: float | None = None,
    jagged: bool = False,  # dashes would hide in the teeth
    extras: Iterable[Extra] = (),
) -> Any:
    """Figures beside each other, two in a row, with one legend."""
    more = list(extras)
    made = []
    for place, (figure, ends) in enumerate(zip(figures, domain, strict=True)):
        layers: list[Any] = [lines(figure, names, up, ends, jagged)]
        if promise is not None:
            layers.append(rule(promise))
        layers += [extra.layer for extra in more if extra.panel == place]
        heading = alt.Title(f"{figure.place}: {figure.caption.split('(')[-1].rstrip(')')}", fontSize=12, offset=6)
        made.append(alt.layer(*layers).properties(title=heading, **SIZE))
    return finished(alt.concat(*made, columns=2, spacing={"row": 26, "column": 30}), title, subtitle)


def lines(figure: Figure, names: Mapping[str, str], up: str, ends: tuple[float, float], jagged: bool) -> alt.Chart:
    """Every curve of a figure."""
    rows = [
        f"{x:g},{y:.4f},{bound}"
        for curve, bound in names.items()
        for x, y in zip(*thinned(figure.x, figure.curves[curve], ends), strict=True)
    ]
    # As text: a chart is copied and checked again with each step that makes it, and that of every row.
    data = alt.InlineData("\n".join(["x,y,bound", *rows]), format=alt.CsvDataFormat(type="csv"))
    axis = alt.Axis(grid=False, tickCount=5) if figure.across == "n" else percent_axis(grid=False, tickCount=6)
    scale = alt.Scale(domain=[float(figure.x.min()), float(figure.x.max())], nice=False)
    chart = (
        alt.Chart(data)
        .mark_line(strokeWidth=1.0 if jagged else 1.7, clip=True)
        .encode(
            x=alt.X("x:Q", title=ACROSS[figure.across], scale=scale, axis=axis),
            y=alt.Y("y:Q", title=up, scale=alt.Scale(domain=list(ends), nice=False), axis=percent_axis(tickCount=5)),
            color=coloured(list(names.values())),
        )
    )
    return chart if jagged else chart.encode(strokeDash=dashed(list(names.values())))


def coloured(bounds: Sequence[str]) -> alt.Color:
    key = alt.Legend(symbolType="stroke", symbolStrokeWidth=2.4, symbolSize=300, title=None, columns=len(bounds))
    return alt.Color(
        "bound:N", scale=alt.Scale(domain=list(bounds), range=[LOOKS[name][0] for name in bounds]), legend=key
    )


def dashed(bounds: Sequence[str]) -> alt.StrokeDash:
    return alt.StrokeDash("bound:N", scale=alt.Scale(domain=list(bounds), range=[LOOKS[name][1] for name in bounds]))


def rule(promise: float) -> alt.Chart:
    return alt.Chart(inline([{"y": promise}])).mark_rule(color=LIGHT["text"], strokeWidth=1).encode(y="y:Q")


def thinned(x: Array, y: Array, ends: tuple[float, float]) -> tuple[Array, Array]:
    """Without the points that nobody could see: those on a straight line, and those far outside the frame."""
    kept = np.clip(y, ends[0] - (ends[1] - ends[0]), ends[1] + (ends[1] - ends[0]))
    bent = np.ones(x.size, bool)
    bent[1:-1] = np.abs(np.diff(kept, 2)) > 2e-5 * (ends[1] - ends[0])
    bent[::8] = True
    return x[bent], kept[bent]
