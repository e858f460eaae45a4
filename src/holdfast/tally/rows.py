"""The rows to be tallied: what is asked of them, whether they are held in this process or live on an engine."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray

from holdfast.evidence import Array, Integers
from holdfast.predictions import Predictions
from holdfast.predictions.coded import Coded, Held

if TYPE_CHECKING:
    from holdfast.tally.label_pairs import Cells
    from holdfast.tally.scores import Binned, Kept


ROWS_NAMED = 5  # in a refusal


@dataclass(frozen=True, eq=False)
class Kinds:
    """How many rows there are of each combination of values in some columns.

    Examples
    --------
    >>> from holdfast.predictions import Predictions
    >>> kinds = Rows.of(Predictions.from_arrays(["b", "a", "b"], ["b", "b", "b"])).kinds(("truth", "predicted"))
    >>> kinds["truth"].to_list(), kinds["predicted"].to_list(), kinds.times.tolist()
    (['a', 'b'], ['b', 'b'], [1, 2])
    """

    columns: Mapping[str, Coded]
    times: Integers
    first: Integers | None = None  # the first row of each kind, where that was asked for
    sums: Mapping[str, Array] = field(default_factory=dict)  # of columns of numbers, over all rows of the kind

    def __getitem__(self, name: str) -> Coded:
        return self.columns[name]

    @property
    def rows(self) -> int:
        return int(self.times.sum())

    def missing(self, name: str) -> NDArray[np.bool_]:
        """Which kinds have no value there."""
        return self.columns[name].codes < 0

    def filter(self, which: NDArray[np.bool_]) -> Kinds:
        """Some of the kinds."""
        if which.all():
            return self
        columns = {name: column.filter(which) for name, column in self.columns.items()}
        first, sums = self.first, {name: each[which] for name, each in self.sums.items()}
        return Kinds(columns, self.times[which], None if first is None else first[which], sums)


@dataclass(frozen=True, eq=False)
class Rows(ABC):
    """Rows, and how to count and read them where they are.

    Whatever is read of them comes back the same, in whichever of both ways.
    """

    predictions: Predictions
    score_columns: tuple[str, ...]

    @staticmethod
    def of(predictions: Predictions) -> Rows:
        if isinstance(predictions.frame, Held):
            from holdfast.tally.held import HeldRows

            return HeldRows.of(predictions)
        from holdfast.tally.engine import EngineRows

        return EngineRows.of(predictions)

    @property
    def answered(self) -> bool:
        """Whether there are predictions, some of which may be missing; without any, all are."""
        return "predicted" in self.predictions.columns

    def called(self, column: str) -> str:
        """What a missing value of the column is to be called: without a score there is nothing to predict from."""
        return "score" if column == "predicted" and self.predictions.operating_point is not None else column

    @property
    @abstractmethod
    def in_order(self) -> bool:
        """Whether the rows stand in an order that can be told."""

    @abstractmethod
    def kinds(self, keys: Sequence[str], drawn: bool = False, summed: Sequence[str] = ()) -> Kinds:
        """How many rows there are of each combination of the keys; if `drawn`, with the first row of each.

        Columns of numbers are `summed` over the rows of each kind; a missing number makes the sum NaN.
        """

    @abstractmethod
    def each(self, keys: Sequence[str], numbers: Sequence[str]) -> Kinds:
        """Every row as a kind of its own, with columns of labels and of numbers, NaN where there is none."""

    @abstractmethod
    def repeats(self, key: str) -> bool:
        """Whether some value of the column stands in several rows."""

    @abstractmethod
    def missed(self, columns: Sequence[str], most: int) -> list[int]:
        """The first rows, at most so many, that miss one of the columns; the first of all is 0."""

    @abstractmethod
    def numbers(self, name: str) -> Array:
        """A column of numbers, NaN where there is none."""

    @abstractmethod
    def check_numeric(self, columns: Sequence[str]) -> None:
        """Refuse columns that should hold numbers and hold something else."""

    @abstractmethod
    def means(self) -> dict[Any, float]:
        """The mean of the first score over the rows of each prediction; of those that have a score."""

    @abstractmethod
    def scored(self, cells: Cells) -> Kept:
        """Every score, beside the cell of the table that its row falls into."""

    @abstractmethod
    def batches(self, cells: Cells, size: int) -> Iterator[Kept]:
        """The same of so many rows at a time."""

    def binned(self, cells: Cells, codes: Sequence[int]) -> Binned:
        """How many scores fall into each of many bins; `codes` are of the labels that the columns speak for."""
        from holdfast.tally.scores import binned_in_batches

        return binned_in_batches(self, cells, codes)

    @abstractmethod
    def having(self, numbers: Sequence[str]) -> Self:
        """The rows that have a number in each of these columns."""

    def with_scores(self) -> Self:
        """The rows that have every score."""
        return self.having(self.score_columns)

    @abstractmethod
    def named(self, column: str) -> Any:
        """The frame of the rows that have a value in the column."""

    @abstractmethod
    def divided(self, cells: Cells, labels: tuple[str, str], column: str, threshold: float) -> Any:
        """The frame with two labels only: in the truth, and as predicted by the scores from a threshold on.

        There is no prediction where there is no score; a column of predictions that was there is called `given`.
        """

    def where_missing(self, columns: Sequence[str]) -> str:
        """The first rows that miss one of the columns, in brackets; nothing where rows have no order."""
        if not self.in_order:
            return ""
        places = [str(place + 1) for place in self.missed(columns, ROWS_NAMED + 1)]
        more = ", ..." if len(places) > ROWS_NAMED else ""
        return f" (row {', '.join(places[:ROWS_NAMED])}{more}, the first being row 1)"


def so_many(number: int) -> str:
    return f"{number:,} row" if number == 1 else f"{number:,} rows"


Words = NDArray[np.uint64]
BLOCK = 2**15  # rows at a time: what stays in the cache


@dataclass(frozen=True, eq=False)
class Scored:
    """Rows, or groups of equal rows: the cell of the table each falls into, its scores, and how often."""

    cells: Array
    columns: tuple[Array, ...]
    times: Integers | None = None


def fingerprint_of(
    labels: Sequence[str],
    truth: Integers,
    predicted: Integers,
    times: Integers,
    roles: Sequence[str] = (),
    scored: Sequence[Scored] = (),
) -> str:
    """The SHA-256, as 64 hex digits, of a table and of the scores that fell into its cells.

    `labels` are named by the places in `truth` and `predicted`; a cell of `scored` is coded as
    (place of truth + 1) * (number of labels + 1) + (place of predicted + 1).
    """
    digest = sha256(b"holdfast predictions 1\n")
    for role in roles:
        digest.update(_text(role))
    # By their text, and only those seen: neither the order of the labels nor listing further ones changes the data.
    seen = sorted(np.unique(np.concatenate([truth, predicted])).tolist(), key=labels.__getitem__)
    digest.update(b"".join(_text(labels[place]) for place in seen))
    rank = np.zeros(len(labels), np.int64)
    rank[seen] = np.arange(len(seen))
    table = np.stack([rank[truth], rank[predicted], times])
    digest.update(table[:, np.lexsort(table[::-1])].astype("<i8").tobytes())
    if scored:
        seeds = np.array([seed_of(label) for label in ("", *labels)], np.uint64)
        for part in scored:
            digest.update(np.array(_sums(seeds, part), "<u8").tobytes())
    return digest.hexdigest()


def _text(text: str) -> bytes:
    coded = text.encode("utf-8", "surrogatepass")
    return len(coded).to_bytes(8, "little") + coded


def seed_of(label: str) -> int:
    """A word for a text."""
    return int.from_bytes(sha256(_text(label)).digest()[:8], "little")


def _sums(seeds: Words, part: Scored) -> tuple[int, int]:
    """Two sums over all rows, modulo 2**64, of a word that mixes the row's cell and the bits of its scores."""
    first = second = 0
    for rows, words in _cells(seeds, part.cells):
        for column in part.columns:
            words ^= (column[rows] + 0.0).view(np.uint64)  # -0.0 is 0.0
            mix(words)
        turned = (words << np.uint64(32)) | (words >> np.uint64(32))
        turned *= words
        if part.times is not None:
            times = part.times[rows].astype(np.uint64)
            words *= times
            turned *= times
        first += int(np.add.reduce(words))
        second += int(np.add.reduce(turned))
    return first % 2**64, second % 2**64


def _cells(seeds: Words, cells: Array) -> Iterator[tuple[slice, Words]]:
    """Block by block, the rows and a word for the cell of each."""
    size = len(seeds)
    known = _paired(seeds, np.arange(size * size)) if size * size <= BLOCK else None
    for start in range(0, len(cells), BLOCK):
        rows = slice(start, start + BLOCK)
        yield rows, _paired(seeds, cells[rows]) if known is None else known[cells[rows]]


def _paired(seeds: Words, cells: Array) -> Words:
    truth, predicted = np.divmod(cells.astype(np.int64), len(seeds))
    words = seeds[truth]
    mix(words)  # so that truth and prediction cannot change places
    words ^= seeds[predicted]
    mix(words)
    return words


def mix(words: Words) -> None:
    """Stir each 64-bit word in place; every bit of it comes to depend on every other."""
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB), (31, 1)):
        words ^= words >> np.uint64(shift)
        words *= np.uint64(factor)
