"""A report as one page: a file that opens anywhere, asks no network, and takes every label for data."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cache
from importlib import resources
from itertools import groupby
from math import floor, log10
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from holdfast.claims import Assumption, Claim, Guarantee
from holdfast.errors import HoldfastError
from holdfast.render.assessment import estimate_and_limits, headline, holding, of_a_class, shown, worst_first
from holdfast.render.files import write_whole
from holdfast.render.numbers import UNKNOWN, confidence, digits_for, percent, rounded
from holdfast.render.text import headline as claim_headline

if TYPE_CHECKING:
    from holdfast.report import Block, Line, Report

FEW_CLASSES = 12  # up to which each class has a table, and the confusion matrix is shown whole
MOST_CELLS = 60  # of a larger confusion matrix: the most confused
MOST_GROUPS = 50  # of a division, the worst first
NARROW = 3  # labels of a matrix that leaves room for a picture beside it
LONGEST = 60  # characters of a label
BADGE = {
    Guarantee.FINITE: ("finite", "every sample size"),
    Guarantee.ASYMPTOTIC: ("asymptotic", "large samples only"),
    Guarantee.HEURISTIC: ("heuristic", "no proof"),
}
LIMITS = {"both": "interval", "upper": "upper limit", "lower": "lower limit"}
BROKEN_BY = {
    Assumption.INDEPENDENT: "several rows of the same patient, user or text, or examples gathered at another time or "
    "place than the model will work in",
    Assumption.FIXED_MODEL: "choosing the model, its threshold or its features by how they did on these examples",
    Assumption.FIXED_PLAN: "trying methods until one pleases, or adding examples until the result does",
    Assumption.KNOWN_RANGE: "reading the range off the largest loss that was seen",
    Assumption.OWN_RANGES: "ranges that were set after the losses were seen",
    Assumption.SHUFFLED: "changing rows until the shuffle turns out well",
    Assumption.ANY_TIME: "changing the method or the confidence after the first result",
    Assumption.CLUSTERS: "clusters that share a source: two passages of one book, two patients of one family",
    Assumption.CAPPED_CLUSTERS: "a cap that was read off the largest cluster seen",
    Assumption.WITHIN_CLASSES: "picking the easy, or the hard, examples of a class",
    Assumption.STATED_PREVALENCE: "using the model where the classes are more or less frequent than stated",
    Assumption.FIXED_BINS: "bins that these scores chose",
    Assumption.EXCHANGEABLE: "labelling the examples that looked interesting",
}
RATES = ("recall", "specificity", "precision")
OWN = "So each interval here is that of this one threshold."
CHOSEN = (
    "This threshold was not fixed beforehand. Whoever picks one after looking picks among the lucky ones: with 200 "
    "positives, some threshold has a false limit of its own in half of all samples. So the limits shown are those of "
    "a band that holds for all thresholds at once."
)


class Row(NamedTuple):
    """A line of the report as a table shows it; its place among the lines is where other confidences are found."""

    place: int
    name: str
    label: str
    estimate: str
    limits: str
    claim: Claim

    @property
    def badge(self) -> tuple[str, str]:
        return BADGE[self.claim.guarantee]


def save_report(report: Report, path: str | Path) -> None:
    """Write the report as a page or as JSON, as the file name's ending asks."""
    ending = Path(path).suffix.lower()
    if ending not in (".html", ".json"):
        raise HoldfastError(f"A report is written as .html or .json; {str(path)!r} ends in neither.")
    write_whole(path, (page_html(report) if ending == ".html" else report.to_json() + "\n").encode())


