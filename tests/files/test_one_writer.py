"""Whatever the library writes, it writes by the one writer."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import holdfast

ROOT = Path(holdfast.__file__).parent
WRITING = {"write_text", "write_bytes", "replace", "rename", "savefig", "mkstemp", "fdopen", "to_csv", "write_csv"}
# What is handed to workers is a folder of its own, the traceback of a fault a new file among the temporary ones, and
# what an engine prints of its panic a stream.
ELSEWHERE = {"training/mapped_work.py", "cli/verb.py", "predictions/rows.py"}


def writes(tree: ast.AST) -> Iterator[int]:
    """Lines on which a file is written, as far as a call tells."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        owner = getattr(getattr(node.func, "value", None), "id", "")
        modes = [each.value for each in node.args if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        opened = name == "open" and any(mode in ("w", "wb", "a", "ab", "x", "xb") for mode in modes)
        renamed = name in ("replace", "rename") and owner == "os"
        if opened or renamed or name in WRITING - {"replace", "rename"} or name.startswith("sink_"):
            yield node.lineno


def test_nobody_else_writes_files() -> None:
    found = {
        f"{file}:{line}"
        for path in sorted(ROOT.rglob("*.py"))
        if not (file := path.relative_to(ROOT).as_posix()).startswith("files/") and file not in ELSEWHERE
        for line in writes(ast.parse(path.read_text(encoding="utf-8")))
    }
    assert found == set()


def test_a_writer_would_be_seen() -> None:
    code = "open(p, 'w')\np.open('ab')\np.write_text(t)\nos.replace(a, b)\nfigure.savefig(p)\nframe.sink_csv(p)\n"
    assert [*writes(ast.parse(code))] == [1, 2, 3, 4, 5, 6]
    assert [*writes(ast.parse("text.replace('a', 'w')\nopen(p)\nreplace(claim)\n"))] == []
