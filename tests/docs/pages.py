"""The pages as they stand in the repository, and what in them can be run."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
MAKE = DOCS / "_make"  # the scripts that write pages
FENCE = re.compile(r"^(?P<fence>```+|~~~+)(?P<language>[^\n`]*)\n(?P<body>.*?)^(?P=fence)$", re.MULTILINE | re.DOTALL)
WRITTEN = sorted(path for path in DOCS.rglob("*.md") if "_build" not in path.parts)
PAGES = [*WRITTEN, ROOT / "README.md"]


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


def text(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def snippets(page: Path) -> str:
    """The page with only the examples of Python left in it, each on its own line as before."""
    kept = list("\n" * text(page).count("\n"))
    for found in FENCE.finditer(text(page)):
        if ">>> " in found["body"]:
            first = text(page).count("\n", 0, found.start("body"))
            for place, line in enumerate(found["body"].splitlines(keepends=True)):
                kept[first + place] = line
    return "".join(kept)


class Command(NamedTuple):
    line: int
    words: str
    output: str


def commands(page: Path) -> Iterator[Command]:
    """What the page types at a prompt, and what it says comes back."""
    for found in FENCE.finditer(text(page)):
        if not re.search(r"^\$ ", found["body"], re.MULTILINE):
            continue
        first = text(page).count("\n", 0, found.start("body")) + 1
        typed = re.split(r"^\$ ", found["body"], flags=re.MULTILINE)
        line = first + typed[0].count("\n")
        for one in typed[1:]:
            words, output = re.fullmatch(r"((?:[^\n]*\\\n)*[^\n]*)\n(.*)", one, re.DOTALL).groups()  # type: ignore[union-attr]
            yield Command(line, words.replace("\\\n", " "), output)
            line += one.count("\n")


def links(page: Path) -> Iterator[str]:
    """Where the page's own words point to, but for other places in it and addresses elsewhere."""
    for target in re.findall(r"\]\(([^)\s]+)\)", FENCE.sub("", text(page))):
        if not re.match(r"#|[a-z]+:", target):
            yield target.partition("#")[0]
