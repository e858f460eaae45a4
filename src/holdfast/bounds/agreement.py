"""Bounds on quantities of a table of two labels that rise with the recall of either."""

from __future__ import annotations

from functools import partial

import numpy as np

from holdfast.catalog import method
from holdfast.claims import Guarantee, Source
from holdfast.evidence import Array, MonotoneInRecalls
from holdfast.numerics.binomial import binomial_tail_inverse
from holdfast.numerics.limit import Upper


def _largest(box: MonotoneInRecalls, delta: Array, sides: int) -> Upper:
    """The largest value in the box, whose recalls use up their parts of delta on one side or on both."""
    each = -np.expm1(np.log1p(-delta) / 3)
    hits, actual, n = box.source.hits, box.source.actual, box.source.n
    # One search for all four: the recalls from above, the prevalence from below and above.
    k = (hits[..., 0], hits[..., 1], n - actual[..., 0], actual[..., 0])
    asked = np.broadcast_arrays(
        *k, actual[..., 0], actual[..., 1], n, n, each / sides, each / sides, each / 2, each / 2
    )
    found = binomial_tail_inverse(*(np.stack(asked[i : i + 4]) for i in (0, 4, 8)))
    (a, b, above_least, most), (not_a, not_b, least, above_most) = found
    lowest, highest = _ratio(least, above_least), _ratio(most, above_most)
    # An inner peak where the value is positive, an end where it is negative.
    peak = np.clip(box.steepest(a, not_a, b, not_b), lowest, highest)
    odds = np.stack([lowest, peak, highest])
    limit = box.scale.share(np.max(box.of_rates(odds, a, not_a, b, not_b), axis=0))
    return Upper(limit, 1.0 - limit)


def _ratio(part: Array, rest: Array) -> Array:
    return np.divide(part, rest, out=np.full(np.shape(part), np.inf), where=rest > 0)


@method(
    guarantee=Guarantee.FINITE, source=Source("sidak1967", "independent case"), two_sided=partial(_largest, sides=2)
)
def box(quantity: MonotoneInRecalls, delta: Array) -> Upper:
    r"""The largest value over exact limits for both recalls and for the prevalence.

    Notes
    -----
    .. math:: \max_{\pi_L \le \pi \le \pi_U} f(\pi, a_U, b_U)

    The value rises with the recalls a and b, so their upper limits suffice; along the prevalence it has one peak (or,
    where it is negative, one dip) at known odds. Given how many examples are of the first label, the two recalls are
    counted independently of each other, so that all three limits hold together with probability :math:`1 - \delta` if
    each holds with :math:`(1 - \delta)^{1/3}`. One box serves both ends of a two-sided interval.

    Examples
    --------
    >>> from holdfast.evidence import Contingency
    >>> from holdfast.measures.agreement import mcc
    >>> claim = box(mcc(Contingency([[8, 5], [3, 84]], rows="predicted")))
    >>> print(f"{claim.estimate:.3f} [{claim.lower:.3f}, {claim.upper:.3f}]")
    0.624 [0.112, 0.941]
    """
    return _largest(quantity, delta, sides=1)
