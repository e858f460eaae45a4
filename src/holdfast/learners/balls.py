"""Balls around examples, each reaching to another: which of them covers most of what is still to be covered."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from holdfast.evidence import Array, Integers

Mask = NDArray[np.bool_]
BLOCK = 2**18  # distances worked on at once: they stay in the cache
INNER = 2**32  # one inner example in a sum whose lower half counts the outer ones
ROUNDING = 1e-6  # far more than a gain below one over it can be off by


class Ball(NamedTuple):
    """The examples within a distance of a centre; around an inner centre its border belongs to it, else it does not.

    It covers what lies outside when its centre is inner, and what lies inside when its centre is outer.
    """

    centre: int
    border: int
    square: float  # the radius, squared


def squared_distances(points: Array, centres: Array) -> Array:
    """From each point to each centre.

    One feature is added after the other, so that the same two points give the same bits in whatever company: what a
    ball covered in training it covers ever after, its own border included or not.
    """
    total = np.zeros((len(points), len(centres)))
    apart = np.empty_like(total)
    with np.errstate(over="ignore"):  # infinitely far is outside
        for values, centre_values in zip(points.T, centres.T, strict=True):
            np.subtract.outer(values, centre_values, out=apart)
            apart *= apart
            total += apart
    return total


def blocks(rows: int, width: int) -> Iterator[slice]:
    """Stretches of rows, each holding about a block of numbers."""
    step = max(BLOCK // max(width, 1), 1)
    return (slice(start, start + step) for start in range(0, rows, step))


class Views:
    """From every example, the others in the order in which balls around it come to cover them.

    Inner examples are those that balls should leave uncovered, and the only borders. Around an outer centre a growing
    ball covers the nearest first, around an inner one a shrinking ball the farthest: either way the ball that ends on
    an example covers what stands before those at its distance. Sorted once, running counts along every view tell
    what each of the balls covers, for some operations a pair of examples. Kept are 3 bytes a pair (5 beyond 65,536).
    """

    def __init__(self, points: Array, inner: Mask) -> None:
        self.points, self.inner = np.asfortranarray(points), inner
        size = len(inner)
        self.order = np.empty((size, size), np.min_scalar_type(size))
        self.barred = np.ones((size, size), np.bool_)  # where in a view no ball ends
        self.farthest = 0.0
        for rows in blocks(size, size):
            self._sort(rows)
        self.hope = np.full(size, np.inf)  # no ball around the centre gains more

    def _sort(self, rows: slice) -> None:
        distances = squared_distances(self.points[rows], self.points)
        self.farthest = max(self.farthest, float(distances.max()))
        inner_centre = self.inner[rows]
        distances[inner_centre] *= -1.0
        order = np.argsort(distances, axis=1, kind="stable")
        along = np.take_along_axis(distances, order, axis=1)
        border = self.inner[order] & (order != np.arange(rows.start, rows.start + len(order))[:, np.newaxis])
        # Examples at one distance are covered together, or end a ball together.
        first = np.ones(order.shape, np.bool_)
        first[:, 1:] = along[:, 1:] > along[:, :-1]
        starts = np.flatnonzero(first)
        self.order[rows] = order
        self.barred[rows].reshape(-1)[starts[np.logical_or.reduceat(border.ravel(), starts)]] = False

    def best(self, inner_left: Mask, outer_left: Mask, penalty: float) -> tuple[Ball, int]:
        """The ball covering most outer examples, less a penalty for each inner one, and how many outer ones it covers.

        Of equals that with fewer inner ones, then the first centre, then the first border.
        """
        left = inner_left * INNER + outer_left
        found, key = None, (-np.inf, 0, 0)
        promising = np.argsort(-self.hope, kind="stable")
        for some in blocks(*self.order.shape):
            rows = promising[some]
            if self.hope[rows[0]] < key[0]:
                break
            one = left.take(self.order[rows])
            covered = np.cumsum(one, axis=1)
            covered -= one
            outer, inner = covered & (INNER - 1), covered >> 32
            gain = _gain(outer, inner, penalty)
            np.copyto(gain, -np.inf, where=self.barred[rows])
            self.hope[rows] = most = gain.max(axis=1)
            if (top := float(most.max())) < key[0] or top == -np.inf:
                continue
            at, places = np.nonzero(gain == top)
            rank = np.lexsort((rows[at], inner[at, places]))  # centres within the number of inner examples
            chosen = at[rank[0]], places[rank[0]]
            centre, wrong = int(rows[chosen[0]]), int(inner[chosen])
            if (top, -wrong, -centre) > key:
                key = top, -wrong, -centre
                equal = (at == chosen[0]) & (inner[at, places] == wrong)
                found = self._first_border(centre, places[equal]), int(outer[chosen])
        assert found is not None, "a ball around an outer example that ends on the nearest inner one costs nothing"
        return found

    def cover(self, ball: Ball, inner_left: Mask, penalty: float) -> Mask:
        """Which examples the ball covers. They are then no longer left, and what other balls may gain changes."""
        covered = covers(self._distances(ball.centre), ball.square, bool(self.inner[ball.centre]))
        # No ball gains where outer examples go; for each inner one that goes it may gain a penalty.
        if gone := int((covered & inner_left).sum()):
            self.hope += penalty * gone + ROUNDING if penalty * len(self.hope) < 1 / ROUNDING else np.inf
        return covered

    def _first_border(self, centre: int, places: Integers) -> Ball:
        """The first example on which one of the balls ends that end at these places."""
        distances = self._distances(centre)
        reached = np.isin(distances, distances[self.order[centre, places]]) & self.inner
        reached[centre] = False
        border = int(np.argmax(reached))
        return Ball(centre, border, float(distances[border]))

    def _distances(self, centre: int) -> Array:
        return squared_distances(self.points, self.points[centre : centre + 1])[:, 0]


def _gain(outer: Integers, inner: Integers, penalty: float) -> Array:
    if penalty * inner.size < np.inf:
        return np.asarray(outer - penalty * inner)
    gain = outer.astype(np.float64)
    np.copyto(gain, -np.inf, where=inner > 0)
    return gain


def covers(distances: Array, square: Array | float, inner_centre: Mask | bool) -> Mask:
    """Whether balls of these squared radii cover points at these squared distances from their centres."""
    return np.where(inner_centre, distances > square, distances < square)
