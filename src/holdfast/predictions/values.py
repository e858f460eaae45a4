"""Answers that may be partly right: the range of their values, and all that there can be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from holdfast.errors import HoldfastError, InvalidEvidence
from holdfast.numerics.arrays import Array
from holdfast.wording import shown

MOST_LEVELS = 1_000
ROUNDING = 1e-9  # by which a value may miss its level


@dataclass(frozen=True)
class Values:
    """The range of values that say how right an answer is, and its levels where these were declared.

    Examples
    --------
    >>> Values.stated((1, 5), None).shares(np.array([1.0, 4.0, 5.0]), "the data")
    array([0.  , 0.75, 1.  ])
    """

    low: float = 0.0
    high: float = 1.0
    levels: tuple[float, ...] = ()  # as parts of the way from the low end to the high one

    @classmethod
    def stated(cls, ends: object, levels: object) -> Values:
        """As a user states them; a range is known before any value is seen."""
        low, high = (
            _numbers("value_range= (--range)", ends, "two rising numbers such as 0, 1") if ends is not None else (0, 1)
        )
        if not low < high or not np.isfinite(high - low):
            raise HoldfastError(f"value_range= (--range) takes two rising numbers such as 0, 1; got {shown(ends)}.")
        if levels is None:
            return cls(low, high)
        steps = _numbers("levels= (--levels)", levels, "two or more rising numbers such as 0, 0.5, 1", 2)
        if any(b <= a for a, b in pairwise(steps)) or len(steps) > MOST_LEVELS:
            raise HoldfastError(f"levels= (--levels) takes two or more rising numbers; got {shown(levels)}.")
        if (steps[0], steps[-1]) != (low, high):
            raise HoldfastError(
                f"The levels run from {steps[0]:g} to {steps[-1]:g}, and the range from {low:g} to {high:g}: they must "
                "begin and end where the range does. State it by value_range= (--range)."
            )
        return cls(low, high, tuple((each - low) / (high - low) for each in steps))

    def shares(self, values: Array, source: str) -> Array:
        """The values as parts of the way from the low end to the high one, NaN where there is none."""
        outside = (values < self.low) | (values > self.high)
        if outside.any():
            wrong, row = values[outside][0], int(np.argmax(outside)) + 1
            raise InvalidEvidence(
                f"A value of {source} is {wrong:g} (row {row:,}), outside of the range from {self.low:g} to "
                f"{self.high:g}. State the range by value_range= (--range), which no value can leave."
            )
        shares = (values - self.low) / (self.high - self.low)
        if not self.levels:
            return np.asarray(shares)
        steps = np.array(self.levels)
        place = np.clip(np.searchsorted((steps[1:] + steps[:-1]) / 2, shares), 0, steps.size - 1)
        off = np.abs(steps[place] - shares) > ROUNDING
        if off.any():
            wrong = values[off][0]
            raise InvalidEvidence(
                f"A value of {source} is {wrong:g}, which is none of the levels that were declared: levels= (--levels)."
            )
        return np.where(np.isnan(shares), np.nan, steps[place])


def _numbers(name: str, given: object, example: str, least: int | None = None) -> list[float]:
    try:
        values = [float(each) for each in given] if isinstance(given, Sequence) and not isinstance(given, str) else []
    except (TypeError, ValueError):
        values = []
    if not np.all(np.isfinite(values)) or (len(values) != 2 if least is None else len(values) < least):
        raise HoldfastError(f"{name} takes {example}; got {shown(given)}.")
    return values
