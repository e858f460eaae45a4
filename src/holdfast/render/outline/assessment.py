"""What is shown of an assessment, of a cross-validation, and of claims side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from holdfast.claims import Claim, Guarantee
from holdfast.render.outline.classes import THREE, class_sections, confusions, of_all, repeated
from holdfast.render.outline.parts import (
    LEVEL,
    Both,
    Column,
    Fold,
    Medium,
    Name,
    Outline,
    Room,
    Rows,
    Section,
    Sections,
    Sentence,
    Table,
    split,
)
from holdfast.render.outline.strips import rate
from holdfast.render.phrases import (
    LIMITS,
    alone,
    averaged,
    claim_sentence,
    confidence,
    estimate_and_limits,
    holding,
    level,
    percent,
    ranged,
    rounded,
)
from holdfast.report import Block, Facts, Line, Report
from holdfast.report.facts.assessment import AssessmentFacts, Calibration, CrossFacts, Matrix
from holdfast.wording import counted, examples, printable

MOST_COLUMNS = 6  # labels of a confusion matrix on the screen
MOST_GROUPS = Room(20, 50)  # of a division, the worst first
MOST_FOLDS = Room(12, 200)
OPEN_FOLDS = 20  # which are not folded away
LONGEST_LEARNER = 160  # characters in a sentence
UNPROVEN = "Nothing is proven here. Even as a guide it needs all of this to be true:"
SUBJECTS = {
    "fold-average": "the average of the true error rates of these models is",
    "fold": "the true error rate of {meant} is",
    "refit": "the true error rate of the model trained on all rows is",
    "algorithm": "the true error rate of the learner, over training sets of this size, is",
}


def assessment(report: Report, facts: AssessmentFacts) -> Outline:
    """Every measure of a model: as a whole, of its classes, bins and groups."""
    sentence = _ranking(report) if facts.errors is None else _errors(report, facts.errors)
    more: dict[str, Any] = {"document": alone(report) if facts.errors is None else None}
    if facts.errors is None and (credit := next(_lines_of(report, "accuracy", "error-rate"), None)) is not None:
        sentence = _credit(report, credit)
        more["strip"] = partial(rate, report, credit.measure)

    def sections(medium: Medium) -> Iterator[Section]:
        yield from of_all(report, "The model as a whole")
        yield from class_sections(report, medium)
        yield from _matrix(facts.contingency) if medium == "text" else confusions(report)
        yield from _calibration(report, facts.calibration)
        yield from () if facts.repeats is None else repeated(facts.repeats)
        yield from _divisions(report, medium)

    return _measured(report, split(sentence), sections, **more)


def crossed(report: Report, facts: CrossFacts) -> Outline:
    """What holds of the target of a cross-validation, and how each fold went."""
    observation, follows = _seen_and_following(report, facts)
    about = Sentence((f"Every line is about {facts.target.meaning}.",))

    def sections(medium: Medium) -> Iterator[Section]:
        yield from of_all(report, "All classes together")
        yield from class_sections(report, medium)
        yield from _divisions(report, medium)
        yield _folds(facts)

    return _measured(report, (observation, follows) if follows else ("", observation), sections, beside=[about])


def bounds(report: Report, facts: Facts) -> Outline:
    """Claims side by side, whatever they are about."""
    sentence = "This report makes no claim about the whole."
    if report.whole:
        claim = report.whole[0].claim
        sentence = f"{claim_sentence(claim)[:-1]}; this {claim.guarantee.sentence}."

    def sections(medium: Medium) -> Iterator[Section]:
        yield from of_all(report, "The model as a whole")
        yield from class_sections(report, medium)
        yield from _divisions(report, medium)

    return _measured(report, split(sentence), sections, notebook=alone(report), document=alone(report))


def _measured(report: Report, headline: tuple[str, str], sections: Sections, **more: Any) -> Outline:
    if report.whole and report.whole[0].claim.guarantee is Guarantee.HEURISTIC:
        more["promise"] = UNPROVEN
    held = holding(report) if report.claims else ""
    more = {"notebook": holding(report), "strip": partial(rate, report, "error-rate"), **more}
    return Outline(headline=headline, sections=sections, holding=held, explored=True, **more)


# ---- Sentences


def _errors(report: Report, errors: int) -> str:
    """What the error rate is, in words for people who do not speak statistics."""
    rows = report.provenance["rows"]
    times = {0: "did not err", 1: "erred once"}.get(errors, f"erred {errors:,} times")
    questions = report.provenance.get("examples")
    of = examples(rows) if questions is None else f"{counted(rows, 'answer')} to {counted(questions, 'question')}"
    sentence = f"On {of} the model {times}."
    line = next((line for line in report.whole if line.measure == "error-rate" and line.label is None), None)
    if line is None:
        return sentence
    claim, average = line.claim, averaged(line.claim)
    subject = f"the true error rate{average}" if average else "its true error rate"
    return f"{sentence} {_sure(report, claim)} {subject} is {ranged(claim)}; this {claim.guarantee.sentence}."


def _lines_of(report: Report, *measures: str) -> Iterator[Line]:
    """The lines of the first of these measures that the report as a whole has."""
    return (line for measure in measures for line in report.whole if line.measure == measure and line.label is None)


def _credit(report: Report, line: Line) -> str:
    """The same of answers that may be partly right."""
    claim, average = line.claim, averaged(line.claim)
    what = "of all that they could be worth" if line.measure == "accuracy" else "short of all that they could be worth"
    mean = "" if claim.estimate is None else f" the answers were {percent(float(claim.estimate), 3, 'nearest')} {what}."
    return (
        f"On {examples(report.provenance['rows'])}{mean} {_sure(report, claim)} the true share{average} is "
        f"{ranged(claim)}; this {claim.guarantee.sentence}."
    )


def _ranking(report: Report) -> str:
    """The same where there are no predictions to be wrong: how well the scores rank."""
    sentence = f"On {examples(report.provenance['rows'])} the scores were assessed; there are no predictions."
    line = next((line for line in report.whole if line.measure == "auc"), None)
    if line is None:
        return sentence
    place = {"both": "in", "upper": "at most", "lower": "at least"}[line.claim.side]
    return (
        f"{sentence} {_sure(report, line.claim)} their true AUC for {printable(line.label or '')} is {place} "
        f"{estimate_and_limits(line.claim)[1]}; this {line.claim.guarantee.sentence}."
    )


def _sure(report: Report, claim: Claim) -> str:
    return f"With {level(report, claim.delta)} confidence"


def _seen_and_following(report: Report, facts: CrossFacts) -> tuple[str, str]:
    """What was seen, and what follows for the target; nothing of a report without an error rate."""
    splits, errors, resampling = facts.splits, facts.errors, facts.resampling
    tested, learner = sum(each.n_test for each in splits), printable(facts.learner, LONGEST_LEARNER)
    models = f"1 model of {learner} was trained and"
    if len(splits) > 1:
        models = f"{len(splits):,} models of {learner} were trained, each"
    rows = "rows it was trained on" if resampling.overlapping else "rows it had not seen"
    rate = percent(errors / tested, 3, "nearest")
    observation = f"{models} tested on {rows}: {errors:,} errors in {tested:,} answers, {rate}."
    line = next((line for line in report.whole if line.measure == "error-rate"), None)
    if line is None:
        return observation, ""
    subject = SUBJECTS[facts.target.name].format(meant=facts.target.meaning.partition(",")[0])
    if resampling.grouped and line.claim.per == "cluster":
        subject = subject.removesuffix(" is") + ", every group counted once, is"
    sure, claim = confidence(float(line.claim.delta)), line.claim
    return observation, f"With {sure} confidence {subject} {ranged(claim)}; this {claim.guarantee.sentence}."


# ---- Tables beside the measures


def _matrix(matrix: Matrix | None) -> Iterator[Section]:
    """The confusion matrix in counts, where it fits."""
    if matrix is None or len(matrix.labels) > MOST_COLUMNS:
        return
    longest = max(6, 54 // len(matrix.labels))
    columns = [Column.words("predicted \\ actual", longest=Room(longest, 60))]
    columns += [Column(printable(label, longest)) for label in matrix.labels]
    counts = ((f"{count:,}" for count in row) for row in matrix.table)
    yield Section([Table(columns, [[Name(label), *row] for label, row in zip(matrix.labels, counts, strict=True)])])


def _calibration(report: Report, calibration: Calibration | None) -> Iterator[Section]:
    """What came true of the scores in each bin."""
    if calibration is None:
        return
    claims = {line.label: line.claim for line in report.whole if line.measure == "calibration"}
    limits = f"{LEVEL} {LIMITS[claims[calibration.bins[0].bin].side]}"
    columns = [
        Column.words(f"score of {printable(calibration.label)}", f"Score of {printable(calibration.label, 60)}"),
        Column("n", "Examples", css="more", label="examples"),
        Column("mean score", css="more", label="mean score"),
        Column(f"share that was {printable(calibration.label)}", ("Came true", limits), digits=THREE),
    ]
    rows = [[b.bin, f"{b.n:,}", rounded(b.mean_score, 3, "nearest"), claims[b.bin]] for b in calibration.bins]
    yield Section([Table(columns, rows, "Calibration")], "Do the scores mean what they say?")


def _divisions(report: Report, medium: Medium) -> Iterator[Section]:
    """Each way the rows were divided: its groups, the worst first, by what is said first of them."""
    title = "Groups"
    for blocks in divisions_of(report):
        first, order = blocks[0], worst_first(blocks[0])[: max(MOST_GROUPS)]
        gap = [block for block in blocks if block.claim.measure == f"{first.claim.measure}-gap"][:1]
        others = [block for block in blocks if block not in (first, *gap)] if medium == "page" else []
        rest = [_division(report, [block], order, shut=True) for block in others]
        yield Section([_division(report, [first, *gap], order), *rest], title)
        title = "Groups, divided otherwise"


def _division(report: Report, blocks: Sequence[Block], order: Sequence[int], shut: bool = False) -> Table:
    first, claim, number = blocks[0], blocks[0].claim, len(blocks[0])
    text, page = (claim.measure + (f" of {printable(first.label, n)}" if first.label else "") for n in (16, 60))
    limits, rest = f"{level(report, claim.delta)} {LIMITS[claim.side]}", "minus that of the rest"
    columns = [
        Column.words("group", longest=Room(24, 60)),
        Column("n", "Examples", css="more", label="examples"),
        Column(text, (page, limits), digits=THREE),
        Column(rest, (rest, limits), digits=THREE, css=("gap", "gap"), label="gap"),
    ]
    rows = [[Name(first.groups[i]), f"{first[i].claim.n:,}", *(block[i].claim for block in blocks)] for i in order]
    rows_shown = min(number, MOST_GROUPS.page)
    return Table(
        columns[: 2 + len(blocks)],
        rows,
        f"{page} of each group",
        most=MOST_GROUPS,
        total=number,
        fold=Fold(f"{page} of {number} groups", claim, open=not shut),
        below=f"The worst {rows_shown}; all {number} are in the JSON." if number > rows_shown else "",
    )


def divisions_of(report: Report) -> list[list[Block]]:
    """Each way the rows were divided, with all that is said of its groups, what they are about first."""
    divisions: dict[tuple[str, ...], list[Block]] = {}
    for block in report.blocks:
        divisions.setdefault(tuple(block.groups), []).append(block)
    return list(divisions.values())


def worst_first(block: Block) -> list[int]:
    """Its groups in order: those that are surely bad, then those that may be."""
    lower, upper = np.asarray(block.claim.lower), np.asarray(block.claim.upper)
    return np.lexsort((-upper, -lower) if block.better == "lower" else (lower, upper)).tolist()


def _folds(facts: CrossFacts) -> Section:
    """What each model was trained and tested on, and how often it erred."""
    several, repeated = facts.resampling.repeats > 1, len({split.repeat for split in facts.splits}) > 1
    columns = [
        *([Column.words("repeat", "")] if repeated else []),
        Column("fold", "Repeat, fold" if several else "Fold", number=repeated, left_on_page=True),
        *(Column(title) for title in ("trained on", "tested on", "errors", "error rate")),
    ]
    rows: Rows = [
        [
            *([str(each.repeat)] if repeated else []),
            Both(str(each.fold), f"{each.repeat}, {each.fold}" if several else str(each.fold)),
            *(f"{number:,}" for number in (each.n_train, each.n_test, each.errors)),
            percent(each.errors / each.n_test, 3, "nearest"),
        ]
        for each in facts.splits
    ]
    number, rows_shown = len(rows), min(len(rows), MOST_FOLDS.page)
    fold = Fold(f"{number:,} models, each trained and tested on its own rows", open=rows_shown <= OPEN_FOLDS)
    below = f"The first {rows_shown}; all are in the JSON." if rows_shown < number else ""
    return Section([Table(columns, rows, "Each fold", most=MOST_FOLDS, css="", fold=fold, below=below)], "Each fold")
