"""How often each label was predicted for each actual label."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike

from holdfast.errors import InvalidEvidence, UnknownName
from holdfast.evidence.counts import Counts
from holdfast.evidence.given import Array, Integers, whole
from holdfast.evidence.sample import Evidence, Resampled

NO_ANSWER = "(no answer)"  # what a missing prediction is filed under where it counts as an error
LARGEST_TABLE = 2_000  # labels; beyond it the full square is not laid out


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Contingency:
    """Counts of examples by predicted and actual label; rows are predicted, columns actual, as in Zaki & Meira.

    Only the cells that were seen are kept, so a hundred thousand labels cost what their examples cost. Several
    tables with the same labels may stand in one, along leading axes.

    Examples
    --------
    >>> iris = Contingency([[10, 0, 0], [0, 7, 5], [0, 3, 5]], ["setosa", "versicolor", "virginica"], rows="predicted")
    >>> iris
    Contingency(3 labels, n=30, errors=8)
    >>> iris.actual, iris.predicted
    (array([10, 10, 10]), array([10, 12,  8]))
    """

    labels: tuple[str, ...]
    _rows: Integers  # the predicted label of each cell seen, as a place in `labels`
    _columns: Integers  # its actual label
    _times: Integers  # how often, along the last axis

    def __init__(
        self, table: ArrayLike, labels: Iterable[object] | None = None, *, rows: Literal["predicted", "actual"]
    ) -> None:
        if rows not in ("predicted", "actual"):
            raise UnknownName("meaning of the rows", rows, ["predicted", "actual"])
        counts = whole("The counts of a contingency table", table)
        if counts.ndim < 2 or counts.shape[-1] != counts.shape[-2]:
            raise InvalidEvidence(f"A contingency table needs as many rows as columns; got shape {counts.shape}.")
        size = counts.shape[-1]
        names = tuple(str(label) for label in (range(size) if labels is None else labels))
        if len(names) != size or len(set(names)) != size:
            raise InvalidEvidence(f"A table of {size} rows needs {size} different labels; got {len(names)}.")
        if rows == "actual":
            counts = np.swapaxes(counts, -1, -2)
        predicted, actual = np.divmod(np.arange(size * size), max(size, 1))
        self._set(names, predicted, actual, counts.reshape(*counts.shape[:-2], size * size))

    def _set(self, labels: tuple[str, ...], rows: Integers, columns: Integers, times: Integers) -> None:
        for name, value in (("labels", labels), ("_rows", rows), ("_columns", columns), ("_times", times)):
            object.__setattr__(self, name, value)

    @classmethod
    def of_cells(cls, labels: Sequence[str], predicted: ArrayLike, actual: ArrayLike, times: ArrayLike) -> Self:
        """A table from the cells that were seen: places of the labels, and how often."""
        made = cls.__new__(cls)
        made._set(
            tuple(labels), np.asarray(predicted, np.int64), np.asarray(actual, np.int64), np.asarray(times, np.int64)
        )
        return made

    def again(self, times: Integers) -> Self:
        """Tables with the same cells and other counts."""
        made = type(self).__new__(type(self))
        made._set(self.labels, self._rows, self._columns, times)
        return made

    @property
    def table(self) -> Integers:
        """The full square, rows predicted and columns actual."""
        size = len(self.labels)
        if size > LARGEST_TABLE:
            raise InvalidEvidence(f"A square of {size} labels is too large to lay out; use its margins and cells.")
        flat = self._summed(self._rows * size + self._columns, size * size)
        return flat.reshape(*flat.shape[:-1], size, size)

    @property
    def cells(self) -> tuple[Integers, Integers, Integers]:
        """Place of the predicted label, place of the actual label, and count, of each cell."""
        return self._rows, self._columns, self._times

    @cached_property
    def n(self) -> Integers:
        return np.asarray(self._times.sum(axis=-1))

    @cached_property
    def hits(self) -> Integers:
        """Examples of each label that were predicted as such."""
        right = self._rows == self._columns
        return self._summed(self._rows[right], len(self.labels), self._times[..., right])

    @cached_property
    def actual(self) -> Integers:
        """Examples truly of each label."""
        return self._summed(self._columns, len(self.labels))

    @cached_property
    def predicted(self) -> Integers:
        """Examples predicted as each label."""
        return self._summed(self._rows, len(self.labels))

    @property
    def errors(self) -> Integers:
        return self.n - self.hits.sum(axis=-1)

    @cached_property
    def classes(self) -> Integers:
        """Places of the labels that are classes: all but the one for missing answers."""
        return np.array([i for i, label in enumerate(self.labels) if label != NO_ANSWER], np.int64)

    def place(self, label: object) -> int:
        """Where the label stands."""
        try:
            return self.labels.index(str(label))
        except ValueError:
            raise UnknownName("label", label, self.labels) from None

    def _summed(self, places: Integers, size: int, times: Integers | None = None) -> Integers:
        counted = self._times if times is None else times
        if counted.ndim == 1:
            summed = np.zeros(size, np.int64)
            np.add.at(summed, places, counted)
            return summed
        order = np.argsort(places, kind="stable")
        present, starts = np.unique(places[order], return_index=True)
        summed = np.zeros((*counted.shape[:-1], size), np.int64)
        if present.size:
            summed[..., present] = np.add.reduceat(counted[..., order], starts, axis=-1)
        return summed

    def __repr__(self) -> str:
        if self.n.ndim:
            return f"Contingency({len(self.labels)} labels, {self.n.size} tables)"
        return f"Contingency({len(self.labels)} labels, n={self.n}, errors={self.errors})"


Reading = Callable[[Contingency], Array]  # a quantity read off any table or stack of tables, in its own units


@dataclass(frozen=True, eq=False)
class Tabled(Resampled):
    """A quantity read off a whole table, with the ends of its range."""

    source: Contingency
    reading: Reading
    low: float = 0.0
    high: float = 1.0

    @property
    def n(self) -> Integers:  # type: ignore[override]  # computed here, kept elsewhere
        return self.source.n

    @cached_property
    def _value(self) -> Array:
        return np.asarray(self.reading(self.source))

    @property
    def known(self) -> Array:
        return ~np.isnan(self._value)

    @property
    def mean(self) -> Array:
        return np.nan_to_num((self._value - self.low) / (self.high - self.low), nan=0.5)

    @property
    def complement(self) -> Array:
        return np.nan_to_num((self.high - self._value) / (self.high - self.low), nan=0.5)

    def mirror(self) -> Tabled:
        return Tabled(self.source, lambda table: -self.reading(table), -self.high, -self.low)

    def units(self, share: Array) -> Array:
        return self.low + (self.high - self.low) * share

    def draws(self, generator: np.random.Generator, size: int) -> Array:
        times = self.source.cells[2]
        drawn = generator.multinomial(int(self.source.n), times / max(int(self.source.n), 1), size=size)
        return (self.reading(self.source.again(drawn)) - self.low) / (self.high - self.low)

    def left_out(self) -> tuple[Array, Array]:
        times = self.source.cells[2]
        seen = np.flatnonzero(times)
        fewer = times - np.eye(times.size, dtype=np.int64)[seen]
        return (self.reading(self.source.again(fewer)) - self.low) / (self.high - self.low), times[seen]


@dataclass(frozen=True, eq=False)
class Box(Tabled):
    """A quantity of a table of two labels that rises with the recall of either, at an unknown prevalence.

    `reading` gives it for a table, `of_rates` for a prevalence of the first label and the two recalls.
    """

    of_rates: Callable[[Array, Array, Array], Array] = lambda prevalence, first, second: prevalence  # noqa: E731

    @property
    def recalls(self) -> tuple[Counts, Counts]:
        hits, actual = self.source.hits, self.source.actual
        return Counts(hits[..., 0], actual[..., 0]), Counts(hits[..., 1], actual[..., 1])

    @property
    def prevalence(self) -> Counts:
        return Counts(self.source.actual[..., 0], self.source.n)
