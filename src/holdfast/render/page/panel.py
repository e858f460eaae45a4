"""The pages of several models together, and of their vote."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdfast.render.numbers import confidence
from holdfast.render.page.cells import BADGE, cut
from holdfast.render.page.frame import framed
from holdfast.render.page.tables import Row
from holdfast.render.text import committee, panel
from holdfast.render.text.assessment import estimate_and_limits

if TYPE_CHECKING:
    from holdfast.report import Line, Report

MOST_MODELS = 100
LONGEST_MODEL = 40


def panel_html(report: Report) -> str:
    """What is said of several models, in the frame of every page."""
    seen, stop, rest = panel.headline(report).partition(". ")
    own = panel.best_first(report)
    places = {id(line.claim): place for place, line in enumerate(report.whole)}
    return framed(
        "panel.html",
        report,
        (seen + stop.rstrip(), rest),
        data={},
        more=panel.selected(report),
        holding=panel.holding(report),
        summary=[
            Row(places[id(claim)], name, "", *estimate_and_limits(claim), claim)
            for name, claim in panel.summary_rows(report)
        ],
        sets=[
            Row(places[id(line.claim)], f"{cut(line.label)}", "", *estimate_and_limits(line.claim), line.claim)
            for line in panel.lines_about(report, "set-average-error-rate")
        ],
        certain=panel.certain_sentences(report.details["panel"].get("certain")),
        joint=confidence(float(report.details["panel"]["delta"])),
        method=(own[0].claim.method, BADGE[own[0].claim.guarantee]),
        number=len(own),
        models=[_model(line, report) for line in own[:MOST_MODELS]],
    )


def _model(line: Line, report: Report) -> dict[str, Any]:
    return {
        "name": cut(line.model, LONGEST_MODEL),
        "told": estimate_and_limits(line.claim),
        "selected": line.model == report.details["panel"]["selected"],
        "best": line.model in report.details["may_be_best"],
    }


def committee_html(report: Report) -> str:
    """What each method can say about a vote, in the frame of every page."""
    said = committee.headline(report)
    seen, stop, rest = said.partition(". ")
    places = {id(line): place for place, line in enumerate(report.whole)}
    return framed(
        "committee.html",
        report,
        (seen + stop.rstrip(), rest) if stop else ("", said),
        data={},
        aside=committee.ASIDE,
        tables=[(title, [_way(places[id(line)], line) for line in lines]) for title, lines in committee.tables(report)],
        ways=[
            (way, report.details["committee"]["ways"][way])
            for way in dict.fromkeys(str(line.label) for line in report.whole)
        ],
        members=[cut(model, LONGEST_MODEL) for model in report.details["models"][:MOST_MODELS]],
    )


def _way(place: int, line: Line) -> Row:
    estimate, limits = estimate_and_limits(line.claim)
    limits = f"at most {limits}" if line.claim.side == "upper" else limits
    return Row(place, str(line.label), "", estimate, limits, line.claim)
