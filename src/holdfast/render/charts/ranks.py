"""Who is told apart from whom over many data sets: the critical-difference diagram."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import altair as alt

from holdfast.render.charts.look import beside, finished, marks, told
from holdfast.render.phrases import confidence, rounded
from holdfast.report import Report
from holdfast.report.facts.comparison import DatasetsFacts

WIDTH, ELBOW = 440, 44  # of the axis, and from its ends to the labels
MOST_MODELS = 60
LONGEST_MODEL = 30
ROW, BAR = 22, 9  # points from one label to the next, and from one bar to the next
LIMIT, AXIS = 16, 52  # heights of the critical difference and of the axis
TOOLTIP = {"model": "model", "mean": "mean rank", "joined": "joined with", "best": "may be the best"}


def ranks(report: Report) -> alt.LayerChart | None:
    """Mean ranks on an axis, best on the left; bars join models that Nemenyi's test cannot tell apart."""
    facts = report.facts
    if not isinstance(facts, DatasetsFacts):
        return None
    ordered = sorted(facts.ranks.items(), key=lambda item: item[1])[:MOST_MODELS]
    drawn = dict(ordered)
    last = len(facts.ranks) if len(drawn) == len(facts.ranks) else max(drawn.values())
    unit = (last - 1.0) / WIDTH  # ranks to a point
    bars = [*_bars(facts.cliques, drawn, BAR * unit)]
    top = AXIS + 18 + BAR * (1 + max((bar["level"] for bar in bars), default=-1))
    rows = [*_rows(drawn, facts, top)]
    height = max(row["y"] for row in rows) + ROW / 2
    ends = [1 - ELBOW * unit, last + ELBOW * unit]
    x_scale = alt.Scale(domain=ends, nice=False, zero=False)
    y_scale = alt.Scale(domain=[0, height], nice=False, reverse=True)

    def at(x: str = "x:Q", y: str = "y:Q", **more: Any) -> dict[str, Any]:
        return {"x": alt.X(x, scale=x_scale, axis=None), "y": alt.Y(y, scale=y_scale, axis=None), **more}

    for row in rows:
        row["edge"] = ends[0] if row["left"] else ends[1]
    models = marks(rows, TOOLTIP)
    left, right = models.transform_filter("datum.left"), models.transform_filter("!datum.left")
    line: dict[str, Any] = {"style": "whole", "strokeWidth": 1, "strokeOpacity": 0.55}
    names: dict[str, Any] = {"style": "value", "fontSize": 12, "baseline": "middle"}
    means: dict[str, Any] = {"style": "value", "fontSize": 10, "baseline": "bottom", "dy": -2, "opacity": 0.75}
    dots = models.encode(**at(y="axis:Q"))
    chart = alt.layer(
        *_axis(facts, last, len(drawn), at),
        models.mark_rule(**line).encode(**at(y="axis:Q", y2="y:Q")),
        models.mark_rule(**line).encode(**at(x2="edge:Q")),
        *([_joined(bars, at)] if bars else []),
        dots.transform_filter("datum.candidate").mark_point(style="curve", filled=True, size=64, opacity=1),
        dots.transform_filter("!datum.candidate").mark_point(
            style="curve", filled=False, size=46, strokeWidth=1.6, opacity=1
        ),
        left.mark_text(align="right", dx=-7, **names).encode(**at("edge:Q"), text="name:N"),
        right.mark_text(align="left", dx=7, **names).encode(**at("edge:Q"), text="name:N"),
        left.mark_text(align="left", dx=3, **means).encode(**at("edge:Q"), text="mean:N"),
        right.mark_text(align="right", dx=-3, **means).encode(**at("edge:Q"), text="mean:N"),
    )
    return finished(chart, _title(facts), _subtitle(facts, len(drawn)), width=WIDTH + 2 * ELBOW, height=height)


