"""How much data would settle it, before the labels are paid for?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from holdfast.bounds.binomial import normal_quantile
from holdfast.catalog import Bound, find
from holdfast.claims import chance_of_error
from holdfast.comparisons.mcnemar import MOST_EXAMPLES, exact, examples_for_power
from holdfast.errors import HoldfastError, UnfitMethod
from holdfast.evidence import Array, Counts, Integers, numbers, shown
from holdfast.invert import examples_needed
from holdfast.ledger.budget import Planned, chosen_rule
from holdfast.numerics.binomial import binomial_tail
from holdfast.report import Plan

ROUGH = 200  # numbers of examples that are tried first, before every one between what is surely short and surely enough


def examples_for_half_width(
    bound: Bound, half_width: float, expect: float | None, power: float, delta: float
) -> tuple[int, int]:
    """The smallest n, and that from which every n will do, with which both ends are probably near enough.

    With `expect`, so that the interval reaches at most `half_width` to either side of the estimate with the
    probability `power`; without it, so that it always does. The chance of that is a saw-tooth in n: it is worked out
    for every n between the first that comes near enough and the last that may still fall short.
    """
    of_one = np.sqrt(np.log(2 / delta) / 2)  # how far Hoeffding's interval reaches, with one example
    if not half_width > of_one / np.sqrt(MOST_EXAMPLES):
        raise HoldfastError(
            f"A half-width of {half_width} may need more than {MOST_EXAMPLES:,} examples; plan for a wider interval."
        )
    ceiling = int(np.ceil((of_one / half_width) ** 2)) + 1  # where it is narrow enough

    def lacking(n: Integers) -> Array:
        if expect is None:
            return _farthest(bound, n, delta) - half_width
        return power - _chance(bound, n, half_width, expect, delta)

    if lacking(np.array([ceiling]))[0] > 0:
        raise UnfitMethod(f"{bound.name} reaches further than {half_width} even with {ceiling} examples.")
    first, last = 1, ceiling
    while last - first > ROUGH:
        some = np.unique(np.geomspace(first, last, ROUGH).astype(np.int64))
        short = lacking(some)
        # The teeth: by how much an example, or a count, more or less can change what is lacking.
        tooth = 1.0 / some if expect is None else 2.0 / np.sqrt(np.maximum(some * expect * (1 - expect), 1.0))
        between = np.diff(some, prepend=some[0] - 1, append=some[-1] + 1) > 1  # whether any is left out on either side
        near = np.flatnonzero(short <= np.where(between[:-1] | between[1:], tooth, 0.0))[0]
        far = np.flatnonzero(short > -tooth)[-1]
        narrowed = int(some[max(near - 1, 0)]), int(some[min(far + 1, some.size - 1)])
        if narrowed == (first, last):
            break
        first, last = narrowed
    every = np.arange(first, last + 1)
    enough = lacking(every) <= 0
    failing = np.flatnonzero(~enough)
    return int(every[np.argmax(enough)]), int(every[failing[-1]]) + 1 if failing.size else first


def _reach(bound: Bound, k: Integers, n: Integers, delta: float) -> Array:
    """How far the interval for k of n events reaches from the estimate, to the farther side."""
    lower, upper = bound.limits(Counts(k, n), np.asarray(delta), "both")
    return np.maximum(upper - k / n, k / n - lower)


def _chance(bound: Bound, n: Integers, half_width: float, expect: float, delta: float) -> Array:
    """The chance that the interval reaches no further, for intervals that reach the farther the nearer k is to n/2."""
    rate, rest = np.asarray(expect), np.asarray(1 - expect)
    few = _run(lambda j: _reach(bound, j, n, delta) <= half_width, n // 2)
    many = _run(lambda j: _reach(bound, n - j, n, delta) <= half_width, (n - 1) // 2)
    parts = (np.where(j >= 0, binomial_tail(np.maximum(j, 0), n, p), 0.0) for j, p in ((few, rate), (many, rest)))
    return np.where(few + many + 1 >= n, 1.0, sum(parts))


def _run(holds: Callable[[Integers], Array], most: Integers) -> Integers:
    """The largest j up to `most` for which it holds, of what holds up to some j and then no more; -1 if for none."""
    low, high = np.full(most.shape, -1), most + 1
    while np.any(high - low > 1):
        middle = (low + high) // 2
        good = holds(np.maximum(middle, 0)) & (middle >= 0)
        low, high = np.where(good, middle, low), np.where(good, high, middle)
    return low


def _farthest(bound: Bound, n: Integers, delta: float) -> Array:
    """The farthest reach over all counts, which lies a few times sqrt(n) to either side of n/2.

    Where it lies at the largest n is searched for; at the others it is as many times sqrt(n) away, and so flat there
    that the counts next to it differ by less than the limits' own rounding.
    """
    largest = int(n[-1])
    away = largest / 2 - _peak(bound, largest, delta)
    k = np.rint(n / 2 - away * np.sqrt(n / largest)).astype(np.int64)
    counts = [np.clip(k + step, 0, n) for step in (-1, 0, 1)]
    return np.maximum.reduce([_reach(bound, each, n, delta) for one in counts for each in (one, n - one)])


def _peak(bound: Bound, n: int, delta: float) -> int:
    """The count up to n/2 whose interval reaches farthest, by a search that keeps two thirds each time."""
    low, high = 0, n // 2
    while high - low > 2:
        third = (high - low) // 3 or 1
        left, right = _reach(bound, np.array([low + third, high - third]), np.array([n, n]), delta)
        low, high = (low + third, high) if left < right else (low, high - third)
    every = np.arange(low, high + 1)
    return int(every[np.argmax(_reach(bound, every, np.full(every.shape, n), delta))])


THOUSANDS = 5_000  # accepted errors from which only those near the normal answer are tried


def plan(
    *,
    at_most: float | None = None,
    half_width: float | None = None,
    expect: float | None = None,
    wins: float | None = None,
    losses: float | None = None,
    power: float = 0.9,
    confidence: float | str | None = None,
    delta: float | None = None,
    method: str | Bound | None = None,
    gates: int | None = None,
    promotions: int | None = None,
) -> Plan:
    """How many examples a test set needs.

    Parameters
    ----------
    at_most
        The error rate to be proven. Without `expect`, the plan is for no errors at all.
    half_width
        Instead: how far, at most, the two-sided interval shall reach from the estimate to either side. Without
        `expect`, whatever the rate.
    expect
        The error rate the classifier is thought to have.
    wins, losses
        Instead, to tell two models apart by McNemar's exact test: the shares of examples that the first alone, and
        the second alone, is thought to get right.
    power
        The chance with which that shall succeed if the expectation is right.
    method
        A method for counts; by default clopper-pearson.
    gates, promotions
        Of a test set that is asked again, by a ledger: how many gates, and how many of them may be proven and followed
        by others. The plan is for the gate that has least to spend, whatever the answers were before it.

    Examples
    --------
    >>> plan(at_most=0.05).n
    59
    >>> made = plan(at_most=0.05, expect=0.03, power=0.9)
    >>> made.n, made.n_always, made.accept
    (832, 900, 31)
    >>> plan(half_width=0.02, expect=0.06).n
    804
    >>> plan(wins=0.04, losses=0.02, power=0.8).n
    1244
    >>> plan(at_most=0.05, expect=0.03, gates=100, promotions=3).n
    4677
    """
    chance = chance_of_error(confidence, delta)
    if chance.ndim:
        raise HoldfastError("A plan is made for one confidence at a time.")
    level = float(chance)
    if gates is not None or promotions is not None:
        rule = chosen_rule(gates, promotions)
        assert isinstance(rule, Planned)  # a number of gates was given, or refused
        if half_width is not None:
            raise HoldfastError("A gate proves a limit: plan gates= (--gates) with at_most= (--at-most).")
        least = rule.smallest(level)
        of_one = plan(at_most=at_most, expect=expect, wins=wins, losses=losses, power=power, delta=least, method=method)
        return replace(of_one, gates=rule.gates, promotions=rule.promotions, overall=level)
    if wins is not None or losses is not None:
        if wins is None or losses is None or any(each is not None for each in (at_most, half_width, expect, method)):
            raise HoldfastError(
                "A comparison is planned by wins= (--wins) and losses= (--losses), both, and nothing "
                "else but power= (--power)."
            )
        power, test = _one("power", power, 1.0), exact(0, 0)
        first, second = (numbers(name, share) for name, share in (("wins", wins), ("losses", losses)))
        if first.ndim or second.ndim:
            raise HoldfastError("wins and losses must each be one number.")
        n, always = examples_for_power(float(first), float(second), power, level)
        return Plan(n, always, level, power, test.test, test.guarantee, wins=float(first), losses=float(second))
    bound = find(method or "clopper-pearson")
    if Counts not in bound.takes or bound.parameters:
        raise UnfitMethod(f"A plan needs a method for counts, such as clopper-pearson; {bound.name} is none.")
    if (at_most is None) == (half_width is None):
        raise HoldfastError(
            "Say what shall be shown: an error rate by at_most= (--at-most), a half width of the "
            "interval by half_width= "
            "(--half-width), or which of two models is better by wins= (--wins) and losses= (--losses)."
        )
    power = _one("power", power, 1.0)
    rate = None if expect is None else float(numbers("expect", expect))
    if rate is not None and not 0 <= rate <= 1:
        raise HoldfastError(f"expect must lie between 0 and 1; got {expect}.")
    if at_most is not None:
        at_most = _one("at_most= (--at-most)", at_most, 1.0)
        if (rate or 0.0) >= at_most:
            raise HoldfastError(
                f"A rate of at most {at_most} can only be proven of a classifier expected to do better; "
                f"got expect = {expect}."
            )
        n, always, accept = _acceptance(bound, at_most, rate or 0.0, power, level)
        claim = bound(Counts(accept, n), level, "upper")
        return Plan(n, always, level, power, bound.name, bound.guarantee, expect, at_most, accept=accept, claim=claim)
    assert half_width is not None
    half_width = _one("half_width= (--half-width)", half_width, 0.5)
    n, always = examples_for_half_width(bound, half_width, rate, power, level)
    return Plan(n, always, level, power, bound.name, bound.guarantee, expect, half_width=half_width)


def _acceptance(bound: Bound, at_most: float, expect: float, power: float, delta: float) -> tuple[int, int, int]:
    """The first and the last change of answer as n grows, found over the accepted count c rather than over n.

    From the n at which c errors become acceptable up to the next such n the power only falls, so the first n
    with enough power starts such a stretch, and the last without it ends one.
    """
    if not bound.one_sided:
        raise UnfitMethod(f"{bound.name} is two-sided only; a limit is proven by a one-sided method.")
    level, rate = np.asarray(delta), np.asarray(expect)
    starts = np.zeros(0, np.int64)
    for errors in _candidates(at_most, expect, power, delta):
        starts = np.concatenate([starts, examples_needed(bound, errors[starts.size :], at_most, level)])
        best, worst = (binomial_tail(errors[:-1], n, rate) for n in (starts[:-1], starts[1:] - 1))
        lacking = np.flatnonzero(worst < power)
        # Beyond a stretch that fails twenty times less often than allowed, no later one falls back so far.
        if errors[0] > 0 or np.any(worst >= 1 - (1 - power) / 20):
            break
    first, settled = int(np.argmax(best >= power)), int(lacking[-1]) + 1 if lacking.size else 0
    if best[first] < power or settled >= best.size:
        raise UnfitMethod(f"{bound.name} is too loose for a plan so tight; try clopper-pearson.")
    return int(starts[first]), int(starts[max(settled, first)]), int(errors[first])


def _candidates(at_most: float, expect: float, power: float, delta: float) -> Iterator[Integers]:
    """Accepted counts among which the answer lies: more and more from 0 on, or those around the normal answer.

    Where that expects thousands, one count moves the power by less than a tenth of what the ends are away from it.
    """
    z, more = (float(normal_quantile(np.asarray(chance))) for chance in (delta, 1 - power))
    spread = z * np.sqrt(at_most * (1 - at_most)) + more * np.sqrt(expect * (1 - expect))
    if not at_most - expect > spread / np.sqrt(MOST_EXAMPLES):
        raise HoldfastError(
            f"This may take more than {MOST_EXAMPLES:,} examples; leave more room between the two rates."
        )
    n = (spread / (at_most - expect)) ** 2
    count = n * at_most
    if count > THOUSANDS:
        reach = 0.3 / (z + more) + 10 / np.sqrt(count)
        yield np.arange(int(count * (1 - reach)), int(count * (1 + reach)))
        return
    size = 64
    while size < 100 * (count + 64):
        yield np.arange(size + 1)
        size *= 2


def _one(name: str, value: float, most: float) -> float:
    """The option as a number strictly between 0 and `most`."""
    number = numbers(name, value)
    if number.ndim or not 0 < number < most:
        raise HoldfastError(f"{name} must be one number strictly between 0 and {most:g}; got {shown(value)}.")
    return float(number)
