"""From examples that a model has seen to others: from labelled ones to the unlabelled beside them, from training alone.

The average loss of several models, with weights fixed beforehand, is a loss like any other: no bound here knows how
many models there are. For all of several statements at once, each is made at its part of delta (`holdfast.combine`);
Bax's Eq. 12, uniform over M models, is his Eq. 8 at delta / M. His Eqs. 3 and 4, about the population, are `hoeffding`.
"""

from __future__ import annotations

import numpy as np
from scipy.special import betaln, expit

from holdfast.bounds.binomial import clopper_pearson, hypergeometric
from holdfast.bounds.bounded import RANGED
from holdfast.catalog import ALWAYS, method
from holdfast.claims import Assumption, Guarantee, Source
from holdfast.evidence import Array, Counts
from holdfast.evidence.pools.pool import Compressed, Gibbs, GradedLosses, Pool
from holdfast.numerics.binomial import log_binomial_tail
from holdfast.numerics.divergence import kl_inverse
from holdfast.numerics.limit import Upper, moved_up
from holdfast.numerics.roots import crossing

FARTHEST = 800.0  # log-odds; beyond them a float is 0 or 1


def log_share_of_size(size: Array) -> Array:
    r"""Logarithm of :math:`\zeta(a) = 6 / (\pi^2 (a + 1)^2)`, which shares 1 among the numbers a from 0 on."""
    return np.asarray(np.log(6 / np.pi**2) - 2 * np.log1p(size))


def log_choices(n: Array, k: Array) -> Array:
    """Logarithm of the number of ways to choose k of n."""
    return np.asarray(-betaln(n - k + 1.0, k + 1.0) - np.log1p(n))


def log_weight(model: Compressed) -> Array:
    """Logarithm of the part of delta that is spent on this model: on its size, on which are kept, on its message."""
    return np.asarray(log_share_of_size(model.kept) - log_choices(model.examples, model.kept) + model.log_message)


def _fewer_errors(model: Compressed, null: Array, room: Array) -> Array:
    """The chance of so few errors at the null, shared among all the models that might have been chosen."""
    return np.exp(np.minimum(log_binomial_tail(model.k, model.n, null, room) - log_weight(model), 0.0))


@method(
    guarantee=Guarantee.FINITE,
    source=Source("laviolette2005", "sample compression risk bound"),
    assumes=(Assumption.INDEPENDENT, Assumption.REBUILT, Assumption.FIXED_PLAN),
    measure="error-rate",
    p_value=_fewer_errors,
)
def sample_compression(model: Compressed, delta: Array) -> Upper:
    r"""Clopper-Pearson on the training examples a model does not keep, at a delta shared among all such models.

    Notes
    -----
    For a model rebuilt from d of m training examples and a message :math:`\sigma`, with :math:`\kappa` errors on the
    other m - d,

    .. math:: \max\{p : \mathrm{Bin}(m - d, \kappa, p) \ge \delta w\}, \qquad
              w = \zeta(d) \binom{m}{d}^{-1} P(\sigma), \quad \zeta(d) = \frac{6}{\pi^2 (d + 1)^2}

    It holds for every model that could be rebuilt, all at once, and so for the one that was chosen, however that was
    done: any search over parameters on the same training set is paid for. Nothing else may have been learned from
    these examples, neither a scaling of the features nor a choice among them. The original closed form bounds the
    same tail from above; here it is inverted, in logarithms, for w may be far below the smallest float.

    Examples
    --------
    >>> from holdfast.evidence.pools.pool import Compressed
    >>> print(sample_compression(Compressed(k=3, examples=400, kept=6, log_message=-8.0), side="upper"))
    0.008, at most 0.131, sample-compression, 95 %, holds at every sample size
    """
    k, n, log_delta = np.broadcast_arrays(model.k, model.n, np.log(delta) + log_weight(model))

    def excluded(logit: Array) -> Array:
        return log_delta - log_binomial_tail(k, n, expit(logit), expit(-logit))

    # The end that is returned is excluded: the limit errs on the safe side.
    logit = crossing(excluded, np.full(k.shape, FARTHEST), np.full(k.shape, -FARTHEST))
    free = k >= n  # then no rate is too large
    return Upper(np.where(free, 1.0, expit(logit)), np.where(free, 0.0, expit(-logit)))


