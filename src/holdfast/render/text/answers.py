"""Answers in lines that no outline lays out: decisions, thresholds, logs, two models on a stream, and the catalog."""

from __future__ import annotations

from collections.abc import Sequence

from holdfast.claims import Claim, Guarantee
from holdfast.render.outline.decision import LONGEST_NOTE, headline
from holdfast.render.outline.parts import (
    ANY,
    VERDICT,
    Assumed,
    Column,
    Outline,
    Part,
    Parts,
    Points,
    Room,
    Sentence,
    Table,
    Verbatim,
)
from holdfast.render.phrases import UNKNOWN, e_value, estimate_and_limits, opening, significant
from holdfast.render.text.layout import origin
from holdfast.render.text.text import claim_parts, source_of
from holdfast.report import Report
from holdfast.report.facts.listing import DecisionFacts, Entry, ExaminationFacts, ExaminedRun, ThresholdFacts
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


KINDS = {
    "SeparateEstimates": "models",
    "MonotoneInRecalls": "table",
    "Ratio": "cluster",
    "Influence": "cluster",
    "Grades": "losses",
    "Proportions": "rates",
    "AtPrevalence": "rates",
    "CalibrationError": "bins",
    "ChosenBins": "bins",
    "Distance": "ranking",
    "FiveByTwo": "folds",
    "FoldCounts": "folds",
    "FoldDifferences": "folds",
    "FoldSample": "folds",
    "FoldValues": "folds",
    "Gibbs": "models",
    "GradedLosses": "models",
    "Nested": "folds",
    "Progressive": "folds",
    "RepeatedValues": "folds",
    "Compressed": "rows",
    "LeftOut": "draws",
    "Point632": "draws",
    "Point632Plus": "draws",
    "PairedScores": "ranking",
    "Pool": "models",
    "PoolSpread": "models",
    "RankedPrecision": "ranking",
    "Resampled": "draws",
    "Scores": "ranking",
    "Spread": "models",
    # Names that are gone, in files that 0.1 wrote:
    "Apart": "models",
    "Box": "table",
    "Levels": "models",
    "Clusters": "cluster",
    "KinkedSway": "ranking",
    "SmoothSway": "ranking",
}


def methods_parts(methods: Sequence[Entry], procedures: Sequence[Entry]) -> Parts:
    """The catalog, one line per method, then one per procedure."""
    rows = []
    for entry in methods:
        kinds = {KINDS.get(kind, kind.lower()) for kind in entry["takes"]}
        takes = kinds.pop() if len(kinds) == 1 else "either"
        names = ", ".join([entry["name"], *entry["aliases"]])
        rows.append([names, takes, Guarantee(entry["guarantee"]), entry["source"].split()[0]])
    columns = [
        Column.words("method, and what else it is called", unbroken=True),
        *(Column.words("takes"), Column.words("holds for"), Column.words("source", unbroken=True)),
    ]
    followed = [[entry["name"], Guarantee(entry["guarantee"]), entry["source"].split()[0]] for entry in procedures]
    titles = ("procedure, which some verb follows by itself", "holds for", "source")
    tables = [Table(columns, rows, most=ANY), Table([*map(Column.words, titles)], followed, most=ANY)]
    return [*tables, Sentence(("holdfast methods NAME tells all about one.",))]


def method_parts(entry: Entry) -> Parts:
    """One entry of the catalog in full."""
    also = f" (also {', '.join(entry['aliases'])})" if entry["aliases"] else ""
    return [
        *_opening(f"{entry['name']}{also}: {Guarantee(entry['guarantee']).sentence}", entry),
        _paragraph(f"Takes {' or '.join(entry['takes'])}; sides: {', '.join(entry['sides'])}."),
        Assumed(entry["assumes"]),
        *_closing(entry),
    ]


def procedure_parts(entry: Entry) -> Parts:
    """One procedure in full."""
    given = "" if entry["assumes"] else "the statements that it is given"
    below = f"the limits of {' or '.join(entry['rests_on'])}" if entry["rests_on"] else given
    used = ["A procedure that some verb follows by itself; it cannot be chosen as a method."]
    used += [f"It rests on {below}, and assumes what they do."] if below else []
    return [
        *_opening(f"{entry['name']}: {Guarantee(entry['guarantee']).sentence}", entry),
        Sentence(tuple(used), loose=True),
        Assumed(entry["assumes"]),
        *_closing(entry),
    ]


def measures_parts(entries: Sequence[Entry]) -> Parts:
    """The catalog of measures, a line a measure."""
    rows = []
    for entry in entries:
        low, high = entry["range"]
        ends = f"{'-∞' if low is None else format(low, 'g')} to {'∞' if high is None else format(high, 'g')}"
        each = "yes" if entry["per_class"] else ""
        rows.append([entry["name"], entry["better"] or UNKNOWN, each, ends, entry["takes"]])
    titles = ("measure", "better", "of each class", "range", "read off")
    table = Table([*map(Column.words, titles)], rows, most=ANY)
    return [table, Sentence(("holdfast measures NAME tells all about one.",))]


def measure_parts(entry: Entry) -> Parts:
    """One measure in full."""
    also = f" (also {', '.join(entry['aliases'])})" if entry["aliases"] else ""
    better = f"{entry['better']} is better" if entry["better"] else "neither way is better"
    return [*_opening(f"{entry['name']}{also}: {better}", entry), *_closing(entry)]


def _opening(title: str, entry: Entry) -> Parts:
    return [_paragraph(title), _paragraph(entry["summary"])]


def _closing(entry: Entry) -> Parts:
    paragraphs = [paragraph for paragraph in entry["notes"].split("\n\n") if paragraph]
    return [_paragraph(f"Source: {entry['source']}"), *map(_noted, paragraphs)]


def _noted(paragraph: str) -> Part:
    """A paragraph with its lines joined; a formula keeps its own."""
    return Verbatim(paragraph) if ".. math::" in paragraph else _paragraph(" ".join(paragraph.split()))


def _paragraph(words: str) -> Sentence:
    return Sentence((words,), loose=True)
