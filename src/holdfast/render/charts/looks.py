"""What goes on: the evidence of a duel, example by example, and what a test set that is asked again still proves."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log10
from types import SimpleNamespace
from typing import Any, Literal

import altair as alt

from holdfast.render.charts.look import HEIGHT, beside, finished, marks, rate_axis, stepped, told
from holdfast.render.phrases import e_value as number
from holdfast.render.phrases import percent
from holdfast.report import Report
from holdfast.report.facts.comparison import DuelFacts
from holdfast.report.facts.listing import LedgerFacts
from holdfast.wording import counted, examples

WIDTH = 720  # a plan, or a stream, may be long
KINDS = ["asked, not proven", "asked, proven", "to come"]


def limits(report: Report) -> alt.LayerChart | None:
    """The limit that a stated rate gets at each gate, from the number of rows and the levels alone."""
    facts = report.facts
    if not isinstance(facts, LedgerFacts) or not facts.levels:
        return None
    state, top = facts.ledger, max(each.upper for each in facts.levels)
    y = rate_axis(alt.Y, "upper:Q", "limit of the error rate", [0.98 * state.rate, 1.01 * top], zero=False)
    stated = marks([{"rate": state.rate}]).mark_rule(style="guide").encode(y="rate:Q")
    title = f"What {counted(state.rows, 'row')} would still prove of an error rate of {100 * state.rate:g} %"
    subtitle = [
        "The limit at the level of each gate, from the number of rows and the levels alone; dashed, the rate itself.",
        "Gates to come are as if none were proven.",
    ]
    return _gates(facts, y, title, subtitle, under=[stated])


def levels(report: Report) -> alt.LayerChart | None:
    """What each gate spends, on a logarithmic axis."""
    facts = report.facts
    if not isinstance(facts, LedgerFacts) or not facts.levels:
        return None
    state = facts.ledger
    y = alt.Y("level:Q", title="spends", scale=alt.Scale(type="log"), axis=alt.Axis(format="~g", tickCount=5))
    title = f"{counted(state.gates, 'gate')} asked, {counted(state.promotions, 'promotion')}"
    subtitle = [
        f"What each gate spends of {state.delta:g}, that may go wrong over all of them.",
        "Not proven leaves what was not spent, proven what was.",
    ]
    return _gates(facts, y, title, subtitle)


def _gates(
    facts: LedgerFacts, y: alt.Y, title: str, subtitle: list[str], under: Sequence[alt.Chart] = ()
) -> alt.LayerChart:
    """A line over the gates, and each of them by what became of it, told apart by colour and shape."""
    rows = [
        {
            "gate": each.gate,
            "upper": each.upper,
            "level": each.level,
            "kind": KINDS[2] if not each.asked else KINDS[each.proven],
            "limit": percent(each.upper, 4, "up"),
            "spends": f"{each.level:.3g}",
        }
        for each in facts.levels
    ]
    last = facts.levels[-1].gate
    axis = alt.Axis(format="d", tickMinStep=1, tickCount=min(last, 10), grid=False)
    x = alt.X("gate:Q", title="gate", scale=alt.Scale(domain=[0.5, last + 0.5], nice=False), axis=axis)
    base = marks(rows, {name: name for name in ("gate", "kind", "limit", "spends")}).encode(x=x)
    gates = base.mark_point(filled=True, size=50, opacity=1).encode(
        color=alt.Color("kind:N", scale=alt.Scale(domain=KINDS, range="ordinal")),
        shape=alt.Shape("kind:N", scale=alt.Scale(domain=KINDS, range=["circle", "diamond", "square"])),
    )
    layers = [*under, base.mark_line(style="curve", opacity=0.4).encode(y=y), gates.encode(y=y)]
    return finished(alt.layer(*layers), title, subtitle, width=WIDTH, height=HEIGHT)


LONGEST = 24  # characters of a model's name in the legend
EVIDENCE = {"says": "evidence that", "examples": "after examples", "evidence": "e-value"}
LOWEST, HIGHEST = 1e-4, 1e12  # e-values that are drawn; beyond, a line runs along the edge


def wealth(report: Report) -> alt.LayerChart | None:
    """The picture of a duel that a report tells of."""
    facts, view = report.facts, report.views.get("wealth")
    if view is None or not isinstance(facts, DuelFacts):
        return None
    return wealth_chart(
        SimpleNamespace(**view),
        names=facts.models,
        delta=float(report.claims[0].delta),
        settled_after=facts.sequential.settled_after,
        changed_after=facts.sequential.changed_after,
    )


def wealth_chart(
    history: Any,
    *,
    names: Sequence[str] = ("first", "second"),
    delta: float = 0.05,
    settled_after: int | None = None,
    changed_after: int | None = None,
) -> alt.LayerChart:
    """E-values over examples on a logarithmic axis, and the line of 2/delta above which a model is called better.

    `history` is that of a duel: lists n, first and second, of the examples and of both e-values after so many.
    """
    needed, labels = 2 / delta, [f"{name} is better" for name in beside(names, LONGEST)]
    lines = list(zip(labels, names, (history.first, history.second), strict=True))
    rows = [
        {
            "n": n,
            "e": min(max(e, LOWEST), HIGHEST),
            "model": label,
            "says": f"{told(name)} is better",
            "examples": f"{n:,}",
            "evidence": number(e),
        }
        for label, name, values in lines
        for n, e in ((0, 1.0), *zip(history.n, values, strict=True))
    ]
    last = max([1, *history.n])
    drawn = [row["e"] for row in rows]
    domain = [10.0 ** floor(log10(min(drawn)) - 0.1), 2 * max(needed, *drawn)]
    across = alt.Axis(grid=False, format=",d", tickCount=min(last, 6), tickMinStep=1)
    x = alt.X("n:Q", title="examples", scale=alt.Scale(domain=[0, last], nice=False), axis=across)
    y = alt.Y("e:Q", title="e-value", scale=alt.Scale(type="log", domain=domain, nice=False), axis=_powers(domain))
    curves = stepped(marks(rows, EVIDENCE), "model:N", labels, "step-after", [9, 3]).encode(x=x, y=y)
    enough = marks([{"e": needed, "said": f"enough: {number(needed)}"}]).encode(y="e:Q")
    crowded = any(row["n"] > 0.7 * last and needed / 4 < row["e"] < 10 * needed for row in rows)
    side: Literal["left", "right"] = "left" if crowded else "right"
    layers = [enough.mark_rule(style="guide"), curves]
    layers += [  # on paper of its own where a curve would cross it
        enough.mark_text(style=style, align=side, dx=4 * (side == "left"), baseline="bottom", dy=-4).encode(
            x=alt.value(0 if side == "left" else "width"), text=alt.Text("said:N")
        )
        for style in ("halo", "value")
    ]
    if settled_after is not None:
        layers.insert(0, marks([{"n": settled_after}]).mark_rule(style="guide").encode(x="n:Q"))
    title = _title(max([0, *history.n]), settled_after, changed_after)
    subtitle = [
        "What betting on either model has multiplied a stake by. Were neither better, one of them",
        f"would ever reach {number(needed)} with a chance of {100 * delta:g} % at most, however often one looks.",
    ]
    ends = [f"{number(values[-1] if values else 1.0)} that {told(name)} is better" for _, name, values in lines]
    described = f"{title}. The e-values are at the end {' and '.join(ends)}; enough would be {number(needed)}."
    chart = alt.layer(*layers, description=described)
    return finished(chart, title, subtitle, width=WIDTH, height=HEIGHT)


def _title(n: int, settled_after: int | None, changed_after: int | None) -> str:
    if changed_after is not None:
        return f"No difference fits all examples, after {examples(changed_after)}"
    if settled_after is not None:
        return f"Enough to tell, after {examples(settled_after)}"
    return f"Not enough to tell yet, after {examples(n)}"


def _powers(domain: Sequence[float]) -> alt.Axis:
    """Ticks at powers of ten, not more than a dozen."""
    first, last = floor(log10(domain[0])), floor(log10(domain[1]))
    step = 1 + (last - first) // 12
    return alt.Axis(values=[10.0**power for power in range(first, last + 1, step)], format=",~g")
