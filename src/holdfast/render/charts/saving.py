"""One way to save a picture: the ending of the file name says how."""

from __future__ import annotations

import base64
import hashlib
import json
from importlib import resources
from pathlib import Path
from typing import Any

from holdfast.errors import HoldfastError
from holdfast.files import write_whole

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
    elif ending == ".pdf":
        write_whole(path, vl_convert.vegalite_to_pdf(specification))
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
