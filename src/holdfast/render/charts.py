"""Pictures: plain functions from numbers to a chart, and one way to save them."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.errors import HoldfastError
from holdfast.render.files import write_whole

if TYPE_CHECKING:
    import altair as alt

ENDINGS = (".html", ".png", ".svg")
INK, PROMISE, PALE = "#1b4f72", "#b9770e", "#d5d8dc"
DRAW = """
const spec = JSON.parse(document.getElementById("spec").textContent);
vegaEmbed("#chart", spec, {ast: true, actions: false, renderer: "svg"});
"""


def coverage_chart(
    x: Sequence[float], coverage: Sequence[float], promise: float, *, x_title: str, title: str, subtitle: str
) -> alt.LayerChart:
    """Coverage as a line, the promise as a rule: where the line falls below the rule the promise is not kept."""
    import altair as alt

    rows = alt.InlineData([{"x": float(a), "coverage": float(b)} for a, b in zip(x, coverage, strict=True)])
    floor = max(0.0, min(*coverage, promise) - 0.02)
    scale = alt.Scale(domain=[floor, 1.0], nice=False)
    line = (
        alt.Chart(rows)
        .mark_line(color=INK, strokeWidth=1.4, interpolate="linear")
        .encode(
            x=alt.X("x:Q", title=x_title, scale=alt.Scale(nice=False, zero=False)),
            y=alt.Y("coverage:Q", title="coverage", scale=scale, axis=alt.Axis(format=".3~%", tickCount=6)),
            tooltip=[alt.Tooltip("x:Q", title=x_title), alt.Tooltip("coverage:Q", format=".3%")],
        )
    )
    rule = (
        alt.Chart(alt.InlineData([{"promise": promise}]))
        .mark_rule(color=PROMISE, strokeDash=[6, 4], strokeWidth=1.6)
        .encode(y=alt.Y("promise:Q", scale=scale))
    )
    return (
        alt.layer(line, rule)
        .properties(width=640, height=300, title=alt.Title(title, subtitle=subtitle, anchor="start"))
        .configure_view(stroke=None)
        .configure_axis(gridColor=PALE, domainColor=PALE, tickColor=PALE, labelColor="#34495e", titleColor="#34495e")
        .configure_axisX(grid=False)
        .configure_title(fontSize=15, subtitleColor="#566573", color="#17202a", offset=12)
    )


def check_ending(path: str | Path) -> str:
    """The file name's ending, if a chart can be written so."""
    ending = Path(path).suffix.lower()
    if ending not in ENDINGS:
        raise HoldfastError(f"A chart is written as {', '.join(ENDINGS)}; {str(path)!r} ends in none of these.")
    return ending


def save_chart(chart: alt.LayerChart, path: str | Path) -> None:
    """Write the picture in the format that the file name's ending asks for."""
    ending = check_ending(path)
    specification = chart.to_dict()
    if ending == ".html":
        write_whole(path, _page(specification).encode())
        return
    try:
        import vl_convert
    except ImportError:
        raise HoldfastError(
            f"Writing {ending} needs the images extra: pip install 'holdfast[images]'; .html needs nothing more."
        ) from None
    if ending == ".svg":
        write_whole(path, vl_convert.vegalite_to_svg(specification).encode())
    else:
        write_whole(path, vl_convert.vegalite_to_png(specification, scale=2))


def _page(specification: dict[str, object]) -> str:
    """One self-contained page: scripts are allowed by their hash alone, data are data."""
    from jinja2 import Environment

    assets = resources.files("holdfast.render") / "assets"
    bundle = (assets / "vega.js").read_text(encoding="utf-8")
    page = Environment(autoescape=True).from_string((assets / "chart.html").read_text(encoding="utf-8"))
    data = json.dumps(specification).replace("<", "\\u003c").replace("&", "\\u0026")
    return page.render(data=data, bundle=bundle, draw=DRAW, hashes=[_hash(bundle), _hash(DRAW)])


def _hash(script: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
