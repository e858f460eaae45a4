"""A vectorised, bracketed root: one iteration for a million equations at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from holdfast.numerics.arrays import Array

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
    position, height = -ab / bc, -fab / fbc
    smooth = (height**2 < position) & ((1 - height) ** 2 < 1 - position)
    quadratic = ac / ab * fa / fac * fb / fbc - fa / fab * fc / fbc
    return np.where(smooth & np.isfinite(quadratic), quadratic, 0.5)
