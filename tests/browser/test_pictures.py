"""Pictures in a real browser: no word cut off, on a desk, on a phone or in a file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from holdfast.render.page import save_chart
from tests.browser.conftest import Opened
from tests.browser.reports import report_of
from tests.needs import module

pytestmark = pytest.mark.long

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
OUTSIDE = """() => {
  const picture = document.querySelector("svg"), edge = picture.getBoundingClientRect();
  return [...picture.querySelectorAll("text")].filter((word) => {
    const { left, right, top, bottom } = word.getBoundingClientRect();
    return left < edge.left - 1 || right > edge.right + 1 || top < edge.top - 1 || bottom > edge.bottom + 1;
  }).map((word) => word.textContent);
}"""
SETTLED = """() => [...document.querySelectorAll(".chart")].every((chart) => chart.scrollWidth <= chart.clientWidth)"""
SCROLLING = """() => [...document.querySelectorAll(".scroll")]
  .filter((box) => box.checkVisibility() && box.scrollWidth > box.clientWidth + 1)
  .map((box) => box.getAttribute("aria-label"))"""


@pytest.mark.parametrize("name", ["example", "hostile-classes"])
def test_a_saved_picture_is_whole(browser: Browser, tmp_path: Path, name: str) -> None:
    module("vl_convert")
    context = browser.new_context(offline=True)
    page = context.new_page()
    for kind, chart in report_of(name).charts.items():
        save_chart(chart, tmp_path / f"{kind}.svg")
        page.goto((tmp_path / f"{kind}.svg").as_uri())
        assert page.locator("text").count() > 5
        assert page.evaluate(OUTSIDE) == [], kind
    context.close()


@pytest.mark.parametrize("name", ["example", "ten", "hostile"])
def test_a_phone_shows_every_row_with_its_numbers(opened: Opened, name: str) -> None:
    page = opened(name, **PHONE)
    page.wait_for_function(SETTLED)
    drawn = page.locator("[data-name=forest] svg text").all_text_contents()
    rows = next(iter(report_of(name).charts["forest"].to_dict()["datasets"].values()))
    assert len(rows) > 20
    for row in rows:
        assert {row["row"], row["numbers"]} <= set(drawn), row["row"]
    words = page.locator("[data-name=matrix] svg text").all_text_contents()
    assert [cell for cell in rows_of_the_matrix(name) if cell not in words] == []


def rows_of_the_matrix(name: str) -> list[str]:
    return [f"{cell['count']:,}" for cell in report_of(name).views["matrix"]["cells"]]


def test_a_picture_follows_the_window(opened: Opened) -> None:
    page = opened("example", **PHONE)
    page.wait_for_function(SETTLED)
    assert "0.0632 [0.0378, 0.0980]" in page.locator("[data-name=forest] svg text").all_text_contents()
    # Waited for as a function: a bare expression is evaluated anew at each look, which the page forbids.
    rows = "() => document.querySelectorAll('[data-name=forest] .role-axis-label text').length"
    few = page.evaluate(rows)
    page.set_viewport_size({"width": 1200, "height": 900})
    page.wait_for_function(f"{rows} > {few} + 20")  # the names stand beside the rows again
    page.set_viewport_size(PHONE["viewport"])
    page.wait_for_function(f"{rows} === {few}")
    page.wait_for_function(SETTLED)


def test_no_table_of_the_example_is_cut_on_a_phone(opened: Opened) -> None:
    assert opened("example", **PHONE).evaluate(SCROLLING) == []


def test_only_a_matrix_scrolls_on_a_phone(opened: Opened) -> None:
    for name in ("two-hundred", "hostile"):
        assert set(opened(name, **PHONE).evaluate(SCROLLING)) <= {"Confusion matrix"}
