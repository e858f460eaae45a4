"""The page as a file: what it says and in which order, that it is whole, inert and small."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from dataclasses import replace
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import holdfast as hf
from holdfast.claims import Assumption, Guarantee
from holdfast.errors import HoldfastError
from holdfast.render.kinds import headline_of
from holdfast.render.outline.assessment import MOST_GROUPS
from holdfast.render.outline.classes import FEW_CLASSES
from holdfast.render.outline.parts import Outline
from holdfast.render.page import page_html, page_of
from holdfast.render.page.layout import BROKEN_BY
from holdfast.render.phrases import estimate_and_limits

HOSTILE = ("<script>alert(1)</script>", '"><img src=x onerror=alert(2)>', "</script><!--", "a & b", "{{ 7 * 7 }}")


class Read(HTMLParser):
    """What a reader sees, the elements, and the content of scripts and styles."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "link", "input", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        inside = next((tag for tag in ("script", "style", "title") if tag in self.open), "body")
        self.texts.setdefault(inside, []).append(data)

    @property
    def visible(self) -> str:
        return " ".join("".join(self.texts["body"]).split())

    @property
    def data(self) -> Any:
        return json.loads(self.texts["script"][0])

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


def scored(rows: int, seed: int = 0, **options: Any) -> hf.Report:
    generator = np.random.default_rng(seed)
    score = generator.random(rows)
    truth, called = np.where(generator.random(rows) < score, "yes", "no"), np.where(score >= 0.5, "yes", "no")
    return hf.assess(truth, called, score, positive="yes", **options)


def classes(count: int, rows: int, names: tuple[str, ...] = ()) -> hf.Report:
    generator = np.random.default_rng(1)
    labels = np.array([*names, *(f"class {i}" for i in range(len(names), count))])
    truth = generator.integers(count, size=rows)
    return hf.assess(
        labels[truth], labels[np.where(generator.random(rows) < 0.8, truth, generator.integers(count, size=rows))]
    )


@pytest.fixture(scope="module")
def report() -> hf.Report:
    return scored(400, bins=5, groups={"place": np.array(["here", "there"])[np.arange(400) % 2]}, operating_point=0.5)


@pytest.fixture(scope="module")
def html(report: hf.Report) -> str:
    return page_html(report)


@pytest.fixture(scope="module")
def page(html: str) -> Read:
    return Read(html)


def test_the_headline_comes_first_in_plain_words(report: hf.Report, page: Read) -> None:
    assert page.visible.startswith(headline_of(report))
    assert "holds at every sample size" in page.visible[:400]


def test_the_order_is_claim_assumptions_pictures_tables_methods_provenance(page: Read) -> None:
    places = [page.tags.index(("h2", {"id": name})) for name in ("assumed", "pictures", "explorer", "tables")]
    places += [page.tags.index(("h2", {"id": name})) for name in ("methods", "provenance")]
    assert places == sorted(places)
    headings = [int(tag[1]) for tag, _ in page.tags if re.fullmatch("h[1-6]", tag)]
    assert headings[0] == 1
    assert headings.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(headings))


def test_what_is_assumed_is_said_with_what_would_break_it(page: Read) -> None:
    assert set(BROKEN_BY) == set(Assumption)
    for assumed in (Assumption.INDEPENDENT, Assumption.FIXED_MODEL, Assumption.FIXED_BINS):
        sentence = str(assumed)
        assert sentence[0].upper() + sentence[1:] + "." in page.visible
        assert BROKEN_BY[assumed] in page.visible


def test_every_line_stands_in_a_table_with_its_limits_and_its_guarantee(report: hf.Report, html: str) -> None:
    cells = dict(re.findall(r'data-line="(\d+)">([^<]*)<', html))
    assert cells == {str(place): estimate_and_limits(line.claim)[1] for place, line in enumerate(report.whole)}
    badges = {name: html.count(f'class="badge {name}"') for name in ("finite", "asymptotic", "heuristic")}
    held = [line.claim.guarantee for line in report.whole if line.measure != "calibration"]
    assert badges["finite"] >= held.count(Guarantee.FINITE) > 0
    assert badges["asymptotic"] >= held.count(Guarantee.ASYMPTOTIC) > 0
    assert badges["heuristic"] == 0
    assert all(claim.method in html and str(claim.source).replace("'", "&#39;") in html for claim in report.claims)


