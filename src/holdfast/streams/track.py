"""How evidence came about on a stream, thinned so that it never grows beyond what a chart can show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from holdfast.evidence import Array, Integers

MOST_POINTS = 1024


@dataclass(frozen=True, eq=False)
class Track:
    """What both players had at some of the looks: the first of each stretch, and there are at most 1,024 stretches."""

    n: Integers = field(default_factory=lambda: np.zeros(0, np.int64))
    logs: Array = field(default_factory=lambda: np.zeros((2, 0)))  # of the e-values, first and second

    def extended(self, n: Integers, at: Callable[[Integers], Array]) -> Track:
        """With looks after n examples; `at` tells the logarithms at those of them that are kept."""
        stretch = 1 << (int(n[-1]) // MOST_POINTS).bit_length()
        old = np.flatnonzero(np.diff(self.n // stretch, prepend=-1))
        last = int(self.n[-1]) // stretch if self.n.size else -1
        new = np.flatnonzero(np.diff(n // stretch, prepend=last))
        return Track(np.concatenate([self.n[old], n[new]]), np.concatenate([self.logs[:, old], at(new)], axis=1))

    def to_dict(self) -> dict[str, Any]:
        return {"n": self.n.tolist(), "logs": self.logs.tolist()}

    @classmethod
    def resumed(cls, kept: dict[str, Any]) -> Track:
        """As saved by `to_dict`; a ValueError where that cannot be."""
        whole = all(type(n) is int for n in kept["n"]) and len(kept["n"]) <= 2 * MOST_POINTS
        made = cls(np.array(kept["n"], np.int64), np.array(kept["logs"], np.float64).reshape(2, -1))
        in_order = whole and not np.any(np.diff(made.n, prepend=0) <= 0)
        if not in_order or made.logs.shape[1] != made.n.size or not np.isfinite(made.logs).all():
            raise ValueError("these are no looks")
        return made
