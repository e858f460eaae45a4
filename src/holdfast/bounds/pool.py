r"""Betting on losses drawn from a pool: the more of it has been seen, the more the rest is tied to its total.

The labelled losses come in random order from a pool whose total is fixed. Against every total that the pool might
have a player bets on each next loss being larger than the average of what would then be left; if the total is no
larger, the chance that the wealth ever reaches 1/delta is at most delta (Ville). As in `betting`, the bets are written
for a *lower* limit, on y = 1 - x.
"""

from __future__ import annotations

from math import e, pi

import numpy as np

from holdfast.bounds.betting import CAP, highest_log, strided
from holdfast.bounds.mixture import unordered_lower_limit
from holdfast.bounds.panel import DRAWN_APART, UNLABELLED, about_unlabelled, hypergeometric_levels
from holdfast.bounds.shuffle import ALIKE, for_each_ordered, kept_back, times_of_each
from holdfast.catalog import method
from holdfast.claims import Assumption, Guarantee, Source
from holdfast.evidence import Array, Losses
from holdfast.evidence.pools.pool import Pool
from holdfast.numerics.limit import Upper
from holdfast.numerics.roots import crossing


@method(
    guarantee=Guarantee.FINITE,
    source=Source("waudbysmith2024", "section on sampling without replacement"),
    assumes=(*DRAWN_APART, Assumption.KNOWN_RANGE),
    needs="values",
    in_order=True,
    measure=UNLABELLED,
    nested=False,
)
def betting_pool(pool: Pool, delta: Array) -> Upper:
    r"""Largest mean loss of the unlabelled that a gambler, betting on the labelled one by one, cannot refute.

    Notes
    -----
    Of N = d + d' losses d are labelled. With :math:`y_t` the labelled values :math:`1 - x` in the order in which they
    were drawn, and v the mean that y might have on the unlabelled,

    .. math::
        U = 1 - \sup\Bigl\{v : \max_{t \le d} \prod_{s \le t} \bigl(1 + \lambda_s\,(y_s - m_s(v))\bigr)
        \ge \tfrac{1}{\delta}\Bigr\},
        \qquad
        m_t(v) = \frac{d' v + \sum_{s \ge t} y_s}{N - t + 1},

    where :math:`m_t` is the mean of what is left of the pool before draw t, and

    .. math::
        \lambda_t(v) = \min\Bigl(\frac{1}{N - t + 1} \sqrt{\frac{2 \ln(1/\delta)}{Q\,\hat\sigma^2_{t-1}}},\
        \frac{c}{m_t(v)}\Bigr), \qquad Q = \sum_{t \le d} \frac{1}{(N - t + 1)^2}.

    A wrong total moves :math:`m_t` the more the less is left, hence bets that grow like 1/(N - t + 1); with equal
    bets the limit would be wider where more is labelled than not. Every factor decreases in v. As the unlabelled
    grow in number this becomes `betting`. Losses of which no order is stated are shuffled as there, at
    :math:`(1 - r)\,\delta` and without a proof; where too few different samples could have been drawn, the limit is
    that of `hypergeometric-levels` at :math:`r\,\delta` if levels were declared. Else :math:`v = (N m - \sum y)/d'`,
    with m that of `mixture` at :math:`r\,\delta`, which holds for draws without replacement as well: by Maclaurin's
    inequality the mean product of such draws is at most that of independent ones.

    Examples
    --------
    >>> losses = Losses([i * i % 101 / 300 for i in range(100)])
    >>> print(round(betting_pool(Pool(losses, unlabelled=100), delta=0.05, side="upper").upper, 4))
    0.2257
    """
    y, n = pool.mirror().values, pool.values.shape[-1]
    lead = np.broadcast_shapes(y.shape[:-1], delta.shape, pool.unlabelled.shape)
    level, rest = (np.broadcast_to(each, lead).reshape(-1) for each in (delta, pool.unlabelled.astype(np.float64)))
    places, back = np.arange(level.size).reshape(lead), 0.0 if pool.drawn else kept_back(n)

    def solve(rows: Array, which: Array) -> Array:
        return _lower_limit(rows, (1 - back) * level[which], rest[which])

    room = for_each_ordered(y, places, solve, numbers=n, drawn=pool.drawn)
    if not pool.drawn and (few := _too_few_alike(y, delta, pool.unlabelled)).any():
        which, rows = places[few], np.broadcast_to(y, (*lead, n))[few]
        room[few] = _unordered_lower_limit(rows, back * level[which], rest[which], pool.levels)
    return about_unlabelled(pool, Upper(1.0 - room, room))


