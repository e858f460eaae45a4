"""Kullback-Leibler divergences: of two laws, and of two coins, solved for the second."""

from __future__ import annotations

import numpy as np
from scipy.special import rel_entr

from holdfast.numerics.arrays import Array
from holdfast.numerics.limit import Upper

STEPS = 100  # Newton on a convex function; a handful is the rule


def relative_entropy(law: Array, other: Array) -> Array:
    """How far one law is from another, in nats; infinite where it puts weight on what the other rules out."""
    return np.asarray(rel_entr(law, other).sum(axis=-1))


def kl_inverse(p: Array, complement: Array, divergence: Array) -> Upper:
    r"""The largest q with kl(p || q) at most `divergence`, and 1 - q.

    With s the difference of the log-odds of q and p, and c = 1 - p,

    .. math:: \mathrm{kl}(p \| q) = c s + \ln(p + c e^{-s}) = \ln(c + p e^{s}) - p s, \qquad q = p / (p + c e^{-s}),

    which is convex and increasing in s and needs no difference of nearly equal rates.
    """
    p, c, wanted = np.broadcast_arrays(*np.atleast_1d(p, complement, divergence))
    inner = (p > 0) & (c > 0)
    pi, ci, target = p[inner], c[inner], wanted[inner]
    s = np.sqrt(2 * target / (pi * ci))
    open_ = np.ones(s.shape, dtype=bool)  # an element found stays as it is, whatever else is in the array
    for _ in range(STEPS):
        weight = pi + ci * np.exp(-s)
        step = (_divergence(pi, ci, s) - target) * weight / (pi * ci * -np.expm1(-s))
        s = np.where(open_, np.maximum(s - step, s / 16), s)  # a first guess too large must not step below zero
        open_ &= np.abs(step) > 1e-8 * s  # Newton squares its error: what is left is rounding
        if not open_.any():
            break
    limit, room = np.where(p > 0, 1.0, -np.expm1(-wanted)), np.where(p > 0, 0.0, np.exp(-wanted))
    weight = pi + ci * np.exp(-s)
    limit[inner], room[inner] = pi / weight, ci * np.exp(-s) / weight
    shape = np.broadcast_shapes(np.shape(complement), np.shape(divergence))
    return Upper(limit.reshape(shape), room.reshape(shape))


def _divergence(p: Array, c: Array, s: Array) -> Array:
    """kl(p || q) in the form whose terms stay small: a rate near 0 and one near 1 are each other's mirror."""
    rare = np.log1p(p * np.expm1(np.minimum(s, 700.0))) - p * s  # beyond 700 the other form is exact
    return np.where((p < 0.5) & (s < 700.0), rare, c * s + np.log1p(c * np.expm1(-s)))
