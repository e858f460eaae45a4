"""The directive `changelog`: the fragments of changelog.d/, the newest first."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sphinx.util.docutils import SphinxDirective

if TYPE_CHECKING:
    from docutils import nodes
    from sphinx.application import Sphinx

FRAGMENTS = Path(__file__).parents[2] / "changelog.d"


class Changelog(SphinxDirective):
    def run(self) -> list[nodes.Node]:
        files = [file for file in FRAGMENTS.glob("*.md") if file.name != "README.md"]
        self.env.note_dependency(str(FRAGMENTS))
        found: list[nodes.Node] = []
        for file in sorted(files, key=_number, reverse=True):
            self.env.note_dependency(str(file))
            found += self.parse_text_to_nodes(file.read_text(encoding="utf-8"))
        return found


def _number(file: Path) -> tuple[int, str]:
    leading = re.match(r"\d+", file.stem)
    return int(leading[0]) if leading else 0, file.stem


def setup(app: Sphinx) -> dict[str, Any]:
    app.add_directive("changelog", Changelog)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
