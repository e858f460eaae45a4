"""Answers that are one statement, in lines: a decision, a threshold, an examination of logs, two models on a stream."""

from __future__ import annotations

from holdfast.claims import Claim
from holdfast.render.outline.decision import LONGEST_NOTE, headline
from holdfast.render.outline.parts import VERDICT, Assumed, Column, Outline, Part, Parts, Points, Room, Sentence, Table
from holdfast.render.phrases import e_value, estimate_and_limits, opening, significant
from holdfast.render.text.layout import origin
from holdfast.render.text.text import claim_parts, source_of
from holdfast.report import Report
from holdfast.report.facts.listing import DecisionFacts, ExaminationFacts, ExaminedRun, ThresholdFacts
from holdfast.report.look import DuelLook, Look
from holdfast.report.verdict import spoken
from holdfast.wording import counted, examples, listed, printable


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
        sentence = "Not enough data: " + outline.headline[1][:1].lower() + outline.headline[1][1:]
        return [Sentence((sentence,), loose=True), *notes, *known]
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


COLUMNS = 100  # of a look among many
MOST_DIGITS = 4


def duel_line(look: DuelLook) -> str:
    """What has been seen and how strong the evidence is, of what `Duel.to_dict` gives."""
    first, second = _e_values(look)
    p = significant(look.p_value.p, 2, "up")
    return f"After {examples(int(look.claim.n))}: {_seen(look)}e-values {first} and {second}, p = {p}"


def brief_line(look: DuelLook) -> str:
    """A look among many, in a line of at most 100 columns: what was seen, the evidence, and the difference."""
    estimate, limits = estimate_and_limits(look.claim, MOST_DIGITS)
    first, second = _e_values(look)
    evidence = f"e-values {first} and {second}; {estimate} {limits}"
    lines = (f"After {examples(int(look.claim.n))}: {counts}{evidence}" for counts in (_seen(look), ""))
    return next((line for line in lines if len(line) <= COLUMNS), f"{look.claim.n:,}: {evidence}")


def _seen(look: DuelLook) -> str:
    return "" if look.won is None else f"{look.won:,} won, {look.lost:,} lost, "


def _e_values(look: DuelLook) -> tuple[str, str]:
    return e_value(look.e_value.first), e_value(look.e_value.second)


def duel_parts(look: DuelLook, left_out: str = "") -> Parts:
    """What has happened, the verdict, what it rests on, and the difference; and which rows were left out."""
    claim, news = look.claim, look.news
    enough = e_value(2 / float(claim.delta))
    needed = f"A model is called better once its e-value has reached {enough}, that is 2/delta."
    notes = [note for note in (*look.notes, left_out) if note and note not in news]
    first, second = spoken(look.models)
    subject = f"the {claim.measure.replace('-', ' ')}, {first} minus {second}"
    parts: Parts = [
        *(Sentence((note,), loose=True) for note in news),
        Sentence((opening(look.verdict),), VERDICT, loose=True),
        Sentence((duel_line(look), needed), loose=True),
    ]
    difference = withdrawn(claim, f"{subject},") if news else claim_parts(claim, f"T{subject[1:]}:")
    return [*parts, *difference, *(Sentence((note,), loose=True) for note in notes)]


def withdrawn(claim: Claim, subject: str) -> Parts:
    """What is left of a claim after a change, which is nothing: no interval is dressed up as one."""
    estimate, _ = estimate_and_limits(claim, MOST_DIGITS)
    estimated = f"Over all {examples(int(claim.n))} {subject} was {estimate}; its limits are {claim.lower:g} and "
    sentence = f"{estimated}{claim.upper:g}, all that it can be, and say nothing."
    return [Sentence((sentence,), loose=True), source_of(claim)]


def monitor_parts(look: Look) -> Parts:
    """What has happened, and then what may be claimed."""
    claim = look.claim
    news: Parts = [Sentence((note,), loose=True) for note in look.notes]
    if look.changed_after is not None:
        return [*news, *withdrawn(claim, f"the {claim.measure.replace('-', ' ')}")]
    return [*news, *claim_parts(claim, f"After {examples(int(claim.n))}:")]
