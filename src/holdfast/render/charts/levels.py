"""What a test set that is asked again still proves: the limit of a stated rate, and what gates spend, one by one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdfast.render.charts.look import HEIGHT, finished, inline, percent_axis
from holdfast.render.phrases import percent
from holdfast.report.facts.listing import LedgerFacts
from holdfast.wording import counted

if TYPE_CHECKING:
    import altair as alt

    from holdfast.report import Report

WIDTH = 720  # a plan may be long
KINDS = ["asked, not proven", "asked, proven", "to come"]


def limits(report: Report) -> alt.LayerChart | None:
    """The limit that a stated rate gets at each gate, from the number of rows and the levels alone."""
    import altair as alt

    facts = report.facts
    if not isinstance(facts, LedgerFacts) or not facts.levels:
        return None
    state = facts.ledger
    top = max(each.upper for each in facts.levels)
    y = alt.Y(
        "upper:Q",
        title="limit of the error rate",
        scale=alt.Scale(domain=[0.98 * state.rate, 1.01 * top], nice=False, zero=False),
        axis=percent_axis(tickCount=6),
    )
    base = _gates(facts)
    seen = alt.Chart(inline([{"rate": state.rate}])).mark_rule(style="guide").encode(y="rate:Q")
    layers = [seen, base.mark_line(style="curve", opacity=0.4).encode(y=y), _marked(base).encode(y=y)]
    title = f"What {counted(state.rows, 'row')} would still prove of an error rate of {100 * state.rate:g} %"
    subtitle = [
        "The limit at the level of each gate, from the number of rows and the levels alone; dashed, the rate itself.",
        "Gates to come are as if none were proven.",
    ]
    return finished(alt.layer(*layers), title, subtitle, width=WIDTH, height=HEIGHT)


def levels(report: Report) -> alt.LayerChart | None:
    """What each gate spends, on a logarithmic axis."""
    import altair as alt

    facts = report.facts
    if not isinstance(facts, LedgerFacts) or not facts.levels:
        return None
    state, base = facts.ledger, _gates(facts)
    axis = alt.Axis(format="~g", tickCount=5)
    y = alt.Y("level:Q", title="spends", scale=alt.Scale(type="log"), axis=axis)
    layers = [base.mark_line(style="curve", opacity=0.4).encode(y=y), _marked(base).encode(y=y)]
    title = f"{counted(state.gates, 'gate')} asked, {counted(state.promotions, 'promotion')}"
    subtitle = [
        f"What each gate spends of {state.delta:g}, that may go wrong over all of them.",
        "Not proven leaves what was not spent, proven what was.",
    ]
    return finished(alt.layer(*layers), title, subtitle, width=WIDTH, height=HEIGHT)


def _gates(facts: LedgerFacts) -> Any:
    import altair as alt

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
    hover = [alt.Tooltip(f"{name}:N", title=name) for name in ("gate", "kind", "limit", "spends")]
    return alt.Chart(inline(rows)).encode(x=x, tooltip=hover)


def _marked(base: Any) -> Any:
    """Each gate by what became of it, told apart by colour and shape."""
    import altair as alt

    return base.mark_point(filled=True, size=50, opacity=1).encode(
        color=alt.Color("kind:N", scale=alt.Scale(domain=KINDS, range="ordinal")),
        shape=alt.Shape("kind:N", scale=alt.Scale(domain=KINDS, range=["circle", "diamond", "square"])),
    )
