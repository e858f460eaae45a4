"""Limits on how far the scores of two classes lie apart.

The Gini coefficient is bounded by whatever bounds the area under the ROC curve.
"""

from __future__ import annotations

import numpy as np
from scipy.special import erf

from holdfast.catalog import method
from holdfast.claims import Guarantee, Source
from holdfast.evidence import Array
from holdfast.evidence.ranking.distance import Distance
from holdfast.numerics.limit import Upper
from holdfast.numerics.roots import crossing

ROUNDING = 1e-12  # relative; what the closed form may lose


def _ks_lower(distance: Distance, delta: Array) -> Array:
    return distance.mean - _reach(delta, np.float64(distance.n_positive), np.float64(distance.n_negative))


@method(guarantee=Guarantee.FINITE, source=Source("massart1990", "Corollary 1"), measure="ks", lower=_ks_lower)
def ks_band(distance: Distance, delta: Array) -> Upper:
    r"""Lower limit from bands that hold at all thresholds at once, upper limit from the one best threshold.

    Notes
    -----
    .. math:: \hat D - \varepsilon \le D \le \hat D + \sqrt{\frac{\ln(1/\delta)}{2} \frac{m + n}{m n}}, \qquad
              P(A_m + A_n > \varepsilon) = \delta, \quad P(A_k > x) = \min(1, 2 e^{-2 k x^2})

    each at delta. The true distance is attained, or nearly so, at a threshold that no sample changes, where the
    observed difference of both rates is at most :math:`\hat D`: Hoeffding's inequality for that one difference of
    independent means gives the upper limit. The observed threshold is the best of many, so for the lower limit the
    rates must be right everywhere: :math:`\hat D - D` is at most the sum of the largest errors of both rates, which
    are independent and, by Massart's inequality, no larger than :math:`A_m` and :math:`A_n`. The chance that these
    sum to more has a closed form. Equal scores only make the errors smaller.

    Examples
    --------
    >>> from holdfast.evidence import Scores
    >>> from holdfast.measures.separation import ks
    >>> print(ks_band(ks(Scores(np.arange(400) * 7 % 400, np.arange(400) >= 200))))
    0.145 [0.000, 0.281], ks-band, 95 %, holds at every sample size
    """
    m, n = np.float64(distance.n_positive), np.float64(distance.n_negative)
    slack = np.sqrt(-np.log(delta) / 2 * (1 / m + 1 / n))
    return Upper(distance.mean + slack, distance.complement - slack)


def _reach(delta: Array, m: np.float64, n: np.float64) -> Array:
    """How far both rates together may be off, anywhere, but with this chance."""
    log_delta = np.log(delta)
    if not m or not n:
        return np.full(np.shape(delta), np.nan)
    apart = np.sqrt((np.log(4) - log_delta) / 2)  # each at half of delta: more than enough
    certain, scale = np.sqrt(np.log(2) / 2), 1 / np.sqrt(m) + 1 / np.sqrt(n)
    reach = crossing(lambda reach: log_delta - np.log(_tail(reach, m, n)), apart * scale, certain * scale)
    return reach * (1 + ROUNDING)


def _tail(reach: Array, m: np.float64, n: np.float64) -> Array:
    r"""The chance that A_m + A_n exceeds the reach, which is at least the sum of their smallest values.

    Given :math:`A_m = x`, whose density is :math:`8 m x e^{-2 m x^2}`, the other exceeds the rest with the chance
    :math:`2 e^{-2 n (\varepsilon - x)^2}`, or surely; the product of both is a normal density times x.
    """
    least, rest = np.sqrt(np.log(2) / (2 * m)), reach - np.sqrt(np.log(2) / (2 * n))
    total, centre = m + n, reach * n / (m + n)
    low, high = least - centre, rest - centre
    spread = np.sqrt(2 * total)
    inner = centre * np.sqrt(np.pi) / (2 * spread) * (erf(spread * high) - erf(spread * low))
    inner += (np.exp(-2 * total * low**2) - np.exp(-2 * total * high**2)) / (4 * total)
    return np.asarray(2 * np.exp(-2 * m * rest**2) + 16 * m * np.exp(-2 * reach**2 * m * n / total) * inner)
