"""A bound read in other directions: solved for delta it is a test, unless it has its own; solved for n a plan."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from holdfast.catalog import Bound, Formula
from holdfast.claims import Guarantee, Side
from holdfast.errors import HoldfastError
from holdfast.evidence import Array, Counts, Evidence, Integers, numbers
from holdfast.numerics.roots import crossing

SMALLEST_P = 1e-300
LARGEST_N = 10**10
HALVES = 40  # of delta that are tried, down to 1e-12


def solve_for_delta(bound: Bound, evidence: Evidence, null: ArrayLike, side: Side, **options: Any) -> Array:
    """The smallest delta at which the null, on the scale from 0 to 1, lies outside the bound's interval.

    Where limits at different delta are not nested there is no such number, and the bound's own p-value answers. Of a
    bound that has none, delta is tried at halves of halves: that any limit at 1/2, 1/4, 1/8 ... up to delta is wrong
    has a chance of at most twice delta, so that twice the smallest that refutes the null is a p-value.
    With `side="upper"` a small value speaks against "the rate is at least the null". Options are those of the bound.
    """
    value = numbers("null", null)
    if not np.all((value > 0) & (value < 1)):
        raise HoldfastError(f"The null must lie strictly inside the range; got {null!r}.")
    try:
        np.broadcast_shapes(evidence.mean.shape, evidence.n.shape, value.shape)
    except ValueError:
        raise HoldfastError(f"The evidence has shape {evidence.mean.shape}, the null {value.shape}.") from None
    if bound.p_value and not bound.one_sided:
        return bound.p_value(evidence, value, 1 - value)
    doubled = side == "both" and not bound.two_sided
    formula = partial(bound.two_sided or bound.upper if side == "both" else bound.upper, **options)
    against: list[Array] = []
    if side != "lower":
        against.append(_too_few(bound, formula, evidence, value))
    if side != "upper":
        against.append(_too_many(bound, formula, evidence, value, **options))
    least = np.minimum.reduce(against) * (2 if doubled else 1)
    return np.where(np.broadcast_to(evidence.n >= bound.least, least.shape), np.minimum(least, 1.0), 1.0)


def _too_few(bound: Bound, formula: Formula, evidence: Evidence, null: Array) -> Array:
    """The delta at which the upper limit comes down to the null."""
    if bound.p_value:
        return bound.p_value(evidence, null, 1 - null)
    return _delta(bound)(lambda delta: null - formula(evidence, delta).limit, evidence, null)


def _too_many(bound: Bound, formula: Formula, evidence: Evidence, null: Array, **options: Any) -> Array:
    """The delta at which the lower limit comes up to the null: the mirror image, without forming 1 - (1 - null)."""
    own = bound.lower
    if own is not None:
        return _first_delta(lambda delta: own(evidence, delta, **options) - null, evidence, null)
    mirror = evidence.mirror()
    if bound.p_value:
        return bound.p_value(mirror, 1 - null, null)
    return _delta(bound)(lambda delta: formula(mirror, delta).room - null, evidence, null)


def _delta(bound: Bound) -> Callable[[Callable[[Array], Array], Evidence, Array], Array]:
    firm = bound.guarantee is Guarantee.FINITE
    return _first_half if firm and not bound.nested else _first_delta


def _first_half(excluded: Callable[[Array], Array], evidence: Evidence, null: Array) -> Array:
    """Twice the smallest of 1/2, 1/4, 1/8 ... up to which it is excluded at each; one where it is at none."""
    shape = np.broadcast_shapes(evidence.mean.shape, evidence.n.shape, null.shape)
    least, still = np.full(shape, 0.5), np.ones(shape, bool)
    for power in range(1, HALVES + 1):
        delta = np.full(shape, 0.5**power)
        still &= excluded(delta) > 0
        least = np.where(still, delta, least)
        if not still.any():  # trying fewer only makes a p-value larger
            break
    return np.minimum(2.0 * least, 1.0)


def _first_delta(excluded: Callable[[Array], Array], evidence: Evidence, null: Array) -> Array:
    shape = np.broadcast_shapes(evidence.mean.shape, evidence.n.shape, null.shape)
    certain, impossible = np.full(shape, np.log1p(-(2.0**-53))), np.full(shape, np.log(SMALLEST_P))
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):  # as in Bound.limits: too few examples
        return np.exp(crossing(lambda log_delta: excluded(np.exp(log_delta)), certain, impossible))


def examples_needed(bound: Bound, errors: Integers, at_most: float, delta: Array) -> Integers:
    """The fewest examples with which that many errors still prove a rate of at most `at_most`."""
    k = np.asarray(errors, dtype=np.int64).reshape(-1)
    failing, proven_at = k.copy(), np.full(k.shape, 2 * LARGEST_N)
    trial, here, steps = np.maximum(np.ceil(k / at_most).astype(np.int64), k + 1), np.arange(k.size), 0
    while here.size:  # the places where it is not yet known to an example
        limit = bound.limits(Counts(k[here], trial), delta, "upper")[1]
        proven, steps = limit <= at_most, steps + 1
        failing[here] = np.where(proven, failing[here], trial)
        proven_at[here] = np.where(proven, trial, proven_at[here])
        if failing.max(initial=0) > LARGEST_N:
            raise HoldfastError(f"No plan with fewer than {LARGEST_N} examples: the limit {at_most} is too tight.")
        least, most = failing[here] + 1, proven_at[here] - 1
        # The limit falls about as one over n; where that is far from so, halves and doubles lead there all the same.
        guess = np.minimum(least + most, 4 * least) // 2 if steps % 4 == 0 else np.ceil(trial * (limit / at_most))
        wide = least <= most
        trial, here = np.clip(guess, least, most)[wide].astype(np.int64), here[wide]
    return proven_at.reshape(np.shape(errors))
