"""Claims and reports in a notebook: the right numbers, well-formed, escaped, and readable on any background."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import numpy as np
import pytest

import holdfast as hf
from holdfast.claims import Claim, Guarantee, Source
from holdfast.render.notebook import MARGIN, MOST_GROUPS, MOST_ROWS, WIDTH, Axis, interval_svg

HOSTILE = ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "x" * 10_000, "a&b;<", "\x1b[31m"]


class Reader(HTMLParser):
    """The cells of the rows, the tags, and the text beside."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.tags: list[str] = []
        self.text = ""
        self.inside = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        assert not any(name.startswith("on") for name, _ in attrs)
        if tag == "tr":
            self.rows.append([])
        self.inside = self.inside or tag in ("td", "th")
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("td", "th"):
            self.inside = False

    def handle_data(self, data: str) -> None:
        self.text += data
        if self.inside:
            self.rows[-1][-1] += data


def claim_of(
    lower: float, upper: float, estimate: float | None = None, guarantee: Guarantee = Guarantee.FINITE
) -> Claim:
    return Claim("mean-loss", estimate, lower, upper, 0.05, "both", 9, "any", guarantee, (), Source("key", "place"))


def pictures(page: str) -> list[ElementTree.Element]:
    return [ElementTree.fromstring(each) for each in re.findall(r"<svg.*?</svg>", page)]


def marks(picture: ElementTree.Element, tag: str) -> list[ElementTree.Element]:
    return [each for each in picture if each.tag.endswith(f"}}{tag}")]


def test_a_claim_is_a_sentence_and_a_row() -> None:
    page = hf.bound(hf.Counts(8, 30))._repr_html_()
    read = Reader(page)
    assert "With 95 % confidence the true error rate is between 12.2 % and 45.9 %; this holds at every" in read.text
    header, row = read.rows
    assert [*header[:3], *header[4:]] == ["measure", "estimate", "95 % limits", "method", "guarantee"]
    assert row == ["error-rate", "0.267", "[0.122, 0.459]", "", "clopper-pearson", "holds at every sample size"]
    assert "the model was fixed before these labels were used" in read.text


@pytest.mark.parametrize(
    ("side", "limits", "said"),
    [("upper", "at most 0.430", "is at most 43.0 %"), ("lower", "at least 0.140", "is at least 14.0 %")],
)
def test_one_sided_claims(side: str, limits: str, said: str) -> None:
    read = Reader(hf.bound(hf.Counts(8, 30), side=side)._repr_html_())  # type: ignore[arg-type]
    assert read.rows[1][2] == limits
    assert said in read.text


def test_other_measures_get_a_sentence_too() -> None:
    report = hf.assess(["a", "b", "a"], ["a", "b", "b"], only="kappa")
    assert "With 95 % confidence the true kappa is between" in report["kappa"]._repr_html_()


def test_an_array_of_claims_shows_a_few() -> None:
    read = Reader(hf.bound(hf.Counts(np.arange(24).reshape(2, 12), 40))._repr_html_())
    assert len(read.rows) == 11
    assert [row[0] for row in read.rows[:3]] == ["place", "0, 0", "0, 1"]
    assert [row[2] for row in read.rows[1:4]] == ["0.0000", "0.025", "0.050"]
    assert "... and 14 more" in read.text
    short = Reader(hf.bound(hf.Counts([0, 1, 2], [0, 9, 9]), delta=[0.1, 0.05, 0.01])._repr_html_())
    assert [row[2] for row in short.rows[1:]] == ["–", "0.111", "0.222"]
    assert [row[-3] for row in short.rows] == ["confidence", "90 %", "95 %", "99 %"]


def test_nothing_known_has_no_dot() -> None:
    page = hf.bound(hf.Counts(0, 0))._repr_html_()
    assert "<circle" not in page
    assert "–" in page


def test_a_report_has_its_headline_and_a_row_a_claim() -> None:
    generator = np.random.default_rng(5)
    truth = generator.integers(0, 2, 200)
    report = hf.assess(truth, np.where(generator.random(200) < 0.9, truth, 1 - truth), truth * 0.4 + 0.3)
    page = report._repr_html_()
    read = Reader(page)
    assert read.text.split("\n")[1].startswith("On 200 examples the model erred ")
    assert len(read.rows) == len(report.lines) + 1
    for line, row in zip(report.lines, read.rows[1:], strict=True):
        assert row[0] == line.measure
        assert row[1] == (line.label or "")
        assert row[-1] == line.claim.guarantee.sentence
    assert "Each interval holds on its own" in read.text
    assert "Filled dots and solid lines hold at every sample size, open dots do not." in read.text
    assert len(pictures(page)) == len(report.lines) + 1


