"""What every page has, whatever it reports: its policy, what it rests on, pictures, the switch, sources, origin.

A kind of page is a template that extends `frame.html` and fills its blocks, and a function that hands `framed` what
these blocks show. Scripts and the style are allowed by their hash alone; whatever came from outside is escaped text,
or data.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np

from holdfast.render.numbers import confidence
from holdfast.render.page.assumed import assumed
from holdfast.render.page.levels import levels
from holdfast.render.page.origin import methods, provenance
from holdfast.render.page.pictures import pictures, thinning

if TYPE_CHECKING:
    from holdfast.report import Report

LIMITS = {"both": "interval", "upper": "upper limit", "lower": "lower limit"}
PERCENTS = re.compile(r"([\d.,]+ %[;.,]?)")  # not to be broken between lines


def framed(
    template: str, report: Report, headline: tuple[str, str], *, data: Mapping[str, Any], **sections: object
) -> str:
    """The page that this template makes of the report.

    Parameters
    ----------
    headline
        What was seen, which may be nothing, and what follows from it.
    data
        What the page's script reads besides the pictures and the levels.
    sections
        What the template's own blocks show.
    """
    charts, specifications = pictures(report)
    switch = levels(report)
    script, style, bundle = asset("page.js"), asset("page.css"), asset("vega.js") if charts else ""
    read = {"charts": specifications, "levels": switch and switch["limits"], **data}
    return str(
        _environment()
        .get_template(template)
        .render(
            report=report,
            headline=headline,
            level=_declared(report),
            limits=LIMITS,
            percents=PERCENTS.split,
            assumed=assumed(report),
            charts=charts,
            thinning=thinning(report),
            levels=switch,
            methods=list(methods(report)),
            provenance=provenance(report),
            script=script,
            style=style,
            bundle=bundle,
            script_hashes=[_hash(text) for text in (bundle, script) if text],
            style_hash=_hash(style),
            data=_inert(read),
            **sections,
        )
    )


def _declared(report: Report) -> str:
    """The confidence that the report was made at."""
    together = report.details.get("simultaneous")
    if together:
        return confidence(float(together["delta"]))
    return confidence(float(np.min(report.claims[0].delta))) if report.claims else ""


def _inert(data: object) -> str:
    """JSON that ends no element and begins none."""
    return json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c").replace("&", "\\u0026")


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