def test_the_switch_holds_the_limits_of_every_level(report: hf.Report, page: Read) -> None:
    levels = report.views["levels"]
    told = page.data["levels"]
    assert len(told) == len(levels["levels"])
    for level, texts in zip(levels["levels"], told, strict=True):
        for line, text, limits in zip(report.whole, texts, levels["claims"][str(level)], strict=True):
            assert text == estimate_and_limits(replace(line.claim, **limits))[1]
    assert told[levels["levels"].index(0.95)] == [estimate_and_limits(line.claim)[1] for line in report.whole]
    radios = [each for each in page.all("input") if each["type"] == "radio"]
    assert [("checked" in each) for each in radios] == [level == 0.95 for level in levels["levels"]]
    assert "95 % declared" in page.visible
    assert "for reading only" in page.visible


def test_the_explorer_has_pointwise_limits_at_the_declared_threshold_only(report: hf.Report, page: Read) -> None:
    points = list(reversed(report.views["thresholds"]["points"]))
    explorer = page.data["explorer"]
    assert explorer["start"] == explorer["own"] == [point["threshold"] for point in points].index(0.5)
    for at, (point, (threshold, counts, rates)) in enumerate(zip(points, explorer["steps"], strict=True)):
        assert threshold == point["shown"]
        assert float(threshold) == pytest.approx(point["threshold"], rel=1e-5)
        assert [int(count.replace(",", "")) for count in counts] == [point[name] for name in ("tp", "fp", "fn", "tn")]
        for name, (estimate, limits) in zip(("recall", "specificity", "precision"), rates, strict=True):
            ends = ("lower", "upper") if at == explorer["own"] else ("band_lower", "band_upper")
            low, high = (float(part) for part in limits.strip("[]").split(", "))
            assert point[name][ends[0]] - 1e-3 < low <= point[name][ends[0]]
            assert point[name][ends[1]] <= high < point[name][ends[1]] + 1e-3
            assert estimate == "–" or float(estimate) == pytest.approx(point[name]["estimate"], abs=1e-3)
    (slider,) = (each for each in page.all("input") if each["type"] == "range")
    assert (slider["min"], slider["max"], slider["value"]) == ("0", str(len(points) - 1), str(explorer["own"]))
    assert {"for": "threshold"} in page.all("label")
    assert "declared beforehand" in explorer["why"][0]
    assert "all thresholds at once" in explorer["why"][1]


def test_without_a_declared_threshold_every_limit_is_of_the_band() -> None:
    generator = np.random.default_rng(2)
    score = generator.normal(size=300)
    truth, called = generator.random(300) < 0.5, generator.random(300) < 0.5  # follow no threshold
    made = Read(page_html(hf.assess(truth, called, score, positive=True)))
    assert made.data["explorer"]["own"] is None
    assert "No threshold was fixed beforehand." in made.visible
    assert not made.all("button")


def test_confusions_are_counted_as_in_the_table(report: hf.Report, html: str) -> None:
    shown = re.search(r'id="matrix">.*?</table>', html, flags=re.DOTALL)
    assert shown is not None
    counts = [int(count.replace(",", "")) for count in re.findall(r"<td[^>]*>([\d,]+)<small>", shown[0])]
    assert counts == np.ravel(report.details["contingency"]["table"]).tolist()


def test_provenance_is_told(report: hf.Report, page: Read) -> None:
    for value in report.provenance.values():
        assert str(value) in page.visible


def test_the_policy_allows_these_scripts_and_this_style_and_nothing_else(page: Read) -> None:
    (policy,) = (each["content"] for each in page.all("meta") if "http-equiv" in each)
    assert policy is not None
    assert policy.startswith("default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:;")
    allowed = re.findall("'(sha256-[^']+)'", policy)
    run = [*page.texts["style"], *page.texts["script"][1:]]
    assert sorted(allowed) == sorted(
        "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in run
    )
    assert "unsafe" not in policy
    for tag, attributes in page.tags:
        assert not [name for name in attributes if name == "style" or name.startswith("on")], tag
        assert not [name for name in attributes if name in ("src", "srcset", "action")], tag
    assert {each.get("href") for each in page.all("link")} == {"data:,"}
    assert "innerHTML" not in page.texts["script"][-1]


@pytest.mark.parametrize("positive", [None, HOSTILE[1]])
def test_labels_are_data_never_markup(positive: str | None) -> None:
    generator = np.random.default_rng(3)
    names = np.array(HOSTILE if positive is None else HOSTILE[:2], dtype=object)
    truth = generator.integers(len(names), size=200)
    score = None if positive is None else generator.random(200)
    groups = {HOSTILE[0]: names[generator.integers(len(names), size=200)]}
    called = names[np.where(generator.random(200) < 0.7, truth, 0)]
    report = hf.assess(names[truth], called, score, positive=positive, groups=groups).with_command(HOSTILE[1])
    html = page_html(report)
    plain = Read(page_html(classes(2, 200)))
    made = Read(html)
    assert "<script>alert" not in html
    assert not made.all("img")
    assert "</script><!--" not in html
    assert len(made.all("script")) == len(plain.all("script")) == 3
    assert made.open == []
    for name in names:
        assert " ".join(name.split()) in made.visible
    data = made.texts["script"][0]
    assert "<" not in data
    assert "&" not in data


