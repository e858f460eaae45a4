"""Quantities read off a whole contingency table, or of a class at a prevalence that is stated and not seen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial

import numpy as np

from holdfast.errors import InvalidEvidence
from holdfast.evidence.contingency import Contingency
from holdfast.evidence.counts import Counts, Strata
from holdfast.evidence.evidence import Estimated, Evidence, Resampled, brief
from holdfast.evidence.value import Array, Integers, Scale

Reading = Callable[[Contingency], Array]  # a quantity read off any table or stack of tables, in its own units


@dataclass(frozen=True, eq=False)
class TableStatistic(Estimated, Resampled):
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
    def value(self) -> Array:
        return np.asarray(self.reading(self.source))

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
            lambda _: np.stack([each.value for each in several]),
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


OfRates = Callable[[Array, Array, Array, Array, Array], Array]


@dataclass(frozen=True, eq=False, repr=False)
class AtPrevalence(Estimated):
    """A quantity that rises with the recall of a class and with its specificity, at stated odds of the class.

    `of_rates` gives it for the odds and for the shares found and missed of the class, then rightly and wrongly kept
    out of it: all five, so that none is a difference of nearly equal numbers. Where there are several other classes,
    the specificity is their mean, weighted by how frequent each was stated to be; they must not be fewer than one.

    Examples
    --------
    >>> from holdfast.evidence.tables.statistic import AtPrevalence, precision_of_rates
    >>> AtPrevalence(Counts(90, 100), Strata(Counts([95], [100])), np.array(1.0), precision_of_rates)
    AtPrevalence(mean=0.947368, odds=1, n=200)
    """

    recall: Counts
    specificity: Strata
    odds: Array
    of_rates: OfRates
    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        odds = np.asarray(self.odds, np.float64)
        if not np.all((odds > 0) & np.isfinite(odds)):
            raise InvalidEvidence("A stated prevalence lies strictly between 0 and 1, and so its odds are above 0.")
        self._set(odds=odds)

    @classmethod
    def joined(cls, several: Sequence[AtPrevalence]) -> AtPrevalence:
        """All of them in one, along a new first axis; they share their range and the number of other classes."""
        first = several[0]

        def of_rates(odds: Array, *shares: Array) -> Array:
            return np.stack([each.of_rates(odds[i], *(x[i] for x in shares)) for i, each in enumerate(several)])

        k, n = (np.stack([getattr(each.recall, name) for each in several]) for name in ("k", "n"))
        strata, odds = Strata.joined([each.specificity for each in several]), np.stack([e.odds for e in several])
        return cls(Counts(k, n), strata, odds, of_rates, first.low, first.high)

    @property
    def n(self) -> Integers:
        return np.asarray(self.recall.n + self.specificity.n)

    @cached_property
    def value(self) -> Array:
        a, b = self.recall, self.specificity
        seen = a.known & b.known
        # What nothing was seen of is put anywhere inside, and the value forgotten.
        shares = (np.where(seen, x, 0.5) for x in (a.mean, a.complement, b.mean, b.complement))
        return np.where(seen, self.at(*shares), np.nan)

    def at(self, a: Array, not_a: Array, b: Array, not_b: Array) -> Array:
        """The value for these shares; NaN where they leave it undefined."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.asarray(self.of_rates(self.odds, a, not_a, b, not_b))

    def mirror(self) -> AtPrevalence:
        """Minus the quantity rises with what is missed and with what is wrongly let in."""
        return AtPrevalence(
            self.recall.mirror(),
            self.specificity.mirror(),
            self.odds,
            lambda odds, a, not_a, b, not_b: -self.of_rates(odds, not_a, a, not_b, b),
            -self.high,
            -self.low,
        )

    @property
    def scale(self) -> Scale:
        return Scale(self.low, self.high)

    def __repr__(self) -> str:
        return f"AtPrevalence(mean={brief(self.mean)}, odds={brief(self.odds)}, n={brief(self.n)})"


def precision_of_rates(odds: Array, a: Array, not_a: Array, b: Array, not_b: Array) -> Array:
    """Found ones among all that are taken for the class; undefined where none is."""
    return np.asarray(a * odds / (a * odds + not_b))


def npv_of_rates(odds: Array, a: Array, not_a: Array, b: Array, not_b: Array) -> Array:
    """Others among all that are kept out of the class; undefined where none is."""
    return np.asarray(b / (b + not_a * odds))


def f1_of_rates(odds: Array, a: Array, not_a: Array, b: Array, not_b: Array) -> Array:
    """Twice the found ones among those of the class and those taken for it, counted one after the other."""
    return np.asarray(2.0 * a * odds / (a * odds + not_b + odds))


def mean_of_rates(of_rates: OfRates, by_prevalence: bool) -> OfRates:
    """The mean over both classes, each as frequent as stated or both alike, of what is known for the first.

    Seen from the other class, the odds are the inverse ones and the recall is the specificity.
    """
    return partial(_of_both, of_rates, by_prevalence)


def _of_both(
    of_rates: OfRates, by_prevalence: bool, odds: Array, a: Array, not_a: Array, b: Array, not_b: Array
) -> Array:
    first, second = of_rates(odds, a, not_a, b, not_b), of_rates(1.0 / odds, b, not_b, a, not_a)
    share = 1.0 / (1.0 + 1.0 / odds) if by_prevalence else np.asarray(0.5)
    return np.asarray(share * first + (1.0 - share) * second)
