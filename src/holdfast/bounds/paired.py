"""Bounds on the difference of two models on the same examples, and on the mean of values of which there are three.

Both are two rates of which the second is one among the events of the first: of n trials some are events, and of these
some are great ones. With q the rate of events, r that of great ones among events, and a great one worth rho more than
an event, the mean worth is q (1 + rho r).
"""

from __future__ import annotations

import numpy as np
from scipy.special import gammainccinv, ndtr

from holdfast.bounds.binomial import normal_quantile
from holdfast.catalog import method
from holdfast.claims import Guarantee, Source
from holdfast.evidence import Array, Paired
from holdfast.evidence.losses import Grades
from holdfast.evidence.ranking.distance import PairedScores
from holdfast.numerics.binomial import binomial_tail_inverse, log_binomial_tail, log_binomial_tail_and_hazard
from holdfast.numerics.limit import Upper, moved_up
from holdfast.numerics.roots import crossing

DIFFERENCE = "error-rate-difference"


@method(guarantee=Guarantee.FINITE, source=Source("fisher1932", "section 21.1"), measure=DIFFERENCE)
def paired_fisher(pair: Paired, delta: Array) -> Upper:
    r"""The largest difference whose two tails, of wins and of losses among the rest, multiply to no surprise.

    Notes
    -----
    With :math:`p_w` and :math:`p_l` the chances to win and to lose an example, wins are binomial, and losses are
    binomial among the :math:`n - w` examples not won, at the rate :math:`q = p_l / (1 - p_w)`. Each of the tails

    .. math:: P(W \ge w \mid n, p_w), \qquad P(L \le l \mid n - w, q)

    is no smaller than uniform, the second whatever the first, so that minus the sum of their logarithms is no larger
    than a gamma variable of shape 2 (Fisher's combination of tests), and the limit is

    .. math:: \max\Big\{q (1 - p_w) - p_w : \ln P(W \ge w \mid n, p_w) + \ln P(L \le l \mid n - w, q) \ge -c\Big\},
              \qquad P(\Gamma_2 > c) = \delta.

    With :math:`r = 1 - p_w` this maximises :math:`\ln r + \ln(1 + q)`, which is concave as both logarithms of tails
    are, so that with a multiplier :math:`\lambda` the answer is

    .. math:: \max_r [\ln r + \lambda \ln P(n - W \le n - w \mid r)] +
              \max_q [\ln(1 + q) + \lambda \ln P(L \le l \mid q)] + \lambda c

    at the best :math:`\lambda`, and is too large, never too small, at any other. The lower limit is minus the upper
    one of the swapped models, where wins are counted among the examples not lost.

    Only counts matter, not the order of the examples.

    Examples
    --------
    >>> claim = paired_fisher(Paired(won=40, lost=20, n=1000))
    >>> print(f"{claim.estimate:.3f} [{claim.lower:.4f}, {claim.upper:.4f}]")
    -0.020 [-0.0389, -0.0023]
    """
    won, lost, n, level = np.broadcast_arrays(pair.won, pair.lost, pair.n, delta)
    return _in_equal_steps(largest_product(n - won, lost, n, level, np.ones(n.shape)) / 2)


@method(guarantee=Guarantee.FINITE, source=Source("bonferroni1936", "inequality"), measure=DIFFERENCE)
def paired_split(pair: Paired, delta: Array) -> Upper:
    r"""The exact upper limit of the losses minus the exact lower limit of the wins, each at half of delta.

    Notes
    -----
    .. math:: U_l - L_w, \qquad P(L \le l \mid n, U_l) = P(W \ge w \mid n, L_w) = \delta / 2

    One of the two limits fails with probability delta at most, however wins and losses depend on each other.

    Examples
    --------
    >>> claim = paired_split(Paired(won=40, lost=20, n=1000))
    >>> print(f"{claim.estimate:.3f} [{claim.lower:.4f}, {claim.upper:.4f}]")
    -0.020 [-0.0448, 0.0050]
    """
    unwon = binomial_tail_inverse(pair.n - pair.won, pair.n, delta / 2).limit
    lost = binomial_tail_inverse(pair.lost, pair.n, delta / 2).limit
    return _in_equal_steps((lost + unwon) / 2)


