"""Limits for the mean of a bounded loss, by betting against every mean it might have.

A player with wealth 1 bets that the mean is larger than m. If it is not, the chance that the wealth ever reaches
1/delta is at most delta (Ville), so an m against which it does is refuted. The bets are written for a *lower* limit
of the sequence at hand; the upper limit of a loss x is one minus the lower limit of 1 - x.
"""

from __future__ import annotations

from math import isqrt

import numpy as np

from holdfast.bounds.bounded import RANGED
from holdfast.bounds.mixture import chance_of_wealth, unordered_lower_limit
from holdfast.bounds.shuffle import for_each_ordered, kept_back, limits_by_bets, unless_too_few_alike
from holdfast.catalog import method
from holdfast.claims import Guarantee, Source
from holdfast.evidence import Array, Losses
from holdfast.numerics.limit import Upper
from holdfast.numerics.roots import crossing
from holdfast.numerics.wealth.ratios import TUNED_FOR

# The largest share of the wealth that one bet may lose. Measured at n = 1000, less is looser on losses of small
# variance (uniform on [.2, .3]: 3.1 normal slacks at .5, 2.1 at .8), more on losses that are mostly zero.
CAP = 0.8
STRIDE = 16  # factors multiplied before a logarithm is taken: so few can neither over- nor underflow


def betting_p_value(losses: Losses, null: Array, room: Array) -> Array:
    r"""How surprising the losses are if their mean is at least `null`: small when the mean is smaller.

    Notes
    -----
    .. math:: p = \min\Bigl(1,\ \frac{1}{(1 - r) \max_t W_t(1 - \text{null})}\Bigr)

    With r = 0 for losses in the order in which they were drawn. For shuffled ones :math:`r = \min(1/2, 20/n)`, and
    `mixture`'s p-value over r for a sample of too few different values. The bets are sized for delta = 0.05 whatever
    the null: a limit's bets follow its delta, so the limits are not nested and solving them for delta would not
    give a p-value.

    Examples
    --------
    >>> losses = Losses([i * i % 101 / 300 for i in range(100)])
    >>> nulls = np.array([0.2, 0.25, 0.3])
    >>> print(betting_p_value(losses, nulls, 1 - nulls).round(4))
    [0.0865 0.0005 0.    ]
    """
    y, n = losses.mirror().values, losses.values.shape[-1]
    by_bets = for_each_ordered(y, room, _chance_of_such_wealth, numbers=n, drawn=losses.drawn)
    if losses.drawn:
        return by_bets
    by_bets /= 1 - kept_back(n)
    tuned = np.asarray(TUNED_FOR)
    chances = unless_too_few_alike(y, tuned, room, by_bets, lambda rows, m: chance_of_wealth(rows, m) / kept_back(n))
    return np.minimum(chances, 1.0)


@method(
    guarantee=Guarantee.FINITE,
    source=Source("waudbysmith2024", "Theorem 3"),
    assumes=RANGED,
    needs="values",
    in_order=True,
    p_value=betting_p_value,
    nested=False,
)
def betting(losses: Losses, delta: Array) -> Upper:
    r"""Largest mean loss that a gambler, betting on the examples one by one, cannot refute.

    Notes
    -----
    With :math:`y_t` the values :math:`1 - x` in the order in which they were drawn,

    .. math::
        U = 1 - \sup\Bigl\{m : \max_{t \le n} \prod_{s \le t} \bigl(1 + \lambda_s(m)\,(y_s - m)\bigr)
        \ge \tfrac{1}{\delta}\Bigr\},
        \qquad
        \lambda_t(m) = \min\Bigl(\sqrt{\frac{2 \ln(1/\delta)}{n\,\hat\sigma^2_{t-1}}},\ \frac{c}{m}\Bigr),

    .. math::
        \hat\mu_t = \frac{1/2 + \sum_{i \le t} y_i}{t + 1}, \qquad
        \hat\sigma^2_t = \frac{1/4 + \sum_{i \le t} (y_i - \hat\mu_i)^2}{t + 1}.

    Every factor decreases in m, whichever of the two terms is the smaller, so the set is an interval and a
    bracketed root finds its end, from the side where the wealth does reach :math:`1/\delta`.
    The bets are sized for delta: limits for two values of delta need not be nested. c is 4/5.

    Losses of which no order is stated are sorted and then shuffled by their own hash, at
    :math:`(1 - r)\,\delta` with :math:`r = \min(1/2, 20/n)`; a sample of so few different values that a shuffle
    cannot be trusted is answered by `mixture` at :math:`r\,\delta` instead. No theorem covers an order that the
    sample itself decides: such a claim is HEURISTIC.

    Examples
    --------
    >>> losses = [i * i % 101 / 300 for i in range(100)]
    >>> for order in ("drawn", None):
    ...     claim = betting(Losses(losses, order=order), delta=0.05, side="upper")
    ...     print(round(claim.upper, 4), claim.guarantee)
    0.206 FINITE
    0.2055 HEURISTIC
    """
    y, n = losses.mirror().values, losses.values.shape[-1]
    room = limits_by_bets(y, delta, _lower_limit, unordered_lower_limit, numbers=n, drawn=losses.drawn)
    return Upper(1.0 - room, room)


