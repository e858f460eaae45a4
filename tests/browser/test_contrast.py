"""Text stands out from its ground as WCAG AA asks, on a light and on a dark screen."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal

import pytest

from tests.browser.conftest import Opened

pytestmark = pytest.mark.long

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CONTRAST = (Path(__file__).parent / "contrast.js").read_text(encoding="utf-8")
SAMPLE = """
<p style="color: #777">grey</p> <p style="color: #767676">enough</p>
<p style="color: #949494; font-size: 24px">large</p>
<div style="background: #000"><p style="color: #222">night</p></div> <p style="opacity: 0.3">veiled</p>
<svg width="90" height="40"><rect width="90" height="40" fill="#1b4f72"/><text x="5" y="20">drawn</text></svg>
<svg width="90" height="40" style="filter: invert(1)"><text x="5" y="20" fill="#eee">turned</text></svg>
<div style="filter: invert(1)"><p style="color: #fff; background: #000">whole</p></div>
<p hidden style="color: #fff">hidden</p>
"""


def test_the_tool_finds_what_is_too_faint(browser: Browser) -> None:
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.set_content(SAMPLE)
    found = page.evaluate(CONTRAST)
    context.close()
    assert found["seen"] == 8
    assert [line.split(": ")[1].split(" (")[0] for line in found["faint"]] == ["grey", "night", "veiled", "drawn"]
    assert found["faint"][0].startswith("4.48")  # black on white is 21, and this grey just misses 4.5


@pytest.mark.parametrize("name", ["example", "ten"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_can_be_read(opened: Opened, name: str, scheme: Literal["light", "dark"]) -> None:
    page = opened(name, **({"color_scheme": "dark"} if scheme == "dark" else {}))
    page.evaluate("for (const part of document.querySelectorAll('details')) part.open = true")
    height = page.evaluate("document.scrollingElement.scrollHeight")
    page.set_viewport_size({"width": 1200, "height": height})
    found = page.evaluate(CONTRAST)
    assert found["seen"] > 100
    assert found["faint"] == []

    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    brightness = sum(int(part) for part in ground.strip("rgba()").split(",")[:3])
    assert brightness < 150 if scheme == "dark" else brightness > 600
