"""A decision, a threshold and an examination of logs, in lines."""

from __future__ import annotations

from holdfast.render.outline.decision import LONGEST_NOTE, headline
from holdfast.render.outline.parts import Assumed, Column, Outline, Part, Parts, Points, Room, Sentence, Table
from holdfast.render.text.layout import origin
from holdfast.report import Report
from holdfast.report.facts.listing import DecisionFacts, ExaminationFacts, ExaminedRun, ThresholdFacts
from holdfast.wording import counted, listed, printable


def decision_parts(report: Report, facts: DecisionFacts, outline: Outline) -> Parts:
    """Everything a reader should see, top-down."""
    parts: Parts = [Sentence((headline(facts.gate),)), *outline.beside]
    parts += [part for section in outline.sections("text") for part in section.parts]
    if facts.notes:
        parts.append(Points("Note:", [printable(note, LONGEST_NOTE) for note in facts.notes]))
    parts.append(Assumed.by(report.claims))
    return [*parts, *([origin(report.provenance)] if "version" in report.provenance else [])]


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


LONGEST = Room(36, 60)  # characters of the name of a score
NOTHING_WRONG = "Nothing is missing, and nothing stands in the way of a comparison."


def examination_parts(report: Report, facts: ExaminationFacts) -> Parts:
    """What is wrong comes first."""
    wrong: Part = Points("Wrong or missing:", facts.problems) if facts.problems else Sentence((NOTHING_WRONG,))
    titled = {"What can be claimed:": facts.claimable, "Note:": facts.notes, "Next:": facts.next}
    after = [Points(title, sentences) for title, sentences in titled.items() if sentences]
    return [wrong, *(part for run in facts.runs for part in _run(run)), *after, origin(report.provenance)]


def _run(run: ExaminedRun) -> Parts:
    version = "" if run.version is None else f" {run.version}"
    by = printable(str(run.cluster), 40)
    drawn = "" if run.clusters is None else f" in {counted(run.clusters, 'cluster')}, by {by}"
    divided = f"; divided by {listed([*run.groups])}" if run.groups else ""
    of = counted(run.samples, "sample")
    of += "" if run.samples == run.questions else f" of {counted(run.questions, 'question')}"
    about = (
        f"{printable(run.log, 200)}: {run.tool}{version}, task {printable(run.task, 60)}, model "
        f"{printable(run.model, 60)}, {of}{drawn}{divided}."
    )
    columns = [
        Column.words("score", longest=LONGEST),
        Column.words("what it is"),
        Column("scored"),
        Column.words("without"),
    ]
    rows = [
        [
            f"{printable(score.name, LONGEST.text)}{' (taken)' if score.taken else ''}",
            score.kind,
            f"{score.scored:,}",
            ", ".join(f"{number:,} {reason}" for reason, number in score.missing.items()) or "none",
        ]
        for score in run.scores
    ]
    return [Sentence((about,)), Table(columns, rows)]
