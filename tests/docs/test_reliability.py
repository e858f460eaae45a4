"""Every sentence of docs/reliability.md names tests that exist."""

from __future__ import annotations

import ast
import re

from tests.docs.pages import DOCS, ROOT, text

TEST = re.compile(r"`(tests/[\w/]+\.py)::(\w+)`")


def test_every_promise_names_a_test_that_exists() -> None:
    promises = re.findall(r"^- .*(?:\n  .*)*", text(DOCS / "reliability.md"), re.MULTILINE)
    assert len(promises) > 25
    for promise in promises:
        named = TEST.findall(promise)
        assert named, promise
        for file, name in named:
            tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
            assert name in {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}, (file, name)