def _lower_limit(x: Array, delta: Array) -> Array:
    """The largest m against which the wealth reaches 1/delta."""
    target = -np.log(delta)
    game = _Game(x, target)

    def excess(m: Array) -> Array:
        return game.log_wealth(m) - target

    # Against 0 no bet can lose, and against the largest value none can win.
    low, high = np.zeros(len(x)), x.max(axis=-1, initial=0.0)
    # The end mostly lies 0.4 to 1.1 times this slack below the mean: two probes there halve the passes.
    slack = np.sqrt(2.0 * target * game.variance / max(x.shape[-1], 1))
    at_low, at_high = np.full((2, len(x)), np.nan)
    for times in (1.1, 0.4):
        probe = np.clip(game.mean - times * slack, low, high)
        excesses = excess(probe)
        reached = excesses >= 0
        low, at_low = np.where(reached, probe, low), np.where(reached, excesses, at_low)
        high, at_high = np.where(reached, high, probe), np.where(reached, at_high, excesses)
    bracketed = not (np.isnan(at_low).any() or np.isnan(at_high).any())
    return crossing(excess, low, high, (at_low, at_high) if bracketed else None)


def _chance_of_such_wealth(x: Array, m: Array) -> Array:
    """One over the largest wealth, which is at least 1."""
    game = _Game(x, np.full(len(x), -np.log(TUNED_FOR)))
    return np.exp(-game.log_wealth(m))


class _Game:
    """The wealth of many samples' bets against any mean, in one pass.

    The arrays are laid out (STRIDE, samples, n / STRIDE), consecutive examples down the first axis: so products
    run over whole vectors, and only every STRIDE-th one needs a logarithm.
    """

    def __init__(self, x: Array, target: Array) -> None:
        samples, n = x.shape
        t = np.arange(1, n + 1)
        self.mean = (0.5 + x.sum(axis=-1)) / (n + 1)
        squares = np.cumsum((x - (0.5 + np.cumsum(x, axis=-1)) / (t + 1)) ** 2, axis=-1)
        self.variance = (0.25 + squares[:, -1:].sum(axis=-1)) / (n + 1)
        before = np.zeros((samples, n))  # the bet on example t may know the squares up to t - 1 only
        before[:, 1:] = squares[:, :-1]
        self.stake = strided(np.sqrt(2.0 * target[:, np.newaxis] / (n * (0.25 + before) / t)))
        self.x = strided(x)

    def log_wealth(self, m: Array) -> Array:
        """The largest logarithm that the wealth reaches against each sample's m, at least 0: it starts at 1."""
        column = m[:, np.newaxis]
        # No cap at m = 0, where no bet can lose: the floor only spares the division by zero.
        factors = np.minimum(self.stake, CAP / np.maximum(column, 1e-300))
        factors *= self.x - column
        factors += 1.0
        return highest_log(factors)


def highest_log(factors: Array) -> Array:
    """The largest logarithm that the running product of strided factors reaches, at least 0: it starts at 1."""
    product = factors[0].copy()
    peak = product.copy()
    for factor in factors[1:]:
        product *= factor
        np.maximum(peak, product, out=peak)
    gain = np.log(product)
    peaks = np.cumsum(gain, axis=-1) - gain + np.log(peak)
    return np.asarray(peaks.max(axis=-1, initial=0.0))


