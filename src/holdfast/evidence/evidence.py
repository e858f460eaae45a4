"""What every bound may ask of the evidence."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
from numpy.typing import NDArray

from holdfast.assumptions import Assumption
from holdfast.errors import InvalidEvidence, UnknownName
from holdfast.evidence.contingency import check_drawn, portions
from holdfast.evidence.value import SHARES, Array, Integers, Scale, Value, shown

if TYPE_CHECKING:
    from holdfast.evidence.draws import Draws


class Need(StrEnum):
    """Something that some evidence offers and some does not."""

    VALUES = "values"  # each loss
    ONE_RANGE = "one range"  # the same for all examples, and not one for each
    S2 = "s2"  # the variance
    DRAWS = "draws"  # each draw, all alike, and the most that one can hold
    CAPPED = "capped draws"  # each draw, and the most that one can hold, though they may come of several strata
    SMOOTH = "smooth"  # that each draw changes the estimate in proportion to its weight
    KINKED = "kinked"  # or that it is a largest value, of which that is so only while it stays the largest
    TERMS = "terms"  # rates that it is a sum of, each with a limit of its own
    LEVELS = "levels"  # losses that are multiples of one over a number declared beforehand
    ERRORS = "errors"  # those of each model
    MIRROR = "mirror"  # the same evidence seen from the other end, for methods without a lower limit of their own
    ONE_MODEL = "one model"  # results of one model, not differences of two
    RANDOM_FOLDS = "random folds"  # made without looking at the labels
    FIXED_FOLDS = "random folds of fixed sizes"  # made without looking at the labels or at what the models said

    @classmethod
    def _missing_(cls, value: object) -> Need:
        raise UnknownName("need", value, [*map(str, cls)])


Order = Literal["drawn"]
OFFERED = frozenset({Need.MIRROR, Need.ONE_RANGE, Need.ONE_MODEL})  # by all evidence that says nothing else
ROUNDING = 1e-12  # changes of an estimate that are smaller are none


class Evidence(Value, ABC):
    """Something seen about a quantity: its estimate, and how many examples stand behind it.

    Bounds work on the scale [0, 1]; `scale` leads from there to the units of the quantity. Both the estimate and its
    complement are kept, each with full relative precision, so that a lower limit is the mirror of an upper one without
    subtracting nearly equal numbers.
    """

    if TYPE_CHECKING:  # some evidence keeps these as fields, some computes them

        @property
        def n(self) -> Integers: ...

        @property
        def mean(self) -> Array: ...

        @property
        def complement(self) -> Array: ...  # one minus the mean

        @property
        def scale(self) -> Scale: ...

        @property
        def drawn(self) -> bool: ...

        @property
        def assumes(self) -> tuple[Assumption, ...]: ...

        @property
        def ranges(self) -> tuple[Assumption, ...]: ...
    else:
        scale = SHARES
        drawn = False  # whether it stands in the order in which the examples were drawn, as the user said
        assumes = (Assumption.INDEPENDENT,)  # of how what it speaks of was drawn
        ranges = (Assumption.KNOWN_RANGE,)  # of the most that one draw can add

    @property
    def estimate(self) -> Array:
        """The mean in the units of the quantity."""
        return self.units(self.mean)

    def mirror(self) -> Evidence:
        """The same evidence seen from the other end: x becomes 1 - x; only where `Need.MIRROR` is offered."""
        raise NotImplementedError

    @property
    def known(self) -> Array:
        """Where there is anything to estimate from."""
        return np.asarray(self.n > 0)

    def at_most(self) -> Evidence:
        """The evidence with the largest mean it may have: itself, unless it was read with limited precision."""
        return self

    def at_least(self) -> Evidence:
        """The evidence with the smallest mean it may have."""
        if not self.has(Need.MIRROR):
            return self
        turned = self.mirror()
        most = turned.at_most()
        return self if most is turned else most.mirror()  # turned over twice, some evidence is no longer what it was

    def both_ends(self) -> Evidence | None:
        """The evidence and its mirror in one, along a new first axis, where a formula can work on both at once."""
        return None

    def units(self, share: Array) -> Array:
        """From the scale [0, 1] on which bounds work to the units of the quantity; increasing."""
        return self.scale.units(share)

    @property
    def offers(self) -> frozenset[Need]:
        """What of all that methods may need there is."""
        return OFFERED

    def has(self, need: Need | str) -> bool:
        """Whether it offers what a method needs; a need that nobody knows is an error."""
        return (need if type(need) is Need else Need(need)) in self.offers


class Estimated(Evidence):
    """Evidence that is an estimate in its own units, NaN where there is none."""

    if TYPE_CHECKING:

        @property
        def value(self) -> float | Array: ...

    @property
    def known(self) -> Array:
        return np.asarray(~np.isnan(self.value))

    @cached_property
    def mean(self) -> Array:
        return np.nan_to_num(self.scale.share(np.asarray(self.value)), nan=0.5)

    @cached_property
    def complement(self) -> Array:
        return np.nan_to_num(self.scale.room(np.asarray(self.value)), nan=0.5)


class Sample(Evidence):
    """Observations in [0, 1], known by their number, their mean and perhaps their variance."""

    squared_range: float = 1.0  # the mean squared width of the examples' own ranges, the common range being 1

    @property
    @abstractmethod
    def total(self) -> Array:
        """The sum, correctly rounded."""

    @property
    @abstractmethod
    def s2(self) -> Array:
        """The variance with divisor n."""

    @property
    @abstractmethod
    def square_of_mean(self) -> Array:
        """The mean of x_i x_j over pairs i != j: unbiased for the squared mean. Needs n >= 2."""

    @abstractmethod
    def mirror(self) -> Self: ...


class Resampled(Evidence):
    """Evidence that can be drawn again, example by example with replacement, without walking the examples."""

    @abstractmethod
    def draws(self, generator: np.random.Generator, size: int) -> Array:
        """The estimate on `size` resamples, on the scale [0, 1]; NaN where a resample leaves it undefined."""

    def resampled(self, resamples: int, seed: int) -> Array:
        """The sorted draws of this seed, kept for whoever asks again: both ends of an interval need the same."""
        if (resamples, seed) not in self._kept:
            self.keep(self.draws(np.random.default_rng(seed), resamples), resamples, seed)
        return self._kept[resamples, seed]

    def keep(self, draws: Array, resamples: int, seed: int) -> None:
        """Take these for the draws of this seed: those of a caller who drew for several at once."""
        self._kept[resamples, seed] = np.sort(draws)

    @cached_property
    def _kept(self) -> dict[tuple[int, int], Array]:
        return {}

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "_kept"}  # the seed says them again

    @cached_property
    def acceleration(self) -> float:
        """How the spread of the estimate depends on its value, from the estimates with one example left out."""
        times, off = self._changes
        with np.errstate(invalid="ignore"):  # no example changes anything: there is no such thing
            return float(np.sum(times * off**3) / (6 * np.sum(times * off**2) ** 1.5))

    @cached_property
    def standard_error(self) -> float:
        """Of the estimate, from the same; NaN where no example changes anything."""
        times, off = self._changes
        n, spread = times.sum(), float(np.sum(times * off**2))
        return float(np.sqrt((n - 1) / n * spread)) if spread > ROUNDING**2 else np.nan

    @cached_property
    def _changes(self) -> tuple[Array, Array]:
        """How many examples change the estimate when left out, and by how much, from their average change."""
        values, times = self.left_out()
        return times, (np.average(values, weights=times) if times.size else np.nan) - values

    @abstractmethod
    def left_out(self) -> tuple[Array, Array]:
        """The estimate with one example left out, and how many examples leave that very estimate."""


def joined_scale(several: Sequence[Evidence]) -> Scale:
    """That of several quantities in a row, each with its own range."""
    low, high = (
        np.concatenate([np.broadcast_to(getattr(each.scale, end), each.n.shape).ravel() for each in several])
        for end in ("low", "high")
    )
    return type(several[0].scale)(low, high)


def in_drawn_order(order: Order | None) -> bool:
    """Whether the user said that the rows stand in the order in which they were drawn."""
    if not (order is None or (isinstance(order, str) and order == "drawn")):
        raise InvalidEvidence(
            f'order= (--order) takes "drawn", for rows that stand in the order in which they were drawn; '
            f"got {shown(order)}. Leave it out where that is not known."
        )
    return order is not None


def brief(array: NDArray[np.generic]) -> str:
    """A number, or a few numbers of an array, to show."""
    return f"{array.item():.6g}" if array.ndim == 0 else np.array2string(array, precision=6, threshold=6, edgeitems=2)


Again = Callable[[Array], Array]  # from how often each draw comes to the estimate, row by row


@dataclass(frozen=True, eq=False, repr=False)
class Redrawn(Estimated, Resampled):
    """An estimate whose draws, rows or clusters, can be drawn again with replacement, within their strata.

    Examples
    --------
    >>> from holdfast.evidence.draws import Draws, Ratio
    >>> shares = Ratio(np.array([0.0, 2.0, 1.0]), np.array([1.0, 4.0, 1.0]), Draws(np.ones(3))).redrawn
    >>> print(shares.left_out()[0].round(3), shares.draws(np.random.default_rng(0), 3).round(3))
    [0.6 0.5 0.4] [0.5   0.5   0.333]
    """

    of: Draws
    again: Again
    value: float
    scale: Scale = SHARES
    order: Integers | None = None  # of the draws, in which they are drawn again; as they stand by default

    @property
    def n(self) -> Integers:
        return np.asarray(self.of.number)

    @property
    def assumes(self) -> tuple[Assumption, ...]:
        return self.of.assumes

    def mirror(self) -> Redrawn:
        scale = type(self.scale)(-self.scale.high, -self.scale.low)
        return Redrawn(self.of, lambda times: -self.again(times), -self.value, scale, self.order)

    def draws(self, generator: np.random.Generator, size: int) -> Array:
        check_drawn(self.of.times.size, size)
        order = np.arange(self.of.times.size) if self.order is None else self.order
        strata = np.zeros(order.size, np.int64) if self.of.stratum is None else self.of.stratum[order]
        each = [order[strata == stratum] for stratum in dict.fromkeys(strata.tolist())]
        estimates = []
        for some in portions(size, self.of.times.size):
            times = np.zeros((len(some), strata.size))
            for here in each:
                number = self.of.times[here]
                times[:, here] = generator.multinomial(round(float(number.sum())), number / number.sum(), len(some))
            estimates.append(self.again(times))
        return self.scale.share(np.concatenate([np.zeros(0), *estimates]))

    def left_out(self) -> tuple[Array, Array]:
        size, estimates = self.of.times.size, []
        for some in portions(size, size):
            times = np.repeat(self.of.times[np.newaxis], len(some), axis=0)
            times[np.arange(len(some)), some] -= 1.0
            estimates.append(self.again(times))
        return self.scale.share(np.concatenate([np.zeros(0), *estimates])), self.of.times

    def __repr__(self) -> str:
        return f"Redrawn(estimate={self.value:.6g}, draws={self.of.number:,})"
