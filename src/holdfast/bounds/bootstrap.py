"""Bootstrap limits for whatever can be drawn again: they hold only as the sample grows, and where something varies."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.special import ndtr, ndtri

from holdfast.bounds.binomial import normal_quantile
from holdfast.catalog import method
from holdfast.claims import Guarantee, Source
from holdfast.errors import UnfitMethod
from holdfast.evidence import Array, Resampled, TableStatistic
from holdfast.numerics.limit import Upper, moved_up

RESAMPLES = 2000
SEED = 0
ROUNDING = 1e-12  # draws that differ by less do not differ


def _percentile_lower(evidence: Resampled, delta: Array, *, resamples: int = RESAMPLES, seed: int = SEED) -> Array:
    return _quantile(evidence.resampled(resamples, seed), delta, "lower")


@method(guarantee=Guarantee.ASYMPTOTIC, source=Source("efron1993", "chapter 13"), lower=_percentile_lower)
def percentile(evidence: Resampled, delta: Array, *, resamples: int = RESAMPLES, seed: int = SEED) -> Upper:
    r"""The value that a share delta of the resamples exceeds.

    Notes
    -----
    .. math:: \hat G^{-1}(1 - \delta), \qquad \hat G(t) = \#\{\theta^*_b \le t\} / B

    A resample that leaves the quantity undefined counts as beyond the limit, on either side. Where all resamples are
    equal the bootstrap has nothing to say, and says nothing.

    Examples
    --------
    >>> from holdfast.evidence import Contingency
    >>> from holdfast.measures.agreement import kappa
    >>> claim = percentile(kappa(Contingency([[80, 50], [30, 840]], rows="predicted")))
    >>> print(f"{claim.estimate:.1f} [{claim.lower:.1f}, {claim.upper:.1f}]")
    0.6 [0.5, 0.7]
    """
    return _upper(_quantile(evidence.resampled(resamples, seed), 1 - delta, "higher"))


def _bca_lower(evidence: Resampled, delta: Array, *, resamples: int = RESAMPLES, seed: int = SEED) -> Array:
    draws = evidence.resampled(resamples, seed)
    return _quantile(draws, _corrected(evidence, draws, delta), "lower")


@method(guarantee=Guarantee.ASYMPTOTIC, source=Source("efron1987", "BCa interval"), lower=_bca_lower)
def bca(evidence: Resampled, delta: Array, *, resamples: int = RESAMPLES, seed: int = SEED) -> Upper:
    r"""The percentile limit, corrected for the bias of the resamples and for how their spread depends on the value.

    Notes
    -----
    .. math:: \hat G^{-1}\Big(\Phi\Big(z_0 + \frac{z_0 + z}{1 - a (z_0 + z)}\Big)\Big), \quad
              z_0 = \Phi^{-1}(\hat G(\hat\theta)), \quad
              a = \frac{\sum_i (\bar\theta - \theta_{(i)})^3}{6 \{\sum_i (\bar\theta - \theta_{(i)})^2\}^{3/2}}

    with z the normal quantile of :math:`1 - \delta` and :math:`\theta_{(i)}` the estimate without example i; of the
    resamples equal to the estimate half are counted as below it. All examples of one cell of a table leave the same
    estimate, which is computed once.

    Examples
    --------
    >>> from holdfast.evidence import Contingency
    >>> from holdfast.measures.agreement import kappa
    >>> claim = bca(kappa(Contingency([[80, 50], [30, 840]], rows="predicted")), resamples=5000, seed=1)
    >>> print(f"{claim.estimate:.1f} [{claim.lower:.1f}, {claim.upper:.1f}]")
    0.6 [0.5, 0.7]
    """
    draws = evidence.resampled(resamples, seed)
    return _upper(_quantile(draws, _corrected(evidence, draws, 1 - delta), "higher"))


def _upper(limit: Array) -> Upper:
    return Upper(limit, 1.0 - limit)


def _quantile(draws: Array, share: Array, outward: str) -> Array:
    """The draw that this share of the draws lies below, taken outward; NaN where all draws are the same."""
    defined = _defined(draws)
    if _all_the_same(draws):
        return np.full(np.shape(share), np.nan)
    place = np.nan_to_num(share) * (draws.size - 1)
    # The undefined stand beyond all others, on whichever side is asked for.
    if outward == "lower":
        place = np.floor(place).astype(np.int64) - (draws.size - defined.size)
        quantiles = np.where(place >= 0, defined[np.maximum(place, 0)], -np.inf)
    else:
        place = np.ceil(place).astype(np.int64)
        quantiles = np.where(place < defined.size, defined[np.minimum(place, defined.size - 1)], np.inf)
    return np.where(np.isnan(share), np.nan, quantiles)


def _corrected(evidence: Resampled, draws: Array, share: Array) -> Array:
    """The share of the draws to lie below the limit instead, by bias z0 and acceleration a."""
    if _all_the_same(draws):
        return np.full(np.shape(share), np.nan)
    defined = _defined(draws)
    below, upto = (np.searchsorted(defined, evidence.mean, side) for side in ("left", "right"))
    z0 = ndtri((below + upto) / (2 * defined.size))
    z = z0 + ndtri(share)
    return np.asarray(ndtr(z0 + z / (1 - evidence.acceleration * z)))


def _defined(draws: Array) -> Array:
    """The draws without those that left the quantity undefined, which are sorted to the end."""
    return draws[: np.searchsorted(draws, np.nan)] if draws.size and np.isnan(draws[-1]) else draws


def _all_the_same(draws: Array) -> bool:
    defined = _defined(draws)
    return not defined.size or bool(defined[-1] - defined[0] <= ROUNDING)


def degenerate(evidence: Resampled, resamples: int = RESAMPLES, seed: int = SEED) -> bool:
    """Whether the resamples all give one value, or none at all: then their spread says nothing about the unseen."""
    return _all_the_same(evidence.resampled(resamples, seed))


def refuse_degenerate(
    evidence: Resampled, what: str, instead: str | None = None, *, resamples: int = RESAMPLES, seed: int = SEED
) -> None:
    """Say so where a bootstrap that was asked for by name cannot answer, and who can."""
    if degenerate(evidence, resamples, seed):
        remedy = "no method with a guarantee answers for it" if instead in (None, "bca", "percentile") else instead
        remedy = f"use {remedy}, which holds at every sample size" if remedy == instead else remedy
        raise UnfitMethod(
            f"A bootstrap of {what} needs resamples that differ; here all are the same, "
            f"and an interval without width would promise too much: {remedy}."
        )


def share_draws(several: Sequence[TableStatistic], resamples: int = RESAMPLES, seed: int = SEED) -> None:
    """Draw one table once for all that is read off it; each keeps its own estimates on these resamples."""
    if several:
        generator, source = np.random.default_rng(seed), several[0].source
        drawn = [[each.reading(some) for each in several] for some in source.redrawn(generator, resamples)]
        for each, readings in zip(several, zip(*drawn, strict=True), strict=True):
            each.keep(each.scale.share(np.concatenate(readings)), resamples, seed)


def _lower(evidence: Resampled, delta: Array) -> Array:
    # What the mirror would say; but that would leave out every example once more.
    return moved_up(evidence.complement, evidence.mean, normal_quantile(delta) * evidence.standard_error).room


@method(guarantee=Guarantee.ASYMPTOTIC, source=Source("efron1993", "chapter 11"), lower=_lower)
def jackknife(evidence: Resampled, delta: Array) -> Upper:
    r"""Add z standard errors, estimated by leaving out one example at a time.

    Notes
    -----
    .. math:: \hat\theta + z_{1-\delta} \sqrt{\frac{n - 1}{n} \sum_i (\theta_{(i)} - \bar\theta)^2}

    with :math:`\theta_{(i)}` the estimate without example i. Examples of one cell of a table leave the same estimate,
    so the work does not grow with their number. Where no example changes anything it says nothing.

    Examples
    --------
    >>> from holdfast.evidence import Contingency
    >>> from holdfast.measures.rates import weighted_f1
    >>> claim = jackknife(weighted_f1(Contingency([[80, 50], [30, 840]], rows="predicted")))
    >>> print(f"{claim.estimate:.3f} [{claim.lower:.3f}, {claim.upper:.3f}]")
    0.923 [0.907, 0.939]
    """
    return moved_up(evidence.mean, evidence.complement, normal_quantile(delta) * evidence.standard_error)
