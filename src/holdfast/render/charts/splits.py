"""How the models of a cross-validation did, one by one, against what is claimed of the target."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdfast.render.charts.look import WIDTH, finished, inline, percent_axis, share
from holdfast.render.numbers import percent

if TYPE_CHECKING:
    import altair as alt

    from holdfast.claims import Claim
    from holdfast.report import Report

MOST_DOTS = 60  # of models that are shown one by one
BARS = 24


def splits(report: Report) -> alt.LayerChart | None:
    """A bar a model; of very many, how often each error rate was seen."""
    import altair as alt

    told = report.details.get("splits")
    if not told or len(told) < 2:
        return None
    rates = [row["errors"] / row["n_test"] for row in told]
    line = next((line for line in report.whole if line.measure == "error-rate"), None)
    claim = None if line is None else line.claim
    ends = [*rates, *([float(claim.upper), float(claim.lower)] if claim is not None else [])]
    top = min(1.0, max(0.05, 1.08 * max(ends)))
    several = len({row["repeat"] for row in told}) > 1
    shape = _rows(told, rates, several) if len(told) <= MOST_DOTS else None
    scale = alt.Scale(domain=[0, top], nice=False)
    x = alt.X("rate:Q", title="error rate", scale=scale, axis=percent_axis(tickCount=6))
    layers: list[Any] = _target(claim, x)
    if shape is None:
        step = top / BARS
        counts = [0] * (BARS + 1)
        for rate in rates:
            counts[min(int(rate / step), BARS)] += 1
        bars = [{"rate": i * step, "end": (i + 1) * step, "models": n} for i, n in enumerate(counts) if n]
        chart = alt.Chart(inline(bars)).mark_bar(style="right", binSpacing=0.5)
        y = alt.Y("models:Q", title="models", axis=alt.Axis(tickMinStep=1))
        layers.insert(len(layers) - 1, chart.encode(x=x, x2="end:Q", y=y, y2=alt.datum(0)))
        size: dict[str, Any] = {"width": WIDTH, "height": 240}
    else:
        hover = [alt.Tooltip("name:N", title="model of"), alt.Tooltip("told:N", title="errors")]
        y = alt.Y("name:N", sort=None, title=None)
        chart = alt.Chart(inline(shape)).encode(y=y, tooltip=hover)
        layers.append(chart.mark_bar(style="right", height=5, opacity=0.5).encode(x=x, x2=alt.datum(0)))
        layers.append(chart.mark_point(style="right", filled=True, size=45, opacity=1).encode(x=x))
        size = {"width": WIDTH, "height": alt.Step(15 if len(told) > 20 else 20)}
    said = [f"{len(told):,} models, each on the rows that it was tested on."]
    if claim is not None:
        estimated, limits = share(
            None if claim.estimate is None else float(claim.estimate), float(claim.lower), float(claim.upper)
        )
        said.append(
            f"Line and shade: {report.details['target']['name']}, {estimated}, {limits}; {claim.guarantee.sentence}."
        )
    least, most = (percent(end(rates), 2, "nearest") for end in (min, max))
    return finished(alt.layer(*layers), f"The models erred on {least} to {most} of their rows", said, **size)


def _rows(told: list[dict[str, Any]], rates: list[float], several: bool) -> list[dict[str, Any]]:
    return [
        {
            "name": f"repeat {row['repeat']}, fold {row['fold']}" if several else f"fold {row['fold']}",
            "rate": rate,
            "told": f"{row['errors']:,} of {row['n_test']:,}",
        }
        for row, rate in zip(told, rates, strict=True)
    ]


def _target(claim: Claim | None, x: alt.X) -> list[Any]:
    """What is claimed, as a line and its shade."""
    import altair as alt

    if claim is None:
        return []
    row = {"rate": float(claim.lower), "end": float(claim.upper), "estimate": claim.estimate}
    chart = alt.Chart(inline([row]))
    return [
        chart.mark_rect(style="whole-band").encode(x=x, x2="end:Q"),
        chart.mark_rule(style="whole").encode(x="estimate:Q"),
    ]
