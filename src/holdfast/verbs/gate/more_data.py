"""How many more examples would probably settle what these leave open?"""

from __future__ import annotations

from functools import cache
from math import ceil, inf, sqrt
from typing import NamedTuple, get_type_hints

import numpy as np

from holdfast.bounds.binomial import normal_quantile
from holdfast.catalog import Bound, find, find_measure
from holdfast.claims import Assumption, Claim
from holdfast.evidence import Array, Counts, Overlap
from holdfast.verbs.gate.conditions import MEAN_LOSS, Condition
from holdfast.verbs.plan import plan

POWER = 0.9  # how probable "probably" is, if the estimate is right
ENUMERATED = 10_000  # examples up to which the plan is exact, counts being whole
REASONABLE = 10_000_000  # examples beyond which nobody should be sent to find more

TOO_NEAR = "The estimate is so near the limit that no reasonable number of examples would settle it."
NEVER = "No number of examples proves a measure to be exactly at the end of its range."


class Settling(NamedTuple):
    """How many more examples of the kind at hand, and what to know about that number."""

    more: int | None
    note: str | None = None


def settling(
    condition: Condition, lower: Claim, upper: Claim, rows: int, ends: tuple[float, float], enumerated: bool = True
) -> Settling:
    """More examples after which the condition is probably proven, or refuted, if the estimate is right."""
    if condition.limit == ends[0 if condition.from_above else 1]:
        return Settling(None, NEVER)
    # What is claimed of a baseline is a difference, be it one of rates of counted events.
    n, kind = int(upper.n), counted_as(condition.measure) if condition.margin is None else None
    exact = kind is not None and Counts in find(upper.method).takes
    if upper.estimate is None:
        return Settling(None, _unseen(condition, upper) if exact else "Nothing can be estimated from these examples.")
    estimate, limit = float(upper.estimate), condition.limit
    below = condition.from_above == (estimate < limit if condition.from_above else estimate > limit)
    if exact:  # shown is that the rate is below the limit, or that its complement is
        if kind is Overlap:
            estimate, limit = (share / (2 - share) for share in (estimate, limit))
        rate, top = (estimate, limit) if below else (1 - estimate, 1 - limit)
        needed = _planned(rate, top, float((upper if below else lower).delta), upper.method, enumerated)
    else:
        slack = float(upper.upper) - estimate if below else estimate - float(lower.lower)
        needed = extrapolated(n, slack, abs(estimate - limit), float((upper if below else lower).delta))
    return (
        Settling(None, TOO_NEAR) if needed > REASONABLE else _of_all(condition, upper, max(ceil(needed) - n, 1), rows)
    )


@cache
def counted_as(measure: str) -> type | None:
    """Counts, or a kind of them, if the measure is a rate of counted events."""
    if measure == MEAN_LOSS:
        return None
    kind = get_type_hints(find_measure(measure).narrow).get("return")
    return kind if isinstance(kind, type) and issubclass(kind, Counts) else None


def _planned(rate: float, top: float, delta: float, method: str, enumerated: bool) -> float:
    """Examples after which a rate is probably shown to be at most `top`; infinitely many where that cannot be."""
    if not (rate < top and 0 < top < 1):
        return inf
    spread = _quantile(delta) * sqrt(top * (1 - top)) + _quantile(1 - POWER) * sqrt(rate * (1 - rate))
    about = (spread / (top - rate)) ** 2  # the normal answer
    if not enumerated or about > REASONABLE:
        return about
    if method == "clopper-pearson" and about <= ENUMERATED:
        return plan(at_most=top, expect=rate, power=POWER, delta=delta).n
    return _reached(find(method), rate, top, np.asarray(delta))


def _reached(bound: Bound, rate: float, top: float, delta: Array) -> float:
    """The number from which on about as many events as one should be ready for still show it, by bisection."""
    z = _quantile(1 - POWER)

    def shown(n: int) -> bool:
        events = min(ceil(n * rate + z * sqrt(n * rate * (1 - rate))), n)
        return bool(bound.limits(Counts(events, n), delta, "upper")[1] <= top)

    short, enough = 0, 1
    while not shown(enough):
        short, enough = enough, 2 * enough
        if enough > REASONABLE:
            return inf
    while enough - short > 1:
        middle = (short + enough) // 2
        short, enough = (short, middle) if shown(middle) else (middle, enough)
    return enough


def extrapolated(n: int, slack: float, gap: float, delta: float, power: float = POWER) -> float:
    """By the law of the square root: the limit moves towards the estimate as one over the root of n."""
    if not gap > 0:
        return inf
    z = max(_quantile(delta), 0.5)  # at a confidence near one half the spread cannot be read off the limit
    return n * (slack / gap * (1 + _quantile(1 - power) / z)) ** 2


def _quantile(chance: float) -> float:
    return float(normal_quantile(np.asarray(chance)))


def _unseen(condition: Condition, claim: Claim) -> str:
    """What it takes at least, where nothing was seen yet of what the measure is about."""
    top = condition.limit if condition.from_above else 1 - condition.limit
    if not 0 < top < 1:
        return NEVER
    least = plan(at_most=top, delta=float(claim.delta), method=claim.method).n
    return f"None of these examples is of the kind that the measure is about; it takes at least {least:,} of them."


def _of_all(condition: Condition, claim: Claim, more: int, rows: int) -> Settling:
    """Scaled up where what counts are some of the examples only, or clusters of them."""
    n = int(claim.n)
    if n >= rows or n == 0:
        return Settling(more)
    if condition.margin is not None and Assumption.CLUSTERS not in claim.assumes:
        return Settling(ceil(more * rows / n))
    of = "" if condition.label is None else f" of {condition.label}"
    if Assumption.CLUSTERS in claim.assumes:
        rests, kind, stays = f"{n:,} clusters", "clusters", "they stay as large"
    else:
        rests, kind, stays = f"{n:,} of the {rows:,} examples", "of that kind", "their share stays the same"
    return Settling(
        ceil(more * rows / n),
        f"{condition.measure}{of} rests on {rests}. It would take about {more:,} more {kind}; how many examples that "
        f"is in all assumes that {stays}.",
    )
