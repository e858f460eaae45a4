"""Every decision is written in one form, and no number is given twice."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs.pages import DOCS, text

DECISIONS = sorted((DOCS / "decisions").glob("0*.md"))
HEADINGS = ["The question", "The decision", "What was rejected", "What follows, and what it costs"]


@pytest.mark.parametrize("page", DECISIONS, ids=lambda page: page.stem)
def test_a_decision_has_its_parts_in_order(page: Path) -> None:
    assert re.match(
        rf"# {page.stem[:4]}: .+\n\n\*\*Status:\*\* (accepted|replaced by \[\d{{4}}\]\(.+\))\.\n", text(page)
    )
    parts = re.split(r"^## (.+)$", text(page), flags=re.MULTILINE)
    assert parts[1::2] == HEADINGS
    assert all(part.strip() for part in parts[2::2])


def test_decisions_are_numbered_from_one_on() -> None:
    assert [int(page.stem[:4]) for page in DECISIONS] == list(range(1, len(DECISIONS) + 1))
