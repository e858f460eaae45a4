"""Limits on how far forecasts are from what comes true, and on how far the scores of two classes lie apart.

The Gini coefficient is bounded by whatever bounds the area under the ROC curve.
"""

from __future__ import annotations

import numpy as np
from scipy.special import erf

from holdfast.catalog import method
from holdfast.claims import Assumption, Guarantee, Source
from holdfast.evidence import Array
from holdfast.evidence.ranking.calibration import CalibrationError, ChosenBins
from holdfast.evidence.ranking.distance import Distance
from holdfast.numerics.binomial import binomial_tail_inverse
from holdfast.numerics.limit import Upper
from holdfast.numerics.roots import crossing

BINNED = (Assumption.INDEPENDENT, Assumption.FIXED_MODEL, Assumption.FIXED_PLAN, Assumption.FIXED_BINS)
# Mean squares that forecasts may have, and how much of delta is spent on each: half on what is usual.
SPREADS = np.array([1.0, 0.15, 0.02, 0.003, 4e-4, 5e-5])
WEIGHTS = np.array([0.1, 0.5, 0.1, 0.1, 0.1, 0.1])
LARGEST = {"upper": 0.5, "lower": 0.35}  # stakes at which a limit is still searched along a falling curve


def _stakes(n: Array, delta: Array, most: float, price: float = 0.0) -> Array:
    """The best stake for each spread, along a last axis; it must not depend on what was seen."""
    wanted = 2.0 * (price - np.log(delta)) / np.maximum(n, 1)
    return np.minimum(np.sqrt(wanted[..., np.newaxis] / SPREADS), most)


def _cost(stake: Array, least: float) -> Array:
    r"""What a squared win costs where no win is below minus `least`: :math:`-\ln(1 - c s) - c s`, over c squared."""
    return np.asarray((-np.log1p(-least * stake) - least * stake) / least**2)


def _log_mean(logarithms: Array) -> Array:
    most = np.max(logarithms, axis=-1)
    return np.asarray(most + np.log(np.exp(logarithms - most[..., np.newaxis]) @ WEIGHTS))


def _smallest(error: CalibrationError, delta: Array) -> Array:
    """The least calibration error under which betting on the sign of each gap has not won too much."""
    n, size = error.n, np.abs(error.gaps[..., np.newaxis, :])
    stake = _stakes(n, delta, LARGEST["lower"], price=error.gaps.shape[-1] * np.log(2.0) / 2)
    cost = _cost(stake, 2.0)

    def surprising(low: Array) -> Array:
        m, count = low[..., np.newaxis], n[..., np.newaxis]
        won = (count[..., np.newaxis] * (stake + 2.0 * cost * m)[..., np.newaxis]) * size
        either = np.sum(won + np.log1p(np.exp(-2.0 * won)) - np.log(2.0), axis=-1)  # the logarithms of cosh
        square = np.asarray(error.square)[..., np.newaxis]
        return np.log(delta) + _log_mean(either - count * (stake * m + cost * (square + m * m)))

    most = np.broadcast_to(error.mean, np.broadcast_shapes(error.mean.shape, np.shape(delta)))
    return crossing(surprising, np.zeros(most.shape), most)


