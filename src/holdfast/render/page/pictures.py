"""The pictures of a page, and what is written above them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from itertools import groupby
from operator import itemgetter
from typing import Any

from holdfast.claims import Claim
from holdfast.render.phrases import UNKNOWN, estimate_and_limits, rate_and_limits
from holdfast.report import Report
from holdfast.wording import printable

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
    drawn = [_picture(name, specification, report.views) for name, specification in specifications.items()]
    for wide, run in groupby(drawn, key=itemgetter("wide")):
        pairs = list(run)
        pairs[-1]["wide"] = wide or len(pairs) % 2 == 1  # alone in its row, it may have all of it
    return drawn, list(specifications.values())


def thinning(report: Report) -> str:
    """How the curves were thinned, where more may be known of them than is drawn."""
    from holdfast.render.charts.curves import MANY_POINTS

    if all(curve.n <= MANY_POINTS for curve in report.curves.values()):
        return ""
    return THINNED + (SEVERAL if not {"roc", "precision-recall"} & report.curves.keys() else "")


def _picture(name: str, specification: dict[str, Any], views: Mapping[str, Any]) -> dict[str, Any]:
    """Title and caption of a chart, taken out of it: the page sets them, so that they wrap on a phone."""
    title = specification.pop("title", None) or name.replace("-", " ").capitalize()
    words = title if isinstance(title, dict) else {"text": title}
    rows = isinstance(specification.get("height"), dict)  # labels, and a height for each of them
    text, subtitle = _joined(words.get("text", name)), _joined(words.get("subtitle", ""))
    return {
        "name": name,
        "wide": rows and not (name == "matrix" and len(views["matrix"]["labels"]) <= NARROW),
        "title": text,
        "caption": subtitle,
        "alt": specification.get("description") or f"{text}. {subtitle}",
    }


def _joined(text: str | Iterable[str]) -> str:
    return text if isinstance(text, str) else " ".join(text)


RATES = ("recall", "specificity", "precision")
OWN = "So each interval here is that of this one threshold."
CHOSEN = (
    "This threshold was not fixed beforehand. Whoever picks one after looking picks among the lucky ones: with 200 "
    "positives, some threshold has a false limit of its own in half of all samples. So the limits shown are those of "
    "a band that holds for all thresholds at once."
)


def explorer(view: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """What the slider shows at each of its steps, rising thresholds from left to right."""
    if view is None or not view["points"]:
        return None
    points, declared = list(reversed(view["points"])), view["declared"]
    own = [declared is not None and point["threshold"] == declared for point in points]
    return {
        "label": printable(view["label"], 60),
        "declared": next((point["shown"] for point, mine in zip(points, own, strict=True) if mine), None),
        "all": f"{view['of']:,}" if len(points) < view["of"] else "",
        "start": _start(points, own),
        "own": own.index(True) if any(own) else None,
        "why": [f"{view['why']} {OWN}", CHOSEN],
        "steps": [_step(point, mine) for point, mine in zip(points, own, strict=True)],
    }


def _start(points: Sequence[Mapping[str, Any]], own: Sequence[bool]) -> int:
    """The declared threshold; else one half where scores lie about it, else the middle."""
    if any(own):
        return own.index(True)
    at = [point["threshold"] for point in points]
    if 0 <= min(at) <= 0.5 <= max(at) <= 1:
        return min(range(len(at)), key=lambda i: abs(at[i] - 0.5))
    return len(points) // 2


def _step(point: Mapping[str, Any], own: bool) -> list[Any]:
    """Threshold, counts, and of each rate the estimate and limits: its own, or those of the band."""
    ends = ("lower", "upper") if own else ("band_lower", "band_upper")
    rates = [rate_and_limits(point[r]["estimate"], *(point[r].get(end) for end in ends)) for r in RATES]
    counts = [f"{point[name]:,}" for name in ("tp", "fp", "fn", "tn")]
    cells = [(estimate or UNKNOWN, limits or UNKNOWN) for estimate, limits in rates]
    return [point["shown"], counts, cells]


def levels(report: Report) -> dict[str, Any] | None:
    """The limits of every line at every level, in the order of the lines, and which level was declared."""
    view = report.views.get("levels")
    if view is None:
        return None
    limits_at = (zip(report.whole, view["claims"][str(level)], strict=True) for level in view["levels"])
    shown_limits = [[_limits_at(line.claim, limits) for line, limits in pairs] for pairs in limits_at]
    names = [f"{(Decimal(str(level)) * 100).normalize():f} %" for level in view["levels"]]
    return {"names": names, "declared": view["levels"].index(view["declared"]), "limits": shown_limits}


def _limits_at(claim: Claim, limits: Mapping[str, float | None]) -> str:
    if limits["lower"] is None or limits["upper"] is None:
        return UNKNOWN
    return estimate_and_limits(replace(claim, lower=limits["lower"], upper=limits["upper"]))[1]
