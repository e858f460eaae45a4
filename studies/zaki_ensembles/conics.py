"""Where classifiers change their mind: as curves that can be drawn.

With the kernel (x · z)² the decision is x'Ax + b, a conic about the origin, so that each direction has one distance at
which it changes sign, if any. Of several models whose b have the same sign the vote changes at the median distance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

FRAME = ((-4.0, 4.2), (-1.6, 1.6))
ANGLES = np.linspace(0, 2 * np.pi, 361)
TURN = np.radians(5)  # less than this between two pieces of a curve is not seen
Rows = list[dict[str, Any]]


def distances(model: Any) -> np.ndarray:
    """Along each angle, how far from the origin a quadratic machine changes its answer; infinity where never."""
    vectors, weights = model.support_vectors_, model.dual_coef_[0]
    matrix = (vectors * weights[:, None]).T @ vectors
    ray = np.stack([np.cos(ANGLES), np.sin(ANGLES)])
    bend = np.einsum("in,ij,jn->n", ray, matrix, ray)
    squared = np.full(len(ANGLES), np.inf)
    np.divide(-model.intercept_[0], bend, out=squared, where=bend != 0)
    return np.sqrt(np.where(squared > 0, squared, np.inf))


def agree_at_the_centre(models: Sequence[Any]) -> bool:
    return len({bool(model.intercept_[0] > 0) for model in models}) == 1


def voted(models: Sequence[Any]) -> np.ndarray:
    """Where the majority changes its answer; between the two middle ones, if their number is even, it is tied."""
    each = np.sort([distances(model) for model in models], axis=0)
    low, high = each[(len(each) - 1) // 2], each[len(each) // 2]
    return np.where(np.isinf(high), np.where(np.isinf(low), np.inf, low), (low + high) / 2)


def curve(distance: np.ndarray, name: str) -> Iterator[dict[str, Any]]:
    """The points of the curve within the frame; a new part wherever it leaves it."""
    finite = np.where(np.isinf(distance), 0.0, distance)
    x, y = finite * np.cos(ANGLES), finite * np.sin(ANGLES)
    (left, right), (bottom, top) = FRAME
    inside = np.isfinite(distance) & (x >= left) & (x <= right) & (y >= bottom) & (y <= top)
    part = np.cumsum(np.diff(inside, prepend=False) & inside)
    for number in np.unique(part[inside]):
        piece = np.flatnonzero(inside & (part == number))
        for place in piece[_needed(x[piece], y[piece])]:
            at = {"x": round(float(x[place]), 3), "y": round(float(y[place]), 3)}
            yield {"name": name, "part": f"{name}/{number}", **at}


def _needed(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """Its ends, and the points where a curve has turned enough since the last one: pictures stay small."""
    heading = np.unwrap(np.arctan2(np.diff(y), np.diff(x)))
    turned = np.concatenate([[0.0], np.cumsum(np.abs(np.diff(heading))), [0.0]]) if len(x) > 2 else np.zeros(len(x))
    needed = np.diff(np.floor(turned / TURN), prepend=-1.0) != 0
    needed[[0, -1]] = True
    return needed


def line(model: Any, name: str) -> Rows:
    """The two ends, within the frame, of the straight line of a linear machine; none if it passes outside."""
    (a, b), c = model.coef_[0], model.intercept_[0]
    (left, right), (bottom, top) = FRAME
    ends = {(x, round(float(-(c + a * x) / b), 3)) for x in (left, right) if b and bottom <= -(c + a * x) / b <= top}
    ends |= {(round(float(-(c + b * y) / a), 3), y) for y in (bottom, top) if a and left <= -(c + b * y) / a <= right}
    return [{"name": name, "part": name, "x": x, "y": y} for x, y in sorted(ends)[:: max(len(ends) - 1, 1)]]


def regions(answers: Any, steps: tuple[int, int] = (164, 64)) -> Rows:
    """Where the answer is +1, as strips: `answers` takes points and gives signs."""
    x, y = (np.linspace(*ends, number + 1) for ends, number in zip(FRAME, steps, strict=True))
    middle = np.stack(np.meshgrid((x[1:] + x[:-1]) / 2, (y[1:] + y[:-1]) / 2), axis=-1)
    inside = (answers(middle.reshape(-1, 2)) > 0).reshape(steps[1], steps[0])
    strips = []
    for row, low, high in zip(inside, y[:-1], y[1:], strict=True):
        change = np.flatnonzero(np.diff(np.concatenate([[False], row, [False]])))
        for start, stop in zip(change[::2], change[1::2], strict=True):
            ends = (x[start], x[stop], low, high)
            strips.append(dict(zip(("x", "x2", "y", "y2"), (round(float(end), 3) for end in ends), strict=True)))
    return strips
