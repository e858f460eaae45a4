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
from holdfast.predictions.wording import brief, quoted
from holdfast.tally.cells import PAIR, Cells, answers, read_cells, read_passes
from holdfast.tally.fingerprint import fingerprint_of, mix, seed_of
from holdfast.tally.rows import Rows, coded, so_many

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw
    import polars as pl

FIRST = "first row"  # the column that says which it is, where rows were drawn in their order
MOST_CELLS = 2**23  # of all clusters together, laid out at once


@dataclass(frozen=True, eq=False)
class Questions:
    """Of each question with several samples, how many are wrong and how many there are; and its cluster."""

    errors: Counts
    cluster: Integers  # counted from 0

    @property
    def mark(self) -> bytes:
        """What they hold, in no order."""
        held = np.stack([self.errors.k, self.errors.n])
        return held[:, np.lexsort(held)].astype("<u8").tobytes()


@dataclass(frozen=True, eq=False)
class ClusterTally:
    """What was counted cluster by cluster: errors and examples of each, and the table, where it can be laid out.

    Examples
    --------
    >>> rows = Predictions.from_arrays(correct=[1, 0, 1], clusters=["b", "a", "b"])
    >>> tally_clusters(rows).errors
    Counts(k=[0 1], n=[2 1])
    """

    errors: Counts  # of each cluster, in an order that neither rows nor engines decide, or as the rows were drawn
    rows: int
    fingerprint: str  # SHA-256 of what was counted, and of which rows are together
    labels: tuple[str, ...] = ()  # none for pass/fail tables
    table: Clustered | None = None  # None for pass/fail tables, and where there are too many cells
    positive: str | None = None
    missing: dict[str, int] = field(default_factory=dict)
    dropped: int = 0
    notes: tuple[str, ...] = ()  # what the reader should know of the labels
    questions: Questions | None = None  # where the rows of a cluster are samples of several questions


def drawn_by_question(rows: Predictions, sampled: bool) -> Predictions:
    """Rows whose questions are the clusters, where no others were declared: samples of one depend on each other.

    Questions of which each has one row are draws like any other, unless they are to have several (`sampled`).
    """
    import narwhals.stable.v2 as nw

    if "id" not in rows.columns or "cluster" in rows.columns:
        return rows
    if not sampled:
        times = rows.frame.select("id").group_by("id").agg(nw.len().alias("times"))
        if not rows.fetch(times.filter(nw.col("times") > 1).head(1)).height:
            kept = tuple(name for name in rows.columns if name != "id")
            return replace(rows, frame=rows.frame.select(*kept), columns=kept)
    columns = tuple("cluster" if name == "id" else name for name in rows.columns)
    return replace(rows, frame=rows.frame.rename({"id": "cluster"}), columns=columns)


def tally_clusters(
    predictions: Predictions,
    *,
    positive: object = None,
    labels: Sequence[object] | None = None,
    drawn: bool = False,
) -> ClusterTally:
    """Count the rows of each cluster where they live; `positive` and `labels` are as for `tally`.

    With `drawn` the clusters stand in the order of their first rows, which is that in which they were drawn.
    """
    passes = "correct" in predictions.columns
    keys = ("correct",) if passes else PAIR
    keys = ("id", *keys) if "id" in predictions.columns else keys
    rows, lost = _counted(Rows.of(predictions), keys, drawn)
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


def _counted(rows: Rows, keys: Sequence[str], drawn: bool) -> tuple[_Counted, int]:
    """The rows of each cluster, counted, and how many belong to none; with `first`, the row of its first, if drawn."""
    import narwhals.stable.v2 as nw
    import polars as pl

    if drawn:
        if not rows.local:
            raise InvalidEvidence(
                f"The rows of {brief(rows.predictions.source)} are held by an engine that keeps no order, so that "
                'order="drawn" (--order drawn) says nothing of them: give a file, or a frame of polars or pandas.'
            )
        native: pl.LazyFrame = rows.frame.select("cluster", *keys).to_native()
        numbered = nw.from_native(native.with_row_index(FIRST))
        held = rows.counted(("cluster", *keys), numbered, nw.col(FIRST).min())
    else:
        held = rows.counted(("cluster", *keys))
    held = held.with_columns(pl.col("times").cast(pl.Int64))
    if held.schema["cluster"].is_float():
        held = held.with_columns(pl.col("cluster").fill_nan(None))
    if "id" in held.columns:
        held = _with_ids(held, rows)
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


def _with_ids(held: pl.DataFrame, rows: Rows) -> pl.DataFrame:
    """The rows whose question is known, as those of a cluster; every question must be of one cluster."""
    import polars as pl

    source = brief(rows.predictions.source)
    if held.schema["id"].is_float():
        held = held.with_columns(pl.col("id").fill_nan(None))
    if (lost := int(held.filter(pl.col("id").is_null())["times"].sum())) and rows.predictions.missing != "drop":
        raise InvalidEvidence(
            f"Of the {so_many(int(held['times'].sum()))} of {source}, there are {lost:,} without an id"
            f"{rows.where_missing(('id',))}. Every row is a sample of some question: repair them, or leave them out "
            'with missing="drop" (--missing drop).'
        )
    held = held.with_columns(pl.when(pl.col("id").is_not_null()).then(pl.col("cluster")).alias("cluster"))
    known = held.filter(pl.col("cluster").is_not_null())
    apart = known.group_by("id").agg(pl.col("cluster").n_unique().alias("times")).filter(pl.col("times") > 1)
    if apart.height:
        example, times = min(apart.rows(), key=lambda row: str(row[0]))
        raise InvalidEvidence(
            f"In {source}, {_so_many(apart.height)} in several clusters, such as {quoted(example)} in {times:,}. All "
            "samples of a question must be of one cluster: repair them, or are the ids not those of the questions?"
        )
    return held


