"""How far models are apart and how often each errs, pair by pair, one by one, and as a vote."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import altair as alt

from holdfast.claims import Claim, Guarantee
from holdfast.render.charts.intervals import MOST_ROWS, interval_chart, row_of
from holdfast.render.charts.look import beside, marks, titled, told
from holdfast.render.outline.panel import about_inputs, best_first, claim_about
from holdfast.render.outline.panel import voters as named
from holdfast.render.phrases import UNKNOWN, confidence
from holdfast.report import Line, Report
from holdfast.report.facts.assessment import CommitteeFacts, PanelFacts
from holdfast.report.facts.compared import Compared, own_lines
from holdfast.report.facts.comparison import DatasetsFacts
from holdfast.report.lines import mirrored
from holdfast.wording import printable, shortened

FEW_PAIRS = 15  # up to which every method's answer is drawn
LONGEST_NAME = 34  # characters of both names of a pair
HELD = ("limits", "confidence", "n", "method", "guarantee")
TOOLTIP = titled("pair", "estimated", *HELD, pair="first minus second", estimated="difference")
OF_ONE = titled("model", "estimated", *HELD, "best", estimated="difference")


def differences(report: Report) -> alt.LayerChart | None:
    """The difference of each pair, zero as a line and the margin shaded; of very many pairs those of the leader."""
    facts = report.facts
    if not isinstance(facts, Compared) or isinstance(facts, DatasetsFacts):  # whose ranks have a picture of their own
        return None
    every = facts.differences(report.whole)
    lines, which = _chosen(facts, every, report.whole)
    rows = [
        row_of(line, name) | {"pair": f"{told(str(line.model))} − {told(str(line.against))}"}
        for line, name in zip(lines, _names(lines), strict=True)
    ]
    margin, measure = float(facts.margin), facts.name_of_measure
    ends = [0.0, -margin, margin, *(row[end] for row in rows for end in ("lower", "upper"))]
    return interval_chart(
        rows,
        [min(ends), max(ends)],
        TOOLTIP,
        _title(lines, measure),
        _subtitle(facts, margin, which, lines),
        about=f"difference in {measure}",
        nice=True,
        axis=alt.Axis(tickCount=7, format="~g"),
        under=_marked(margin),
    )


def _chosen(facts: Compared, every: Sequence[Line], lines: Sequence[Line]) -> tuple[list[Line], str]:
    """Which lines are drawn, and a sentence on those that are not."""
    first: dict[tuple[str | None, str | None], Line] = {}
    for line in every:
        first.setdefault((line.model, line.against), line)
    if len(first) <= FEW_PAIRS:
        return list(every), ""
    by = f"by {every[0].claim.method}" if len(every) > len(first) else ""
    if len(first) <= MOST_ROWS:
        return list(first.values()), f"All {len(first)} pairs{f', {by}' if by else ''}."
    leader, *others = facts.best_first(lines)
    drawn = [first.get((leader, other)) or _turned(first[other, leader]) for other in others[:MOST_ROWS]]
    best = "the lowest" if facts.better_values == "lower" else "the highest"
    of = facts.name_of_measure
    rest = f"the {len(drawn)} next" if len(drawn) < len(others) else "each other one"
    return (
        drawn,
        f"{printable(leader, 24)}, which has {best} {of} here, against {rest}; {facts.number_of_pairs:,} pairs in all.",
    )


def _turned(line: Line) -> Line:
    return Line(mirrored(line.claim), model=line.against, against=line.model)


def _names(lines: Sequence[Line]) -> list[str]:
    """Both models; where several methods answer, which of them; of one pair the method alone."""
    pairs = {(line.model, line.against) for line in lines}
    several = len(lines) > len(pairs)
    if len(pairs) == 1 and several:
        return beside(line.claim.method for line in lines)
    each = 12 if several else (LONGEST_NAME - 3) // 2
    named = (f"{shortened(str(line.model), each)} − {shortened(str(line.against), each)}" for line in lines)
    if not several:
        return beside(named)
    return beside((f"{name}, {line.claim.method}" for name, line in zip(named, lines, strict=True)), 2 * each + 24)


def _marked(margin: float) -> list[Any]:
    """No difference as a line; differences too small to matter as a shade."""
    shade = marks([{"low": -margin, "high": margin}]).mark_rect(style="whole-band")
    line = marks([{"none": 0.0}]).mark_rule(style="whole").encode(x="none:Q")
    return [shade.encode(x="low:Q", x2="high:Q"), line] if margin else [line]


def _title(lines: Sequence[Line], measure: str) -> str:
    if len({(line.model, line.against) for line in lines}) == 1:
        first, second = (printable(str(name), 24) for name in (lines[0].model, lines[0].against))
        return f"The {measure} of {first} minus that of {second}"
    return f"How far two models are apart in {measure}"


def _subtitle(facts: Compared, margin: float, which: str, lines: Sequence[Line]) -> list[str]:
    side = "Left" if facts.better_values == "lower" else "Right"
    unproven = all(line.claim.guarantee is Guarantee.HEURISTIC for line in lines)
    sentences = [f"{side} of the line the first is better.{f' Shaded: the margin of {margin:g}.' if margin else ''}"]
    together = facts.simultaneous
    if together:
        level = confidence(float(together.delta))
        meant = "are meant for all pairs together" if unproven else "of all pairs hold together"
        sentences[0] += f" The intervals {meant}, {level}."
    elif len(lines) > 1:
        sentences[0] += " Each interval holds on its own."
    return [*sentences, which] if which else sentences


def error_rates(report: Report) -> alt.LayerChart | None:
    """Each model's own error rate, the lowest on top, with an interval that holds whichever is selected."""
    facts, own = report.facts, {line.model: line for line in own_lines(report.whole)}
    if not own or not isinstance(facts, Compared):
        return None
    models = sorted(map(str, own), key=lambda model: (own[model].claim.estimate is None, own[model].claim.estimate))
    drawn, best = models[:MOST_ROWS], set(facts.may_be_best)
    marked = len(models) > 2
    names = beside(
        (f"{shortened(m, LONGEST_NAME - 2)}{' *' if marked and m in best else ''}" for m in drawn), LONGEST_NAME
    )
    rows = [
        row_of(own[model], name) | {"model": told(model), "best": "yes" if model in best else "no"}
        for model, name in zip(drawn, names, strict=True)
    ]
    top = min(1.0, 1.04 * max(row["upper"] for row in rows))
    sentences = [_holding(report, facts, own)]
    if marked:
        sentences[0] += f" * may be the best{facts.verdict.about.inside}."
    if len(drawn) < len(models):
        sentences.append(f"The {len(drawn)} lowest of {len(models):,}.")
    title = "How often each model errs"
    return interval_chart(rows, [0, top], OF_ONE, title, sentences, about="error rate", nice=True)


