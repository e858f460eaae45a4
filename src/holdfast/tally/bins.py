"""Scores too many to keep: how many fall into each of a million bins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from holdfast.errors import InvalidEvidence
from holdfast.evidence import Forecasts, Integers, Scores
from holdfast.tally.label_pairs import Cells
from holdfast.tally.rows import Rows, Scored
from holdfast.tally.scores import LARGEST, Kept, read_kept, refuse_unfit

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
