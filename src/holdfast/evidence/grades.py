"""Values of which there are just three, declared beforehand: how many examples have each."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from holdfast.errors import InvalidEvidence
from holdfast.evidence.evidence import Evidence, brief
from holdfast.evidence.scale import Scale
from holdfast.evidence.value import Array, Integers, numbers, shown, whole


@dataclass(frozen=True, eq=False, repr=False)
class Grades(Evidence):
    """How many examples have each of three values, the lowest first along the last axis.

    Examples
    --------
    >>> Grades.of([70, 20, 10], levels=(0, 0.5, 1))
    Grades(n=100, mean=0.2)
    """

    counts: Integers
    middle: float  # where the middle value stands, as a part of the way from the lowest to the highest
    scale: Scale

    @classmethod
    def of(cls, counts: ArrayLike, levels: ArrayLike) -> Grades:
        """The counts of three values, rising."""
        values, held = numbers("levels", levels), whole("The counts of grades", counts)
        if values.shape != (3,) or np.any(np.diff(values) <= 0) or held.shape[-1:] != (3,):
            raise InvalidEvidence(f"Grades need counts of three rising values; got {shown(counts)} of {shown(levels)}.")
        low, middle, high = values.tolist()
        return cls(held, (middle - low) / (high - low), Scale(low, high))

    @property
    def n(self) -> Integers:
        return np.asarray(self.counts.sum(axis=-1))

    @property
    def mean(self) -> Array:
        return self._share(self.counts)

    @property
    def complement(self) -> Array:
        return self._share(self.counts[..., ::-1], 1.0 - self.middle)

    def _share(self, counts: Integers, middle: float | None = None) -> Array:
        total = (self.middle if middle is None else middle) * counts[..., 1] + counts[..., 2]
        return np.divide(total, self.n, out=np.zeros(self.n.shape), where=self.n > 0)

    def mirror(self) -> Grades:
        return replace(self, counts=self.counts[..., ::-1], middle=1.0 - self.middle)

    def __repr__(self) -> str:
        return f"Grades(n={brief(self.n)}, mean={brief(self.estimate)})"
