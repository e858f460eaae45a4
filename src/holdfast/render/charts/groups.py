"""For whom does it work? Each group's interval against the whole's line."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from holdfast.render.charts.forest import TOOLTIP, row_of
from holdfast.render.charts.intervals import MOST_ROWS, ROW, interval_rows
from holdfast.render.charts.look import WIDTH, beside, finished, inline, percent_axis, share, told
from holdfast.render.phrases import percent
from holdfast.wording import printable

if TYPE_CHECKING:
    import altair as alt

    from holdfast.claims import Claim
    from holdfast.report import Block, Report


def groups(report: Report) -> alt.LayerChart | None:
    """What is said first of the groups of every division, those that may be worst on top."""
    import altair as alt

    blocks = _first_of_each_division(report)
    if not blocks:
        return None
    places = [(block, place) for block in blocks for place in _worst_first(block)]
    lines = [block[place] for block, place in places[:MOST_ROWS]]
    names = beside(line.group or "" for line in lines)
    rows = []
    for line, name in zip(lines, names, strict=True):
        estimated, limits = share(_one(line.claim.estimate), float(line.claim.lower), float(line.claim.upper))
        told_of = {"group": told(line.group or ""), "estimated": estimated, "limits": limits}
        rows.append(
            row_of(line, name)
            | told_of
            | {"numbers": f"{percent(_one(line.claim.estimate), 3, 'nearest')} of {int(line.claim.n):,}"}
        )
    first = blocks[0]
    measure = first.claim.measure.replace("-", " ") + (f" of {printable(first.label)}" if first.label else "")
    whole = _of_the_whole(report, first)
    ends = [row[end] for row in rows for end in ("estimate", "from", "to") if row[end] is not None]
    ends += [float(whole.upper)] if whole is not None and whole.side != "lower" else []
    least, top = min(0.0, *ends), min(1.0, ceil(20 * max(ends)) / 20)
    scale = alt.Scale(domain=[least, top], nice=False)
    x = alt.X("lower:Q", title=measure, scale=scale, axis=percent_axis(tickCount=6))
    title, subtitle = f"The {measure} of each group", [f"{len(rows)} groups, the worst first."]
    if len(places) > len(rows):
        subtitle = [f"The {len(rows)} worst of {len(places):,} groups."]
    if whole is not None:
        estimated, limits = share(_one(whole.estimate), float(whole.lower), float(whole.upper))
        title += f", against {estimated} for all"
        subtitle[0] += f" Line and shade: all together, {limits}."
    chart = interval_rows(rows, x, {"group": "group", **TOOLTIP}, under=_line_of(whole))
    return finished(chart, title, subtitle, width=WIDTH, height=alt.Step(ROW))


def _first_of_each_division(report: Report) -> list[Block]:
    divisions: dict[tuple[str, ...], Block] = {}
    for block in report.blocks:
        if len(block):
            divisions.setdefault(tuple(block.groups), block)
    found = list(divisions.values())
    return [block for block in found if block.claim.measure == found[0].claim.measure]


def _worst_first(block: Block) -> list[int]:
    """Those that are surely bad, then those that may be."""
    lower, upper = np.asarray(block.claim.lower), np.asarray(block.claim.upper)
    return [int(place) for place in np.lexsort((-upper, -lower) if block.better == "lower" else (lower, upper))]


def _of_the_whole(report: Report, block: Block) -> Claim | None:
    about = (line for line in report.whole if line.measure == block.claim.measure and line.label == block.label)
    return next((line.claim for line in about if line.claim.estimate is not None), None)


def _line_of(whole: Claim | None) -> list[Any]:
    import altair as alt

    if whole is None:
        return []
    row = {"lower": float(whole.lower), "upper": float(whole.upper), "estimate": _one(whole.estimate)}
    chart = alt.Chart(inline([row]))
    return [
        chart.mark_rect(style="whole-band").encode(x="lower:Q", x2="upper:Q"),
        chart.mark_rule(style="whole").encode(x="estimate:Q"),
    ]


def _one(estimate: Any) -> float | None:
    return None if estimate is None else float(estimate)
