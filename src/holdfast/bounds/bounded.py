"""Bounds on the mean of losses with a known range, from the number, the mean and the variance of the losses.

Each also takes counts: 0/1 losses are losses. x stands for ln(1/delta) throughout.
"""

from __future__ import annotations

from math import e

import numpy as np

from holdfast.catalog import ALWAYS, method
from holdfast.claims import Assumption, Guarantee, Source
from holdfast.evidence import Array, Sample
from holdfast.numerics.binomial import binomial_tail, binomial_tail_inverse
from holdfast.numerics.divergence import kl_inverse
from holdfast.numerics.limit import Upper, raised
from holdfast.numerics.roots import score_root, score_root_at

RANGED = (*ALWAYS, Assumption.KNOWN_RANGE)


@method(
    guarantee=Guarantee.FINITE,
    source=Source("anguita2012", "(48)"),
    assumes=RANGED,
    aliases=("HOE",),
    own_ranges=True,
)
def hoeffding(losses: Sample, delta: Array) -> Upper:
    r"""Add a slack that depends on n and delta alone.

    Notes
    -----
    .. math:: \hat L + \sqrt{\frac{\ln(1/\delta)}{2 n} \cdot \frac1n \sum_i (b_i - a_i)^2}

    With a range :math:`[a_i, b_i]` for each example (Bax, Eq. 1) the mean squared width enters; it is 1 for
    losses in [0, 1].

    Examples
    --------
    >>> print(round(hoeffding(Losses.from_moments(n=1000, mean=0.1), delta=0.05, side="upper").upper, 4))
    0.1387
    """
    return raised(losses, np.sqrt(-np.log(delta) / (2 * losses.n) * losses.squared_range))


@method(guarantee=Guarantee.FINITE, source=Source("anguita2012", "(44)-(46)"), assumes=RANGED, aliases=("T_HOE",))
def hoeffding_kl(losses: Sample, delta: Array) -> Upper:
    r"""Largest mean whose divergence from the observed one is not too surprising: Hoeffding's tighter form.

    Notes
    -----
    .. math:: \max\{q : \mathrm{kl}(\hat L \,\|\, q) \le \ln(1/\delta) / n\}, \qquad
              1 - \delta^{1/n} \text{ for } \hat L = 0

    As printed, (44) has a random right-hand side and is no statement of probability; its inversion is valid.

    Examples
    --------
    >>> print(round(hoeffding_kl(Losses.from_moments(n=100, mean=0.25), delta=0.05, side="upper").upper, 4))
    0.3645
    """
    return kl_inverse(losses.mean, losses.complement, -np.log(delta) / losses.n)


def _bentkus_p_value(losses: Sample, null: Array, room: Array) -> Array:
    """The chance of so small a sum, times e, were the losses 0/1 with the null as their mean."""
    return np.minimum(e * binomial_tail(_rounded_up(losses), losses.n, null, room), 1.0)


@method(
    guarantee=Guarantee.FINITE,
    source=Source("bentkus2004", "Theorem 1.2"),
    assumes=RANGED,
    p_value=_bentkus_p_value,
)
def bentkus(losses: Sample, delta: Array) -> Upper:
    r"""Clopper-Pearson at the sum of the losses rounded up, paying a factor e in delta for the losses not being 0/1.

    Notes
    -----
    .. math:: \max\{p : \mathrm{Bin}(n, \lceil \textstyle\sum x_i \rceil, p) \ge \delta / e\}

    The sum is rounded correctly before it is rounded up: thirty losses of 0.1 make 3, not 4.

    Examples
    --------
    >>> print(round(bentkus(Losses([0.1] * 30), delta=0.05, side="upper").upper, 4))
    0.2764
    """
    return binomial_tail_inverse(_rounded_up(losses), losses.n, delta / e)


def _rounded_up(losses: Sample) -> Array:
    """The sum as a whole number of events; a sum that misses one by its last digit is that one."""
    return np.minimum(np.ceil(losses.total * (1 - 2 * np.finfo(float).eps)), losses.n)


@method(guarantee=Guarantee.FINITE, source=Source("anguita2012", "(40)"), assumes=RANGED, aliases=("BER",))
def bernstein(losses: Sample, delta: Array) -> Upper:
    r"""Bernstein's inequality with the largest variance that the mean allows, solved for the mean.

    Notes
    -----
    .. math:: L \le \hat L + \sqrt{L (1 - L)} \sqrt{2 x / n} + x / (3 n), \qquad x = \ln(1/\delta)

    Printed with both terms under one root in (39), rightly in (40). No numerical procedure is needed: it is a
    quadratic, and 1 is the answer once :math:`\hat L + x / (3 n)` reaches 1.

    Examples
    --------
    >>> print(round(bernstein(Losses.from_moments(n=1000, mean=0.1), delta=0.05, side="upper").upper, 4))
    0.1268
    """
    x = -np.log(delta) / losses.n
    mean, complement = losses.mean + x / 3, np.maximum(losses.complement - x / 3, 0.0)
    limit, room = score_root_at(mean, complement, 2 * x, 0.0, complement**2)
    return Upper(np.where(complement > 0, limit, 1.0), room)