def _holding(report: Report, facts: Compared, own: Mapping[str | None, Line]) -> str:
    """Whether these intervals hold together: they do where each has its part of delta."""
    claims: list[Claim] = [line.claim for line in own.values()]
    spent = sum(float(claim.delta) for claim in claims)
    together = facts.delta(report.whole)
    if spent <= together * (1 + 1e-9):
        return f"All intervals hold together, {confidence(together)}: also that of the model one selects."
    return "Each interval holds on its own, and not for a model selected by these numbers."


SELECTED = " ← selected"
OF_A_MODEL = titled(
    *("model", "estimated", "limits", "alone", "method", "guarantee", "best"),
    estimated="error rate here",
    alone="if it had been the only one",
)
WAYS = titled("label", "estimated", "limits", "confidence", "method", "guarantee", label="way")


def model_errors(report: Report) -> alt.LayerChart | None:
    """Each model's interval that holds whichever is selected, its plain one as a band, and the average as a line."""
    facts, alone = report.facts, report.views.get("alone")
    if not isinstance(facts, PanelFacts) or alone is None:
        return None
    together, lines = facts.panel, best_first(report)
    drawn, best = lines[:MOST_ROWS], {*facts.may_be_best}
    names = beside(
        (
            shortened(str(line.model), LONGEST_NAME - len(SELECTED) * (line.model == together.selected))
            + ("" if line.model != together.selected else SELECTED)
            + (" *" if line.model in best else "")
            for line in drawn
        ),
        LONGEST_NAME + 2,
    )
    rows = []
    for line, name in zip(drawn, names, strict=True):
        low, high = alone[line.model]
        rows.append(
            row_of(line, name)
            | {"model": told(str(line.model)), "best": "yes" if line.model in best else "no"}
            | {"inner": low, "outer": high, "alone": f"{low:.3f} to {high:.3f}"}
        )
    average = claim_about(report, "average-error-rate")
    top = min(1.0, 1.04 * max([float(average.upper), *(row["upper"] for row in rows)]))
    where = "error rate on the unlabelled inputs" if together.unlabelled else "error rate"
    inner = alt.X("inner:Q", scale=alt.Scale(domain=[0, top], nice=True))
    plain = marks(rows).mark_bar(style="band", height=9)
    plain = plain.encode(y=alt.Y("row:N", sort=None), x=inner, x2="outer:Q")
    middle = [{"at": average.estimate, "low": float(average.lower), "high": float(average.upper)}]
    band = marks(middle).mark_rect(style="whole-band").encode(x="low:Q", x2="high:Q")
    line_at = marks(middle).mark_rule(style="guide").encode(x="at:Q")
    sentences = [
        f"Lines: intervals of all models together, {confidence(float(together.delta))}, also of the one selected. "
        "Blue bands: what would hold of one named beforehand.",
        "Grey: the average of all models and its interval. * may be the best.",
    ]
    if len(drawn) < len(lines):
        sentences.append(f"The {len(drawn)} lowest of {len(lines):,}.")
    title, under = "How often each model errs", [band, line_at, plain]
    return interval_chart(rows, [0, top], OF_A_MODEL, title, sentences, about=where, nice=True, under=under)


def ways(report: Report) -> alt.LayerChart | None:
    """What each method can say about the vote, and how often each member errs on average, as a line."""
    facts = report.facts
    if not isinstance(facts, CommitteeFacts):
        return None
    voting, lines = facts.committee, [line for line in report.whole if line.group is None]
    apart = voting.unlabelled and any(not about_inputs(line.claim) for line in lines)
    names = beside(
        f"{line.label}, at large" if apart and not about_inputs(line.claim) else str(line.label) for line in lines
    )
    rows = [row_of(line, name) | {"label": str(line.label)} for line, name in zip(lines, names, strict=True)]
    for row in rows:
        row["numbers"] = row["numbers"].removeprefix(UNKNOWN).lstrip(", ")
    top = min(1.0, 1.04 * max(row["upper"] for row in rows))
    under = [marks([{"at": voting.average}]).mark_rule(style="guide").encode(x="at:Q")]
    sentences = [
        "Each interval holds on its own; the first answers, the others need to know less.",
        "Dashed: how often a member errs on the labelled examples, on average.",
    ]
    if apart:
        sentences.append(f"At large: of all such examples; the others are about these {voting.unlabelled:,} inputs.")
    title = f"What can be said of {named(facts)[0].lower()}{named(facts)[1:]}"
    return interval_chart(rows, [0, top], WAYS, title, sentences, about="error rate", nice=True, under=under)
