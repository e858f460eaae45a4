"""Pictures of cells: which classes are taken for which, who beats whom, and who agrees with whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import Any

import altair as alt

from holdfast.claims import Claim
from holdfast.render.charts.intervals import ROW, labelled
from holdfast.render.charts.look import WIDTH, beside, cell_axes, finished, marks, rate_axis, share, told
from holdfast.render.phrases import estimate_and_limits, p_value, percent, point, rounded
from holdfast.report import Report
from holdfast.report.facts.compared import Compared
from holdfast.report.facts.comparison import DatasetsFacts
from holdfast.report.lines import mirrored
from holdfast.wording import printable, shortened

MOST_MODELS = 50
MOST_NUMBERED = 12  # models up to which each cell bears the difference
MOST_DETAILED = 6  # and its p-value too
LONGEST_COLUMN = 18
LONGEST_SAID = 60  # there may be 2,450 cells
OTHER = {"better": "worse", "worse": "better", "not inferior": "not superior", "not superior": "not inferior"}
LOOKS: dict[str, tuple[str, float, str]] = {  # of each outcome: style, depth, and what its colour is called
    "better": ("right", 0.62, "Blue: the row's model is better."),
    "worse": ("wrong", 0.62, "Orange: it is worse."),
    "not inferior": ("right", 0.24, "Pale blue: it is not worse by the margin or more."),
    "not superior": ("wrong", 0.24, "Pale orange: the column's is not worse by the margin or more."),
    "equivalent": ("positive", 0.36, "Green: equivalent within the margin."),
    "no difference": ("open", 0.05, "Lightest: no difference seen."),
    "not settled": ("open", 0.2, "Grey: not settled."),
}
TOOLTIP = {"said": "the row's model", "numbers": "difference", "p": "p"}


def beats(report: Report) -> alt.LayerChart | None:
    """The matrix of all pairs, rows against columns, both ordered by how well the models did here."""
    facts = report.facts
    if not isinstance(facts, Compared):
        return None
    every = facts.best_first(report.whole)
    models = every[:MOST_MODELS]
    names = beside(models, LONGEST_COLUMN)
    rows = [*_cells(facts, facts.claims_of_pairs(report.whole), dict(zip(models, names, strict=True)))]
    step = max(11, min(96 if len(models) <= MOST_DETAILED else 56, 600 // len(models)))
    cells = marks(rows, TOOLTIP).encode(**_axes(names, step, smallest=9))
    present = Counter(row["outcome"] for row in rows)
    layers = [
        cells.transform_filter(f"datum.outcome == '{outcome}'").mark_rect(style=style, fillOpacity=depth)
        for outcome, (style, depth, _) in LOOKS.items()
        if outcome in present
    ]
    detailed = len(models) <= MOST_DETAILED
    if len(models) <= MOST_NUMBERED:
        size = 13 if detailed else 11
        layers.append(
            cells.mark_text(style="value", fontSize=size, dy=-7 if detailed else 0).encode(text="difference:N")
        )
    if detailed:
        layers.append(cells.mark_text(style="value", fontSize=10, dy=10).encode(text="chance:N"))
    subtitle = [*_subtitle(facts, present, len(models), len(every))]
    return finished(alt.layer(*layers), _title(facts), subtitle, width=alt.Step(step), height=alt.Step(step))


def _axes(names: list[str], step: int, smallest: int) -> dict[str, Any]:
    turned = any(len(name) * 7 + 8 > step for name in names)  # of the widest font a page may have
    size = 12 if step > 13 else smallest
    return cell_axes(names, (-40 if step > 16 else -90) * turned, labelFontSize=size, labelOverlap=False)


def _cells(
    facts: Compared, claims: Mapping[tuple[str, str], Sequence[Claim]], names: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    """Both cells of each pair, the one the mirror of the other."""
    digits = 2 if isinstance(facts, DatasetsFacts) else 3
    for pair in facts.pairs:
        if pair.first in names and pair.second in names:
            claim, (first, second) = next(iter(claims.get(pair.models, ())), None), pair.models
            other, turned = OTHER.get(pair.outcome, pair.outcome), None if claim is None else mirrored(claim)
            both = ((first, second, pair.outcome, claim), (second, first, other, turned))
            for row, column, outcome, own in both:
                place = {"row": names[row], "column": names[column]}
                yield place | _cell(row, column, outcome, pair.adjusted_p, own, digits)


def _cell(row: str, column: str, outcome: str, p: float, claim: Claim | None, digits: int) -> dict[str, Any]:
    estimate = None if claim is None else point(claim)
    return {
        "outcome": outcome,
        "said": _said(row, column, outcome),
        "difference": rounded(estimate, digits, "nearest"),
        "numbers": "" if claim is None else " ".join(estimate_and_limits(claim)),
        "p": p_value(p),
        "chance": f"p {p_value(p)}",
    }


def _said(row: str, column: str, outcome: str) -> str:
    than = {"better": "than", "worse": "than", "not inferior": "to", "not superior": "to", "equivalent": "to"}
    link = than.get(outcome)
    one, other = printable(row, LONGEST_SAID), printable(column, LONGEST_SAID)
    return f"{one} is {outcome} {link} {other}" if link else f"{one} against {other}: {outcome}"


def _title(facts: Compared) -> str:
    if len(facts.pairs) == 1:
        return _said(*facts.pairs[0].models, facts.pairs[0].outcome)
    settled = facts.number_settled
    return f"Of {facts.number_of_pairs:,} pairs {settled:,} {'is' if settled == 1 else 'are'} settled"


def _subtitle(facts: Compared, present: Counter[str], drawn: int, every: int) -> Iterator[str]:
    yield " ".join(said for outcome, (_, _, said) in LOOKS.items() if outcome in present)
    measure = "mean rank" if isinstance(facts, DatasetsFacts) else facts.name_of_measure
    if drawn <= MOST_NUMBERED:
        p = ", and the p-value" if drawn <= MOST_DETAILED else ""
        p += ", corrected for all pairs" if p and every > 2 else ""
        yield f"In the cells: {measure}, row minus column{p}."
    if drawn < every:
        yield f"The best {drawn} of {every:,} here, the best on top."
    elif drawn > 2:
        yield "The best here on top and on the left."


SIZE = 560  # points that all cells share
AGREEMENT = {"pair": "models", "apart": "answer differently on", "same": "cluster"}


def agreement(report: Report) -> alt.LayerChart | None:
    """The matrix of disagreements, the bluer the more alike, a frame around each cluster."""
    view = report.views.get("agreement")
    if view is None:
        return None
    names = beside(view["models"], LONGEST_COLUMN)
    step = max(8, min(56, SIZE // len(names)))
    cells = marks(_disagreements(view, names), AGREEMENT).encode(**_axes(names, step, smallest=8))
    depth = alt.FillOpacity("alike:Q", scale=alt.Scale(domain=[0, 1], range=[0.03, 0.85]), legend=None)
    layers = [cells.mark_rect(style="right", strokeWidth=0).encode(fillOpacity=depth)]
    if len(names) <= MOST_NUMBERED:
        layers.append(cells.mark_text(style="value").encode(text="told:N"))
    layers.append(_frames(view, names))
    return finished(alt.layer(*layers), _clusters(view), _how_alike(view), width=alt.Step(step), height=alt.Step(step))


def _disagreements(view: Mapping[str, Any], names: list[str]) -> Iterator[dict[str, Any]]:
    table, clusters = view["disagreement"], view["clusters"]
    most = max((value for row in table for value in row), default=0.0) or 1.0
    for i, row in enumerate(table):
        for j, value in enumerate(row):
            together = clusters[i] == clusters[j]
            yield {
                "row": names[i],
                "column": names[j],
                "alike": 1.0 - value / most,
                "told": "" if i == j else percent(value, 2, "nearest").removesuffix(" %"),
                "pair": f"{printable(view['models'][i], 60)}, {printable(view['models'][j], 60)}",
                "apart": f"{percent(value, 3, 'nearest')} of the inputs",
                "same": f"both in {clusters[i] + 1}" if together else f"{clusters[i] + 1} and {clusters[j] + 1}",
            }


def _frames(view: Mapping[str, Any], names: list[str]) -> Any:
    """A frame around the models of each cluster, which stand next to each other."""
    ends: dict[int, list[int]] = {}
    for place, cluster in enumerate(view["clusters"]):
        ends.setdefault(cluster, []).append(place)
    rows = [{"first": names[places[0]], "last": names[places[-1]]} for places in ends.values()]
    return (
        marks(rows)
        .mark_rect(style="whole", filled=False, strokeWidth=1.6)
        .encode(
            x=alt.X("first:N", bandPosition=0, sort=None),
            x2=alt.X2("last:N", bandPosition=1),
            y=alt.Y("first:N", bandPosition=0, sort=None),
            y2=alt.Y2("last:N", bandPosition=1),
        )
    )


def _clusters(view: Mapping[str, Any]) -> str:
    number = len({*view["clusters"]})
    if number == 1:
        return f"No clusters among {view['number']:,} models"
    return f"{view['number']:,} models in {number} clusters that answer alike"


def _how_alike(view: Mapping[str, Any]) -> list[str]:
    drawn = len(view["models"])
    sentences = [f"The bluer a cell, the more of the {view['n']:,} inputs both models answer alike. Framed: clusters."]
    if drawn <= MOST_NUMBERED:
        sentences.append("In the cells: percent of the inputs on which they differ.")
    if drawn < view["number"]:
        sentences.append(f"Drawn are {drawn:,} of {view['number']:,} models, evenly taken from all clusters.")
    return sentences


MOST_COUNTED = 20  # labels up to which each cell bears its count
MOST_SHARED = 5  # labels up to which it bears its share of the class too
OF_A_CELL = {
    "said_predicted": "predicted",
    "said_actual": "actual",
    "counted": "examples",
    "estimated": "of this actual class",
    "limits": "limits",
}


def matrix(report: Report) -> alt.LayerChart | None:
    """The confusion matrix, rows predicted and columns actual; of very many classes the most confused pairs."""
    view = report.views.get("matrix")
    if not view or not view["labels"]:
        return None
    return _whole(view) if view["complete"] else _most_confused(view)


def _whole(view: Mapping[str, Any]) -> alt.LayerChart:
    labels = view["labels"]
    names = beside(labels, LONGEST_COLUMN)
    rows = [
        _counted(view, cell) | {"row": names[cell["predicted"]], "column": names[cell["actual"]]}
        for cell in view["cells"]
    ]
    step = max(16, min(136 if len(labels) <= 2 else 104, 520 // len(labels)))
    angle = -40 if any(len(name) * 6 > step for name in names) else 0
    axes = cell_axes(names, angle, ("actual", "predicted"), titleFontWeight="normal", labelFontSize=12)
    # Rare confusions should be seen: the square root of the share, and never so dark that words drown in it.
    depth = alt.FillOpacity("share:Q", scale=alt.Scale(type="sqrt", domain=[0, 1], range=[0, 0.7]), legend=None)
    cells = marks(rows, OF_A_CELL).encode(**axes)
    layers = [
        cells.transform_filter(f"datum.right == {right}").mark_rect(style=style).encode(fillOpacity=depth)
        for right, style in (("true", "right"), ("false", "wrong"))
    ]
    detailed = len(labels) <= MOST_SHARED
    lines = (-16, 5, 21) if any(row["brief"] for row in rows) else (-8, 12, 12)  # from the middle of the cell
    if len(labels) <= MOST_COUNTED:
        size = 17 if detailed else 12 if step > 30 else 10
        count = cells.mark_text(
            style="value", fontSize=size, fontWeight=600 if detailed else "normal", dy=lines[0] if detailed else 0
        )
        layers.append(count.encode(text="counted:N"))
    if detailed:
        layers.append(cells.mark_text(style="value", fontSize=11, dy=lines[1]).encode(text="estimated:N"))
        layers.append(cells.mark_text(style="value", fontSize=10, dy=lines[2]).encode(text="brief:N"))
    right = sum(cell["count"] for cell in view["cells"] if cell["predicted"] == cell["actual"])
    title = f"{right:,} of {sum(view['actual']):,} answers are right"
    below = "Percentages are of the actual class."
    if not detailed:
        below = "The stronger the colour of a cell, the larger its share of the actual class."
    subtitle = [f"Blue is right, orange wrong. {below}"]
    return finished(alt.layer(*layers), title, subtitle, width=alt.Step(step), height=alt.Step(step))


def _counted(view: Mapping[str, Any], cell: Mapping[str, Any]) -> dict[str, Any]:
    predicted, actual = view["labels"][cell["predicted"]], view["labels"][cell["actual"]]
    estimated, limits = share(cell["share"], cell["lower"], cell["upper"])
    return {
        "said_predicted": told(predicted),
        "said_actual": told(actual),
        "right": cell["predicted"] == cell["actual"],
        "counted": f"{cell['count']:,}",
        "share": cell["share"] or 0.0,
        "estimated": estimated,
        "limits": limits,
        "brief": limits.replace(" %", "").replace(" to ", "–") + " %" if cell["lower"] is not None else "",
    }


def _most_confused(view: Mapping[str, Any]) -> alt.LayerChart | None:
    """Pairs of classes below each other: a matrix of so many classes would be a grey square."""
    wrong = [cell for cell in view["cells"] if cell["predicted"] != cell["actual"]]
    if not wrong:
        return None
    labels = [shortened(label, LONGEST_COLUMN) for label in view["labels"]]
    names = beside(f"{labels[cell['actual']]} → {labels[cell['predicted']]}" for cell in wrong)
    rows = [
        _counted(view, cell)
        | {"row": name, "estimate": cell["share"]}
        | {"numbers": f"{cell['count']:,} of {view['actual'][cell['actual']]:,}"}
        for cell, name in zip(wrong, names, strict=True)
    ]
    top = min(1.0, ceil(20 * max(row["estimate"] or 0.0 for row in rows)) / 20)
    tooltip = {field: title for field, title in OF_A_CELL.items() if field != "limits"}
    chart, numbers = labelled(rows, tooltip, labelFontSize=12, grid=True)
    x = rate_axis(alt.X, "estimate:Q", "share of the actual class", [0, top or 1.0])
    dot = chart.transform_filter("isValid(datum.estimate)").mark_point(style="wrong", filled=True, size=75, opacity=1)
    title = f"The {len(rows)} most frequent confusions"
    subtitle = [
        "Actual class → what it was taken for, and how many of how many.",
        "They were picked for being frequent: an interval would hold for a pair named in advance.",
    ]
    return finished(alt.layer(dot.encode(x=x), numbers), title, subtitle, width=WIDTH, height=alt.Step(ROW))
