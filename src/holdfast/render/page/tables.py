"""The tables of a page: every line of the report, the confusion matrix, calibration and groups."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from holdfast.claims import Claim
from holdfast.render.numbers import percent, rounded
from holdfast.render.page.cells import BADGE, cut, rate_and_limits
from holdfast.render.text.assessment import estimate_and_limits, of_a_class, worst_first
from holdfast.render.text.text import by_cluster

if TYPE_CHECKING:
    from holdfast.report import Block, Line, Report

FEW_CLASSES = 12  # up to which each class has a table, and the confusion matrix is shown whole
MOST_CELLS = 60  # of a larger confusion matrix: the most confused
MOST_SPLITS = 200
MOST_GROUPS = 50  # of a division, the worst first


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


def rows_of(report: Report) -> Iterator[Row]:
    clusters = by_cluster(report.claims)
    for place, line in enumerate(report.whole):
        own = line.label is not None and of_a_class(line)
        name = line.measure if own or line.label is None else f"{line.measure}, {cut(line.label)}"
        name += f" ({cut(line.model)})" if line.model else ""
        name += f", per {line.claim.per}" if clusters else ""
        yield Row(place, name, cut(line.label) if own else "", *estimate_and_limits(line.claim), line.claim)


def by_class(report: Report, rows: Sequence[Row]) -> dict[str, Any]:
    """A table for each of a few classes, the positive one first; of many, one for each measure and its method."""
    own = [(report.whole[row.place].label, row) for row in rows if row.label]
    labels = list(dict.fromkeys(label for label, _ in own))
    positive = report.details.get("positive")
    labels.sort(key=lambda label: label != positive)
    if len(labels) <= FEW_CLASSES:
        tables = [(cut(label), label == positive, [r for at, r in own if at == label]) for label in labels]
        return {"each": "class", "number": len(labels), "tables": tables}
    first = {name: place for place, name in reversed(list(enumerate(row.name for row in rows)))}
    order = sorted((row for _, row in own), key=lambda row: (first[row.name], row.claim.method))
    kinds = groupby(order, key=lambda row: (row.name, row.claim.method))
    return {
        "each": "measure",
        "number": len(labels),
        "tables": [(name, False, list(found)) for (name, _), found in kinds],
    }


def calibration(report: Report, rows: Sequence[Row]) -> dict[str, Any] | None:
    told = report.details.get("calibration")
    if told is None:
        return None
    of = {report.whole[row.place].label: row for row in rows if row.claim.measure == "calibration"}
    bins = [(b["bin"], f"{b['n']:,}", rounded(b["mean_score"], 3, "nearest"), of[b["bin"]]) for b in told["bins"]]
    return {"label": cut(told["label"]), "bins": bins}


def confusions(report: Report) -> dict[str, Any] | None:
    """The confusion matrix: whole where it is small, else its most confused cells."""
    view = report.views.get("matrix")
    if view is None:
        return None
    names = [cut(label, 24) for label in view["labels"]]
    if view["complete"] and len(names) <= FEW_CLASSES:
        found = {(cell["predicted"], cell["actual"]): cell for cell in view["cells"]}
        whole = [[_cell(found.get((i, j), {"count": 0})) for j in range(len(names))] for i in range(len(names))]
        return {"names": names, "rows": list(zip(names, whole, strict=True)), "cells": None}
    confused = [cell for cell in view["cells"] if cell["predicted"] != cell["actual"] and cell["count"]]
    confused.sort(key=lambda cell: -cell["count"])
    # Picked for their counts: the limits of a cell hold where it was named in advance, and not here.
    picked = [{**cell, "lower": None, "upper": None} for cell in confused[:MOST_CELLS]]
    told = [(names[c["actual"]], names[c["predicted"]], *_cell(c)[:2]) for c in picked]
    return {"names": names, "rows": None, "cells": told}


def _cell(cell: Mapping[str, Any]) -> tuple[str, str, str]:
    """The count, its share of the actual class, and the limits of that."""
    share, lower, upper = cell.get("share"), cell.get("lower"), cell.get("upper")
    return f"{cell['count']:,}", *rate_and_limits(share, lower, upper)


def divisions(report: Report) -> Iterator[dict[str, Any]]:
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
    titles = [block.claim.measure + (f" of {cut(block.label)}" if block.label else "") for block in blocks]
    rows = []
    for place in order:
        lines: list[Line] = [block[place] for block in blocks]
        told = [estimate_and_limits(line.claim) for line in lines]
        rows.append((cut(lines[0].group), f"{lines[0].claim.n:,}", told))
    return {"titles": titles, "rows": rows, "claim": blocks[0].claim, "badge": BADGE[blocks[0].claim.guarantee]}


def splits(report: Report) -> dict[str, Any] | None:
    """Each model of a cross-validation: what it was trained and tested on, and how often it erred."""
    told = report.details.get("splits")
    if not told:
        return None
    rows = [
        (
            f"{row['repeat']}, {row['fold']}" if report.details["resampling"]["repeats"] > 1 else str(row["fold"]),
            [f"{row[name]:,}" for name in ("n_train", "n_test", "errors")],
            percent(row["errors"] / row["n_test"], 3, "nearest"),
        )
        for row in told[:MOST_SPLITS]
    ]
    return {"rows": rows, "number": f"{len(told):,}", "repeated": report.details["resampling"]["repeats"] > 1}
