"""Betting without an order: every bet is laid on all examples alike, and several bets share the stake."""

from __future__ import annotations

from collections.abc import Callable
from math import prod

import numpy as np

from holdfast.bounds.bounded import RANGED
from holdfast.catalog import method
from holdfast.claims import Guarantee, Source
from holdfast.evidence import Array, Losses
from holdfast.numerics.limit import Upper
from holdfast.numerics.roots import crossing
from holdfast.numerics.wealth.ratios import CAP, TUNED_FOR, VARIANCES

BLOCK = 2**20  # numbers in work at once when many samples come in one call


def mixture_p_value(losses: Losses, null: Array, room: Array) -> Array:
    """One over the wealth won against a mean of the null or more, at most 1, with bets sized for delta = 0.05."""
    y = losses.mirror().values
    lead, n = np.broadcast_shapes(y.shape[:-1], room.shape), y.shape[-1]
    rows = np.broadcast_to(y, (*lead, n)).reshape(prod(lead), n)
    return chance_of_wealth(rows, np.broadcast_to(room, lead).reshape(-1)).reshape(lead)


@method(
    guarantee=Guarantee.FINITE,
    source=Source("waudbysmith2024", "Proposition 2"),
    assumes=RANGED,
    needs="values",
    p_value=mixture_p_value,
    nested=False,
)
def mixture(losses: Losses, delta: Array) -> Upper:
    r"""Largest mean loss that a gambler with a dozen fixed bets cannot refute, whatever the order of the examples.

    Notes
    -----
    With :math:`y_i = 1 - x_i` and bets sized for the variances :math:`v_j = 2^{-2-j}`,

    .. math::
        U = 1 - \sup\Bigl\{m : \frac{1}{12} \sum_{j=0}^{11} \prod_{i \le n} \bigl(1 + \lambda_j(m)\,(y_i - m)\bigr)
        \ge \tfrac{1}{\delta}\Bigr\},
        \qquad
        \lambda_j(m) = \min\Bigl(\sqrt{\frac{2 \ln(1/\delta)}{n\,v_j}},\ \frac{0.98}{m}\Bigr).

    Were the mean of y at most m, the average would have a mean of at most 1, and Markov's inequality does the rest.
    Every factor decreases in m, so a bracketed root finds the end. Looser than `betting`, but nothing is shuffled.

    Examples
    --------
    >>> losses = Losses([i * i % 101 / 300 for i in range(100)])
    >>> print(round(mixture(losses, delta=0.05, side="upper").upper, 4))
    0.2006
    """
    y = losses.mirror().values
    lead, n = np.broadcast_shapes(y.shape[:-1], delta.shape), y.shape[-1]
    rows = np.broadcast_to(y, (*lead, n)).reshape(prod(lead), n)
    room = unordered_lower_limit(rows, np.broadcast_to(delta, lead).reshape(-1)).reshape(lead)
    return Upper(1.0 - room, room)


def unordered_lower_limit(x: Array, delta: Array) -> Array:
    """The largest m against which the bets on each row together win 1/delta."""

    def solve(rows: Array, level: Array) -> Array:
        bets, target = _Bets(rows, level), -np.log(level)
        # Against 0 no bet can lose, and against the largest value none can win.
        most = rows.max(axis=-1, initial=0.0)
        return crossing(lambda m: bets.log_wealth(m) - target, np.zeros(len(rows)), most)

    return in_blocks(solve, x, delta)


def chance_of_wealth(x: Array, m: Array) -> Array:
    """One over the wealth that bets sized for delta = 0.05 win against each row's m, at most 1."""

    def solve(rows: Array, against: Array) -> Array:
        bets = _Bets(rows, np.full(len(rows), TUNED_FOR))
        return np.exp(-np.maximum(bets.log_wealth(against), 0.0))

    return in_blocks(solve, x, m)


def in_blocks(solve: Callable[[Array, Array], Array], x: Array, setting: Array) -> Array:
    """Solve every row with its own setting, as many at once as a dozen bets on each example leave room for."""
    solved = np.empty(len(x))
    step = max(1, BLOCK // (VARIANCES.size * max(x.shape[-1], 1)))
    for start in range(0, len(x), step):
        here = slice(start, start + step)
        solved[here] = solve(x[here], setting[here])
    return solved


class _Bets:
    """The wealth that all bets together have won against any mean, for many samples at once."""

    def __init__(self, x: Array, delta: Array) -> None:
        n = max(x.shape[-1], 1)
        if len(x) == 1:  # what occurs often is multiplied at once: a large sample of few values costs little
            values, times = np.unique(x, return_counts=True)
            self.x, self.times = values[np.newaxis], times.astype(np.float64)
        else:
            self.x, self.times = x, np.ones(x.shape[-1])
        self.stakes = np.sqrt(2.0 * -np.log(delta)[:, np.newaxis] / (n * VARIANCES))

    def log_wealth(self, m: Array) -> Array:
        # No cap at m = 0, where no bet can lose: the floor only spares the division by zero.
        stakes = np.minimum(self.stakes, CAP / np.maximum(m[:, np.newaxis], 1e-300))
        gains = np.log1p(stakes[:, :, np.newaxis] * (self.x - m[:, np.newaxis])[:, np.newaxis, :])
        return log_of_mean(gains @ self.times)


def log_of_mean(logs: Array) -> Array:
    """The logarithm of the mean, along the last axis, of what these are the logarithms of."""
    most = logs.max(axis=-1)
    return np.asarray(most + np.log(np.mean(np.exp(logs - most[:, np.newaxis]), axis=-1)))
