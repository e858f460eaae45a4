"""The picture of the study of reuse."""

from __future__ import annotations

from typing import Any

import altair as alt

from holdfast.render.charts.look import WIDTH, finished, inline, percent_axis


def attack(rows: list[dict[str, Any]], delta: float) -> Any:
    """How often a vote of guesses is called better than guessing, by the number of looks, a line a way of counting."""
    names = [*dict.fromkeys(row["way"] for row in rows)]
    colour = alt.Color("way:N", sort=names, scale=alt.Scale(domain=names, range="ordinal"), legend=None)
    looks = sorted({row["looks"] for row in rows})
    scale = alt.Scale(domain=[0, 1], nice=False)
    base = alt.Chart(inline(rows)).encode(
        x=alt.X(
            "looks:Q",
            title="looks at the test set",
            scale=alt.Scale(type="log", domain=[looks[0], looks[-1] * 3.2], nice=False),
            axis=alt.Axis(values=[5, 10, 20, 50, 100, 200], format="d", grid=False),
        ),
        color=colour,
    )
    y = alt.Y("rate:Q", title="attacks that end in a false claim", scale=scale, axis=percent_axis())
    layers = [
        base.mark_rule(strokeWidth=1.5).encode(y=alt.Y("lower:Q", scale=scale), y2="upper:Q"),
        base.mark_line(strokeWidth=2, point=alt.OverlayMarkDef(size=30, filled=True)).encode(y=y),
        base.transform_filter(f"datum.looks == {looks[-1]}")
        .mark_text(align="left", dx=8, fontSize=11)
        .encode(y=y, text="way:N"),
        alt.Chart(inline([{"promise": delta}])).mark_rule(style="promise").encode(y=alt.Y("promise:Q", scale=scale)),
    ]
    return finished(
        alt.layer(*layers),
        "Guesses, put to the vote until they look good",
        f"No model is better than guessing. Dashed: δ = {delta:.0%}. Bars: 99.9 % limits of the simulation.",
        width=WIDTH,
        height=300,
    )
