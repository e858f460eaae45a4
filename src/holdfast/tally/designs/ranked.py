"""The scores of rows that were not drawn one by one: what each ranks, and what its probabilities were worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from holdfast.errors import HoldfastError, InvalidEvidence
from holdfast.evidence import NO_ANSWER, Array
from holdfast.tally.designs.divided import Divided
from holdfast.tally.designs.draws import DrawnRows
from holdfast.tally.label_pairs import Cells
from holdfast.tally.margins import known_margins
from holdfast.tally.rows import Rows, so_many
from holdfast.tally.scores import ROUNDING, leaning, no_probabilities, spoken_labels
from holdfast.wording import brief, left_out, quoted


@dataclass(frozen=True, eq=False)
class Ranked:
    """The rows that have scores or a margin, and what a reader should know of them."""

    rows: Divided
    positive: str | None
    leaning: bool = False  # whether it was the scores that said which label is positive
    notes: tuple[str, ...] = ()


def ranked(rows: Rows, drawn: DrawnRows, required: bool) -> Ranked | None:
    """The rows by their scores, where there are any that can be used; those that were not asked for may be left out.

    Parameters
    ----------
    required
        Whether nothing but scores is looked at: a row without one is then refused, unless rows are dropped.
    """
    if drawn.every is None:
        return None
    margin = drawn.numbers.get("margin")
    every = drawn.every
    if margin is not None:
        every = replace(every, rows=replace(every.rows, margin=known_margins(rows, margin)))
    if drawn.cells is None:
        notes = ("The scores were not used: a pass/fail table has no classes to rank.",) if rows.score_columns else ()
        return _known(Ranked(every, None, notes=notes))
    try:
        return _known(_ranked(rows, drawn, drawn.cells, every, required))
    except HoldfastError as reason:
        if not rows.predictions.guessed or required:
            raise
        return _known(Ranked(every, drawn.positive, notes=(left_out(reason),)))


def _ranked(rows: Rows, drawn: DrawnRows, cells: Cells, every: Divided, required: bool) -> Ranked:
    columns, notes = rows.score_columns, list[str]()
    if not columns:
        return Ranked(every, drawn.positive)
    positive, chosen = drawn.positive, False
    if positive is None and not rows.predictions.score_labels and (positive := leaning(rows, cells)):
        notes.append(f"The scores are taken to speak for {quoted(positive)}: they are higher where it is predicted.")
        chosen = True
    speaks_for = spoken_labels(rows, cells, positive)
    scores = {label: drawn.numbers[name] for label, name in zip(speaks_for, columns, strict=True)}
    gone = np.logical_or.reduce([np.isnan(each) for each in scores.values()])
    notes += _missing(rows, drawn, int(np.count_nonzero(gone)), required)
    if any(np.isinf(each).any() for each in scores.values()):
        raise InvalidEvidence(f"A score of {brief(rows.predictions.source)} is infinite; scores must be finite.")
    known = {label: each for label, each in scores.items() if label in cells.labels}
    made = replace(every.rows, scores=known)
    several = bool(rows.predictions.score_labels)
    if note := _forecast(scores, several):
        notes.append(note)
    else:
        made = replace(made, **_probabilities(made.truth, scores, cells.labels))
    classes = len(cells.labels) - (NO_ANSWER in cells.labels)
    if not several and classes > 2:
        notes.append(f"There are {classes:,} labels and one score: it ranks {quoted(positive)} against all others.")
    kept = Divided(made, every.divisions)
    return Ranked(kept.kept(~gone) if gone.any() else kept, positive, chosen, tuple(notes))


def _known(made: Ranked) -> Ranked:
    """Without the rows that have no margin, where margins are looked at and such rows are left out."""
    margin = made.rows.rows.margin
    gone = np.zeros(0, bool) if margin is None else np.isnan(margin)
    if not (number := int(np.count_nonzero(gone))):
        return made
    note = (
        f"Of the {so_many(gone.size)}, {number:,} have no margin: what is read off scores or margins is without them."
    )
    return replace(made, rows=made.rows.kept(~gone), notes=(*made.notes, note))


def _missing(rows: Rows, drawn: DrawnRows, number: int, required: bool) -> list[str]:
    if not number:
        return []
    if number == drawn.rows:
        source = brief(rows.predictions.source)
        raise InvalidEvidence(f"No row of {source} has a score; name the column that holds them, or none.")
    if required and rows.predictions.missing != "drop":
        raise InvalidEvidence(
            f"Of the {so_many(drawn.rows)} of {brief(rows.predictions.source)}, there are {number:,} without a score"
            f'{rows.where_missing(rows.score_columns)}. Repair them, or leave such rows out with missing="drop" '
            "(--missing drop)."
        )
    rest = f"what is read off scores speaks of the other {drawn.rows - number:,}."
    return [f"Of the {so_many(drawn.rows)}, {number:,} have no score: {rest}"]


def _forecast(scores: dict[str, Array], several: bool) -> str | None:
    """Why the scores are no probabilities, if they are none."""
    lows, highs = ([float(end(each)) for each in scores.values()] for end in (np.nanmin, np.nanmax))
    if note := no_probabilities(min(lows), max(highs)):
        return note
    worst = float(np.nanmax(np.abs(np.sum([*scores.values()], axis=0) - 1.0))) if several else 0.0
    if worst > ROUNDING:
        return f"The scores of a row miss adding up to 1 by up to {worst:.2g}: no log loss, no Brier score."
    return None


def _probabilities(truth: Array | None, scores: dict[str, Array], labels: Sequence[str]) -> dict[str, Any]:
    """What was given to the label that came true, and how far all probabilities of a row are from what did."""
    assert truth is not None  # see ranked
    if len(scores) == 1:
        ((label, score),) = scores.items()
        given = np.where(truth == labels.index(label), score, 1.0 - score)
        return {"probability": given, "square": (1.0 - given) ** 2, "largest_square": 1.0}
    given, squares = np.zeros(truth.size), np.zeros(truth.size)
    for label, score in scores.items():
        true = truth == labels.index(label) if label in labels else np.zeros(truth.size, bool)
        given = np.where(true, score, given)
        squares += np.where(true, 1.0 - score, score) ** 2
    two = len(scores) == 2  # then both probabilities are equally wrong, and one is enough
    return {"probability": given, "square": squares / 2 if two else squares, "largest_square": 1.0 if two else 2.0}
