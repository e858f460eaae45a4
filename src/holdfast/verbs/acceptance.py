"""How firmly something must hold to decide: at every sample size, or for large n where that is accepted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from holdfast.claims import Guarantee
from holdfast.combine import holm
from holdfast.errors import UnknownName
from holdfast.evidence import Array
from holdfast.report.decision import Accept, Answer

ACCEPTED: tuple[Accept, ...] = ("large-n",)
SOFTER = {Answer.PROVEN: Answer.SUPPORTED, Answer.REFUTED: Answer.CONTRADICTED}


def check_accept(accept: Any) -> None:
    if accept is not None and accept not in ACCEPTED:
        raise UnknownName("thing to accept", accept, ACCEPTED)


def firmly(answer: Answer, guarantee: Guarantee) -> Answer:
    """The answer in the words that its guarantee allows: without a proof nothing is proven, nor refuted.

    Examples
    --------
    >>> print(firmly(Answer.PROVEN, Guarantee.ASYMPTOTIC), "|", firmly(Answer.REFUTED, Guarantee.HEURISTIC))
    supported (large n) | not enough data
    """
    if guarantee is Guarantee.FINITE:
        return answer
    return SOFTER.get(answer, answer) if guarantee is Guarantee.ASYMPTOTIC else Answer.OPEN


def caution(rule: str, guarantee: Guarantee, accept: Accept | None) -> str | None:
    """Why what the rule says is no proof, and whether it decides all the same."""
    if guarantee is Guarantee.FINITE:
        return None
    if guarantee is Guarantee.HEURISTIC:
        return f"{rule} {guarantee.sentence}, so that it decides nothing."
    if accept is None:
        return (
            f'{rule} {guarantee.sentence}, so that it decides only where accept="large-n" (--accept large-n) says so, '
            "beforehand."
        )
    return f"{rule} {guarantee.sentence}, which was accepted: the answer may be wrong more often than asked for."


def shares(p_values: Array, guarantees: Iterable[Guarantee], delta: float) -> Array:
    """The delta at which each of several is tested, for all that are rejected to be so rightly: Holm's.

    What has a proof must hold at every sample size. So its share goes by the rejections that have one, and only the
    shares of what holds for large n by all of them. What comes without proof rejects nothing, and takes no share.

    Examples
    --------
    >>> finite, large = Guarantee.FINITE, Guarantee.ASYMPTOTIC
    >>> shares(np.array([0.01, 0.02, 0.5]), [large, finite, finite], 0.06)
    array([0.02, 0.02, 0.03])
    """
    levels = np.array([*guarantees])
    firm, taking = levels == Guarantee.FINITE, levels != Guarantee.HEURISTIC
    given = np.full(p_values.shape, delta)
    alone = holm(np.where(firm, p_values, 1.0)[taking], delta)
    given[taking] = np.where(firm[taking], alone, holm(p_values[taking], delta))
    return given
