"""The page of a comparison in a real browser: what it says, where it fits, and that names of models stay data."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Literal

import pytest

from holdfast.render.charts.cells import beats
from holdfast.render.kinds import headline_of
from tests.browser.conftest import Opened
from tests.browser.reports import HOSTILE, LONG, report_of
from tests.browser.test_contrast import CONTRAST
from tests.browser.test_page import CUT, FITTING, PAPER, PHONE, STICKING_OUT, wide
from tests.render.contests import best_first

pytestmark = pytest.mark.long

if TYPE_CHECKING:
    from playwright.sync_api import Page

KINDS = ["rivals-2", "rivals-12", "rivals-hostile", "over-folds", "over-datasets", "duel", "duel-hostile"]
KINDS += [pytest.param(name, marks=pytest.mark.long) for name in ("rivals-50", "rivals-javascript")]  # type: ignore[list-item]
OUTSIDE = """() => [...document.querySelectorAll(".chart svg text")]
  .filter(text => { const box = text.getBoundingClientRect(), sheet = text.closest("svg").getBoundingClientRect();
    return box.width && (box.left < sheet.left - 1 || box.right > sheet.right + 1); })
  .map(text => text.textContent)"""


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_of_comparison_opens_and_fits(opened: Opened, name: str) -> None:
    page = opened(name)
    expected = " ".join(str(headline_of(report_of(name))).split())
    assert expected in " ".join(page.inner_text("main")[:1500].split())
    assert page.locator(".chart svg").count() == page.locator(".chart").count() == len(report_of(name).charts)
    assert wide(page) <= 0
    page.wait_for_function(FITTING)
    assert page.evaluate(OUTSIDE) == []
    page.set_viewport_size(PHONE)
    assert wide(page) <= 0
    page.set_viewport_size(PAPER)
    page.emulate_media(media="print")
    assert page.evaluate(STICKING_OUT) == []
    assert page.evaluate(CUT) == []


@pytest.mark.parametrize("name", ["rivals-2", "rivals-12", "over-datasets"])
def test_a_comparison_opened_on_a_phone_fits(opened: Opened, name: str) -> None:
    page = opened(name, viewport=PHONE, is_mobile=True, has_touch=True)
    page.wait_for_function(FITTING)
    assert wide(page) <= 0
    assert page.evaluate("innerWidth") == PHONE["width"]
    assert page.evaluate("document.getElementById('pairs').scrollWidth") <= PHONE["width"]


def test_the_headline_agrees_with_the_json(opened: Opened) -> None:
    told = report_of("rivals-2").to_dict()
    claim = next(claim for claim in told["claims"] if claim.get("against") and claim["guarantee"] == "FINITE")
    page = opened("rivals-2")
    assert page.inner_text("h1").strip() == told["verdict"]["sentence"]
    said = page.inner_text(".after")
    lower, upper = (float(number) / 100 for number in re.findall(r"(-?[\d.]+) %", said)[1:])
    assert claim["lower"] - 0.001 < lower <= claim["lower"] < claim["upper"] <= upper < claim["upper"] + 0.001
    assert said.startswith("With 95 % confidence the error rate of model 1 minus that of model 2 is between")
    assert said.endswith("this holds at every sample size.")


def test_the_tables_agree_with_the_json(opened: Opened) -> None:
    told = report_of("rivals-12").to_dict()
    page = opened("rivals-12")
    shown = page.eval_on_selector_all(
        "#pairs tbody tr", "rows => rows.map(row => [...row.cells].map(cell => cell.textContent))"
    )
    assert len(shown) == len(told["pairs"]) == 66
    for row, pair in zip(shown, told["pairs"], strict=True):
        assert row[0] == f"{pair['first']} − {pair['second']}"
        assert row[1] == f"{pair['won']} : {pair['lost']}"
        assert row[-1] == pair["outcome"]
        assert pair["adjusted_p"] <= float(row[-2]) <= 1.3 * pair["adjusted_p"] + 1e-4
    models = page.locator("#models tbody th").all_text_contents()
    assert models == best_first(report_of("rivals-12"))


# Scrolling hides what is told, a frame later.
SCROLLED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def hovered(page: Page, at: int) -> str:
    """What is told of a cell when the pointer is in its corner, beside its numbers."""
    cell = page.locator("[data-name=beats] .mark-rect path").nth(at)
    cell.scroll_into_view_if_needed()
    page.evaluate(SCROLLED)
    box = cell.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    return page.locator("#tip").inner_text()


def test_a_hovered_cell_tells_its_pair(opened: Opened) -> None:
    report = report_of("rivals-12")
    chart: Any = beats(report)
    cells = next(data for data in chart.to_dict()["datasets"].values() if "outcome" in data[0])
    said = {f"the row's model: {cell['said']}\ndifference: {cell['numbers']}\np: {cell['p']}" for cell in cells}
    page = opened("rivals-12")
    page.wait_for_function(FITTING)
    found = {hovered(page, at) for at in (0, 5, 20, 60)}
    assert len(found) == 4
    assert found <= said


def test_names_show_as_text_and_run_nothing(opened: Opened) -> None:
    page = opened("rivals-hostile")
    for name in HOSTILE:
        assert page.locator("#models th", has_text=name).count() == 1
    assert page.locator("#models th", has_text=LONG[:30]).count() == 1
    assert page.locator("img").count() == 0
    assert page.locator("script").count() == 3
    assert HOSTILE[1] in page.inner_text(".provenance")
    for at in (0, 3, 7):
        hovered(page, at)


@pytest.mark.parametrize("name", ["rivals-2", "rivals-12", "over-datasets", "duel"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_all_text_can_be_read(opened: Opened, name: str, scheme: Literal["light", "dark"]) -> None:
    page = opened(name, **({"color_scheme": "dark"} if scheme == "dark" else {}))
    height = page.evaluate("document.scrollingElement.scrollHeight")
    page.set_viewport_size({"width": 1200, "height": height})
    found = page.evaluate(CONTRAST)
    assert found["seen"] > 100
    assert found["faint"] == []


def test_what_scrolls_can_be_reached_by_the_keyboard(opened: Opened) -> None:
    page = opened("over-folds")
    regions = page.locator(".scroll")
    for place in range(regions.count()):
        region = regions.nth(place)
        region.focus()
        assert region.evaluate("part => part === document.activeElement")
        assert region.get_attribute("aria-label")
