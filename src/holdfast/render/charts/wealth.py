"""How the evidence grew: what betting on either of two models has multiplied a stake by, example by example."""

from __future__ import annotations

from collections.abc import Sequence
from math import floor, log10
from typing import TYPE_CHECKING, Any

from holdfast.render.charts.look import HEIGHT, WIDTH, beside, finished, inline, told
from holdfast.render.duel import number

if TYPE_CHECKING:
    import altair as alt

LONGEST = 24  # characters of a model's name in the legend
LOWEST, HIGHEST = 1e-4, 1e12  # e-values that are drawn; beyond, a line runs along the edge


def wealth_chart(
    history: Any, *, names: Sequence[str] = ("first", "second"), delta: float = 0.05, settled_after: int | None = None
) -> alt.LayerChart:
    """E-values over examples on a logarithmic axis, and the line of 2/delta above which a model is called better.

    `history` is that of a duel: lists n, first and second, of the examples and of both e-values after so many.
    """
    import altair as alt

    needed, labels = 2 / delta, beside([f"{name} is better" for name in names], LONGEST)
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
            strokeDash=alt.StrokeDash("model:N", scale=alt.Scale(domain=labels, range=[[1, 0], [6, 3]]), legend=key),
            tooltip=[
                alt.Tooltip("says:N", title="evidence that"),
                alt.Tooltip("examples:N", title="after examples"),
                alt.Tooltip("evidence:N", title="e-value"),
            ],
        )
    )
    line = alt.Chart(inline([{"e": needed}])).mark_rule(style="promise").encode(y="e:Q")
    layers = [line, curves]
    if settled_after is not None:
        moment = alt.Chart(inline([{"n": settled_after}])).encode(x="n:Q")
        layers.insert(0, moment.mark_rule(style="guide"))
    title = "Enough to tell" if settled_after is not None else "Not enough to tell yet"
    when = f"after {max([0, *history.n]) if settled_after is None else settled_after:,} examples"
    subtitle = [
        "What betting on either model has multiplied a stake by. Were neither better, one of them",
        f"would ever reach {number(needed)}, the dashed line, with a chance of {100 * delta:g} % at most, ",
        "however often one looks.",
    ]
    return finished(alt.layer(*layers), f"{title}, {when}", subtitle, width=WIDTH, height=HEIGHT)


def _powers(domain: Sequence[float]) -> alt.Axis:
    """Ticks at powers of ten, not more than a dozen."""
    import altair as alt

    first, last = floor(log10(domain[0])), floor(log10(domain[1]))
    step = 1 + (last - first) // 12
    return alt.Axis(values=[10.0**power for power in range(first, last + 1, step)], format="~g")
