"""How far truth and prediction agree beyond what their margins alone would bring about."""

from __future__ import annotations

import numpy as np

from holdfast.catalog import measure
from holdfast.claims import Source
from holdfast.evidence import Array, Contingency, MonotoneInRecalls, TableStatistic

LARGEST_EXACT = 3_000_000_000  # examples whose number squared still is a 64-bit integer


def _mcc_of_rates(odds: Array, a: Array, not_a: Array, b: Array, not_b: Array) -> Array:
    spread = _times(a * not_a, odds) + _over(b * not_b, odds) + a * b + not_a * not_b
    return np.asarray((a - not_b) / np.sqrt(spread))


def _kappa_of_rates(odds: Array, a: Array, not_a: Array, b: Array, not_b: Array) -> Array:
    return np.asarray(2 * (a - not_b) / (_times(not_a, odds) + _over(not_b, odds) + a + b))


def _times(share: Array, odds: Array) -> Array:
    """A share times the odds; nothing is nothing even at infinite odds."""
    return np.multiply(share, odds, out=np.zeros(np.broadcast_shapes(np.shape(share), np.shape(odds))), where=share > 0)


def _over(share: Array, odds: Array) -> Array:
    return _times(share, np.divide(1.0, odds, out=np.full(np.shape(odds), np.inf), where=odds > 0))


@measure(
    better="higher",
    unit="index",
    of_rates=_mcc_of_rates,
    called="MCC",
    range=(-1.0, 1.0),
    of_classes="two",
    source=Source("matthews1975", "definition of C"),
    aliases=("matthews",),
)
def mcc(table: Contingency) -> TableStatistic:
    r"""Matthews' correlation of truth and prediction.

    Notes
    -----
    With c hits among n examples, n_i examples of class i and m_i predicted as such,

    .. math:: \frac{n c - \sum_i n_i m_i}{\sqrt{(n^2 - \sum_i n_i^2)(n^2 - \sum_i m_i^2)}}

    which for two classes, with odds o of the first and a, b the recalls of the first and second, is

    .. math:: \frac{a + b - 1}{\sqrt{a (1 - a)\, o + b (1 - b) / o + a b + (1 - a)(1 - b)}}

    It rises with a and with b; in log o it falls off on either side of one peak. For many classes it is Gorodkin's
    :math:`R_K`, for which no limit that holds at every sample size is offered: it need not rise with a recall, and
    limits for the accuracy and for both margins would have to hold together. Unknown where all examples are of one
    class or predicted as one, of which scikit-learn says 0.

    Examples
    --------
    >>> found = mcc(Contingency([[8, 5], [3, 84]], rows="predicted"))
    >>> print(f"{found.units(found.mean):.4f}")
    0.6244
    """
    if len(table.labels) != 2:
        return TableStatistic(table, _mcc, -1.0, 1.0)
    return MonotoneInRecalls(table, _mcc, -1.0, 1.0, of_rates=_mcc_of_rates, steepest=_mcc_steepest)


@measure(
    better="higher",
    unit="index",
    of_rates=_kappa_of_rates,
    range=(-1.0, 1.0),
    of_classes="two",
    source=Source("cohen1960", "(1)"),
    aliases=("cohen-kappa",),
)
def kappa(table: Contingency) -> TableStatistic:
    r"""Cohen's kappa: the agreement of truth and prediction beyond chance, as a part of what is possible.

    Notes
    -----
    With c hits among n examples, n_i examples of class i and m_i predicted as such,

    .. math:: \frac{n c - \sum_i n_i m_i}{n^2 - \sum_i n_i m_i}

    which for two classes, with odds o of the first and a, b the recalls of the first and second, is

    .. math:: \frac{2 (a + b - 1)}{(1 - a)\, o + (1 - b) / o + a + b}

    It rises with a and with b; in log o it falls off on either side of one peak. Of many classes no limit that holds at
    every sample size is offered, as for `mcc`. Unknown where all examples are of one class and predicted as such.

    Examples
    --------
    >>> found = kappa(Contingency([[8, 5], [3, 84]], rows="predicted"))
    >>> print(f"{found.units(found.mean):.4f}")
    0.6216
    """
    if len(table.labels) != 2:
        return TableStatistic(table, _kappa, -1.0, 1.0)
    return MonotoneInRecalls(table, _kappa, -1.0, 1.0, of_rates=_kappa_of_rates, steepest=_kappa_steepest)


def _mcc(table: Contingency) -> Array:
    hits, actual, predicted, n = _margins(table)
    # Sums of positive terms: n^2 minus the sum of squares would cancel where one class is rare.
    of_truth, of_prediction = (np.sum(each * (n - each) * 1.0, axis=-1) for each in (actual, predicted))
    return _ratio(np.sum(n * hits - actual * predicted, axis=-1), np.sqrt(of_truth * of_prediction))


def _kappa(table: Contingency) -> Array:
    hits, actual, predicted, n = _margins(table)
    return _ratio(np.sum(n * hits - actual * predicted, axis=-1), np.sum(predicted * (n - actual), axis=-1))


def _margins(table: Contingency) -> tuple[Array, Array, Array, Array]:
    """Hits, margins and n as whole numbers, whose products are exact; as floats where they would not fit.

    Those of weighted rows are no whole numbers, and stay what they are.
    """
    whole = np.asarray(table.n).dtype.kind == "i"
    kind = (np.int64 if np.max(table.n, initial=0) < LARGEST_EXACT else np.float64) if whole else table.hits.dtype
    hits, actual, predicted = (each.astype(kind) for each in (table.hits, table.actual, table.predicted))
    return hits, actual, predicted, np.asarray(table.n)[..., np.newaxis].astype(kind)


def _ratio(part: Array, whole: Array) -> Array:
    """A quotient, NaN where there is none; rounding may carry a real one no further than its ends."""
    kind = np.result_type(part, whole, np.float64)
    ratio = np.divide(part, whole, out=np.full(np.shape(whole), np.nan, kind), where=np.real(whole) > 0)
    return ratio if np.iscomplexobj(ratio) else np.clip(ratio, -1.0, 1.0)


def _mcc_steepest(a: Array, not_a: Array, b: Array, not_b: Array) -> Array:
    return np.sqrt(_over(b * not_b, a * not_a))


def _kappa_steepest(a: Array, not_a: Array, b: Array, not_b: Array) -> Array:
    return np.sqrt(_over(not_b, not_a))
