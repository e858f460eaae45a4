"""The incomplete beta function I_x(a, b), read so that neither x nor 1 - x loses a digit.

Everywhere y = 1 - x is carried beside x, and the scale is t = log(x / y): nothing is found by subtraction from one.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import special

from holdfast.numerics.arrays import Array
from holdfast.numerics.blocks import piecewise

SMALLEST = 1e-150  # an I below this is beyond betainc, whose products run out of the floating-point range
NARROWEST = 2.0**-36  # an x or y below this changes too much when moved to where x + y is exactly one
ROOT_OF_TWO_PI = np.sqrt(2 * np.pi)
HALF_LOG_OF_TWO_PI = 0.5 * np.log(2 * np.pi)
LARGE = 2e4  # a sum of shapes from which betainc's own error, about 1e-15 times its root, would show


def exact_pair(x: Array, y: Array) -> tuple[Array, Array]:
    """A nearby x, y that add to one exactly: betainc is told x only, and raises 1 - x to large powers."""
    rest = 1.0 - x
    return piecewise((1.0 - rest, rest), np.minimum(x, y) < NARROWEST, lambda x, y: (x, y), x, y)


def normal_quantile_of_beta(a: Array, b: Array, x: Array, y: Array) -> tuple[Array, Array]:
    """z, the normal quantile of I_x(a, b), and dt/dz."""
    i, log_d = special.betainc(a, b, x), log_beta_density(a, b, x, y)
    (z,) = piecewise((special.ndtri(i),), _hard(i, x, y), _quantile_by_fraction, a, b, x, y, log_d)
    return z, np.exp(-0.5 * z * z - log_d) / ROOT_OF_TWO_PI


def _quantile_by_fraction(a: Array, b: Array, x: Array, y: Array, log_d: Array) -> tuple[Array]:
    return (special.ndtri_exp(log_d + np.log(_fraction(a, b, x, y))),)


def log_beta_left(a: Array, b: Array, x: Array, y: Array) -> tuple[Array, Array]:
    """Log I_x(a, b) for x below the mean, and the log density of t, by Taylor series around the nearest exact pair."""
    x0, y0 = exact_pair(x, y)
    i, log_d = special.betainc(a, b, x0), log_beta_density(a, b, x0, y0)
    large = a + b > LARGE
    precise = special.betaincc(b[large], a[large], y0[large])  # slow, but in extended precision
    i[large] = np.where(np.isnan(precise), i[large], precise)  # at the mean of some 2**52 examples its series gives up
    log_i, m = np.log(i), np.exp(log_d) / i
    hard = _hard(i, x0, y0)
    if hard.any():
        u = _fraction(a[hard], b[hard], x0[hard], y0[hard])
        log_i[hard], m[hard] = log_d[hard] + np.log(u), 1 / u
    off = np.where(x < y, x - x0, y0 - y)
    t, g = np.log1p(off / x0) - np.log1p(-off / y0), a * y0 - b * x0
    return np.where(x > 0.0, log_i + t * m * (1 + t / 2 * (g - m)), -np.inf), log_d + t * g


def _hard(i: NDArray[np.floating], x: Array, y: Array) -> NDArray[np.bool_]:
    """Where betainc does not help."""
    return (i < SMALLEST) | (np.minimum(x, y) < NARROWEST)


def log_beta_density(a: Array, b: Array, x: Array, y: Array) -> Array:
    """log(x**a y**b / B(a, b)), the density of t, in Stirling's form, where no large terms cancel."""
    n, g = a + b, a * y - b * x
    from_mean = a * np.log1p(g / (n * x)) + b * np.log1p(-g / (n * y))
    rest = _stirling_rest(n) - _stirling_rest(a) - _stirling_rest(b)
    return 0.5 * np.log(a * b / (2 * np.pi * n)) + rest - from_mean


def _stirling_rest(a: Array) -> Array:
    """What Stirling's formula leaves of log gamma(a)."""
    i = 1 / a
    j = i * i
    series = i * (1 / 12 - j * (1 / 360 - j * (1 / 1260 - j * (1 / 1680 - j / 1188))))
    (rest,) = piecewise((series,), a < 10.0, _rest_of_few, a)
    return rest


def _rest_of_few(a: Array) -> tuple[Array]:
    return (special.gammaln(a) - (a - 0.5) * np.log(a) + a - HALF_LOG_OF_TWO_PI,)


def _fraction(a: Array, b: Array, x: Array, y: Array) -> Array:
    """I_x(a, b) B(a, b) / (x**a y**b) by its continued fraction, which takes few terms far from the mean."""
    shape = np.shape(a)
    a, b, x, y = (np.reshape(each, -1) for each in (a, b, x, y))
    found, unsolved = np.empty_like(a), np.arange(a.size)
    g = a * y - b * x
    value = top = a * (g + 1) / (a + 1)
    bottom = np.zeros_like(a)
    for m in range(1, 10_000):
        c = a + 2 * m - 1
        numerator = (a + m - 1) * (a + b + m - 1) * m * (b - m) * (x / c) ** 2
        term = m + m * (b - m) * x / c + (a + m) * (g + 1 + m * (1 + y)) / (c + 2)
        bottom, top = 1 / (term + numerator * bottom), term + numerator / top
        value = value * (top * bottom)
        found[unsolved] = 1 / value
        more = np.abs(top * bottom - 1) > 1e-15
        if not more.any():
            break
        unsolved = unsolved[more]
        a, b, x, y, g, value, top, bottom = (each[more] for each in (a, b, x, y, g, value, top, bottom))
    return found.reshape(shape)[()]
