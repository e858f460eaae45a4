"""A difference of two models from what is known of each by itself."""

from __future__ import annotations

import numpy as np

from holdfast.bounds.calibration import signs
from holdfast.bounds.separation import ks_band
from holdfast.catalog import Bound, method
from holdfast.claims import Guarantee, Source
from holdfast.evidence import Array, Evidence
from holdfast.evidence.pairs.loss_differences import share_of
from holdfast.evidence.pairs.separate import SeparateEstimates
from holdfast.evidence.ranking.calibration import CalibrationError
from holdfast.evidence.ranking.distance import Distance
from holdfast.numerics.limit import Upper

# Who bounds one model; all hold at every sample size, or what is said here would not.
OF_ONE: dict[type[Evidence], Bound] = {Distance: ks_band, CalibrationError: signs}


@method(guarantee=Guarantee.FINITE, source=Source("bonferroni1936", "inequality"), measure="difference")
def apart(pair: SeparateEstimates, delta: Array) -> Upper:
    r"""Subtract a lower limit of the second model from an upper limit of the first, each at half of delta.

    Notes
    -----
    .. math:: U_{\delta/2}(\text{first}) - L_{\delta/2}(\text{second})

    Both limits hold but with the chance :math:`\delta`, however the models have to do with each other. That they saw
    the same examples goes unused, so that the interval is wide where the models are much alike. The limits are those
    of `ks-band` for the Kolmogorov-Smirnov distance, and of `signs` for the calibration error.

    Examples
    --------
    >>> from holdfast.evidence import Scores
    >>> from holdfast.measures.separation import ks
    >>> positive = np.arange(4000) >= 2000
    >>> one, other = (ks(Scores(np.arange(4000) * step % 4000, positive)) for step in (7, 3))
    >>> print(apart(SeparateEstimates(one, other)))
    -0.190 [-0.298, -0.082], apart, 95 %, holds at every sample size
    """
    bound = OF_ONE[type(pair.first)]
    half = np.asarray(delta) / 2
    gap = bound.limits(pair.first, half, "upper")[1] - bound.limits(pair.second, half, "lower")[0]
    return Upper(share_of(gap), share_of(-gap))
