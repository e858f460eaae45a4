r"""The least average of several ratios, one for each fold, that bets on the draws of all folds do not refute.

A draw of fold j is a pair of a part a and a whole b, 0 <= a <= b <= 1, and its ratio is the mean of a over that of b
among the draws that the fold's model could have met. An upper limit is one minus the lower limit of (b - a, b).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from holdfast.numerics.arrays import Array, Integers
from holdfast.numerics.roots import crossing
from holdfast.numerics.wealth.ratios import CAP, SMALLEST

STEP = 3.0  # by which a stake is smaller than the one before it
FIRST = 0.5  # the share of delta that the largest stake has
NEWTON = 40  # steps at most; five are enough where folds are alike
STILL = 1e-13  # a step of a logarithm that changes nothing
TINY = float(np.finfo(np.float64).tiny)
FARTHEST = (-600.0, 60.0)  # logarithms of multipliers: ratios are next to 0 at the first and 1 at the last


def stakes_for(draws: float) -> tuple[Array, Array]:
    """What part of a stake is lost on a draw without a part, and the share of delta that each such bet has.

    Parameters
    ----------
    draws
        Of one fold: the more there are, the smaller stakes are worth having.

    Examples
    --------
    >>> stakes_for(5)[0].round(3), stakes_for(5)[1]
    (array([0.98 , 0.327, 0.109]), array([0.5 , 0.25, 0.25]))
    """
    more = max(int(np.ceil(np.log(2.0 * CAP * np.sqrt(max(draws, 1.0))) / np.log(STEP))), 1)
    return CAP / STEP ** np.arange(more + 1), np.append(FIRST, np.full(more, (1.0 - FIRST) / more))


def least_average(part: Array, whole: Array, fold: Integers, folds: int, delta: float) -> float:
    """A lower limit for the average over the folds of their ratios, however the folds have to do with each other.

    Examples
    --------
    >>> part, fold = np.tile([0.2, 0.4, 0.3, 0.3, 0.3], 5), np.repeat(np.arange(5), 5)
    >>> round(least_average(part, np.ones(25), fold, 5, 0.025), 4)
    0.1206
    """
    pairs, place = np.unique(part + 1j * whole, return_inverse=True)
    alike, times = np.unique(place.reshape(-1) * folds + fold, return_counts=True)
    draws = _Draws(pairs.real[alike // folds], pairs.imag[alike // folds], alike % folds, times * 1.0, folds)
    stakes, shares = stakes_for(part.size / folds)
    limit = max(draws.least(*each) for each in zip(stakes.tolist(), -np.log(shares * delta), strict=True))
    return limit if limit > SMALLEST else 0.0


@dataclass(frozen=True, eq=False)
class _Draws:
    """Different draws of each fold, and how often each occurs."""

    part: Array
    whole: Array
    fold: Integers
    times: Array
    folds: int

    def per_fold(self, values: Array) -> Array:
        return np.bincount(self.fold, self.times * values, self.folds)

    def least(self, stake: float, most: float) -> float:
        r"""The least average of ratios at which the mean over folds of the logarithm of the wealth is at most `most`.

        The logarithm of a fold's wealth, the sum of :math:`\ln(1 + c (a_i / \theta - b_i))`, is convex in theta and
        falls: so the minimum is where its slope is the same in every fold, one over a multiplier. Whatever the
        multiplier, the value of Lagrange's function is no more than the minimum.
        """
        won, left = stake * self.part, 1.0 - stake * self.whole
        seen = self.per_fold(self.part) > 0  # of a fold without a part nothing speaks against a ratio of 0
        if not seen.any():
            return 0.0
        lost = self.per_fold(np.log(left))

        def wealth(log_ratio: Array) -> float:
            logs = self.per_fold(np.log(left + won * np.exp(-log_ratio)[self.fold]))
            return float(np.where(seen, logs, lost).mean())

        def ratios(log_multiplier: float) -> Array:
            """Logarithms of the ratios at which the slopes are the same."""
            log_ratio = np.full(self.folds, min(log_multiplier, -1.0))
            for _ in range(NEWTON):
                share = won / np.maximum(won + left * np.exp(log_ratio)[self.fold], TINY)
                steepness, bend = np.where(seen, self.per_fold(share), 1.0), self.per_fold(share * (1.0 - share))
                step = (np.log(steepness) - log_ratio + log_multiplier) / (1.0 + bend / steepness)
                step = np.where(seen, np.minimum(step, -log_ratio), 0.0)
                log_ratio = log_ratio + step
                if np.max(np.abs(step)) < STILL:
                    break
            return log_ratio

        def excess(log_multiplier: Array) -> Array:
            return np.array([wealth(ratios(log_multiplier.item())) - most])

        log_multiplier = crossing(excess, np.array(FARTHEST[:1]), np.array(FARTHEST[1:])).item()
        log_ratio = ratios(log_multiplier)
        average = float(np.where(seen, np.exp(log_ratio), 0.0).mean())
        return average + float(np.exp(log_multiplier)) * min(wealth(log_ratio) - most, 0.0)
