"""A study's page: what it says at its top, its sections, tables, pictures and checks, as Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from textwrap import fill
from typing import Any

from holdfast.render.page import save_chart
from studies.checks import Check, Status, counted

WIDTH = 120


@dataclass
class Page:
    """What a study found. Whoever writes it adds sections; the counts at its top come from all its checks."""

    name: str  # of its files
    title: str
    introduction: str  # what the document is, and what was done with it
    checks: list[Check] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    pictures: dict[str, Any] = field(default_factory=dict)  # name of the file: an Altair chart

    def section(self, title: str, *paragraphs: str) -> None:
        self.parts.append("\n\n".join([f"## {title}", *(_filled(text) for text in paragraphs)]))

    def say(self, *paragraphs: str) -> None:
        self.parts.append("\n\n".join(_filled(text) for text in paragraphs))

    def table(self, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
        self.parts.append(table(header, rows))

    def picture(self, name: str, chart: Any, caption: str) -> None:
        """An Altair chart, written as SVG beside the page; the caption is also its text for those who cannot see it."""
        file = f"{self.name}-{name}.svg"
        self.pictures[file] = chart
        self.parts.append(f"![{caption}]({file})\n\n*{caption}*")

    def check(self, *checks: Check) -> None:
        """The checks of this section, as a table of all that is printed and what was found."""
        self.checks.extend(checks)
        self.parts.append(checked(checks))

    def text(self) -> str:
        top = [
            f"# {self.title}",
            "Written by `make studies`; do not edit.",
            f"Of {len(self.checks)} things checked: {counted(self.checks)}.",
        ]
        return "\n\n".join([*top, _filled(self.introduction), *self.parts]) + "\n"

    def write(self, folder: Path) -> None:
        """The page, its pictures, and its checks as JSON, from which the errata are made."""
        folder.mkdir(parents=True, exist_ok=True)
        for file, chart in self.pictures.items():
            save_chart(chart, folder / file)
        checks = [asdict(check) for check in self.checks]
        told = {"study": self.name, "title": self.title, "checks": checks}
        _write(folder / f"{self.name}.json", json.dumps(told, indent=1, ensure_ascii=False) + "\n")
        _write(folder / f"{self.name}.md", self.text())


def checked(checks: Sequence[Check]) -> str:
    header = ("place", "what", "printed", "found", "status", "how we know")
    rows = [(c.place, c.what, c.printed, c.found or "–", _marked(c.status), _sentence(c)) for c in checks]
    return table(header, rows)


def table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [f"| {' | '.join(header)} |", f"|{'---|' * len(header)}"]
    return "\n".join([*lines, *(f"| {' | '.join(_cell(value) for value in row)} |" for row in rows)])


def read_checks(file: Path) -> tuple[str, list[Check]]:
    """The title of a study and its checks, as `Page.write` left them."""
    told = json.loads(file.read_text(encoding="utf-8"))
    return told["title"], [Check(**{**check, "status": Status(check["status"])}) for check in told["checks"]]


def _filled(text: str) -> str:
    return fill(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def _marked(status: Status) -> str:
    return f"**{status}**" if status is Status.DIFFERS else str(status)


def _sentence(check: Check) -> str:
    return f"{check.how}. {check.why[0].upper()}{check.why[1:]}" if check.why else check.how


def _cell(value: object) -> str:
    return str(value).replace("|", "\\|").replace("\n", " ")


def _write(path: Path, text: str) -> None:
    """Whole or not at all."""
    beside = path.with_suffix(path.suffix + ".new")
    beside.write_text(text, encoding="utf-8")
    beside.replace(path)
