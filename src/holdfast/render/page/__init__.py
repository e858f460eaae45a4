"""A report as one page, or a picture: a file that opens anywhere, asks no network, and takes every label for data.

Scripts and the style are allowed by their hash alone; whatever came from outside is escaped text, or data.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from holdfast.errors import HoldfastError
from holdfast.files import write_whole
from holdfast.render.kinds import KINDS, outline_of, report_of
from holdfast.render.outline.parts import Outline, Points
from holdfast.render.page.layout import assumed, laid_out, methods, provenance
from holdfast.render.page.pictures import explorer, levels, pictures, thinning
from holdfast.render.phrases import level
from holdfast.report import Report
from holdfast.report.origin import Written

__all__ = ["check_ending", "page_html", "save_answer", "save_chart"]

ENDINGS = (".html", ".png", ".svg", ".pdf")
DRAW = """
const spec = JSON.parse(document.getElementById("spec").textContent);
const dark = matchMedia("(prefers-color-scheme: dark)");
const draw = () => {
  const config = dark.matches && spec.usermeta ? spec.usermeta.dark : spec.config;
  config.font = getComputedStyle(document.body).fontFamily;
  vegaEmbed("#chart", {...spec, config}, {ast: true, actions: false, renderer: "svg"});
};
dark.addEventListener("change", draw);
draw();
"""
PERCENTS = re.compile(r"([\d.,]+ %[;.,]?)")  # not to be broken between lines


def save_answer(answer: Written, path: str | Path) -> None:
    """Write a report, a decision or a threshold as a page or as JSON, as the file name's ending asks."""
    ending = Path(path).suffix.lower()
    if ending not in (".html", ".json"):
        raise HoldfastError(f"A report is written as .html or .json; {str(path)!r} ends in neither.")
    write_whole(path, (page_html(answer) if ending == ".html" else answer.to_json() + "\n").encode())


def page_html(answer: Written) -> str:
    """The answer as one self-contained page."""
    report = report_of(answer)
    return page_of(report, outline_of(report), KINDS[report.kind].lost if report.restored else "")


def page_of(report: Report, outline: Outline, lost: str = "") -> str:
    """The outline of the report on a page, and what is lost of it."""
    seen, follows = outline.headline
    charts, specifications = pictures(report)
    switch, moved = levels(report), explorer(report.views.get("thresholds")) if outline.explored else None
    places = {id(line.claim): place for place, line in enumerate(report.whole)}
    script, style, bundle = asset("page.js"), asset("page.css"), asset("vega.js") if charts else ""
    read = {"charts": specifications, "levels": switch and switch["limits"]}
    read |= {"explorer": moved} if outline.explored else {}
    beside = [
        {"css": "after", "words": [part.title], "points": part.sentences}
        if isinstance(part, Points)
        else {"css": part.css, "words": part.words, "points": ()}
        for part in outline.beside
    ]
    return str(
        _environment()
        .get_template("page.html")
        .render(
            report=report,
            headline=(seen, follows[:1].upper() + follows[1:] if seen else follows),
            more=outline.more if outline.more_on_page is None else outline.more_on_page,
            beside=beside,
            strip=outline.strip(),
            holding=outline.holding,
            promise=outline.promise,
            unscripted=outline.unscripted,
            sections=[laid_out(section, places) for section in outline.sections("page")],
            level=level(report, report.claims[0].delta) if report.claims or report.facts.simultaneous else "",
            percents=PERCENTS.split,
            assumed=assumed(report),
            charts=charts,
            thinning=thinning(report),
            lost=lost,
            levels=switch,
            explorer=moved,
            methods=list(methods(report)),
            provenance=provenance(report),
            script=script,
            style=style,
            bundle=bundle,
            script_hashes=[_hash(text) for text in (bundle, script) if text],
            style_hash=_hash(style),
            data=_inert(read),
        )
    )


def check_ending(path: str | Path) -> str:
    """The file name's ending, if a chart can be written so."""
    ending = Path(path).suffix.lower()
    if ending not in ENDINGS:
        raise HoldfastError(f"A chart is written as {', '.join(ENDINGS)}; {str(path)!r} ends in none of these.")
    return ending


def save_chart(chart: Any, path: str | Path) -> None:
    """Write the picture in the format that the file name's ending asks for."""
    ending = check_ending(path)
    specification = chart.to_dict()
    if ending == ".html":
        write_whole(path, _chart_page(specification).encode())
        return
    try:
        import vl_convert
    except ImportError:
        raise HoldfastError(
            f"Writing {ending} needs the images extra: pip install 'holdfast[images]'; .html needs nothing more."
        ) from None
    if ending == ".svg":
        write_whole(path, vl_convert.vegalite_to_svg(specification).encode())
    elif ending == ".pdf":
        write_whole(path, vl_convert.vegalite_to_pdf(specification))
    else:
        write_whole(path, vl_convert.vegalite_to_png(specification, scale=2))


def _chart_page(specification: dict[str, Any]) -> str:
    """A picture as a page of its own."""
    scripts = [asset("vega.js"), DRAW]
    page, hashes = _environment().get_template("chart.html"), [_hash(script) for script in scripts]
    return str(page.render(data=_inert(specification, None), bundle=scripts[0], draw=DRAW, hashes=hashes))


def _inert(data: object, separators: tuple[str, str] | None = (",", ":")) -> str:
    """JSON that ends no element and begins none."""
    return json.dumps(data, separators=separators, allow_nan=False).replace("<", "\\u003c").replace("&", "\\u0026")


@cache
def asset(name: str) -> str:
    return (resources.files("holdfast.render") / "assets" / name).read_text(encoding="utf-8")


@cache
def _environment() -> Any:
    from jinja2 import Environment, FunctionLoader, StrictUndefined

    return Environment(
        loader=FunctionLoader(asset), autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