def test_groups_are_summed_up_by_the_worst() -> None:
    generator = np.random.default_rng(6)
    groups = generator.integers(0, 200, 4_000)
    wrong = generator.random(4_000) < np.where(groups == 17, 0.95, 0.05)
    report = hf.assess(correct=~wrong, groups={"g": groups}, simultaneous=True)
    read = Reader(report._repr_html_())
    told = [row for row in read.rows if any(cell.startswith("g=") for cell in row)]
    assert len(told) == MOST_GROUPS
    assert "g=17" in told[0]
    assert f"Of 200 groups the {MOST_GROUPS} worst are shown" in read.text
    assert "intervals hold together with 95 % confidence" in read.text


def test_a_long_report_is_cut_and_says_so() -> None:
    labels = [f"c{i:02}" for i in range(30)]
    report = hf.assess(labels, labels)
    read = Reader(report._repr_html_())
    assert len(read.rows) == MOST_ROWS + 1
    assert f"... and {len(report.whole) - MOST_ROWS:,} more" in read.text


def test_methods_side_by_side_and_an_empty_report() -> None:
    read = Reader(hf.every_bound(hf.Counts(8, 30))._repr_html_())
    assert "choosing voids the guarantee" in read.text
    assert any("wilson" in row for row in read.rows)
    assert "<table>" in hf.Report.of([])._repr_html_()


@pytest.mark.parametrize("label", HOSTILE)
def test_labels_are_text_and_nothing_is_a_script(label: str) -> None:
    report = hf.assess([label, "b", "b"], [label, "b", label], groups={label: [label, "g", label]})
    read = Reader(report._repr_html_())
    assert {"script", "img", "style", "link", "iframe"}.isdisjoint(read.tags)
    assert max(len(cell) for row in read.rows for cell in row) <= 60
    assert "\x1b" not in read.text


def test_everything_is_drawn_in_the_colour_of_the_notebook() -> None:
    page = hf.every_bound(hf.Counts(8, 30))._repr_html_()
    colours = set(re.findall(r'(?:fill|stroke)="([^"]*)"', page))
    assert colours == {"currentColor", "none"}
    assert "http" not in page.replace('xmlns="http://www.w3.org/2000/svg"', "")


def test_the_strip_shows_estimate_and_limits_where_they_are() -> None:
    claim, inner = hf.bound(hf.Counts(8, 30)), WIDTH - 2 * MARGIN
    (picture,) = pictures(interval_svg(claim, Axis(0.0, 1.0)))
    (dot,) = marks(picture, "circle")
    assert float(dot.attrib["cx"]) == pytest.approx(MARGIN + 8 / 30 * inner, abs=0.01)
    lines = marks(picture, "line")
    bar = next(each for each in lines if each.attrib["y1"] == each.attrib["y2"])
    assert float(bar.attrib["x1"]) == pytest.approx(MARGIN + float(claim.lower) * inner, abs=0.01)
    assert float(bar.attrib["x2"]) == pytest.approx(MARGIN + float(claim.upper) * inner, abs=0.01)
    assert picture.attrib["aria-label"].startswith("estimate 0.2667, from 0.1228 to 0.4589, holds")


def test_how_firmly_it_holds_is_seen_without_colour() -> None:
    told = [interval_svg(claim_of(0.2, 0.6, 0.4, firmly), Axis(0.0, 1.0)) for firmly in Guarantee]
    dots = [marks(pictures(page)[0], "circle")[0].attrib["fill"] for page in told]
    assert dots == ["currentColor", "none", "none"]
    assert ["stroke-dasharray" in page for page in told] == [False, True, True]


def test_what_lies_beyond_the_axis_ends_in_an_arrow() -> None:
    axis = Axis.of([claim_of(0.1, 0.2), claim_of(-4.0, 30.0, 7.0)])
    assert (axis.low, axis.high) == (0.0, 1.0)
    (picture,) = pictures(interval_svg(claim_of(-4.0, 30.0, 7.0), axis))
    assert len(marks(picture, "polygon")) == 2
    assert not marks(picture, "circle")
    assert not marks(pictures(interval_svg(claim_of(0.1, 0.2), axis))[0], "polygon")


@pytest.mark.parametrize(
    ("limits", "ends"),
    [
        ([(0.1, 0.4)], (0.0, 1.0)),
        ([(-0.2, 0.4), (0.0, 9.0)], (-1.0, 1.0)),
        ([(2.0, 16.0)], (0.0, 16.0)),
        ([(-3.0, float("inf"))], (-3.0, 0.0)),
        ([(float("-inf"), float("inf"))], (0.0, 1.0)),
        ([], (0.0, 1.0)),
    ],
)
def test_the_axis_reaches_as_far_as_it_must(limits: list[tuple[float, float]], ends: tuple[float, float]) -> None:
    axis = Axis.of([claim_of(*pair) for pair in limits])
    assert (axis.low, axis.high) == ends
