r"""Limits where whole clusters, not examples, were drawn.

With k events among the n examples of a cluster, and at most N in any, (k + theta (N - n)) / N lies in [0, 1] and has
the mean theta if theta is the mean of k over the mean of n. So a rate over all examples, whatever the examples of a
cluster have to do with each other and however large it is, can be bet against, cluster by cluster.
"""

from __future__ import annotations

import numpy as np

from holdfast.bounds.betting import CAP, highest_log, strided
from holdfast.bounds.bounded import RANGED
from holdfast.bounds.mixture import in_blocks, log_of_mean
from holdfast.bounds.shuffle import limits_by_bets
from holdfast.catalog import method
from holdfast.claims import Guarantee, Source
from holdfast.errors import UnfitMethod
from holdfast.evidence import Array
from holdfast.evidence.draws import Ratio
from holdfast.numerics.limit import Upper
from holdfast.numerics.roots import crossing
from holdfast.numerics.wealth.ratios import CAP as MIXTURE_CAP
from holdfast.numerics.wealth.ratios import VARIANCES

LARGEST_CAP = 0.98  # the largest share of the wealth that one bet may lose, if a cluster is full and all goes wrong


@method(
    guarantee=Guarantee.FINITE,
    source=Source("waudbysmith2024", "Theorem 3"),
    assumes=RANGED,
    needs="draws",
    in_order=True,
    nested=False,
)
def cluster_betting(clusters: Ratio, delta: Array) -> Upper:
    r"""Largest rate over all examples that a gambler, betting on whole clusters one by one, cannot refute.

    Notes
    -----
    The rate is :math:`\theta = E[k] / E[n]`, over the events k and the examples n of a cluster drawn at random. Of the
    N examples that a cluster can hold at most, :math:`s = (n - k) / N` are spared and :math:`w = n / N` there. With the
    clusters in the order in which they were drawn,

    .. math::
        U = 1 - \sup\Bigl\{m : \max_{t \le C} \prod_{i \le t} \bigl(1 + \lambda_i(m)\,(s_i - m w_i)\bigr)
        \ge \tfrac{1}{\delta}\Bigr\},
        \qquad
        \lambda_t(m) = \min\Bigl(\sqrt{\frac{2 \ln(1/\delta)}{C\,\hat\sigma^2_{t-1}}},\ \frac{c_t}{m}\Bigr),

    .. math::
        \hat r_t = \frac{1/2 + \sum_{i \le t} s_i}{1 + \sum_{i \le t} w_i}, \qquad
        \hat\sigma^2_t = \frac{1}{t + 1} \Bigl(\frac14 \cdot \frac{1 + \sum_{i \le t} w_i^2}{t + 1}
        + \sum_{i \le t} (s_i - \hat r_i w_i)^2\Bigr), \qquad
        c_t = \min\Bigl(0.98,\ \frac{0.8}{\max_{i < t} w_i}\Bigr), \quad c_1 = 0.8.

    At :math:`m \ge 1 - \theta` the mean of :math:`s - m w` is at most 0, and since :math:`s \ge 0` and :math:`w \le 1`
    no bet loses more than :math:`c_t`. Every factor decreases in m. Where all clusters hold N examples this is
    `betting` on the shares k / N. As there, clusters of which no order is stated are shuffled by their own hash, at a
    part of delta and without a proof. The closer N is to how large clusters really are, the narrower the interval.

    Examples
    --------
    >>> counts = Counts([0, 0, 1, 0, 3, 0, 2, 0] * 10, [2, 3, 3, 1, 4, 4, 2, 3] * 10)
    >>> print(cluster_betting(Ratio.of_counts(counts, most=5, order="drawn")))
    0.273 [0.174, 0.399], cluster-betting, 95 %, holds at every sample size
    """
    draws, most = clusters.draws, clusters.draws.most or 1.0
    whole = all(np.array_equal(each, np.rint(each)) for each in (clusters.below, most))
    if clusters.levels != (0.0, 1.0) or not whole:
        raise UnfitMethod("cluster-betting counts events of rows that all weigh one; use squares.")
    times = np.rint(draws.times).astype(np.int64)
    spared, there = (np.repeat(each, times) for each in (clusters.below - clusters.above, clusters.below))
    room = lower_limits(spared, there, int(most), delta, drawn=clusters.drawn)
    return Upper(1.0 - room, room)


def lower_limits(events: Array, trials: Array, most: int, delta: Array, *, drawn: bool) -> Array:
    """The least rate of events that bets cannot refute, of one sample or of many, with clusters along the last axis."""
    pairs = _Pairs(most)
    ways = pairs.lower_limit, pairs.unordered_lower_limit
    return limits_by_bets(pairs.packed(events, trials), delta, *ways, numbers=events.shape[-1], drawn=drawn)