@method(guarantee=Guarantee.ASYMPTOTIC, source=Source("tango1998", "the score interval"), measure=DIFFERENCE)
def tango(pair: Paired, delta: Array) -> Upper:
    r"""Solve the normal approximation for the difference, with the variance that fits this difference best.

    Notes
    -----
    .. math:: (\hat\Delta - \Delta)^2 = z_{1-\delta}^2\, \frac{2 \tilde p_w + \Delta (1 - \Delta)}{n}

    where :math:`\tilde p_w`, the likeliest chance to win given :math:`\Delta = p_l - p_w`, is the larger root of

    .. math:: 2 n \tilde p_w^2 + [(2 n - l + w) \Delta - l - w]\, \tilde p_w - w \Delta (1 - \Delta) = 0.

    Without any win or loss it is :math:`z^2 / (n + z^2)`, where the textbook's normal interval has no width.

    Examples
    --------
    >>> claim = tango(Paired(won=16, lost=6, n=161))  # Cavo et al. 2012, as Fagerland et al. print it
    >>> print(f"[{claim.lower:.4f}, {claim.upper:.4f}]")
    [-0.1240, -0.0054]
    """
    won, lost, n, z = np.broadcast_arrays(pair.won, pair.lost, pair.n, normal_quantile(delta))
    difference = (lost - won) / n

    def within(d: Array) -> Array:
        b, rest = (2 * n - lost + won) * d - lost - won, 8 * n * won * d * (1 - d)
        root = np.sqrt(np.maximum(b * b + rest, 0.0))
        likeliest = np.where(b > 0, 2 * won * d * (1 - d) / (root + b), (root - b) / (4 * n))
        return z**2 * (2 * likeliest + d * (1 - d)) / n - (difference - d) ** 2

    limit = crossing(within, difference, np.ones(n.shape))
    # Where all examples ended alike there is no variance at the estimate itself, from which the search sets out.
    alike = np.where(won == n, z**2 - n, z**2) / (n + z**2)
    limit = np.where((won == n) | (won + lost == 0), alike, limit)
    return _in_equal_steps((1 + limit) / 2)


def _in_equal_steps(limit: Array) -> Upper:
    """A limit and its room in steps of one size, so that swapping the models negates every limit to the last bit."""
    room = np.asarray(1.0 - limit)
    return Upper(1.0 - room, room)


@method(guarantee=Guarantee.FINITE, source=Source("fisher1932", "section 21.1"), measure="mean-value")
def nested_fisher(grades: Grades, delta: Array) -> Upper:
    r"""The largest mean whose two tails, of values above the lowest and of the highest among these, are no surprise.

    Notes
    -----
    Of n examples k have more than the lowest value, with the chance q, and of these c the highest, with the chance r
    among them. With the middle value at the part m of the way, the mean is :math:`m q (1 + \rho r)`,
    :math:`\rho = (1 - m)/m`, and the limit is

    .. math:: \max\Big\{m q (1 + \rho r) : \ln P(K \le k \mid n, q) + \ln P(C \le c \mid k, r) \ge -\gamma\Big\},
              \qquad P(\Gamma_2 > \gamma) = \delta,

    by Fisher's combination of the two tails, each of which is no smaller than uniform, the second whatever the first.
    The lower limit counts from the highest value down. For values -1, 0 and 1 this is `paired-fisher`. That there are
    no other values is declared, never read off the data.

    Examples
    --------
    >>> print(nested_fisher(Grades.of([700, 200, 100], levels=(0, 0.5, 1))))
    0.2000 [0.1773, 0.2252], nested-fisher, 95 %, holds at every sample size
    """
    low, middle, high = np.moveaxis(grades.counts, -1, 0)
    n, k, c, level = np.broadcast_arrays(low + middle + high, middle + high, high, delta)
    rho = np.full(n.shape, (1.0 - grades.middle) / grades.middle)
    limit = grades.middle * largest_product(k, c, n, level, rho)
    return Upper(limit, np.asarray(1.0 - limit))