def _so_many(number: int) -> str:
    return "1 question is" if number == 1 else f"{number:,} questions are"


def _questions(held: pl.DataFrame, wrong: Any, kept: Any) -> Questions | None:
    """The samples of each question, where rows say which one they are of."""
    if "id" not in held.columns:
        return None
    question, cluster = (held[name].rank("dense").cast(int).to_numpy()[kept] for name in ("id", "cluster"))
    times = held["times"].to_numpy()[kept]
    n = np.bincount(question, times)
    seen = np.flatnonzero(n)
    k, of = np.bincount(question, times * wrong[kept], n.size), np.zeros(n.size, np.int64)
    of[question] = cluster
    _, places = np.unique(of[seen], return_inverse=True)
    return Questions(Counts(k[seen].astype(np.int64), n[seen].astype(np.int64)), places)


def _answers(rows: _Counted, positive: object, labels: Sequence[object] | None) -> ClusterTally:
    cells, chosen = read_cells(rows, labels, positive)
    held, size = rows.held, len(cells.labels) + 1
    cell = coded(held.schema, cells.labels, cells.truth_codes, cells.predicted_codes, cells.no_answer)
    code = held.select(cell)["cell"].cast(int).to_numpy()
    complete = (code >= size) & (code % size > 0)  # others were dropped, or refused before
    place = np.searchsorted((cells.truth + 1) * size + cells.predicted + 1, code)
    parts = _Parts.of(held, cells.times.size, place, complete)
    missed = cells.truth != cells.predicted
    asked = _questions(held, missed[np.minimum(place, missed.size - 1)], complete)
    pairs = [(cells.labels[a], cells.labels[b]) for a, b in zip(cells.truth, cells.predicted, strict=True)]
    whole = fingerprint_of(cells.labels, cells.truth, cells.predicted, cells.times)
    return ClusterTally(
        errors=parts.errors(missed),
        rows=cells.rows,
        fingerprint=parts.fingerprint(whole, [f"{len(a)} {a}{b}" for a, b in pairs], asked),
        labels=cells.labels,
        table=parts.table(cells),
        positive=chosen,
        missing=cells.missing,
        dropped=cells.dropped,
        notes=cells.notes,
        questions=asked,
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
    kept = told.to_numpy() | (dropped == 0)
    parts, asked = _Parts.of(rows.held, 2, place, kept), _questions(rows.held, place == 1, kept)
    seen = np.flatnonzero(number)
    whole = fingerprint_of(["right", "wrong"], seen, seen, number[seen], ["correct"])
    return ClusterTally(
        errors=parts.errors(np.array([False, True])),
        rows=int(number.sum()),
        fingerprint=parts.fingerprint(whole, ["right", "wrong"], asked),
        missing=missing,
        dropped=dropped,
        questions=asked,
    )


def _codes(held: pl.DataFrame) -> Integers:
    """A number for each cluster: in the order of their names, or of their first rows where these are known."""
    import polars as pl

    if FIRST not in held.columns:
        return held["cluster"].rank("dense").cast(int).to_numpy()
    first = pl.col(FIRST).min().over("cluster")
    return held.select(first.rank("dense").cast(int)).to_series().to_numpy()


@dataclass(frozen=True, eq=False)
class _Parts:
    """How often each cell occurs in each cluster, where it does: clusters count from 0, in no order that matters."""

    cluster: Integers
    cell: Integers
    times: Integers
    drawn: bool  # whether clusters are numbered in the order of their first rows

    @classmethod
    def of(cls, held: pl.DataFrame, cells: int, cell: Integers, kept: Any) -> _Parts:
        cluster = _codes(held)[kept]
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
        return cls(*np.divmod(both, cells), summed.astype(np.int64), FIRST in held.columns)

    @property
    def number(self) -> int:
        return int(self.cluster[-1]) + 1 if self.cluster.size else 0

    def errors(self, wrong: Any) -> Counts:
        """Errors and examples of each cluster, in rising order unless drawn."""
        n = np.bincount(self.cluster, self.times, self.number).astype(np.int64)
        k = np.bincount(self.cluster, self.times * wrong[self.cell], self.number).astype(np.int64)
        order = np.arange(n.size) if self.drawn else np.lexsort((n, k))
        return Counts(k[order], n[order])

    def table(self, cells: Cells) -> Clustered | None:
        size = cells.times.size
        if self.number * max(size, len(cells.labels)) > MOST_CELLS:
            return None
        times = np.zeros((self.number, size), np.int64)
        times[self.cluster, self.cell] = self.times
        each = Contingency.of_cells(cells.labels, cells.predicted, cells.truth, times, truths=cells.table.truths)
        return Clustered.of(each)

    def fingerprint(self, whole: str, cells: Sequence[str], questions: Questions | None) -> str:
        """The fingerprint of all rows, and a word for what each cluster holds: neither names nor order matter."""
        words = np.array([seed_of(cell) for cell in cells], np.uint64)[self.cell] ^ self.times.astype(np.uint64)
        mix(words)
        starts = np.flatnonzero(np.diff(self.cluster, prepend=-1))
        held = np.sort(np.add.reduceat(words, starts))
        asked = b"" if questions is None else b"questions\n" + questions.mark
        return sha256(bytes.fromhex(whole) + b"clusters\n" + held.astype("<u8").tobytes() + asked).hexdigest()
