"""How the evidence grew: what betting on either of two models has multiplied a stake by, example by example."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log10
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Literal

from holdfast.render.charts.look import HEIGHT, beside, finished, inline, told
from holdfast.render.phrases import e_value as number
from holdfast.report.facts.comparison import DuelFacts
from holdfast.wording import examples

if TYPE_CHECKING:
    import altair as alt

    from holdfast.report import Report

WIDTH = 720  # a stream is long
LONGEST = 24  # characters of a model's name in the legend
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
    import altair as alt

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
    key = alt.Legend(symbolType="stroke", symbolStrokeWidth=3)
    curves = (
        alt.Chart(inline(rows))
        .mark_line(strokeWidth=2, interpolate="step-after", point={"opacity": 0, "size": 40})
        .encode(
            x=x,
            y=y,
            color=alt.Color("model:N", scale=alt.Scale(domain=labels, range="ordinal"), legend=key),
            strokeDash=alt.StrokeDash("model:N", scale=alt.Scale(domain=labels, range=[[1, 0], [9, 3]]), legend=key),
            tooltip=[
                alt.Tooltip("says:N", title="evidence that"),
                alt.Tooltip("examples:N", title="after examples"),
                alt.Tooltip("evidence:N", title="e-value"),
            ],
        )
    )
    enough = alt.Chart(inline([{"e": needed, "said": f"enough: {number(needed)}"}])).encode(y="e:Q")
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
        layers.insert(0, alt.Chart(inline([{"n": settled_after}])).mark_rule(style="guide").encode(x="n:Q"))
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
    import altair as alt

    first, last = floor(log10(domain[0])), floor(log10(domain[1]))
    step = 1 + (last - first) // 12
    return alt.Axis(values=[10.0**power for power in range(first, last + 1, step)], format=",~g")
