"""The table of every cluster of rows, by one question to the engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np

from holdfast.errors import InvalidEvidence
from holdfast.evidence import Contingency, Counts, Integers
from holdfast.evidence.clusters import Clustered
from holdfast.predictions import Predictions
from holdfast.predictions.wording import brief
from holdfast.tally.cells import PAIR, Cells, answers, read_cells, read_passes
from holdfast.tally.fingerprint import fingerprint_of, mix, seed_of
from holdfast.tally.rows import Rows, coded, so_many

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw
    import polars as pl

MOST_CELLS = 2**23  # of all clusters together, laid out at once


@dataclass(frozen=True, eq=False)
class ClusterTally:
    """What was counted cluster by cluster: errors and examples of each, and the table, where it can be laid out.

    Examples
    --------
    >>> rows = Predictions.from_arrays(correct=[1, 0, 1], clusters=["b", "a", "b"])
    >>> tally_clusters(rows).errors
    Counts(k=[0 1], n=[2 1])
    """

    errors: Counts  # of each cluster, in an order that neither rows nor engines decide
    rows: int
    fingerprint: str  # SHA-256 of what was counted, and of which rows are together
    labels: tuple[str, ...] = ()  # none for pass/fail tables
    table: Clustered | None = None  # None for pass/fail tables, and where there are too many cells
    positive: str | None = None
    missing: dict[str, int] = field(default_factory=dict)
    dropped: int = 0
    notes: tuple[str, ...] = ()  # what the reader should know of the labels


def tally_clusters(
    predictions: Predictions, *, positive: object = None, labels: Sequence[object] | None = None
) -> ClusterTally:
    """Count the rows of each cluster where they live; `positive` and `labels` are as for `tally`."""
    passes = "correct" in predictions.columns
    keys = ("correct",) if passes else PAIR
    rows, lost = _counted(Rows.of(predictions), keys)
    found = _passes(rows) if passes else _answers(rows, positive, labels)
    if not lost:
        return found
    return replace(found, missing={**found.missing, "cluster": lost}, dropped=found.dropped + lost)


@dataclass(frozen=True, eq=False)
class _Counted(Rows):
    """Rows that were counted cluster by cluster already: whoever counts them again need not ask the engine."""

    held: pl.DataFrame

    def counted(self, keys: Sequence[str], frame: nw.LazyFrame[Any] | None = None, *more: nw.Expr) -> pl.DataFrame:
        import polars as pl

        return self.held.group_by(*keys).agg(pl.col("times").sum())


def _counted(rows: Rows, keys: Sequence[str]) -> tuple[_Counted, int]:
    """The rows of each cluster, counted, and how many belong to none."""
    import polars as pl

    held = rows.counted(("cluster", *keys)).with_columns(pl.col("times").cast(pl.Int64))
    if held.schema["cluster"].is_float():
        held = held.with_columns(pl.col("cluster").fill_nan(None))
    known = held.filter(pl.col("cluster").is_not_null())
    total, lost = (int(frame["times"].sum()) for frame in (held, held.filter(pl.col("cluster").is_null())))
    if lost and rows.predictions.missing != "drop":
        raise InvalidEvidence(
            f"Of the {so_many(total)} of {brief(rows.predictions.source)}, there are {lost:,} without a cluster"
            f"{rows.where_missing(('cluster',))}. Every row belongs to a cluster, if only to one of its own: repair "
            'them, or leave them out with missing="drop" (--missing drop).'
        )
    if lost == total and total:
        raise InvalidEvidence(f"No row of {brief(rows.predictions.source)} names its cluster: nothing is left.")
    return _Counted(rows.predictions, rows.frame, rows.local, rows.score_columns, known), lost


def _answers(rows: _Counted, positive: object, labels: Sequence[object] | None) -> ClusterTally:
    cells, chosen = read_cells(rows, labels, positive)
    held, size = rows.held, len(cells.labels) + 1
    cell = coded(held.schema, cells.labels, cells.truth_codes, cells.predicted_codes, cells.no_answer)
    code = held.select(cell)["cell"].cast(int).to_numpy()
    complete = (code >= size) & (code % size > 0)  # others were dropped, or refused before
    place = np.searchsorted((cells.truth + 1) * size + cells.predicted + 1, code)
    parts = _Parts.of(held, cells.times.size, place, complete)
    pairs = [(cells.labels[a], cells.labels[b]) for a, b in zip(cells.truth, cells.predicted, strict=True)]
    whole = fingerprint_of(cells.labels, cells.truth, cells.predicted, cells.times)
    return ClusterTally(
        errors=parts.errors(cells.truth != cells.predicted),
        rows=cells.rows,
        fingerprint=parts.fingerprint(whole, [f"{len(a)} {a}{b}" for a, b in pairs]),
        labels=cells.labels,
        table=parts.table(cells),
        positive=chosen,
        missing=cells.missing,
        dropped=cells.dropped,
        notes=cells.notes,
    )


def _passes(rows: _Counted) -> ClusterTally:
    import polars as pl

    _, number, missing, dropped = read_passes(rows)
    column = rows.held["correct"]
    distinct = column.unique()
    rights = [answer is True for answer in answers(distinct, rows.predictions.grading)]
    right = column.is_in(distinct.filter(pl.Series(rights)).implode())
    told = column.is_not_nan() & column.is_not_null() if column.dtype.is_float() else column.is_not_null()
    place = np.where((right & told).fill_null(False).to_numpy(), 0, 1)
    parts = _Parts.of(rows.held, 2, place, told.to_numpy() | (dropped == 0))
    seen = np.flatnonzero(number)
    whole = fingerprint_of(["right", "wrong"], seen, seen, number[seen], ["correct"])
    return ClusterTally(
        errors=parts.errors(np.array([False, True])),
        rows=int(number.sum()),
        fingerprint=parts.fingerprint(whole, ["right", "wrong"]),
        missing=missing,
        dropped=dropped,
    )


@dataclass(frozen=True, eq=False)
class _Parts:
    """How often each cell occurs in each cluster, where it does: clusters count from 0, in no order that matters."""

    cluster: Integers
    cell: Integers
    times: Integers

    @classmethod
    def of(cls, held: pl.DataFrame, cells: int, cell: Integers, kept: Any) -> _Parts:
        cluster = held["cluster"].rank("dense").cast(int).to_numpy()[kept]
        cell, times = cell[kept], held["times"].to_numpy()[kept]
        present = np.bincount(cluster) > 0  # clusters of which nothing was kept are none
        code = (np.cumsum(present) - 1)[cluster] * cells + cell
        # Several spellings of a label are one cell. Sums of floats are exact up to 2**53 rows.
        if np.count_nonzero(present) * cells <= MOST_CELLS:
            summed = np.bincount(code, times)
            both = np.flatnonzero(summed)
            summed = summed[both]
        else:
            both, where = np.unique(code, return_inverse=True)
            summed = np.bincount(where, times)
        return cls(*np.divmod(both, cells), summed.astype(np.int64))

    @property
    def number(self) -> int:
        return int(self.cluster[-1]) + 1 if self.cluster.size else 0

    def errors(self, wrong: Any) -> Counts:
        """Errors and examples of each cluster, in rising order."""
        n = np.bincount(self.cluster, self.times, self.number).astype(np.int64)
        k = np.bincount(self.cluster, self.times * wrong[self.cell], self.number).astype(np.int64)
        order = np.lexsort((n, k))
        return Counts(k[order], n[order])

    def table(self, cells: Cells) -> Clustered | None:
        size = cells.times.size
        if self.number * max(size, len(cells.labels)) > MOST_CELLS:
            return None
        times = np.zeros((self.number, size), np.int64)
        times[self.cluster, self.cell] = self.times
        each = Contingency.of_cells(cells.labels, cells.predicted, cells.truth, times, truths=cells.table.truths)
        return Clustered.of(each)

    def fingerprint(self, whole: str, cells: Sequence[str]) -> str:
        """The fingerprint of all rows, and a word for what each cluster holds: neither names nor order matter."""
        words = np.array([seed_of(cell) for cell in cells], np.uint64)[self.cell] ^ self.times.astype(np.uint64)
        mix(words)
        starts = np.flatnonzero(np.diff(self.cluster, prepend=-1))
        held = np.sort(np.add.reduceat(words, starts))
        return sha256(bytes.fromhex(whole) + b"clusters\n" + held.astype("<u8").tobytes()).hexdigest()
