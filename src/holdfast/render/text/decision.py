"""What a gate decided, as text: the answer in a sentence, the numbers behind it, what is assumed."""

from __future__ import annotations

from holdfast.render.outline.decision import LONGEST_NOTE, headline
from holdfast.render.outline.parts import Assumed, Outline, Points, Sentence
from holdfast.render.text.layout import origin
from holdfast.render.text.text import Parts
from holdfast.report import Report
from holdfast.report.facts.decided import DecisionFacts
from holdfast.wording import printable


def decision_parts(report: Report, facts: DecisionFacts, outline: Outline) -> Parts:
    """Everything a reader should see, top-down."""
    parts: Parts = [Sentence((headline(facts.gate),)), *outline.beside]
    parts += [part for section in outline.sections("text") for part in section.parts]
    if facts.notes:
        parts.append(Points("Note:", [printable(note, LONGEST_NOTE) for note in facts.notes]))
    parts.append(Assumed.by(report.claims))
    return [*parts, *([origin(report.provenance)] if "version" in report.provenance else [])]
