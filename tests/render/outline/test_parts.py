"""A part of an outline is shown by text and page alike: what is added in one place is seen in both."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

import holdfast as hf
from holdfast.claims import Guarantee
from holdfast.evidence import Counts
from holdfast.render import kinds
from holdfast.render.outline.parts import (
    LEVEL,
    Both,
    Column,
    Definitions,
    Fold,
    Medium,
    Name,
    Outline,
    Points,
    Room,
    Section,
    Sentence,
    Styled,
    Table,
    claims_table,
    split,
)
from holdfast.render.page import page_html, page_of
from holdfast.render.text.layout import as_text, report_parts
from holdfast.report import Kind
from tests.render.test_page import Read

CLAIM = hf.bound(Counts(8, 30))
REPORT = hf.assess(["a", "b"] * 20, ["a", "b", "b", "b"] * 10)


def text(table: Table) -> list[list[str]]:
    """The words of each row, parted where the table parts them."""
    return [re.split(r"\s{2,}", line.strip()) for line in as_text(table).split("\n")]


def page(*parts: Any, **more: Any) -> str:
    outline = Outline(headline=("", "So it is."), sections=lambda medium: [Section(parts, "Here")], **more)
    return page_of(REPORT, outline)


def test_what_is_added_to_an_outline_is_seen_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = kinds.KINDS[Kind.ASSESSMENT]

    def outline(report: hf.Report, facts: Any) -> Outline:
        made = shown.outline(report, facts)

        def sections(medium: Medium) -> list[Section]:
            return [
                *made.sections(medium),
                Section([Table([Column.words("planted")], [["seed"]], "Planted")], "Planted"),
            ]

        return replace(made, sections=sections)

    monkeypatch.setitem(kinds.KINDS, Kind.ASSESSMENT, shown._replace(outline=outline))
    assert re.search(r"planted *\n─+ *\nseed", str(REPORT))
    assert "Planted Planted seed" in Read(page_html(REPORT)).visible


def test_each_medium_cuts_names_and_digits_to_its_room() -> None:
    columns = [
        Column.words("first - second", "Models", longest=Room(5, 8)),
        Column("told", ("Estimate", f"{LEVEL} limits"), digits=Room(3, 5)),
    ]
    claim = hf.bound(Counts(800, 3000))
    table = Table(columns, [[Name("abcdefghij", "kl"), claim]], "Cut")
    assert text(table)[-1] == ["abcd… - kl", "0.267 [0.250, 0.283]"]
    visible = Read(page(table)).visible
    assert "Models Estimate 95 % limits" in visible.replace("Estimate95", "Estimate 95").replace("ModelsE", "Models E")
    assert "abcdefg… − kl" in visible
    assert "0.2667" in visible
    assert "[0.2509, 0.2829]" in visible


def test_of_more_rows_than_there_is_room_for_the_rest_is_counted() -> None:
    table = Table([Column.words("n")], [[f"{i:,}"] for i in range(30)], most=Room(3, 5))
    assert [row[0] for row in text(table)[2:]] == ["0", "1", "2", "... 27 more"]
    assert text(replace(table, total=1_000))[-1] == ["... 997 more"]
    narrow = replace(table, columns=[Column.words("n", longest=Room(11, 60))], total=100_003, narrow=True)
    assert text(narrow)[-1] == ["+100,000 more"]
    rows = re.findall(r'<th scope="row">(\d+)</th>', page(table))
    assert rows[-5:] == ["0", "1", "2", "3", "4"]


def test_a_column_may_belong_to_one_medium() -> None:
    columns = [Column.words("here"), Column("only text", ""), Column(None, "Only page")]
    table = Table(columns, [["x", "1", "2"]], "Split")
    assert [row for row in text(table) if len(row) > 1] == [["here", "only text"], ["x", "1"]]
    assert "Here Only page x2" in re.sub("(?<=[a-z])(?=[A-Z])", " ", Read(page(table)).visible)


@pytest.mark.parametrize(
    ("value", "in_text", "on_page"),
    [
        (True, "yes", '<td class="more">told</td>'),
        (False, "", "<td></td>"),
        (Guarantee.FINITE, "every n", '<span class="badge finite">every sample size</span>'),
        (Styled("loud", "bold"), "loud", None),
        (Both("short", "longer"), "short", "<td>longer</td>"),
        (Name("<b>"), "<b>", "<td>&lt;b&gt;</td>"),
        ("own words", "own words", "<td>own words</td>"),
    ],
)
def test_every_kind_of_cell(value: Any, in_text: str, on_page: str | None) -> None:
    table = Table([Column.words("row"), Column.words("told")], [["r", value]], "Cells")
    assert " ".join(text(table)[-1]) == f"r {in_text}".strip()
    if on_page is not None:
        assert on_page in page(table)


@pytest.mark.parametrize("side", ["both", "upper", "lower"])
def test_a_limit_that_is_claimed_alone_says_which(side: Any) -> None:
    claim = hf.bound(Counts(8, 30), side=side)
    words = {"both": "[", "upper": "at most ", "lower": "at least "}[side]
    table = claims_table([("rate", claim)], "Claims", ("estimate", "limits"), limits={"one_sided": "words"})
    assert text(table)[-1][2].startswith(words)
    assert f">{words}" in page(table)
    signs = replace(
        table, columns=[*table.columns[:1], replace(table.columns[1], one_sided="signs"), *table.columns[2:]]
    )
    sign = {"both": "[", "upper": "≤ ", "lower": "≥ "}[side]
    assert f">{sign}" in page(signs)
    assert text(signs)[-1][2][0] in "[0"  # for a sign has no room there


def test_folds_points_and_definitions() -> None:
    fold = Table(
        [Column.words("a")], [["b"]], "F", fold=Fold("Folded", CLAIM, open=False, printed=False), below="Below."
    )
    html = page(fold, Points("Named so:", ["One.", "Two."]), Sentence(("Said.",), "muted"))
    assert re.search(r"<details>\s*<summary>Folded <span class=\"muted\">clopper-pearson</span>", html)
    assert '<p class="muted">Below.</p>' in html
    assert "<li>One.</li>" in html
    assert "Named so:" not in html  # that of the section stands above
    assert '<p class="muted">Said.</p>' in html
    html = page(Definitions([("term", Guarantee.HEURISTIC, "remark", [("", "That."), ("Source", "key (1)")])]))
    assert "<code>term</code>" in html
    assert "<b>Source</b> key (1)" in html


def test_a_headline_is_split_where_a_sentence_ends() -> None:
    assert split("Seen so. It follows.") == ("Seen so.", "It follows.")
    assert split("It follows.") == ("", "It follows.")
    outline = Outline(headline=("Seen:", "there it is."), sections=lambda medium: [], more="And more.")
    assert outline.sentence == "Seen: there it is. And more."
    html = page_of(REPORT, outline)
    assert "There it is." in html  # a sentence of its own
    assert '<p class="after">And more.</p>' in html
    assert str(as_text(*report_parts(REPORT, outline))).startswith("Seen: there it is. And more.\n")


def test_text_makes_nothing_that_only_a_page_shows() -> None:
    asked: list[str] = []
    outline = Outline(headline=("", "So."), sections=lambda medium: asked.append(medium) or [])  # type: ignore[func-returns-value]
    report_parts(REPORT, outline)
    assert asked == ["text"]
    assert kinds.headline_of(REPORT)
