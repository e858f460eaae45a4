"""Limits at a stated prevalence, from the rates within each class."""

from __future__ import annotations

from functools import partial

import numpy as np

from holdfast.bounds.strata import fisher
from holdfast.catalog import method
from holdfast.claims import Assumption, Guarantee, Source
from holdfast.evidence import Array
from holdfast.evidence.tables.statistic import AtPrevalence
from holdfast.numerics.binomial import binomial_tail_inverse
from holdfast.numerics.limit import Upper

STATED = (
    Assumption.WITHIN_CLASSES,
    Assumption.STATED_PREVALENCE,
    Assumption.FIXED_MODEL,
    Assumption.FIXED_PLAN,
)


def _corner(quantity: AtPrevalence, delta: Array, sides: int) -> Upper:
    """The value at the largest recall and the largest specificity, whose limits use up delta on one side or on both."""
    each = -np.expm1(np.log1p(-delta) / 2) / sides
    recall, parts = quantity.recall, quantity.specificity.parts
    if parts.k.shape[-1] == 1:  # one search for both rates
        counts = np.broadcast_arrays(recall.k, parts.k[..., 0], recall.n, parts.n[..., 0], each)
        (a, b), (not_a, not_b) = binomial_tail_inverse(np.stack(counts[:2]), np.stack(counts[2:4]), counts[4])
    else:
        a, not_a = binomial_tail_inverse(recall.k, recall.n, each)
        b, not_b = fisher.upper(quantity.specificity, each)
        b, not_b = np.minimum(b, 1.0), np.maximum(not_b, 0.0)
    value = quantity.at(a, not_a, b, not_b)
    return Upper(quantity.scale.share(value), quantity.scale.room(value))


@method(
    guarantee=Guarantee.FINITE,
    source=Source("sidak1967", "independent case"),
    assumes=STATED,
    two_sided=partial(_corner, sides=2),
)
def rectangle(quantity: AtPrevalence, delta: Array) -> Upper:
    r"""The value where exact limits for the recall and for the specificity meet.

    Notes
    -----
    .. math:: f(a_U, b_U), \qquad P(a \le a_U) \ge \sqrt{1 - \delta}, \quad P(b \le b_U) \ge \sqrt{1 - \delta}

    Examples of different classes are drawn independently of each other, so both limits hold together with
    probability :math:`1 - \delta`; one rectangle serves both ends of a two-sided interval. At odds o, stated and hence
    known, all quantities rise with a and with b: divide by the numerator and

    .. math:: \text{precision} = \Big(1 + \frac{1 - b}{o\,a}\Big)^{-1}, \quad
              \text{NPV} = \Big(1 + \frac{o\,(1 - a)}{b}\Big)^{-1}, \quad
              F = 2 \Big(1 + \frac{1 - b}{o\,a} + \frac{1}{a}\Big)^{-1}

    show it at once. With :math:`\pi = o / (1 + o)`, the share :math:`P = \pi a + (1 - \pi)(1 - b)` taken for the class
    and :math:`D = a + b - 1`, the derivative of MCC by a has the sign of :math:`2 P (1 - P) - \pi D (1 - 2 P)`. That is
    at least :math:`\min(P, 1 - P)`, since :math:`\pi D = P - (1 - b) \le P` and :math:`-\pi D \le 1 - P`. The one of
    kappa has the sign of :math:`\pi b + (1 - \pi)(1 - b)`; and b is a seen from the other class. Means of such
    quantities over both classes rise as well. The limits of a specificity over several other classes are fisher's.

    Examples
    --------
    >>> from holdfast.evidence.tables.statistic import precision_of_rates
    >>> tested = Counts(90, 100), Strata(Counts([95], [100]))
    >>> print(rectangle(AtPrevalence(*tested, np.array(0.002 / 0.998), precision_of_rates)))
    0.035 [0.013, 0.123], rectangle, 95 %, holds at every sample size
    """
    return _corner(quantity, delta, sides=1)
