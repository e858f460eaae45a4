"""What docs/crossings.md says of every verb with every modifier."""

from __future__ import annotations

import re

from tests.docs.pages import DOCS


def test_the_page_counts_what_it_marks_and_most_of_it_is_answered() -> None:
    """The page itself is made again where the long tests run."""
    text = (DOCS / "crossings.md").read_text(encoding="utf-8")
    works, number, pairs, all_pairs = map(
        int, re.findall(r"\*\*(\d+) of (\d+) crossings .*?and (\d+) of (\d+) pairs", text, re.DOTALL)[0]
    )
    table = [line for line in text.splitlines() if line.startswith("| **")]
    assert sum(line.count("●") for line in table) == works
    assert sum(line.count("●") + line.count("○") for line in table) == number == 150
    assert pairs >= all_pairs - 5 >= 60  # 19 of 65 were refused once
    assert works >= 105  # of which 67 were answered before designs composed
    refused = text.partition("## What is refused")[2].partition("## What makes no sense")[0]
    assert refused.count("\n- **") == number - works + all_pairs - pairs
    assert "No such option" not in refused
    assert "says nothing beside" not in refused  # which would be no reason
