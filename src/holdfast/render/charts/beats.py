"""Who beats whom: a cell for every two models, coloured by what is said of the row's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from holdfast.render.charts.look import beside, finished, inline
from holdfast.render.phrases import estimate_and_limits, p_value, rounded
from holdfast.report.facts.compared import Compared
from holdfast.report.facts.comparison import DatasetsFacts
from holdfast.report.lines import mirrored
from holdfast.wording import printable

if TYPE_CHECKING:
    import altair as alt

    from holdfast.claims import Claim
    from holdfast.report import Report

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
    import altair as alt

    facts = report.facts
    if not isinstance(facts, Compared):
        return None
    every = facts.best_first(report.whole)
    models = every[:MOST_MODELS]
    names = beside(models, LONGEST_COLUMN)
    rows = [*_cells(facts, facts.claims_of_pairs(report.whole), dict(zip(models, names, strict=True)))]
    step = max(11, min(96 if len(models) <= MOST_DETAILED else 56, 600 // len(models)))
    edge: dict[str, Any] = {"domain": False, "ticks": False, "grid": False, "labelFontSize": 12 if step > 13 else 9}
    edge |= {"labelLimit": 0, "labelOverlap": False}
    turned = any(len(name) * 7 + 8 > step for name in names)  # of the widest font a page may have
    angle = (-40 if step > 16 else -90) if turned else 0
    x = alt.X(
        "column:N",
        sort=None,
        title=None,
        scale=alt.Scale(domain=names),
        axis=alt.Axis(orient="top", labelAngle=angle, **edge),
    )
    y = alt.Y("row:N", sort=None, title=None, scale=alt.Scale(domain=names), axis=alt.Axis(**edge))
    cells = alt.Chart(inline(rows)).encode(
        x=x, y=y, tooltip=[alt.Tooltip(f"{field}:N", title=title) for field, title in TOOLTIP.items()]
    )
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


def _cells(
    facts: Compared, claims: Mapping[tuple[str, str], Sequence[Claim]], names: Mapping[str, str]
) -> Iterator[dict[str, Any]]:
    """Both cells of each pair, the one the mirror of the other."""
    digits = 2 if isinstance(facts, DatasetsFacts) else 3
    for pair in facts.pairs:
        if pair.first in names and pair.second in names:
            claim, (first, second) = next(iter(claims.get(pair.models, ())), None), pair.models
            other, turned = OTHER.get(pair.outcome, pair.outcome), None if claim is None else mirrored(claim)
            yield _at(first, second, names) | _cell(first, second, pair.outcome, pair.adjusted_p, claim, digits)
            yield _at(second, first, names) | _cell(second, first, other, pair.adjusted_p, turned, digits)


def _at(row: str, column: str, names: Mapping[str, str]) -> dict[str, str]:
    return {"row": names[row], "column": names[column]}


def _cell(row: str, column: str, outcome: str, p: float, claim: Claim | None, digits: int) -> dict[str, Any]:
    estimate = None if claim is None or claim.estimate is None else float(claim.estimate)
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
