"""What each method can say about a vote, as text: side by side, with what each of them needs to know."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING

from holdfast.claims import Claim
from holdfast.render.numbers import confidence, percent
from holdfast.render.text.assessment import estimate_and_limits, origin, ranged, sentences, shown
from holdfast.render.text.panel import so_many, these
from holdfast.render.text.text import BRIEF, COLOUR, WIDTH, Parts, assumptions, empty_table

if TYPE_CHECKING:
    from rich.table import Table

    from holdfast.report import Line, Report

MOST_MODELS = 20
ASIDE = (
    "Each interval holds on its own. The first answers; the others show what could be said if less were known. Taking "
    "the narrowest after looking voids the guarantee."
)


def committee_parts(report: Report) -> Parts:
    """Everything a reader should see, top-down."""
    parts: Parts = [fill(headline(report), WIDTH), ""]
    for title, lines in tables(report):
        parts += [title, "", _ways(report, lines), ""]
    parts += _known(report)
    parts += sentences("Note", report.details["notes"])
    parts += [fill(ASIDE, WIDTH), *assumptions(report.claims), ""]
    parts += sentences("Next", report.details["next"])
    return [*parts, origin(report)]


def headline(report: Report) -> str:
    """What the first method says, in words for people who do not speak statistics."""
    told, line = report.details["committee"], report.whole[0]
    where = f"of {these(told['unlabelled'])}" if about_inputs(line.claim) else "of all such examples"
    seen = ""
    if line.claim.estimate is not None and told["examples"]:
        share = percent(float(line.claim.estimate), 3, "nearest")
        seen = f"{named(report)} errs on {share} of {so_many(told['examples'], 'labelled example')}. "
    who = "it" if seen else named(report)
    who = who if seen or told["target"] else who[0].lower() + who[1:]
    said = f"{who} errs on {ranged(line.claim)} {where}"
    return f"{seen}With {confidence(float(line.claim.delta))} confidence {said}; this {line.claim.guarantee.sentence}."


def named(report: Report) -> str:
    """The vote, or the classifier that was asked about."""
    told = report.details["committee"]
    if told["target"]:
        return shown(told["target"], 30)
    return f"The {told['vote']} vote of {len(report.details['models']):,} models"


def about_inputs(claim: Claim) -> bool:
    """Whether the claim is about the unlabelled inputs at hand, not about a population."""
    return claim.measure.startswith("unlabelled-")


def tables(report: Report) -> list[tuple[str, list[Line]]]:
    """The lines about the unlabelled inputs, and those about the population, each with a title."""
    here = [line for line in report.whole if about_inputs(line.claim)]
    there = [line for line in report.whole if not about_inputs(line.claim)]
    unlabelled = report.details["committee"]["unlabelled"]
    told = [(f"On {these(unlabelled)}", here)] if here else []
    return told + ([("On all such examples", there)] if there else [])


def _ways(report: Report, lines: list[Line]) -> Table:
    from rich.text import Text

    level = confidence(float(report.details["committee"]["delta"]))
    table = empty_table("way", "estimate", f"{level} limits", "method", "holds at")
    table.columns[3].justify = table.columns[4].justify = "left"
    for line in lines:
        estimate, limits = estimate_and_limits(line.claim, 4)
        limits = f"at most {limits}" if line.claim.side == "upper" else limits
        mark = Text(BRIEF[line.claim.guarantee], style=COLOUR[line.claim.guarantee])
        table.add_row(str(line.label), estimate, limits, line.claim.method, mark)
    return table


def _known(report: Report) -> Parts:
    """What each way needs to know."""
    ways = dict.fromkeys(str(line.label) for line in report.whole)
    return sentences("Each way", [f"{way}: {report.details['committee']['ways'][way]}" for way in ways])
