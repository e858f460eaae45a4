"""A report as one page: a file that opens anywhere, asks no network, and takes every label for data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from holdfast.claims import Guarantee
from holdfast.errors import HoldfastError
from holdfast.files import write_whole
from holdfast.render.page.along import along_html
from holdfast.render.page.comparison import comparison_html
from holdfast.render.page.duel import duel_html
from holdfast.render.page.explorer import explorer
from holdfast.render.page.frame import framed
from holdfast.render.page.headline import headline_of, strip
from holdfast.render.page.panel import committee_html, panel_html
from holdfast.render.page.tables import by_class, calibration, confusions, divisions, rows_of, splits
from holdfast.render.text.assessment import holding
from holdfast.render.text.crossed import about

if TYPE_CHECKING:
    from holdfast.report import Report

__all__ = ["page_html", "save_report"]


def save_report(report: Report, path: str | Path) -> None:
    """Write the report as a page or as JSON, as the file name's ending asks."""
    ending = Path(path).suffix.lower()
    if ending not in (".html", ".json"):
        raise HoldfastError(f"A report is written as .html or .json; {str(path)!r} ends in neither.")
    write_whole(path, (page_html(report) if ending == ".html" else report.to_json() + "\n").encode())


def page_html(report: Report) -> str:
    """The report as one self-contained page, as its kind is shown."""
    if "sequential" in report.details:
        return duel_html(report)
    if {"decomposition", "learning_curve"} & report.details.keys():
        return along_html(report)
    if "panel" in report.details:
        return panel_html(report)
    if "committee" in report.details:
        return committee_html(report)
    return comparison_html(report) if "verdict" in report.details else assessment_html(report)


def assessment_html(report: Report) -> str:
    """What an assessment says, in the frame of every page."""
    rows = list(rows_of(report))
    moved = explorer(report.views.get("thresholds"))
    return framed(
        "page.html",
        report,
        headline_of(report),
        data={"explorer": moved},
        strip=strip(report),
        holding=holding(report) if report.claims else "",
        explorer=moved,
        overall=[row for row in rows if not row.label and row.claim.measure != "calibration"],
        classes=by_class(report, rows),
        calibration=calibration(report, rows),
        matrix=confusions(report),
        divisions=list(divisions(report)),
        about=about(report) if "target" in report.details else "",
        splits=splits(report),
        unproven=bool(report.whole) and report.whole[0].claim.guarantee is Guarantee.HEURISTIC,
    )
