"""What a single row adds to a measure of tables: whether it is a trial, and whether it is an event.

It says what kind of rate a measure is, so that nobody has to list them.
"""

from __future__ import annotations

from functools import cache
from typing import Literal, NamedTuple

import numpy as np

from holdfast.catalog.measure import Measure
from holdfast.evidence import Contingency, Counts

LABELS = 3  # the fewest of which one may be actual, another predicted, and neither the one that is looked at


def single_rows() -> Contingency:
    """Tables of one row each, one for every pair of labels."""
    return Contingency(np.eye(LABELS**2, dtype=np.int64).reshape(-1, LABELS, LABELS), rows="predicted")


@cache
def counted_rows(measure: Measure) -> Literal["right", "wrong"] | None:
    """Which rows it is the share of, among all; None where it is no such share.

    Examples
    --------
    >>> from holdfast.catalog import find_measure
    >>> [counted_rows(find_measure(name)) for name in ("error-rate", "weighted-recall", "prevalence")]
    ['wrong', 'right', None]
    """
    if measure.takes is not Contingency or measure.required or measure.per_class or measure.out_of != "all":
        return None
    added, right = measure(single_rows()), np.eye(LABELS, dtype=bool).reshape(-1)
    if type(added) is not Counts or not np.all(added.n == 1):
        return None
    if np.array_equal(added.k, right):
        return "right"
    return "wrong" if np.array_equal(added.k, ~right) else None


class OfClass(NamedTuple):
    """A rate of a class whose trials the truth chose: what its trials are, and what its events."""

    inside: bool  # whether trials are the rows of the class, or else all others
    called: bool  # whether events are the trials that are said to be of it, or else all others


@cache
def rate_of_class(measure: Measure) -> OfClass | None:
    """What kind of rate of a class it is; None where it is none, or where the model has a say in its trials.

    Examples
    --------
    >>> from holdfast.catalog import find_measure
    >>> rate_of_class(find_measure("specificity")), rate_of_class(find_measure("precision"))
    (OfClass(inside=False, called=False), None)
    """
    if measure.takes is not Contingency or measure.required or not measure.per_class or measure.out_of != "actual":
        return None
    rows, places = single_rows(), np.arange(LABELS)
    added = measure(rows)
    if type(added) is not Counts:
        return None
    called, inside = (each[:, np.newaxis] == places for each in rows.cells[:2])
    for kind in (OfClass(*map(bool, divmod(number, 2))) for number in range(4)):
        trials = inside == kind.inside
        if np.array_equal(added.n, trials) and np.array_equal(added.k, trials & (called == kind.called)):
            return kind
    return None
