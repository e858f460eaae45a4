"""Several proportions at once, and the shared part of two sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from holdfast.errors import InvalidEvidence
from holdfast.evidence.counts import Counts
from holdfast.evidence.given import Array, Integers, numbers
from holdfast.evidence.sample import Evidence, brief


class Overlap(Counts):
    """k examples in both of two sets, of n in either; in the units of F1, which is 2 J / (1 + J) for a share J.

    Examples
    --------
    >>> shared = Overlap(8, 16)
    >>> print(round(float(shared.units(shared.mean)), 4))
    0.6667
    """

    def units(self, share: Array) -> Array:
        return np.asarray(2.0 * share / (1.0 + share))


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Proportions(Evidence):
    """A weighted mean of several proportions, one an entry of the last axis, which may depend on each other.

    A part that nothing was seen of leaves the mean unknown, not the limits.

    Examples
    --------
    >>> Proportions(Counts([7, 5], [10, 10]))
    Proportions(mean=0.6, parts=2, n=20)
    """

    parts: Counts
    weights: Array

    def __init__(self, parts: Counts, weights: ArrayLike | None = None) -> None:
        if parts.k.ndim == 0:
            raise InvalidEvidence(f"{type(self).__name__} needs several proportions: Counts([k1, k2], [n1, n2]).")
        size = parts.k.shape[-1]
        shares = np.full(size, 1.0 / max(size, 1)) if weights is None else numbers("weights", weights)
        if (
            shares.shape[-1:] != (size,)
            or np.any(shares < 0)
            or not np.allclose(shares.sum(axis=-1), 1.0 if size else 0)
        ):
            raise InvalidEvidence(f"The weights must be {size} numbers from 0 on that add up to 1; got {weights!r}.")
        object.__setattr__(self, "parts", parts)
        object.__setattr__(self, "weights", shares)

    @property
    def n(self) -> Integers:  # type: ignore[override]  # computed here, kept elsewhere
        return self.parts.n.sum(axis=-1)

    @property
    def known(self) -> Array:
        return np.all(self.parts.known, axis=-1)

    @property
    def mean(self) -> Array:
        return np.sum(self.weights * self.parts.units(self.parts.mean), axis=-1)

    @property
    def complement(self) -> Array:
        return np.sum(self.weights * (1.0 - self.parts.units(self.parts.mean)), axis=-1)

    def mirror(self) -> Self:
        return type(self)(self.parts.mirror(), self.weights)

    def __repr__(self) -> str:
        kind, size = type(self).__name__, self.parts.k.shape[-1]
        return f"{kind}(mean={brief(np.asarray(self.mean))}, parts={size}, n={brief(self.n)})"


class Strata(Proportions):
    """A weighted mean of proportions that were counted independently of each other."""
