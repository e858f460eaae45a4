"""A bound from the training set alone, for models that few of its examples determine."""

from __future__ import annotations

import numpy as np
from scipy.special import betaln, expit

from holdfast.catalog import method
from holdfast.claims import Assumption, Guarantee, Source
from holdfast.evidence import Array
from holdfast.evidence.pools.gibbs import Compressed
from holdfast.numerics.binomial import log_binomial_tail
from holdfast.numerics.limit import Upper
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
    >>> from holdfast.evidence.pools.gibbs import Compressed
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
