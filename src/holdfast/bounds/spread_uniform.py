"""The spread of error rates by way of limits that hold for every classifier, as Bax does it and as well as one can."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from holdfast.bounds.binomial import hypergeometric
from holdfast.bounds.panel import DRAWN_APART
from holdfast.bounds.spread import UNLABELLED, above, certainly, of_variance
from holdfast.catalog import ALWAYS, method
from holdfast.claims import Guarantee, Source
from holdfast.evidence import Array
from holdfast.evidence.pools.spread import PoolSpread
from holdfast.numerics.limit import Upper

HALVINGS = 60  # of [0, 1]: what is left is below the rounding of a rate


def _tightness(pool: PoolSpread, delta: Array) -> Array:
    """Bax's epsilon of Eq. 12, by which no validation error rate misses its test error rate."""
    return np.sqrt(2 * np.log(4 * pool.models / delta) / np.minimum(pool.n, pool.unlabelled))


def _bax_lower(pool: PoolSpread, delta: Array) -> Array:
    epsilon = _tightness(pool, delta)
    return of_variance(pool.variance - epsilon - epsilon**2)


def _bax(pool: PoolSpread, delta: Array) -> Upper:
    epsilon = _tightness(pool, delta)
    return above(of_variance(pool.variance + epsilon + epsilon**2))


def _sharp(pool: PoolSpread, delta: Array) -> Array:
    epsilon = np.minimum(_tightness(pool, delta), 0.5)
    return epsilon - epsilon**2


def _sharp_lower(pool: PoolSpread, delta: Array) -> Array:
    return of_variance(pool.variance - _sharp(pool, delta))


def _sharp_upper(pool: PoolSpread, delta: Array) -> Upper:
    return above(of_variance(pool.variance + _sharp(pool, delta)))


@method(
    guarantee=Guarantee.FINITE,
    source=Source("bax1997", "(34)"),
    assumes=ALWAYS,
    aliases=("bax-34",),
    measure=UNLABELLED,
    lower=_bax_lower,
    two_sided=_bax,
)
def bax_spread(pool: PoolSpread, delta: Array) -> Upper:
    r"""Validate every classifier, and let all of them miss in the worst way.

    Notes
    -----
    As printed, with M classifiers and D the smaller of d and d',

    .. math:: P\{|\operatorname{Var}(\nu') - \operatorname{Var}(\nu)| < \epsilon + \epsilon^2\}
              \ge 1 - 4 M e^{-\epsilon^2 D / 2}

    The extreme case of (33) has error rates below 0 and above 1: see `bax-spread-sharp`.

    Examples
    --------
    >>> from holdfast.evidence.pools.spread import Inputs, Spread
    >>> pool = PoolSpread(Spread(10**6, 0.01, 0.09), Inputs(0.09, 0.09), unlabelled=10**6, models=7)
    >>> claim = bax_spread(pool)
    >>> print(round(claim.upper**2 - 0.01, 6))
    0.00357
    """
    return _bax(pool, delta)


@method(
    guarantee=Guarantee.FINITE,
    source=Source("bax1997", "(34), with the largest value that (33) can have"),
    assumes=ALWAYS,
    measure=UNLABELLED,
    lower=_sharp_lower,
    two_sided=_sharp_upper,
)
def bax_spread_sharp(pool: PoolSpread, delta: Array) -> Upper:
    r"""Validate every classifier, and let all of them miss in the worst way that leaves error rates in [0, 1].

    Notes
    -----
    With residuals :math:`\delta_m = \nu'_m - \nu_m` the difference of the variances is the covariance of
    :math:`\delta` with :math:`\nu + \nu'`, and :math:`|\nu + \nu' - 1| \le 1 - |\delta|`. Hence

    .. math:: |\operatorname{Var}(\nu') - \operatorname{Var}(\nu)| \le \epsilon - \epsilon^2
              \quad (\epsilon \le 1/2), \qquad \tfrac14 \text{ beyond},

    which is reached.

    Examples
    --------
    >>> from holdfast.evidence.pools.spread import Inputs, Spread
    >>> pool = PoolSpread(Spread(10**6, 0.01, 0.09), Inputs(0.09, 0.09), unlabelled=10**6, models=7)
    >>> print(round(bax_spread_sharp(pool).upper ** 2 - 0.01, 6))
    0.003545
    """
    return _sharp_upper(pool, delta)


