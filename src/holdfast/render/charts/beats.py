"""Who beats whom: a cell for every two models, coloured by what is said of the row's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from holdfast.render.charts.look import beside, finished, inline
from holdfast.render.numbers import rounded
from holdfast.render.standings import Pair, best_first, named_measure, number_of_pairs, number_settled, pairs_of
from holdfast.render.text.assessment import estimate_and_limits, shown
from holdfast.render.text.comparison import p_value
from holdfast.report.models import mirrored

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

    pairs = pairs_of(report) if "verdict" in report.details else []
    if not pairs:
        return None
    every = best_first(report)
    models = every[:MOST_MODELS]
    names = beside(models, LONGEST_COLUMN)
    digits = 2 if "ranks" in report.details else 3
    rows = [*_cells(pairs, dict(zip(models, names, strict=True)), digits)]
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
    subtitle = [*_subtitle(report, present, len(models), len(every))]
    return finished(alt.layer(*layers), _title(report, pairs), subtitle, width=alt.Step(step), height=alt.Step(step))


def _cells(pairs: Sequence[Pair], names: dict[str, str], digits: int) -> Iterator[dict[str, Any]]:
    """Both cells of each pair, the one the mirror of the other."""
    for pair in pairs:
        if pair.first in names and pair.second in names:
            claim = pair.claims[0] if pair.claims else None
            yield _cell(pair.first, pair.second, pair.outcome, pair.p, claim, names, digits)
            turned = None if claim is None else mirrored(claim)
            yield _cell(pair.second, pair.first, OTHER.get(pair.outcome, pair.outcome), pair.p, turned, names, digits)


def _cell(
    row: str, column: str, outcome: str, p: float, claim: Claim | None, names: dict[str, str], digits: int
) -> dict[str, Any]:
    estimate = None if claim is None or claim.estimate is None else float(claim.estimate)
    return {
        "row": names[row],
        "column": names[column],
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
    one, other = shown(row, LONGEST_SAID), shown(column, LONGEST_SAID)
    return f"{one} is {outcome} {link} {other}" if link else f"{one} against {other}: {outcome}"


def _title(report: Report, pairs: Sequence[Pair]) -> str:
    if len(pairs) == 1:
        return _said(*pairs[0][:3])
    settled = number_settled(report)
    return f"Of {number_of_pairs(report):,} pairs {settled:,} {'is' if settled == 1 else 'are'} settled"


def _subtitle(report: Report, present: Counter[str], drawn: int, every: int) -> Iterator[str]:
    yield " ".join(said for outcome, (_, _, said) in LOOKS.items() if outcome in present)
    measure = "mean rank" if "ranks" in report.details else named_measure(report)
    if drawn <= MOST_NUMBERED:
        p = ", and the p-value" if drawn <= MOST_DETAILED else ""
        p += ", corrected for all pairs" if p and every > 2 else ""
        yield f"In the cells: {measure}, row minus column{p}."
    if drawn < every:
        yield f"The best {drawn} of {every:,} here, the best on top."
    elif drawn > 2:
        yield "The best here on top and on the left."
