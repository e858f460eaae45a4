"""Every score of the rows, beside the cell of the table that its row falls into."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial, reduce
from operator import or_
from typing import Any

import numpy as np

from holdfast.errors import InvalidEvidence
from holdfast.evidence import NO_ANSWER, Array, Forecasts, Integers, Scores
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
    scores, predicted = kept.columns[column], kept.cells % size == code
    if predicted.all() or not predicted.any():
        return None
    above, below = float(scores[predicted].min()), float(scores[~predicted].max())
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


EXACT_ROWS = 2**24  # up to so many rows every score is kept; the rule looks at nothing else
EXACT_SCORES = 2**26  # and up to so many scores where a row has several
BINS = 2**20
TINIEST = float(np.finfo(np.float64).tiny)
BATCH = 2**20  # rows
AT_ONCE = 8  # columns: each needs 16 MB for its bins


@dataclass(frozen=True)
class Scale:
    """Bins that start at `low` and are `width` wide."""

    low: float = 0.0
    width: float = 1.0 / BINS

    @classmethod
    def of(cls, low: float, high: float) -> Scale:
        """The unit interval if it holds the scores, else from the least to the largest."""
        if low >= 0 and high <= 1:
            return cls()
        if not high - low <= LARGEST:
            raise InvalidEvidence(f"Scores that run from {low:g} to {high:g} are too far apart for bins.")
        return cls(low, max((high - low) / BINS, TINIEST) if low < high else 0.0)

    def place(self, score: Any) -> Any:
        """How many bins lie below the score; its whole part is the bin. The same to the last bit on every engine."""
        return (score - self.low) * (1.0 / self.width if self.width else 0.0)


@dataclass(frozen=True, eq=False)
class Bins:
    """How many rows of a class, and how many others, have a score in each bin."""

    places: Integers
    positives: Integers
    negatives: Integers
    scale: Scale

    @classmethod
    def of(cls, counts: Integers, scale: Scale) -> Bins:
        """From the counts of all bins, of the others first and then of the class."""
        negatives, positives = counts.reshape(2, BINS + 1)
        places = np.flatnonzero(negatives + positives)
        return cls(places, positives[places], negatives[places], scale)


@dataclass(frozen=True, eq=False)
class Binned:
    """Each score column in bins, for the class that it speaks for."""

    columns: tuple[Bins, ...]
    span: tuple[float, float]

    def scores(self, column: int, code: int) -> Scores:
        bins = self.columns[column]
        values = bins.scale.low + bins.places * bins.scale.width
        return Scores.from_counts(values, bins.positives, bins.negatives, width=bins.scale.width)

    @property
    def scored(self) -> list[Scored]:
        parts = []
        for bins in self.columns:
            low, width = np.full(bins.places.size, bins.scale.low), np.full(bins.places.size, bins.scale.width)
            for code, times in enumerate((bins.negatives, bins.positives)):
                values = low, width, bins.places.astype(np.float64)
                parts.append(Scored(np.full(times.size, code), values, times))
        return parts


def read_scores(rows: Rows, cells: Cells, codes: Sequence[int]) -> Kept | Binned:
    """The score columns of the rows, kept or in bins; `codes` are of the labels that they speak for."""
    columns = len(rows.score_columns)
    if cells.rows <= EXACT_ROWS and cells.rows * columns <= EXACT_SCORES:
        return read_kept(rows, cells)
    return rows.binned(cells, codes)


def binned_in_batches(rows: Rows, cells: Cells, codes: Sequence[int]) -> Binned:
    """Rows that can be read a batch at a time."""
    parts = []
    for start in range(0, len(codes), AT_ONCE):
        chosen = slice(start, start + AT_ONCE)
        parts.append(_binned(replace(rows, score_columns=rows.score_columns[chosen]), cells, codes[chosen]))
    spans = list(zip(*(part.span for part in parts), strict=True))
    return Binned(tuple(bins for part in parts for bins in part.columns), (min(spans[0]), max(spans[1])))


def _binned(rows: Rows, cells: Cells, codes: Sequence[int], scales: Sequence[Scale] | None = None) -> Binned:
    """Counted batch by batch; most often the scores turn out to be probabilities, and once is enough."""
    tried = scales or [Scale()] * len(codes)
    counts = np.zeros((len(codes), 2 * (BINS + 1)), np.int64)
    low, high = np.full(len(codes), np.inf), np.full(len(codes), -np.inf)
    infinite = missing = 0
    for batch in rows.batches(cells, BATCH):
        if not batch.truth.size:
            continue
        unfit = batch.unfit()
        infinite, missing = infinite + unfit[0], missing + unfit[1]
        if infinite or missing:
            continue
        for i, column in enumerate(batch.columns):
            low[i], high[i] = min(low[i], column.min()), max(high[i], column.max())
            if scales or (low[i] >= 0 and high[i] <= 1):
                place = tried[i].place(column).astype(np.int64)
                place += (batch.truth == codes[i]) * (BINS + 1)
                counts[i] += np.bincount(place, minlength=2 * (BINS + 1))
    refuse_unfit(rows, infinite, missing)
    wanted = [Scale.of(float(a), float(b)) for a, b in zip(low, high, strict=True)]
    if list(tried) != wanted:
        return _binned(rows, cells, codes, wanted)
    columns = (Bins.of(row, scale) for row, scale in zip(counts, wanted, strict=True))
    return Binned(tuple(columns), (float(low.min()), float(high.max())))


ROUNDING = 1e-6  # by which the probabilities of a row may miss adding up to one


def forecasts_of_two(read: Kept | Binned, scores: dict[str, Scores]) -> tuple[Forecasts | None, list[str]]:
    """Of the one label that scores speak for, and a note where they are no probabilities."""
    if note := no_probabilities(*read.span):
        return None, [note]
    return Forecasts.of_scores(*scores.values()), []


def forecasts_of_many(read: Kept | Binned, codes: Sequence[int]) -> tuple[Forecasts | None, list[str]]:
    """What the probabilities of several labels were worth."""
    if note := no_probabilities(*read.span):
        return None, [note]
    if isinstance(read, Binned):
        return None, ["Log loss and Brier score of several score columns are left out: there are too many rows."]
    total, given, squares = (np.zeros(read.truth.size) for _ in range(3))
    for column, code in zip(read.columns, codes, strict=True):
        true = read.truth == code
        total += column
        given[true] = column[true] + 0.0  # -0.0 is 0.0
        squares += np.where(true, 1.0 - column, column) ** 2
    worst = float(np.max(np.abs(total - 1.0)))
    if worst > ROUNDING:
        return None, [f"The scores of a row miss adding up to 1 by up to {worst:.2g}: no log loss, no Brier score."]
    two = len(codes) == 2  # then both probabilities are equally wrong, and one is enough
    return Forecasts(np.sort(given), np.sort(squares / 2 if two else squares), squares_high=1.0 if two else 2.0), []


def no_probabilities(low: float, high: float) -> str | None:
    """Why scores that run from one number to the other are no probabilities, if they are none."""
    if low >= 0 and high <= 1:
        return None
    return f"The scores run from {low:.4g} to {high:.4g} and are no probabilities: no log loss, no Brier score."
