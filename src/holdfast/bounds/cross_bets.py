"""A guaranteed bound on the average of the models of a cross-validation whose draws are groups of rows."""

from __future__ import annotations

import numpy as np

from holdfast.bounds.cross import RANGED
from holdfast.catalog import method
from holdfast.claims import Guarantee, Source
from holdfast.evidence import Array
from holdfast.evidence.folds.ratio import FoldRatio
from holdfast.numerics.limit import Upper
from holdfast.numerics.wealth.fold_bets import least_average


@method(
    guarantee=Guarantee.FINITE,
    source=Source("waudbysmith2024", "Proposition 2"),
    assumes=RANGED,
    needs="random folds",
)
def fold_bets(folds: FoldRatio, delta: Array) -> Upper:
    r"""Largest average rate of the folds' models that bets on the groups each was tested on do not refute together.

    Notes
    -----
    With the part a that is spared and the whole b of a group, both in parts of the most that a group can hold, and
    J folds, for each of a few stakes c with its share w of delta,

    .. math::
        1 - U_c = \min\Bigl\{\frac{1}{J} \sum_j \theta_j : \frac{1}{J} \sum_j \sum_{i \in j}
        \ln\Bigl(1 + c\,\frac{a_i - \theta_j b_i}{\theta_j}\Bigr) \le \ln \frac{1}{w_c\,\delta}\Bigr\},
        \qquad U = \min_c U_c.

    Given what fold j's model was trained on, its groups are independent draws with :math:`E[a] = \theta_j E[b]`, so
    that the product of the bets on them, its wealth, has mean 1. By Hölder's inequality the geometric mean of the
    wealth of all folds has a mean of at most 1, however the folds have to do with each other, and is above
    :math:`1/(w \delta)` with a chance of :math:`w \delta` at most. The logarithms are convex in :math:`\theta_j`: the
    minimum is found by a multiplier, and any other multiplier gives less.

    What is not so: that the groups of all folds are independent given the models.
    Each model saw the groups that the others are tested on; of the product in place of the geometric mean, as for
    strata, a learner can make intervals miss 10 % of the time with 10 folds, and 60 to 70 % with 20, at a delta of 5 %.

    The stakes are .98, half of delta, and one third of it, one ninth ..., as many as the groups of a fold are worth.

    Examples
    --------
    >>> rates = np.tile([0.25, 0.4, 0.3, 0.35, 0.25], 5)
    >>> print(fold_bets(FoldRatio(rates, np.ones(25), fold=np.repeat(np.arange(5), 5), most=1)))
    0.310 [0.125, 0.718], fold-bets, 95 %, holds at every sample size
    """
    part, whole = (folds.below - folds.above) / folds.most, folds.below / folds.most
    each = [least_average(part, whole, folds.fold, folds.folds, float(level)) for level in np.ravel(delta)]
    room = np.reshape(each, np.shape(delta))
    return Upper(1.0 - room, room)
