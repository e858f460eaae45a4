"""The site in a real browser, from files and with the network off: it fits, is silent, and can be read and searched."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

from tests.browser.conftest import DESK
from tests.browser.test_contrast import CONTRAST
from tests.browser.test_page import wide
from tests.docs.pages import WRITTEN
from tests.docs.site import site  # noqa: F401

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.long
PHONE = {"width": 390, "height": 844}
SCREENS: dict[str, dict[str, Any]] = {
    "desk": {"viewport": DESK, "color_scheme": "light"},
    "phone": {"viewport": PHONE, "color_scheme": "light", "is_mobile": True, "has_touch": True},
}
PAGES = ["index", "tutorial", "methods", "measures", "peers", "errata", "command-line", "gallery/README"]
PAGES += [
    "reference/verbs",
    "howto/gate-a-release",
    *(f"studies/{page.stem}" for page in WRITTEN if page.parent.name == "studies"),
]
CLIPPED = """() => [...document.querySelectorAll("article table, article pre, article .equation, article img")]
  .filter(part => part.checkVisibility() && part.getBoundingClientRect().right > innerWidth + 1)
  .filter(part => {
    for (let around = part; around; around = around.parentElement)
      if (["auto", "scroll"].includes(getComputedStyle(around).overflowX)) return false;
    return true;
  }).map(part => part.tagName + ": " + part.textContent.trim().slice(0, 60))"""
Visit = Callable[..., "Page"]


@pytest.fixture(scope="module")
def windows(browser: Browser) -> Iterator[dict[str, Page]]:
    """One window of each kind, for all pages one after the other."""
    contexts = {name: browser.new_context(offline=True, reduced_motion="reduce", **SCREENS[name]) for name in SCREENS}
    yield {name: context.new_page() for name, context in contexts.items()}
    for context in contexts.values():
        context.close()


@pytest.fixture
def visit(windows: dict[str, Page], site: Path) -> Iterator[Visit]:  # noqa: F811
    """Opens a page of the site; at the end nothing may have been said or asked for from elsewhere."""
    wrong: list[str] = []
    watched = {
        "console": lambda message: wrong.append(f"console: {message.text}"),
        "pageerror": lambda error: wrong.append(f"error: {error}"),
        "requestfailed": lambda request: wrong.append(f"failed: {request.url[:200]}"),
        "request": lambda request: _elsewhere(request.url) and wrong.append(f"request: {request.url[:200]}"),
    }

    def opened(name: str, screen: str = "desk") -> Page:
        windows[screen].goto((site / f"{name}.html").as_uri())
        return windows[screen]

    for page in windows.values():
        for event, watch in watched.items():
            page.on(event, watch)  # type: ignore[call-overload]
    yield opened
    for page in windows.values():
        page.emulate_media(color_scheme="light")
        for event, watch in watched.items():
            page.remove_listener(event, watch)
    assert wrong == []


def _elsewhere(address: str) -> bool:
    return not address.startswith(("file:", "data:"))


@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_fits_its_screen(visit: Visit, name: str, screen: str) -> None:
    page = visit(name, screen)
    assert page.locator("h1").count() == 1
    assert wide(page) <= 0
    assert page.evaluate(CLIPPED) == []
    assert _brightness(page) > 600
    page.emulate_media(color_scheme="dark")
    assert _brightness(page) < 150
    assert wide(page) <= 0


def _brightness(page: Page) -> int:
    ground = page.evaluate("getComputedStyle(document.body).backgroundColor")
    return sum(int(part) for part in ground.strip("rgba()").split(",")[:3])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_words_of_the_home_page_can_be_read(visit: Visit, scheme: Literal["light", "dark"]) -> None:
    page = visit("index")
    page.emulate_media(color_scheme=scheme)
    found = page.evaluate(CONTRAST)
    assert found["seen"] > 50
    assert found["faint"] == []


def test_the_home_page_says_it_in_one_screen(visit: Visit) -> None:
    page = visit("index")
    for said in ("$ holdfast assess", "assess", "compare", "plan", "The promise."):
        box = page.locator("article").get_by_text(said).first.bounding_box()
        assert box is not None
        assert box["y"] < DESK["height"], said


def test_equations_are_drawn(visit: Visit) -> None:
    page = visit("methods")
    sizes = page.eval_on_selector_all("math", "all => all.map(one => one.getBoundingClientRect().height)")
    assert len(sizes) > 60
    assert min(sizes) > 5


@pytest.mark.parametrize(("word", "page"), [("wilson", "methods.html"), ("cross_assess", "reference/verbs.html")])
def test_the_search_works_without_a_network(visit: Visit, word: str, page: str) -> None:
    found = visit("index")
    found.locator(".sidebar-search").first.fill(word)
    found.locator(".sidebar-search").first.press("Enter")
    found.wait_for_selector("#search-results li a")
    addresses = found.eval_on_selector_all("#search-results li a", "all => all.map(one => one.getAttribute('href'))")
    assert any(address.startswith(page) for address in addresses), addresses