def _rows(drawn: Mapping[str, float], facts: DatasetsFacts, top: float) -> Iterator[dict[str, Any]]:
    """Where each label stands: the better half on the left, the other on the right, the outermost on top."""
    names = beside(drawn, LONGEST_MODEL)
    half = (len(drawn) + 1) // 2
    for place, ((model, rank), name) in enumerate(zip(drawn.items(), names, strict=True)):
        left = place < half
        step = place if left else len(drawn) - 1 - place
        joined = {other for clique in facts.cliques if model in clique for other in clique if other != model}
        candidate = model in facts.may_be_best
        yield {
            "x": rank,
            "y": top + ROW * (step + 0.5),
            "axis": AXIS,
            "left": left,
            "name": name,
            "mean": rounded(rank, 2, "nearest"),
            "candidate": candidate,
            "model": told(model),
            "joined": told(", ".join(other for other in drawn if other in joined)) or "none",
            "best": "yes" if candidate else "no",
        }


def _bars(cliques: Sequence[Sequence[str]], drawn: Mapping[str, float], apart: float) -> Iterator[dict[str, Any]]:
    """Each set as a bar, on the highest level where it comes near no other."""
    taken: list[float] = []
    for clique in cliques:
        reached = [drawn[model] for model in clique if model in drawn]
        if len(reached) < 2:
            continue
        start, end = min(reached), max(reached)
        level = next((place for place, last in enumerate(taken) if last + apart < start), len(taken))
        taken[level:] = [end, *taken[level + 1 :]]
        yield {"start": start, "end": end, "level": level, "height": AXIS + 14 + BAR * level}


def _joined(bars: Sequence[Mapping[str, Any]], at: Any) -> Any:
    how: dict[str, Any] = {"style": "operating", "strokeWidth": 5, "strokeCap": "round", "opacity": 1}
    return marks(bars).mark_rule(**how).encode(**at("start:Q", "height:Q", x2="end:Q"))


def _axis(facts: DatasetsFacts, last: float, number: int, at: Any) -> list[Any]:
    """The scale of ranks and, above it, how long the critical difference is."""
    step = max(1, -(-number // 15))
    ticks = [{"x": rank, "y": AXIS, "end": AXIS - 6, "label": f"{rank}"} for rank in range(1, int(last) + 1, step)]
    length = facts.critical_difference.value
    fits = length <= last - 1
    label = f"critical difference {rounded(length, 2, 'up')}" + ("" if fits else ", longer than the axis")
    reach = 1 + min(length, last - 1)
    limit = [{"x": 1, "x2": reach, "y": LIMIT, "label": label}]
    caps = [{"x": end, "y": LIMIT - 4, "end": LIMIT + 4} for end in ((1, reach) if fits else (1,))]
    small: dict[str, Any] = {"style": "whole", "strokeWidth": 1}
    scale, bar = marks(ticks), marks(limit)
    whole = marks([{"x": 1, "x2": last, "y": AXIS}])
    return [
        whole.mark_rule(**small).encode(**at(x2="x2:Q")),
        scale.mark_rule(**small).encode(**at(y2="end:Q")),
        scale.mark_text(style="value", fontSize=10, opacity=0.75, dy=-13).encode(**at(), text="label:N"),
        bar.mark_rule(style="operating").encode(**at(x2="x2:Q")),
        marks(caps).mark_rule(style="operating").encode(**at(y2="end:Q")),
        bar.mark_text(style="value", align="left", baseline="bottom", dy=-6).encode(**at(), text="label:N"),
    ]


def _title(facts: DatasetsFacts) -> str:
    number = len(facts.datasets)
    sets = "one data set" if number == 1 else f"{number:,} data sets"
    if not facts.cliques:
        return f"All mean ranks over {sets} are told apart"
    if any(len(clique) == len(facts.models) for clique in facts.cliques):
        return f"Mean ranks over {sets}: Nemenyi's test tells no two models apart"
    return f"Mean ranks over {sets}: models that a bar joins are not told apart"


def _subtitle(facts: DatasetsFacts, drawn: int) -> list[str]:
    level = confidence(facts.critical_difference.delta)
    rest = len(facts.models) - drawn
    shown = f" The best {drawn} of {drawn + rest} models." if rest else ""
    return [
        f"Rank 1 is best. Bars: Nemenyi's test, {level}, holds only as data sets grow.{shown}",
        "Filled dots: may be the best, by Wilcoxon's test with Holm's correction.",
    ]
