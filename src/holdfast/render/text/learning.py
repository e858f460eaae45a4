"""A learning curve as text: what more training bought, and what it cost in certainty."""

from __future__ import annotations

from typing import TYPE_CHECKING

from holdfast.claims import Claim
from holdfast.render.numbers import confidence, percent, rounded
from holdfast.render.text.assessment import MOST_DIGITS_OF_THREE, estimate_and_limits, holding, origin, sentences
from holdfast.render.text.crossed import learner_of
from holdfast.render.text.text import BRIEF, COLOUR, Parts, assumptions, empty_table, wrapped

if TYPE_CHECKING:
    from rich.table import Table

    from holdfast.report import Report

LIMITS = {"both": "interval", "upper": "upper limit", "lower": "lower limit"}


def learning_parts(report: Report) -> Parts:
    """Everything a reader should see, top-down."""
    parts: Parts = [wrapped(headline(report)), "", _table(report), ""]
    parts += sentences("Note", report.details["notes"])
    return [*parts, holding(report), *assumptions(report.claims), "", origin(report)]


def headline(report: Report) -> str:
    """The dilemma: what trains cannot test."""
    return " ".join(filter(None, error_and_certainty(report)))


def error_and_certainty(report: Report) -> tuple[str, str]:
    """What more training bought, and what it cost; of a single share, only how it did."""
    told, first, last = report.details["learning_curve"], report.whole[0].claim, report.whole[-1].claim
    points, errs = told["points"], f"{learner_of(report)} errs{' on average' * (told['repeats'] > 1)}"
    begun = f"Trained on {share_of(points[0])} of the rows {errs} on {error_of(first)} of the others"
    if len(points) == 1:
        return f"{begun}.", ""
    return f"{begun}; on {share_of(points[-1])}, on {error_of(last)}.", _certainty(first, last)


def _certainty(first: Claim, last: Claim) -> str:
    if first.side == "both":
        widths = [percent(float(claim.width), 3, "up").removesuffix(" %") for claim in (first, last)]
        return f"The interval goes from {widths[0]} to {widths[1]} points: what trains cannot test."
    way = "up" if first.side == "upper" else "down"
    limits = [percent(float(getattr(claim, first.side)), 3, way) for claim in (first, last)]
    return f"The {first.side} limit goes from {limits[0]} to {limits[1]}: what trains cannot test."


def share_of(point: dict[str, float]) -> str:
    """The share that trained, in percent."""
    return f"{100 * point['train_share']:g} %"


def error_of(claim: Claim) -> str:
    """The share of errors, in percent."""
    return percent(None if claim.estimate is None else float(claim.estimate), 3, "nearest")


def _table(report: Report) -> Table:
    from rich.text import Text

    first = report.whole[0].claim
    title = f"{confidence(float(first.delta))} {LIMITS[first.side]}"
    table = empty_table("trained on", "rows", "tested on", "error rate", title, "width", "holds at", left=0)
    table.columns[6].justify = "left"
    for point, line in zip(report.details["learning_curve"]["points"], report.whole, strict=True):
        claim = line.claim
        width = rounded(float(claim.width), MOST_DIGITS_OF_THREE, "up") if claim.side == "both" else ""
        mark = Text(BRIEF[claim.guarantee], style=COLOUR[claim.guarantee])
        rows = f"{point['n_train']:,}", f"{point['n_test']:,}"
        table.add_row(share_of(point), *rows, *estimate_and_limits(claim, MOST_DIGITS_OF_THREE), width, mark)
    return table
