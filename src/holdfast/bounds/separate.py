"""A difference of two models from what is known of each by itself."""

from __future__ import annotations

import numpy as np

from holdfast.bounds.agreement import box
from holdfast.bounds.binomial import clopper_pearson
from holdfast.bounds.calibration import signs
from holdfast.bounds.grades import nested_fisher
from holdfast.bounds.prevalence import rectangle
from holdfast.bounds.ranking import auc_bentkus
from holdfast.bounds.separation import ks_band
from holdfast.bounds.strata import fisher, union
from holdfast.catalog import Bound, method
from holdfast.claims import Guarantee, Side, Source
from holdfast.evidence import Array, Counts, Evidence, MonotoneInRecalls, Proportions, Scores, Strata
from holdfast.evidence.grades import Grades
from holdfast.evidence.pairs.separate import SeparateEstimates
from holdfast.evidence.ranking.calibration import CalibrationError
from holdfast.evidence.ranking.distance import Distance
from holdfast.evidence.tables.prevalence import AtPrevalence
from holdfast.numerics.limit import Upper

# Who bounds one model; all hold at every sample size, or what is said here would not.
OF_ONE: dict[type[Evidence], Bound] = {
    Distance: ks_band,
    CalibrationError: signs,
    Counts: clopper_pearson,
    Grades: nested_fisher,
    Strata: fisher,
    Proportions: union,
    MonotoneInRecalls: box,
    AtPrevalence: rectangle,
    Scores: auc_bentkus,
}


def bound_of_one(evidence: Evidence) -> Bound | None:
    """Who bounds one of two models, with a proof; None where nobody does."""
    return next((bound for kind, bound in OF_ONE.items() if isinstance(evidence, kind)), None)


@method(guarantee=Guarantee.FINITE, source=Source("bonferroni1936", "inequality"), measure="difference")
def apart(pair: SeparateEstimates, delta: Array) -> Upper:
    r"""Subtract a lower limit of the second model from an upper limit of the first, each at half of delta.

    Notes
    -----
    .. math:: U_{\delta/2}(\text{first}) - L_{\delta/2}(\text{second})

    Both limits hold but with the chance :math:`\delta`, however the models have to do with each other. That they saw
    the same examples, if they did, goes unused, so that the interval is wide where the models are much alike. The
    limits are those of `ks-band` for the Kolmogorov-Smirnov distance, of `signs` for the calibration error, and for two
    samples those of `clopper-pearson`, `union`, `box` and `auc-bentkus`.

    Examples
    --------
    >>> from holdfast.evidence import Scores
    >>> from holdfast.measures.separation import ks
    >>> positive = np.arange(4000) >= 2000
    >>> one, other = (ks(Scores(np.arange(4000) * step % 4000, positive)) for step in (7, 3))
    >>> print(apart(SeparateEstimates(one, other)))
    -0.190 [-0.298, -0.082], apart, 95 %, holds at every sample size
    """
    half, ends = np.asarray(delta) / 2, []
    sides: tuple[tuple[Evidence, Side], ...] = ((pair.first, "upper"), (pair.second, "lower"))
    for one, side in sides:
        bound = bound_of_one(one)
        assert bound is not None  # or nobody sets these apart
        ends.append(one.units(bound.limits(one, half, side)[side == "upper"]))
    gap = ends[0] - ends[1]
    return Upper(pair.scale.share(gap), pair.scale.share(-gap))
