r"""Bounds on the spread of error rates over classifiers: the standard deviation over a draw of one of them.

It is a seminorm of the vector of error rates, so that neither the number of classifiers nor their dependence enters:
what one example can do to it is one over the number of examples.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from holdfast.bounds.panel import DRAWN_APART
from holdfast.catalog import method
from holdfast.claims import Guarantee, Source
from holdfast.evidence import Array
from holdfast.evidence.pools.spread import PoolSpread, Spread
from holdfast.numerics.limit import Upper

TRUE, UNLABELLED = "error-rate-spread", "unlabelled-error-rate-spread"


def of_variance(variance: Array) -> Array:
    """A standard deviation on the scale on which 1/2 is 1."""
    return 2.0 * np.sqrt(np.maximum(variance, 0.0))


def above(share: Array) -> Upper:
    return Upper(share, 1.0 - share)


def _pairs_slack(seen: Spread, delta: Array) -> Array:
    return np.sqrt(-np.log(delta) / (8 * (seen.n // 2)))


def _pairs_lower(seen: Spread, delta: Array) -> Array:
    return of_variance(seen.unbiased - _pairs_slack(seen, delta))


@method(
    guarantee=Guarantee.FINITE,
    source=Source("hoeffding1963", "section 5a"),
    least=2,
    measure=TRUE,
    lower=_pairs_lower,
)
def hoeffding_pairs(seen: Spread, delta: Array) -> Upper:
    r"""Hoeffding's inequality for averages over pairs of examples, of which the variance over classifiers is one.

    Notes
    -----
    For two independent examples the covariance over classifiers of the errors on the one with those on the other has
    :math:`\operatorname{Var}_m(\pi_m)` as its mean, and lies in [-1/4, 1/4]. Its average over all pairs is U:

    .. math:: \operatorname{Var}_m(\pi_m) \le U + \sqrt{\frac{\ln(1/\delta)}{8 \lfloor n/2 \rfloor}}, \qquad
              U = \frac{n \operatorname{Var}_m(\nu_m) - \bar q}{n - 1}

    Examples
    --------
    >>> print(round(hoeffding_pairs(Spread(1000, variance=0.16, within=0.2)).upper, 3))
    0.436
    """
    return above(of_variance(seen.unbiased + _pairs_slack(seen, delta)))


def _differences_lower(seen: Spread, delta: Array) -> Array:
    least = np.maximum(seen.deviation - np.sqrt(-np.log(delta) / (2 * seen.n)), 0.0)
    return of_variance((least**2 * seen.n - 0.25) / (seen.n - 1))


@method(
    guarantee=Guarantee.FINITE,
    source=Source("mcdiarmid1989", "Lemma 1.2"),
    least=2,
    measure=TRUE,
    lower=_differences_lower,
)
def bounded_differences(seen: Spread, delta: Array) -> Upper:
    r"""The observed spread plus a slack that depends on n and delta alone: no example moves it by more than 1/n.

    Notes
    -----
    The spread of the mean is at most the mean of the spreads (Jensen), which McDiarmid's inequality ties to the
    observed one:

    .. math:: \operatorname{sd}_m(\pi_m) \le \operatorname{sd}_m(\nu_m) + \sqrt{\ln(1/\delta) / (2 n)}

    The lower limit is its own: the mean of the observed variance exceeds the true one by less than 1/(4 n),

    .. math:: \Bigl(1 - \frac1n\Bigr) \operatorname{Var}_m(\pi_m) \ge
              \Bigl(\operatorname{sd}_m(\nu_m) - \sqrt{\ln(1/\delta) / (2 n)}\Bigr)_+^2 - \frac1{4 n}

    It is narrower than `hoeffding-pairs` unless the true rates spread over nearly all of [0, 1].

    Examples
    --------
    >>> print(round(bounded_differences(Spread(1000, variance=0.0004, within=0.09)).upper, 3))
    0.063
    """
    return above(2.0 * (seen.deviation + np.sqrt(-np.log(delta) / (2 * seen.n))))


def certainly(pool: PoolSpread, share: Array) -> Upper:
    """No more than what the inputs alone make certain."""
    return above(np.minimum(share, of_variance(pool.most)))


def _both(pool: PoolSpread) -> Array:
    return 1 / pool.n + 1 / pool.unlabelled


def _expected(pool: PoolSpread) -> Array:
    """What the squared spread of the differences between both rates has as its mean, at most."""
    size = pool.n + pool.unlabelled
    return pool.contention * _both(pool) * size / (size - 1)


def markov_slack(pool: PoolSpread, delta: Array) -> Array:
    """By how much the spread on the unlabelled may differ from that on the labelled, by the mean of its square."""
    return np.sqrt(_expected(pool) / delta)


def partition_slack(pool: PoolSpread, delta: Array) -> Array:
    """The same, by what exchanging two examples does."""
    size = pool.n + pool.unlabelled
    factor = size / ((size - 0.5) * (1 - 0.5 / np.maximum(pool.n, pool.unlabelled)))
    return np.sqrt(_expected(pool)) + np.sqrt(-factor * np.log(delta) / 2 * _both(pool))


Slack = Callable[[PoolSpread, Array], Array]


def _smaller_slack(pool: PoolSpread, delta: Array) -> Array:
    return np.minimum(markov_slack(pool, delta), partition_slack(pool, delta))


def _raised(slack: Slack) -> Callable[[PoolSpread, Array], Upper]:
    return lambda pool, delta: certainly(pool, 2.0 * (pool.deviation + slack(pool, delta)))


def _lowered(slack: Slack) -> Callable[[PoolSpread, Array], Array]:
    return lambda pool, delta: 2.0 * (pool.deviation - slack(pool, delta))


@method(
    guarantee=Guarantee.FINITE,
    source=Source("hoeffding1963", "section 6, the variance of a mean without replacement"),
    assumes=DRAWN_APART,
    measure=UNLABELLED,
    lower=_lowered(markov_slack),
    two_sided=_raised(markov_slack),
)
def spread_markov(pool: PoolSpread, delta: Array) -> Upper:
    r"""The spread on the labelled examples, give or take what a random split makes of it on average, over delta.

    Notes
    -----
    A spread is a seminorm, so that :math:`|\operatorname{sd}(\nu') - \operatorname{sd}(\nu)| \le
    \operatorname{sd}(\nu' - \nu)`. Over all ways to split the pool of N = d + d' inputs the square of the right-hand
    side has at most the mean :math:`\bar q\,(1/d + 1/d')\,N / (N - 1)`; hence, by Markov's inequality,

    .. math:: |\operatorname{sd}_m(\nu'_m) - \operatorname{sd}_m(\nu_m)| \le
              \sqrt{\frac{\bar q}{\delta} \Bigl(\frac1d + \frac1{d'}\Bigr) \frac{N}{N - 1}}

    with :math:`\bar q`, the contention, known from the inputs. Both sides hold together.

    Examples
    --------
    >>> from holdfast.evidence.pools.spread import Inputs
    >>> pool = PoolSpread(Spread(1000, 0.0004, 0.05), Inputs(0.05, 0.05), unlabelled=1000, models=50)
    >>> print(round(spread_markov(pool).upper - 0.02, 4))
    0.0447
    """
    return _raised(markov_slack)(pool, delta)


@method(
    guarantee=Guarantee.FINITE,
    source=Source("elyaniv2009", "McDiarmid's inequality for partitions"),
    assumes=DRAWN_APART,
    measure=UNLABELLED,
    lower=_lowered(partition_slack),
    two_sided=_raised(partition_slack),
)
def spread_partition(pool: PoolSpread, delta: Array) -> Upper:
    r"""The same, by McDiarmid's inequality for random partitions: exchanging two examples does little.

    Notes
    -----
    .. math:: |\operatorname{sd}_m(\nu'_m) - \operatorname{sd}_m(\nu_m)| \le
              \sqrt{\bar q \Bigl(\frac1d + \frac1{d'}\Bigr) \frac{N}{N - 1}}
              + \sqrt{\frac{c \ln(1/\delta)}{2} \Bigl(\frac1d + \frac1{d'}\Bigr)}, \qquad
              c = \frac{N}{(N - 1/2)\,(1 - 1/(2 \max(d, d')))}

    Examples
    --------
    >>> from holdfast.evidence.pools.spread import Inputs
    >>> pool = PoolSpread(Spread(1000, 0.0004, 0.2), Inputs(0.2, 0.2), unlabelled=1000, models=50)
    >>> print(round(spread_partition(pool).upper - 0.02, 4))
    0.0748
    """
    return _raised(partition_slack)(pool, delta)


@method(
    guarantee=Guarantee.FINITE,
    source=Source("elyaniv2009", "McDiarmid's inequality for partitions, or Markov's"),
    assumes=DRAWN_APART,
    measure=UNLABELLED,
    lower=_lowered(_smaller_slack),
    two_sided=_raised(_smaller_slack),
)
def spread_pool(pool: PoolSpread, delta: Array) -> Upper:
    r"""The smaller slack of `spread-markov` and `spread-partition`, which the inputs decide before any label is seen.

    Notes
    -----
    Both slacks depend on delta, d, d' and :math:`\bar q` only. Given the pool these are fixed, and it is the split
    that is random: so the choice costs nothing. Up to a contention of about .12 it is the former at 95 %.

    Examples
    --------
    >>> from holdfast.evidence.pools.spread import Inputs
    >>> pool = PoolSpread(Spread(1000, 0.0004, 0.05), Inputs(0.05, 0.05), unlabelled=1000, models=50)
    >>> print(round(spread_pool(pool).upper - 0.02, 4))
    0.0447
    """
    return _raised(_smaller_slack)(pool, delta)
