"""Counts of events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from holdfast.errors import InvalidEvidence
from holdfast.evidence.evidence import OFFERED, Need, Sample, brief
from holdfast.evidence.value import Array, Integers, matched, whole

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
