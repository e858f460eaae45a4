r"""Limits for the mean of a bounded loss, by betting against every mean it might have.

A player with wealth 1 bets that the mean is larger than m. If it is not, the chance that the wealth ever reaches
1/delta is at most delta (Ville), so an m against which it does is refuted. Everything below the three public
functions is written for a *lower* limit of the sequence at hand; the upper limit of a loss x is one minus the
lower limit of 1 - x.

The order of the examples must not depend on their values, and rows often come sorted or grouped. So the values
are sorted, then shuffled by a seed that the sorted values themselves determine: the same on every engine, and
not open to choice. The guarantee is over that shuffle.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from math import isqrt, prod

import numpy as np
from numpy.typing import NDArray

from holdfast.evidence import Array, Losses
from holdfast.numerics.limit import Upper

CAP = 0.9  # the largest share of the wealth that one bet may lose; chosen by benchmarks/tightness.py
STRIDE = 16  # factors multiplied before a logarithm is taken: so few can neither over- nor underflow
BLOCK = 2**17  # numbers in work at once when many samples come in one call: memory stays bounded, and in cache
STAR_MARGIN = 1e-4  # keeps the variance and the mean in the STaR bet away from zero
TUNED_FOR = 0.05  # the delta for which the bets behind a p-value are sized


def betting(losses: Losses, delta: Array) -> Upper:
    r"""Largest mean loss that a gambler, betting on the examples one by one, cannot refute.

    Notes
    -----
    With :math:`y_t` the values :math:`1 - x`, sorted and then shuffled by their own hash,

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
    The bets are sized for delta: limits for two values of delta need not be nested.

    Examples
    --------
    >>> losses = Losses([0.1, 0.3, 0.2, 0.2, 0.1, 0.4, 0.2, 0.3, 0.1, 0.2] * 10)
    >>> print(betting(losses, np.asarray(0.05)).limit.round(4))
    0.0
    """
    room = _for_each(losses.mirror().values, delta, _lower_limit, numbers=int(losses.n))
    return Upper(1.0 - room, room)


def star(losses: Losses, delta: Array) -> Upper:
    r"""Largest mean loss that a gambler, who resizes each bet to the wealth still missing, cannot refute.

    Notes
    -----
    As `betting`, on the same shuffle, with the bets

    .. math::
        \lambda_t(m) = \min\Bigl(\sqrt{\frac{2\,(\ln(1/\delta) - \ln W_{t-1}(m))_+}{(n - t + 1)\,S_t}},\
        \frac{1}{m}\Bigr),
        \qquad
        S_t = \min\Bigl(\frac{\sum_{s < t} (y_s - m)^2}{t - 1} + \frac{m n}{(t - 1)^2},\ m(1 - m)\Bigr),

    where :math:`S_1 = m(1 - m)` and :math:`10^{-4}` is added to :math:`S_t` and to the m of :math:`1/m`.
    The source's last step, a random acceptance, is left out. A little tighter than `betting`, and slower.

    Examples
    --------
    >>> losses = Losses([0.1, 0.3, 0.2, 0.2, 0.1, 0.4, 0.2, 0.3, 0.1, 0.2] * 10)
    >>> print(star(losses, np.asarray(0.05)).limit.round(4))
    0.0
    """
    points = _grid_points(int(losses.n))
    angle = _for_each(losses.mirror().values, delta, _star_lower_limit, numbers=points) * (np.pi / 2)
    return Upper(np.cos(angle) ** 2, np.sin(angle) ** 2)


def betting_p_value(losses: Losses, null: Array) -> Array:
    r"""How surprising the losses are if their mean is at least `null`: small when the mean is smaller.

    Notes
    -----
    .. math:: p = \min\bigl(1,\ 1 / \max_t W_t(1 - \text{null})\bigr)

    with the bets of `betting` sized for delta = 0.05 whatever the null: a limit's bets follow its delta, so the
    limits are not nested and solving them for delta would not give a p-value.

    Examples
    --------
    >>> losses = Losses([0.1, 0.3, 0.2, 0.2, 0.1, 0.4, 0.2, 0.3, 0.1, 0.2] * 10)
    >>> print(betting_p_value(losses, np.asarray([0.2, 0.25, 0.3])).round(4))
    [0.0 0.0 0.0]
    """
    return _for_each(losses.mirror().values, null, _chance_of_such_wealth, numbers=int(losses.n))


def _for_each(values: Array, setting: Array, solve: Callable[[Array, Array], Array], numbers: int) -> Array:
    """Solve every shuffled sample with its own setting, as many at once as BLOCK allows at `numbers` a sample."""
    own, n = values.shape[:-1], values.shape[-1]
    lead = np.broadcast_shapes(own, np.shape(setting))
    samples = _shuffled(values.reshape(prod(own), n))
    which = np.broadcast_to(np.arange(prod(own)).reshape(own), lead).reshape(-1)
    settings = np.broadcast_to(setting, lead).reshape(-1)
    solved = np.empty(which.size)
    step = max(1, BLOCK // max(numbers, 1))
    for start in range(0, which.size, step):
        here = slice(start, start + step)
        solved[here] = solve(samples[which[here]], settings[here])
    return solved.reshape(lead)


def _shuffled(samples: Array) -> Array:
    """Each row in the order that the hash of its sorted values decides."""
    ordered = np.sort(samples, axis=-1)
    # 1 - (1 - x) is a multiple of 2**-53, and that of 1 - x is one minus it, exactly: a sample hashes the same
    # whether it came as x or as the mirror of its mirror.
    canonical = ((1.0 - (1.0 - ordered)) * 2.0**53).astype("<i8")
    for row, marks in zip(ordered, canonical, strict=True):  # a hash is one sample's business: no array form
        row[:] = row[_order(sha256(marks).digest(), row.size)]
    return ordered


def _order(digest: bytes, n: int) -> NDArray[np.intp]:
    """The permutation of n that sorts raw PCG64 words, which no version of numpy may change, seeded by a digest."""
    words = np.random.PCG64(int.from_bytes(digest[:16], "little")).random_raw(n)
    # The index rides in the lowest bits: sorting words is several times faster than argsort, and no tie is left.
    low = np.uint64((1 << n.bit_length()) - 1)
    keys = (words & ~low) | np.arange(n, dtype=np.uint64)
    keys.sort()
    return (keys & low).astype(np.intp)


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
        self.stake = _strided(np.sqrt(2.0 * target[:, np.newaxis] / (n * (0.25 + before) / t)))
        self.x = _strided(x)

    def log_wealth(self, m: Array) -> Array:
        """The largest logarithm that the wealth reaches against each sample's m, at least 0: it starts at 1."""
        column = m[:, np.newaxis]
        # No cap at m = 0, where no bet can lose: the floor only spares the division by zero.
        factors = np.minimum(self.stake, CAP / np.maximum(column, 1e-300))
        factors *= self.x - column
        factors += 1.0
        product = factors[0].copy()
        peak = product.copy()
        for factor in factors[1:]:
            product *= factor
            np.maximum(peak, product, out=peak)
        gain = np.log(product)
        peaks = np.cumsum(gain, axis=-1) - gain + np.log(peak)
        return np.asarray(peaks.max(axis=-1, initial=0.0))


