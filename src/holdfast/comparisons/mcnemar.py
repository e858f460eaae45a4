"""How probably McNemar's exact test will tell two models apart, counted out in full."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from holdfast.bounds.binomial import normal_quantile
from holdfast.catalog import ALWAYS, procedure
from holdfast.claims import Guarantee, PValue, Source
from holdfast.errors import HoldfastError, InvalidEvidence, UnknownName
from holdfast.evidence import Array, Integers, whole
from holdfast.numerics.binomial import binomial_tail, log_binomial_term

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


MOST_EXAMPLES = 20_000_000  # beyond them a plan takes longer than it is worth
THOUSANDS = 5_000  # coins from which only numbers near the normal answer are tried
REACH = 10.0  # standard deviations; what lies beyond is less than a rounding error
DAMPED = 6.0  # a wave damped by exp(-6) no longer turns the slope of the power
CELLS = 2_000_000  # of a table of sizes and coins, worked on at once


def power_of_exact(p_won: float, p_lost: float, n: ArrayLike, delta: float = 0.05) -> float | Array:
    r"""The chance that the two-sided exact test finds the better model better, with n examples.

    Notes
    -----
    .. math:: \sum_d P(D = d)\, P\big(X \le x_d\big), \qquad
              D \sim \mathrm{Bin}(n, p_w + p_l), \quad X \sim \mathrm{Bin}\Big(d, \frac{p_l}{p_w + p_l}\Big)

    for :math:`p_w > p_l`, with :math:`x_d` the most losses of d that the test still rejects. To find the worse model
    better is no success.

    Examples
    --------
    >>> print(f"{power_of_exact(0.04, 0.02, 1000):.4f}")
    0.7023
    """
    sizes = whole("n, the number of examples,", n)
    either, worse = _rates(p_won, p_lost)
    fewest, most = int(sizes.min(initial=0)), int(sizes.max(initial=0))
    first, top = max(int(_around(fewest, either)[0]), 0), min(int(_around(most, either)[1]), most)
    coins = np.arange(first, top + 1)
    found = _expected(sizes.ravel(), either, first, _found(coins, worse, delta)).reshape(sizes.shape)
    return found if found.ndim else float(found)


def examples_for_power(p_won: float, p_lost: float, power: float, delta: float = 0.05) -> tuple[int, int]:
    """The smallest n at which the exact test succeeds with that probability, and the n from which every one does.

    The chance of success with d coins is a saw-tooth in d. Between the rising functions that run along its valleys
    and along its peaks, each averaged over d, lie all n that need to be tried one by one.

    Examples
    --------
    >>> examples_for_power(0.04, 0.02, 0.8)
    (1244, 1244)
    """
    either, worse = _rates(p_won, p_lost)
    coins_needed = _normal_answer(worse, power, delta)
    if not coins_needed / either <= MOST_EXAMPLES:
        raise HoldfastError(
            f"To tell chances of {p_won:g} and {p_lost:g} apart may take {coins_needed / either:.0e} examples; "
            "plan for a larger difference."
        )
    first, found = _stretch(coins_needed, either, worse, power, delta)
    most = int((first + found.size) / either) + 1

    def reaches(heights: Array) -> Callable[[int], bool]:
        return lambda n: bool(_expected(np.array([n]), either, first, heights)[0] >= power)

    if coins_needed > THOUSANDS and _is_smooth(either, delta):
        n = _smallest(reaches(found), most)
        return n, n
    peaks, valleys = np.maximum.accumulate(found), np.minimum.accumulate(found[::-1])[::-1]
    tried = np.arange(_smallest(reaches(peaks), most), _smallest(reaches(valleys), most) + 1)
    reached = _expected(tried, either, first, found) >= power
    lacking = tried[~reached]
    return int(tried[np.argmax(reached)]), int(lacking[-1]) + 1 if lacking.size else int(tried[0])


def _rates(p_won: float, p_lost: float) -> tuple[float, float]:
    """The chance that exactly one model is right, and how often that is the worse one."""
    for name, chance in (("wins", p_won), ("losses", p_lost)):
        if not 0 <= chance <= 1:
            raise HoldfastError(f"{name} must lie between 0 and 1; got {chance:g}.")
    either = p_won + p_lost
    if either > 1 + 1e-12:
        raise HoldfastError(
            f"wins and losses are shares of the same examples and add up to 1 at most; got {p_won:g} and {p_lost:g}."
        )
    if p_won == p_lost:
        raise HoldfastError(
            f"Models that win as often as they lose, here {p_won:g} each, do not differ: nothing could show it."
        )
    return min(either, 1.0), min(p_won, p_lost) / either


def _normal_answer(worse: float, power: float, delta: float) -> float:
    """The number of coins by the normal approximation: where to begin."""
    z, more = (float(normal_quantile(np.asarray(chance))) for chance in (delta / 2, 1 - power))
    return float(((z + 2 * more * np.sqrt(worse * (1 - worse))) / (1 - 2 * worse)) ** 2)


def _is_smooth(either: float, delta: float) -> bool:
    r"""Whether averaging over the number of coins leaves nothing of the saw-tooth, so that power only rises with n.

    With d coins its teeth are :math:`2 \sqrt d / z` apart, even and odd d taken together, and the standard deviation
    of d is :math:`\sqrt{d (1 - p_d)}`: a wave of that length is damped by the factor whose logarithm stands here.
    """
    z = float(normal_quantile(np.asarray(delta / 2)))
    return (np.pi * z) ** 2 / 2 * (1 - either) >= DAMPED


def _stretch(coins_needed: float, either: float, worse: float, power: float, delta: float) -> tuple[int, Array]:
    """Numbers of coins among which the answer lies, from the first on, as their chances of success."""
    if coins_needed > THOUSANDS:
        reach = REACH * np.sqrt(coins_needed * (1 - either)) + 10 / (1 - 2 * worse) + 100
        while True:
            first = max(int(coins_needed - reach), 0)
            found = _found(np.arange(first, int(coins_needed + reach) + 1), worse, delta)
            if found[-64:].min() >= power and (first == 0 or found[:64].max() < power):
                return first, found
            reach *= 2
    size = 64
    while True:
        found = _found(np.arange(size), worse, delta)
        # Beyond a stretch that fails twenty times less often than allowed, no later one falls back so far.
        if found[-8:].min() >= 1 - (1 - power) / 20:
            return 0, found
        size *= 2


def _found(coins: Integers, worse: float, delta: float) -> Array:
    """The chance that so many coins are uneven enough, the right way round."""
    return binomial_tail(_most_losses(coins, delta), coins, worse, 1 - worse)


def _most_losses(coins: Integers, delta: float) -> Integers:
    """The largest x whose two-sided p-value is at most delta; -1 where there is none."""
    z = float(normal_quantile(np.asarray(delta / 2)))
    x = np.clip(np.floor((coins - z * np.sqrt(coins)) / 2), -1, coins // 2).astype(np.int64)
    while np.any(over := (x >= 0) & (2 * binomial_tail(x, coins, 0.5) > delta)):
        x = x - over
    while np.any(under := 2 * binomial_tail(x + 1, coins, 0.5) <= delta):
        x = x + under
    return x


def _expected(n: Integers, either: float, first: int, found: Array) -> Array:
    """The chance of success with n examples: that of d coins, `found` from `first` on, averaged over d."""
    low, high = _around(n, either)
    width = int((high - low).max(initial=0)) + 1
    rows = np.array_split(np.arange(n.size), 1 + n.size * width // CELLS)
    return np.concatenate([_averaged(n[i], low[i, np.newaxis] + np.arange(width), either, first, found) for i in rows])


def _averaged(n: Integers, coins: Integers, either: float, first: int, found: Array) -> Array:
    trials = n[:, np.newaxis]
    possible = (coins >= 0) & (coins <= trials)
    if either == 1.0:
        chance = np.where(coins == trials, 1.0, 0.0)
    else:
        inside, size = np.where(possible, coins, 0).astype(np.float64), trials.astype(np.float64)
        log_term = log_binomial_term(inside, size, np.asarray(either), np.asarray(1 - either))
        chance = np.where(possible, np.exp(log_term), 0.0)
    return np.sum(chance * found[np.clip(coins - first, 0, found.size - 1)], axis=-1)


def _around(n: ArrayLike, either: float) -> tuple[Integers, Integers]:
    """The fewest and the most coins that n examples can give, but for less than a rounding error."""
    mean = np.asarray(n) * either
    reach = REACH * np.sqrt(mean * (1 - either))
    return np.floor(mean - reach - 40).astype(np.int64), np.ceil(mean + reach + 40).astype(np.int64)


def _smallest(holds: Callable[[int], bool], likely: int) -> int:
    """The smallest positive number from which on the condition holds, which it does not at 0."""
    fails, does = 0, likely
    while not holds(does):
        fails, does = does, 2 * does
    while does - fails > 1:
        middle = (fails + does) // 2
        fails, does = (fails, middle) if holds(middle) else (middle, does)
    return does
