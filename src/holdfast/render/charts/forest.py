"""All measures below each other, each with its interval in the colour of its guarantee."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain, groupby
from math import floor, isfinite
from typing import TYPE_CHECKING, Any

from holdfast.claims import Claim, Guarantee
from holdfast.render.charts.intervals import MOST_ROWS, ROW, interval_rows
from holdfast.render.charts.look import WIDTH, beside, finished, learner, told
from holdfast.render.phrases import confidence, estimate_and_limits, per
from holdfast.report.facts.training import CrossFacts
from holdfast.report.lines import label_is, out_of_actual, told_of_classes
from holdfast.wording import printable, shortened

if TYPE_CHECKING:
    import altair as alt

    from holdfast.report import Line, Report

_FIRM = {guarantee: -place for place, guarantee in enumerate(Guarantee)}  # the firmest last
LONGEST_NAME = 28  # characters that a phone has room for beside the numbers
TOOLTIP = {
    "measure": "measure",
    "label": "class",
    "estimated": "estimate",
    "limits": "limits",
    "confidence": "confidence",
    "n": "examples",
    "per": "average over each",
    "method": "method",
    "guarantee": "this",
}


def forest(report: Report) -> alt.LayerChart | None:
    """The forest plot: of all measures that lie between -1 and 1, and of the positive class or of every one."""
    import altair as alt

    drawable = [line for line in report.whole if label_is(line.measure) != "bin" and line.group is None]
    outside = {line.measure for line in drawable if not _fits(line.claim)}
    fitting = [line for line in drawable if line.measure not in outside]
    crossed = isinstance(report.facts, CrossFacts)
    lines = _chosen(_firmest(fitting) if crossed else fitting, report.facts.positive)
    if not lines:
        return None
    about = Counter((line.measure, line.label, line.claim.per) for line in lines)
    names = beside(_name(line, alone=about[line.measure, line.label, line.claim.per] == 1) for line in lines)
    rows = [row_of(line, name) for line, name in zip(lines, names, strict=True)]
    ends = [row[end] for row in rows for end in ("estimate", "from", "to") if row[end] is not None]
    least = min(0.0, floor(min(ends) * 10) / 10)
    x = alt.X("lower:Q", title=None, scale=alt.Scale(domain=[least, 1], nice=False), axis=alt.Axis(tickCount=6))
    chart = interval_rows(rows, x, TOOLTIP)
    return finished(chart, _title(report, lines), _subtitle(report, lines, drawable), width=WIDTH, height=alt.Step(ROW))


def _firmest(lines: Sequence[Line]) -> list[Line]:
    """Of a class each measure once, as it holds most firmly: of folds several methods answer."""
    firm = {(line.measure, line.label): line for line in sorted(lines, key=lambda line: _FIRM[line.claim.guarantee])}
    return [line for line in lines if line.label is None or firm[line.measure, line.label] is line]


def _name(line: Line, alone: bool) -> str:
    """Measure, class and, where several methods answer, which of them: the class is what must make room."""
    ends = (per(line.claim), "") if alone else (f"{per(line.claim)}, ", line.claim.method)
    if line.label is None:
        return line.measure + "".join(ends)
    room = LONGEST_NAME - len(f"{line.measure}, {''.join(ends)}")
    return f"{line.measure}, {shortened(line.label, max(room, 8))}{''.join(ends)}"


def _fits(claim: Claim) -> bool:
    return all(isfinite(float(end)) and -1 <= float(end) <= 1 for end in (claim.lower, claim.upper))


def _chosen(lines: Sequence[Line], positive: str | None) -> list[Line]:
    """What is of all classes; then the positive class in full, or the main measures of every class."""
    overall = [line for line in lines if line.label is None or label_is(line.measure) == "samples"]
    labelled = [line for line in lines if line.label is not None and label_is(line.measure) != "samples"]
    if positive is not None:
        return (overall + [line for line in labelled if line.label == positive])[:MOST_ROWS]
    chosen = overall[:MOST_ROWS]
    measures = {name: list(same) for name, same in groupby(labelled, key=lambda line: line.measure)}
    main = sorted(
        chain(*told_of_classes(measures)), key=lambda name: not out_of_actual(name)
    )  # as far as there is room
    for name in main or measures:
        room = MOST_ROWS - len(chosen)
        if len(measures[name]) <= room:
            chosen += measures[name]
        elif chosen == overall:  # not even one measure fits: the classes that may be worst
            chosen += sorted(measures[name], key=lambda line: float(line.claim.lower))[:room]
            break
    return chosen


def row_of(line: Line, name: str) -> dict[str, Any]:
    """What a row of intervals needs to know of a claim."""
    claim = line.claim
    lower, upper = float(claim.lower), float(claim.upper)
    estimate, limits = estimate_and_limits(claim)
    limits = {"both": f" {limits}", "upper": f", at most {limits}", "lower": f", at least {limits}"}[claim.side]
    return {
        "row": name,
        "estimate": None if claim.estimate is None else float(claim.estimate),
        "lower": lower,
        "upper": upper,
        "from": None if claim.side == "upper" else lower,
        "to": None if claim.side == "lower" else upper,
        "numbers": f"{estimate}{limits}",
        "measure": line.measure,
        "label": told(line.label) if line.label is not None else "all together",
        "estimated": estimate,
        "limits": limits.lstrip(", "),
        "confidence": confidence(float(claim.delta)),
        "n": f"{int(claim.n):,}",
        "per": claim.per,
        "method": claim.method,
        "guarantee": claim.guarantee.sentence,
    }


def _title(report: Report, lines: Sequence[Line]) -> str:
    together = report.facts.simultaneous
    level = confidence(float(together.delta if together else lines[0].claim.delta))
    told = "All true values lie in their intervals" if together else "Each true value lies in its interval"
    return f"{told} with {level} confidence"


def _subtitle(report: Report, lines: Sequence[Line], every: Sequence[Line]) -> list[str]:
    facts = report.facts
    together = "All intervals hold together." if facts.simultaneous else "Each interval holds on its own."
    outside = list(dict.fromkeys(line.measure for line in every if not _fits(line.claim)))
    left = len(every) - len(lines)
    said = [f"Models of {learner(facts.learner)}. {together}" if isinstance(facts, CrossFacts) else together]
    if outside:
        said.append(f"Not drawn, for their limits leave the range from −1 to 1: {printable(', '.join(outside), 60)}.")
    elif left:
        said[0] += f" {left:,} more are in the tables."
    return said
