"""The pages of what changes along a parameter, or along the share of the rows that trains."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from holdfast.render.page.cells import BADGE, cut
from holdfast.render.page.frame import framed
from holdfast.render.page.tables import Row
from holdfast.render.text import decomposition, learning
from holdfast.render.text.assessment import MOST_DIGITS_OF_THREE, estimate_and_limits
from holdfast.render.text.decomposition import NAMES

if TYPE_CHECKING:
    from holdfast.claims import Claim
    from holdfast.report import Report


def along_html(report: Report) -> str:
    """What a decomposition or a learning curve says, in the frame of every page."""
    curve = "learning_curve" in report.details
    first, rest = learning.error_and_certainty(report) if curve else decomposition.where_and_what(report)
    return framed(
        "along.html",
        report,
        (first, rest[:1].upper() + rest[1:]) if first and rest else ("", first or rest),
        data={},
        once=None if curve or report.details["decomposition"]["parameter"] else _once(report),
        **(_curve(report) if curve else _values(report)),
    )


def _once(report: Report) -> list[Row]:
    return [
        Row(place, NAMES.get(line.measure, line.measure), "", *estimate_and_limits(line.claim), line.claim)
        for place, line in enumerate(report.whole)
    ]


def _curve(report: Report) -> dict[str, Any]:
    points = report.details["learning_curve"]["points"]
    rows = [
        (
            learning.share_of(point),
            (f"{point['n_train']:,}", f"{point['n_test']:,}"),
            [_told(claim)],
        )
        for point, claim in zip(points, report.claims, strict=True)
    ]
    titles = {"first": "Trained on", "counts": ("Rows", "Tested on"), "measures": ("Error rate",)}
    return {"title": "Each share", "methods_of": _methods(report.claims[:1]), "rows": rows, **titles}


def _values(report: Report) -> dict[str, Any]:
    """A row for each value of the parameter, and in it all parts of the loss."""
    told, by_value = report.details["decomposition"], decomposition.settings(report)
    rows = [
        (
            cut(decomposition.value_of(group, told)),
            (),
            [estimate_and_limits(claim, MOST_DIGITS_OF_THREE) for claim in claims.values()],
        )
        for group, claims in by_value.items()
    ]
    first = next(iter(by_value.values()))
    titles = {
        "first": cut(told["parameter"] or ""),
        "counts": (),
        "measures": [NAMES.get(name, name).capitalize() for name in first],
    }
    return {"title": "Each value", "methods_of": _methods(first.values()), "rows": rows, **titles}


def _told(claim: Claim) -> tuple[str, str]:
    """The estimate, and beside it its limits, or the one that is claimed."""
    estimate, limits = estimate_and_limits(claim, MOST_DIGITS_OF_THREE)
    return estimate, {"both": limits, "upper": f"≤ {limits}", "lower": f"≥ {limits}"}[claim.side]


def _methods(claims: Iterable[Claim]) -> list[tuple[str, str, tuple[str, str]]]:
    """Which method answers for which measures, and how firmly it holds."""
    found: dict[str, tuple[list[str], tuple[str, str]]] = {}
    for claim in claims:
        measures, _ = found.setdefault(claim.method, ([], BADGE[claim.guarantee]))
        measures.append(NAMES.get(claim.measure, claim.measure.replace("-", " ")))
    return [(method, ", ".join(measures), badge) for method, (measures, badge) in found.items()]
