"""Quantities read off a whole contingency table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np

from holdfast.evidence.contingency import Contingency
from holdfast.evidence.counts import Counts
from holdfast.evidence.evidence import Evidence, Resampled
from holdfast.evidence.scale import Scale
from holdfast.evidence.value import Array, Integers

Reading = Callable[[Contingency], Array]  # a quantity read off any table or stack of tables, in its own units


@dataclass(frozen=True, eq=False)
class TableStatistic(Resampled):
    """A quantity read off a whole table, with the ends of its range; NaN where the table leaves it undefined.

    Examples
    --------
    >>> table = Contingency([[8, 5], [3, 84]], rows="predicted")
    >>> print(TableStatistic(table, lambda some: some.hits.sum(axis=-1) / some.n).mean)
    0.92
    """

    source: Contingency
    reading: Reading
    low: float = 0.0
    high: float = 1.0

    @classmethod
    def of(
        cls, measure: Callable[[Contingency], Evidence], table: Contingency, place: int | None = None
    ) -> TableStatistic:
        """What a measure says of the table, or of one class in it, as something that can be drawn again."""
        narrowed, reading = measure(table), partial(_read, measure, table, place)
        return TableStatistic(table, reading, float(narrowed.scale.low), float(narrowed.scale.high))

    @property
    def n(self) -> Integers:
        return self.source.n

    @cached_property
    def _value(self) -> Array:
        return np.asarray(self.reading(self.source))

    @property
    def known(self) -> Array:
        return ~np.isnan(self._value)

    @cached_property
    def mean(self) -> Array:
        return np.nan_to_num(self.scale.share(self._value), nan=0.5)

    @cached_property
    def complement(self) -> Array:
        return np.nan_to_num(self.scale.room(self._value), nan=0.5)

    def mirror(self) -> TableStatistic:
        return TableStatistic(self.source, lambda table: -self.reading(table), -self.high, -self.low)

    @property
    def scale(self) -> Scale:
        return Scale(self.low, self.high)

    def draws(self, generator: np.random.Generator, size: int) -> Array:
        return self.scale.share(np.concatenate([self.reading(some) for some in self.source.redrawn(generator, size)]))

    def left_out(self) -> tuple[Array, Array]:
        values = np.concatenate([np.zeros(0), *(self.reading(some) for some in self.source.each_left_out())])
        return self.scale.share(values), self.source.seen.cells[2]


class SmoothStatistic(TableStatistic):
    """Shares of the classes, weighted by how often each class occurs: a smooth quantity of many examples."""


@dataclass(frozen=True, eq=False)
class MonotoneInRecalls(TableStatistic):
    """A quantity of a table of two labels that rises with the recall of either, at an unknown prevalence.

    `of_rates` gives it for the odds of the first label and, for each label, the shares found and missed: all five
    of them, so that none is a difference of nearly equal numbers. `steepest` gives the odds at which it is farthest
    from 0, for the same four shares; it must fall off on either side of them.
    """

    of_rates: Callable[[Array, Array, Array, Array, Array], Array] = field(kw_only=True)
    steepest: Callable[[Array, Array, Array, Array], Array] = field(kw_only=True)

    @classmethod
    def joined(cls, several: Sequence[MonotoneInRecalls]) -> MonotoneInRecalls:
        """All of them in one, along a new first axis; they share the ends of their range."""
        first = several[0]
        tables = np.stack([each.source.table for each in several])

        def of_rates(odds: Array, *shares: Array) -> Array:
            """Several odds for each, along the very first axis."""
            found = [each.of_rates(odds[:, i], *(share[i] for share in shares)) for i, each in enumerate(several)]
            return np.stack(found, axis=1)

        return MonotoneInRecalls(
            Contingency(tables, first.source.labels, rows="predicted"),
            lambda _: np.stack([each._value for each in several]),
            first.low,
            first.high,
            of_rates=of_rates,
            steepest=lambda *shares: np.stack(
                [each.steepest(*(share[i] for share in shares)) for i, each in enumerate(several)]
            ),
        )

    def both_ends(self) -> MonotoneInRecalls | None:
        return self.joined([self, self.mirror()]) if self.low == -self.high else None

    @property
    def recalls(self) -> tuple[Counts, Counts]:
        hits, actual = self.source.hits, self.source.actual
        return Counts(hits[..., 0], actual[..., 0]), Counts(hits[..., 1], actual[..., 1])

    @property
    def prevalence(self) -> Counts:
        return Counts(self.source.actual[..., 0], self.source.n)

    def mirror(self) -> MonotoneInRecalls:
        """Minus the quantity rises with what is missed, so every prediction is turned over."""
        rows, _, times = self.source.cells
        return MonotoneInRecalls(
            self.source.again(times, 1 - rows),
            lambda turned: -self.reading(turned.again(turned.cells[2], 1 - turned.cells[0])),
            -self.high,
            -self.low,
            of_rates=lambda odds, a, not_a, b, not_b: -self.of_rates(odds, not_a, a, not_b, b),
            steepest=lambda a, not_a, b, not_b: self.steepest(not_a, a, not_b, b),
        )


def _read(
    measure: Callable[[Contingency], Evidence], source: Contingency, place: int | None, some: Contingency
) -> Array:
    """What a measure says of a table, or of one class in it, in its own units."""
    narrowed = measure(some)
    values = np.where(narrowed.known, narrowed.units(narrowed.mean), np.nan)
    return np.asarray(values if place is None else values[..., place_in(source, place, some)])


def place_in(source: Contingency, place: int, some: Contingency) -> int:
    """Where a class is read off tables drawn from its own: classes whose counts are alike are read at one place.

    Or which of them had which resamples would depend on what they are called.
    """
    return int(source.order.stand_in[place]) if some.n.ndim else place
