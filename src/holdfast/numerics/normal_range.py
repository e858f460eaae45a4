"""The range of k independent standard normal variables: the studentised range of a known spread."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr, ndtri

from holdfast.numerics.arrays import Array
from holdfast.numerics.roots import crossing

# What is integrated is smooth and falls off like a normal density, so that equal steps are good to the last digits.
STEP = 1 / 16
NODES = np.arange(-40.0, 40.0 + STEP, STEP)
DENSITY = np.exp(-(NODES**2) / 2) * (STEP / np.sqrt(2 * np.pi))
BELOW = ndtr(NODES)
BLOCK = 256  # ranges worked on at once, each with all nodes


def range_exceeds(q: ArrayLike, k: int) -> Array:
    r"""Probability that the largest of k standard normal variables is more than q above the smallest.

    Notes
    -----
    .. math:: 1 - k \int \varphi(z)\, \{\Phi(z) - \Phi(z - q)\}^{k-1}\, dz
              = k \int \varphi(z)\, \{\Phi(z)^{k-1} - (\Phi(z) - \Phi(z - q))^{k-1}\}\, dz

    with z the largest. The second form subtracts nothing from one, so that small probabilities keep their digits.

    Examples
    --------
    >>> print(f"{range_exceeds(3.31449, 3):.6f}")
    0.050000
    """
    distances = np.asarray(q, np.float64)
    pieces = np.array_split(distances.reshape(-1), distances.size // BLOCK + 1)
    return np.concatenate([_exceeds(piece, k) for piece in pieces]).reshape(distances.shape)


def _exceeds(q: Array, k: int) -> Array:
    within = np.minimum(ndtr(NODES - q[:, None]) / np.where(BELOW > 0, BELOW, 1.0), 1.0)
    with np.errstate(divide="ignore"):  # all of them within: the logarithm of nothing
        missing = -np.expm1((k - 1) * np.log1p(-within))
    return np.minimum(k * np.sum(DENSITY * BELOW ** (k - 1) * missing, axis=-1), 1.0)


def range_quantile(delta: ArrayLike, k: int) -> Array:
    """What the range of k standard normal variables exceeds with probability delta.

    Examples
    --------
    >>> print(f"{range_quantile(0.05, 3):.8f}")
    3.31449316
    """
    chance = np.asarray(delta, np.float64)
    # No pair of k (k - 1) / 2 is further apart than this, by the union of their own chances.
    most = -np.sqrt(2.0) * ndtri(chance / (k * (k - 1)))
    return crossing(lambda q: range_exceeds(q, k) - chance, np.zeros_like(most), most)
