"""Binomial tails and their inverse, good to nearly the last digit from one trial to a thousand million.

A binomial tail is an incomplete beta function, ``P(X <= k) = I_x(n - k, k + 1)`` at x = 1 - p, and is worked on as one.
Everywhere y = 1 - x is carried beside x, and the scale is t = log(x / y): nothing is found by subtraction from one.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from holdfast.evidence import Array
from holdfast.numerics.limit import Upper

BLOCK = 16_384  # elements worked on at once: large enough for threads, small enough for the cache
MANY = 20_000  # elements from which starting threads pays
SMALLEST = 1e-150  # an I below this is beyond betainc, whose products run out of the floating-point range
NARROWEST = 2.0**-36  # an x or y below this changes too much when moved to where x + y is exactly one
LARGE = 2e4  # trials from which betainc's own error, about 1e-15 sqrt(n), would show in a tail


def binomial_tail_inverse(k: ArrayLike, n: ArrayLike, delta: ArrayLike) -> Upper:
    r"""Largest rate under which k or fewer events in n trials still have probability delta.

    Notes
    -----
    .. math:: \max\{p : P(X \le k \mid n, p) \ge \delta\}

    This is the upper Clopper-Pearson limit; the lower one is the room of the limit at n - k.

    Examples
    --------
    >>> limit, room = binomial_tail_inverse(8, 30, 0.025)
    >>> print(f"{limit:.10f} {room:.10f}")
    0.4588936514 0.5411063486
    """
    return Upper(*_in_blocks(_limit, 2, k, n, *_with_normal_quantile(delta)))


def binomial_tail(k: ArrayLike, n: ArrayLike, p: ArrayLike, room: ArrayLike | None = None) -> Array:
    """Probability of k or fewer events in n trials at the rate p.

    `room` is 1 - p, for callers who know it better than by subtraction; the probability of k or more events is
    then ``binomial_tail(n - k, n, room, p)``.

    Examples
    --------
    >>> print(f"{binomial_tail(1, 3, 0.5):.12f}")
    0.500000000000
    """
    return np.asarray(np.exp(log_binomial_tail(k, n, p, room)))


def log_binomial_tail(k: ArrayLike, n: ArrayLike, p: ArrayLike, room: ArrayLike | None = None) -> Array:
    """Logarithm of the probability of k or fewer events in n trials, however near 0 or 1 that may be.

    Examples
    --------
    >>> print(f"{log_binomial_tail(0, 10_000, 0.9):.6f}")
    -23025.850930
    """
    return _in_blocks(_log_tail, 1, k, n, 1.0 - np.asarray(p, np.float64) if room is None else room, p)[0]


def beta_quantile(a: ArrayLike, b: ArrayLike, delta: ArrayLike) -> Upper:
    """Point below which a beta variable with shapes a and b falls with probability delta.

    The shapes are positive and need not be whole. With one far below 1/2 the point may be too near 0 or 1 for any
    float, and is then 0 or 1.

    Examples
    --------
    >>> limit, room = beta_quantile(0.5, 0.5, 1 / 3)
    >>> print(f"{limit:.10f} {room:.10f}")
    0.2500000000 0.7500000000
    """
    return Upper(*_in_blocks(_quantile, 2, a, b, *_with_normal_quantile(delta)))


def _in_blocks(work: Callable[..., tuple[Array, ...]], results: int, *given: ArrayLike) -> list[Array]:
    """Run elementwise `work` on flat blocks of the broadcast arguments, on threads when there are many."""
    arrays = np.broadcast_arrays(*given)
    shape, flat = arrays[0].shape, [each.reshape(-1) for each in arrays]
    found = np.empty((results, flat[0].size))

    def block(start: int) -> None:
        here = slice(start, start + BLOCK)
        with np.errstate(all="ignore"):  # log 0 and its like are meant where they occur
            found[:, here] = work(*(each[here].astype(np.float64) for each in flat))

    starts = range(0, flat[0].size, BLOCK)
    if flat[0].size < MANY:
        for start in starts:
            block(start)
    else:
        with ThreadPoolExecutor(min(os.cpu_count() or 1, 8)) as pool:  # numpy and scipy let go of the lock
            list(pool.map(block, starts))
    return [each.reshape(shape) for each in found]


# The inverse: a start by expansion, then one step with one betainc, rarely two --------------------------------------


def _with_normal_quantile(delta: ArrayLike) -> tuple[Array, Array]:
    """Delta, and the normal quantile of the smaller of delta and 1 - delta: only one where all share one delta."""
    chance = np.asarray(delta, np.float64)
    return chance, np.asarray(special.ndtri(np.minimum(chance, 1.0 - chance)), np.float64)


def _limit(k: Array, n: Array, delta: Array, z: Array) -> tuple[Array, Array]:
    room, limit = _quantile(np.maximum(n - k, 1.0), k + 1.0, delta, z)
    free = k >= n  # then no rate is too large
    limit[free], room[free] = 1.0, 0.0
    return limit, room


def _quantile(a: Array, b: Array, delta: Array, z: Array) -> tuple[Array, Array]:
    """Solve for the smaller part, seen from its own end; for delta above 1/2, 1 - delta is exact."""
    over = delta > 0.5
    if not over.any():
        return _solve(a, b, delta, z)
    x, y = _solve(np.where(over, b, a), np.where(over, a, b), np.where(over, 1.0 - delta, delta), z)
    return np.where(over, y, x), np.where(over, x, y)


def _solve(a: Array, b: Array, delta: Array, z: Array) -> tuple[Array, Array]:
    """The x, and y, with I_x(a, b) = delta, where delta is at most 1/2 and z is its normal quantile."""
    x_found, y_found = np.empty_like(a), np.empty_like(a)
    power = (b == 1.0) | (delta == 0.0)  # I = x**a
    x_found[power], y_found[power] = _exp_and_rest(np.log(delta[power]) / a[power])
    rest = (a == 1.0) & ~power  # I = 1 - y**b
    y_found[rest], x_found[rest] = _exp_and_rest(np.log1p(-delta[rest]) / b[rest])
    todo = np.flatnonzero(~(power | rest))
    a, b, z = a[todo], b[todo], z[todo]
    x, y = _cornish_fisher(a, b, z)
    for _ in range(100):
        x, y, missed = _step(a, b, z, x, y)
        x_found[todo], y_found[todo] = x, y
        # What a step leaves is at most 4e-5 missed**6, for shapes above 1.
        far = ~(np.abs(missed) < 0.02) & (np.minimum(x, y) > 1e-300)
        if not far.any():
            break
        todo = todo[far]
        a, b, z, x, y = (each[far] for each in (a, b, z, x, y))
    return x_found, y_found


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
    x, y = _exact_pair(x, y)
    z, v = _normal_quantile(a, b, x, y)
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
    wild = ~(np.abs(h) < 0.5)
    if wild.any():
        x[wild], y[wild], move[wild] = _cautious(*(each[wild] for each in (a, b, goal, x, y, z, v)))
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


def _exact_pair(x: Array, y: Array) -> tuple[Array, Array]:
    """A nearby x, y that add to one exactly: betainc is told x only, and raises 1 - x to large powers."""
    rest = 1.0 - x
    tiny = np.minimum(x, y) < NARROWEST
    if tiny.any():
        return np.where(tiny, x, 1.0 - rest), np.where(tiny, y, rest)
    return 1.0 - rest, rest


def _normal_quantile(a: Array, b: Array, x: Array, y: Array) -> tuple[Array, Array]:
    """z, the normal quantile of I_x(a, b), and dt/dz."""
    i, log_d = special.betainc(a, b, x), _log_density(a, b, x, y)
    z = np.asarray(special.ndtri(i), np.float64)
    hard = _hard(i, x, y)
    if hard.any():
        z[hard] = special.ndtri_exp(log_d[hard] + np.log(_fraction(a[hard], b[hard], x[hard], y[hard])))
    return z, np.exp(-0.5 * z * z - log_d) / np.sqrt(2 * np.pi)


# The tail -----------------------------------------------------------------------------------------------------------


def _log_tail(k: Array, n: Array, x: Array, y: Array) -> tuple[Array]:
    """Log I_x(n - k, k + 1), by the other part where that is the smaller."""
    a, b = np.maximum(n - k, 1.0), np.maximum(k + 1.0, 1.0)
    over = a * y < b * x  # x is above the mean
    log_i = _log_left(np.where(over, b, a), np.where(over, a, b), np.where(over, y, x), np.where(over, x, y))
    log_i = np.where(over, np.log1p(-np.exp(log_i)), log_i)
    return (np.where(k < 0, -np.inf, np.where(k >= n, 0.0, log_i)),)


def _log_left(a: Array, b: Array, x: Array, y: Array) -> Array:
    """Log I_x(a, b) for x below the mean, by its Taylor series around the nearest exact pair."""
    x0, y0 = _exact_pair(x, y)
    i, log_d = special.betainc(a, b, x0), _log_density(a, b, x0, y0)
    large = a + b > LARGE
    i[large] = special.betaincc(b[large], a[large], y0[large])  # slow, but in extended precision
    log_i, m = np.log(i), np.exp(log_d) / i
    hard = _hard(i, x0, y0)
    if hard.any():
        u = _fraction(a[hard], b[hard], x0[hard], y0[hard])
        log_i[hard], m[hard] = log_d[hard] + np.log(u), 1 / u
    off = np.where(x < y, x - x0, y0 - y)
    t = np.log1p(off / x0) - np.log1p(-off / y0)
    return np.where(x > 0.0, log_i + t * m * (1 + t / 2 * (a * y0 - b * x0 - m)), -np.inf)


def _hard(i: NDArray[np.floating], x: Array, y: Array) -> NDArray[np.bool_]:
    """Where betainc does not help."""
    return (i < SMALLEST) | (np.minimum(x, y) < NARROWEST)


def _log_density(a: Array, b: Array, x: Array, y: Array) -> Array:
    """log(x**a y**b / B(a, b)), the density of t, in Stirling's form, where no large terms cancel."""
    n, g = a + b, a * y - b * x
    from_mean = a * np.log1p(g / (n * x)) + b * np.log1p(-g / (n * y))
    rest = _stirling_rest(n) - _stirling_rest(a) - _stirling_rest(b)
    return np.asarray(0.5 * np.log(a * b / (2 * np.pi * n)) + rest - from_mean)


