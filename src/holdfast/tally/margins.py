"""From predictions to margins, and to what the model itself expects of its answers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from holdfast.errors import InvalidEvidence
from holdfast.evidence import NO_ANSWER, Array
from holdfast.evidence.ranking.forecasts import Margins, Posteriors
from holdfast.predictions import Predictions
from holdfast.tally.label_pairs import nothing_left, read_cells
from holdfast.tally.rows import Rows, so_many
from holdfast.tally.scores import Kept, ScoresMissing, read_kept
from holdfast.wording import brief, listed


def margins(predictions: Predictions, *, positive: object = None) -> Margins:
    """The margins of the rows: their own column; or else the decision values, negated where the truth is.

    Parameters
    ----------
    positive
        Where there is no margin column: the label that positive decision values speak for.

    Examples
    --------
    >>> margins(Predictions.from_arrays(correct=[1, 0], margin=[0.7, -1.2]))
    Margins(n=2, errors=1)
    >>> margins(Predictions.from_arrays(["yes", "no", "no"], ["yes", "yes", "no"], [0.7, 1.2, 0.0]), positive="yes")
    Margins(n=3, errors=1)
    """
    rows = Rows.of(predictions)
    if "margin" in predictions.columns:
        return _of_column(rows)
    if "correct" in predictions.columns or len(rows.score_columns) != 1:
        raise InvalidEvidence(
            f"A margin is read off a column of its own, or off truth and one score; {brief(predictions.source)} has "
            f"{listed([*predictions.columns])}. Say which column it is with margin= (--margin)."
        )
    return _of_decisions(rows, positive)


def _of_column(rows: Rows) -> Margins:
    rows.check_numeric(("margin",))
    values = rows.numbers("margin")
    if not values.size:
        raise InvalidEvidence(f"There are no rows to assess in {brief(rows.predictions.source)}.")
    known = known_margins(rows, values)
    gone = np.isnan(known)
    return Margins(known[~gone], dropped=int(gone.sum()))


def known_margins(rows: Rows, values: Array) -> Array:
    """The margins; those missing are clearly wrong, NaN where they are to be left out, or refused, as the rows ask."""
    gone = np.isnan(values)
    if not (missing := int(gone.sum())):
        return values
    way = rows.predictions.missing
    if way == "wrong":
        return np.where(gone, -np.inf, values)
    if way == "drop" and missing < values.size:
        return values
    if way == "drop":
        raise nothing_left(rows)
    raise InvalidEvidence(
        f"Of the {so_many(values.size)} of {brief(rows.predictions.source)}, there are {missing:,} without a margin"
        f'{rows.where_missing(("margin",))}. Repair them, leave such rows out with missing="drop" (--missing drop), '
        'or count them as clearly wrong with missing="wrong" (--missing wrong).'
    )


def _of_decisions(rows: Rows, positive: object, dropped: int | None = None) -> Margins:
    rows.check_numeric(rows.score_columns)
    cells, chosen = read_cells(rows, None, positive)
    classes = [label for label in cells.labels if label != NO_ANSWER]
    if len(classes) > 2 or chosen is None:
        raise InvalidEvidence(
            f"A margin needs two labels, and which of them positive decision values speak for: say it with positive= "
            f"(--positive). The labels are {listed(classes)}."
        )
    try:
        kept = read_kept(rows, cells)
    except ScoresMissing as found:
        if rows.predictions.missing == "drop" and found.number < cells.rows:
            return _of_decisions(rows.with_scores(), chosen, cells.dropped + found.number)
        raise InvalidEvidence(
            f"Of the {so_many(cells.rows)} of {brief(rows.predictions.source)}, there are {found.number:,} without a "
            f"decision value{rows.where_missing(rows.score_columns)}. Repair them, or leave such rows out with "
            'missing="drop" (--missing drop).'
        ) from None
    low, high = kept.span
    if low >= 0 and high <= 1:
        raise InvalidEvidence(
            f"The scores run from {low:.4g} to {high:.4g} and look like probabilities; a margin needs decision values, "
            "which are negative on one side. Give a column of margins with margin= (--margin)."
        )
    truly = kept.truth == cells.labels.index(chosen) + 1
    return Margins.of_decisions(truly, kept.columns[0], cells.dropped if dropped is None else dropped)


def posteriors(kept: Kept, labels: Sequence[str], speaks_for: Sequence[str]) -> Posteriors:
    """The probabilities of every row, where scores are some, beside the label that was predicted.

    `speaks_for` is the label of each score column: all of them, or the positive one of two.

    Examples
    --------
    >>> kept = Kept(np.array([4, 5]), (np.array([0.2, 0.6]),), np.array([1, 1]))
    >>> posteriors(kept, ["ham", "spam"], ["spam"]).probabilities.tolist()
    [[0.8, 0.2], [0.4, 0.6]]
    """
    given: dict[str, Array] = dict(zip(speaks_for, kept.columns, strict=True))
    classes = [label for label in labels if label != NO_ANSWER]
    if len(classes) == 2 and len(given) == 1:
        (spoken,) = given
        given |= {label: 1.0 - given[spoken] for label in classes if label != spoken}
    if {*given} != {*classes}:
        raise InvalidEvidence(
            f"Every label needs a column of probabilities: there are {listed(classes)}, and columns for "
            f"{listed([*speaks_for])}."
        )
    nothing = np.zeros(kept.cells.size)  # no probability is given to a missing answer
    columns = [given.get(label, nothing) for label in labels]
    return Posteriors(np.column_stack(columns), kept.cells.astype(np.int64) % (len(labels) + 1) - 1, tuple(labels))