def strided(rows: Array) -> Array:
    """Rows of n as (STRIDE, rows, n / STRIDE); the zeros that fill up the last column are bets of nothing."""
    samples, n = rows.shape
    columns = -(-n // STRIDE)
    full = np.zeros((samples, columns * STRIDE))
    full[:, :n] = rows
    return np.ascontiguousarray(full.reshape(samples, columns, STRIDE).transpose(2, 0, 1))


MARGIN = 1e-4  # keeps the variance and the mean in the bet away from zero


@method(
    guarantee=Guarantee.FINITE,
    source=Source("voracek2025", "Algorithm 1"),
    assumes=RANGED,
    needs="values",
    in_order=True,
    p_value=betting_p_value,
    nested=False,
)
def star(losses: Losses, delta: Array) -> Upper:
    r"""Largest mean loss that a gambler, who resizes each bet to the wealth still missing, cannot refute.

    Notes
    -----
    As `betting`, in the same order, with the bets

    .. math::
        \lambda_t(m) = \min\Bigl(\sqrt{\frac{2\,(\ln(1/\delta) - \ln W_{t-1}(m))_+}{(n - t + 1)\,S_t}},\
        \frac{1}{m}\Bigr),
        \qquad
        S_t = \min\Bigl(\frac{\sum_{s < t} (y_s - m)^2}{t - 1} + \frac{m n}{(t - 1)^2},\ m(1 - m)\Bigr),

    where :math:`S_1 = m(1 - m)` and :math:`10^{-4}` is added to :math:`S_t` and to the m of :math:`1/m`.
    The source's last step, a random acceptance, is left out. Often tighter than `betting`, and much slower.

    Examples
    --------
    >>> losses = Losses([i * i % 101 / 300 for i in range(100)])
    >>> print(round(star(losses, delta=0.05, side="upper").upper, 4))
    0.2015
    """
    y, n = losses.mirror().values, losses.values.shape[-1]
    points, drawn = _grid_points(n), losses.drawn
    room = limits_by_bets(y, delta, _lower_limit_on_grid, unordered_lower_limit, numbers=points, drawn=drawn)
    return Upper(1.0 - room, room)


def _grid_points(n: int) -> int:
    """How fine the STaR grid is: past 4096 points, a step stays in proportion to the slack, 1/sqrt(n)."""
    return 64 * max(64, isqrt(n))


def _lower_limit_on_grid(x: Array, delta: Array) -> Array:
    """The last point of a grid up to which all are refuted without a gap.

    The wealth is not known to decrease in m, so there is no root to find. But a grid fixed beforehand needs no
    rounding: let g be the first grid point at or above the true mean. The end of the run of refuted points lies
    above the mean only if the run includes g, and "the mean is at most g" is true: refuted with chance <= delta.
    """
    samples, n = x.shape
    points = _grid_points(n)
    grid = np.sin((np.pi / 2) * (np.arange(1, points) / points)) ** 2
    refuted = np.zeros((samples, points), dtype=bool)  # the last column is m = 1, which nothing refutes
    # Pairs of a sample and a point that are still open; against the largest value or more no bet can win.
    sample, point = np.nonzero(grid < x.max(axis=-1, initial=0.0)[:, np.newaxis])
    m, missing = grid[point], -np.log(delta)[sample]  # missing: how much log-wealth there is still to win
    mean, squares = np.zeros(samples), np.zeros(samples)
    for t in range(n):
        most = m * (1.0 - m)
        if t > 0:
            most = np.minimum((squares / t)[sample] + (mean[sample] - m) ** 2 + m * (n / t**2), most)
        stake = np.sqrt(2.0 * np.maximum(missing, 0.0) / ((n - t) * (most + MARGIN)))
        stake = np.minimum(stake, 1.0 / (m + MARGIN))
        missing -= np.log1p(stake * (x[sample, t] - m))
        step = x[:, t] - mean
        mean += step / (t + 1)
        squares += step * (x[:, t] - mean)
        if t % STRIDE == 0 or t == n - 1:  # a pair that has won stakes nothing more, so it can wait to be put away
            won = missing <= 0.0
            refuted[sample[won], point[won]] = True
            sample, point, m, missing = sample[~won], point[~won], m[~won], missing[~won]
    return np.sin((np.pi / 2) * (np.argmin(refuted, axis=-1) / points)) ** 2
