"""Sums in which neither the order of the numbers, nor how they are split into several sums, changes a digit.

Each number is split at 2**-26. The leading parts are whole numbers of 2**-26, which floats add up without any rounding
as long as the sum stays below 2**27; what they leave is at most half of such a part, and is summed by itself.
"""

from __future__ import annotations

import numpy as np

from holdfast.numerics.arrays import Array, Integers

PARTS = 2.0**26  # of one; and of each of them again
UNITS = 2**52  # of one, in which `whole_sum` counts
BLOCK = 2**17  # numbers of many groups at a time: what stays in the cache


def exact_sum(values: Array) -> Array:
    """The sum along the last axis, right to the last digit: thirty times 0.1 is 3, not 3.0000000000000004.

    Nothing is rounded before it is summed, so that tiny numbers keep all their digits; the rounding of what the
    leading parts leave is too small to matter.
    """
    leading, rest = _split(values)
    return np.asarray((leading.sum(axis=-1) + rest.sum(axis=-1)) / PARTS)


def whole_sums(shares: Array, times: Integers | None = None) -> tuple[Array, Array]:
    """The sum of numbers in [0, 1] along the last axis, each rounded to 2**-52 and taken once or so many times.

    It comes in two parts: whole numbers of 2**-26, and, for what these leave, of 2**-52.
    """
    leading, rest = _split(shares)
    rest *= PARTS
    rest = np.rint(rest, out=rest)
    if times is not None:
        # Beyond 2**36 examples, more than anybody has, Python's own whole numbers take over.
        counts = times.astype(np.int64 if times.sum() < 2**36 else object)
        leading, rest = (part.astype(np.int64) * counts for part in (leading, rest))
    return leading.sum(axis=-1), rest.sum(axis=-1)  # floats are right for up to 2**27 numbers


def whole_sum(shares: Array, times: Integers | None = None) -> int:
    """The same in one whole number of 2**-52, of which there are `UNITS` in one."""
    leading, rest = whole_sums(shares, times)
    return int(leading) * 2**26 + int(rest)


def grouped_sums(
    values: Array | float, group: Integers, groups: int, largest: float, weight: Array | None = None
) -> Array:
    """The sum of each group, its numbers rounded to 2**-52 of the power of two above the largest that there may be.

    Numbers may each count by a `weight`; `largest` is then of the products.

    Examples
    --------
    >>> grouped_sums(np.array([0.1, 0.2, 0.3, -1.0]), np.array([0, 0, 0, 2]), 3, largest=1.0)
    array([ 0.6,  0. , -1. ])
    """
    unit = 2.0 ** float(np.frexp(largest)[1])
    whole, left = np.zeros(groups), np.zeros(groups)
    # Sums of whole numbers are exact: where one block ends and the next begins changes no digit.
    step = max(BLOCK, groups)
    for start in range(0, group.size, step):
        here = slice(start, start + step)
        some = values[here] if isinstance(values, np.ndarray) else values
        leading, rest = _split((some if weight is None else some * weight[here]) / unit)
        whole += np.bincount(group[here], leading, groups)
        if rest.any():
            rest *= PARTS
            left += np.bincount(group[here], np.rint(rest, out=rest), groups)
    return np.asarray((whole + left / PARTS) * (unit / PARTS))


def _split(values: Array) -> tuple[Array, Array]:
    """The nearest whole numbers of 2**-26, and what they leave of the values, in the same unit."""
    rest = values * PARTS
    leading = np.rint(rest)
    rest -= leading
    return leading, rest
