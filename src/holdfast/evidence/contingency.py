"""How often each label was predicted for each actual label."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple, Self

import numpy as np
from numpy.typing import ArrayLike

from holdfast.arguments import check
from holdfast.errors import InvalidEvidence, UnfitMethod, UnknownName
from holdfast.evidence.tables.fixed_order import FixedOrder, fixed_order
from holdfast.evidence.value import Integers, Value, whole

NO_ANSWER = "(no answer)"  # what a missing prediction is filed under where it counts as an error
LARGEST_TABLE = 2_000  # labels; beyond it the full square is not laid out
AT_ONCE = 1 << 18  # cells of a stack of tables that is laid out at once
MOST_DRAWN = 5 * 10**7  # labels or cells of all tables that a bootstrap draws: more would take a minute
FEW = 1 << 12  # cells of a stack that is kept for whoever asks again


class TwoClasses(NamedTuple):
    """True and false positives, false and true negatives."""

    TP: int
    FP: int
    FN: int
    TN: int


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Contingency(Value):
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
    truths: Integers  # places of the labels that examples may truly have: those declared, or else those that some do
    _rows: Integers  # the predicted label of each cell seen, as a place in `labels`
    _columns: Integers  # the actual label of each cell seen, likewise
    _times: Integers  # how often each cell was seen, along the last axis

    def __init__(
        self, table: ArrayLike, labels: Iterable[object] | None = None, *, rows: Literal["predicted", "actual"]
    ) -> None:
        check("hf.Contingency", "labels", labels, Iterable[object] | None)
        check("hf.Contingency", "rows", rows, Literal["predicted", "actual"])
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
        times = counts.reshape(*counts.shape[:-2], size * size)
        self._set(labels=names, truths=classes_of(names), _rows=predicted, _columns=actual, _times=times)

    @classmethod
    def of_cells(
        cls,
        labels: Sequence[str],
        predicted: ArrayLike,
        actual: ArrayLike,
        times: ArrayLike,
        *,
        truths: ArrayLike | None = None,
    ) -> Self:
        """A table from the cells that were seen: places of the labels, and how often."""
        rows, columns, counts = (np.asarray(given, np.int64) for given in (predicted, actual, times))
        if truths is None:
            truths = np.unique(columns[counts.reshape(-1, counts.shape[-1]).any(axis=0)])
        places = np.asarray(truths, np.int64)
        return cls._checked(labels=tuple(labels), truths=places, _rows=rows, _columns=columns, _times=counts)

    def again(self, times: Integers, predicted: Integers | None = None) -> Self:
        """Tables with the same cells and other counts, or other predictions too."""
        return self._checked(
            labels=self.labels,
            truths=self.truths,
            _rows=self._rows if predicted is None else predicted,
            _columns=self._columns,
            _times=times,
            classes=self.classes,  # derived from the labels, which all of the tables share
        )

    @cached_property
    def seen(self) -> Contingency:
        """The same table without the cells that nothing fell into."""
        filled = self._times > 0
        cells = self._rows[filled], self._columns[filled], self._times[filled]
        return self.of_cells(self.labels, *cells, truths=self.truths)

    def one_against_rest(self, label: object) -> TwoClasses:
        """The four counts of one class against all others.

        Examples
        --------
        >>> Contingency([[7, 7], [3, 13]], ["versicolor", "other"], rows="predicted").one_against_rest("versicolor")
        TwoClasses(TP=7, FP=7, FN=3, TN=13)
        """
        place = self.place(label)
        hits, actual, predicted = (int(each[place]) for each in (self.hits, self.actual, self.predicted))
        return TwoClasses(hits, predicted - hits, actual - hits, int(self.n) - predicted - actual + hits)

    def redrawn(self, generator: np.random.Generator, size: int) -> Iterator[Contingency]:
        """Stacks of tables, `size` in all, of as many examples drawn from this one with replacement.

        Drawing examples makes the table multinomial, so the table is drawn, at a cost that does not depend on n.
        """
        n, times = int(self.n), self.seen._times
        check_drawn(max(times.size, len(self.labels)), size)
        for some in portions(size, max(times.size, len(self.labels))):
            yield self.seen.again(drawn_again(generator, n, times, self.order.draws, len(some)))

    @cached_property
    def order(self) -> FixedOrder:
        """Of the labels and of the cells of `seen`, whatever the labels are called: what seeds belong to."""
        rows, columns, times = self.seen.cells
        once = np.ones(times.size, np.int64)
        return fixed_order(kinds_of(self.labels, self.truths), [[rows], [columns]], once, np.arange(times.size), times)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "order"}  # soon found again

    def each_left_out(self) -> Iterator[Contingency]:
        """Stacks of the tables with one example less, one for each cell of `seen`."""
        few = self.seen.cells[2].size * len(self.labels) <= FEW
        return iter(self._each_left_out) if few else self._leave_out()

    @cached_property
    def _each_left_out(self) -> tuple[Contingency, ...]:
        return (*self._leave_out(),)

    def _leave_out(self) -> Iterator[Contingency]:
        rows, columns, times = self.seen.cells
        right = (rows == columns).astype(np.int64)
        for some in portions(times.size, max(times.size, len(self.labels))):
            stack = self.seen.again(_each_less(times, some, np.arange(times.size)))
            # The margins, which are read off most often, differ in one entry too: no need to add them all up again.
            margins = {"n": np.full(len(some), self.n - 1), "hits": _each_less(self.hits, some, rows, right)}
            margins |= {
                "actual": _each_less(self.actual, some, columns),
                "predicted": _each_less(self.predicted, some, rows),
            }
            stack._set(**margins)
            yield stack

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
        return classes_of(self.labels)

    @property
    def only_predicted(self) -> Integers:
        """Places of the classes that were found among the predictions alone."""
        return np.setdiff1d(self.classes, self.truths)

    def place(self, label: object) -> int:
        """Where the label stands."""
        try:
            return self.labels.index(str(label))
        except ValueError:
            raise UnknownName("label", label, self.labels) from None

    def _summed(self, places: Integers, size: int, times: Integers | None = None) -> Integers:
        counts = self._times if times is None else times
        if counts.ndim == 1:
            sums = np.zeros(size, np.int64)
            np.add.at(sums, places, counts)
            return sums
        order = np.argsort(places, kind="stable")
        present, starts = np.unique(places[order], return_index=True)
        sums = np.zeros((*counts.shape[:-1], size), np.int64)
        if present.size:
            sums[..., present] = np.add.reduceat(counts[..., order], starts, axis=-1)
        return sums

    def __repr__(self) -> str:
        if self.n.ndim:
            return f"Contingency({len(self.labels)} labels, {self.n.size} tables)"
        return f"Contingency({len(self.labels)} labels, n={self.n}, errors={self.errors})"


def classes_of(labels: Sequence[str]) -> Integers:
    """Places of the labels that are classes: all but the one for missing answers, of which there is one at most."""
    every = np.arange(len(labels))
    return np.delete(every, labels.index(NO_ANSWER)) if NO_ANSWER in labels else every


def kinds_of(labels: Sequence[str], truths: Integers) -> Integers:
    """Of each label what is known beside its counts: whether it is a class, and whether examples may be of it."""
    kinds = np.zeros(len(labels), np.int64)
    kinds[classes_of(labels)] += 1
    kinds[truths] += 2
    return kinds


def drawable(width: int, size: int) -> bool:
    """Whether tables of so many cells or labels are drawn again so often."""
    return width * size <= MOST_DRAWN


def check_drawn(width: int, size: int) -> None:
    if not drawable(width, size):
        raise UnfitMethod(
            f"A bootstrap of a table of {width:,} labels or cells, drawn {size:,} times, would take too long: it is "
            f"done for up to {MOST_DRAWN // size:,}. Leave out method= (--method), or choose one that draws nothing."
        )


def drawn_again(generator: np.random.Generator, n: int, times: Integers, order: Integers, size: int) -> Integers:
    """As many tables of n draws with replacement, drawn in a stated order and given back in that of the cells."""
    tables = np.zeros((size, times.size), np.int64)
    if n:
        tables[:, order] = generator.multinomial(n, times[order] / n, size=size)
    return tables


def _each_less(counts: Integers, some: range, places: Integers, which: Integers | int = 1) -> Integers:
    """The counts once for each of some cells, less one at its place (where `which` says so)."""
    less = np.repeat(counts[np.newaxis], len(some), axis=0)
    less[np.arange(len(some)), places[some]] -= np.broadcast_to(which, places.shape)[some]
    return less


def portions(size: int, width: int) -> Iterator[range]:
    """The places 0..size-1 in runs, each of which makes a stack `width` wide that fits the cache."""
    rows = max(AT_ONCE // max(width, 1), 1)
    return (range(start, min(start + rows, size)) for start in range(0, size, rows))
