"""Counts of events, several proportions at once, and the shared part of two sets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from holdfast.errors import InvalidEvidence
from holdfast.evidence.evidence import OFFERED, Evidence, Need, Sample, brief
from holdfast.evidence.value import OVERLAPS, Array, Integers, Overlaps, Scale, Value, matched, numbers, shown, whole

OF_COUNTS = OFFERED | {Need.S2}


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Counts(Sample):
    """k events (errors, say) in n trials.

    `Counts(0, 0)` is legal and means that we know nothing.

    Examples
    --------
    >>> Counts(8, 30)
    Counts(k=8, n=30)
    >>> Counts([0, 3], 10).mean
    array([0. , 0.3])
    """

    k: Integers
    n: Integers

    def __init__(self, k: ArrayLike, n: ArrayLike) -> None:
        events, trials = whole("k, the number of events,", k), whole("n, the number of trials,", n)
        if events.shape != trials.shape:
            events, trials = matched("Counts needs k and n", events, trials)
        if np.any(events > trials):
            worst = np.argmax(events > trials)
            raise InvalidEvidence(
                f"Counts needs k <= n; got k = {events.flat[worst]} events in n = {trials.flat[worst]} trials. "
                "Were the two swapped?"
            )
        self._set(k=events, n=trials)

    def of(self, places: Sequence[int] | int) -> Self:
        """Those at some places of the last axis."""
        return self._checked(k=self.k[..., places], n=self.n[..., places])

    @classmethod
    def joined(cls, several: Sequence[Counts]) -> Self:
        """All of them in one, in a row."""
        k, n = (np.concatenate([np.atleast_1d(getattr(each, name)) for each in several]) for name in ("k", "n"))
        return cls._checked(k=k, n=n)

    def both_ends(self) -> Self:
        return self._checked(k=np.array((self.k, self.n - self.k)), n=np.array((self.n, self.n)))

    @property
    def mean(self) -> Array:
        return _share(self.k, self.n)

    @property
    def complement(self) -> Array:
        return _share(self.n - self.k, self.n)

    @property
    def total(self) -> Array:
        return self.k.astype(np.float64)

    @property
    def s2(self) -> Array:
        return self.mean * self.complement

    @property
    def offers(self) -> frozenset[Need]:
        return OF_COUNTS

    @property
    def square_of_mean(self) -> Array:
        return _share(self.k, self.n) * _share(self.k - 1, self.n - 1)

    def mirror(self) -> Self:
        return self._checked(k=np.asarray(self.n - self.k), n=self.n)

    def __repr__(self) -> str:
        return f"Counts(k={brief(self.k)}, n={brief(self.n)})"


def _share(part: Integers, whole: Integers) -> Array:
    """Part / whole, and 0 where there is nothing to share."""
    return np.divide(part, whole, out=np.zeros(np.shape(whole)), where=np.asarray(whole) > 0)


class Overlap(Counts):
    """k examples in both of two sets, of n in either; in the units of F1, which is 2 J / (1 + J) for a share J.

    Its mirror keeps the units: what a limit for the mirror leaves above itself is a share J again.

    Examples
    --------
    >>> shared = Overlap(8, 16)
    >>> print(round(float(shared.units(shared.mean)), 4))
    0.6667
    """

    scale = OVERLAPS


class MixedCounts(Counts):
    """Counts and overlaps in a row, each in its own units.

    Examples
    --------
    >>> several = MixedCounts.joined([Counts(8, 16), Overlap(8, 16)])
    >>> print(several.units(several.mean).round(4))
    [0.5    0.6667]
    """

    scale: Scale

    @classmethod
    def joined(cls, several: Sequence[Counts]) -> Self:
        made = super().joined(several)
        overlap = [np.full(each.k.size, isinstance(each, Overlap)) for each in several]
        made._set(scale=Overlaps(overlap=np.concatenate(overlap)))
        return made


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Proportions(Evidence):
    """A weighted mean of several proportions, one an entry of the last axis, which may depend on each other.

    A part that nothing was seen of leaves the mean unknown, not the limits; a part of weight 0 does not matter.
    `n` is the number of examples behind them all, where that is not the sum over the parts.

    Examples
    --------
    >>> Proportions(Counts([7, 5], [10, 10]))
    Proportions(mean=0.6, parts=2, n=20)
    """

    parts: Counts
    weights: Array
    n: Integers

    def __init__(self, parts: Counts, weights: ArrayLike | None = None, n: Integers | None = None) -> None:
        if parts.k.ndim == 0:
            raise InvalidEvidence(f"{type(self).__name__} needs several proportions: Counts([k1, k2], [n1, n2]).")
        size = parts.k.shape[-1]
        shares = np.full(size, 1.0 / max(size, 1)) if weights is None else _weights(weights, parts.k.shape)
        self._set(parts=parts, weights=shares, n=parts.n.sum(axis=-1) if n is None else n)

    @classmethod
    def joined(cls, several: Sequence[Proportions]) -> Self:
        """All of them in one, in a row; each must have as many parts as the others."""
        k, n = np.stack([each.parts.k for each in several]), np.stack([each.parts.n for each in several])
        parts = type(several[0].parts)._checked(k=k, n=n)
        weights, sizes = np.stack([each.weights for each in several]), np.stack([each.n for each in several])
        return cls._checked(parts=parts, weights=weights, n=sizes)

    @property
    def known(self) -> Array:
        return np.all(self.parts.known | (self.weights == 0), axis=-1) & (self.n > 0)

    def average(self, values: Array) -> Array:
        """The weighted mean of one value a part; of ones it is 1 to the last digit."""
        total = np.sum(self.weights, axis=-1)
        return np.asarray(np.sum(self.weights * values, axis=-1) / np.where(total > 0, total, 1.0))

    @property
    def mean(self) -> Array:
        return self.average(self.parts.units(self.parts.mean))

    @property
    def complement(self) -> Array:
        return self.average(1.0 - self.parts.units(self.parts.mean))

    def mirror(self) -> Self:
        return self._with(parts=self.parts.mirror())

    def both_ends(self) -> Self:
        weights = np.broadcast_to(self.weights, self.parts.k.shape)
        both, sizes = np.stack([weights, weights]), np.stack([self.n, self.n])
        return self._with(parts=self.parts.both_ends(), weights=both, n=sizes)

    def __repr__(self) -> str:
        kind, size = type(self).__name__, self.parts.k.shape[-1]
        return f"{kind}(mean={brief(np.asarray(self.mean))}, parts={size}, n={brief(self.n)})"


def _weights(given: ArrayLike, shape: tuple[int, ...]) -> Array:
    """The given as weights, one a part."""
    weights, size = numbers("weights", given), shape[-1]
    try:
        fitting = np.broadcast_shapes(weights.shape, shape) == shape and weights.shape[-1:] == (size,)
    except ValueError:
        fitting = False
    if not fitting or np.any(weights < 0) or (size and not np.allclose(weights.sum(axis=-1), 1.0)):
        raise InvalidEvidence(f"The weights must be {size} numbers from 0 on that add up to 1; got {shown(given)}.")
    return weights


class Strata(Proportions):
    """A weighted mean of proportions that were counted independently of each other.

    Examples
    --------
    >>> Strata(Counts([90, 30], [100, 40]), weights=[0.2, 0.8])
    Strata(mean=0.78, parts=2, n=140)
    """

    @property
    def complement(self) -> Array:
        return self.average(self.parts.complement)


class Difference(Strata):
    """The first of two rates that were counted independently, minus the second.

    Their mean, the second one turned over, is (1 + p - q) / 2; so the difference is a mean in other units.

    Examples
    --------
    >>> gap = Difference.of(Counts(9, 10), Counts(6, 10))
    >>> print(round(float(gap.units(gap.mean)), 3))
    0.3
    """

    @classmethod
    def of(cls, first: Counts, second: Counts) -> Difference:
        k = np.stack(np.broadcast_arrays(first.k, second.n - second.k), axis=-1)
        return cls(Counts(k, np.stack(np.broadcast_arrays(first.n, second.n), axis=-1)))

    scale = Scale(-1.0, 1.0)


@dataclass(frozen=True, eq=False)
class Samples(Value):
    """Wrong answers out of all answers to each question, the questions along the last axis.

    Examples
    --------
    >>> Samples(Counts([7, 0], [10, 10])).each
    Counts(k=[7 0], n=[10 10])
    """

    each: Counts

    def __post_init__(self) -> None:
        if self.each.n.ndim == 0:
            raise InvalidEvidence("Samples needs one count for each question: Counts([k1, k2, ...], [n1, n2, ...]).")
