"""A vectorised, bracketed root: one iteration for a million equations at once, and few instructions for one alone."""

from __future__ import annotations

from collections.abc import Callable
from math import isfinite

import numpy as np

from holdfast.numerics.arrays import Array
from holdfast.numerics.limit import HasMean, Upper

EPSILON = float(np.finfo(float).eps)
STEPS = 200  # bisection alone reaches neighbouring floats in about 60; interpolation takes about 10


def crossing(
    function: Callable[[Array], Array], inside: Array, outside: Array, known: tuple[Array, Array] | None = None
) -> Array:
    """Where a monotone function of each element falls from positive (at `inside`) to negative (at `outside`).

    Chandrupatla's method: inverse quadratic interpolation where the last three points allow it, else
    bisection, so each bracket shrinks at least by halves. Returned is the end that is still inside, so that a
    limit found this way errs on the safe side; `inside` itself where the function is already negative there. Where
    its values at both ends are `known`, they are not computed again.
    """
    a, b = np.broadcast_arrays(np.asarray(inside, np.float64), np.asarray(outside, np.float64))
    fa, fb = known or (function(a), function(b))
    if a.size == fa.size == fb.size == 1:
        alone = _alone(lambda x: float(function(np.full(a.shape, x)).item()), a.item(), b.item(), fa.item(), fb.item())
        return np.full(a.shape, alone)
    searched = still = (fa > 0) & (fb < 0)
    given = np.where(fb >= 0, b, a)  # where there is nothing to search
    share, across = 0.5, b - a
    for _ in range(STEPS if still.any() else 0):
        x = np.where(still, a + share * across, a)
        fx = function(x)
        same = (fx >= 0) == (fa >= 0)
        c, fc = np.where(same, a, b), np.where(same, fa, fb)
        b, fb = np.where(same, b, a), np.where(same, fb, fa)
        a, fa, across = x, fx, b - x
        width, grain = np.abs(across), 2 * EPSILON * np.maximum(np.abs(a), np.abs(b))
        still = still & (width > 2 * grain) & (fa != 0)
        if not still.any():
            break
        # Elements already found divide zero by zero here; their share is not used any more.
        with np.errstate(divide="ignore", invalid="ignore"):
            wanted, least = _share(across, c - a, c - b, fa, fb, fc), grain / width
        share = np.minimum(np.maximum(wanted, np.minimum(least, 0.5)), np.maximum(1 - least, 0.5))
    return np.where(searched, np.where(fa >= 0, a, b), given)


def _share(ab: Array, ac: Array, bc: Array, fa: Array, fb: Array, fc: Array) -> Array:
    """How far to go from a towards b, as a part of the bracket."""
    fab, fac, fbc = fb - fa, fc - fa, fc - fb
    position, height, rest = -ab / bc, -fab / fbc, 1 + fab / fbc
    smooth = (height * height < position) & (rest * rest < 1 - position)
    quadratic = ac / ab * fa / fac * fb / fbc - fa / fab * fc / fbc
    return np.where(smooth & np.isfinite(quadratic), quadratic, 0.5)


def _alone(function: Callable[[float], float], a: float, b: float, fa: float, fb: float) -> float:
    """The same of one equation, digit for digit: numbers by themselves take a tenth of the time of arrays of one."""
    if not (fa > 0 and fb < 0):
        return b if fb >= 0 else a
    share = 0.5
    for _ in range(STEPS):
        x = a + share * (b - a)
        fx = function(x)
        same = (fx >= 0) == (fa >= 0)
        (c, fc), (b, fb) = ((a, fa), (b, fb)) if same else ((b, fb), (a, fa))
        a, fa = x, fx
        width, grain = abs(b - a), 2 * EPSILON * max(abs(a), abs(b))
        if not (width > 2 * grain and fa != 0):
            break
        try:
            wanted, least = _share_alone(b - a, c - a, c - b, fa, fb, fc), grain / width
        except ZeroDivisionError:
            wanted, least = 0.5, grain / width
        share = min(max(wanted, min(least, 0.5)), max(1 - least, 0.5))
    return a if fa >= 0 else b


def _share_alone(ab: float, ac: float, bc: float, fa: float, fb: float, fc: float) -> float:
    fab, fac, fbc = fb - fa, fc - fa, fc - fb
    position, height, rest = -ab / bc, -fab / fbc, 1 + fab / fbc
    if not (height * height < position and rest * rest < 1 - position):
        return 0.5
    quadratic = ac / ab * fa / fac * fb / fbc - fa / fab * fc / fbc
    return quadratic if isfinite(quadratic) else 0.5


def score_root(sample: HasMean, a: Array, spread: Array | float = 0.0) -> Upper:
    """The larger root of (L - mean)^2 = a L (1 - L) + spread."""
    return score_root_at(sample.mean, sample.complement, a, spread, sample.complement**2 - spread)


def score_root_at(mean: Array, complement: Array, a: Array, spread: Array | float, product: Array) -> Upper:
    """The same, where the caller knows `product`, the squared complement minus the spread, without cancellation.

    The room is the product of the mirrored equation's roots over the larger of them.
    """
    b = np.sqrt(a * (a + 4 * mean * complement) + 4 * (1 + a) * spread)
    larger = 2 * complement + a + b
    room = np.divide(2 * product, larger, out=np.zeros(np.broadcast_shapes(larger.shape)), where=larger > 0)
    return Upper((2 * mean + a + b) / (2 * (1 + a)), room)
