"""The pictures of a page, and what is written above them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from holdfast.render.charts.curves import MANY_POINTS

if TYPE_CHECKING:
    from holdfast.report import Report

NARROW = 3  # labels of a matrix that leaves room for a picture beside it
MOST_POINTS = 512  # of a curve, besides its beginning
THINNED = (
    f"Curves of very many thresholds are drawn at {MOST_POINTS} of them at most, at equal steps along the ROC curve; "
    "of these every other one is left out where the line then moves by less than a tenth of a pixel. So whatever is "
    "left out of the ROC curve lies less than two pixels from the line. Precision and recall are drawn in the same way."
)
SEVERAL = " Of several curves in one picture each is drawn at fewer."


def pictures(report: Report) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Of every chart what the page writes about it, and its specification without that."""
    specifications = {name: chart.to_dict(validate=False) for name, chart in report.charts.items()}
    told = [_picture(name, specification, report.views) for name, specification in specifications.items()]
    for wide, run in groupby(told, key=itemgetter("wide")):
        pairs = list(run)
        pairs[-1]["wide"] = wide or len(pairs) % 2 == 1  # alone in its row, it may have all of it
    return told, list(specifications.values())


def thinning(report: Report) -> str:
    """How the curves were thinned, where more may be known of them than is drawn."""
    if all(curve.n <= MANY_POINTS for curve in report.curves.values()):
        return ""
    return THINNED + (SEVERAL if not {"roc", "precision-recall"} & report.curves.keys() else "")


def _picture(name: str, specification: dict[str, Any], views: Mapping[str, Any]) -> dict[str, Any]:
    """Title and caption of a chart, taken out of it: the page sets them, so that they wrap on a phone."""
    title = specification.pop("title", None) or name.replace("-", " ").capitalize()
    told = title if isinstance(title, dict) else {"text": title}
    rows = isinstance(specification.get("height"), dict)  # labels, and a height for each of them
    text, subtitle = _joined(told.get("text", name)), _joined(told.get("subtitle", ""))
    return {
        "name": name,
        "wide": rows and not (name == "matrix" and len(views["matrix"]["labels"]) <= NARROW),
        "title": text,
        "caption": subtitle,
        "alt": specification.get("description") or f"{text}. {subtitle}",
    }


def _joined(text: str | Iterable[str]) -> str:
    return text if isinstance(text, str) else " ".join(text)
