"""How the models of a cross-validation did, one by one, against what is claimed of the target."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from holdfast.render.charts.look import WIDTH, finished, inline, learner, percent_axis, share
from holdfast.render.phrases import percent
from holdfast.report.facts.training import CrossFacts, Split

if TYPE_CHECKING:
    import altair as alt

    from holdfast.claims import Claim
    from holdfast.report import Report

MOST_ROWS = 30  # of models that are shown one by one: more would be several screens of a phone
MOST_BARS = 24
TARGETS = {
    "fold-average": "the average of these models",
    "fold": "the model of the fold that was chosen",
    "refit": "the model trained on all rows",
    "algorithm": "the learner",
}


def splits(report: Report) -> alt.LayerChart | None:
    """A row a model, and one for the target; of very many models, how often each error rate was seen."""
    import altair as alt

    facts = report.facts
    told = facts.splits if isinstance(facts, CrossFacts) else ()
    if not isinstance(facts, CrossFacts) or len(told) < 2 or max(split.n_test for split in told) == 1:
        return None  # for an answer alone is right or wrong
    rates = [split.errors / split.n_test for split in told]
    line = next((line for line in report.whole if line.measure == "error-rate"), None)
    claim = None if line is None else line.claim
    meant = TARGETS[facts.target.name]
    top = min(1.0, max(0.05, 1.08 * max([*rates, *([] if claim is None else [float(claim.upper)])])))
    height: Any
    said = [f"{len(told):,} models, each on the rows that it was tested on."]
    if len(told) <= MOST_ROWS:
        chart, sign, height = _rows(told, rates, claim, meant, top), "Last row", alt.Step(20)
    else:
        one_error = len(told) / sum(split.n_test for split in told)
        chart, sign, height = _bars(rates, claim, top, max(top / MOST_BARS, one_error)), "Line and shade", 240
    if claim is not None:
        said.append(f"{sign}: {meant}, {', '.join(_shares(claim))}; this {claim.guarantee.sentence}.")
    least, most = (percent(end(rates), 2, "nearest") for end in (min, max))
    title = f"Models of {learner(facts.learner)} erred on {least} to {most} of their rows"
    return finished(chart, title, said, width=WIDTH, height=height)


def _rows(told: Sequence[Split], rates: list[float], claim: Claim | None, meant: str, top: float) -> Any:
    import altair as alt

    several = len({split.repeat for split in told}) > 1
    rows: list[dict[str, Any]] = [
        {
            "row": f"repeat {split.repeat}, fold {split.fold}" if several else f"fold {split.fold}",
            "rate": rate,
            "numbers": f"{split.errors:,} of {split.n_test:,}",
        }
        for split, rate in zip(told, rates, strict=True)
    ]
    if claim is not None:
        limits = {"lower": float(claim.lower), "upper": float(claim.upper), "estimate": _estimate(claim)}
        rows.append({"row": meant, **limits, "numbers": ", ".join(_shares(claim))})
    x = _x(top)
    hover = [alt.Tooltip("row:N", title="model"), alt.Tooltip("numbers:N", title="errors")]
    y = alt.Y("row:N", sort=None, title=None, axis=alt.Axis(domain=False, ticks=False, labelPadding=12, labelLimit=0))
    chart = alt.Chart(inline(rows)).encode(y=y, tooltip=hover)
    model, target = (chart.transform_filter(f"isValid(datum.{field})") for field in ("rate", "lower"))
    numbers = chart.mark_text(align="left", dx=14, style="value")
    end = target.mark_tick(style="whole", thickness=2, size=9, orient="vertical", opacity=1)
    return alt.layer(
        model.mark_bar(style="right", height=5, opacity=0.5).encode(x=x, x2=alt.datum(0)),
        model.mark_point(style="right", filled=True, size=45, opacity=1).encode(x=x),
        target.mark_rule(style="whole", strokeWidth=2).encode(x="lower:Q", x2="upper:Q"),
        end.encode(x="lower:Q"),
        end.encode(x="upper:Q"),
        target.transform_filter("isValid(datum.estimate)")
        .mark_point(style="whole", filled=True, size=60, opacity=1)
        .encode(x="estimate:Q"),
        numbers.encode(x=alt.value("width"), text="numbers:N"),
    )


def _bars(rates: list[float], claim: Claim | None, top: float, step: float) -> Any:
    """Bars as wide as one error, if that is not too little: narrower ones would have gaps that mean nothing."""
    import altair as alt

    seen = Counter(round(rate / step) for rate in rates)
    top = min(1.0, max(top, (max(seen) + 0.5) * step))
    ends = {at: (max(0.0, at - 0.5) * step, min(top, (at + 0.5) * step)) for at in sorted(seen)}
    bars = [
        {
            "rate": least,
            "end": most,
            "models": seen[at],
            "between": f"{percent(least, 2, 'nearest')} to {percent(most, 2, 'nearest')}",
        }
        for at, (least, most) in ends.items()
    ]
    x = _x(top)
    hover = [alt.Tooltip("between:N", title="error rate"), alt.Tooltip("models:Q", title="models")]
    y = alt.Y("models:Q", title="models", axis=alt.Axis(tickMinStep=1), scale=alt.Scale(nice=True))
    chart = alt.Chart(inline(bars)).mark_bar(style="right", binSpacing=0.5)
    counted = chart.encode(x=x, x2="end:Q", y=y, y2=alt.datum(0), tooltip=hover)
    if claim is None:
        return alt.layer(counted)
    row = {"rate": float(claim.lower), "end": float(claim.upper), "estimate": _estimate(claim)}
    target = alt.Chart(inline([row]))
    shade = target.mark_rect(style="whole-band").encode(x=x, x2="end:Q")
    rule = target.transform_filter("isValid(datum.estimate)").mark_rule(style="whole")
    return alt.layer(shade, counted, rule.encode(x="estimate:Q"))


def _x(top: float) -> alt.X:
    import altair as alt

    scale = alt.Scale(domain=[0, top], nice=False)
    return alt.X("rate:Q", title="error rate", scale=scale, axis=percent_axis(tickCount=6))


def _estimate(claim: Claim) -> float | None:
    return None if claim.estimate is None else float(claim.estimate)


def _shares(claim: Claim) -> tuple[str, str]:
    estimated, limits = share(_estimate(claim), float(claim.lower), float(claim.upper))
    least, _, most = limits.partition(" to ")
    return estimated, {"both": limits, "upper": f"at most {most}", "lower": f"at least {least}"}[claim.side]
