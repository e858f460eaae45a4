"""Examples that come in clusters: several questions a passage, several scans a patient, several samples a question."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

import numpy as np

from holdfast.errors import InvalidEvidence
from holdfast.evidence.contingency import Contingency, check_drawn, drawn_again, kinds_of, portions
from holdfast.evidence.counts import Counts
from holdfast.evidence.fixed_order import FixedOrder, fixed_order
from holdfast.evidence.given import Array, Integers, shown
from holdfast.evidence.losses import FEW, Losses
from holdfast.evidence.need import Need
from holdfast.evidence.sample import Evidence, Order, brief, in_drawn_order
from holdfast.evidence.tabled import Reading, Tabled, Weighted, place_in

LARGEST_CAP = 2**25  # so that the events and trials of a cluster fit into one float


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Clusters(Evidence):
    """Events and trials of each cluster, along the last axis, and perhaps the most trials that any cluster can have.

    Its mean weighs every trial the same: all events out of all trials. `shares` weighs every cluster the same. With
    `order="drawn"` you say that the clusters stand in the order in which they were drawn.

    Examples
    --------
    >>> passages = Clusters(Counts([0, 2, 1], [1, 4, 1]), most=5)
    >>> passages
    Clusters(mean=0.5, clusters=3, trials=6, most=5)
    >>> passages.shares
    Losses(n=3, mean=0.5, s2=0.166667)
    """

    parts: Counts
    most: int | None
    n: Integers
    drawn: bool = False

    def __init__(self, parts: Counts, most: int | None = None, *, order: Order | None = None) -> None:
        if parts.n.ndim == 0:
            raise InvalidEvidence("Clusters needs one count a cluster: Counts([k1, k2, ...], [n1, n2, ...]).")
        if most is not None:
            _check_cap(parts, most)
        object.__setattr__(self, "parts", parts)
        object.__setattr__(self, "most", None if most is None else int(most))
        object.__setattr__(self, "n", np.asarray(parts.n.shape[-1]))
        object.__setattr__(self, "drawn", in_drawn_order(order))

    @cached_property
    def _totals(self) -> Counts:
        return Counts(self.parts.k.sum(axis=-1), self.parts.n.sum(axis=-1))

    @property
    def known(self) -> Array:
        return self._totals.known

    @property
    def mean(self) -> Array:
        return self._totals.mean

    @property
    def complement(self) -> Array:
        return self._totals.complement

    @property
    def shares(self) -> Losses:
        """The share of events in each cluster, in rising order unless drawn: what a cluster drawn at random is like."""
        if np.any(self.parts.n == 0):
            raise InvalidEvidence("A cluster without a trial has no share of events; leave such clusters out.")
        if self.drawn:
            return Losses(self.parts.mean, order="drawn")
        order = np.argsort(self.parts.mean, axis=-1, kind="stable")
        return Losses(np.take_along_axis(self.parts.mean, order, axis=-1))

    def mirror(self) -> Clusters:
        return Clusters(self.parts.mirror(), self.most, order="drawn" if self.drawn else None)

    def both_ends(self) -> Clusters | None:
        if self.parts.n.size > FEW:
            return None
        return Clusters(self.parts.both_ends(), self.most, order="drawn" if self.drawn else None)

    @property
    def offers(self) -> frozenset[Need]:
        return super().offers | ({Need.DRAWS} if self.most is not None else set())

    def units(self, share: Array) -> Array:
        return self.parts.units(share)

    def __repr__(self) -> str:
        cap = "" if self.most is None else f", most={self.most}"
        return f"Clusters(mean={brief(self.mean)}, clusters={self.n}, trials={brief(self._totals.n)}{cap})"


def _check_cap(parts: Counts, most: int) -> None:
    if isinstance(most, bool) or not isinstance(most, (int, np.integer)) or not 1 <= most <= LARGEST_CAP:
        raise InvalidEvidence(
            f"The most examples that a cluster can hold must be a whole number from 1 to {LARGEST_CAP:,}; "
            f"got {shown(most)}."
        )
    largest = int(parts.n.max(initial=0))
    if largest > most:
        raise InvalidEvidence(
            f"A cluster holds {largest:,} examples, more than the {most:,} that were stated as the most. The number "
            "must be known before looking; state one that no cluster can exceed, or none."
        )


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Clustered(Contingency):
    """A table whose examples came in clusters: it is drawn again cluster by cluster.

    Clusters with the very same table are of one kind, so the work depends on how many kinds there are.

    Examples
    --------
    >>> each = Contingency([[[2, 0], [0, 0]], [[0, 1], [0, 1]], [[2, 0], [0, 0]]], rows="predicted")
    >>> table = Clustered.of(each)
    >>> table, table.clusters, table.alike.tolist()
    (Clustered(2 labels, n=6, errors=1, clusters=3), 3, [1, 2])
    """

    each: Contingency  # one cluster an entry of the first axis
    kinds: Integers  # the counts of the cells, a kind of cluster a row
    alike: Integers  # how many clusters are of each kind

    @classmethod
    def of(cls, each: Contingency) -> Clustered:
        rows, columns, times = each.cells
        made = cls.of_cells(each.labels, rows, columns, times.sum(axis=0), truths=each.truths)
        kinds, alike = _kinds(times)
        for name, value in {"each": each, "kinds": kinds, "alike": alike}.items():
            object.__setattr__(made, name, value)
        return made

    @property
    def clusters(self) -> int:
        return int(self.alike.sum())

    def redrawn(self, generator: np.random.Generator, size: int) -> Iterator[Contingency]:
        """Stacks of tables, `size` in all, of as many clusters drawn from these with replacement."""
        width, kinds = max(*self.kinds.shape, len(self.labels)), self.kinds.astype(np.float64)
        check_drawn(width, size)
        for some in portions(size, width):
            drawn = drawn_again(generator, self.clusters, self.alike, self.order.draws, len(some))
            yield self.each.again((drawn @ kinds).astype(np.int64))  # whole numbers, exact up to 2**53 examples

    @cached_property
    def order(self) -> FixedOrder:
        """Of the labels and of the kinds of clusters, whatever the labels are called."""
        rows, columns, _ = self.cells
        draw, cell = np.nonzero(self.kinds)
        roles = [[rows[cell]], [columns[cell]]]
        return fixed_order(kinds_of(self.labels, self.truths), roles, self.kinds[draw, cell], draw, self.alike)

    def each_left_out(self) -> Iterator[Contingency]:
        """Stacks of the tables with one cluster less, one for each kind."""
        yield from self._left_out

    @cached_property
    def _left_out(self) -> list[Contingency]:
        # Kept, with the margins that each stack has added up, for all that is read off them.
        width, times = max(self.kinds.shape[1], len(self.labels)), self.cells[2]
        return [self.each.again(times - self.kinds[some]) for some in portions(len(self.kinds), width)]

    def __getstate__(self) -> dict[str, Any]:
        return {
            name: value for name, value in vars(self).items() if name not in ("_left_out", "order")
        }  # soon made again

    def __repr__(self) -> str:
        return f"Clustered({len(self.labels)} labels, n={self.n}, errors={self.errors}, clusters={self.clusters})"


def _kinds(times: Integers) -> tuple[Integers, Integers]:
    """The different rows, in rising order, and how many there are of each."""
    radices = times.max(axis=0, initial=0) + 1
    if np.log2(radices).sum() >= 62:
        return np.unique(times, axis=0, return_counts=True)
    places = np.cumprod(np.append(1, radices[:0:-1]))[::-1]  # a row as one number: sorting those is far cheaper
    _, first, alike = np.unique(times @ places, return_index=True, return_counts=True)
    return times[first], alike


@dataclass(frozen=True, eq=False)
class ByClusters(Tabled):
    """A quantity read off a table whose examples came in clusters; what is drawn again is clusters.

    Examples
    --------
    >>> each = Contingency([[[2, 0], [0, 0]], [[0, 1], [0, 1]], [[2, 0], [0, 0]]], rows="predicted")
    >>> (right,) = ByClusters.read(lambda some: Counts(some.n - some.errors, some.n), Clustered.of(each))
    >>> print(right.n, right.mean.round(3), right.left_out()[0].round(3), right.left_out()[1])
    3 0.833 [1.   0.75] [1 2]
    """

    source: Clustered

    @classmethod
    def read(
        cls, measure: Callable[[Contingency], Evidence], table: Clustered, places: Sequence[int] | None = None
    ) -> list[ByClusters]:
        """What a measure says of the table, or of some classes in it, one for each."""
        narrowed, values = measure(table), _Values(measure)
        low, high = (float(narrowed.units(np.asarray(end))) for end in (0.0, 1.0))
        if places is None:
            return [cls(table, values, low, high)]
        return [cls(table, partial(_at, table, place, values), low, high) for place in places]

    @property
    def n(self) -> Integers:  # type: ignore[override]  # computed here, kept elsewhere
        return np.asarray(self.source.clusters)

    def mirror(self) -> ByClusters:
        return type(self)(self.source, lambda table: -self.reading(table), -self.high, -self.low)

    def left_out(self) -> tuple[Array, Array]:
        values = np.concatenate([np.zeros(0), *(self.reading(some) for some in self.source.each_left_out())])
        return self.share(values), self.source.alike


class ByManyClusters(ByClusters, Weighted):
    """The same of many clusters, where what each of them changes says enough."""


class _Values:
    """What a measure says of a table, of all classes at once; the last answer is kept.

    For the classes are read one after the other, off the same stack.
    """

    def __init__(self, measure: Callable[[Contingency], Evidence]) -> None:
        self.measure = measure
        self.last: tuple[Contingency, Array] | None = None

    def __call__(self, some: Contingency) -> Array:
        if self.last is None or self.last[0] is not some:
            narrowed = self.measure(some)
            self.last = some, np.where(narrowed.known, narrowed.units(narrowed.mean), np.nan)
        return self.last[1]

    def __reduce__(self) -> tuple[Any, ...]:
        return _Values, (self.measure,)


def _at(source: Contingency, place: int, values: Reading, some: Contingency) -> Array:
    return np.asarray(values(some)[..., place_in(source, place, some)])
