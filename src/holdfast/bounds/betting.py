r"""Limits for the mean of a bounded loss, by betting against every mean it might have.

A player with wealth 1 bets that the mean is larger than m. If it is not, the chance that the wealth ever reaches
1/delta is at most delta (Ville), so an m against which it does is refuted. Everything below the three public
functions is written for a *lower* limit of the sequence at hand; the upper limit of a loss x is one minus the
lower limit of 1 - x.

The order of the examples must not depend on their values, and rows often come sorted or grouped. So the values
are sorted, then shuffled by a seed that the sorted values themselves determine: the same on every engine, and
not open to choice. The guarantee is over that shuffle.

A sample of few different values, such as grades, has few others like it, hence few shuffles, too few to average
out: by enumeration a bet on them misses up to 20 % of the time at a nominal 5 %. So a part of delta is kept back
for samples that have too few others like them, and these are answered by `mixture`, in which no order enters.
The two parts add up to delta whatever decides between them. (0/1 losses should be declared as counts in any case:
Clopper-Pearson is far tighter.)
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from math import isqrt, prod

import numpy as np
from numpy.typing import NDArray

from holdfast.bounds.bounded import RANGED
from holdfast.bounds.mixture import TUNED_FOR, mixture, mixture_p_value
from holdfast.catalog import method
from holdfast.claims import Assumption, Guarantee, Source
from holdfast.evidence import Array, Losses
from holdfast.numerics.limit import Upper
from holdfast.numerics.roots import crossing

# The largest share of the wealth that one bet may lose: the source's own. Measured at n = 1000, less is looser on
# losses of small variance (uniform on [.2, .3]: 3.1 normal slacks at .5, 2.2 at .75), more on losses mostly zero.
CAP = 0.75
STRIDE = 16  # factors multiplied before a logarithm is taken: so few can neither over- nor underflow
BLOCK = 2**17  # numbers in work at once when many samples come in one call: memory stays bounded, and in cache
STAR_MARGIN = 1e-4  # keeps the variance and the mean in the STaR bet away from zero
ALIKE = 500.0  # how many samples that miss there should be among those alike, so that their number averages out
SHUFFLED = (*RANGED, Assumption.SHUFFLED)


def betting_p_value(losses: Losses, null: Array, room: Array) -> Array:
    r"""How surprising the losses are if their mean is at least `null`: small when the mean is smaller.

    Notes
    -----
    .. math:: p = \min\Bigl(1,\ \frac{1}{(1 - r) \max_t W_t(1 - \text{null})}\Bigr), \qquad r = \min(1/2, 20/n)

    with the bets of `betting` sized for delta = 0.05 whatever the null: a limit's bets follow its delta, so the
    limits are not nested and solving them for delta would not give a p-value.

    Examples
    --------
    >>> losses = Losses([i * i % 101 / 300 for i in range(100)])
    >>> nulls = np.array([0.2, 0.25, 0.3])
    >>> print(betting_p_value(losses, nulls, 1 - nulls).round(4))
    [0.088  0.0007 0.    ]
    """
    y = losses.mirror().values
    kept_back = _kept_back(y.shape[-1])
    by_bets = _for_each(y, room, _chance_of_such_wealth, numbers=y.shape[-1]) / (1 - kept_back)
    unordered = mixture_p_value(losses, null, room) / kept_back
    return np.minimum(np.where(_too_few_alike(y, np.asarray(TUNED_FOR)), unordered, by_bets), 1.0)


@method(
    guarantee=Guarantee.FINITE,
    source=Source("waudbysmith2024", "Theorem 3"),
    assumes=SHUFFLED,
    needs="values",
    p_value=betting_p_value,
)
def betting(losses: Losses, delta: Array) -> Upper:
    r"""Largest mean loss that a gambler, betting on the examples one by one, cannot refute.

    Notes
    -----
    With :math:`y_t` the values :math:`1 - x`, sorted and then shuffled by their own hash,

    .. math::
        U = 1 - \sup\Bigl\{m : \max_{t \le n} \prod_{s \le t} \bigl(1 + \lambda_s(m)\,(y_s - m)\bigr)
        \ge \tfrac{1}{\delta'}\Bigr\},
        \qquad
        \lambda_t(m) = \min\Bigl(\sqrt{\frac{2 \ln(1/\delta')}{n\,\hat\sigma^2_{t-1}}},\ \frac{c}{m}\Bigr),

    .. math::
        \hat\mu_t = \frac{1/2 + \sum_{i \le t} y_i}{t + 1}, \qquad
        \hat\sigma^2_t = \frac{1/4 + \sum_{i \le t} (y_i - \hat\mu_i)^2}{t + 1}.

    Every factor decreases in m, whichever of the two terms is the smaller, so the set is an interval and a
    bracketed root finds its end, from the side where the wealth does reach :math:`1/\delta'`.
    The bets are sized for delta: limits for two values of delta need not be nested. c is 3/4, and
    :math:`\delta' = (1 - r)\,\delta` with :math:`r = \min(1/2, 20/n)`; a sample of so few different values
    that a shuffle cannot be trusted is answered by `mixture` at :math:`r\,\delta` instead.

    Examples
    --------
    >>> losses = Losses([i * i % 101 / 300 for i in range(100)])
    >>> print(round(betting(losses, delta=0.05, side="upper").upper, 4))
    0.2066
    """
    y = losses.mirror().values
    room = _for_each(y, (1 - _kept_back(y.shape[-1])) * delta, _lower_limit, numbers=y.shape[-1])
    return _guarded(losses, delta, Upper(1.0 - room, room))


@method(
    guarantee=Guarantee.FINITE,
    source=Source("voracek2025", "Algorithm 1"),
    assumes=SHUFFLED,
    needs="values",
    p_value=betting_p_value,
)
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
    The source's last step, a random acceptance, is left out. Often tighter than `betting`, and much slower.

    Examples
    --------
    >>> losses = Losses([i * i % 101 / 300 for i in range(100)])
    >>> print(round(star(losses, delta=0.05, side="upper").upper, 4))
    0.2068
    """
    y = losses.mirror().values
    spent = (1 - _kept_back(y.shape[-1])) * delta
    angle = (np.pi / 2) * _for_each(y, spent, _star_lower_limit, numbers=_grid_points(y.shape[-1]))
    return _guarded(losses, delta, Upper(np.cos(angle) ** 2, np.sin(angle) ** 2))


def _guarded(losses: Losses, delta: Array, by_bets: Upper) -> Upper:
    """The limit by bets, but for samples with too few others like them the one that no order enters."""
    few = _too_few_alike(losses.values, delta)
    if not few.any():
        return by_bets
    unordered = mixture.upper(losses, _kept_back(losses.values.shape[-1]) * delta)
    return Upper(np.where(few, unordered.limit, by_bets.limit), np.where(few, unordered.room, by_bets.room))


def _kept_back(n: int) -> float:
    """The part of delta for samples with too few others like them: a half, then less, as they grow rare with n."""
    return min(0.5, 20.0 / max(n, 1))


def _too_few_alike(values: Array, delta: Array) -> Array:
    """Whether, among the samples that could as well have been drawn, too few would miss to trust their number.

    Of k different values with counts c_1..c_k the samples alike are about as many as the entropy of such counts
    tells, the product of sqrt(2 pi e c_j) over sqrt(2 pi e n); one in 1/delta of them may miss. A constant sample
    has nothing to shuffle, and its bet is what it is.
    """
    n = values.shape[-1]
    if n == 0:
        return np.zeros(np.broadcast_shapes(values.shape[:-1], delta.shape), dtype=bool)
    samples = values.reshape(-1, n)
    ordered = np.sort(_canonical(samples), axis=-1)
    starts = np.ones(ordered.shape, dtype=bool)
    starts[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    first = np.flatnonzero(starts)
    counts = np.diff(np.append(first, ordered.size))
    entropy = np.bincount(first // n, np.log(2 * np.pi * np.e * counts) / 2) - np.log(2 * np.pi * np.e * n) / 2
    several = starts.sum(axis=-1) > 1
    alike, several = (each.reshape(values.shape[:-1]) for each in (entropy, several))
    return np.asarray(several & (alike + np.log(delta) < np.log(ALIKE)))


def _canonical(values: Array) -> Array:
    """The values as whole numbers, the same for x as for the mirror of its mirror.

    1 - (1 - x) is a multiple of 2**-53, and that of 1 - x is one minus it, exactly.
    """
    return ((1.0 - (1.0 - values)) * 2.0**53).astype("<i8")


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
    for row, marks in zip(ordered, _canonical(ordered), strict=True):  # a hash is one sample's business: no array form
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

    # Against 0 no bet can lose, and against the largest value none can win.
    low, high = np.zeros(len(x)), x.max(axis=-1, initial=0.0)
    # The end mostly lies 0.4 to 1.1 times this slack below the mean: two probes there halve the passes.
    slack = np.sqrt(2.0 * target * game.variance / max(x.shape[-1], 1))
    for times in (1.1, 0.4):
        probe = np.clip(game.mean - times * slack, low, high)
        reached = excess(probe) >= 0
        low, high = np.where(reached, probe, low), np.where(reached, high, probe)
    return crossing(excess, low, high)


def _chance_of_such_wealth(x: Array, m: Array) -> Array:
    """One over the largest wealth, which is at least 1."""
    game = _Game(x, np.full(len(x), -np.log(TUNED_FOR)))
    return np.exp(-game.log_wealth(m))


def _grid_points(n: int) -> int:
    """How fine the STaR grid is: past 4096 points, a step stays in proportion to the slack, 1/sqrt(n)."""
    return 64 * max(64, isqrt(n))


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
    return np.asarray(np.argmin(refuted, axis=-1) / points)
