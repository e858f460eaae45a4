"""An examination of logs as text: what is in each, what is wrong, and what can be claimed."""

from __future__ import annotations

from holdfast.render.text.layout import origin, points
from holdfast.render.text.text import Parts, empty_table
from holdfast.report import Report
from holdfast.report.facts.examination import ExaminationFacts, ExaminedRun
from holdfast.wording import counted, listed, printable, wrapped

LONGEST = 36  # characters of a name in a table
NOTHING_WRONG = "Nothing is missing, and nothing stands in the way of a comparison."


def examination_parts(report: Report, facts: ExaminationFacts) -> Parts:
    """What is wrong comes first."""
    parts: Parts = points("Wrong or missing:", facts.problems) or [NOTHING_WRONG, ""]
    for run in facts.runs:
        parts += _run(run)
    parts += points("What can be claimed:", facts.claimable)
    parts += points("Note:", facts.notes)
    return [*parts, *points("Next:", facts.next), origin(report.provenance)]


def _run(run: ExaminedRun) -> Parts:
    version = "" if run.version is None else f" {run.version}"
    drawn = (
        "" if run.clusters is None else f" in {counted(run.clusters, 'cluster')}, by {printable(str(run.cluster), 40)}"
    )
    divided = f"; divided by {listed([*run.groups])}" if run.groups else ""
    of = counted(run.samples, "sample")
    of += "" if run.samples == run.questions else f" of {counted(run.questions, 'question')}"
    about = (
        f"{printable(run.log, 200)}: {run.tool}{version}, task {printable(run.task, 60)}, model "
        f"{printable(run.model, 60)}, {of}{drawn}{divided}."
    )
    table = empty_table("score", "what it is", "scored", "without", left=2)
    for score in run.scores:
        lost = ", ".join(f"{number:,} {reason}" for reason, number in score.missing.items()) or "none"
        name = f"{printable(score.name, LONGEST)}{' (taken)' if score.taken else ''}"
        table.add_row(name, score.kind, f"{score.scored:,}", lost)
    return [wrapped(about), "", table, ""]
