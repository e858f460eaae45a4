"""What was trained: bias and variance along a parameter, as in Figure 22.7d of the book, and models one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import ceil, floor
from typing import Any, TypeGuard

import altair as alt

from holdfast.claims import Claim
from holdfast.render.charts.intervals import ROW, TOOLTIP, interval_chart, labelled, row_of
from holdfast.render.charts.look import (
    DASHES,
    WIDTH,
    beside,
    coordinates,
    finished,
    in_percent,
    learner,
    line_key,
    marks,
    percent_axis,
    rate_axis,
    told,
)
from holdfast.render.outline.training import NAMES, drawn_measures, settings, value_of
from holdfast.render.phrases import confidence, digits_for, percent, point, rounded
from holdfast.report import Report
from holdfast.report.facts.assessment import CrossFacts, Decomposed, DecompositionFacts, Split
from holdfast.wording import shortened

HEIGHT = 320
MANY_VALUES = 40  # from which on points are left out
FAR = 50  # times the least value, from which on the values are drawn at equal ratios
HOVER = {"part": "part", "estimated": "estimate", "limits": "limits"}


def decomposition(report: Report) -> alt.LayerChart | None:
    """Loss, bias and variance with their intervals."""
    facts = report.facts
    if not isinstance(facts, DecompositionFacts):
        return None
    setup = facts.decomposition
    return _along(report, facts) if setup.parameter and len(setup.values) > 1 else _rows(report, facts)


def _along(report: Report, facts: DecompositionFacts) -> alt.LayerChart:
    setup = facts.decomposition
    measures = drawn_measures(setup)
    parts = [NAMES.get(name, name) for name in measures]
    rows = [
        _point(claims[name], part, value, value_of(group, setup), setup)
        for value, (group, claims) in zip(setup.values, settings(report).items(), strict=True)
        for name, part in zip(measures, parts, strict=True)
    ]
    x = _x(setup)
    top = max(row["upper"] for row in rows)
    low = min(0.0, *(row["lower"] for row in rows))
    y = alt.Y("lower:Q", title=f"{setup.loss} loss", scale=alt.Scale(domain=[low, top], nice=True), axis=_axis(setup))
    colour = alt.Color("part:N", scale=alt.Scale(domain=parts, range="ordinal"), legend=line_key())
    chart = marks(rows, {"value": str(setup.parameter), **HOVER}).encode(x=x, color=colour)
    size = 45 if len(setup.values) <= MANY_VALUES else 0
    dots = chart.mark_point(filled=True, size=size, opacity=1)
    dots = dots.encode(y="estimate:Q", shape=alt.Shape("part:N", legend=None))
    if any(isinstance(value, str) for value in setup.values):  # names have no order: nothing lies between them
        apart = alt.XOffset("part:N", sort=parts)
        layers = [chart.mark_rule(strokeWidth=2).encode(y=y, y2="upper:Q", xOffset=apart), dots.encode(xOffset=apart)]
        sign = "Bars"
    else:
        # Three bands over each other would be mud: their edges tell.
        edge = chart.mark_line(strokeWidth=1, strokeDash=DASHES, opacity=0.8)
        edges = [edge.encode(y=y), edge.encode(y="upper:Q")]
        layers = [*edges, chart.mark_line(strokeWidth=2).encode(y="estimate:Q"), dots]
        sign = "Dashed"
    level = confidence(float(report.claims[0].delta))
    subtitle = [
        f"{setup.rounds:,} training sets, {setup.n_test:,} test examples. {sign}: {level} limits, each on its own,",
        f"about these training sets. {_sum(setup)}",
    ]
    return finished(alt.layer(*layers), _title(report, facts), subtitle, width=WIDTH, height=HEIGHT)


def _rows(report: Report, facts: DecompositionFacts) -> alt.LayerChart:
    lines = report.whole
    names = beside(NAMES.get(line.measure, line.measure) for line in lines)
    rows = [row_of(line, name) for line, name in zip(lines, names, strict=True)]
    ends = [end for row in rows for end in (row["lower"], row["upper"])]
    domain = [min(0.0, floor(min(ends) * 20) / 20), ceil(max(ends) * 20) / 20]
    level = confidence(float(lines[0].claim.delta))
    subtitle = f"{level} limits, each on its own, about these {facts.decomposition.rounds:,} training sets."
    tooltip = {name: title for name, title in TOOLTIP.items() if name != "label"}
    return interval_chart(rows, domain, tooltip, _title(report, facts), subtitle, step=ROW + 8)


def _point(claim: Claim, part: str, value: Any, name: str, setup: Decomposed) -> dict[str, Any]:
    """What one part of the loss is at one value."""
    words = in_percent(claim)
    if setup.loss == "squared":
        digits = digits_for(float(claim.width))
        lower, upper = rounded(float(claim.lower), digits, "down"), rounded(float(claim.upper), digits, "up")
        words = {"estimated": rounded(point(claim), digits, "nearest"), "limits": f"{lower} to {upper}"}
    at = value if all(map(_is_number, setup.values)) else shortened(name, 20)
    return {"at": at, "value": told(name), "part": part, **coordinates(claim), **words}


def _x(setup: Decomposed) -> alt.X:
    title, values = shortened(str(setup.parameter), 40), [value for value in setup.values if _is_number(value)]
    if len(values) < len(setup.values):
        return alt.X("at:N", sort=None, title=title, axis=alt.Axis(grid=False, labelAngle=0))
    far = min(values) > 0 and max(values) >= FAR * min(values)
    scale = alt.Scale(type="log", nice=False) if far else alt.Scale(zero=False, nice=False)
    marks = {"values": sorted(values)} if len(values) <= 15 else {"tickCount": 8}
    axis = alt.Axis(grid=False, format="~r", labelOverlap=True, **marks)
    return alt.X("at:Q", title=title, scale=scale, axis=axis)


def _axis(setup: Decomposed) -> alt.Axis:
    return percent_axis(tickCount=5) if setup.loss == "zero-one" else alt.Axis(tickCount=5)


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _sum(setup: Decomposed) -> str:
    if setup.loss == "squared":
        return "The loss is the sum of the other two."
    return "Variance costs where the vote is right, and helps where it is wrong."


def _title(report: Report, facts: DecompositionFacts) -> str:
    setup = facts.decomposition
    by_value = settings(report)
    losses = {group: float(claims["expected-loss"].estimate or 0.0) for group, claims in by_value.items()}
    least = min(losses, key=lambda group: losses[group])
    say = percent if setup.loss == "zero-one" else rounded
    loss, trained = say(losses[least], 3, "nearest"), learner(facts.learner)
    if setup.parameter and len(losses) > 1:
        return f"The loss of {trained} is least at {shortened(str(least), 40)}: {loss}"
    return f"{trained}: models of {setup.rounds:,} training sets lose {loss} on average"


MOST_SINGLE = 30  # of models that are shown one by one: more would be several screens of a phone
MOST_BARS = 24
TARGETS = {
    "fold-average": "the average of these models",
    "fold": "the model of the fold that was chosen",
    "refit": "the model trained on all rows",
    "algorithm": "the learner",
}


def splits(report: Report) -> alt.LayerChart | None:
    """A row a model, and one for the target; of very many models, how often each error rate was seen."""
    facts = report.facts
    models = facts.splits if isinstance(facts, CrossFacts) else ()
    if not isinstance(facts, CrossFacts) or len(models) < 2 or max(split.n_test for split in models) == 1:
        return None  # for an answer alone is right or wrong
    rates = [split.errors / split.n_test for split in models]
    line = next((line for line in report.whole if line.measure == "error-rate"), None)
    claim = None if line is None else line.claim
    meant = TARGETS[facts.target.name]
    top = min(1.0, max(0.05, 1.08 * max([*rates, *([] if claim is None else [float(claim.upper)])])))
    height: Any
    sentences = [f"{len(models):,} models, each on the rows that it was tested on."]
    if len(models) <= MOST_SINGLE:
        chart, sign, height = _one_by_one(models, rates, claim, meant, top), "Last row", alt.Step(20)
    else:
        one_error = len(models) / sum(split.n_test for split in models)
        chart, sign, height = _bars(rates, claim, top, max(top / MOST_BARS, one_error)), "Line and shade", 240
    if claim is not None:
        sentences.append(f"{sign}: {meant}, {', '.join(_shares(claim))}; this {claim.guarantee.sentence}.")
    least, most = (percent(end(rates), 2, "nearest") for end in (min, max))
    title = f"Models of {learner(facts.learner)} erred on {least} to {most} of their rows"
    return finished(chart, title, sentences, width=WIDTH, height=height)


def _one_by_one(models: Sequence[Split], rates: list[float], claim: Claim | None, meant: str, top: float) -> Any:
    several = len({split.repeat for split in models}) > 1
    rows: list[dict[str, Any]] = [
        {
            "row": f"repeat {split.repeat}, fold {split.fold}" if several else f"fold {split.fold}",
            "rate": rate,
            "numbers": f"{split.errors:,} of {split.n_test:,}",
        }
        for split, rate in zip(models, rates, strict=True)
    ]
    if claim is not None:
        rows.append({"row": meant, **coordinates(claim), "numbers": ", ".join(_shares(claim))})
    x = rate_axis(alt.X, "rate:Q", "error rate", [0, top])
    chart, beside = labelled(rows, {"row": "model", "numbers": "errors"})
    model, target = (chart.transform_filter(f"isValid(datum.{field})") for field in ("rate", "lower"))
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
        beside,
    )


def _bars(rates: list[float], claim: Claim | None, top: float, step: float) -> Any:
    """Bars as wide as one error, if that is not too little: narrower ones would have gaps that mean nothing."""
    number = Counter(round(rate / step) for rate in rates)
    top = min(1.0, max(top, (max(number) + 0.5) * step))
    ends = {at: (max(0.0, at - 0.5) * step, min(top, (at + 0.5) * step)) for at in sorted(number)}
    bars = [
        {
            "rate": least,
            "end": most,
            "models": number[at],
            "between": f"{percent(least, 2, 'nearest')} to {percent(most, 2, 'nearest')}",
        }
        for at, (least, most) in ends.items()
    ]
    x = rate_axis(alt.X, "rate:Q", "error rate", [0, top])
    hover = [alt.Tooltip("between:N", title="error rate"), alt.Tooltip("models:Q", title="models")]
    y = alt.Y("models:Q", title="models", axis=alt.Axis(tickMinStep=1), scale=alt.Scale(nice=True))
    chart = marks(bars).mark_bar(style="right", binSpacing=0.5)
    counted = chart.encode(x=x, x2="end:Q", y=y, y2=alt.datum(0), tooltip=hover)
    if claim is None:
        return alt.layer(counted)
    row = {"rate": float(claim.lower), "end": float(claim.upper), "estimate": point(claim)}
    target = marks([row])
    shade = target.mark_rect(style="whole-band").encode(x=x, x2="end:Q")
    rule = target.transform_filter("isValid(datum.estimate)").mark_rule(style="whole")
    return alt.layer(shade, counted, rule.encode(x="estimate:Q"))


def _shares(claim: Claim) -> tuple[str, str]:
    words = in_percent(claim)
    least, _, most = words["limits"].partition(" to ")
    limits = {"both": words["limits"], "upper": f"at most {most}", "lower": f"at least {least}"}
    return words["estimated"], limits[claim.side]