def page_html(report: Report) -> str:
    """The report as one self-contained page.

    Scripts and the style are allowed by their hash alone; whatever came from outside is escaped text, or data.
    """
    views = report.views
    rows = list(_rows(report))
    specifications = {name: chart.to_dict(validate=False) for name, chart in report.charts.items()}
    charts = [_picture(name, specification, views) for name, specification in specifications.items()]
    levels, explorer = _levels(report, views.get("levels")), _explorer(views.get("thresholds"))
    data = {"charts": list(specifications.values()), "levels": levels and levels["limits"], "explorer": explorer}
    script, style, bundle = _asset("page.js"), _asset("page.css"), _asset("vega.js") if charts else ""
    return _template().render(
        report=report,
        headline=_headline(report),
        strip=_strip(report),
        assumed=_assumed(report),
        holding=holding(report) if report.claims else "",
        charts=charts,
        levels=levels,
        explorer=explorer,
        level=_declared(report),
        overall=[row for row in rows if not row.label and row.claim.measure != "calibration"],
        classes=_by_class(report, rows),
        calibration=_calibration(report, rows),
        matrix=_matrix(report),
        divisions=list(_divisions(report)),
        methods=list(_methods(report)),
        provenance=_provenance(report),
        limits=LIMITS,
        percents=re.compile(r"([\d.,]+ %[;.,]?)").split,
        script=script,
        style=style,
        bundle=bundle,
        script_hashes=[_hash(text) for text in (bundle, script) if text],
        style_hash=_hash(style),
        data=json.dumps(data, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c").replace("&", "\\u0026"),
    )


def _headline(report: Report) -> tuple[str, str]:
    """What was seen, and what follows."""
    if "errors" in report.details:
        said = headline(report)
    elif report.whole:
        claim = report.whole[0].claim
        said = f"{claim_headline(claim)[:-1]}; this {claim.guarantee.sentence}."
    else:
        said = "This report makes no claim about the whole."
    first, stop, rest = said.partition(". ")
    return (first + ".", rest) if stop else ("", said)


def _strip(report: Report) -> dict[str, Any] | None:
    """The error rate on a scale from nothing on: where its ends and the estimate are, in percent of the width."""
    line = next((line for line in report.whole if line.measure == "error-rate" and line.label is None), None)
    if line is None:
        return None
    lower, upper, estimate = float(line.claim.lower), float(line.claim.upper), line.claim.estimate
    top = _scale_end(upper)
    ticks = [(f"{100 * part:g}", f"{Decimal(repr(top)) * Decimal(str(part)) * 100:g}".rstrip()) for part in (0, 0.5, 1)]
    digits = digits_for(upper - lower)
    return {
        "start": f"{100 * lower / top:.3f}",
        "width": f"{100 * (upper - lower) / top:.3f}",
        "end": f"{100 * upper / top:.3f}",
        "estimate": None if estimate is None else f"{100 * float(estimate) / top:.3f}",
        "told": [percent(value, digits, way) for value, way in ((lower, "down"), (upper, "up"))],
        "middle": percent(None if estimate is None else float(estimate), digits, "nearest"),
        "ticks": [(place, f"{float(mark):g} %") for place, mark in ticks],
    }


def _scale_end(upper: float) -> float:
    """The next of 1, 2, 4, 5, 10 times a power of ten, at most the whole."""
    step = 10.0 ** floor(log10(max(upper, 1e-9)))
    return min(1.0, next(times * step for times in (1, 2, 4, 5, 10) if times * step >= upper * 0.999999))


def _assumed(report: Report) -> dict[str, list[tuple[str, str]]]:
    """What the headline rests on, and what the other claims need besides; each with what would break it."""
    claims, first = report.claims, _first_assumed(report.claims)
    rest = [sentence for sentence in dict.fromkeys(s for c in claims for s in c.assumes) if sentence not in first]
    told = {"first": first, "rest": rest}
    return {key: [(str(s), BROKEN_BY.get(s, "")) for s in sentences] for key, sentences in told.items()}


def _first_assumed(claims: Sequence[Claim]) -> tuple[Assumption, ...]:
    """What the sentence at the top rests on."""
    return next((c.assumes for c in claims if c.measure == "error-rate"), claims[0].assumes if claims else ())


def _declared(report: Report) -> str:
    together = report.details.get("simultaneous")
    if together:
        return confidence(float(together["delta"]))
    return confidence(float(np.min(report.claims[0].delta))) if report.claims else ""


def _rows(report: Report) -> Iterator[Row]:
    for place, line in enumerate(report.whole):
        own = line.label is not None and of_a_class(line)
        name = line.measure if own or line.label is None else f"{line.measure}, {shown(line.label, LONGEST)}"
        name += f" ({shown(line.model, LONGEST)})" if line.model else ""
        yield Row(
            place, name, shown(str(line.label), LONGEST) if own else "", *estimate_and_limits(line.claim), line.claim
        )


def _by_class(report: Report, rows: Sequence[Row]) -> dict[str, Any]:
    """A table for each of a few classes, the positive one first; of many, one for each measure and its method."""
    own = [(report.whole[row.place].label, row) for row in rows if row.label]
    labels = list(dict.fromkeys(label for label, _ in own))
    positive = report.details.get("positive")
    labels.sort(key=lambda label: label != positive)
    if len(labels) <= FEW_CLASSES:
        tables = [(_shown(label), label == positive, [r for at, r in own if at == label]) for label in labels]
        return {"each": "class", "number": len(labels), "tables": tables}
    first = {name: place for place, name in reversed(list(enumerate(row.name for row in rows)))}
    order = sorted((row for _, row in own), key=lambda row: (first[row.name], row.claim.method))
    kinds = groupby(order, key=lambda row: (row.name, row.claim.method))
    return {
        "each": "measure",
        "number": len(labels),
        "tables": [(name, False, list(found)) for (name, _), found in kinds],
    }


def _calibration(report: Report, rows: Sequence[Row]) -> dict[str, Any] | None:
    told = report.details.get("calibration")
    if told is None:
        return None
    of = {report.whole[row.place].label: row for row in rows if row.claim.measure == "calibration"}
    bins = [(b["bin"], f"{b['n']:,}", rounded(b["mean_score"], 3, "nearest"), of[b["bin"]]) for b in told["bins"]]
    return {"label": _shown(told["label"]), "bins": bins}


def _matrix(report: Report) -> dict[str, Any] | None:
    """The confusion matrix: whole where it is small, else its most confused cells."""
    view = report.views.get("matrix")
    if view is None:
        return None
    names = [_shown(label, 24) for label in view["labels"]]
    if view["complete"] and len(names) <= FEW_CLASSES:
        found = {(cell["predicted"], cell["actual"]): cell for cell in view["cells"]}
        whole = [[_cell(found.get((i, j), {"count": 0})) for j in range(len(names))] for i in range(len(names))]
        return {"names": names, "rows": list(zip(names, whole, strict=True)), "cells": None}
    confused = [cell for cell in view["cells"] if cell["predicted"] != cell["actual"] and cell["count"]]
    confused.sort(key=lambda cell: -cell["count"])
    told = [(names[c["actual"]], names[c["predicted"]], *_cell(c)) for c in confused[:MOST_CELLS]]
    return {"names": names, "rows": None, "cells": told}


def _cell(cell: Mapping[str, Any]) -> tuple[str, str, str]:
    """The count, its share of the actual class, and the limits of that."""
    share, lower, upper = cell.get("share"), cell.get("lower"), cell.get("upper")
    return f"{cell['count']:,}", *_estimate_and_limits(share, lower, upper)


def _estimate_and_limits(estimate: float | None, lower: float | None, upper: float | None) -> tuple[str, str]:
    if lower is None or upper is None:
        return ("" if estimate is None else rounded(estimate, 3, "nearest")), ""
    digits = min(digits_for(upper - lower), 5)
    limits = f"[{rounded(lower, digits, 'down')}, {rounded(upper, digits, 'up')}]"
    return rounded(estimate, digits, "nearest"), limits


def _divisions(report: Report) -> Iterator[dict[str, Any]]:
    """Each way the rows were divided: its groups, the worst first, by every measure that was asked of them."""
    parts: dict[tuple[str, ...], list[Block]] = {}
    for block in report.blocks:
        parts.setdefault(tuple(block.groups), []).append(block)
    for groups, blocks in parts.items():
        first = blocks[0]
        worst = worst_first(first)[:MOST_GROUPS]
        gap = next((b for b in blocks if b.claim.measure == f"{first.claim.measure}-gap"), None)
        tables = [_division([first, gap] if gap else [first], worst)]
        tables += [_division([block], worst) for block in blocks if block is not first and block is not gap]
        yield {"number": len(groups), "tables": tables}


def _division(blocks: Sequence[Block], order: Sequence[int]) -> dict[str, Any]:
    titles = [block.claim.measure + (f" of {_shown(block.label)}" if block.label else "") for block in blocks]
    rows = []
    for place in order:
        lines: list[Line] = [block[place] for block in blocks]
        told = [estimate_and_limits(line.claim) for line in lines]
        rows.append((_shown(str(lines[0].group)), f"{lines[0].claim.n:,}", told))
    return {"titles": titles, "rows": rows, "claim": blocks[0].claim, "badge": BADGE[blocks[0].claim.guarantee]}


def _methods(report: Report) -> Iterator[dict[str, Any]]:
    """Each method that answered: for which measures, on whose word, and what it takes for granted."""
    told = [(c.method, c.measure, c) for c in report.claims]
    told += [(f"band of the {_shown(name)} curve", curve.y_is, curve) for name, curve in report.curves.items()]
    found: dict[tuple[str, Guarantee, str], tuple[dict[str, None], dict[Assumption, None]]] = {}
    for method, measure, claim in told:
        measures, sentences = found.setdefault((method, claim.guarantee, str(claim.source)), ({}, {}))
        measures[measure] = None
        sentences.update(dict.fromkeys(claim.assumes))
    first = _first_assumed(report.claims)
    for (method, guarantee, source), (measures, sentences) in found.items():
        alike = set(first) <= set(sentences)
        yield {
            "alike": alike,
            "method": method,
            "badge": BADGE[guarantee],
            "source": source,
            "measures": ", ".join(measures),
            "assumes": [str(sentence) for sentence in sentences if not (alike and sentence in first)],
        }


def _provenance(report: Report) -> list[tuple[str, str]]:
    known = dict(report.provenance)
    titles = {
        "fingerprint": "Data, SHA-256",
        "rows": "Rows",
        "version": "Holdfast",
        "command": "Command",
        "seed": "Seed",
    }
    first = [(title, known.pop(key)) for key, title in titles.items() if key in known]
    rest = [(key.capitalize(), value) for key, value in known.items()]
    return [(title, f"{value:,}" if title == "Rows" else str(value)) for title, value in (*first, *rest)]


def _levels(report: Report, view: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """The limits of every line at the other confidences, as text."""
    if view is None:
        return None
    shown_limits = []
    for level in view["levels"]:
        pairs = zip(report.whole, view["claims"][str(level)], strict=True)
        shown_limits.append([_limits_at(line.claim, limits) for line, limits in pairs])
    names = [f"{(Decimal(str(level)) * 100).normalize():f} %" for level in view["levels"]]
    return {"names": names, "declared": view["levels"].index(view["declared"]), "limits": shown_limits}


def _limits_at(claim: Claim, limits: Mapping[str, float | None]) -> str:
    if limits["lower"] is None or limits["upper"] is None:
        return UNKNOWN
    return estimate_and_limits(replace(claim, lower=limits["lower"], upper=limits["upper"]))[1]


def _explorer(view: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """What the slider shows at each of its steps, rising thresholds from left to right."""
    if view is None or not view["points"]:
        return None
    points, declared = list(reversed(view["points"])), view["declared"]
    own = [declared is not None and point["threshold"] == declared for point in points]
    return {
        "label": _shown(view["label"]),
        "declared": None if declared is None else f"{declared:.6g}",
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
    known = [value for value in at if value is not None]
    if known and 0 <= min(known) <= 0.5 <= max(known) <= 1:
        return min(range(len(at)), key=lambda i: abs((9.0 if at[i] is None else at[i]) - 0.5))
    return len(points) // 2


def _step(point: Mapping[str, Any], own: bool) -> list[Any]:
    """Threshold, counts, and of each rate the estimate and limits: its own, or those of the band."""
    ends = ("lower", "upper") if own else ("band_lower", "band_upper")
    rates = [_estimate_and_limits(point[r]["estimate"], *(point[r].get(end) for end in ends)) for r in RATES]
    threshold = point["threshold"]
    counts = [f"{point[name]:,}" for name in ("tp", "fp", "fn", "tn")]
    told = [(estimate or UNKNOWN, limits or UNKNOWN) for estimate, limits in rates]
    return ["above every score" if threshold is None else f"{threshold:.6g}", counts, told]


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


def _shown(label: object, longest: int = LONGEST) -> str:
    return shown(str(label), longest)


@cache
def _asset(name: str) -> str:
    return (resources.files("holdfast.render") / "assets" / name).read_text(encoding="utf-8")


@cache
def _template() -> Any:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    return environment.from_string(_asset("page.html"))


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
