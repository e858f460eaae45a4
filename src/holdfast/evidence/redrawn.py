"""An estimate whose draws can be drawn again: what a bootstrap or a jackknife looks at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from holdfast.assumptions import Assumption
from holdfast.evidence.contingency import check_drawn, portions
from holdfast.evidence.evidence import Evidence, Resampled
from holdfast.evidence.value import SHARES, Array, Integers, Scale

if TYPE_CHECKING:
    from holdfast.evidence.draws import Draws

Again = Callable[[Array], Array]  # from how often each draw comes to the estimate, row by row


class Estimated(Evidence):
    """Evidence that is an estimate in its own units, NaN where there is none."""

    value: float
    scale: Scale

    @property
    def known(self) -> Array:
        return np.asarray(not np.isnan(self.value))

    @property
    def mean(self) -> Array:
        return np.nan_to_num(self.scale.share(np.asarray(self.value)), nan=0.5)

    @property
    def complement(self) -> Array:
        return np.nan_to_num(self.scale.room(np.asarray(self.value)), nan=0.5)


@dataclass(frozen=True, eq=False, repr=False)
class Redrawn(Estimated, Resampled):
    """An estimate whose draws, rows or clusters, can be drawn again with replacement, within their strata.

    Examples
    --------
    >>> from holdfast.evidence.draws import Draws, Ratio
    >>> shares = Ratio(np.array([0.0, 2.0, 1.0]), np.array([1.0, 4.0, 1.0]), Draws(np.ones(3))).redrawn
    >>> print(shares.left_out()[0].round(3), shares.draws(np.random.default_rng(0), 3).round(3))
    [0.6 0.5 0.4] [0.5   0.5   0.333]
    """

    of: Draws
    again: Again
    value: float
    scale: Scale = SHARES
    order: Integers | None = None  # of the draws, in which they are drawn again; as they stand by default

    @property
    def n(self) -> Integers:
        return np.asarray(self.of.number)

    @property
    def assumes(self) -> tuple[Assumption, ...]:
        return self.of.assumes

    def mirror(self) -> Redrawn:
        scale = type(self.scale)(-self.scale.high, -self.scale.low)
        return Redrawn(self.of, lambda times: -self.again(times), -self.value, scale, self.order)

    def draws(self, generator: np.random.Generator, size: int) -> Array:
        check_drawn(self.of.times.size, size)
        order = np.arange(self.of.times.size) if self.order is None else self.order
        strata = np.zeros(order.size, np.int64) if self.of.stratum is None else self.of.stratum[order]
        each = [order[strata == stratum] for stratum in dict.fromkeys(strata.tolist())]
        found = []
        for some in portions(size, self.of.times.size):
            times = np.zeros((len(some), strata.size))
            for here in each:
                number = self.of.times[here]
                times[:, here] = generator.multinomial(round(float(number.sum())), number / number.sum(), len(some))
            found.append(self.again(times))
        return self.scale.share(np.concatenate([np.zeros(0), *found]))

    def left_out(self) -> tuple[Array, Array]:
        size, found = self.of.times.size, []
        for some in portions(size, size):
            times = np.repeat(self.of.times[np.newaxis], len(some), axis=0)
            times[np.arange(len(some)), some] -= 1.0
            found.append(self.again(times))
        return self.scale.share(np.concatenate([np.zeros(0), *found])), self.of.times

    def __repr__(self) -> str:
        return f"Redrawn(estimate={self.value:.6g}, draws={self.of.number:,})"