SMALLEST_P = 1e-300


def paired_delong_p_value(scores: PairedScores, null: Array, room: Array) -> Array:
    r"""How surprising the difference is if it is at least `null`, on the scale [0, 1]: small when it is smaller.

    Where no example is placed differently, or all alike, there is no error to measure by, and no surprise: 1.

    Notes
    -----
    .. math:: p = \Phi\Big(\frac{\hat A_1 - \hat A_2 - \text{null}}{s}\Big)

    Examples
    --------
    >>> from holdfast.invert import solve_for_delta
    >>> positive = np.arange(40) >= 20
    >>> scores = PairedScores(np.arange(40) * 7 % 40, np.arange(40) * 9 % 40, positive)
    >>> print(solve_for_delta(paired_delong, scores, 0.5, "both").round(4))
    0.6791
    >>> print(solve_for_delta(paired_delong, PairedScores(np.arange(40), np.arange(40), positive), 0.5, "both"))
    1.0
    """
    surprise = ndtr((scores.mean - null) / _error(scores))
    return np.where(np.isnan(surprise), 1.0, np.maximum(surprise, SMALLEST_P))


@method(
    guarantee=Guarantee.ASYMPTOTIC,
    source=Source("delong1988", "contrast of two areas"),
    measure="auc-difference",
    p_value=paired_delong_p_value,
)
def paired_delong(scores: PairedScores, delta: Array) -> Upper:
    r"""Add z standard errors of the difference, estimated from how differently each example is placed.

    Notes
    -----
    .. math:: \hat A_1 - \hat A_2 + z_{1-\delta}\, s, \qquad s^2 = \frac{s^2_{10}}{m} + \frac{s^2_{01}}{n}

    with the unbiased variances, over the m examples of the class and over the n others, of the difference of the two
    placements of an example: by the first score and by the second, the share of the other class that it outranks.
    That is DeLong's covariance matrix of both areas, of which the difference needs no more; the placements come of
    sorting each score once (Sun and Xu 2014), and their sums are whole numbers. Where no example is placed
    differently, as for a model and itself, it says nothing.

    Not valid for scores of the training examples, nor for a model and a larger one that was fitted to these.

    Examples
    --------
    >>> scores = PairedScores(np.arange(40) * 7 % 40, np.arange(40) * 9 % 40, np.arange(40) >= 20)
    >>> print(paired_delong(scores))
    -0.050 [-0.287, 0.187], paired-delong, 95 %, holds only as the sample grows
    """
    return moved_up(scores.mean, scores.complement, normal_quantile(delta) * _error(scores))


def _error(scores: PairedScores) -> float:
    """The standard error on the scale [0, 1], of which the differences fill two halves; NaN where there is none."""
    return float(np.sqrt(scores.variance) / 2.0) if scores.variance > 0 else float("nan")


STEPS = 100  # a dozen do; what is not found by then is left unsaid
FOUND = 1e-4  # miss of a logarithm of a hazard, of which a last step leaves the square, and the limit a square again


def largest_product(events: Array, great: Array, n: Array, delta: Array, rho: Array) -> Array:
    r"""The largest q (1 + rho r) whose two tails, of events and of great ones among them, multiply to no surprise.

    Each of the tails is no smaller than uniform, the second whatever the first, so that minus the sum of their
    logarithms is no larger than a gamma variable of shape 2 (Fisher's combination of tests), and sought is

    .. math:: \max\{q (1 + \rho r) : \ln P(X \le k \mid n, q) + \ln P(Y \le g \mid k, r) \ge -c\},
              \qquad P(\Gamma_2 > c) = \delta.

    This maximises :math:`\ln q + \ln(1 + \rho r)`, which is concave as both logarithms of tails are, so that with a
    multiplier the answer is a sum of two maxima at the best multiplier, and too large, never too small, at any other.

    Examples
    --------
    >>> print(largest_product(*(np.array([x]) for x in (30.0, 10.0, 100.0, 0.025, 1.0))).round(6) / 2)
    [0.289315]
    """
    c = np.asarray(gammainccinv(2.0, delta))
    k, trials = np.stack([events, great]), np.stack([n, events])
    most = binomial_tail_inverse(k, trials, np.exp(-c))
    log_worth = np.array(np.log(most.limit[0]) + np.log1p(rho * most.limit[1]))
    both = np.all(k < trials, axis=0)  # of nothing but events the tail is 1 at every rate, and costs nothing
    if both.any():
        most_odds = np.log(most.limit[:, both] / most.room[:, both])
        log_worth[both] = _best(k[:, both], trials[:, both], c[both], rho[both], most_odds)
    return np.asarray(np.exp(log_worth))