@method(
    guarantee=Guarantee.FINITE,
    source=Source("fan2015", "section 4"),
    assumes=BINNED,
    lower=_smallest,
    measure="ece",
)
def signs(error: CalibrationError, delta: Array) -> Upper:
    r"""Largest calibration error against which betting on the signs of the gaps has not won too much.

    Notes
    -----
    Let :math:`x_i = s_{b(i)} (y_i - c_i)` with a sign s for each bin. For the true signs its mean is the calibration
    error E; for any others it is no larger. As :math:`e^{\lambda x - \psi(\lambda) x^2} \le 1 + \lambda x` for all x
    from -1 on, with :math:`\psi(\lambda) = -\ln(1 - \lambda) - \lambda`, both

    .. math:: e^{n [\lambda (E - \bar x) - \psi(\lambda)\,\overline{(E - x)^2}]} \quad \text{and} \quad
              e^{n [\lambda (\bar x - E) - \psi_2(\lambda)\,\overline{(x - E)^2}]}, \qquad
              \psi_2(\lambda) = \psi(2 \lambda) / 4

    have a mean of at most 1, the first for the true signs and the second for all; they exceed :math:`1/\delta` with
    probability delta at most, and so does their average over stakes :math:`\lambda` fixed beforehand. The mean square
    is that of the forecasts whatever the signs. The first falls in :math:`\bar x`, which the estimate is no less than:
    that gives the upper limit. The average of the second over all signs gives the lower one,

    .. math:: \prod_b \cosh\big(n (\lambda + 2 \psi_2 E)\,g_b\big)\;
              e^{-n [\lambda E + \psi_2 (\overline{(y - c)^2} + E^2)]}

    with the gaps :math:`g_b`, whose sizes add up to the estimate. So a bin costs at most :math:`\ln 2`, and one whose
    gap is small nearly nothing.

    Examples
    --------
    >>> claim = signs(CalibrationError(np.array([0.06, -0.09]), np.array(0.1), np.array(1000)))
    >>> print(f"{claim.estimate:.3f} [{claim.lower:.3f}, {claim.upper:.3f}]")
    0.150 [0.112, 0.180]
    """
    n, plug_in = error.n, error.mean
    stake = _stakes(n, delta, LARGEST["upper"])
    cost = _cost(stake, 1.0)

    def surprising(high: Array) -> Array:
        m, count = high[..., np.newaxis], n[..., np.newaxis]
        seen, square = plug_in[..., np.newaxis], np.asarray(error.square)[..., np.newaxis]
        return np.log(delta) + _log_mean(count * (stake * (m - seen) - cost * (m * m - 2.0 * m * seen + square)))

    least = np.broadcast_to(plug_in, np.broadcast_shapes(plug_in.shape, np.shape(delta)))
    limit = crossing(surprising, np.ones(least.shape), least)
    return Upper(limit, 1.0 - limit)


def _average_lower(error: CalibrationError, delta: Array) -> Array:
    bins = error.gaps.shape[-1]
    return np.asarray(error.mean - np.sqrt(bins / error.n) - np.sqrt(-2.0 * np.log(delta) / error.n))


@method(
    guarantee=Guarantee.FINITE,
    source=Source("mcdiarmid1989", "Lemma 1.2"),
    assumes=BINNED,
    lower=_average_lower,
    measure="ece",
)
def mcdiarmid(error: CalibrationError, delta: Array) -> Upper:
    r"""Add what no example, changed one at a time, makes the estimate stray by.

    Notes
    -----
    .. math:: \hat E + \sqrt{2 \ln(1/\delta) / n}, \qquad
              \hat E - \sqrt{B / n} - \sqrt{2 \ln(1/\delta) / n}

    One example changes the estimate by 2/n at most. Its mean is no less than the true value by Jensen's inequality and,
    by Cauchy's, no more than that and :math:`\sqrt{B\,E (y - c)^2 / n}`, with B bins and a mean square of at most 1.

    Examples
    --------
    >>> claim = mcdiarmid(CalibrationError(np.array([0.06, -0.09]), np.array(0.1), np.array(1000)))
    >>> print(f"{claim.estimate:.3f} [{claim.lower:.3f}, {claim.upper:.3f}]")
    0.150 [0.019, 0.236]
    """
    slack = np.sqrt(-2.0 * np.log(delta) / error.n)
    return Upper(error.mean + slack, error.complement - slack)


@method(
    guarantee=Guarantee.HEURISTIC, source=Source("clopper1934", "as if the bins had been fixed"), measure="calibration"
)
def chosen_bins(bins: ChosenBins, delta: Array) -> Upper:
    r"""Take the bins for fixed ones, which they are not, and the counts for binomial.

    Notes
    -----
    .. math:: \max\{p : P(X \le k \mid n, p) \ge \delta\}

    Edges that follow the scores make the share of a bin a moving target. Give edges beforehand, and it stands still.

    Examples
    --------
    >>> print(chosen_bins(ChosenBins(Counts(8, 30))))
    0.267 [0.122, 0.459], chosen-bins, 95 %, comes without proof
    """
    return binomial_tail_inverse(bins.counts.k, bins.counts.n, delta)


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
    >>> from holdfast.measures.ranking import ks
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
