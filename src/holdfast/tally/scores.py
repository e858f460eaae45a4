"""Every score of the rows, beside the cell of the table that its row falls into."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial, reduce
from operator import or_
from typing import Any

import numpy as np

from holdfast.errors import InvalidEvidence
from holdfast.evidence import NO_ANSWER, Array, Integers, Scores
from holdfast.predictions.coded import spelled
from holdfast.tally.label_pairs import Cells
from holdfast.tally.rows import Rows, Scored, so_many
from holdfast.wording import brief, listed, quoted

LARGEST = float(np.finfo(np.float64).max)


class ScoresMissing(Exception):  # never leaves this room
    """So many rows have no score."""

    def __init__(self, number: int) -> None:
        self.number = number


@dataclass(frozen=True, eq=False)
class Kept:
    """The scores themselves, a column an array, beside the cell of the table that each row falls into."""

    cells: Array
    columns: tuple[Array, ...]
    truth: Array  # the code of each row's true label

    @classmethod
    def of(cls, cells: Cells, where: Array, columns: Sequence[Array], times: Integers | None = None) -> Kept:
        """Rows that fall into these cells, without those that were dropped; or so many of each."""
        which = None if times is None else np.repeat(np.arange(where.size), times)
        if cells.dropped:
            complete = cells.coding.complete(where)
            which = np.flatnonzero(complete) if which is None else which[complete[which]]
        if which is not None:
            where, columns = where[which], [column[which] for column in columns]
        return cls(where, tuple(columns), where // cells.coding.size)

    def scores(self, column: int, code: int) -> Scores:
        return Scores(self.columns[column], self.truth == code)

    @property
    def scored(self) -> list[Scored]:
        return [Scored(self.cells, self.columns)]

    @property
    def span(self) -> tuple[float, float]:
        return min(float(column.min()) for column in self.columns), max(float(column.max()) for column in self.columns)

    def unfit(self) -> tuple[int, int]:
        """How many rows have an infinite score, and how many miss one."""
        if all(np.isfinite(column).all() for column in self.columns):
            return 0, 0
        infinite, missing = (reduce(or_, map(test, self.columns)) for test in (np.isinf, np.isnan))
        return int(np.count_nonzero(infinite & ~missing)), int(np.count_nonzero(missing))


def leaning(rows: Rows, cells: Cells) -> str | None:
    """Of two labels that are both predicted, the one whose predictions have the higher scores on average.

    That looks at what the model says and never at the truth, so nothing is decided by the results.
    """
    if len(cells.labels) - (NO_ANSWER in cells.labels) != 2:
        return None
    means = {cells.coding.predicted.get(value): mean for value, mean in rows.means().items()}
    first, second = (means.get(code) for code, label in enumerate(cells.labels, 1) if label != NO_ANSWER)
    if first is None or second is None or first == second:
        return None
    classes = [label for label in cells.labels if label != NO_ANSWER]
    # A mean that is no number leads to the second; the reader of the scores will tell what is missing.
    return classes[0] if first > second else classes[1]


def spoken_labels(rows: Rows, cells: Cells, positive: str | None) -> list[str]:
    """The label that each score column speaks for."""
    classes = [label for label in cells.labels if label != NO_ANSWER]
    if not rows.predictions.score_labels:
        if positive is not None:
            return [positive]
        told = listed(classes)
        if len(classes) > 2:
            raise InvalidEvidence(
                f"There are {len(classes):,} labels ({told}) and one score column. Give a column score_<label> for "
                "each of them, or say which label it speaks for with positive= (--positive)."
            )
        raise InvalidEvidence(
            f"Which label do the scores speak for? The labels are {told}; say it with positive= (--positive)."
        )
    names = [spelled(label) for label in rows.predictions.score_labels]
    if len(set(names)) != len(names):
        raise InvalidEvidence(f"Two score columns speak for the same label: {listed(names)}.")
    if left := [label for label in classes if label not in set(names)]:
        raise InvalidEvidence(
            f"The label {quoted(left[0])} has no score column; there are columns for {listed(names)}. Every label "
            "needs one of its own; or name the one column to use with score= (--score)."
        )
    return names


@dataclass(frozen=True, eq=False)
class OwnThreshold:
    """The threshold that the predictions themselves follow, looked for when it is asked for.

    A copy of it knows the answer, and not the rows.
    """

    kept: Kept
    column: int
    code: int
    size: int

    def __call__(self) -> float | None:
        return own_threshold(self.kept, self.column, self.code, self.size)

    def __reduce__(self) -> tuple[Any, ...]:
        return partial, (_itself, self())


def _itself(threshold: float | None) -> float | None:
    return threshold


def own_threshold(kept: Kept, column: int, code: int, size: int) -> float | None:
    """From which score on the model itself says yes, where its predictions follow the scores without exception.

    Several numbers may part them alike: 1/2 is taken, or 0, where it does, else the least score that got a yes. That
    looks at what the model says and never at the truth. Without both a yes and a no there is nothing to go by.

    Examples
    --------
    >>> kept = Kept(np.array([4, 5, 5]), (np.array([0.2, 0.6, 0.7]),), np.array([1, 1, 1]))
    >>> own_threshold(kept, 0, code=2, size=3)
    0.5
    """
    scores, said = kept.columns[column], kept.cells % size == code
    if said.all() or not said.any():
        return None
    above, below = float(scores[said].min()), float(scores[~said].max())
    return next((t for t in (0.5, 0.0, above) if below < t <= above), None)


def read_kept(rows: Rows, cells: Cells) -> Kept:
    """All scores at once."""
    kept = rows.scored(cells)
    refuse_unfit(rows, *kept.unfit())
    return kept


def refuse_unfit(rows: Rows, infinite: int, missing: int) -> None:
    if infinite:
        source = brief(rows.predictions.source)
        raise InvalidEvidence(f"A score of {source} is infinite in {so_many(infinite)}; scores must be finite.")
    if missing:
        raise ScoresMissing(missing)
