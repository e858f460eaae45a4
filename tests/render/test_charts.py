"""Pictures in every format; a page that is one file, loads nothing, and keeps data as data."""

from __future__ import annotations

import base64
import builtins
import hashlib
import json
import re
import struct
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from holdfast.errors import HoldfastError
from holdfast.render.charts import coverage_chart
from holdfast.render.page import check_ending, save_chart

EVIL = "</script><script>alert(1)</script><!--<b>&\u2028"


def chart(title: str = "wilson") -> Any:
    return coverage_chart([0.0, 0.5, 1.0], [1.0, 0.93, 1.0], 0.95, x_title="rate", title=title, subtitle="n = 20")


class Page(HTMLParser):
    """The scripts of a page, and every attribute that could load something."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.scripts: list[tuple[dict[str, str | None], str]] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attributes)))
        if tag == "script":
            self.scripts.append((dict(attributes), ""))

    def handle_endtag(self, tag: str) -> None:
        self.tags.append((f"/{tag}", {}))

    def handle_data(self, data: str) -> None:
        if self.tags and self.tags[-1][0] == "script":
            attributes, text = self.scripts[-1]
            self.scripts[-1] = (attributes, text + data)


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("charts") / "coverage.html"
    save_chart(chart(EVIL), path)
    return path.read_text(encoding="utf-8")


# ---- The page


def test_no_tag_loads_anything(written: str) -> None:
    page = Page(written)
    for tag, attributes in page.tags:
        assert tag not in ("link", "img", "iframe", "object", "embed", "base"), tag
        assert not {"src", "href", "srcset", "data", "action"} & attributes.keys(), (tag, attributes)
    styles = "".join(re.findall(r"<style>(.*?)</style>", written, re.S))
    assert "url(" not in styles
    assert "@import" not in styles


def policy(page: Page) -> str:
    (content,) = [a["content"] for tag, a in page.tags if a.get("http-equiv") == "Content-Security-Policy"]
    assert content is not None
    return content


def test_the_browser_is_told_to_load_nothing(written: str) -> None:
    said = policy(Page(written))
    assert "default-src 'none'" in said
    assert "http" not in said
    assert "unsafe-eval" not in said
    assert "unsafe-inline" not in said.partition("script-src")[2]
    assert "*" not in said


def test_every_script_is_allowed_by_its_hash_and_no_other(written: str) -> None:
    page = Page(written)
    allowed = re.findall(r"'(sha256-[^']+)'", policy(page))
    code = [text for attributes, text in page.scripts if attributes.get("type") != "application/json"]
    digests = ["sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in code]
    assert digests == allowed
    assert len(code) == 2
    assert "\r" not in written  # a browser would hash it as a line feed


def test_a_hostile_title_stays_data(written: str) -> None:
    page = Page(written)
    assert len(page.scripts) == 3
    (data,) = [text for attributes, text in page.scripts if attributes.get("type") == "application/json"]
    assert json.loads(data)["title"]["text"] == EVIL
    assert "<" not in data
    assert "alert(1)</script>" not in written


def test_the_page_is_one_document(written: str) -> None:
    assert written.startswith("<!doctype html>")
    assert written.rstrip().endswith("</html>")
    assert [tag for tag, _ in Page(written).tags].count("div") == 1


def test_the_data_are_in_the_page(written: str) -> None:
    (data,) = [text for attributes, text in Page(written).scripts if attributes.get("type") == "application/json"]
    datasets = json.loads(data)["datasets"].values()
    assert [{"x": 0.0, "coverage": 1.0}, {"x": 0.5, "coverage": 0.93}, {"x": 1.0, "coverage": 1.0}] in datasets
    assert [{"promise": 0.95}] in datasets
    assert '"dark"' in data  # the look for those who prefer it


# ---- Pictures


def test_svg(tmp_path: Path) -> None:
    save_chart(chart(EVIL), tmp_path / "a.svg")
    text = (tmp_path / "a.svg").read_text(encoding="utf-8")
    root = ElementTree.fromstring(text)
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert "<script" not in text
    words = "".join(root.itertext())
    assert "alert(1)" in words  # as words
    assert "coverage" in words


def test_png(tmp_path: Path) -> None:
    save_chart(chart(), tmp_path / "a.PNG")
    content = (tmp_path / "a.PNG").read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", content[16:24])
    assert width > 1000  # 640 points at twice the resolution, and the axis
    assert height > 500


def test_pdf(tmp_path: Path) -> None:
    save_chart(chart(EVIL), tmp_path / "a.pdf")
    content = (tmp_path / "a.pdf").read_bytes()
    assert content.startswith(b"%PDF-")
    assert b"%%EOF" in content[-10:]
    assert b"/JavaScript" not in content


@pytest.mark.long
def test_a_long_curve_is_drawn_whole(tmp_path: Path) -> None:
    x = [i / 5_000 for i in range(5_001)]  # one more than the chart library likes
    save_chart(coverage_chart(x, [0.95] * 5_001, 0.95, x_title="x", title="t", subtitle="s"), tmp_path / "a.html")
    assert (tmp_path / "a.html").read_text(encoding="utf-8").count('"coverage":') >= 5_001


def test_one_point_is_drawn_too(tmp_path: Path) -> None:
    save_chart(coverage_chart([3.0], [0.9], 0.95, x_title="x", title="t", subtitle="s"), tmp_path / "a.svg")
    assert (tmp_path / "a.svg").exists()


def test_the_axis_reaches_down_to_the_worst() -> None:
    low = coverage_chart([0, 1], [0.2, 1], 0.95, x_title="x", title="t", subtitle="s").to_dict()
    assert low["layer"][0]["encoding"]["y"]["scale"]["domain"] == [pytest.approx(0.18), 1.0]
    none = coverage_chart([0, 1], [0.0, 1], 0.95, x_title="x", title="t", subtitle="s").to_dict()
    assert none["layer"][0]["encoding"]["y"]["scale"]["domain"] == [0.0, 1.0]


# ---- Failures


@pytest.mark.parametrize("name", ["a.gif", "a", "a.html.txt", ".html", "", "a.htm"])
def test_an_unknown_ending_is_refused_before_anything_is_written(tmp_path: Path, name: str) -> None:
    with pytest.raises(HoldfastError, match=r"A chart is written as \.html, \.png, \.svg, \.pdf;"):
        check_ending(name)
    with pytest.raises(HoldfastError):
        save_chart(chart(), tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("name", "ending"), [("a.svg", ".svg"), ("A.SVG", ".svg"), ("b.c.Html", ".html")])
def test_endings_in_any_case(name: str, ending: str) -> None:
    assert check_ending(name) == ending


@pytest.mark.parametrize("name", ["a.html", "a.svg", "a.png", "a.pdf"])
def test_a_failure_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    (tmp_path / name).write_bytes(b"old")

    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("os.replace", full)
        with pytest.raises(HoldfastError, match="No space left"):
            save_chart(chart(), tmp_path / name)
    assert (tmp_path / name).read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_without_the_images_extra_the_page_is_still_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = builtins.__import__

    def without(name: str, *rest: Any, **options: Any) -> Any:
        if name == "vl_convert":
            raise ImportError(name)
        return usual(name, *rest, **options)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(HoldfastError, match=r"pip install 'holdfast\[images\]'"):
        save_chart(chart(), tmp_path / "a.svg")
    save_chart(chart(), tmp_path / "a.html")
    assert (tmp_path / "a.html").exists()