def _stirling_rest(a: Array) -> Array:
    """What Stirling's formula leaves of log gamma(a)."""
    i = 1 / a
    j = i * i
    rest = i * (1 / 12 - j * (1 / 360 - j * (1 / 1260 - j * (1 / 1680 - j / 1188))))
    low = a < 10.0
    if low.any():
        c = a[low]
        rest[low] = special.gammaln(c) - (c - 0.5) * np.log(c) + c - 0.5 * np.log(2 * np.pi)
    return np.asarray(rest)


def _fraction(a: Array, b: Array, x: Array, y: Array) -> Array:
    """I_x(a, b) B(a, b) / (x**a y**b) by its continued fraction, which takes few terms far from the mean."""
    found, todo = np.empty_like(a), np.arange(a.size)
    g = a * y - b * x
    value = top = a * (g + 1) / (a + 1)
    bottom = np.zeros_like(a)
    for m in range(1, 10_000):
        c = a + 2 * m - 1
        numerator = (a + m - 1) * (a + b + m - 1) * m * (b - m) * (x / c) ** 2
        term = m + m * (b - m) * x / c + (a + m) * (g + 1 + m * (1 + y)) / (c + 2)
        bottom, top = 1 / (term + numerator * bottom), term + numerator / top
        value = value * (top * bottom)
        found[todo] = 1 / value
        more = np.abs(top * bottom - 1) > 1e-15
        if not more.any():
            break
        todo = todo[more]
        a, b, x, y, g, value, top, bottom = (each[more] for each in (a, b, x, y, g, value, top, bottom))
    return found