def _strided(rows: Array) -> Array:
    """Rows of n as (STRIDE, rows, n / STRIDE); the zeros that fill up the last column are bets of nothing."""
    samples, n = rows.shape
    columns = -(-n // STRIDE)
    full = np.zeros((samples, columns * STRIDE))
    full[:, :n] = rows
    return np.ascontiguousarray(full.reshape(samples, columns, STRIDE).transpose(2, 0, 1))


def _lower_limit(x: Array, delta: Array) -> Array:
    """The largest m against which the wealth reaches 1/delta."""
    target = -np.log(delta)
    game = _Game(x, target)

    def excess(m: Array) -> Array:
        return game.log_wealth(m) - target

    # Against the largest value no bet can win, and against 0 none can lose.
    low, high = np.zeros(len(x)), x.max(axis=-1, initial=0.0)
    at_low, at_high = excess(low), -target
    high = np.where(at_low >= 0, high, 0.0)
    # The end mostly lies 0.4 to 1.1 times this below the mean; where not, the probes still are two honest points.
    slack = np.sqrt(2.0 * game.variance * target / max(x.shape[-1], 1))
    for multiple in (1.1, 0.4):
        m = np.clip(game.mean - multiple * slack, low, high)
        value = excess(m)
        reached = value >= 0
        low, at_low = np.where(reached, m, low), np.where(reached, value, at_low)
        high, at_high = np.where(reached, high, m), np.where(reached, at_high, value)
    return _last_reached(excess, low, at_low, high, at_high)


def _last_reached(excess: Callable[[Array], Array], low: Array, at_low: Array, high: Array, at_high: Array) -> Array:
    """The end of a bracket, a few units in the last place wide, where a decreasing function still is >= 0.

    Chandrupatla's method: inverse quadratic interpolation where three points allow it, else halving.
    """
    a, fa, b, fb = low, at_low, high, at_high  # a is the latest point, b the other end, c the one given up
    share = np.full(np.shape(a), 0.5)  # the next point lies this share of the way from a to b
    while True:
        # A finished bracket gets the share 0, hence the same point again: what stands beside it cannot move it.
        width, least = np.abs(b - a), 2.0 * np.spacing(np.maximum(a, b)) + 1e-20
        unfinished = width > 2.0 * least
        if not unfinished.any():
            return np.where(fa >= 0, a, b)
        # At least one unit off both ends: a hit close by must be able to pull in the far end.
        nearest = np.minimum(least / np.maximum(width, least), 0.5)
        share = np.where(unfinished, np.clip(share, nearest, 1.0 - nearest), 0.0)
        m = a + share * (b - a)
        value = excess(m)
        same = (value >= 0) == (fa >= 0)
        c, fc = np.where(same, a, b), np.where(same, fa, fb)
        b, fb = np.where(same, b, a), np.where(same, fb, fa)
        a, fa = m, value
        with np.errstate(divide="ignore", invalid="ignore"):  # equal points or values: halved, never interpolated
            along, up = (a - b) / (c - b), (fa - fb) / (fc - fb)
            curved = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
            share = np.where((up**2 < along) & ((1.0 - up) ** 2 < 1.0 - along), curved, 0.5)


def _chance_of_such_wealth(x: Array, null: Array) -> Array:
    """One over the largest wealth, which is at least 1."""
    game = _Game(x, np.full(len(x), -np.log(TUNED_FOR)))
    return np.exp(-game.log_wealth(1.0 - null))


def _grid_points(n: int) -> int:
    """How many points the STaR grid has: a step stays near a fiftieth of the interval's width as n grows."""
    return 64 * max(32, isqrt(n))


def _star_lower_limit(x: Array, delta: Array) -> Array:
    """How far along the grid sin(pi u / 2)**2, u in [0, 1], the points refuted without a gap reach.

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
        stake = np.sqrt(2.0 * np.maximum(missing, 0.0) / ((n - t) * (most + STAR_MARGIN)))
        stake = np.minimum(stake, 1.0 / (m + STAR_MARGIN))
        missing -= np.log1p(stake * (x[sample, t] - m))
        step = x[:, t] - mean
        mean += step / (t + 1)
        squares += step * (x[:, t] - mean)
        if t % STRIDE == 0 or t == n - 1:  # a pair that has won stakes nothing more, so it can wait to be put away
            won = missing <= 0.0
            refuted[sample[won], point[won]] = True
            sample, point, m, missing = sample[~won], point[~won], m[~won], missing[~won]
    return np.argmin(refuted, axis=-1) / points
