"""docs/errata.md: what is printed in the five documents and does not hold, made of the studies' checks."""

from __future__ import annotations

from pathlib import Path

from studies.checks import Check, Status, counted, of_status
from studies.pages import read_checks, table

INTRODUCTION = """\
# Errata: where the five documents are wrong

Written by `make studies` from the checks of all [studies](studies/index.md); do not edit. Each line is something that a
document prints and that a computation does not confirm: what is printed, what is right, how we know and, where it can
be told, how the slip came about. Where other tools are wrong stands in [other-tools.md](other-tools.md)."""


def errata(folder: Path) -> str:
    """The page, from what the studies left in the folder."""
    parts = [INTRODUCTION]
    every: list[Check] = []
    for file in sorted(folder.glob("*.json")):
        title, checks = read_checks(file)
        every += checks
        wrong = of_status(checks, Status.DIFFERS)
        heading = f"## {title}\n\n[The study](studies/{file.stem}.md): {counted(checks)}."
        parts.append("\n\n".join([heading, table(HEADER, map(_row, wrong))] if wrong else [heading]))
    parts.insert(1, f"Of {len(every)} things checked in all: {counted(every)}.")
    return "\n\n".join(parts) + "\n"


HEADER = ("place", "what", "printed", "right", "how we know", "how it can have come about")


def _row(check: Check) -> tuple[str, ...]:
    return check.place, check.what, check.printed, check.found, check.how, check.why or "–"
