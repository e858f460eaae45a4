"""Every log is known by what it holds, and to one tool alone."""

from __future__ import annotations

from holdfast.sources.logs.documents import document_of
from holdfast.sources.logs.reading import TOOLS
from tests.sources.logs.making import DATA


def test_no_tool_takes_the_log_of_another() -> None:
    for path in sorted(
        path for path in DATA.rglob("*") if path.is_file() and path.suffix in (".eval", ".json", ".jsonl")
    ):
        document = document_of(path, path.name)
        assert document is not None
        assert len([tool.name for tool in TOOLS if tool.reader.recognises(document)]) <= 1, path
