"""The page in a real browser: what it says, what moves, where it fits, and that labels stay data."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np
import pytest

import holdfast as hf
from holdfast.render.kinds import headline_of
from holdfast.render.phrases import estimate_and_limits
from tests.browser.conftest import Opened
from tests.browser.reports import HOSTILE, LONG, POINT, columns, example, report_of

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytestmark = pytest.mark.long  # every page is opened by a browser
PHONE = {"width": 360, "height": 740}
PAPER = {"width": 718, "height": 1000}  # A4 within margins of 1 cm
STICKING_OUT = """() => [...document.querySelectorAll("table, svg, figure, pre, dd, h1")]
  .filter(part => part.checkVisibility())
  .filter(part => part.getBoundingClientRect().right > document.scrollingElement.clientWidth + 1)
  .map(part => part.tagName + ": " + part.textContent.trim().slice(0, 60))"""
CUT = """() => [...document.querySelectorAll("body *")]
  .filter(part => part.checkVisibility() && part.querySelector("table") && part.scrollWidth > part.clientWidth + 1)
  .map(part => part.tagName + " " + part.className)"""
FITTING = """() => [...document.querySelectorAll(".chart")].every(
  chart => chart.scrollWidth <= chart.clientWidth && chart.querySelector("svg").clientWidth >= 150)"""
STEPS = """() => {
  const slider = document.getElementById("threshold"), seen = [];
  for (let at = Number(slider.min); at <= Number(slider.max); at += 1) {
    slider.value = at;
    slider.dispatchEvent(new Event("input", {bubbles: true}));
    const told = id => document.getElementById(id).textContent;
    seen.push([told("threshold-value"), ...["tp", "fp", "fn", "tn"].map(id => Number(told(id).replaceAll(",", "")))]);
  }
  return seen;
}"""


def wide(page: Page) -> int:
    """By how many pixels the page can be scrolled sideways."""
    return int(page.evaluate("document.scrollingElement.scrollWidth - innerWidth"))


def choose(page: Page, level: str) -> None:
    page.locator("#confidence label", has_text=level).click()


@pytest.mark.parametrize(
    "name",
    [
        *("example", "two", "ten", "two-hundred", "passes", "one", "hostile-classes"),
        pytest.param("javascript", marks=pytest.mark.long),
    ],
)
def test_every_kind_of_report_opens_and_fits(opened: Opened, name: str) -> None:
    page = opened(name)
    said, expected = page.inner_text("main"), str(headline_of(report_of(name)))
    assert expected in " ".join(said[:1500].split())
    assert "holds at every sample size" in said[:1500]
    assert page.locator(".chart svg").count() == page.locator(".chart").count() > 0
    assert wide(page) <= 0
    page.wait_for_function(FITTING)
    page.set_viewport_size(PHONE)
    assert wide(page) <= 0
    page.set_viewport_size(PAPER)
    page.emulate_media(media="print")
    assert page.evaluate(STICKING_OUT) == []
    assert page.evaluate(CUT) == []


def test_a_page_opened_on_a_phone_fits(opened: Opened) -> None:
    page = opened("example", viewport=PHONE, is_mobile=True, has_touch=True)
    assert wide(page) <= 0
    assert page.evaluate("innerWidth") == PHONE["width"]
    page.wait_for_function(FITTING)
    page.set_viewport_size({"width": 740, "height": 360})
    page.wait_for_function(FITTING)
    page.set_viewport_size(PHONE)
    page.wait_for_function(FITTING)


@pytest.mark.parametrize("name", ["crossed", "crossed-often"])
def test_a_cross_validation_is_drawn_at_a_desk_and_on_a_phone(opened: Opened, name: str) -> None:
    for options in ({}, {"viewport": PHONE}):
        page = opened(name, **options)
        assert page.locator(".chart svg").count() == page.locator(".chart").count() == 2
        assert wide(page) <= 0
        page.wait_for_function(FITTING)


def test_the_headline_agrees_with_the_json(opened: Opened) -> None:
    told = report_of("example").to_dict()
    claim = next(claim for claim in told["claims"] if claim["measure"] == "error-rate" and claim["label"] is None)
    assert (claim["side"], claim["guarantee"]) == ("both", "FINITE")
    said = opened("example").inner_text("h1")
    assert f"{told['provenance']['rows']} examples" in said
    assert f"erred {told['errors']} times" in said
    lower, upper = (float(number) / 100 for number in re.findall(r"([\d.]+) %", said)[1:])
    assert claim["lower"] - 0.001 < lower <= claim["lower"] < claim["upper"] <= upper < claim["upper"] + 0.001
    assert "95 % confidence" in said
    assert said.endswith("this holds at every sample size.")


def test_every_claim_stands_in_a_table(opened: Opened) -> None:
    page, report = opened("example"), report_of("example")
    choose(page, "95 %")
    shown = dict(page.eval_on_selector_all("[data-line]", "cells => cells.map(c => [c.dataset.line, c.textContent])"))
    assert shown == {str(place): estimate_and_limits(line.claim)[1] for place, line in enumerate(report.whole)}


@pytest.mark.parametrize("level", [0.8, 0.9, 0.99])
def test_the_confidence_switch_shows_the_limits_of_that_confidence(opened: Opened, level: float) -> None:
    page = opened("example")
    before = page.inner_text("h1")
    choose(page, f"{level * 100:.0f} %")
    shown = dict(page.eval_on_selector_all("[data-line]", "cells => cells.map(c => [c.dataset.line, c.textContent])"))
    expected = example(bins=5, confidence=level)
    assert len(shown) == len(expected.whole)
    for place, line in enumerate(expected.whole):
        lower, upper = (float(number) for number in shown[str(place)].strip("[]").split(", "))
        assert line.claim.lower - 0.001 < lower <= line.claim.lower, line.measure
        assert line.claim.upper <= upper < line.claim.upper + 0.001, line.measure
    assert set(page.locator(".level").all_text_contents()) == {f"{level * 100:.0f} %"}
    assert page.inner_text("h1") == before
    assert "for reading only" in page.inner_text("#confidence")
    assert page.locator("#confidence label", has_text="declared").inner_text().startswith("95 %")


@pytest.mark.parametrize("name", ["example", "undeclared"])
def test_the_threshold_explorer_counts_the_rows(opened: Opened, name: str) -> None:
    truth, _, score = columns()
    malignant = truth == "malignant"
    seen = opened(name).evaluate(STEPS)
    assert len(seen) > 50
    for threshold, *counts in seen:
        called = score >= (np.inf if threshold == "above every score" else float(threshold))
        assert counts == [
            (called & malignant).sum(),
            (called & ~malignant).sum(),
            (~called & malignant).sum(),
            (~called & ~malignant).sum(),
        ], threshold
    thresholds = [float(threshold) for threshold, *_ in seen if threshold != "above every score"]
    assert thresholds == sorted(thresholds)


def rates(page: Page) -> dict[str, tuple[str, str]]:
    names = ("recall", "specificity", "precision")
    cells = {name: page.locator(f"#rate-{name} td").all_text_contents() for name in names}
    return {name: (estimate, limits) for name, (estimate, limits) in cells.items()}


def test_at_the_declared_threshold_the_limits_are_its_own_and_elsewhere_those_of_the_band(opened: Opened) -> None:
    page = opened("example")
    truth, _, score = columns()
    page.evaluate(STEPS)  # away from where it stood
    page.click("#threshold-declared")
    assert page.inner_text("#threshold-value") == str(POINT)
    own = rates(page)
    at_point = hf.assess(truth, np.where(score >= POINT, "malignant", "benign"), positive="malignant")
    for name in ("recall", "specificity", "precision"):
        assert own[name] == estimate_and_limits(at_point[name]), name
    declared = page.inner_text("#threshold-why")
    assert "declared" in declared
    page.focus("#threshold")
    page.keyboard.press("ArrowRight")
    assert page.inner_text("#threshold-why") != declared
    assert "band" in page.inner_text("#threshold-why")
    views = report_of("example").views["thresholds"]["points"]
    here = next(point for point in views if f"{point['threshold']:.6g}" == page.inner_text("#threshold-value"))
    for name, (_, limits) in rates(page).items():
        lower, upper = (float(number) for number in limits.strip("[]").split(", "))
        assert lower <= here[name]["band_lower"] < lower + 0.001
        assert upper - 0.001 < here[name]["band_upper"] <= upper
        assert (here[name]["band_lower"], here[name]["band_upper"]) != (here[name]["lower"], here[name]["upper"])


def test_the_explorer_can_be_moved_by_keys_alone(opened: Opened) -> None:
    page = opened("example")
    reached: list[str] = []
    for _ in range(60):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.id || document.activeElement.name || ''"))
        if reached[-1] == "threshold":
            break
    assert reached[-1] == "threshold"
    if page.is_enabled("#threshold-declared"):
        page.click("#threshold-declared")
        page.focus("#threshold")
    start = int(page.input_value("#threshold"))
    before = page.inner_text("#threshold-value")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert int(page.input_value("#threshold")) == start - 2
    assert float(page.inner_text("#threshold-value")) < float(before)
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"
    page.keyboard.press("End")
    assert [page.inner_text(f"#{cell}") for cell in ("tp", "fp")] != ["", ""]
    page.click("#threshold-declared")
    assert page.inner_text("#threshold-value") == before


def test_the_confidence_can_be_switched_by_keys(opened: Opened) -> None:
    page = opened("example")
    choose(page, "95 %")
    page.focus("#confidence input:checked")
    page.keyboard.press("ArrowRight")
    assert set(page.locator(".level").all_text_contents()) == {"99 %"}


def test_paper_gets_the_tables_and_not_what_moves(opened: Opened) -> None:
    page = opened("example")
    assert page.is_visible(".explorer")
    page.set_viewport_size(PAPER)
    page.emulate_media(media="print", color_scheme="dark")
    assert not page.is_visible(".explorer")
    assert not page.is_visible("#confidence")
    assert page.locator("table.claims:visible").count() > 0
    ink = page.evaluate("getComputedStyle(document.body).color")
    assert sum(int(part) for part in ink.strip("rgb()").split(",")) < 200  # dark on paper, whatever the screen is
    assert len(page.pdf(format="A4")) > 10_000


@pytest.mark.parametrize("name", ["hostile", "hostile-classes", "long"])
def test_labels_are_text(opened: Opened, name: str) -> None:
    page = opened(name)
    said = page.evaluate("document.querySelector('main').textContent")
    for label in {"hostile": HOSTILE[:2], "hostile-classes": HOSTILE, "long": (LONG[:40],)}[name]:
        assert label in said, label
    assert page.evaluate("document.querySelectorAll('img, iframe, object, embed').length") == 0
    kinds = page.eval_on_selector_all("script", "all => all.map(script => script.type)")
    assert sorted(kinds) == ["application/json", "module", "module"]
    if name != "hostile-classes":
        page.focus("#threshold")
        page.keyboard.press("ArrowRight")
    choose(page, "80 %")
    assert any(hover_everything(page))
    assert wide(page) <= 0
    page.set_viewport_size(PHONE)
    assert wide(page) <= 0


def hover_everything(page: Page) -> list[dict[str, str]]:
    """What the pictures say when pointed at: the first dot, bar or cell of each of them."""
    charts = page.locator(".chart").all()
    return [
        point_at(page, chart.locator("g.mark-symbol.role-mark > *, g.mark-rect.role-mark > *").first)
        for chart in charts
    ]


def point_at(page: Page, mark: Locator) -> dict[str, str]:
    """What is said of the mark under the pointer, by name."""
    if not mark.count() or not mark.is_visible():
        return {}
    mark.scroll_into_view_if_needed()
    box = mark.bounding_box()
    assert box is not None
    page.mouse.move(0, 0)
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    return dict(line.split(": ", 1) for line in page.locator("#tip:visible > div").all_text_contents())


def test_the_pictures_say_what_the_json_says(opened: Opened) -> None:
    page, told = opened("example"), report_of("example").to_dict()
    dots = page.locator("[data-name=forest] g.mark-symbol.role-mark > path")
    assert dots.count() > 10
    for place in (0, dots.count() // 2, dots.count() - 1):
        said = point_at(page, dots.nth(place))
        claim = next(
            claim
            for claim in told["claims"]
            if (claim["measure"], claim["method"]) == (said["measure"], said["method"])
            and claim["label"] in (None, said["class"])
        )
        lower, upper = (float(number) for number in said["limits"].strip("[]").split(", "))
        assert abs(float(said["estimate"]) - claim["estimate"]) < 0.001
        assert claim["lower"] - 0.001 < lower <= claim["lower"]
        assert claim["upper"] <= upper < claim["upper"] + 0.001
    table = told["contingency"]["table"]
    labels = told["contingency"]["labels"]
    cells = page.locator("[data-name=matrix] g.mark-rect.role-mark > path")
    assert cells.count() == len(labels) ** 2
    for cell in cells.all():
        said = point_at(page, cell)
        assert int(said["examples"]) == table[labels.index(said["predicted"])][labels.index(said["actual"])]