def _lower_limit(x: Array, delta: Array, rest: Array) -> Array:
    """The largest mean of the rest against which the wealth reaches 1/delta."""
    target = -np.log(delta)
    game = _Game(x, target, rest)
    # Against a rest of nothing but zeros only what is impossible can lose; that it is all ones is never refuted.
    return crossing(lambda v: game.log_wealth(v) - target, np.zeros(len(x)), np.ones(len(x)))


def _unordered_lower_limit(x: Array, delta: Array, rest: Array, levels: int | None) -> Array:
    """A lower limit for the mean of the rest in which no order enters."""
    if levels is not None:
        turned = Pool(Losses(1.0 - x), rest.astype(np.int64), levels=levels)
        return hypergeometric_levels.upper(turned, delta).room
    mean = unordered_lower_limit(x, delta)  # of the whole pool
    return np.maximum(mean + x.shape[-1] * (mean - x.mean(axis=-1)) / rest, 0.0)


class _Game:
    """The wealth of bets on many samples, each from a pool with a rest of its own, in one pass."""

    def __init__(self, x: Array, target: Array, rest: Array) -> None:
        samples, n = x.shape
        t = np.arange(1, n + 1)
        left = n - t + 1 + rest[:, np.newaxis]  # in the pool, before draw t
        squares = np.cumsum((x - (0.5 + np.cumsum(x, axis=-1)) / (t + 1)) ** 2, axis=-1)
        before = np.zeros((samples, n))  # the bet on example t may know the squares up to t - 1 only
        before[:, 1:] = squares[:, :-1]
        sharpness = np.sum(left**-2.0, axis=-1, keepdims=True)
        stake = np.sqrt(2.0 * target[:, np.newaxis] / (sharpness * (0.25 + before) / t)) / left
        to_come = np.cumsum(x[:, ::-1], axis=-1)[:, ::-1]
        self.x, self.stake = strided(x), strided(stake)
        self.seen, self.unseen = strided(to_come / left), strided(rest[:, np.newaxis] / left)

    def log_wealth(self, v: Array) -> Array:
        """The largest logarithm that the wealth reaches against each sample's v, at least 0: it starts at 1."""
        mean = self.seen + self.unseen * v[:, np.newaxis]
        # No cap where the mean is 0 and no bet can lose: the floor only spares the division by zero.
        factors = np.minimum(self.stake, CAP / np.maximum(mean, 1e-300))
        factors *= self.x - mean
        factors += 1.0
        return highest_log(factors)


def _too_few_alike(values: Array, delta: Array, unlabelled: Array) -> Array:
    """Whether too few different samples could have been drawn from such a pool, as `shuffle.too_few_alike` means it.

    A value that c of n labelled examples have is left out of the draw by chance: its count has a variance of about
    c d' / N, and an entropy of about half the logarithm of 1 + 2 pi e times that.
    """
    n = values.shape[-1]
    lead = np.broadcast_shapes(values.shape[:-1], delta.shape, unlabelled.shape)
    if n == 0:
        return np.zeros(lead, dtype=bool)
    row, times = times_of_each(values)
    samples = values.size // n
    several = (np.bincount(row, minlength=samples) > 1).reshape(values.shape[:-1])
    alike = np.empty(lead)
    share = unlabelled / (n + unlabelled)
    for one in np.unique(share):
        entropy = np.bincount(row, _entropy(times * one), minlength=samples) - _entropy(n * one)
        alike = np.where(share == one, entropy.reshape(values.shape[:-1]), alike)
    return np.broadcast_to(several & (alike + np.log(delta) < np.log(ALIKE)), lead)


def _entropy(variance: Array) -> Array:
    return np.asarray(np.log1p(2 * pi * e * variance) / 2)
