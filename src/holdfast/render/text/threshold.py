"""A threshold as text: what to do, what may be claimed of it, and what that rests on."""

from __future__ import annotations

from holdfast.render.outline.parts import Assumed, Outline, Points, Sentence
from holdfast.render.text.layout import origin
from holdfast.render.text.text import Parts
from holdfast.report import Report
from holdfast.report.facts.decided import ThresholdFacts


def threshold_parts(report: Report, facts: ThresholdFacts, outline: Outline) -> Parts:
    """Everything a reader should see, top-down."""
    notes: Parts = [Points("Note:", facts.notes, loose=True)] if facts.notes else []
    known: Parts = [origin(report.provenance)] if report.provenance else []
    if not report.whole:
        said = "Not enough data: " + outline.headline[1][:1].lower() + outline.headline[1][1:]
        return [Sentence((said,), loose=True), *notes, *known]
    return [
        Sentence(outline.headline, loose=True),
        *(part for section in outline.sections("text") for part in section.parts),
        *notes,
        Sentence((outline.holding,)),
        Assumed.by(report.claims),
        *known,
    ]
