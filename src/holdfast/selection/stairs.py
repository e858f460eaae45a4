"""How many examples of each class lie below every score, and short numbers between scores."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from math import nextafter

import numpy as np

from holdfast.evidence import Array, Counts, Integers, Scores

TENTH = 0.1  # of the gap to the next score, by which a threshold may be moved to have fewer digits
LARGEST = float(np.finfo(np.float64).max)
DIGITS = 18  # more than any float needs
BLUR = 2.0**-10  # of a bin, by which rounding may have misplaced a score; a millionth of that would do


@dataclass(frozen=True, eq=False)
class Stairs:
    """Distinct scores, lowest first, and how many examples of the class and how many others lie below each."""

    values: Array
    positives: Integers  # one longer than the values: the last counts all
    negatives: Integers
    width: float  # of bins, to whose lower ends the scores were rounded

    @classmethod
    def of(cls, scores: Scores) -> Stairs:
        values, positives, negatives = scores.cells()
        return cls(values, np.append(0, np.cumsum(positives)), np.append(0, np.cumsum(negatives)), scores.width)

    @property
    def blur(self) -> float:
        """How far a score may lie outside its bin."""
        if not self.width:
            return 0.0
        return self.width * BLUR + 2.0**-50 * float(np.abs(self.values[[0, -1]]).max())

    def at_least(self, threshold: Array | float) -> tuple[Counts, Counts]:
        """Examples of the class, and others, called positive from the threshold on: those of which it is certain."""
        return self._from(np.searchsorted(self.values, np.asarray(threshold) + self.blur))

    def at_most(self, threshold: Array | float) -> tuple[Counts, Counts]:
        """The same with all examples of which it is possible."""
        if not self.width:
            return self.at_least(threshold)
        return self._from(np.searchsorted(self.values, np.asarray(threshold) - self.width - self.blur, side="right"))

    def _from(self, place: Integers) -> tuple[Counts, Counts]:
        (m, right), (n, wrong) = ((each[-1], each[-1] - each[place]) for each in (self.positives, self.negatives))
        return Counts(right, np.broadcast_to(m, right.shape)), Counts(wrong, np.broadcast_to(n, wrong.shape))

    def just_above(self, below: Integers, rank: int) -> float:
        """A short number above the score that so many of the examples counted in `below` do not exceed.

        It depends on that score and on lower ones only.
        """
        place = int(np.searchsorted(below, rank)) - 1
        before = int(np.searchsorted(below, below[place])) - 1  # the next lower score that counts, if there is one
        here = float(self.values[place])
        low = nextafter(here + self.width + self.blur, np.inf)
        gap = TENTH * here - TENTH * float(self.values[before]) if before >= 0 else 0.0
        return shortest(low, low + gap, upwards=True)

    def just_below(self, below: Integers, rank: int) -> float:
        """A short number, no higher than the score that so many do not exceed; of it and higher ones only."""
        place = int(np.searchsorted(below, rank)) - 1
        after = int(np.searchsorted(below, below[place + 1], side="right")) - 1
        here = float(self.values[place])
        gap = TENTH * float(self.values[after]) - TENTH * here if after < self.values.size else 0.0
        return shortest(here - self.blur - gap, here - self.blur, upwards=False)


def shortest(low: float, high: float, upwards: bool) -> float:
    """The number with the fewest digits from low to high: of several the lowest if upwards, else the highest.

    Examples
    --------
    >>> shortest(0.81341, 0.8162, upwards=True), shortest(0.81341, 0.8162, upwards=False)
    (0.814, 0.816)
    """
    low, high = max(low, -LARGEST), min(high, LARGEST)
    end, way = (low, ROUND_CEILING) if upwards else (high, ROUND_FLOOR)
    exact = Decimal(repr(end))
    first = -max(Decimal(low).adjusted(), Decimal(high).adjusted())
    for digits in range(first, first + DIGITS):
        unit = Decimal(1).scaleb(-digits)
        tried = float((exact / unit).to_integral_value(way) * unit) + 0.0  # -0.0 is 0.0
        if low <= tried <= high:
            return tried
    return end
