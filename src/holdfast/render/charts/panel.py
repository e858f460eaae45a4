"""How often each of several models errs: as if it were the only one, and so that it holds for the one selected."""

from __future__ import annotations

import altair as alt

from holdfast.render.charts.intervals import MOST_ROWS, interval_chart, row_of
from holdfast.render.charts.look import beside, marks, told
from holdfast.render.outline.panel import about_inputs, best_first, claim_about
from holdfast.render.outline.panel import voters as named
from holdfast.render.phrases import UNKNOWN, confidence
from holdfast.report import Report
from holdfast.report.facts.panel import CommitteeFacts, PanelFacts
from holdfast.wording import shortened

LONGEST_NAME = 34
SELECTED = " ← selected"
TOOLTIP = {
    "model": "model",
    "estimated": "error rate here",
    "limits": "limits",
    "alone": "if it had been the only one",
    "method": "method",
    "guarantee": "this",
    "best": "may be the best",
}
WAYS = {
    "label": "way",
    "estimated": "estimate",
    "limits": "limits",
    "confidence": "confidence",
    "method": "method",
    "guarantee": "this",
}


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
    return interval_chart(rows, [0, top], TOOLTIP, title, sentences, about=where, nice=True, under=under)


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
