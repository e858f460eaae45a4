"""What was drawn, and what is known of how."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from holdfast.assumptions import Assumption
from holdfast.evidence.value import Array, Integers

NOTHING = 2.0**-40  # of the heaviest draw: if no more of a draw is left, it is rounding


@dataclass(frozen=True, eq=False)
class Draws:
    """What was drawn, each independently of the others. Draws just alike may be kept once, with their number."""

    times: Array  # how many draws are just like each
    stratum: Integers | None = None  # the one it was drawn from, counted from 0; None where there are none
    factor: Array | None = None  # by which its rows are weighed to undo how many draws were made of its stratum
    most: float | None = None  # the most that all rows of a draw can weigh, known beforehand
    most_of_row: float | None = None  # the most that one row can weigh, likewise
    rows: bool = False  # whether each is one row, which weighs as much as any other of its stratum
    ordered: bool = False  # whether they stand in the order in which they were drawn, as the user said
    assumes: tuple[Assumption, ...] = (Assumption.INDEPENDENT,)  # of how they were drawn
    caps: tuple[Assumption, ...] = ()  # of the most that one can weigh, where that is stated

    @property
    def number(self) -> int:
        return round(float(np.sum(self.times)))

    @property
    def averaged(self) -> bool:
        """Whether they are clusters that weigh the same: their average has a proof though no largest size is stated."""
        return Assumption.CLUSTERS in self.assumes and not self.weighed and self.stratum is None and self.most is None

    @property
    def weighed(self) -> bool:
        """Whether rows have weights of their own, beside those of strata."""
        return not {Assumption.KNOWN_WEIGHTS, Assumption.KNOWN_INCLUSION}.isdisjoint(self.assumes)

    @property
    def shares(self) -> Array:
        """How frequent each stratum is: what the factors undo."""
        assert self.stratum is not None
        assert self.factor is not None
        weight = np.bincount(self.stratum, self.times * self.factor)
        return np.asarray(weight / weight.sum())
