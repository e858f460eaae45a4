"""What was asked of a model, and what is proven: each condition's limits beside the limit that it sets."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any

from holdfast.render.charts.intervals import MOST_ROWS, ROW, interval_rows
from holdfast.render.charts.look import WIDTH, beside, finished, inline, told
from holdfast.render.ci.verdict import foremost, limit, tally
from holdfast.render.outline.decision import signed
from holdfast.render.phrases import confidence
from holdfast.report.facts.listing import DecisionFacts
from holdfast.wording import shortened

if TYPE_CHECKING:
    import altair as alt

    from holdfast.report import Decision, Report

LONGEST_NAME = 34
TOOLTIP = {
    "condition": "condition",
    "asked": "asked for",
    "estimated": "estimate",
    "limits": "limits, one side each",
    "answer": "this is",
    "confidence": "confidence",
    "method": "method",
    "guarantee": "this",
}


def conditions(report: Report) -> alt.LayerChart | None:
    """Each condition, in each group: what its limits leave open, and the limit that was asked for."""
    import altair as alt

    facts = report.facts
    if not isinstance(facts, DecisionFacts):
        return None
    every = [leaf for leaf in foremost(facts.gate, MOST_ROWS) if leaf.claim is not None]
    leaves = [leaf for leaf in every if _fits(leaf)]
    if not leaves:
        return None
    groups = all(leaf.group is not None for leaf in leaves) and len({_asked(leaf) for leaf in leaves}) == 1
    names = beside((str(leaf.group) if groups else leaf.condition for leaf in leaves), LONGEST_NAME)
    rows = [_row(leaf, name) for leaf, name in zip(leaves, names, strict=True)]
    asked = [{"row": name, "at": at} for leaf, name in zip(leaves, names, strict=True) for at in _limits(leaf)]
    ends = [row[end] for row in rows for end in ("estimate", "from", "to") if row[end] is not None]
    ends += [at for leaf in leaves for at in _limits(leaf)]
    least, most = min(0.0, *ends), max(ends)
    room = 0.04 * (most - least)
    domain = [least - room * (least < 0), min(most + room, 1.0) if most <= 1 else most + room]
    x = alt.X("lower:Q", title=None, scale=alt.Scale(domain=domain, nice=False), axis=alt.Axis(tickCount=6))
    mark = (
        alt.Chart(inline(asked))
        .mark_tick(style="asked", orient="vertical", thickness=3, size=ROW - 4)
        .encode(y=alt.Y("row:N", sort=None), x="at:Q")
    )
    number = sum(1 for _ in facts.gate.leaves())
    title = f"{str(facts.gate.answer).capitalize()}: {shortened(facts.gate.condition, 60)}"
    said = ["Lines: what the limits leave open, one side each. Grey bars: the limits that were asked for."]
    if number > 1:
        said.append(f"{tally(facts.gate).capitalize()}." + (f" {len(rows)} are drawn." if len(rows) < number else ""))
    return finished(interval_rows(rows, x, TOOLTIP, under=[mark]), title, said, width=WIDTH, height=alt.Step(ROW))


def _limits(leaf: Decision) -> list[float]:
    return [float(each) for each in (leaf.at_least, leaf.at_most) if each is not None]


def _asked(leaf: Decision) -> tuple[object, ...]:
    return leaf.claim and leaf.claim.measure, leaf.label, leaf.at_most, leaf.at_least


def _ends(leaf: Decision) -> tuple[float | None, float | None]:
    """The least and the most that the two one-sided claims leave open."""
    lower = upper = None
    for claim in (leaf.claim, leaf.other):
        if claim is not None and claim.side in ("lower", "both"):
            lower = float(claim.lower)
        if claim is not None and claim.side in ("upper", "both"):
            upper = float(claim.upper)
    return lower, upper


def _fits(leaf: Decision) -> bool:
    return all(isfinite(end) for end in _ends(leaf) if end is not None)


def _row(leaf: Decision, name: str) -> dict[str, Any]:
    claim = leaf.claim
    assert claim is not None  # or it is not drawn
    least, most = _ends(leaf)
    estimate, proven = signed(leaf)
    return {
        "row": name,
        "estimate": None if claim.estimate is None else float(claim.estimate),
        "lower": float(claim.lower) if least is None else least,
        "upper": float(claim.upper) if most is None else most,
        "from": least,
        "to": most,
        "numbers": f"{proven}, {leaf.answer}",
        "condition": told(leaf.condition),
        "asked": limit(leaf),
        "estimated": estimate,
        "limits": proven,
        "answer": str(leaf.answer),
        "confidence": confidence(float(claim.delta)),
        "method": claim.method,
        "guarantee": claim.guarantee.sentence,
    }
