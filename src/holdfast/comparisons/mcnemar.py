"""McNemar's test: do two models err equally often on the same examples?

Only examples that one of the two alone got right bear on it: were both equally good, each would be the toss of a coin.
`won` are those of the first model, `lost` those of the second; both may be arrays, and many pairs are one call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from holdfast.catalog import ALWAYS, procedure
from holdfast.claims import Guarantee, PValue, Source
from holdfast.errors import InvalidEvidence, UnknownName
from holdfast.evidence import Array, Integers, whole
from holdfast.numerics.binomial import binomial_tail

Better = Literal["both", "first", "second"]
NULLS: dict[Better, str] = {
    "both": "both models err equally often",
    "first": "the first model errs at least as often as the second",
    "second": "the second model errs at least as often as the first",
}
SMALLEST = 5e-324  # what is smaller is rounded up to it: no p-value is 0


@procedure(
    name="mcnemar-exact",
    guarantee=Guarantee.FINITE,
    source=Source("fagerland2013", "McNemar exact conditional test"),
    assumes=ALWAYS,
)
def exact(won: ArrayLike, lost: ArrayLike, side: Better = "both") -> PValue:
    r"""The chance that so many coins would fall at least so unevenly; holds at every sample size.

    Parameters
    ----------
    side
        "both" asks whether the two differ, "first" whether the first is better, "second" whether the second is.
        It must be chosen before looking: the side that looks better errs twice as often as its p-value says.

    Notes
    -----
    .. math:: \min\big(1,\ 2 P(X \le \min(w, l))\big), \qquad X \sim \mathrm{Bin}(w + l, 1/2)

    and :math:`P(X \le l)` for "first". Equal counts, as those of identical models, have p = 1.

    Examples
    --------
    >>> print(f"{exact(6, 16).value:.6f}")
    0.052479
    >>> exact(0, 0).value
    1.0
    """
    value, _ = _by_side(_tail, won, lost, side)
    return exact.p_value(value, NULLS[side])


@procedure(
    name="mcnemar-mid-p",
    guarantee=Guarantee.ASYMPTOTIC,
    source=Source("fagerland2013", "McNemar mid-p test"),
    assumes=ALWAYS,
)
def mid_p(won: ArrayLike, lost: ArrayLike, side: Better = "both") -> PValue:
    r"""The exact test with the observed count itself counted half: closer to its level, and sometimes beyond it.

    Notes
    -----
    .. math:: 2 P(X < \min(w, l)) + P(X = \min(w, l)), \qquad X \sim \mathrm{Bin}(w + l, 1/2)

    This is twice the smaller of the one-sided values, so equal counts have p = 1. Fagerland et al. print
    :math:`1 - P(X = w) / 2` for them, which is 1/2 for identical models.

    Examples
    --------
    >>> print(f"{mid_p(6, 16).value:.6f}")
    0.034690
    """
    value, _ = _by_side(lambda k, n: (_tail(k - 1, n) + _tail(k, n)) / 2, won, lost, side)
    return mid_p.p_value(value, NULLS[side])


@procedure(
    name="mcnemar-asymptotic",
    guarantee=Guarantee.ASYMPTOTIC,
    source=Source("mcnemar1947", "the test of equal proportions"),
    assumes=ALWAYS,
)
def asymptotic(won: ArrayLike, lost: ArrayLike, side: Better = "both") -> PValue:
    r"""The coins' imbalance, as if it were normal.

    Notes
    -----
    .. math:: z = (w - l) / \sqrt{w + l}, \qquad p = 2 \Phi(-|z|)

    The square of the statistic z is McNemar's chi-squared. Without any coin it is 0, and p = 1.

    Examples
    --------
    >>> print(f"{asymptotic(6, 16).value:.6f}")
    0.033006
    """
    value, z = _by_side(lambda k, n: ndtr((2 * k - n) / np.sqrt(np.maximum(n, 1))), won, lost, side)
    return asymptotic.p_value(value, NULLS[side], z)


def _tail(k: Integers, n: Integers) -> Array:
    return binomial_tail(k, n, 0.5)


def _by_side(
    at_most: Callable[[Integers, Integers], Array], won: ArrayLike, lost: ArrayLike, side: Better
) -> tuple[float | Array, float | Array]:
    """The p-value of that side, by the chance of at most k heads among n coins, and the standardised imbalance."""
    if side not in NULLS:
        raise UnknownName("side", side, NULLS)
    first = whole("won, the examples the first model alone got right,", won)
    second = whole("lost, the examples the second model alone got right,", lost)
    try:
        first, second = np.broadcast_arrays(first, second)
    except ValueError:
        raise InvalidEvidence(
            f"McNemar's test needs won and lost of matching shapes; got {first.shape} and {second.shape}."
        ) from None
    coins = first + second
    heads = {"both": np.minimum(first, second), "first": second, "second": first}[side]
    value = at_most(heads, coins) * (2.0 if side == "both" else 1.0)
    nothing = (first == second) if side == "both" else (coins == 0)  # speaks against the null, to the last digit
    value = np.where(nothing, 1.0, np.clip(value, SMALLEST, 1.0))
    z = (first - second) / np.sqrt(np.maximum(coins, 1))
    return (value, z) if value.ndim else (float(value), float(z))
