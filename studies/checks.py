"""One thing that a document says, and what becomes of it: the status is computed, never typed.

A printed number stays a string, so that its digits say how far it was meant.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal
from enum import StrEnum
from math import isfinite

import numpy as np
from numpy.typing import ArrayLike

RARE = 0.01  # a printed value at which fewer of the redrawn ones lie, on either side, is not typical


class Status(StrEnum):
    """What became of it."""

    AGREES = "agrees"
    DIFFERS = "differs"
    UNKNOWN = "cannot be checked"


@dataclass(frozen=True)
class Check:
    """What a document prints at a place, and what is found there today."""

    place: str  # "Example 22.7"
    what: str  # "variance of the five error rates"
    printed: str
    found: str  # what is right, in words or digits; empty where nobody can tell
    status: Status
    how: str  # how we know: the formula, the function or the count that gave `found`, or why nobody can tell
    why: str = ""  # where it differs: how the printed value can have come about


def number(place: str, what: str, printed: str, found: float, how: str, why: str = "", *, cut: bool = False) -> Check:
    """A printed number: it agrees where the found one rounds to it, or, with `cut`, also where it is cut off there.

    Examples
    --------
    >>> number("Example 22.1", "error rate", "0.267", 8 / 30, "8 of 30").status.value
    'agrees'
    >>> number("Example 22.4", "AUC", "0.775", 0.7775, "155.5 of 200 pairs").found
    '0.7775'
    """
    ways = [ROUND_HALF_UP, ROUND_DOWN] if cut else [ROUND_HALF_UP]
    agrees = any(_as_printed(found, printed, way) == Decimal(printed) for way in ways)
    return Check(place, what, printed, _shown(found, printed), _status(agrees), how, "" if agrees else why)


def statement(place: str, printed: str, holds: bool, how: str, right: str = "", why: str = "") -> Check:
    """A sentence or a formula: whether it holds is computed by whoever asks; `right` is what should stand there.

    Examples
    --------
    >>> statement("2.1", "two is odd", bool(2 % 2), "2 = 2 x 1", right="two is even").status.value
    'differs'
    """
    found = "holds" if holds else right or "does not hold"
    return Check(place, "statement", printed, found, _status(bool(holds)), how, "" if holds else why)


def drawn(place: str, what: str, printed: str, values: ArrayLike, how: str) -> Check:
    """A number that hangs on splits nobody knows: where it falls among those of many splits that are drawn anew.

    A rare place proves nothing, so it makes no error of it; it only cannot be called confirmed.

    Examples
    --------
    >>> drawn("Example 22.1", "error rate", "0.267", [0.2, 0.233, 0.267, 0.3], "4 splits").status.value
    'agrees'
    """
    among = np.sort(np.asarray(values, float))
    half = float(Decimal(1).scaleb(int(Decimal(printed).as_tuple().exponent))) / 2
    below, above = np.mean(among <= float(printed) + half), np.mean(among >= float(printed) - half)
    typical = min(below, above) >= RARE
    lower, middle, upper = (_shown(float(value), printed) for value in np.quantile(among, [0.025, 0.5, 0.975]))
    found = f"median {middle}, 95 % in [{lower}, {upper}]"
    place_among = f"{below:.1%} of them are as low or lower, {above:.1%} as high or higher"
    return Check(place, what, printed, found, Status.AGREES if typical else Status.UNKNOWN, f"{how}: {place_among}")


def unknown(place: str, what: str, printed: str, why: str) -> Check:
    """What nobody can check any more, and why."""
    return Check(place, what, printed, "", Status.UNKNOWN, why)


def counted(checks: Iterable[Check]) -> str:
    """How many agree, differ and cannot be checked: what stands at the top of each page."""
    found = Counter(check.status for check in checks)
    return ", ".join(f"**{found[status]}** {_verb(status, found[status])}" for status in Status)


def of_status(checks: Sequence[Check], status: Status) -> list[Check]:
    return [check for check in checks if check.status is status]


def _verb(status: Status, number: int) -> str:
    if number == 1 or status is Status.UNKNOWN:
        return str(status)
    return {Status.AGREES: "agree", Status.DIFFERS: "differ"}[status]


def _status(agrees: bool) -> Status:
    return Status.AGREES if agrees else Status.DIFFERS


def _as_printed(found: float, printed: str, way: str) -> Decimal | None:
    """The found number in the digits of the printed one."""
    if not isfinite(found):
        return None
    unit = Decimal(1).scaleb(int(Decimal(printed).as_tuple().exponent))
    return Decimal(repr(round(float(found), 15))).quantize(unit, rounding=way)


def _shown(found: float, printed: str) -> str:
    """Two digits more than are printed, without idle zeros."""
    digits = max(-int(Decimal(printed).as_tuple().exponent), 0) + 2
    text = f"{found:.{digits}f}" if abs(found) >= 1e-4 or found == 0 else f"{found:.4g}"
    return text.rstrip("0").rstrip(".") if "." in text and "e" not in text else text
