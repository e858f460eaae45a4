"""What a line of a stream says."""

from __future__ import annotations

from holdfast.sources.lines.outcomes import HEADERS, outcome


def test_no_header_is_a_way_to_write_an_outcome() -> None:
    assert [name for names in HEADERS.values() for name in names if outcome(name, correct=True) is not None] == []
