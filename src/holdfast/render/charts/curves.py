"""Every threshold at once: the ROC curve and precision against recall, each in the band that holds for all of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import altair as alt
import numpy as np

from holdfast.claims import Claim, Guarantee
from holdfast.render.charts.look import SQUARE, beside, diagonal, finished, line_key, marks, rate_axis, share
from holdfast.render.phrases import level
from holdfast.report import Report
from holdfast.report.lines import in_a_sentence
from holdfast.wording import examples, printable

NAMES = {"roc": "ROC", "precision-recall": "precision-recall"}
CELLS = 200  # stretches of the x axis, in each of which the band is as high as anywhere in it
MANY_POINTS = 256  # of a curve, from which on those are left out that cannot be seen
UNSEEN = 0.1 / SQUARE  # a tenth of a pixel
MOST_BANDS, MOST_COLOURS = 3, 6  # curves up to which each is drawn with its band, and with a colour of its own


def roc(report: Report) -> alt.LayerChart | None:
    """True against false positive rate: the band, the diagonal of guessing, and where the model stands."""
    return _chart(report, "roc")


def precision_recall(report: Report) -> alt.LayerChart | None:
    """Precision against recall, its band, and where the model stands."""
    return _chart(report, "precision-recall")


def _chart(report: Report, name: str) -> alt.LayerChart | None:
    drawn = [key for key in report.drawn if key == name or key.startswith(f"{name} of ")]
    curves = {key: report.curves[key] for key in drawn}
    curves = {key: curve for key, curve in curves.items() if np.isfinite(curve.x).any() and np.isfinite(curve.y).any()}
    if not curves:
        return None
    if name in curves:
        return _one(report, name, curves[name])
    return _several(report, name, {key.removeprefix(f"{name} of "): curve for key, curve in curves.items()})


def _one(report: Report, name: str, curve: Any) -> alt.LayerChart:
    x, y = _axes(curve)
    line = (
        marks(_points(curve), _titles(curve))
        .mark_line(style="curve", interpolate="linear", point={"opacity": 0, "size": 60})
        .encode(x=x, y=y, order="place:Q")
    )
    layers = [
        marks(_band_rows(curve))
        .mark_area(style="band", interpolate="step-after")
        .encode(x=x, y="low:Q", y2="high:Q", detail="piece:N")
    ]
    if name == "roc":
        layers.append(diagonal())
    layers.append(line)
    point = operating_point(report, curve)
    if point is not None:
        layers += cross(point, curve)
    label = report.facts.positive
    about = f"Score of {printable(label)}, {examples(curve.n)}. " if label is not None else f"{examples(curve.n)}. "
    subtitle = [f"{about}The band holds at every threshold at once,", "also at one chosen after looking."]
    if report.facts.simultaneous:
        subtitle[1:] = ["also at one chosen after looking, and together with all intervals."]
    if point is not None:
        subtitle.append(f"Cross: {point['what']}, with limits of its own.")
    title = f"With {level(report, curve.delta)} confidence the true {NAMES[name]} curve is in the band"
    return finished(alt.layer(*layers), title, subtitle, width=SQUARE, height=SQUARE)


def _several(report: Report, name: str, curves: Mapping[str, Any]) -> alt.LayerChart:
    """One curve a class; a colour and a band each while they can be told apart."""
    first = next(iter(curves.values()))
    x, y = _axes(first)
    names = beside(curves, 22)
    rows = [
        row | {"class": label}
        for label, curve in zip(names, curves.values(), strict=True)
        for row in _points(curve, most=512 // len(names) + 40)
    ]
    lines = marks(rows, {"class": "class", **_titles(first)}).encode(x=x, y=y, order="place:Q")
    layers = [diagonal()] if name == "roc" else []
    thin: dict[str, Any] = {"style": "curve", "strokeWidth": 1.2, "opacity": 0.7}
    sure, together = level(report, first.delta), report.facts.simultaneous
    title = f"{len(names)} {NAMES[name]} curves, each of one class against the rest"
    subtitle = [
        f"Under the pointer: limits that hold with {sure} confidence",
        "at every threshold of the curve at once.",
    ]
    if len(names) <= MOST_COLOURS:
        colour = alt.Color("class:N", scale=alt.Scale(domain=names, range="ordinal"), legend=line_key(columns=3))
        lines, thin = lines.encode(color=colour), {"strokeWidth": 2}
        if len(names) <= MOST_BANDS:
            layers.insert(0, _bands(names, curves.values()).encode(x=x, color=colour))
            title = f"With {sure} confidence a true {NAMES[name]} curve is in its band"
            alone = "all of them, and all intervals, together." if together else "each on its own."
            subtitle = ["One class against the rest. A band holds at every threshold at once,", alone]
    layers.append(lines.encode(detail="class:N").mark_line(point={"opacity": 0, "size": 40}, **thin))
    return finished(alt.layer(*layers), title, subtitle, width=SQUARE, height=SQUARE)


def _bands(names: Iterable[str], curves: Iterable[Any]) -> Any:
    rows = [row | {"class": label} for label, curve in zip(names, curves, strict=True) for row in _band_rows(curve)]
    area = marks(rows).mark_area(opacity=0.12, interpolate="step-after")
    return area.encode(y="low:Q", y2="high:Q", detail=["piece:N", "class:N"])


def _axes(curve: Any) -> tuple[alt.X, alt.Y]:
    titles = _titles(curve)
    return rate_axis(alt.X, "x:Q", titles["across"], ticks=5), rate_axis(alt.Y, "y:Q", titles["up"], ticks=5)


def _titles(curve: Any) -> dict[str, str]:
    """What stands under the pointer, and on the axes."""
    return {"threshold": "threshold", "up": curve.y_is.replace("-", " "), "across": curve.x_is.replace("-", " ")}


def _points(curve: Any, most: int = 513) -> list[dict[str, Any]]:
    """The points of the curve, each with what is known of its threshold."""
    places = np.unique(np.linspace(0, curve.x.size - 1, min(most, curve.x.size)).round().astype(int))
    if places.size > MANY_POINTS:
        places = places[~_idle(curve.x[places], curve.y[places])]
    rows = []
    for place in places.tolist():
        x, y = float(curve.x[place]), float(curve.y[place])
        if not (np.isfinite(x) and np.isfinite(y)):
            continue
        threshold = float(curve.threshold[place])
        across = share(x, float(curve.x_lower[place]), float(curve.x_upper[place]))
        up = share(y, float(curve.y_lower[place]), float(curve.y_upper[place]))
        rows.append(
            {
                "place": place,
                "x": round(x, 5),
                "y": round(y, 5),
                "threshold": "above all scores" if np.isinf(threshold) else f"{threshold:.4g}",
                "across": f"{across[0]}, band {across[1]}",
                "up": f"{up[0]}, band {up[1]}",
            }
        )
    return rows


def _idle(x: Any, y: Any) -> Any:
    """Every other point, if the line between its neighbours passes so near that nobody sees the difference."""
    start, way = np.stack([x[:-2], y[:-2]]), np.stack([x[2:] - x[:-2], y[2:] - y[:-2]])
    away = np.stack([x[1:-1], y[1:-1]]) - start
    along = np.clip((away * way).sum(axis=0) / np.maximum((way**2).sum(axis=0), 1e-30), 0.0, 1.0)
    near = np.hypot(*(away - along * way)) < UNSEEN
    idle = np.zeros(x.size, dtype=bool)
    idle[1:-1:2] = near[::2]
    return idle


def _band_rows(curve: Any) -> list[dict[str, Any]]:
    """The union of all rectangles as a band of steps, in as many pieces as it has."""
    edges = np.linspace(0, 1, CELLS + 1)
    left, right, bottom, top = _joined(curve)
    # Rectangles by cells; a rectangle counts wherever it touches the cell, so the band is never too narrow.
    touches = (left[:, None] <= edges[1:]) & (right[:, None] >= edges[:-1])
    low = np.where(touches, bottom[:, None], np.inf).min(axis=0)
    high = np.where(touches, top[:, None], -np.inf).max(axis=0)
    rows: list[dict[str, Any]] = []
    piece = 0
    for cell in range(CELLS):
        if not np.isfinite(low[cell]):
            piece += 1
            continue
        ends = {
            "piece": piece,
            "low": float(np.floor(low[cell] * 1e4) / 1e4),
            "high": float(np.ceil(high[cell] * 1e4) / 1e4),
        }
        rows.append({"x": float(edges[cell]), **ends})
        if cell == CELLS - 1 or not np.isfinite(low[cell + 1]):
            rows.append({"x": float(edges[cell + 1]), **ends})
    return rows


def _joined(curve: Any) -> list[Any]:
    """The sides of all rectangles, and of those in between where the curve is drawn as a long straight line.

    A point on the way from one true point to the next is in a rectangle as far on the way between theirs.
    """
    sides = [curve.x_lower, curve.x_upper, curve.y_lower, curve.y_upper]
    steps = np.max([np.abs(np.diff(side)) for side in sides], axis=0, initial=0.0) * 2 * CELLS
    pieces = np.maximum(np.ceil(steps).astype(int), 1)
    place = np.concatenate([[0.0], *(at + np.arange(1, n + 1) / n for at, n in enumerate(pieces.tolist()))])
    return [np.interp(place, np.arange(side.size), side) for side in sides]


def operating_point(report: Report, curve: Any) -> dict[str, Any] | None:
    """Where the model stands: at the threshold declared beforehand, or where its own answers put it."""
    wanted = curve.x_is, curve.y_is
    view = report.views.get("thresholds")
    if view and view["declared"] is not None:
        point = next(point for point in view["points"] if point["threshold"] == view["declared"])
        ranges = {measure: _limits_of(point, measure) for measure in wanted}
        what = f"the operating point, from the score {view['declared']:.4g} on"
    else:
        ranges = {measure: _claimed(report, measure) for measure in wanted}
        what = "the model's own answers"
    (across, up) = (ranges[measure] for measure in wanted)
    if across is None or up is None:
        return None
    corners = dict(zip(("x", "left", "right"), across, strict=True)) | dict(zip(("y", "low", "high"), up, strict=True))
    words = {field: ", ".join(share(*limits)) for field, limits in (("across", across), ("up", up))}
    return {**corners, **words, "what": what}


def _limits_of(point: Mapping[str, Any], measure: str) -> tuple[float, float, float] | None:
    rate = point["specificity"] if measure == "false-positive-rate" else point[measure]
    if not rate or rate["estimate"] is None:
        return None
    if measure == "false-positive-rate":
        return 1 - rate["estimate"], 1 - rate["upper"], 1 - rate["lower"]
    return rate["estimate"], rate["lower"], rate["upper"]


def _claimed(report: Report, measure: str) -> tuple[float, float, float] | None:
    positive = report.facts.positive
    claims = [line.claim for line in report.whole if line.measure == measure and line.label == positive]
    claim: Claim | None = next((claim for claim in claims if claim.guarantee is Guarantee.FINITE), None)
    if positive is None or claim is None or claim.estimate is None:
        return None
    return float(claim.estimate), float(claim.lower), float(claim.upper)


def cross(point: Mapping[str, Any], curve: Any) -> list[alt.Chart]:
    """The point with the limits of either rate."""
    titles = {"what": "at", "up": in_a_sentence(curve.y_is), "across": in_a_sentence(curve.x_is)}
    chart = marks([point], titles)
    return [
        chart.mark_rule(style="operating").encode(x="left:Q", x2="right:Q", y="y:Q"),
        chart.mark_rule(style="operating").encode(x="x:Q", y="low:Q", y2="high:Q"),
        chart.mark_point(style="operating-dot", filled=True, size=90, opacity=1).encode(x="x:Q", y="y:Q"),
    ]
