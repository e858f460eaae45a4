"""What was decided: each condition beside the limit that it sets, and a threshold beside what others give up."""

from __future__ import annotations

from math import isfinite
from typing import Any

import altair as alt

from holdfast.render.charts.intervals import MOST_ROWS, ROW, TOOLTIP, ends_of, interval_chart, row_of
from holdfast.render.charts.look import HEIGHT, WIDTH, beside, finished, marks, percent_axis, stepped, titled, told
from holdfast.render.ci.verdict import foremost, limit, tally
from holdfast.render.outline.decision import named, signed
from holdfast.render.phrases import confidence, percent, point
from holdfast.report import Decision, Report
from holdfast.report.facts.listing import DecisionFacts, ThresholdFacts
from holdfast.wording import shortened

OF_A_CONDITION = titled(
    *("condition", "asked", "estimated", "limits", "answer", "confidence", "method", "guarantee"),
    asked="asked for",
    limits="limits, one side each",
    answer="this is",
)


def conditions(report: Report) -> alt.LayerChart | None:
    """Each condition, in each group: what its limits leave open, and the limit that was asked for."""
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
    limits = [{"row": name, "at": at} for leaf, name in zip(leaves, names, strict=True) for at in _limits(leaf)]
    ends = [*ends_of(rows), *(at for leaf in leaves for at in _limits(leaf))]
    least, most = min(0.0, *ends), max(ends)
    room = 0.04 * (most - least)
    domain = [least - room * (least < 0), min(most + room, 1.0) if most <= 1 else most + room]
    mark = (
        marks(limits)
        .mark_tick(style="asked", orient="vertical", thickness=3, size=ROW - 4)
        .encode(y=alt.Y("row:N", sort=None), x="at:Q")
    )
    number = sum(1 for _ in facts.gate.leaves())
    title = f"{str(facts.gate.answer).capitalize()}: {shortened(facts.gate.condition, 60)}"
    sentences = ["Lines: what the limits leave open, one side each. Grey bars: the limits that were asked for."]
    if number > 1:
        drawn = f" {len(rows)} are drawn." if len(rows) < number else ""
        sentences.append(f"{tally(facts.gate).capitalize()}.{drawn}")
    return interval_chart(rows, domain, OF_A_CONDITION, title, sentences, under=[mark])


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
        "estimate": point(claim),
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


LONGEST_NAME = 34
SEEN = {"of": "rate", "shown": "threshold", "share": "seen here"}
RATES = ("sensitivity", "specificity")


def rates(report: Report) -> alt.LayerChart | None:
    """What may be claimed at the threshold, of all rows and of each group."""
    facts, lines = report.facts, report.whole
    if not isinstance(facts, ThresholdFacts) or not lines:
        return None
    drawn = [line for line in lines if line.measure != "expected-cost"][:MOST_ROWS]
    if not drawn:
        return None
    names = beside((named(line, LONGEST_NAME) for line in drawn), LONGEST_NAME)
    rows = [
        row_of(line, name) | {"label": told(line.group) if line.group is not None else "all together"}
        for line, name in zip(drawn, names, strict=True)
    ]
    chosen = facts.threshold
    title = f"From the score {chosen.threshold:.6g} on, with {confidence(chosen.delta)} confidence each"
    sentences = [f"The first is what was asked for: {chosen.condition}. Each limit holds on its own."]
    if len(drawn) < len(lines):
        sentences.append(f"{len(drawn)} of {len(lines):,}; all are in the tables.")
    tooltip = {**TOOLTIP, "label": "of"}
    return interval_chart(rows, [0, 1], tooltip, title, sentences, axis=percent_axis(tickCount=6))


def trade_off(report: Report) -> alt.LayerChart | None:
    """Sensitivity and specificity seen at every threshold, and the one that was chosen."""
    facts, view = report.facts, report.views.get("trade-off")
    if not isinstance(facts, ThresholdFacts) or view is None:
        return None
    chosen = facts.threshold
    rows = [
        {
            "threshold": at,
            "rate": value,
            "of": name,
            "shown": f"{at:.6g}",
            "share": percent(value, 4, "nearest"),
        }
        for name in RATES
        for at, value in zip(view["thresholds"], view[name], strict=True)
    ]
    domain = [min(view["thresholds"]), max(view["thresholds"])]
    curves = stepped(marks(rows, SEEN), "of:N", RATES, "step-before", [7, 3], title=None).encode(
        x=alt.X("threshold:Q", title="threshold", scale=alt.Scale(domain=domain, nice=False)),
        y=alt.Y("rate:Q", title=None, scale=alt.Scale(domain=[0, 1]), axis=percent_axis(tickCount=6)),
    )
    layers = [curves]
    title = "What each threshold gives and takes"
    if chosen.threshold is not None:
        at = marks([{"threshold": chosen.threshold}])
        layers.insert(0, at.mark_rule(style="guide").encode(x="threshold:Q"))
        title += f"; chosen: {chosen.threshold:.6g}"
    sentences = [
        f"Rates seen on these examples; an example is called {shortened(chosen.positive, 30)} from the threshold on.",
        "Estimates without limits: only what the tables say of the one that was chosen is claimed.",
    ]
    return finished(alt.layer(*layers), title, sentences, width=WIDTH, height=HEIGHT)
