"""From predictions to evidence: rows, held here or on an engine; their kinds, counted; then table, scores and groups.

Rows are asked for one thing only, how many there are of each kind; what comes back is made canonical here, so that
every engine, and every order of the rows, gives the very same evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from hashlib import sha256

import numpy as np

from holdfast.errors import HoldfastError, InvalidEvidence
from holdfast.evidence import NO_ANSWER, Contingency, Counts, Forecasts, Scores
from holdfast.evidence.ranking.forecasts import Margins, Posteriors
from holdfast.predictions import Predictions
from holdfast.tally.designs.draws import DrawnRows, read_draws
from holdfast.tally.designs.ranked import Ranked, ranked
from holdfast.tally.groups import Groups, read_groups, read_pass_groups
from holdfast.tally.label_pairs import Cells, nothing_left, read_cells, read_passes
from holdfast.tally.margins import margins, posteriors
from holdfast.tally.rows import Rows, fingerprint_of, so_many
from holdfast.tally.scores import (
    Binned,
    Kept,
    OwnThreshold,
    ScoresMissing,
    forecasts_of_many,
    forecasts_of_two,
    leaning,
    read_scores,
    spoken_labels,
)
from holdfast.wording import brief, left_out, quoted

__all__ = ["Tally", "tally"]

UNCLEAR = (
    "The scores were left out: there are more than two labels and one column of scores. Give a column score_<label> "
    "for each label, or say which label it speaks for with positive= (--positive)."
)


@dataclass(frozen=True, eq=False)
class Tally:
    """What was counted: the table, the errors, the ranking by each score, and the worth of its probabilities.

    Examples
    --------
    >>> rows = Predictions.from_arrays(["spam", "ham", "ham"], ["spam", "spam", "ham"], [0.9, 0.6, 0.2])
    >>> counted = tally(rows, positive="spam")
    >>> counted.table, counted.scores
    (Contingency(2 labels, n=3, errors=1), {'spam': Scores(n=3, n_positive=1, auc=1)})
    """

    table: Contingency | None  # None for pass/fail tables, and where nothing was predicted
    counts: Counts  # errors in all rows; of no rows where nothing was predicted
    rows: int
    fingerprint: str  # SHA-256 of what was counted, in any order
    positive: str | None = None
    scores: dict[str, Scores] = field(default_factory=dict)  # by the label that they speak for
    forecasts: Forecasts | None = None
    missing: dict[str, int] = field(default_factory=dict)  # rows without truth, predicted, score or correct
    dropped: int = 0  # rows left out for that
    notes: tuple[str, ...] = ()  # what the reader should know of
    margins: Margins | None = None
    posteriors: Callable[[], Posteriors] | None = None  # what the model itself believes, on demand
    rule: Callable[[], float | None] | None = None  # the threshold that the predictions follow, if any, on demand
    groups: tuple[Groups, ...] = ()  # one for each way in which the rows are divided
    unpredicted: Contingency | None = None  # in place of the table: the true labels alone, all without an answer
    leaning: bool = False  # whether it was the scores that said which label is positive
    drawn: DrawnRows | None = None  # what was drawn, where that is asked for; measures are then read off it
    ranked: Ranked | None = None  # the same of the rows that have scores or a margin

    @property
    def stated(self) -> tuple[str, ...]:
        """The positive label, where it was given or is obvious, whatever the data are."""
        return () if self.positive is None or self.leaning else (self.positive,)

    @property
    def truths(self) -> Contingency | None:
        """A table of which only the true labels are to be read; None for pass/fail tables."""
        return self.table if self.unpredicted is None else self.unpredicted


def tally(
    predictions: Predictions,
    *,
    positive: object = None,
    labels: Sequence[object] | None = None,
    by: Sequence[Sequence[str]] = (),
    scores_required: bool = False,
    as_drawn: bool = False,
    right_or_wrong: bool = False,
) -> Tally:
    """Count the rows where they live.

    Parameters
    ----------
    positive
        The label that one score column speaks for; by default the obvious one of two, such as 1 of 0 and 1.
    labels
        The labels in the wanted order; by default those seen, numbers by value and text by the alphabet.
    by
        Ways to divide the rows into groups, each by the names of one column or of several that are crossed.
    scores_required
        Whether nothing but scores is looked at: a row without one is then missing altogether.
    as_drawn
        Whether to look at each draw, though rows are draws of their own and weigh the same.
    right_or_wrong
        Whether of each group only that is told, and not what was taken for what.
    """
    if as_drawn or not predictions.plain or "value" in predictions.columns:
        return _drawn(predictions, positive, labels, by, scores_required)
    rows = Rows.of(predictions)
    if "correct" in predictions.columns:
        whole, groups = _passes(rows), [read_pass_groups(rows, names) for names in by]
    elif "truth" in predictions.columns:
        rows, cells, whole = _tables(rows, positive, labels, scores_required or not rows.answered)
        groups = [read_groups(rows, cells, names, right_or_wrong) for names in by]
    else:
        return _margins_alone(predictions, by)
    if groups:
        mark = _marked(whole, *sorted(each.fingerprint for each in groups))
        whole = replace(whole, fingerprint=mark, groups=tuple(groups))
    whole = replace(whole, notes=(*predictions.notes, *whole.notes))
    if "margin" in predictions.columns:
        beside = margins(predictions)
        whole = replace(whole, fingerprint=_marked(whole, bytes.fromhex(beside.fingerprint)), margins=beside)
    return whole


def _drawn(
    predictions: Predictions,
    positive: object,
    labels: Sequence[object] | None,
    by: Sequence[Sequence[str]],
    scores_required: bool,
) -> Tally:
    """What was drawn, and a tally of the rows as they are; scores that nobody asked for may be left out."""
    try:
        return _all_drawn(predictions, positive, labels, by, scores_required)
    except HoldfastError as reason:
        needed = scores_required or not {"predicted", "correct", "value"} & {*predictions.columns}
        if needed or not (predictions.guessed and predictions.scored):
            raise
        whole = _all_drawn(predictions.without_scores(), positive, labels, by, scores_required)
        return replace(whole, notes=(*whole.notes, left_out(reason)))


def _all_drawn(
    predictions: Predictions,
    positive: object,
    labels: Sequence[object] | None,
    by: Sequence[Sequence[str]],
    scores_required: bool,
) -> Tally:
    rows = Rows.of(predictions)
    numbers = [*rows.score_columns, *(["margin"] if "margin" in predictions.columns else [])]
    rows.check_numeric([*numbers, *(["value"] if "value" in predictions.columns else [])])
    drawn = read_draws(predictions, positive=positive, labels=labels, by=by, numbers=numbers)
    found = ranked(rows, drawn, scores_required or not rows.answered)
    cells, answered = drawn.cells, drawn.cells is not None and drawn.cells.answered
    beside = () if found is None else found.notes
    return Tally(
        table=cells.table if cells is not None and answered else None,
        counts=drawn.errors,
        rows=drawn.rows,
        fingerprint=drawn.fingerprint,
        positive=drawn.positive if found is None else found.positive,
        missing=drawn.missing,
        dropped=drawn.dropped,
        notes=(
            *predictions.notes,
            *_missing(drawn.missing, drawn.dropped),
            *(() if cells is None else cells.notes),
            *beside,
        ),
        unpredicted=cells.table if cells is not None and not answered else None,
        leaning=found is not None and found.leaning,
        drawn=drawn,
        ranked=found,
    )


def _marked(whole: Tally, *beside: bytes) -> str:
    """The fingerprint with that of what else was counted."""
    return sha256(b"".join((bytes.fromhex(whole.fingerprint), *beside))).hexdigest()


def _margins_alone(predictions: Predictions, by: Sequence[Sequence[str]]) -> Tally:
    if by:
        raise InvalidEvidence(
            "Groups need to know which answers are right: give truth and predicted, or correct, beside the margin."
        )
    read = margins(predictions)
    missing = {"margin": read.dropped} if read.dropped else {}
    errors = Counts(read.errors, read.n)
    notes = tuple(_missing(missing, read.dropped))
    return Tally(
        None, errors, int(read.n), read.fingerprint, missing=missing, dropped=read.dropped, notes=notes, margins=read
    )


def _tables(rows: Rows, positive: object, labels: Sequence[object] | None, required: bool) -> tuple[Rows, Cells, Tally]:
    """The tally of all rows, and the rows and cells that it was made from."""
    cells, chosen = read_cells(rows, labels, positive)
    many = len(cells.labels) - (NO_ANSWER in cells.labels) > 2
    guessed = rows.predictions.guessed and not required
    if not rows.score_columns:
        return rows, cells, _unscored(cells, chosen)
    if guessed and many and chosen is None and len(rows.score_columns) == 1:
        return rows, cells, _unscored(cells, chosen, UNCLEAR)
    try:
        return _with_scores(rows, cells, chosen, labels, required)
    except HoldfastError as reason:
        if not guessed:
            raise
        return rows, cells, _unscored(cells, chosen, left_out(reason))


def _with_scores(
    rows: Rows, cells: Cells, chosen: str | None, labels: Sequence[object] | None, required: bool
) -> tuple[Rows, Cells, Tally]:
    """The same with the scores; those of some rows may be missing, which then say what they say without them."""
    rows.check_numeric(rows.score_columns)
    try:
        return rows, cells, _scored(rows, cells, chosen)
    except ScoresMissing as found:
        number = found.number
    if required and rows.predictions.missing != "drop":
        raise _refused(rows, number, cells.rows)
    if number == cells.rows:
        raise nothing_left(rows) if required else _scoreless(rows)
    scored = rows.with_scores()
    if required:
        missing, dropped = {**cells.missing, "score": number}, cells.dropped + number
        cells, chosen = read_cells(scored, labels, chosen)
        cells = replace(cells, missing=missing, dropped=dropped)
        return scored, cells, _scored(scored, cells, chosen)
    classes = [label for label in cells.labels if label != NO_ANSWER]
    part = _scored(scored, read_cells(scored, classes, chosen)[0], chosen)
    whole = _unscored(cells, part.positive)
    note = (
        f"Of the {so_many(cells.rows)}, {number:,} have no score: "
        f"what is read off scores speaks of the other {cells.rows - number:,}."
    )
    return (
        rows,
        cells,
        replace(
            part,
            table=whole.table,
            counts=whole.counts,
            rows=whole.rows,
            fingerprint=_marked(whole, bytes.fromhex(part.fingerprint)),
            missing={**cells.missing, "score": number},
            dropped=cells.dropped,
            notes=(*whole.notes, note, *part.notes[len(_missing(part.missing, part.dropped)) :]),
        ),
    )


def _passes(rows: Rows) -> Tally:
    errors, answers, missing, dropped = read_passes(rows)
    notes = [*_missing(missing, dropped)]
    if rows.score_columns:
        notes.append("The scores were not used: a pass/fail table has no classes to rank.")
    places = np.flatnonzero(answers)
    mark = fingerprint_of(["right", "wrong"], places, places, answers[places], ["correct"])
    return Tally(None, errors, int(errors.n), mark, missing=missing, dropped=dropped, notes=tuple(notes))


def _tallied(
    cells: Cells,
    positive: str | None,
    mark: str,
    scores: dict[str, Scores] | None = None,
    forecasts: Forecasts | None = None,
    notes: Sequence[str] = (),
) -> Tally:
    return Tally(
        table=cells.table if cells.answered else None,
        counts=cells.errors if cells.answered else Counts(0, 0),
        rows=cells.rows,
        fingerprint=mark,
        positive=positive,
        scores=scores or {},
        forecasts=forecasts,
        missing=cells.missing,
        dropped=cells.dropped,
        notes=(*_missing(cells.missing, cells.dropped), *cells.notes, *notes),
        unpredicted=None if cells.answered else cells.table,
    )


def _unscored(cells: Cells, positive: str | None, *notes: str) -> Tally:
    mark = fingerprint_of(cells.labels, cells.truth, cells.predicted, cells.times)
    return _tallied(cells, positive, mark, notes=notes)


def _scored(rows: Rows, cells: Cells, positive: str | None) -> Tally:
    sentences: list[str] = []
    if positive is None and not rows.predictions.score_labels and (positive := leaning(rows, cells)):
        sentences.append(
            f"The scores are taken to speak for {quoted(positive)}: they are higher where it is predicted."
        )
    speaks_for = spoken_labels(rows, cells, positive)
    # In the order of the labels: the order of the columns must not change anything.
    by_label = sorted(range(len(speaks_for)), key=speaks_for.__getitem__)
    rows = replace(rows, score_columns=tuple(rows.score_columns[i] for i in by_label))
    speaks_for = [speaks_for[i] for i in by_label]
    codes = [cells.labels.index(label) + 1 if label in cells.labels else 0 for label in speaks_for]
    read = read_scores(rows, cells, codes)
    several = bool(rows.predictions.score_labels)
    roles = [f"score of {label}" for label in speaks_for] if several else ["score"]
    mark = fingerprint_of(cells.labels, cells.truth, cells.predicted, cells.times, roles, read.scored)
    scores = {cells.labels[code - 1]: read.scores(place, code) for place, code in enumerate(codes) if code}
    scores = {label: scores[label] for label in cells.labels if label in scores}
    forecasts, notes = forecasts_of_many(read, codes) if several else forecasts_of_two(read, scores)
    believed = None
    if forecasts is not None and cells.answered and isinstance(read, Kept):
        believed = partial(posteriors, read, cells.labels, speaks_for)
    notes = [*sentences, *notes]
    classes = len(cells.labels) - (NO_ANSWER in cells.labels)
    if not several and classes > 2:
        notes.append(f"There are {classes:,} labels and one score: it ranks {quoted(positive)} against all others.")
    if isinstance(read, Binned):
        width = max(bins.scale.width for bins in read.columns)
        notes.append(
            f"At {cells.rows:,} rows, scores are counted in bins of width {width:.2g}; "
            "what that may change lies inside the intervals."
        )
    rule = None
    if isinstance(read, Kept) and positive in scores:
        code = cells.labels.index(positive) + 1
        rule = OwnThreshold(read, codes.index(code), code, len(cells.labels) + 1)
    whole = _tallied(cells, positive, mark, scores, forecasts, notes)
    return replace(whole, posteriors=believed, rule=rule, leaning=bool(sentences))


def _missing(missing: dict[str, int], dropped: int) -> list[str]:
    if not missing:
        return []
    parts = " and ".join(f"{number:,} without {name}" for name, number in missing.items())
    if dropped:
        return [f"Left out: {so_many(dropped)}, {parts}."]
    return [f"Counted as errors: {parts}."]


def _scoreless(rows: Rows) -> InvalidEvidence:
    source = brief(rows.predictions.source)
    return InvalidEvidence(f"No row of {source} has a score; name the column that holds them, or none.")


def _refused(rows: Rows, number: int, total: int) -> InvalidEvidence:
    where = rows.where_missing(rows.score_columns)
    return InvalidEvidence(
        f"Of the {so_many(total)} of {brief(rows.predictions.source)}, there are {number:,} without a score{where}. "
        'Repair them, or leave such rows out with missing="drop" (--missing drop).'
    )
