"""Reports and decisions as Markdown: every line, the digits of the text, and no label that is markup."""

from __future__ import annotations

import re

import pytest

import holdfast as hf
from tests.results import DECISIONS, REPORTS, result_of
from tests.snapshots import matches

HOSTILE = ["<script>alert(1)</script>", "a|b\nc", "*bold* _it_ `code` [x](y)", "&amp; $x$ ~~z~~ \\ #1", "- item"]


def cells(markdown: str) -> list[list[str]]:
    """The table, split at the pipes that are not escaped."""
    rows = [line for line in markdown.splitlines() if line.startswith("| ")]
    return [re.split(r"(?<!\\) \| ", row.removeprefix("| ").removesuffix(" |")) for row in rows]


@pytest.mark.parametrize("name", [*REPORTS, *DECISIONS])
def test_every_line_is_a_row_with_its_guarantee_in_words(name: str) -> None:
    result = result_of(name)
    markdown = result.to_markdown()
    header, _, *rows = cells(markdown)
    leaves = list(result.leaves()) if isinstance(result, hf.Decision) else result.lines
    assert len(rows) == len(leaves)
    for row, leaf in zip(rows, leaves, strict=True):
        assert len(row) == len(header)
        assert leaf.claim.guarantee.sentence in row
        assert leaf.claim.method in row
    assert "% confidence" in markdown
    assert "This assumes that" in markdown


def test_the_digits_are_those_of_the_text() -> None:
    report = result_of("assess-clusters")
    for line in cells(report.to_markdown())[2:4]:
        estimate, limits = line[-4], line[-3].replace("\\", "")
        assert re.search(rf"{re.escape(estimate)} +{re.escape(limits)}", str(report))


def test_markdown() -> None:
    told = [f"## {name}\n\n{result_of(name).to_markdown()}" for name in ("assess-clusters", "compare", "gate-groups")]
    matches("markdown", "\n\n".join(told))


def test_labels_are_data() -> None:
    report = hf.assess(HOSTILE * 4, HOSTILE[1:] * 4 + HOSTILE[:1] * 4, groups={HOSTILE[0]: HOSTILE * 4})
    markdown = report.to_markdown()
    assert "<script>" not in markdown
    assert "a\\|b\\\\nc" in markdown
    assert "\\*bold\\* \\_it\\_ \\`code\\` \\[x\\](y)" in markdown
    assert "&amp;amp; \\$x\\$ \\~\\~z\\~\\~ \\\\ \\#1" in markdown
    header, _, *rows = cells(markdown)
    assert {len(row) for row in rows} == {len(header)}
    named = hf.compare([1, 0] * 30, {"- one": [1, 0] * 30, "2. two": [1, 1] * 30}).to_markdown()
    assert named.startswith("\\- one is better than 2. two")


def test_a_report_without_claims_says_so() -> None:
    assert hf.Report.of([]).to_markdown() == "This report makes no claim.\n"
