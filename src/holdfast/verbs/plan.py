"""How much data would settle it, before the labels are paid for?"""

from __future__ import annotations

import numpy as np

from holdfast.catalog import Bound, find
from holdfast.claims import chance_of_error
from holdfast.errors import HoldfastError, UnfitMethod
from holdfast.evidence import Array, Counts, Integers
from holdfast.invert import examples_needed
from holdfast.numerics.binomial import binomial_tail
from holdfast.report import Plan

MOST_EXAMPLES = 20_000_000  # a half-width plan looks at every n up to Hoeffding's
BLOCK = 50_000


def plan(
    *,
    at_most: float | None = None,
    half_width: float | None = None,
    expect: float | None = None,
    power: float = 0.9,
    confidence: float | str | None = None,
    delta: float | None = None,
    method: str | Bound = "clopper-pearson",
) -> Plan:
    """How many examples a test set needs.

    Parameters
    ----------
    at_most
        The error rate to be proven. Without `expect`, the plan is for no errors at all.
    half_width
        Instead: half the width that the two-sided interval shall have. Without `expect`, whatever the rate.
    expect
        The error rate the classifier is thought to have.
    power
        The chance with which that shall succeed if the expectation is right.

    Examples
    --------
    >>> plan(at_most=0.05).n
    59
    >>> made = plan(at_most=0.05, expect=0.03, power=0.9)
    >>> made.n, made.n_always, made.accept
    (832, 900, 31)
    """
    level, bound = float(chance_of_error(confidence, delta)), find(method)
    if Counts not in bound.takes or bound.parameters:
        raise UnfitMethod(f"A plan needs a method for counts, such as clopper-pearson; {bound.name} is none.")
    if (at_most is None) == (half_width is None):
        raise HoldfastError("Say what shall be shown: at_most= (an error rate) or half_width= (of the interval).")
    _within("power", power, 1.0)
    if at_most is not None:
        _within("at_most", at_most, 1.0)
        rate = 0.0 if expect is None else expect
        if not 0 <= rate < at_most:
            raise HoldfastError(
                f"A rate of at most {at_most} can only be proven of a classifier expected to do better; "
                f"got expect = {expect}."
            )
        n, always, accept = _acceptance(bound, at_most, rate, power, level)
        claim = bound(Counts(accept, n), level, "upper")
        return Plan(n, always, level, power, bound.name, bound.guarantee, expect, at_most, accept=accept, claim=claim)
    assert half_width is not None
    _within("half_width", half_width, 0.5)
    if expect is not None and not 0 <= expect <= 1:
        raise HoldfastError(f"expect must lie between 0 and 1; got {expect}.")
    n, always = _narrow(bound, half_width, expect, power, level)
    return Plan(n, always, level, power, bound.name, bound.guarantee, expect, half_width=half_width)


def _acceptance(bound: Bound, at_most: float, expect: float, power: float, delta: float) -> tuple[int, int, int]:
    """The first and the last change of answer as n grows, found over the accepted count c rather than over n.

    From the n at which c errors become acceptable up to the next such n the power only falls, so the first n
    with enough power starts such a stretch, and the last without it ends one.
    """
    if not bound.one_sided:
        raise UnfitMethod(f"{bound.name} is two-sided only; a limit is proven by a one-sided method.")
    count, level = 64, np.asarray(delta)
    while True:
        errors = np.arange(count + 1)
        starts = examples_needed(bound, errors, at_most, level)
        best = binomial_tail(errors[:-1], starts[:-1], np.asarray(expect))
        worst = binomial_tail(errors[:-1], starts[1:] - 1, np.asarray(expect))
        # Beyond a stretch that fails twenty times less often than allowed, no later one falls back so far.
        if np.any(worst >= 1 - (1 - power) / 20):
            break
        count *= 2
    first = int(np.argmax(best >= power))
    lacking = np.flatnonzero(worst < power)
    settled = int(lacking[-1]) + 1 if lacking.size else 0
    return int(starts[first]), int(starts[max(settled, first)]), first


def _narrow(bound: Bound, half_width: float, expect: float | None, power: float, delta: float) -> tuple[int, int]:
    """The smallest n, and that from which every n will do, whose interval is narrow enough at all plausible counts."""
    ceiling = int(np.ceil(np.log(2 / delta) / (2 * half_width**2))) + 1
    if ceiling > MOST_EXAMPLES:
        raise HoldfastError(f"A half-width of {half_width} may need {ceiling} examples; plan for a wider interval.")
    blocks = [np.arange(start, min(start + BLOCK, ceiling + 1)) for start in range(1, ceiling + 1, BLOCK)]
    enough = np.concatenate([_widest(bound, n, expect, power, delta) <= 2 * half_width for n in blocks])
    if not enough[-1]:
        raise UnfitMethod(f"{bound.name} stays wider than {2 * half_width} even with {ceiling} examples.")
    return int(np.argmax(enough)) + 1, int(np.flatnonzero(~enough)[-1]) + 2 if not enough.all() else 1


def _widest(bound: Bound, n: Integers, expect: float | None, power: float, delta: float) -> Array:
    """The widest interval over the counts that will occur with probability `power`, a tail left out on each side.

    Intervals widen towards k = n/2, so the widest is at the plausible count nearest to it.
    """
    middle = n // 2
    if expect is not None:
        fewest, most = _plausible(n, expect, (1 - power) / 2)
        middle = np.clip(middle, fewest, most)
    lower, upper = bound.limits(Counts(middle, n), np.asarray(delta), "both")
    return np.asarray(upper - lower)


def _plausible(n: Integers, expect: float, left_out: float) -> tuple[Integers, Integers]:
    """The fewest and the most events that occur, each missed with at most that probability."""
    return _quantile(n, expect, left_out), n - _quantile(n, 1 - expect, left_out)


def _quantile(n: Integers, rate: float, left_out: float) -> Integers:
    low, high = np.full(n.shape, -1), n.copy()
    while np.any(high - low > 1):
        middle = (low + high) // 2
        reached = binomial_tail(middle, n, np.asarray(rate)) > left_out
        low, high = np.where(reached, low, middle), np.where(reached, middle, high)
    return high


def _within(name: str, value: float, most: float) -> None:
    if not 0 < value < most:
        raise HoldfastError(f"{name} must lie strictly between 0 and {most:g}; got {value}.")
