"""A forest plot one interval at a time, as SVG written by hand: a strip for a cell of a table, and the axis above it.

Filled dots on solid lines hold at every sample size; open dots do not, on dashed lines only as the sample grows and
on dotted ones without proof: that is seen in any colour. A limit beyond the axis ends in an arrow.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from math import isfinite

from holdfast.claims import Claim, Guarantee

WIDTH, HEIGHT, MARGIN = 180, 18, 12
DASHES = {Guarantee.FINITE: "", Guarantee.ASYMPTOTIC: "6 3", Guarantee.HEURISTIC: "1.5 3"}


@dataclass(frozen=True)
class Axis:
    """From where to where the strips reach."""

    low: float
    high: float

    @classmethod
    def of(cls, claims: Iterable[Claim]) -> Axis:
        """From 0 or -1 to 1, which most measures keep to; if no claim does, as far as their limits reach."""
        limits = [(float(claim.lower), float(claim.upper)) for claim in claims]
        usual = [low for low, high in limits if low >= -1 and high <= 1]
        if usual or not limits:
            return cls(-1.0 if min(usual, default=0.0) < 0 else 0.0, 1.0)
        ends = [end for pair in limits for end in pair if isfinite(end)] or [0.0, 1.0]
        low, high = min(0.0, *ends), max(0.0, *ends)
        return cls(low, high if high > low else low + 1.0)

    def at(self, value: float) -> float:
        """Where a value stands in the strip; what lies beyond the axis, at its end."""
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return round(MARGIN + share * (WIDTH - 2 * MARGIN), 2)

    @property
    def ticks(self) -> tuple[float, float, float]:
        return self.low, (self.low + self.high) / 2, self.high


def axis_svg(axis: Axis) -> str:
    """The numbers over the strips."""
    told = "".join(
        f'<text x="{axis.at(tick)}" y="12" text-anchor="middle" font-size="10" fill="currentColor">{tick:.4g}</text>'
        for tick in axis.ticks
    )
    return _svg(told, "the axis of the intervals")


def interval_svg(claim: Claim, axis: Axis) -> str:
    """The estimate as a dot on the line of its interval."""
    middle, lower, upper = HEIGHT / 2, float(claim.lower), float(claim.upper)
    estimate = None if claim.estimate is None else float(claim.estimate)
    left, right = axis.at(lower), axis.at(upper)
    dashes = f' stroke-dasharray="{DASHES[claim.guarantee]}"' if DASHES[claim.guarantee] else ""
    parts = [_line(axis.at(tick), 0, axis.at(tick), HEIGHT, ' stroke-opacity="0.2"') for tick in axis.ticks]
    parts.append(_line(left, middle, right, middle, f' stroke-width="2"{dashes}'))
    for end, beyond, tip in ((left, lower < axis.low, -6), (right, upper > axis.high, 6)):
        if beyond:
            corners = f"{end},{middle - 4} {end + tip},{middle} {end},{middle + 4}"
            parts.append(f'<polygon points="{corners}" fill="currentColor"/>')
        else:
            parts.append(_line(end, middle - 4, end, middle + 4, ' stroke-width="1.5"'))
    if estimate is not None and axis.low <= estimate <= axis.high:
        inside = "currentColor" if claim.guarantee is Guarantee.FINITE else "none"
        at = f'cx="{axis.at(estimate)}" cy="{middle}" r="3.5"'
        parts.append(f'<circle {at} fill="{inside}" stroke="currentColor" stroke-width="1.5"/>')
    point = "no estimate" if estimate is None else f"estimate {estimate:.4g}"
    return _svg("".join(parts), f"{point}, from {lower:.4g} to {upper:.4g}, {claim.guarantee.sentence}")


def _line(x1: float, y1: float, x2: float, y2: float, how: str) -> str:
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" stroke="currentColor"{how}/>'


def _svg(content: str, said: str) -> str:
    size = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="{escape(said)}">{content}</svg>'
