"""Limits around the bootstrap's estimates of how a learner errs: rules of thumb, none of which promises anything."""

from __future__ import annotations

import numpy as np

from holdfast.bounds.binomial import normal_quantile
from holdfast.catalog import method
from holdfast.claims import Assumption, Guarantee, Source
from holdfast.evidence import Array
from holdfast.evidence.folds.point632 import LeftOut, Point632, Point632Plus
from holdfast.numerics.limit import Upper, moved_up

ASSUMES = (Assumption.INDEPENDENT, Assumption.FIXED_PLAN)
EFRON = Source("efron1997", "sections 3 to 5")


@method(guarantee=Guarantee.HEURISTIC, source=EFRON, assumes=ASSUMES)
def left_out_bootstrap(rows: LeftOut, delta: Array) -> Upper:
    r"""The error rate on rows left out by bootstrap samples, with the spread of the rows alone.

    Notes
    -----
    .. math:: \hat E_1 + z_{1-\delta} \frac{s}{\sqrt n}, \qquad
              \hat E_1 = \frac1n \sum_i \frac{1}{B_i} \sum_{b \not\ni i} 1\{M_b(x_i) \ne y_i\}

    A sample holds some 63.2 % of the rows, so that its models know less than one trained on all: the estimate is too
    large. That training sets differ is not in the standard error.

    Examples
    --------
    >>> print(left_out_bootstrap(LeftOut([0.0, 0.1, 0.9, 0.2, 0.0, 0.1, 0.0, 0.3], seen=0.0, chance=0.5)))
    0.200 [0.000, 0.410], left-out-bootstrap, 95 %, comes without proof
    """
    return _moved(rows, delta)


@method(guarantee=Guarantee.HEURISTIC, source=EFRON, assumes=ASSUMES, name="point-632", aliases=(".632",))
def point_632(rows: Point632, delta: Array) -> Upper:
    r"""The .632 rule: between the rows left out and the rows learned from, at a fixed place.

    Notes
    -----
    .. math:: \hat E_{.632} = 0.368\, \widehat{err} + 0.632\, \hat E_1

    with the standard error of :math:`\hat E_1` in proportion. Too small for learners that overfit: one that remembers
    every row has :math:`\widehat{err} = 0`.

    Examples
    --------
    >>> print(point_632(Point632([0.0, 0.1, 0.9, 0.2, 0.0, 0.1, 0.0, 0.3], seen=0.0, chance=0.5)).estimate)
    0.1264
    """
    return _moved(rows, delta)


@method(guarantee=Guarantee.HEURISTIC, source=EFRON, assumes=ASSUMES, name="point-632-plus", aliases=(".632+",))
def point_632_plus(rows: Point632Plus, delta: Array) -> Upper:
    r"""The .632+ rule: the more the learner overfits, the nearer to the rows left out.

    Notes
    -----
    .. math:: \hat E_{.632+} = (1 - w)\, \widehat{err} + w\, \hat E_1', \qquad w = \frac{0.632}{1 - 0.368\, R}, \qquad
              R = \frac{\hat E_1' - \widehat{err}}{\gamma - \widehat{err}}

    with :math:`\hat E_1' = \min(\hat E_1, \gamma)`, the error rate :math:`\gamma` of predictions that had nothing to do
    with the labels, and R = 0 where either difference is not positive.

    Examples
    --------
    >>> print(round(point_632_plus(Point632Plus([0.0, 0.1, 0.9, 0.2, 0.0, 0.3], seen=0.0, chance=0.5)).estimate, 4))
    0.1936
    """
    return _moved(rows, delta)


def _moved(rows: LeftOut, delta: Array) -> Upper:
    return moved_up(rows.mean, rows.complement, normal_quantile(delta) * np.asarray(rows.error))
