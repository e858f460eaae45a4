"""Predictions made of scores: the positive label from a threshold on that was fixed before the labels were seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from holdfast.errors import InvalidEvidence
from holdfast.evidence import NO_ANSWER
from holdfast.predictions import Predictions
from holdfast.predictions.coded import spelled
from holdfast.tally.label_pairs import Cells, read_cells
from holdfast.tally.labels import ordered, spellings, truth_as_one
from holdfast.tally.rows import Kinds, Rows, so_many
from holdfast.wording import listed, quoted

REST = "(rest)"  # what all labels but the positive one are filed under, where they are several or none was seen
THRESHOLD = "operating_point= (--operating-point) is a threshold of the scores of one label"


@dataclass(frozen=True, eq=False)
class Operated:
    """Rows whose predictions are those at an operating point, and the labels that are left to tell apart."""

    predictions: Predictions
    positive: str
    labels: tuple[str, ...] | None  # as declared, if they were
    differing: int | None  # rows in which a column of predictions says otherwise; None where there is no such column


def at_operating_point(
    predictions: Predictions, threshold: float, positive: object = None, labels: Sequence[object] | None = None
) -> Operated:
    """The rows with the positive label predicted where its score is at least the threshold, and else the other one.

    One score tells one label from all others: where these are several they become one, in truth and prediction.

    Examples
    --------
    >>> rows = Predictions.from_arrays(["spam", "ham", "ham"], score=[0.9, 0.3, 0.2])
    >>> made = at_operating_point(rows, 0.3, positive="spam").predictions
    >>> made.frame.labels("predicted").to_list()
    ['spam', 'spam', 'ham']
    """
    rows = Rows.of(predictions.only(name for name in predictions.columns if name != "predicted"))
    if "truth" not in predictions.columns or not rows.score_columns:
        raise InvalidEvidence(
            f"{THRESHOLD}: give the true labels and a column of scores, and say by positive= (--positive) which label "
            "they speak for."
        )
    rows.check_numeric(rows.score_columns)
    cells, chosen = read_cells(rows, labels, positive)
    classes = [label for label in cells.labels if label != NO_ANSWER]
    if chosen is None:
        raise InvalidEvidence(f"{THRESHOLD}: say by positive= (--positive) which of {listed(classes)} it is.")
    if REST in classes:
        raise InvalidEvidence(f"truth holds the label {REST!r}, which stands for all but the positive one: rename it.")
    two = len(classes) == 2
    other = next(label for label in classes if label != chosen) if two else REST
    column = _column(rows, chosen)
    kept = rows.score_columns if two else (column,)
    made = Rows.of(predictions).divided(cells, (chosen, other), column, threshold)
    differing, known = None, 0
    if "predicted" in predictions.columns:
        both = Rows.of(replace(predictions, frame=made)).kinds(("given", "predicted"))
        differing, known = _differing(both, cells, chosen)
    note = (
        f"Assessed are the predictions at the operating point: {quoted(chosen)} where its score is at least "
        f"{threshold:.15g}, else {quoted(other)}."
    )
    if differing:
        note += f" The column of predictions says otherwise in {differing:,} of {so_many(known)}, and was not used."
    if len(classes) > 2:
        note += f" {REST} are the {len(classes) - 1:,} other labels, which one score cannot tell apart."
    beside = [name for name in predictions.columns if not name.startswith(("truth", "predicted", "score"))]
    operated = replace(
        predictions,
        frame=made.select("truth", "predicted", *kept, *beside),
        columns=("truth", "predicted", *kept, *beside),
        score_labels=predictions.score_labels if two else (),
        operating_point=threshold,
        notes=(*predictions.notes, note),
    )
    declared: tuple[str, ...] | None = None
    if labels is not None:
        declared = tuple(classes) if two else (chosen, other)
    elif not two:  # the positive label and all others are every label there may be
        declared = tuple(ordered({chosen, other}, None))
    return Operated(operated, chosen, declared, differing)


def _column(rows: Rows, label: str) -> str:
    """The column of the scores of this label."""
    names = [spelled(each) for each in rows.predictions.score_labels]
    if not names:
        return rows.score_columns[0]
    if label not in names:
        raise InvalidEvidence(f"{THRESHOLD}, and {quoted(label)} has none; there are scores of {listed(names)}.")
    return rows.score_columns[names.index(label)]


def _differing(both: Kinds, cells: Cells, positive: str) -> tuple[int, int]:
    """In how many rows the column of predictions says otherwise, of how many that have one and a score."""
    both = both.filter(~both.missing("given") & ~both.missing("predicted"))
    given, made = both["given"], both["predicted"]
    names = (spellings("truth", cells.coding.truth), spellings("predicted", given.distinct))
    _, label_of = truth_as_one(*names)
    says = given.placed([label_of[value] == positive for value in given.distinct], 0, np.bool_)
    right = made.placed([value == positive for value in made.distinct], 0, np.bool_)
    return int(both.times[says != right].sum()), both.rows
