r"""Limits for a mean, or for a ratio of means, into which no order of the draws enters: squared sums, and a few bets.

A draw is a pair of a part a and a whole b, both in parts of the most that a whole can be: a loss and 1, or the events
and the examples of a cluster. All is written for a *lower* limit of the mean of a over the mean of b; the upper
limit is one minus the lower limit of the pairs (b - a, b).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np

from holdfast.bounds.bounded import RANGED
from holdfast.bounds.mixture import CAP, TUNED_FOR, VARIANCES
from holdfast.bounds.panel import DRAWN_APART, UNLABELLED, about_unlabelled
from holdfast.catalog import method
from holdfast.claims import Assumption, Guarantee, Source
from holdfast.evidence import Array, Clusters, Losses
from holdfast.evidence.pools.pool import Pool
from holdfast.numerics.limit import Upper
from holdfast.numerics.roots import crossing
from holdfast.numerics.square_lines import Lines, curved, lines, regime_of, right_end

LARGEST = 10**5  # draws; beyond, sums over them say nearly as much at the cost of one pass
SMALLEST = 1e-12  # a limit below it is 0
POINTS = 512  # between which the end of what five sums refute is looked for
STRIDE = 16  # factors multiplied before a logarithm is taken: so few can neither over- nor underflow


def squares_p_value(draws: Losses | Clusters, null: Array, room: Array) -> Array:
    r"""How surprising the draws are if their mean is at least `null`: one over the evidence against it.

    Notes
    -----
    The design is that for delta = 0.05 whatever the null: it changes with delta, so that limits are not nested and
    solving them for delta would not give a p-value.

    Examples
    --------
    >>> nulls = np.array([0.2, 0.25, 0.3])
    >>> print(squares_p_value(Losses([i * i % 101 / 300 for i in range(100)]), nulls, 1 - nulls).round(4))
    [0.0991 0.0002 0.    ]
    """
    return np.minimum(_for_each(draws, room, lambda pairs, theta: 1.0 / pairs.evidence(theta)), 1.0)


@method(
    guarantee=Guarantee.FINITE,
    source=Source("bentkus2004", "Theorem 1.1"),
    assumes=RANGED,
    needs="draws",
    p_value=squares_p_value,
    nested=False,
)
def squares(draws: Losses | Clusters, delta: Array) -> Upper:
    r"""Largest mean at which the squared sums of the draws are not too surprising, in whatever order they came.

    Notes
    -----
    Of a loss x, or of the k events in the n examples of a cluster that can hold N, take the part that is spared,
    :math:`a = 1 - x` and :math:`b = 1`, or :math:`a = (n - k) / N` and :math:`b = n / N`. Draws with b = 0 say nothing.
    Against :math:`\theta = E[a]/E[b]` speaks

    .. math::
        E(\theta) = (1 - W) \sum_j c_j \Bigl(\sum_i G_{k_j}(z_i) - t_j\Bigr)_+^2 + W\,\frac{P + Q}{2},
        \qquad z_i = \frac{a_i - \theta b_i}{1 - \theta},

    with :math:`G + k G^2 = (1 + k) z`, :math:`W = \min(0.4, 4/\sqrt n)`, P the product of
    :math:`1 + 0.98\,(a_i - \theta b_i)/\theta`, and Q the mean of the dozen products of `mixture`. If
    :math:`E[a] \le \theta E[b]` its mean is at most 1, whatever the law of the draws: the mean of G pays for its
    second moment; X at most c with such a mean and moment has :math:`E(X - t)_+^2` no larger than a two-point law has
    (the source); and one number, the variance of z, ties the second moments for all slopes :math:`k_j` together, so
    that the weights :math:`c_j` lose little. So

    .. math:: U = 1 - \inf\{\theta : E(\theta) < 1/\delta\}

    The slopes, offsets and weights depend on n, delta and a range of :math:`\theta` only, never on the draws; within
    such a range E falls in :math:`\theta`, and every range below the estimate is looked at. No order enters, equal
    draws are counted once, and a larger loss never lowers a limit. About 1.3 times the normal distance at n = 1000 for
    losses of few values; up to twice it for very small variances.

    Examples
    --------
    >>> print(squares(Losses([0.0] * 700 + [0.5] * 200 + [1.0] * 100)))
    0.2000 [0.1733, 0.2285], squares, 95 %, holds at every sample size
    >>> print(squares(Clusters(Counts([0, 0, 1, 0, 3, 0, 2, 0] * 10, [2, 3, 3, 1, 4, 4, 2, 3] * 10), most=5)))
    0.273 [0.160, 0.404], squares, 95 %, holds at every sample size
    """
    room = _for_each(draws, delta, Draws.lower_limit)
    return Upper(1.0 - room, room)


@method(
    guarantee=Guarantee.FINITE,
    source=Source("hoeffding1963", "Theorem 4"),
    assumes=(*DRAWN_APART, Assumption.KNOWN_RANGE),
    needs="values",
    measure=UNLABELLED,
    nested=False,
)
def squares_pool(pool: Pool, delta: Array) -> Upper:
    r"""Largest mean loss of the unlabelled beside which the squared sums of the labelled are not too surprising.

    Notes
    -----
    Of N = d + d' losses d are labelled, drawn by chance without replacement. The sums of `squares` are convex functions
    of sums, whose means are no larger for such draws than for independent ones, and by Maclaurin's inequality the same
    is true of its products. So its limit m for the mean of the whole pool holds, and

    .. math:: \nu' \le m + \frac{d}{d'} (m - \nu)

    Examples
    --------
    >>> losses = Losses([i * i % 101 / 300 for i in range(100)])
    >>> print(round(squares_pool(Pool(losses, unlabelled=100), delta=0.05, side="upper").upper, 4))
    0.2429
    """
    whole = _for_each(Losses(pool.values), delta, Draws.lower_limit)
    room = np.clip(whole + pool.n * (whole - pool.sample.complement) / pool.unlabelled, 0.0, 1.0)
    return about_unlabelled(pool, Upper(1.0 - room, room))


@method(guarantee=Guarantee.FINITE, source=Source("fan2015", "Lemma 4.1"), assumes=RANGED, needs="draws", nested=False)
def cluster_sums(clusters: Clusters, delta: Array) -> Upper:
    r"""Largest rate over all examples that a few bets on whole clusters, known by five sums, have not refuted.

    Notes
    -----
    With a and b as in `squares` and :math:`x = (a - m b)/m \ge -1`, by
    :math:`\ln(1 + c x) \ge c x + (\ln(1 - c) + c)\,x^2` the logarithm of a product of bets is at least

    .. math::
        c\,\Bigl(\frac{S_a}{m} - S_b\Bigr)
        + (\ln(1 - c) + c) \Bigl(\frac{S_{aa}}{m^2} - \frac{2 S_{ab}}{m} + S_{bb}\Bigr),

    which takes the sums of a, b and their products only. The wealth is the mean over c = .9, .45, .225, ... (as many as
    :math:`2 + \lfloor \log_2 (n + 1) \rfloor`), and the limit one minus the largest m against which it reaches
    :math:`1/\delta`. It answers where clusters are too many for `squares`, at some 1.4 times its distance.

    Examples
    --------
    >>> print(cluster_sums(Clusters(Counts([0, 0, 1, 0, 3, 0, 2, 0] * 10, [2, 3, 3, 1, 4, 4, 2, 3] * 10), most=5)))
    0.273 [0.102, 0.486], cluster-sums, 95 %, holds at every sample size
    """
    room = _for_each(clusters, delta, Draws.lower_limit_by_sums)
    return Upper(1.0 - room, room)


def _for_each(draws: Losses | Clusters, setting: Array, solve: Callable[[Draws, float], float]) -> Array:
    """Solve every sample with its own setting; what is spared is the part."""
    if isinstance(draws, Clusters):
        most = draws.most or 1
        part, whole = (draws.parts.n - draws.parts.k) / most, draws.parts.n / most
    else:
        part = draws.mirror().values
        whole = np.ones(part.shape)
    lead = np.broadcast_shapes(part.shape[:-1], np.shape(setting))
    rows = (each.reshape(prod(part.shape[:-1]), part.shape[-1]) for each in (part, whole))
    samples = [Draws.of(a, b) for a, b in zip(*rows, strict=True)]
    which = np.broadcast_to(np.arange(len(samples)).reshape(part.shape[:-1]), lead).reshape(-1)
    settings = np.broadcast_to(setting, lead).reshape(-1)
    return np.array([solve(samples[i], float(s)) for i, s in zip(which, settings, strict=True)]).reshape(lead)


@dataclass(frozen=True, eq=False)
class Draws:
    """The different pairs of a part and a whole among the draws that have a whole at all, and how often each occurs."""

    part: Array
    whole: Array
    times: Array
    n: int

    @classmethod
    def of(cls, part: Array, whole: Array) -> Draws:
        there = whole > 0
        pairs, times = np.unique(part[there] + 1j * whole[there], return_counts=True)
        return cls(pairs.real, pairs.imag, times.astype(np.float64), int(times.sum()))

    @cached_property
    def estimate(self) -> float:
        return float((self.part @ self.times) / (self.whole @ self.times))

    def evidence(self, theta: float, delta: float = TUNED_FOR) -> float:
        """How much the draws speak against a ratio of theta or less; its mean is at most 1 if it is no more."""
        return float(np.exp(_Test(self, delta, regime_of(theta)).log_evidence(theta))) if self.n else 1.0

    def lower_limit(self, delta: float) -> float:
        """The least ratio that is not rejected."""
        delta = min(delta, 0.5)  # beyond it the design is not made; a smaller delta holds a fortiori
        if self.n == 0:
            return 0.0
        target, estimate = -np.log(delta), min(self.estimate, 1.0 - SMALLEST)
        if estimate < SMALLEST:
            return 0.0
        for regime in range(regime_of(self._refuted_by_bets(delta)), regime_of(estimate) - 1, -1):
            test = _Test(self, delta, regime)
            left, right = right_end(regime + 1), right_end(regime)
            at_right = test.log_evidence(right) - target
            if at_right >= 0.0:
                continue  # E falls in theta here: nothing of this range is left
            at_left = test.log_evidence(left) - target
            return _last_reached(lambda theta: test.log_evidence(theta) - target, left, right, (at_left, at_right))  # noqa: B023  (called before the next turn)
        return estimate

    def _refuted_by_bets(self, delta: float) -> float:
        """A ratio up to which the bets alone reject everything: they fall in theta all along."""
        test, target = _Test(self, delta), -np.log(delta)
        return max(_last_reached(lambda theta: test.log_of_bets(theta) - target, SMALLEST, self.estimate), SMALLEST)

    def lower_limit_by_sums(self, delta: float) -> float:
        """The largest ratio against which bets that are known by five sums reach 1/delta."""
        if self.n == 0 or self.estimate < SMALLEST:
            return 0.0
        a, b = self.part, self.whole
        one, two, aa, ab, bb = (float(each @ self.times) for each in (a, b, a * a, a * b, b * b))
        stakes = 0.9 * 0.5 ** np.arange(2 + int(np.log2(self.n + 1)))
        target = -np.log(delta)

        def excess(m: Array) -> Array:
            logs = (one / m - two)[:, np.newaxis] * stakes
            logs += (aa / m**2 - 2.0 * ab / m + bb)[:, np.newaxis] * (np.log1p(-stakes) + stakes)
            return np.asarray(np.logaddexp.reduce(logs, axis=1) - np.log(stakes.size) - target)

        # It need not fall; but what it bounds from below does, so that reaching the target anywhere refutes all below.
        grid = self.estimate * np.linspace(0.0, 1.0, POINTS + 1)[1:]
        reached = np.flatnonzero(excess(grid) >= 0.0)
        return crossing(excess, *grid[[reached[-1], reached[-1] + 1], np.newaxis]).item() if reached.size else 0.0


def _last_reached(
    function: Callable[[float], float], inside: float, outside: float, known: tuple[float, float] | None = None
) -> float:
    """Where a falling function of one number reaches 0; `inside` where it never does, and 0 for what is next to it."""
    ends = np.array([inside]), np.array([outside])
    values = None if known is None else (np.array([known[0]]), np.array([known[1]]))
    limit = crossing(lambda x: np.array([function(x.item())]), *ends, values).item()
    return limit if limit > SMALLEST else 0.0


class _Test:
    """The evidence against each ratio of one range, by lines for the number of draws and delta, and by bets."""

    def __init__(self, draws: Draws, delta: float, regime: int | None = None) -> None:
        self.draws = draws
        self.share = min(0.4, 4.0 / np.sqrt(draws.n))  # of the evidence that is the bets'
        self.stakes = np.sqrt(-2.0 * np.log(delta) / (draws.n * VARIANCES))
        self.parts = np.append(1.0, np.full(VARIANCES.size, 1.0 / VARIANCES.size)) / 2.0
        self.lines: Lines | None = None if regime is None else lines(draws.n, delta, regime)

    def log_evidence(self, theta: float) -> float:
        with np.errstate(divide="ignore"):  # no line is exceeded: the bets are all there is
            squared = np.log((1.0 - self.share) * self._squared_excess(theta))
        return float(np.logaddexp(squared, self.log_of_bets(theta)))

    def _squared_excess(self, theta: float) -> float:
        assert self.lines is not None
        draws = self.draws
        z = (draws.part - theta * draws.whole) / (1.0 - theta)
        sums = np.array([curved(slope, z) @ draws.times for slope in self.lines.slope])
        return float(self.lines.weight @ np.maximum(sums - self.lines.offset, 0.0) ** 2)

    def log_of_bets(self, theta: float) -> float:
        """One bet at the cap, and the dozen of `mixture`, which share the other half of the stake."""
        cap = CAP / theta
        logs = self._logs_of_products(np.append(cap, np.minimum(self.stakes, cap)), theta)
        most = logs.max()
        return float(np.log(self.share) + most + np.log(self.parts @ np.exp(logs - most)))

    def _logs_of_products(self, stakes: Array, theta: float) -> Array:
        draws = self.draws
        won = draws.part - theta * draws.whole
        if draws.times.max() > 1:
            return np.array([np.log1p(stake * won) @ draws.times for stake in stakes])
        filled = np.zeros(-(-won.size // STRIDE) * STRIDE)  # a bet on 0 wins nothing
        filled[: won.size] = won
        rows = filled.reshape(STRIDE, -1)
        return np.array([np.log(np.prod(1.0 + stake * rows, axis=0)).sum() for stake in stakes])
