"""Limits from what each example alone changes: a standard error for whatever is read off many examples."""

from __future__ import annotations

from holdfast.bounds.binomial import normal_quantile
from holdfast.catalog import method
from holdfast.claims import Guarantee, Source
from holdfast.evidence import Array, Resampled
from holdfast.numerics.limit import Upper, moved_up


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
    >>> from holdfast.measures.averages import weighted_f1
    >>> claim = jackknife(weighted_f1(Contingency([[80, 50], [30, 840]], rows="predicted")))
    >>> print(f"{claim.estimate:.3f} [{claim.lower:.3f}, {claim.upper:.3f}]")
    0.923 [0.907, 0.939]
    """
    return moved_up(evidence.mean, evidence.complement, normal_quantile(delta) * evidence.standard_error)
