"""An examination of logs as text: what is in each, what is wrong, and what can be claimed."""

from __future__ import annotations

from holdfast.render.outline.parts import Column, Part, Points, Room, Sentence, Table
from holdfast.render.text.layout import origin
from holdfast.render.text.text import Parts
from holdfast.report import Report
from holdfast.report.facts.examination import ExaminationFacts, ExaminedRun
from holdfast.wording import counted, listed, printable

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
