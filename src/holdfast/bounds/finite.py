"""Bounds about examples one already holds: some labelled, the rest still unlabelled."""

from __future__ import annotations

import numpy as np

from holdfast.catalog import method
from holdfast.claims import Assumption, Guarantee, Source
from holdfast.errors import UnfitMethod
from holdfast.evidence import Array, Counts, whole
from holdfast.numerics.hypergeometric import hypergeometric_tail
from holdfast.numerics.limit import Upper


@method(
    guarantee=Guarantee.FINITE,
    source=Source("thatcher1964", "section 2"),
    assumes=(Assumption.EXCHANGEABLE, Assumption.FIXED_MODEL, Assumption.FIXED_PLAN),
    exact=True,
    measure="unlabelled-error-rate",
)
def hypergeometric(errors: Counts, delta: Array, *, unlabelled: Array) -> Upper:
    r"""Most errors among the unlabelled under which so few among the labelled are not too surprising.

    Notes
    -----
    With d labelled examples, k of them errors, and d' unlabelled ones, all N = d + d' in random order,

    .. math:: \max\{k' \in 0..d' : P(\mathrm{Hyp}(N, k + k', d) \le k) > \delta\} / d'

    It speaks about these very examples, not about a population, and needs exchangeability only. It replaces
    Bax's Eq. 8, which is about twice as wide.

    Examples
    --------
    >>> claim = hypergeometric(Counts(50, 1000), unlabelled=1000)
    >>> print(claim.lower, claim.upper)
    0.032 0.071
    """
    rest = whole("unlabelled, the number of examples still to be labelled,", unlabelled)
    if np.any(rest < 1):
        raise UnfitMethod(f"unlabelled must be at least 1 example; got {unlabelled!r}.")
    try:
        k, d, rest, delta = np.broadcast_arrays(errors.k, errors.n, rest, delta)
    except ValueError:
        raise UnfitMethod(
            f"The counts have shape {errors.k.shape}, unlabelled {rest.shape}; they must match."
        ) from None
    # k' = 0 always stands: with no further error the labelled ones hold them all.
    low, high = np.zeros(k.shape, np.int64), rest + 1
    while np.any(high - low > 1):
        middle = (low + high) // 2
        stands = hypergeometric_tail(k, d + rest, k + middle, d) > delta
        low, high = np.where(stands, middle, low), np.where(stands, high, middle)
    return Upper(low / rest, (rest - low) / rest)
