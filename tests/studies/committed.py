"""What the pages that stand in the repository say, for the tests that compute it again."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path

from studies.checks import Check
from studies.pages import read_checks

ROOT = Path(__file__).parents[2]
Told = tuple[str, ...]


def told(checks: Iterable[Check], drawn: str | None = None) -> list[Told]:
    """What each check says; those that say `drawn` in how we know hang on how much was drawn, and are left out."""
    fixed = [check for check in checks if drawn is None or drawn not in check.how]
    return [(check.place, check.what, check.printed, check.found, str(check.status)) for check in fixed]


def committed(study: str, drawn: str | None = None) -> list[Told]:
    return told(read_checks(ROOT / "docs" / "studies" / f"{study}.json")[1], drawn)


def reference(document: str) -> dict[tuple[str, str], dict[str, str]]:
    """What was worked out before about documents 001, 003 and 004, by item and quantity."""
    with (ROOT / "tests" / "reference" / "bax_slides_zaki_checked.csv").open(encoding="utf-8", newline="") as lines:
        return {(row["item"], row["quantity"]): row for row in csv.DictReader(lines) if row["seed"] == document}