def _boxes(pool: PoolSpread, delta: Array) -> tuple[Array, Array]:
    """Limits that hold for the error rates of all models together, models along the last axis."""
    assert pool.errors is not None
    each = delta[..., np.newaxis] / (2 * pool.models)
    rest = pool.unlabelled[..., np.newaxis]
    most = hypergeometric.upper(pool.errors, each, unlabelled=rest).limit
    return hypergeometric.upper(pool.errors.mirror(), each, unlabelled=rest).room, most


def _weights(pool: PoolSpread) -> Array:
    return np.full(pool.models, 1 / pool.models) if pool.weights is None else pool.weights


def _boxes_lower(pool: PoolSpread, delta: Array) -> Array:
    return of_variance(least_variance(*_boxes(pool, delta), _weights(pool)))


def _boxes_upper(pool: PoolSpread, delta: Array) -> Upper:
    return certainly(pool, of_variance(largest_variance(*_boxes(pool, delta), _weights(pool))))


@method(
    guarantee=Guarantee.FINITE,
    source=Source("ferson2005", "bounds on the variance"),
    assumes=DRAWN_APART,
    needs="errors",
    measure=UNLABELLED,
    lower=_boxes_lower,
    two_sided=_boxes_upper,
)
def spread_boxes(pool: PoolSpread, delta: Array) -> Upper:
    r"""The largest spread of rates within exact limits that hold for all classifiers together.

    Notes
    -----
    With `hypergeometric` limits :math:`[l_m, u_m]` at :math:`\delta / (2 M)` a side, and since a variance is the
    least mean squared distance from any number c,

    .. math:: \min_c \sum_m w_m \operatorname{dist}(c, [l_m, u_m])^2 \ \le\ \operatorname{Var}(\nu') \ \le\
              \min_c \sum_m w_m \max\bigl((c - l_m)^2, (u_m - c)^2\bigr)

    The lower end is reached; the upper one too, but for one classifier that might have to be at both its ends, so
    that no search over end points is needed.

    Examples
    --------
    >>> from holdfast.evidence import Counts
    >>> from holdfast.evidence.pools.spread import Inputs, Spread
    >>> errors = Counts([50, 250], [1000, 1000])
    >>> pool = PoolSpread(Spread(1000, 0.01, 0.15), Inputs(0.15, 0.15), unlabelled=1000, models=2, errors=errors)
    >>> claim = spread_boxes(pool)
    >>> print(round(claim.lower, 4), round(claim.upper, 4))
    0.066 0.1325
    """
    return _boxes_upper(pool, delta)


def least_variance(low: Array, high: Array, weights: Array) -> Array:
    """The least variance of numbers each of which lies between its own two, models along the last axis."""

    def distance(c: Array) -> Array:
        return np.asarray(np.maximum(c - high, 0.0) - np.maximum(low - c, 0.0))

    return _lowest(distance, np.broadcast_shapes(low.shape, high.shape), weights)


def largest_variance(low: Array, high: Array, weights: Array) -> Array:
    """The largest variance of such numbers, if one of them may be at both of its ends by halves."""

    def distance(c: Array) -> Array:
        return np.where(2.0 * c < low + high, c - high, c - low)

    return _lowest(distance, np.broadcast_shapes(low.shape, high.shape), weights)


def _lowest(distance: Callable[[Array], Array], shape: tuple[int, ...], weights: Array) -> Array:
    """The least mean squared distance from one number, which is where the mean of the distances turns positive."""
    below, above = np.zeros((*shape[:-1], 1)), np.ones((*shape[:-1], 1))
    for _ in range(HALVINGS):
        middle = (below + above) / 2
        positive = (distance(middle) * weights).sum(axis=-1, keepdims=True) > 0
        below, above = np.where(positive, below, middle), np.where(positive, middle, above)
    return np.asarray((distance(below) ** 2 * weights).sum(axis=-1))