def test_a_very_long_label_is_cut() -> None:
    long = "x" * 10_000
    report = hf.assess([long, "b"] * 30, [long, "b", "b", "b"] * 15)
    html = page_html(report)
    assert len(html) < len(page_html(classes(2, 60))) + 200_000
    assert "x" * 59 + "…" in html
    assert "x" * 5_000 not in re.sub(r'<script type="application/json".*?</script>', "", html, flags=re.DOTALL)


@pytest.mark.crossing(3)
@pytest.mark.parametrize(
    ("report_of", "tables"),
    [
        (lambda: classes(2, 60), "class"),
        (lambda: classes(10, 500), "class"),
        (lambda: classes(200, 3_000), "measure"),
        (lambda: hf.assess(correct=[True] * 9 + [False]), None),
        (lambda: hf.assess(["a"], ["b"]), "class"),
        (lambda: hf.assess(["a"], ["a"], side="upper"), "class"),
        (lambda: hf.assess(["a", "b"] * 40, ["a", "a"] * 40, clusters=np.arange(80) // 4), "class"),
        (lambda: scored(200, simultaneous=True, side="lower"), "class"),
        (lambda: scored(60, only="auc"), None),
    ],
)
def test_every_kind_of_report_has_a_page(report_of: Any, tables: str | None) -> None:
    report = report_of()
    html = page_html(report)
    made = Read(html)
    assert made.open == []
    assert made.visible.startswith(headline_of(report))
    assert len(html.encode()) < 2_000_000
    assert len(re.findall("data-line=", html)) == len(report.whole)
    if tables == "measure":
        assert f"recall of {len({line.label for line in report.whole}) - 1} classes" in made.visible
        assert len(made.all("details")) < 40
    elif tables == "class":
        assert len({line.label for line in report.whole}) - 1 <= FEW_CLASSES


def test_claims_without_rows_have_a_page_too() -> None:
    report = hf.Report.of([hf.bound(hf.Counts(3, 100))])
    made = Read(page_html(report))
    assert made.visible.startswith("With 95 % confidence the true error rate is between 0.62 % and 8.52 %; this holds")


def test_an_outline_of_nothing_is_a_whole_page(report: hf.Report) -> None:
    made = Read(page_of(report, Outline(headline=("", "A is better than B."), sections=lambda medium: [])))
    assert made.open == []
    assert made.visible.startswith("A is better than B. What this rests on")
    assert made.texts["title"] == ["A is better than B. – holdfast"]
    found = [attributes["id"] for tag, attributes in made.tags if tag == "h2"]
    assert found == ["assumed", "pictures", "tables", "methods", "provenance"]
    assert made.data.keys() == {"charts", "levels"}
    assert len(made.data["charts"]) == len(report.charts)
    assert "95 % declared" in made.visible


def test_many_groups_are_cut_and_the_worst_stay() -> None:
    rows, count = 4_000, 120
    group = np.arange(rows) % count
    wrong = np.random.default_rng(4).random(rows) < np.where(group == 77, 0.9, 0.1)
    made = Read(page_html(hf.assess(correct=~wrong, groups={"g": group})))
    assert "g=77" in made.visible
    assert f"The worst {MOST_GROUPS.page}; all {count} are in the JSON." in made.visible


@pytest.mark.long
@pytest.mark.parametrize("rows", [(4_000, 8_000), pytest.param((10_000, 1_000_000), marks=pytest.mark.long)])
def test_the_page_does_not_grow_with_the_rows(rows: tuple[int, int]) -> None:
    small, large = (len(page_html(scored(number))) for number in rows)
    assert large <= small
    assert large < 2_000_000


def test_files_appear_by_their_ending(tmp_path: Path, report: hf.Report, html: str) -> None:
    report.save(tmp_path / "report.html")
    assert (tmp_path / "report.html").read_text(encoding="utf-8") == html
    report.save(tmp_path / "report.JSON")
    assert json.loads((tmp_path / "report.JSON").read_text(encoding="utf-8")) == json.loads(report.to_json())
    with pytest.raises(HoldfastError, match=r"\.html or \.json; .*report\.pdf' ends in neither"):
        report.save(tmp_path / "report.pdf")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["report.JSON", "report.html"]
