"""Whether one of two classifiers errs more often than the other on the unlabelled inputs at hand."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from holdfast.evidence import Array, Integers
from holdfast.numerics.hypergeometric import hypergeometric_tail

Flags = NDArray[np.bool_]


def more_than_half(alone: Integers, apart: Integers, unlabelled: Integers, delta: Array) -> Flags:
    """Whether a classifier surely errs on more than half of the unlabelled inputs on which two say different things.

    It did so on `alone` of the labelled ones `apart`.

    Examples
    --------
    >>> more_than_half(np.array([30, 40]), np.array([50, 50]), np.array([60, 60]), np.array(0.05))
    array([False,  True])
    """
    return _on_more_than(unlabelled // 2, alone, apart, unlabelled, delta)


def more_than_the_other(
    alone: Integers, other_alone: Integers, apart: Integers, unlabelled: Integers, delta: Array
) -> Flags:
    r"""Whether a classifier alone surely errs on more of the unlabelled inputs than the other alone does.

    Notes
    -----
    Either number has its limit by `hypergeometric` at half of delta. The lower one of the first exceeds the upper one
    of the other where some m lies between them,

    .. math:: L > U \iff L > m \ge U \text{ for some } m,

    and either side of that takes one tail where a limit takes as many as its number has bits. The first m, halfway
    between the estimates, settles most pairs; for the others it is moved by halves.

    Examples
    --------
    >>> apart = unlabelled = np.array([50, 50])
    >>> more_than_the_other(np.array([12, 30]), np.array([8, 3]), apart, unlabelled, np.array(0.05))
    array([False,  True])
    """
    given = np.broadcast_arrays(alone, other_alone, apart, unlabelled, np.asarray(delta) / 2)
    alone, other_alone, apart, rest, part = (np.ravel(each) for each in given)
    found, low, high = np.zeros(rest.shape, bool), np.zeros_like(rest), rest.copy()
    m = (alone + other_alone) * rest // np.maximum(2 * apart, 1)
    left = np.arange(rest.size)
    while left.size:
        on_more = _on_more_than(m[left], alone[left], apart[left], rest[left], part[left])
        on_no_more = _on_at_most(m[left], other_alone[left], apart[left], rest[left], part[left])
        found[left] = on_more & on_no_more
        low[left] = np.where(on_more, m[left] + 1, low[left])
        high[left] = np.where(on_no_more, m[left] - 1, high[left])
        left = left[(on_more != on_no_more) & (low[left] <= high[left])]
        m[left] = (low[left] + high[left]) // 2
    return found.reshape(given[0].shape)


def _on_at_most(m: Integers, errors: Integers, labelled: Integers, unlabelled: Integers, delta: Array) -> Flags:
    """Whether the upper limit by `hypergeometric` is m or less: one error more would be too surprising."""
    pool = np.maximum(labelled + unlabelled, 1)
    tail = hypergeometric_tail(errors, pool, np.minimum(errors + m + 1, pool), labelled)
    return np.asarray((m >= unlabelled) | (tail <= delta))


def _on_more_than(m: Integers, errors: Integers, labelled: Integers, unlabelled: Integers, delta: Array) -> Flags:
    """Whether the lower limit is more than m: seen from those that are no errors, whose upper limit is then lower."""
    return _on_at_most(unlabelled - m - 1, labelled - errors, labelled, unlabelled, delta)
