"""Bounds on the mean of values of which there are three: an answer that may be half right."""

from __future__ import annotations

import numpy as np

from holdfast.catalog import method
from holdfast.claims import Guarantee, Source
from holdfast.evidence import Array
from holdfast.evidence.grades import Grades
from holdfast.numerics.limit import Upper
from holdfast.numerics.wealth.nested import largest_product


@method(guarantee=Guarantee.FINITE, source=Source("fisher1932", "section 21.1"), measure="mean-value")
def nested_fisher(grades: Grades, delta: Array) -> Upper:
    r"""The largest mean whose two tails, of values above the lowest and of the highest among these, are no surprise.

    Notes
    -----
    Of n examples k have more than the lowest value, with the chance q, and of these c the highest, with the chance r
    among them. With the middle value at the part m of the way, the mean is :math:`m q (1 + \rho r)`,
    :math:`\rho = (1 - m)/m`, and the limit is

    .. math:: \max\Big\{m q (1 + \rho r) : \ln P(K \le k \mid n, q) + \ln P(C \le c \mid k, r) \ge -\gamma\Big\},
              \qquad P(\Gamma_2 > \gamma) = \delta,

    by Fisher's combination of the two tails, each of which is no smaller than uniform, the second whatever the first.
    The lower limit counts from the highest value down. For values -1, 0 and 1 this is `paired-fisher`. That there are
    no other values is declared, never read off the data.

    Examples
    --------
    >>> print(nested_fisher(Grades.of([700, 200, 100], levels=(0, 0.5, 1))))
    0.2000 [0.1773, 0.2252], nested-fisher, 95 %, holds at every sample size
    """
    low, middle, high = np.moveaxis(grades.counts, -1, 0)
    n, k, c, level = np.broadcast_arrays(low + middle + high, middle + high, high, delta)
    rho = np.full(n.shape, (1.0 - grades.middle) / grades.middle)
    limit = grades.middle * largest_product(k, c, n, level, rho)
    return Upper(limit, np.asarray(1.0 - limit))