UNLABELLED = "unlabelled-mean-loss"
DRAWN_APART = (Assumption.EXCHANGEABLE, Assumption.FIXED_MODEL, Assumption.FIXED_PLAN)


def about_unlabelled(pool: Pool, rest: Upper) -> Upper:
    """A limit on what is left of the losses, with the offset put back, and no further than what is certain."""
    return Upper(
        np.clip(rest.limit + pool.offset, pool.low, pool.high),
        np.clip(rest.room - pool.offset, 1.0 - pool.high, 1.0 - pool.low),
    )


@method(
    guarantee=Guarantee.FINITE,
    source=Source("bax1997", "(8), (13), (20)"),
    assumes=ALWAYS,
    aliases=("bax-8", "bax-13", "bax-20"),
    measure=UNLABELLED,
)
def bax_difference(pool: Pool, delta: Array) -> Upper:
    r"""Hoeffding's inequality twice, from the labelled examples to the population and on to the unlabelled ones.

    Notes
    -----
    As printed, for a model of error rate :math:`\nu` on d labelled and :math:`\nu'` on d' unlabelled examples,

    .. math:: P\{|\nu' - \nu| < \epsilon\} \ge 1 - 4 e^{-\epsilon^2 D / 2}, \qquad D = \min(d, d'),

    which on one side is

    .. math:: \nu' \le \nu + \sqrt{2 \ln(2/\delta) / D}.

    The same for a model drawn at random for every example (13), and for the average error rate over models (20).
    At :math:`\delta / M` it holds for M models at once, which is (12). `hoeffding-difference` is
    narrower by more than a quarter, under the same assumptions.

    Examples
    --------
    >>> print(round(bax_difference(Pool(Counts(50, 1000), unlabelled=1000)).slack, 4))
    0.0936
    """
    fewer = np.minimum(pool.n, pool.unlabelled)
    slack = np.sqrt(2 * np.log(2 / delta) / fewer)
    return about_unlabelled(pool, moved_up(pool.sample.mean, pool.sample.complement, slack))


@method(
    guarantee=Guarantee.FINITE,
    source=Source("hoeffding1963", "section 2, corollary on the difference of two means"),
    assumes=RANGED,
    measure=UNLABELLED,
)
def hoeffding_difference(pool: Pool, delta: Array) -> Upper:
    r"""Hoeffding's inequality for the difference of two means, that of the labelled and that of the unlabelled.

    Notes
    -----
    .. math:: \nu' \le \nu + \sqrt{\frac{\ln(1/\delta)}{2} \Bigl(\frac1d + \frac1{d'}\Bigr)}

    Examples
    --------
    >>> print(round(hoeffding_difference(Pool(Counts(50, 1000), unlabelled=1000)).slack, 4))
    0.0607
    """
    slack = np.sqrt(-np.log(delta) / 2 * (1 / pool.n + 1 / pool.unlabelled))
    return about_unlabelled(pool, moved_up(pool.sample.mean, pool.sample.complement, slack))


