"""The root that several inequalities share: a squared distance bounded by a multiple of L(1 - L)."""

from __future__ import annotations

import numpy as np

from holdfast.numerics.arrays import Array
from holdfast.numerics.limit import HasMean, Upper


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
