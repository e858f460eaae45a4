"""Intervals below each other, in the colour of their guarantee: all measures, and what other pictures are made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain, groupby
from math import ceil, floor, isfinite
from typing import Any

import altair as alt

from holdfast.claims import Claim, Guarantee
from holdfast.render.charts.look import (
    WIDTH,
    beside,
    coordinates,
    finished,
    guaranteed,
    in_percent,
    learner,
    marks,
    percent_axis,
    titled,
    told,
)
from holdfast.render.outline.assessment import divisions_of, worst_first
from holdfast.render.phrases import confidence, estimate_and_limits, level, per, percent, point
from holdfast.report import Block, Line, Report
from holdfast.report.facts.assessment import CrossFacts
from holdfast.report.lines import label_is, out_of_actual, told_of_classes
from holdfast.wording import printable, shortened

MOST_ROWS = 60
ROW = 22  # points from one row to the next


TOOLTIP = titled(
    *("measure", "label", "estimated", "limits", "confidence", "n", "per", "method", "guarantee"), label="class"
)


def row_of(line: Line, name: str) -> dict[str, Any]:
    """What a row of intervals needs to know of a claim."""
    claim = line.claim
    estimate, limits = estimate_and_limits(claim)
    limits = {"both": f" {limits}", "upper": f", at most {limits}", "lower": f", at least {limits}"}[claim.side]
    return {
        "row": name,
        **coordinates(claim),
        "from": None if claim.side == "upper" else float(claim.lower),
        "to": None if claim.side == "lower" else float(claim.upper),
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


def labelled(rows: Sequence[Mapping[str, Any]], tooltip: Mapping[str, str], **axis: Any) -> tuple[alt.Chart, alt.Chart]:
    """Rows below each other, each beside its label; and their numbers, on the right."""
    how: dict[str, Any] = {"domain": False, "ticks": False, "labelLimit": 0, "labelPadding": 12, **axis}
    chart = marks(rows, tooltip).encode(y=alt.Y("row:N", sort=None, title=None, axis=alt.Axis(**how)))
    return chart, chart.mark_text(align="left", dx=14, style="value").encode(x=alt.value("width"), text="numbers:N")


def interval_chart(
    rows: Sequence[Mapping[str, Any]],
    domain: Sequence[float],
    tooltip: Mapping[str, str],
    title: str,
    subtitle: str | Sequence[str],
    *,
    about: str | None = None,
    nice: bool = False,
    axis: alt.Axis | None = None,
    under: Sequence[Any] = (),
    step: float = ROW,
) -> alt.LayerChart:
    """Each row's interval, ends and estimate in the colour of its guarantee, and its numbers on the right.

    A row has `row`, its label; `estimate`, `lower` and `upper`; `from` and `to`, the ends that are claimed;
    `guarantee` and `numbers`; and a text for each field of the tooltip. `about` is the title of the axis.
    """
    scale = alt.Scale(domain=list(domain), nice=nice)
    x = alt.X("lower:Q", title=about, scale=scale, axis=axis or alt.Axis(tickCount=6))
    colour, shape = guaranteed(rows)
    chart, numbers = labelled(rows, tooltip, labelFontSize=12, grid=True)
    line = chart.transform_filter("isValid(datum.lower)").mark_rule(strokeWidth=2, clip=True)
    end = chart.mark_tick(thickness=2, size=9, orient="vertical", opacity=1).encode(color=colour)
    least = end.transform_filter("isValid(datum.from)").encode(x="from:Q")
    most = end.transform_filter("isValid(datum.to)").encode(x="to:Q")
    dot = chart.transform_filter("isValid(datum.estimate)").mark_point(filled=True, size=75, opacity=1)
    line, dot = line.encode(x=x, x2="upper:Q", color=colour), dot.encode(x="estimate:Q", color=colour, shape=shape)
    layers = alt.layer(*under, line, least, most, dot, numbers)
    return finished(layers, title, subtitle, width=WIDTH, height=alt.Step(step))


def ends_of(rows: Sequence[Mapping[str, Any]]) -> list[float]:
    """Where anything is drawn."""
    return [row[end] for row in rows for end in ("estimate", "from", "to") if row[end] is not None]


_FIRM = {guarantee: -place for place, guarantee in enumerate(Guarantee)}  # the firmest last
LONGEST_NAME = 28  # characters that a phone has room for beside the numbers


def forest(report: Report) -> alt.LayerChart | None:
    """The forest plot: of all measures that lie between -1 and 1, and of the positive class or of every one."""
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
    least = min(0.0, floor(min(ends_of(rows)) * 10) / 10)
    return interval_chart(rows, [least, 1], TOOLTIP, _title(report, lines), _subtitle(report, lines, drawable))


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


def _title(report: Report, lines: Sequence[Line]) -> str:
    together = report.facts.simultaneous
    sure = level(report, lines[0].claim.delta)
    true = "All true values lie in their intervals" if together else "Each true value lies in its interval"
    return f"{true} with {sure} confidence"


def _subtitle(report: Report, lines: Sequence[Line], every: Sequence[Line]) -> list[str]:
    facts = report.facts
    together = "All intervals hold together." if facts.simultaneous else "Each interval holds on its own."
    outside = list(dict.fromkeys(line.measure for line in every if not _fits(line.claim)))
    left = len(every) - len(lines)
    sentences = [f"Models of {learner(facts.learner)}. {together}" if isinstance(facts, CrossFacts) else together]
    if outside:
        names = printable(", ".join(outside), 60)
        sentences.append(f"Not drawn, for their limits leave the range from −1 to 1: {names}.")
    elif left:
        sentences[0] += f" {left:,} more are in the tables."
    return sentences


def groups(report: Report) -> alt.LayerChart | None:
    """What is said first of the groups of every division, those that may be worst on top."""
    blocks = _first_of_each_division(report)
    if not blocks:
        return None
    places = [(block, place) for block in blocks for place in worst_first(block)]
    lines = [block[place] for block, place in places[:MOST_ROWS]]
    names = beside(line.group or "" for line in lines)
    rows = [
        row_of(line, name)
        | {"group": told(line.group or ""), **in_percent(line.claim)}
        | {"numbers": f"{percent(point(line.claim), 3, 'nearest')} of {int(line.claim.n):,}"}
        for line, name in zip(lines, names, strict=True)
    ]
    first = blocks[0]
    measure = first.claim.measure.replace("-", " ") + (f" of {printable(first.label)}" if first.label else "")
    whole = _of_the_whole(report, first)
    ends = ends_of(rows)
    ends += [float(whole.upper)] if whole is not None and whole.side != "lower" else []
    least, top = min(0.0, *ends), min(1.0, ceil(20 * max(ends)) / 20)
    title, subtitle = f"The {measure} of each group", [f"{len(rows)} groups, the worst first."]
    if len(places) > len(rows):
        subtitle = [f"The {len(rows)} worst of {len(places):,} groups."]
    if whole is not None:
        words = in_percent(whole)
        title += f", against {words['estimated']} for all"
        subtitle[0] += f" Line and shade: all together, {words['limits']}."
    axis, under, tooltip = percent_axis(tickCount=6), _line_of(whole), {"group": "group", **TOOLTIP}
    return interval_chart(rows, [least, top], tooltip, title, subtitle, about=measure, axis=axis, under=under)


def _first_of_each_division(report: Report) -> list[Block]:
    blocks = [blocks[0] for blocks in divisions_of(report) if len(blocks[0])]
    return [block for block in blocks if block.claim.measure == blocks[0].claim.measure]


def _of_the_whole(report: Report, block: Block) -> Claim | None:
    about = (line for line in report.whole if line.measure == block.claim.measure and line.label == block.label)
    return next((line.claim for line in about if line.claim.estimate is not None), None)


def _line_of(whole: Claim | None) -> list[Any]:
    if whole is None:
        return []
    chart = marks([coordinates(whole)])
    return [
        chart.mark_rect(style="whole-band").encode(x="lower:Q", x2="upper:Q"),
        chart.mark_rule(style="whole").encode(x="estimate:Q"),
    ]
