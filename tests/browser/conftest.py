"""A real browser with the network off; whatever goes wrong in a page fails the test that looked at it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser.reports import report_of
from tests.needs import module, require

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

Opened = Callable[..., "Page"]
DESK = {"width": 1200, "height": 900}
WATCH = """
window.__refused = [];
document.addEventListener("securitypolicyviolation", event =>
  window.__refused.push(`refused: ${event.violatedDirective} ${event.blockedURI}`));
"""
DRAWN = "() => [...document.querySelectorAll('.chart')].every(chart => chart.querySelector('svg') || chart.textContent)"


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    playwright = module("playwright.sync_api")
    chromium = shutil.which("chromium")
    require(chromium is not None, "there is no chromium on this machine")
    with playwright.sync_playwright() as driver:
        opened = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="session")
def pages(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Pages:
    return Pages(browser, tmp_path_factory)


class Pages:
    """Pages of the reports in tests/browser/reports.py: drawing one takes seconds, so each is opened once."""

    def __init__(self, browser: Browser, folders: pytest.TempPathFactory) -> None:
        self.browser, self.home = browser, folders.mktemp("pages")
        self.open: dict[str, Page] = {}
        self.wrong: list[str] = []

    def __call__(self, name: str, **options: Any) -> Page:
        """The page as it is when opened, in a window of a desk unless told otherwise."""
        key = f"{name} {options}"
        if key in self.open:
            page = self.open[key]
            page.emulate_media(media="screen")
            page.evaluate("for (const form of document.forms) form.reset()")
            page.mouse.move(0, 0)
        else:
            page = self.open[key] = self._load(name, options)
        page.set_viewport_size(options.get("viewport", DESK))
        return page

    def _load(self, name: str, options: dict[str, Any]) -> Page:
        path = self.home / f"{name}.html"
        if not path.exists():
            report_of(name).save(path)
        page = self.browser.new_context(offline=True, **options).new_page()
        page.add_init_script(WATCH)
        page.on("console", lambda said: self.wrong.append(f"console: {said.text}"))
        page.on("pageerror", lambda error: self.wrong.append(f"error: {error}"))
        page.on("request", lambda asked: self.wrong.append(f"request: {asked.url[:200]}"))
        page.on("popup", lambda other: self.wrong.append(f"window: {other.url}"))
        page.on("dialog", lambda dialog: (self.wrong.append(f"dialog: {dialog.message}"), dialog.dismiss()))
        page.goto(path.as_uri())
        page.wait_for_function(DRAWN)
        assert self.wrong == [f"request: {path.as_uri()}"]  # the file itself, and nothing after it
        self.wrong.clear()
        return page


@pytest.fixture
def opened(pages: Pages) -> Iterator[Opened]:
    """Gives the page of a report; at the end nothing may have been said, asked for, run or refused in any of them."""
    yield pages
    refused = [sentence for page in pages.open.values() for sentence in page.evaluate("window.__refused.splice(0)")]
    found, pages.wrong = pages.wrong + refused, []
    assert found == []
