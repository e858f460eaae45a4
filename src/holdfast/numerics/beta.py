"""The Beta law: its tails, a start near its quantile, and the quantile itself.

Before it elementwise work: many elements in pieces that fit the cache, on threads; a few one by one.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from holdfast.numerics.arrays import Array

Values = TypeVar("Values", bound=tuple[Array, ...])

BLOCK = 16_384  # elements worked on at once: large enough for threads, small enough for the cache
MANY = 20_000  # elements from which starting threads pays
FEW = 8  # elements up to which scalars, on which an operation takes a tenth of the time, cost less than an array


def in_blocks(
    work: Callable[..., tuple[Array, ...]], results: int, *given: ArrayLike, scalars: bool = False
) -> list[Array]:
    """Run elementwise `work` on flat blocks of the broadcast arguments, on threads when there are many.

    Of work that takes `scalars` as well as arrays, a few elements are done one by one.
    """
    wanted = np.broadcast(*given)
    shape, size = wanted.shape, wanted.size
    if size <= BLOCK:
        own = np.empty((len(given), *shape))
        for place, each in enumerate(given):
            own[place] = each
        own = own.reshape(len(given), size)
        with np.errstate(all="ignore"):  # log 0 and its like are meant where they occur
            done = zip(*map(work, *own), strict=True) if scalars and 0 < size <= FEW else work(*own)
            return [np.asarray(each).reshape(shape) for each in done]
    flat = [np.broadcast_to(each, shape).reshape(-1) for each in given]
    values = np.empty((results, size))

    def block(start: int) -> None:
        here = slice(start, start + BLOCK)
        with np.errstate(all="ignore"):
            values[:, here] = work(*(each[here].astype(np.float64) for each in flat))

    starts = range(0, size, BLOCK)
    if size < MANY:
        for start in starts:
            block(start)
    else:
        with ThreadPoolExecutor(min(os.cpu_count() or 1, 8)) as pool:  # numpy and scipy let go of the lock
            list(pool.map(block, starts))
    return [each.reshape(shape) for each in values]


def piecewise(values: Values, where: Array, other: Callable[..., Values], *given: Array) -> Values:
    """The values, replaced `where` this is true by what the `other` formula makes of the given: in place if arrays.

    Examples
    --------
    >>> x = np.array([4.0, -1.0])
    >>> piecewise((x / 2,), x < 0, lambda x: (-x,), x)
    (array([2., 1.]),)
    >>> piecewise((x[1] / 2,), x[1] < 0, lambda x: (-x,), x[1])
    (np.float64(1.0),)
    """
    if not where.ndim:
        return other(*given) if where else values
    if where.any():
        for each, better in zip(values, other(*(each[where] for each in given)), strict=True):
            each[where] = better
    return values


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
    fractions, unsolved = np.empty_like(a), np.arange(a.size)
    g = a * y - b * x
    value = top = a * (g + 1) / (a + 1)
    bottom = np.zeros_like(a)
    for m in range(1, 10_000):
        c = a + 2 * m - 1
        numerator = (a + m - 1) * (a + b + m - 1) * m * (b - m) * (x / c) ** 2
        term = m + m * (b - m) * x / c + (a + m) * (g + 1 + m * (1 + y)) / (c + 2)
        bottom, top = 1 / (term + numerator * bottom), term + numerator / top
        value = value * (top * bottom)
        fractions[unsolved] = 1 / value
        more = np.abs(top * bottom - 1) > 1e-15
        if not more.any():
            break
        unsolved = unsolved[more]
        a, b, x, y, g, value, top, bottom = (each[more] for each in (a, b, x, y, g, value, top, bottom))
    return fractions.reshape(shape)[()]


def solve_beta(a: Array, b: Array, delta: Array, z: Array) -> tuple[Array, Array]:
    """Solve for the smaller part, seen from its own end; for delta above 1/2, 1 - delta is exact."""
    over = delta > 0.5
    if not np.count_nonzero(over):
        return _solve(a, b, delta, z)
    x, y = _solve(np.where(over, b, a), np.where(over, a, b), np.where(over, 1.0 - delta, delta), z)
    return np.where(over, y, x), np.where(over, x, y)


def _solve(a: Array, b: Array, delta: Array, z: Array) -> tuple[Array, Array]:
    """The x, and y, with I_x(a, b) = delta, where delta is at most 1/2 and z is its normal quantile."""
    power = (b == 1.0) | (delta == 0.0)  # I = x**a
    rest = (a == 1.0) & ~power  # I = 1 - y**b
    closed = power | rest
    if not np.count_nonzero(closed):
        return _search(a, b, z)
    found = np.empty_like(a), np.empty_like(a)
    found = piecewise(found, power, lambda delta, a: _exp_and_rest(np.log(delta) / a), delta, a)
    found = piecewise(found, rest, lambda delta, b: _exp_and_rest(np.log1p(-delta) / b)[::-1], delta, b)
    return piecewise(found, ~closed, _search, a, b, z)


def _search(a: Array, b: Array, z: Array) -> tuple[Array, Array]:
    x, y, missed = _step(a, b, z, *_cornish_fisher(a, b, z))
    far = _is_far(x, y, missed)
    for _ in range(100):
        if not np.count_nonzero(far):
            break
        x, y, missed = piecewise((x, y, missed), far, _step, a, b, z, x, y)
        far = far & _is_far(x, y, missed)
    return x, y


def _is_far(x: Array, y: Array, missed: Array) -> Array:
    """Whether another step is needed: what one leaves is at most 4e-5 missed**6, for shapes above 1."""
    return ~(np.abs(missed) < 0.02) & (np.minimum(x, y) > 1e-300)


def _exp_and_rest(log_x: Array) -> tuple[Array, Array]:
    return np.exp(log_x), -np.expm1(log_x)


def _cornish_fisher(a: Array, b: Array, z: Array) -> tuple[Array, Array]:
    """Start: t is a difference of two log-gamma variables; the expansion by their cumulants to third order."""
    (a1, a2, a3, a4, a5), (b1, b2, b3, b4, b5) = _log_gamma_cumulants(a), _log_gamma_cumulants(b)
    v = a2 + b2
    s = np.sqrt(v)
    k3, k4, k5 = (a3 - b3) / (v * s), (a4 + b4) / (v * v), (a5 - b5) / (v * v * s)
    zz = z * z
    w = z + (zz - 1) * k3 / 6
    w += z * ((zz - 3) * k4 / 24 - (2 * zz - 5) * k3 * k3 / 36)
    w += ((zz - 6) * zz + 3) * k5 / 120 + k3 * (
        ((12 * zz - 53) * zz + 17) * k3 * k3 / 324 - ((zz - 5) * zz + 2) * k4 / 24
    )
    odds = a / b * np.exp(a1 - b1 + s * np.minimum(w, 1.0))  # far out the expansion fails: fail to the left
    y = 1 / (1 + odds)
    return odds * y, y


def _log_gamma_cumulants(a: Array) -> tuple[Array, Array, Array, Array, Array]:
    """Polygammas by their asymptotic series, the first without its log a."""
    i = 1 / a
    j = i * i
    return (
        -i / 2 - j * (1 / 12 - j / 120),
        i + j / 2 + i * j * (1 / 6 - j / 30),
        -j * (1 + i + j * (1 / 2 - j / 6)),
        i * j * (2 + 3 * i + j * (2 - j)),
        -j * j * (6 + 12 * i + j * (10 - 7 * j)),
    )


def _step(a: Array, b: Array, goal: Array, x: Array, y: Array) -> tuple[Array, Array, Array]:
    """One step of the Taylor series of t by z, the normal quantile of I, to where z is `goal`; and how far z was.

    By z, t is nearly a straight line: with v = dt/dz and g = a y - b x, the slope of the log density of t, v' = -v e
    where e = z + g v is small, and e' = 1 - q - g v e where q = (a + b) x y v**2 is nearly 1; and so on.
    """
    x, y = exact_pair(x, y)
    z, v = normal_quantile_of_beta(a, b, x, y)
    h, n, skew = goal - z, a + b, (y - x) * v
    gv = (a * y - b * x) * v
    q = n * x * y * v * v
    e = z + gv
    e1 = 1 - q - gv * e
    d = 2 * e - skew
    e2 = q * d + (1 - e1) * e - gv * e1
    e3 = q * (2 * e1 + 2 * q / n + skew * e - d * d) + 2 * (1 - e1) * e1 - (e + gv) * e2
    ee = e * e
    t3, t4, t5 = ee - e1, e * (3 * e1 - ee) - e2, ee * (ee - 6 * e1) + 3 * e1 * e1 + 4 * e * e2 - e3
    move = v * h * (1 - h / 2 * (e - h / 3 * (t3 + h / 4 * (t4 + h / 5 * t5))))
    x, y, move = piecewise((x, y, move), ~(np.abs(h) < 0.5), _cautious, a, b, goal, x, y, z, v)
    x = x * np.exp(move)
    return x / (x + y), y / (x + y), h


def _cautious(a: Array, b: Array, goal: Array, x: Array, y: Array, z: Array, v: Array) -> tuple[Array, Array, Array]:
    """From afar: log I is concave in t, so that Newton's steps from the left never pass the root; begin there."""
    log_i, log_delta = special.log_ndtr(z), special.log_ndtr(goal)
    newton = v * np.exp(log_i + z * z / 2) * np.sqrt(2 * np.pi) * (log_delta - log_i)
    # I is at most x**a / min(1, a B(a, b)): where that comes to delta is left of the root.
    x_left, y_left = _exp_and_rest((log_delta + np.minimum(special.betaln(a, b) + np.log(a), 0.0)) / a)
    climbing = (z < goal) & (x * y_left > 0.9 * x_left * y)
    return np.where(climbing, x, x_left), np.where(climbing, y, y_left), np.where(climbing, newton, 0.0)
