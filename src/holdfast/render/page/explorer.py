"""The explorer of thresholds: what the slider shows at each of its steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from holdfast.render.numbers import UNKNOWN
from holdfast.render.phrases import rate_and_limits
from holdfast.wording import printable

RATES = ("recall", "specificity", "precision")
OWN = "So each interval here is that of this one threshold."
CHOSEN = (
    "This threshold was not fixed beforehand. Whoever picks one after looking picks among the lucky ones: with 200 "
    "positives, some threshold has a false limit of its own in half of all samples. So the limits shown are those of "
    "a band that holds for all thresholds at once."
)


def explorer(view: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """What the slider shows at each of its steps, rising thresholds from left to right."""
    if view is None or not view["points"]:
        return None
    points, declared = list(reversed(view["points"])), view["declared"]
    own = [declared is not None and point["threshold"] == declared for point in points]
    return {
        "label": printable(view["label"], 60),
        "declared": next((point["shown"] for point, mine in zip(points, own, strict=True) if mine), None),
        "all": f"{view['of']:,}" if len(points) < view["of"] else "",
        "start": _start(points, own),
        "own": own.index(True) if any(own) else None,
        "why": [f"{view['why']} {OWN}", CHOSEN],
        "steps": [_step(point, mine) for point, mine in zip(points, own, strict=True)],
    }


def _start(points: Sequence[Mapping[str, Any]], own: Sequence[bool]) -> int:
    """The declared threshold; else one half where scores lie about it, else the middle."""
    if any(own):
        return own.index(True)
    at = [point["threshold"] for point in points]
    if 0 <= min(at) <= 0.5 <= max(at) <= 1:
        return min(range(len(at)), key=lambda i: abs(at[i] - 0.5))
    return len(points) // 2


def _step(point: Mapping[str, Any], own: bool) -> list[Any]:
    """Threshold, counts, and of each rate the estimate and limits: its own, or those of the band."""
    ends = ("lower", "upper") if own else ("band_lower", "band_upper")
    rates = [rate_and_limits(point[r]["estimate"], *(point[r].get(end) for end in ends)) for r in RATES]
    counts = [f"{point[name]:,}" for name in ("tp", "fp", "fn", "tn")]
    told = [(estimate or UNKNOWN, limits or UNKNOWN) for estimate, limits in rates]
    return [point["shown"], counts, told]