@method(
    guarantee=Guarantee.FINITE,
    source=Source("maurer2009", "Theorem 4"),
    assumes=RANGED,
    aliases=("empirical-bernstein",),
    needs="s2",
    least=2,
)
def maurer_pontil(losses: Sample, delta: Array) -> Upper:
    r"""Bernstein's inequality with the observed variance, at the price of a larger last term.

    Notes
    -----
    .. math:: \hat L + \sqrt{2 V \ln(2/\delta) / n} + \frac{7 \ln(2/\delta)}{3 (n - 1)}, \qquad
              V = \frac{n}{n - 1} s^2

    The theorem's variance is the unbiased one. The survey's (41) has divisor n, which holds too and is called MAU.

    Examples
    --------
    >>> losses = Losses.from_moments(n=1000, mean=0.1, s2=0.02)
    >>> print(round(maurer_pontil(losses, delta=0.05, side="upper").upper, 4))
    0.1208
    """
    return raised(losses, bernstein_slack(losses.s2 * losses.n / (losses.n - 1), losses.n, delta))


def bernstein_slack(variance: Array, n: Array, delta: Array) -> Array:
    """The empirical Bernstein slack for a given variance."""
    x = np.log(2 / delta)
    return np.sqrt(2 * variance * x / n) + 7 * x / (3 * (n - 1))


def two_sided_chebyshev(losses: Sample, delta: Array) -> Upper:
    """Both roots of Chebyshev's inequality at the whole delta."""
    return score_root(losses, 1 / (delta * losses.n))


@method(
    guarantee=Guarantee.FINITE,
    source=Source("anguita2012", "(20), (34), (35)"),
    assumes=RANGED,
    two_sided=two_sided_chebyshev,
)
def chebyshev(losses: Sample, delta: Array) -> Upper:
    r"""Chebyshev's inequality with the largest variance that the mean allows; for one side, Cantelli's.

    Notes
    -----
    .. math:: (L - \hat L)^2 \le L (1 - L)\, A, \qquad A = \frac{1 - \delta}{\delta n} \text{ on one side},
              \quad \frac{1}{\delta n} \text{ on both}

    The survey prints the two-sided inequality for an upper bound (here called CHE); Cantelli's is free.

    Examples
    --------
    >>> print(round(chebyshev(Losses.from_moments(n=1000, mean=0.1), delta=0.05, side="upper").upper, 4))
    0.1491
    """
    return score_root(losses, (1 - delta) / (delta * losses.n))


def guttman_root(losses: Sample, odds: Array) -> Upper:
    """The root of Guttman's inequality at a given multiple of its standard deviation."""
    a = odds * np.sqrt(2 / (losses.n * (losses.n - 1.0)))
    return score_root_at(losses.mean, losses.complement, a, losses.s2 / (losses.n - 1), losses.mirror().square_of_mean)


def two_sided_guttman(losses: Sample, delta: Array) -> Upper:
    """Both roots of Guttman's inequality at the whole delta."""
    return guttman_root(losses, 1 / np.sqrt(delta))


@method(
    guarantee=Guarantee.FINITE,
    source=Source("anguita2012", "(20), (37), (38)"),
    assumes=RANGED,
    needs="s2",
    least=2,
    two_sided=two_sided_guttman,
)
def guttman(losses: Sample, delta: Array) -> Upper:
    r"""Chebyshev's inequality for the squared distance of the mean less its estimate; for one side, Cantelli's.

    Notes
    -----
    .. math:: (L - \hat L)^2 \le \frac{s^2}{n - 1} + L (1 - L)\, \lambda \sqrt{\frac{2}{n (n - 1)}}, \qquad
              \lambda = \sqrt{(1 - \delta)/\delta} \text{ on one side}, \quad 1/\sqrt\delta \text{ on both}

    The survey prints the two-sided inequality for an upper bound (here called GUT).

    Examples
    --------
    >>> losses = Losses.from_moments(n=1000, mean=0.1, s2=0.02)
    >>> print(round(guttman(losses, delta=0.05, side="upper").upper, 4))
    0.1265
    """
    return guttman_root(losses, np.sqrt((1 - delta) / delta))


def chernoff_lower(losses: Sample, delta: Array) -> Array:
    """The lower companion: from kl(p || q) >= (p - q)^2 / (2 p) for q below p."""
    return losses.mean - np.sqrt(2 * losses.mean * -np.log(delta) / losses.n)


@method(guarantee=Guarantee.FINITE, source=Source("anguita2012", "(42)"), assumes=RANGED, lower=chernoff_lower)
def chernoff(losses: Sample, delta: Array) -> Upper:
    r"""The multiplicative Chernoff bound, solved exactly.

    Notes
    -----
    .. math:: \hat L + c + \sqrt{c^2 + 2 \hat L c}, \qquad c = \ln(1/\delta) / n

    from :math:`\mathrm{kl}(p \| q) \ge (q - p)^2 / (2 q)`. The survey's (42), here called CRF, is a little looser.
    Its lower limit :math:`\hat L - \sqrt{2 \hat L c}` is its own, not the mirror image.

    Examples
    --------
    >>> print(round(chernoff(Losses.from_moments(n=1000, mean=0.1), delta=0.05, side="upper").upper, 4))
    0.1277
    """
    c = -np.log(delta) / losses.n
    return raised(losses, c + np.sqrt(c**2 + 2 * losses.mean * c))
