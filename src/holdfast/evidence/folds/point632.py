"""How a learner did on the rows that bootstrap samples left out, weighed against how it did on what it was told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from holdfast.errors import InvalidEvidence
from holdfast.evidence.evidence import ROUNDING, Evidence
from holdfast.evidence.value import Array, Integers, numbers, shown

LEFT_OUT = 0.632  # the share of rows that a large bootstrap sample holds, 1 - 1/e, as the rules round it


@dataclass(frozen=True, eq=False, init=False, repr=False)
class LeftOut(Evidence):
    """The error rate on rows that were left out: of each row, over the samples that left it out.

    Parameters
    ----------
    rates
        Of each row that was left out at least once, the share of these samples whose model erred on it.
    seen
        The error rate of the model trained on all rows, on these rows.
    chance
        The error rate if predictions had nothing to do with the labels.

    Examples
    --------
    >>> LeftOut([0.0, 0.5, 1.0, 0.1], seen=0.1, chance=0.5)
    LeftOut(n=4, estimate=0.4)
    """

    rates: Array
    seen: float
    chance: float
    turned: bool = False  # whether it speaks of the accuracy in place of the error rate

    def __init__(self, rates: ArrayLike, seen: float, chance: float) -> None:
        given = numbers("The error rates of the rows", rates)
        for name, value in (("rates", given), ("seen", np.asarray(seen)), ("chance", np.asarray(chance))):
            if not np.all((value >= 0) & (value <= 1)):
                raise InvalidEvidence(f"{type(self).__name__} needs {name} between 0 and 1; got {shown(value)}.")
        if given.ndim != 1 or not given.size:
            raise InvalidEvidence("At least one row must have been left out by some sample.")
        self._set(rates=given, seen=float(seen), chance=float(chance))

    @property
    def n(self) -> Integers:
        return np.asarray(self.rates.size)

    @property
    def left_out(self) -> float:
        """The leave-one-out bootstrap's estimate."""
        return float(self.rates.mean())

    @property
    def rate(self) -> float:
        """The error rate that the rule estimates."""
        return self.left_out

    @property
    def mean(self) -> Array:
        return np.asarray(1.0 - self.rate if self.turned else self.rate)

    @property
    def complement(self) -> Array:
        return np.asarray(self.rate if self.turned else 1.0 - self.rate)

    @property
    def error(self) -> float:
        """The standard error, as far as the rows tell it; NaN where they are all alike."""
        spread = float(self.rates.std(ddof=1)) / np.sqrt(self.rates.size) if self.rates.size > 1 else 0.0
        return spread * self.rate / self.left_out if spread > ROUNDING else np.nan

    def mirror(self) -> Self:
        return self._with(turned=not self.turned)

    def __repr__(self) -> str:
        return f"{type(self).__name__}(n={self.n}, estimate={float(self.mean):.6g})"


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Point632(LeftOut):
    """The error rate on rows that were left out, pulled by a fixed weight towards that on what the learner was told.

    Examples
    --------
    >>> Point632([0.0, 0.5, 1.0, 0.1], seen=0.1, chance=0.5)
    Point632(n=4, estimate=0.2896)
    """

    @property
    def rate(self) -> float:
        return (1 - LEFT_OUT) * self.seen + LEFT_OUT * self.left_out


@dataclass(frozen=True, eq=False, init=False, repr=False)
class Point632Plus(LeftOut):
    """The .632 rule's error rate, pulled the less the more the learner overfits.

    Examples
    --------
    >>> Point632Plus([0.0, 0.5, 1.0, 0.1], seen=0.1, chance=0.5)
    Point632Plus(n=4, estimate=0.361878)
    """

    @property
    def overfitting(self) -> float:
        """How far the learner is from what it was told to mere chance: from 0 to 1."""
        capped = min(self.left_out, self.chance)
        return (capped - self.seen) / (self.chance - self.seen) if min(capped, self.chance) > self.seen else 0.0

    @property
    def rate(self) -> float:
        weight = LEFT_OUT / (1 - (1 - LEFT_OUT) * self.overfitting)
        return (1 - weight) * self.seen + weight * min(self.left_out, self.chance)
