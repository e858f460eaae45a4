"""Losses that can only take a few values, evenly spaced, by how many of them reach each."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from holdfast.errors import InvalidEvidence
from holdfast.evidence.arrays import Array, Integers, numbers
from holdfast.evidence.counts import Counts
from holdfast.evidence.evidence import Evidence, brief


@dataclass(frozen=True, eq=False, init=False, repr=False)
class GradedLosses(Evidence):
    """How many of n losses reach each of the values 1/M, 2/M ... 1 along the last axis, when there are no others but 0.

    Such is the average loss of M models, equally weighted. The mean loss is the mean of the M shares.

    Examples
    --------
    >>> GradedLosses(Counts([5, 2], 100))
    GradedLosses(n=100, levels=2, mean=0.035)
    >>> GradedLosses.of_values([0.0, 0.5, 0.5, 1.0], levels=2).reached
    Counts(k=[3 1], n=[4 4])
    """

    reached: Counts
    n: Integers

    def __init__(self, reached: Counts) -> None:
        if not isinstance(reached, Counts) or not reached.k.ndim or not reached.k.shape[-1]:
            raise InvalidEvidence(
                f"GradedLosses needs Counts with at least one level along the last axis; got {reached!r}."
            )
        if np.any(np.diff(reached.k, axis=-1) > 0) or np.any(np.diff(reached.n, axis=-1)):
            raise InvalidEvidence(f"A loss that reaches a level has reached those below it; got {reached!r}.")
        self._set(reached=reached, n=reached.n[..., 0])

    @classmethod
    def of_values(cls, values: ArrayLike, levels: int) -> Self:
        """From losses that are whole multiples of 1/levels, the examples along the last axis."""
        scaled = numbers("Losses", values) * levels
        level = np.rint(scaled).astype(np.int64)
        if not level.ndim or np.any(np.abs(scaled - level) > 1e-9 * levels) or np.any((level < 0) | (level > levels)):
            raise InvalidEvidence(f"These losses are not all whole multiples of 1/{levels}, from 0 to 1.")
        rows, size = level.reshape(prod(level.shape[:-1]), level.shape[-1]), levels + 1
        place = rows + size * np.arange(len(rows))[:, np.newaxis]
        times = np.bincount(place.reshape(-1), minlength=size * len(rows)).reshape(len(rows), size)
        reached = np.cumsum(times[:, :0:-1], axis=-1)[:, ::-1]
        return cls(Counts(reached.reshape(*level.shape[:-1], levels), level.shape[-1]))

    @property
    def mean(self) -> Array:
        return np.asarray(self.reached.mean.mean(axis=-1))

    @property
    def complement(self) -> Array:
        return np.asarray(self.reached.complement.mean(axis=-1))

    def mirror(self) -> Self:
        turned = self.reached.mirror()
        return self._with(reached=turned._checked(k=turned.k[..., ::-1], n=turned.n))

    def __repr__(self) -> str:
        return f"GradedLosses(n={brief(self.n)}, levels={self.reached.k.shape[-1]}, mean={brief(self.mean)})"
