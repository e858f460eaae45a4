"""Questions that were asked several times: how many answers of each are wrong, and how many there are."""

from __future__ import annotations

from dataclasses import dataclass

from holdfast.errors import InvalidEvidence
from holdfast.evidence.counts import Counts
from holdfast.evidence.value import Value


@dataclass(frozen=True, eq=False)
class Samples(Value):
    """Wrong answers out of all answers to each question, the questions along the last axis.

    Examples
    --------
    >>> Samples(Counts([7, 0], [10, 10])).each
    Counts(k=[7 0], n=[10 10])
    """

    each: Counts

    def __post_init__(self) -> None:
        if self.each.n.ndim == 0:
            raise InvalidEvidence("Samples needs one count for each question: Counts([k1, k2, ...], [n1, n2, ...]).")