@method(
    guarantee=Guarantee.FINITE,
    source=Source("thatcher1964", "section 2"),
    assumes=DRAWN_APART,
    needs="levels",
    measure=UNLABELLED,
)
def hypergeometric_levels(pool: Pool, delta: Array) -> Upper:
    r"""How many losses reach each of their few possible values: `hypergeometric` at each, and the limits averaged.

    Notes
    -----
    The average loss of M models is a multiple of 1/M. With :math:`k_j` of the labelled losses at least j/M,

    .. math:: \frac1M \sum_{j=1}^M H(k_j, \delta / M), \qquad H \text{ the limit of `hypergeometric`}.

    All M limits hold together, and the mean loss is the mean of these M shares. It needs exchangeability only and no
    order; one model gives `hypergeometric` itself. For more than a handful of levels, and many
    unlabelled, `squares-pool` is narrower.

    Examples
    --------
    >>> pool = Pool(Losses([1, 1, 0.5, 0.5, 0.5] + [0] * 95), unlabelled=100, levels=2)
    >>> claim = hypergeometric_levels(pool)
    >>> print(round(claim.lower, 4), round(claim.upper, 4))
    0.0 0.125
    """
    reached, levels = _reached(pool), pool.levels or 1
    limits = hypergeometric.upper(reached, delta[..., np.newaxis] / levels, unlabelled=pool.unlabelled[..., np.newaxis])
    return about_unlabelled(pool, Upper(limits.limit.mean(axis=-1), limits.room.mean(axis=-1)))


def _reached(pool: Pool) -> Counts:
    levels = pool.levels or 1
    if isinstance(pool.sample, Counts):
        k, n = (each[..., np.newaxis] for each in (pool.sample.k, pool.sample.n))
        return Counts(np.broadcast_to(k, (*k.shape[:-1], levels)), n)
    return GradedLosses.of_values(pool.sample.values, levels).reached


@method(guarantee=Guarantee.FINITE, source=Source("anguita2012", "(26)"), measure="mean-loss")
def clopper_pearson_levels(losses: GradedLosses, delta: Array) -> Upper:
    r"""How many losses reach each of their few possible values: `clopper-pearson` at each, and the limits averaged.

    Notes
    -----
    With :math:`k_j` of n losses at least j/M,

    .. math:: \frac1M \sum_{j=1}^M \max\{p : \mathrm{Bin}(n, k_j, p) \ge \delta / M\}

    as in `hypergeometric-levels`. From three models on `squares` of their average is narrower.

    Examples
    --------
    >>> print(clopper_pearson_levels(GradedLosses(Counts([5, 2], 100))))
    0.0350 [0.0076, 0.1008], clopper-pearson-levels, 95 %, holds at every sample size
    """
    limits = clopper_pearson.upper(losses.reached, delta[..., np.newaxis] / losses.reached.k.shape[-1])
    return Upper(limits.limit.mean(axis=-1), limits.room.mean(axis=-1))


def _both_at_once(gibbs: Gibbs, delta: Array) -> Upper:
    """Both sides of the divergence hold together."""
    return kl_inverse(gibbs.sample.mean, gibbs.sample.complement, (_price(gibbs) - np.log(delta)) / gibbs.n)


def _price(gibbs: Gibbs) -> Array:
    return np.asarray(gibbs.divergence + np.log(2 * np.sqrt(gibbs.n)))


@method(
    guarantee=Guarantee.FINITE,
    source=Source("maurer2004", "Theorem 5"),
    assumes=(Assumption.INDEPENDENT, Assumption.PRIOR_WEIGHTS, Assumption.FIXED_PLAN, Assumption.KNOWN_RANGE),
    two_sided=_both_at_once,
    measure="mean-loss",
)
def pac_bayes(gibbs: Gibbs, delta: Array) -> Upper:
    r"""The average loss of models under weights chosen with these labels in view, for all weights at once.

    Notes
    -----
    With prior weights P fixed beforehand and any weights Q,

    .. math:: \mathrm{kl}(\hat L(Q) \,\|\, L(Q)) \le \frac{\mathrm{KL}(Q \| P) + \ln(2 \sqrt n / \delta)}{n}

    Proved for n of 8 and more; below 8, :math:`2\sqrt n` still exceeds the sum that it bounds. Both sides hold at
    the whole of delta. Weights that did not see the labels need none of this: their average is a plain loss.

    Examples
    --------
    >>> claim = pac_bayes(Gibbs(Losses.from_moments(n=1000, mean=0.1), divergence=2.0), side="upper")
    >>> print(round(claim.upper, 4))
    0.1454
    """
    return _both_at_once(gibbs, delta)