class _Pairs:
    """Events and trials of a cluster as one number in [0, 1], to be sorted and shuffled together; and bets on them."""

    def __init__(self, most: int) -> None:
        self.most = most

    def packed(self, events: Array, trials: Array) -> Array:
        return (events * (self.most + 1.0) + trials) / (self.most + 1.0) ** 2

    def unpacked(self, packed: Array) -> tuple[Array, Array]:
        """Both again, as parts of the most that a cluster can hold."""
        events, trials = np.divmod(np.rint(packed * (self.most + 1.0) ** 2), self.most + 1.0)
        return events / self.most, trials / self.most

    def lower_limit(self, rows: Array, delta: Array) -> Array:
        """The largest rate of events against which the wealth reaches 1/delta."""
        target = -np.log(delta)
        events, trials = self.unpacked(rows)
        game = _Game(events, trials, target)

        def excess(m: Array) -> Array:
            return game.log_wealth(m) - target

        low, high = _ends(events, trials)
        # The end mostly lies 0.4 to 1.1 times this slack below the mean, as in `betting`.
        for times in (1.1, 0.4):
            probe = np.clip(game.mean - times * game.slack, low, high)
            reached = excess(probe) >= 0
            low, high = np.where(reached, probe, low), np.where(reached, high, probe)
        return crossing(excess, low, high)

    def unordered_lower_limit(self, rows: Array, delta: Array) -> Array:
        """The same by a dozen fixed bets that share the stake, as in `mixture`."""

        def solve(some: Array, level: Array) -> Array:
            number, times = max(some.shape[-1], 1), np.ones(some.shape[-1], np.int64)
            if len(some) == 1:  # what occurs often is multiplied at once
                values, times = np.unique(some, return_counts=True)
                some = values[np.newaxis]
            events, trials = self.unpacked(some)
            target = -np.log(level)
            sized = np.sqrt(2.0 * target[:, np.newaxis] / (number * VARIANCES))

            def excess(m: Array) -> Array:
                stakes = np.minimum(sized, MIXTURE_CAP / np.maximum(m[:, np.newaxis], 1e-300))
                won = (events - m[:, np.newaxis] * trials)[:, np.newaxis, :]
                return log_of_mean(np.log1p(stakes[:, :, np.newaxis] * won) @ times) - target

            return crossing(excess, *_ends(events, trials))

        return in_blocks(solve, rows, delta)


def _ends(events: Array, trials: Array) -> tuple[Array, Array]:
    """Against 0 no bet can lose, and against the largest rate of any cluster none can win."""
    rates = np.divide(events, trials, out=np.zeros(events.shape), where=trials > 0)
    return np.zeros(len(events)), rates.max(axis=-1, initial=0.0)


class _Game:
    """The wealth of many samples' bets against any rate, in one pass, laid out as in `betting`."""

    def __init__(self, events: Array, trials: Array, target: Array) -> None:
        samples, number = events.shape
        t = np.arange(1, number + 1)
        sum_of_events, sum_of_trials = (np.cumsum(each, axis=-1) for each in (events, trials))
        off = events - (0.5 + sum_of_events) / (1.0 + sum_of_trials) * trials
        # What is believed before anything was seen is scaled to the clusters that were.
        variance = 0.25 * (1.0 + np.cumsum(trials**2, axis=-1)) / (t + 1) + np.cumsum(off**2, axis=-1)
        variance /= t + 1
        before = np.full((samples, number), 0.25)  # the bet on cluster t may know the clusters up to t - 1 only
        before[:, 1:] = variance[:, :-1]
        self.stake = strided(np.sqrt(2.0 * target[:, np.newaxis] / (number * before)))
        # So far as the clusters seen are smaller than they may be, a bet may risk more: one of full size is rare.
        largest = np.ones((samples, number))
        largest[:, 1:] = np.maximum.accumulate(trials, axis=-1)[:, :-1]
        self.cap = strided(CAP / np.maximum(largest, CAP / LARGEST_CAP))
        self.events, self.trials = strided(events), strided(trials)
        total = 1.0 + sum_of_trials[:, -1:].sum(axis=-1)
        self.mean = (0.5 + sum_of_events[:, -1:].sum(axis=-1)) / total
        self.slack = np.sqrt(2.0 * target * variance[:, -1:].sum(axis=-1) * number) / total

    def log_wealth(self, m: Array) -> Array:
        """The largest logarithm that the wealth reaches against each sample's m, at least 0."""
        column = m[:, np.newaxis]
        factors = np.minimum(self.stake, self.cap / np.maximum(column, 1e-300))
        factors *= self.events - column * self.trials
        factors += 1.0
        return highest_log(factors)
