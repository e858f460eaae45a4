"""Two models on the same examples, by what either of them predicted where what was true."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdfast.evidence.contingency import Contingency, check_drawn, classes_of, drawn_again, kinds_of, portions
from holdfast.evidence.fixed_order import FixedOrder, fixed_order
from holdfast.evidence.given import Array, Integers
from holdfast.evidence.pairs.loss_differences import gap_of, share_of
from holdfast.evidence.sample import Evidence, Resampled

Codes = NDArray[np.integer]  # places of labels, or of clusters
MOST_CELLS = 2**23  # that are counted in one array, rather than sorted


class Tables(NamedTuple):
    """Tables of both models, of the same examples; or stacks of such tables."""

    one: Contingency
    other: Contingency


@dataclass(frozen=True, eq=False, repr=False)
class JointTable:
    """How often each label was true and each two labels were predicted, in all or in each cluster.

    Which model comes first makes no difference to what is kept but for `sign`, so that swapping them mirrors
    everything to the last bit. What is drawn, an example or a cluster, is a draw; an entry says what one holds.

    Examples
    --------
    >>> labels, truth = ["ham", "spam"], np.array([0, 0, 1, 1, 1])
    >>> table = JointTable.of(labels, truth, np.array([0, 0, 1, 1, 0]), np.array([0, 1, 1, 0, 0]))
    >>> table
    JointTable(2 labels, n=5)
    >>> [each.table.tolist() for each in table.whole[:: table.sign]]
    [[[2, 1], [0, 2]], [[1, 2], [1, 1]]]
    """

    labels: tuple[str, ...]
    truth: Integers  # of each entry
    one: Integers  # what one model predicted there
    other: Integers
    times: Integers  # how often a draw holds it
    draw: Integers  # which, rising
    alike: Integers  # how many draws are just like each of them
    sign: int  # 1 if `one` is the first model, -1 if it is the second
    declared: bool = False  # whether the labels were, and not just found

    @classmethod
    def of(
        cls,
        labels: Sequence[str],
        truth: Codes,
        first: Codes,
        second: Codes,
        clusters: Codes | None = None,
        *,
        declared: bool = False,
    ) -> JointTable:
        """From the places of the labels, an example an entry, and perhaps the cluster of each."""
        size = len(labels)
        rows = (truth.astype(np.int64) * size + first) * size + second
        cells, alike = _counted(rows, size**3)
        actual, pair = np.divmod(cells, size**2)
        one, other = np.divmod(pair, size)
        sign = _orientation(actual, one, other, alike, size)
        if sign < 0:
            one, other = other, one
        draw, times = np.arange(cells.size), np.ones(cells.size, np.int64)
        order = np.lexsort((other, one, actual))
        if clusters is not None:
            rank = np.argsort(order)[np.searchsorted(cells, rows)]
            entries, times = np.unique(clusters.astype(np.int64) * cells.size + rank, return_counts=True)
            named, rank = np.divmod(entries, max(cells.size, 1))
            _, draw = np.unique(named, return_inverse=True)
            order, alike = order[rank], np.ones(int(draw.max(initial=-1)) + 1, np.int64)
        else:
            alike = alike[order]
        return cls(tuple(labels), actual[order], one[order], other[order], times, draw, alike, sign, declared)

    @property
    def n(self) -> Integers:
        """How many draws there are."""
        return np.asarray(self.alike.sum())

    @cached_property
    def truths(self) -> Integers:
        return classes_of(self.labels) if self.declared else np.unique(self.truth)

    @cached_property
    def whole(self) -> Tables:
        """The tables of all examples, in the order in which they are kept."""
        return self._of_times(self.times * self.alike[self.draw])

    def each_left_out(self) -> Iterator[Tables]:
        """Stacks of what is left of the tables with one draw less, one for each kind of draw."""
        for some in portions(self.alike.size, len(self.labels)):
            here = slice(*np.searchsorted(self.draw, (some.start, some.stop)))
            truth, times = self.truth[here], self.times[here]
            held = partial(_held, self.draw[here] - some.start, shape=(len(some), len(self.labels)))
            actual = self.whole.one.actual - held(truth, times)
            yield Tables(
                *(
                    self._of_margins(
                        actual,
                        hits=table.hits - held(truth, times * (said[here] == truth)),
                        predicted=table.predicted - held(said[here], times),
                    )
                    for table, said in zip(self.whole, (self.one, self.other), strict=True)
                )
            )

    def redrawn(self, generator: np.random.Generator, size: int) -> Iterator[Tables]:
        """Stacks of the tables, `size` in all, of as many draws with replacement."""
        check_drawn(max(self.times.size, len(self.labels)), size)
        for some in portions(size, max(self.times.size, len(self.labels))):
            drawn = drawn_again(generator, int(self.n), self.alike, self.order.draws, len(some))
            yield self._of_times(drawn[:, self.draw] * self.times)

    @cached_property
    def order(self) -> FixedOrder:
        """Of the labels and of the draws, whatever labels and clusters are called, and whichever model is the first."""
        kinds, held = kinds_of(self.labels, self.truths), (self.times, self.draw, self.alike)
        rank = fixed_order(kinds, [[self.truth], [self.one, self.other]], *held).rank
        truth, one, other = (rank[places] for places in (self.truth, self.one, self.other))
        sign = _orientation(truth, one, other, self.times * self.alike[self.draw], len(self.labels))
        return fixed_order(kinds, [[self.truth], *([self.one], [self.other])[::sign]], *held)

    def _of_times(self, times: Integers) -> Tables:
        made = (
            Contingency.of_cells(self.labels, said, self.truth, times, truths=self.truths)
            for said in (self.one, self.other)
        )
        return Tables(*made)

    def _of_margins(self, actual: Integers, **margins: Integers) -> Contingency:
        """Tables of which nothing but the margins and the hits is known: no measure of a whole table asks for more."""
        nothing = np.zeros(0, np.int64)
        empty = np.zeros((len(actual), 0), np.int64)
        made = Contingency.of_cells(self.labels, nothing, nothing, empty, truths=self.truths)
        vars(made).update(margins, actual=actual, n=actual.sum(axis=-1))
        return made

    def __repr__(self) -> str:
        return f"JointTable({len(self.labels)} labels, n={self.n})"


def _held(draw: Integers, places: Integers, times: Integers, shape: tuple[int, int]) -> Integers:
    """How often each draw holds each label."""
    counted = np.bincount(draw * shape[1] + places, times, shape[0] * shape[1])
    return np.asarray(counted.reshape(shape).astype(np.int64))  # whole numbers, exact up to 2**53 examples


def _counted(codes: Integers, size: int) -> tuple[Integers, Integers]:
    """The different codes, rising, and how often each occurs."""
    if size > max(MOST_CELLS, 4 * codes.size):
        return np.unique(codes, return_counts=True)
    times = np.bincount(codes, minlength=size)
    seen = np.flatnonzero(times)
    return seen, times[seen]


def _orientation(truth: Integers, first: Integers, second: Integers, times: Integers, size: int) -> int:
    """1 or -1, whichever, but the opposite where the models are swapped, if that can be told from the counts."""
    pair = (truth * size + np.minimum(first, second)) * size + np.maximum(first, second)
    _, where = np.unique(pair, return_inverse=True)
    ahead = np.zeros(int(where.max(initial=-1)) + 1, np.int64)
    np.add.at(ahead, where, times * np.sign(second - first))
    told = np.flatnonzero(ahead)
    return -1 if told.size and ahead[told[0]] < 0 else 1


@dataclass(frozen=True, eq=False)
class JointReading:
    """What a measure says of the tables of both models; of all classes at once, if it is a measure of each."""

    measure: Callable[[Contingency], Evidence]
    source: JointTable

    @cached_property
    def most(self) -> float:
        """The largest difference that there can be."""
        narrowed = self.measure(self.source.whole.one)
        low, high = (float(narrowed.units(np.asarray(end))) for end in (0.0, 1.0))
        return high - low

    @cached_property
    def whole(self) -> Array:
        return self.of(self.source.whole)

    @cached_property
    def left_out(self) -> Array:
        found = [self.of(some) for some in self.source.each_left_out()]
        return np.concatenate(found) if found else np.zeros((0, *self.whole.shape))

    def of(self, tables: Tables) -> Array:
        """One minus the other, NaN where either is undefined."""
        narrowed = (self.measure(table) for table in tables)
        one, other = (np.where(each.known, each.units(each.mean), np.nan) for each in narrowed)
        return np.asarray(one - other)


@dataclass(frozen=True, eq=False)
class Joint(Resampled):
    """What a measure says of the first model minus what it says of the second, read off their joint table.

    Examples
    --------
    >>> from holdfast.measures.averages import weighted_f1
    >>> truth, first, second = np.array([[0, 0, 1, 1, 1, 0], [0, 0, 1, 1, 0, 0], [0, 1, 1, 0, 0, 0]])
    >>> (found,) = Joint.read(weighted_f1, JointTable.of(["ham", "spam"], truth, first, second))
    >>> print(f"{found.units(found.mean):.4f}, n={found.n}")
    0.3429, n=6
    """

    reading: JointReading
    place: int | None = None  # of the class
    turned: bool = False

    @classmethod
    def read(
        cls, measure: Callable[[Contingency], Evidence], source: JointTable, places: Sequence[int] | None = None
    ) -> list[Joint]:
        """The difference of a measure, or of some classes, one for each: what is read is read once for all."""
        reading = JointReading(measure, source)
        return [cls(reading, place) for place in ([None] if places is None else places)]

    @property
    def source(self) -> JointTable:
        return self.reading.source

    @property
    def n(self) -> Integers:  # type: ignore[override]  # computed here, kept elsewhere
        return self.source.n

    @property
    def most(self) -> float:
        return self.reading.most

    def _mine(self, values: Array) -> Array:
        """Differences of first and second model, of this class, as parts of the largest there can be."""
        own = values if self.place is None else values[..., self.place]
        return np.asarray((-own if self.turned != (self.source.sign < 0) else own) / self.most + 0.0)  # no -0.0

    @cached_property
    def _gap(self) -> Array:
        return self._mine(self.reading.whole)

    @property
    def known(self) -> Array:
        return ~np.isnan(self._gap)

    @property
    def mean(self) -> Array:
        return share_of(np.nan_to_num(self._gap))

    @property
    def complement(self) -> Array:
        return share_of(-np.nan_to_num(self._gap))

    @property
    def estimate(self) -> Array:
        return np.asarray(self.most * self._gap)

    def mirror(self) -> Joint:
        return replace(self, turned=not self.turned)

    def units(self, share: Array) -> Array:
        return self.most * gap_of(share)

    def draws(self, generator: np.random.Generator, size: int) -> Array:
        read = [self.reading.of(some) for some in self.source.redrawn(generator, size)]
        same = None if self.place is None else int(self.source.order.stand_in[self.place])
        return share_of(replace(self, place=same)._mine(np.concatenate(read)))

    def left_out(self) -> tuple[Array, Array]:
        return share_of(self._mine(self.reading.left_out)), self.source.alike

    @cached_property
    def _changes(self) -> tuple[Array, Array]:
        # As in Resampled, but of differences, whose signs turn where the models are swapped and nothing else.
        gaps, times = self._mine(self.reading.left_out), self.source.alike
        return times, ((np.average(gaps, weights=times) if times.size else np.nan) - gaps) / 2.0
