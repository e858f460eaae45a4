"""The survey's bounds as printed, where that differs from the form one would use today.

NOR, WIL, CP, BER, T_HOE and HOE coincide with today's forms and are aliases of them.
"""

from __future__ import annotations

import numpy as np

from holdfast.bounds.bounded import RANGED, bernstein_slack, chernoff_lower, two_sided_chebyshev, two_sided_guttman
from holdfast.catalog import method
from holdfast.claims import Guarantee, Source
from holdfast.evidence import Array, Sample
from holdfast.numerics.limit import Upper, raised


@method(
    guarantee=Guarantee.FINITE,
    source=Source("anguita2012", "(20), (34), (35)"),
    assumes=RANGED,
    name="CHE",
    two_sided=two_sided_chebyshev,
)
def che(losses: Sample, delta: Array) -> Upper:
    r"""Chebyshev's bound as printed: the two-sided inequality, also where one side is asked for.

    Notes
    -----
    .. math:: (L - \hat L)^2 \le L (1 - L) / (\delta n)

    Examples
    --------
    >>> print(round(che(Losses.from_moments(n=1000, mean=0.1), delta=0.05, side="upper").upper, 4))
    0.1506
    """
    return two_sided_chebyshev(losses, delta)


@method(
    guarantee=Guarantee.FINITE,
    source=Source("anguita2012", "(20), (37), (38)"),
    assumes=RANGED,
    name="GUT",
    needs="s2",
    least=2,
    two_sided=two_sided_guttman,
)
def gut(losses: Sample, delta: Array) -> Upper:
    r"""Guttman's bound as printed: the two-sided inequality, also where one side is asked for.

    Notes
    -----
    .. math:: (L - \hat L)^2 \le \frac{s^2}{n - 1} + \frac{L (1 - L)}{\sqrt\delta} \sqrt{\frac{2}{n (n - 1)}}

    Examples
    --------
    >>> losses = Losses.from_moments(n=1000, mean=0.1, s2=0.02)
    >>> print(round(gut(losses, delta=0.05, side="upper").upper, 4))
    0.1268
    """
    return two_sided_guttman(losses, delta)


@method(
    guarantee=Guarantee.FINITE,
    source=Source("anguita2012", "(41)"),
    assumes=RANGED,
    name="MAU",
    needs="s2",
    least=2,
)
def mau(losses: Sample, delta: Array) -> Upper:
    r"""The Maurer-Pontil bound as the survey prints it, with the variance's divisor n.

    Notes
    -----
    .. math:: \hat L + s \sqrt{2 \ln(2/\delta) / n} + \frac{7 \ln(2/\delta)}{3 (n - 1)}

    Not the theorem cited, whose variance has divisor n - 1, but valid all the same: the difference is less than
    the theorem's own slack at every n and delta.

    Examples
    --------
    >>> losses = Losses.from_moments(n=1000, mean=0.1, s2=0.02)
    >>> print(round(mau(losses, delta=0.05, side="upper").upper, 4))
    0.1208
    """
    return raised(losses, bernstein_slack(losses.s2, losses.n, delta))


@method(
    guarantee=Guarantee.FINITE, source=Source("anguita2012", "(42)"), assumes=RANGED, name="CRF", lower=chernoff_lower
)
def crf(losses: Sample, delta: Array) -> Upper:
    r"""The Chernoff bound as printed.

    Notes
    -----
    .. math:: \hat L + \sqrt{2 \hat L \ln(1/\delta) / n} + 2 \ln(1/\delta) / n

    Examples
    --------
    >>> print(round(crf(Losses.from_moments(n=1000, mean=0.1), delta=0.05, side="upper").upper, 4))
    0.1305
    """
    c = -np.log(delta) / losses.n
    return raised(losses, np.sqrt(2 * losses.mean * c) + 2 * c)