def _best(k: Array, n: Array, c: Array, rho: Array, most: Array) -> Array:
    """The maximum of ln q + ln(1 + rho r) with no more than c spent on both tails; NaN where the search did not end.

    The unknowns are the log-odds t of both rates, and `level`, minus the logarithm of the multiplier: Newton's method
    on the logarithms of the hazards, as for strata, but the worth of a rate, 1 / q or 1 / (r + 1 / rho), falls as it
    grows.
    """
    above = np.stack([np.zeros(rho.shape), 1.0 / rho])
    m, none = n[1], k[1] == 0  # without a great one, r has a closed form in the level, and is 0 below a threshold
    moving = np.stack([np.ones_like(none), ~none])
    events, trials = np.where(moving, k, 1.0), np.where(moving, n, 2.0)
    half = binomial_tail_inverse(events, trials, np.exp(-c / 2))
    threshold = np.log(m) - np.log(rho)
    t, level = np.log(half.limit / half.room), np.log(m)
    open_ = np.ones(c.shape, bool)
    for _ in range(STEPS):
        p, room = 1 / (1 + np.exp(-t)), 1 / (1 + np.exp(t))
        log_tail, log_hazard = log_binomial_tail_and_hazard(events, trials, p, room)  # by t
        hazard = np.exp(log_hazard)
        slope = hazard + events - (trials - 1.0) * p + p * room / (p + above)  # of the log hazard by p over the worth
        off = np.log(p) + np.log(room) - np.log(p + above) - log_hazard
        gain = hazard / slope
        left, gains = c + np.sum(log_tail - gain * off, axis=0, where=moving), np.sum(gain, axis=0, where=moving)
        aim = left / gains
        # What r costs without a great one is convex in the level: no tangent overstates it, so no aim is too low.
        s = np.maximum(level - threshold, 0.0)
        grade, cost = m / (1 + rho * np.exp(-s)), _cost(m, rho, s)
        aim = np.where(none, np.minimum(aim, (left - cost + grade * (threshold + s)) / (gains + grade)), aim)
        missed = np.where(moving, aim + off, aim - level)
        # An element found stays as it is, whatever else is in the array.
        t, level = np.where(open_ & moving, np.minimum(t + missed / slope, most), t), np.where(open_, aim, level)
        open_ = open_ & ~np.all(np.abs(missed) <= FOUND, axis=0)
        if not open_.any():
            break
    s = np.maximum(level - threshold, 0.0)
    p, room = 1 / (1 + np.exp(-t)), 1 / (1 + np.exp(t))
    log_tail = np.where(moving, log_binomial_tail(events, trials, p, room), -_cost(m, rho, s))
    p = np.where(moving, p, -np.expm1(-s) / (1.0 + rho * np.exp(-s)))
    spare = np.exp(-level) * (np.sum(log_tail, axis=0) + c)
    return np.where(open_, np.nan, np.log(p[0]) + np.log1p(rho * p[1]) + spare)


def _cost(trials: Array, rho: Array, s: Array) -> Array:
    """Minus the logarithm of the chance of no great one, at the best rate so far above the threshold."""
    return np.asarray(trials * (np.logaddexp(np.log(rho), s) - np.log1p(rho)))
