"""A vectorised, bracketed root: one iteration for a million equations at once."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from holdfast.evidence import Array

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
    a, b = a.copy(), b.copy()
    fa, fb = known or (function(a), function(b))
    c, fc = a.copy(), fa.copy()
    still = (fa > 0) & (fb < 0)  # elsewhere there is nothing to search
    best = np.where(fb >= 0, b, a)
    share = np.full(a.shape, 0.5)
    for _ in range(STEPS if still.any() else 0):
        x = np.where(still, a + share * (b - a), a)
        fx = function(x)
        same = (fx >= 0) == (fa >= 0)
        c, fc = np.where(same, a, b), np.where(same, fa, fb)
        b, fb = np.where(same, b, a), np.where(same, fb, fa)
        a, fa = x, fx
        best = np.where(still, np.where(fa >= 0, a, b), best)
        narrow = np.abs(b - a) <= 4 * np.finfo(float).eps * np.maximum(np.abs(a), np.abs(b))
        still &= ~narrow & (fa != 0)
        if not still.any():
            break
        share = _share(a, b, c, fa, fb, fc)
    return best


def _share(a: Array, b: Array, c: Array, fa: Array, fb: Array, fc: Array) -> Array:
    """How far to go from a towards b, as a part of the bracket; away from the ends by a rounding error or more."""
    # Elements already found divide zero by zero here; their share is not used any more.
    with np.errstate(divide="ignore", invalid="ignore"):
        position, height = (a - b) / (c - b), (fa - fb) / (fc - fb)
        smooth = (height**2 < position) & ((1 - height) ** 2 < 1 - position)
        quadratic = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
        least = 2 * np.finfo(float).eps * np.maximum(np.abs(a), np.abs(b)) / np.abs(b - a)
    wanted = np.where(smooth & np.isfinite(quadratic), quadratic, 0.5)
    return np.clip(wanted, np.minimum(least, 0.5), np.maximum(1 - least, 0.5))
