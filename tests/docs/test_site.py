"""The site is built without a warning, its links and pictures are there, and nothing in it comes from elsewhere."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag, urlparse

import pytest

from tests.docs.pages import DOCS, WRITTEN
from tests.docs.site import site  # noqa: F401

pytestmark = pytest.mark.long  # building it takes half a minute
LOADED = {"script": ("src",), "img": ("src", "srcset"), "link": ("href",), "source": ("src", "srcset")}
LOADED |= {"iframe": ("src",), "video": ("src", "poster"), "audio": ("src",), "object": ("data",), "embed": ("src",)}
LEADING = ("index", "search", "next", "prev")  # links in the head of a page that load nothing


class Read(HTMLParser):
    """What a page of the site can be pointed at, points to, and loads."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.equations = 0
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        self.ids |= {told[name] for name in ("id", "name") if told.get(name)}
        self.equations += tag == "math"
        if "href" in told and (tag == "a" or told.get("rel") in LEADING):
            self.links.append(told["href"])
            return
        for name in LOADED.get(tag, ()):
            if told.get(name):
                self.loaded.append(told[name])


@pytest.fixture(scope="module")
def read(site: Path) -> dict[Path, Read]:  # noqa: F811
    return {page: Read(page) for page in sorted(site.rglob("*.html"))}


def test_every_page_of_the_repository_is_on_the_site(site: Path) -> None:  # noqa: F811
    missing = [page for page in WRITTEN if not (site / page.relative_to(DOCS)).with_suffix(".html").exists()]
    assert missing == []


def test_every_link_and_anchor_leads_somewhere(read: dict[Path, Read]) -> None:
    broken = []
    for page, found in read.items():
        for link in found.links:
            path, anchor = urldefrag(link)
            if urlparse(path).scheme:
                continue  # elsewhere; nothing is loaded from there unless somebody clicks
            target = (page.parent / unquote(path)).resolve() if path else page
            if not target.is_file() or (anchor and target in read and unquote(anchor) not in read[target].ids):
                broken.append(f"{page.name}: {link}")
    assert broken == []


def test_every_page_can_be_reached_from_home(read: dict[Path, Read], site: Path) -> None:  # noqa: F811
    seen, ahead = set(), [site / "index.html"]
    while ahead:
        page = ahead.pop()
        if page in seen or page not in read:
            continue
        seen.add(page)
        ahead += [(page.parent / unquote(urldefrag(link)[0])).resolve() for link in read[page].links]
    assert {page.name for page in read if page not in seen} <= {"search.html", "genindex.html", "py-modindex.html"}


def test_whatever_is_loaded_is_there_and_nothing_comes_from_elsewhere(read: dict[Path, Read]) -> None:
    wrong = []
    for page, found in read.items():
        for address in found.loaded:
            path = urldefrag(address)[0].partition("?")[0]
            if address.startswith("data:"):
                continue
            if address.startswith("//") or urlparse(address).scheme or not (page.parent / unquote(path)).is_file():
                wrong.append(f"{page.name}: {address}")
    assert wrong == []


def test_no_style_asks_for_anything_from_elsewhere(site: Path) -> None:  # noqa: F811
    asked = re.compile(r"""(?:url\(\s*|@import\s+)["']?(?:https?:)?//""")
    assert [style.name for style in site.rglob("*.css") if asked.search(style.read_text(encoding="utf-8"))] == []


def test_equations_are_drawn_by_the_browser(read: dict[Path, Read], site: Path) -> None:  # noqa: F811
    methods = read[site / "methods.html"]
    assert methods.equations > 60
    assert "merror" not in (site / "methods.html").read_text(encoding="utf-8")
