"""What a verb writes beside what it prints: the page, and single pictures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from holdfast.cli.options import Command, busy, command_line, show, tell
from holdfast.cli.verb import Picture, Written, check_apart, check_folder
from holdfast.errors import HoldfastError, UnknownName

if TYPE_CHECKING:
    from holdfast.report import Decision, Kind, Report
    from holdfast.report.decision import Threshold

    Pictured = Report | Decision | Threshold


def picture_options(examples: str) -> Callable[[Command], Command]:
    """--html and --chart, with file names that are examples of what can be drawn."""
    chart = click.option(
        "--chart",
        "charts",
        type=Picture(),
        metavar="FILE",
        multiple=True,
        help=f"Draw one picture: {examples} ...; FILE:NAME if the file is not named after it.",
    )
    page = click.option(
        "--html", "page", type=Written(), metavar="FILE", help="Write all of it as one page that opens anywhere."
    )
    return lambda command: page(chart(command))


@dataclass(frozen=True)
class Output:
    """Where an answer goes beside the terminal: into a page, and into pictures, each by its file and its name."""

    as_json: bool
    page: str | None
    pictures: list[tuple[str, str]]

    @classmethod
    def of(cls, given: dict[str, Any], kind: Kind) -> Output:
        """As --json, --html and --chart say among all that a command was given, which then are the others."""
        page = given.pop("page")
        return cls(given.pop("as_json"), page, checked(page, given.pop("charts"), kind))

    def answer(self, report: Pictured) -> None:
        """Print the report as what this command has made, and write what else was asked for."""
        made = report.with_command(command_line())
        show(made, self.as_json)
        self.write(made)

    def write(self, report: Pictured) -> None:
        """Write the page and the pictures, and say so."""
        if self.page is not None:
            with busy("Writing the page"):
                report.save(self.page)
            tell(f"Page written to {self.page}")
        for file, name in self.pictures:
            with busy("Drawing"):
                _draw(report, file, name)
            tell(f"Chart written to {file}")


def checked(page: str | None, charts: Sequence[str], kind: Kind, only: str | None = None) -> list[tuple[str, str]]:
    """File and name of each picture; whatever can be wrong with the files is found before the work.

    The pictures are those of this kind of report; where there is `only` one, a file may be called anything.
    """
    from holdfast.render.kinds import KINDS
    from holdfast.render.page import check_ending

    if page is not None:
        if Path(page).suffix.lower() != ".html":
            raise HoldfastError(f"The page is written as .html; got {page}.")
        check_folder(page)
    known = KINDS[kind].charts
    wanted = [(given.removesuffix(f":{only}"), only) if only else _named(given, known) for given in charts]
    for file, _ in wanted:
        check_ending(file)
        check_folder(file)
    check_apart([*([] if page is None else [("--html", page)]), *(("--chart", file) for file, _ in wanted)])
    return wanted


def _draw(report: Pictured, file: str, name: str) -> None:
    from holdfast.render.page import save_chart

    if name not in report.charts:
        restored = getattr(report, "restored", False)
        why = "JSON does not hold what is drawn in" if restored else "These data bear no picture"
        raise HoldfastError(f"{why} {name}; they bear {', '.join(report.charts) or 'none'}.")
    save_chart(report.charts[name], file)


def _named(given: str, known: Sequence[str]) -> tuple[str, str]:
    """The file, and which picture it is to hold: what stands behind a colon, or else what the file is called."""
    file, _, name = given.rpartition(":")
    if file and name in known:
        return file, name
    stem = Path(given).stem.lower()
    if stem not in known:
        raise UnknownName("picture", stem, known)
    return given, stem
