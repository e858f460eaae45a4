"""An order for examples whose order says nothing, and the samples for which none can be trusted.

A bet on the examples one by one is fair if their order does not depend on their values. Where the user says that they
stand in the order in which they were drawn, it is, and the bet is proven. Else rows may be sorted or grouped, and the
values are sorted, then shuffled by a seed that the sorted values themselves determine: the same on every engine. But a
permutation that is a function of the sample has no proof, and whoever may change a loss in its sixth digit may draw
again until the shuffle pleases; so what is claimed then is HEURISTIC. `squares` needs no order at all.

A sample of few different values, such as grades, has few others like it, hence few shuffles, too few to average
out: by enumeration a bet on them misses up to 20 % of the time at a nominal 5 %. So a part of delta is kept back
for samples that have too few others like them, and these are answered by `mixture`, in which no order enters.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from hashlib import sha256
from math import prod

import numpy as np
from numpy.typing import NDArray

from holdfast.evidence import Array

BLOCK = 2**17  # numbers in work at once when many samples come in one call: memory stays bounded, and in cache
GRAIN = 2.0**-24  # losses that differ by less are the same to the seed of the shuffle
ALIKE = 500.0  # how many samples that miss there should be among those alike, so that their number averages out

Solver = Callable[[Array, Array], Array]  # from samples and a setting for each to a number for each


def limits_by_bets(
    values: Array, delta: Array, solve: Solver, unordered: Solver, *, numbers: int, drawn: bool
) -> Array:
    """Limits by bets on the values one by one, in the order in which they came if they were drawn in it."""
    if drawn:
        return for_each_ordered(values, delta, solve, numbers=numbers, drawn=True)
    back = kept_back(values.shape[-1])
    by_bets = for_each_ordered(values, (1 - back) * delta, solve, numbers=numbers, drawn=False)
    return unless_too_few_alike(values, delta, back * delta, by_bets, unordered)


def for_each_ordered(values: Array, setting: Array, solve: Solver, *, numbers: int, drawn: bool) -> Array:
    """Solve every sample, shuffled unless drawn in its order, as many at once as BLOCK allows at `numbers` a sample."""
    own, n = values.shape[:-1], values.shape[-1]
    lead = np.broadcast_shapes(own, np.shape(setting))
    samples = values.reshape(prod(own), n)
    samples = samples if drawn else shuffled(samples)
    which = np.broadcast_to(np.arange(prod(own)).reshape(own), lead).reshape(-1)
    settings = np.broadcast_to(setting, lead).reshape(-1)
    solved = np.empty(which.size)
    step = max(1, BLOCK // max(numbers, 1))
    for start in range(0, which.size, step):
        here = slice(start, start + step)
        solved[here] = solve(samples[which[here]], settings[here])
    return solved.reshape(lead)


def unless_too_few_alike(values: Array, delta: Array, setting: Array, solved: Array, unordered: Solver) -> Array:
    """What was solved by bets in an order, but for samples with too few others like them what needs none."""
    lead, n = solved.shape, values.shape[-1]
    few = np.broadcast_to(too_few_alike(values, delta), lead)
    if not few.any():
        return solved
    rows, settings = np.broadcast_to(values, (*lead, n))[few], np.broadcast_to(setting, lead)[few]
    replaced = np.array(solved)
    replaced[few] = unordered(rows, settings)
    return replaced


def kept_back(n: int) -> float:
    """The part of delta for samples with too few others like them: a half, then less, as they grow rare with n."""
    return min(0.5, 20.0 / max(n, 1))


def too_few_alike(values: Array, delta: Array) -> Array:
    """Whether, among the samples that could as well have been drawn, too few would miss to trust their number.

    Of k different values with counts c_1..c_k the samples alike are about as many as the entropy of such counts
    tells, the product of sqrt(2 pi e c_j) over sqrt(2 pi e n); one in 1/delta of them may miss. A constant sample
    has nothing to shuffle, and its bet is what it is.
    """
    if values.shape[-1] == 0:
        return np.zeros(np.broadcast_shapes(values.shape[:-1], delta.shape), dtype=bool)
    row, counts = times_of_each(values)
    entropy = (
        np.bincount(row, np.log(2 * np.pi * math.e * counts) / 2) - np.log(2 * np.pi * math.e * values.shape[-1]) / 2
    )
    several = np.bincount(row) > 1
    alike, several = (each.reshape(values.shape[:-1]) for each in (entropy, several))
    return np.asarray(several & (alike + np.log(delta) < np.log(ALIKE)))


def times_of_each(values: Array) -> tuple[Array, Array]:
    """Of each different value of each sample: the sample's place among all, and how often it holds the value."""
    n = values.shape[-1]
    ordered = np.sort(_canonical(values.reshape(-1, n)), axis=-1)
    starts = np.ones(ordered.shape, dtype=bool)
    starts[:, 1:] = ordered[:, 1:] != ordered[:, :-1]
    first = np.flatnonzero(starts)
    return first // n, np.diff(np.append(first, ordered.size))


def shuffled(samples: Array) -> Array:
    """Each row in the order that the hash of its sorted values decides."""
    ordered = np.sort(samples, axis=-1)
    for row, marks in zip(ordered, _canonical(ordered), strict=True):  # a hash is one sample's business: no array form
        row[:] = row[order_by(sha256(marks).digest(), row.size)]
    return ordered


def order_by(digest: bytes, n: int) -> NDArray[np.intp]:
    """The permutation of n that sorts raw PCG64 words, which no version of numpy may change, seeded by a digest."""
    words = np.random.PCG64(int.from_bytes(digest[:16], "little")).random_raw(n)
    # The index rides in the lowest bits: sorting words is several times faster than argsort, and no tie is left.
    low = np.uint64((1 << n.bit_length()) - 1)
    keys = (words & ~low) | np.arange(n, dtype=np.uint64)
    keys.sort()
    return (keys & low).astype(np.intp)


def _canonical(values: Array) -> Array:
    """The values as whole numbers of `GRAIN`, the same for x as for the mirror of its mirror.

    1 - (1 - x) is a multiple of 2**-53, and that of 1 - x is one minus it, exactly. The grain is far coarser than
    rounding errors, so that other units, or an engine that adds in another order, rarely lead to another shuffle.
    """
    return np.rint((1.0 - (1.0 - values)) / GRAIN).astype("<i8")
