"""Bounds on the difference of two models' error rates on the same examples."""

from __future__ import annotations

import numpy as np

from holdfast.bounds.binomial import normal_quantile
from holdfast.catalog import method
from holdfast.claims import Guarantee, Source
from holdfast.evidence import Array, Paired
from holdfast.numerics.binomial import binomial_tail_inverse
from holdfast.numerics.limit import Upper
from holdfast.numerics.roots import crossing
from holdfast.numerics.wealth.nested import largest_product

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

    found = crossing(within, difference, np.ones(n.shape))
    # Where all examples ended alike there is no variance at the estimate itself, from which the search sets out.
    alike = np.where(won == n, z**2 - n, z**2) / (n + z**2)
    found = np.where((won == n) | (won + lost == 0), alike, found)
    return _in_equal_steps((1 + found) / 2)


def _in_equal_steps(limit: Array) -> Upper:
    """A limit and its room in steps of one size, so that swapping the models negates every limit to the last bit."""
    room = np.asarray(1.0 - limit)
    return Upper(1.0 - room, room)
