"""Binomial tails and their inverse, good to nearly the last digit from one trial to a thousand million.

A binomial tail is an incomplete beta function, ``P(X <= k) = I_x(n - k, k + 1)`` at x = 1 - p, and is worked on as one.
Everywhere y = 1 - x is carried beside x, and the scale is t = log(x / y): nothing is found by subtraction from one.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from holdfast.evidence import Array
from holdfast.numerics.limit import Upper

BLOCK = 8192  # elements worked on at once: a dozen such arrays fit a core's cache
MANY = 20_000  # elements from which starting threads pays
SMALLEST = 1e-290  # a tail below this is near the end of the floating-point range
NARROWEST = 2.0**-33  # an x or y below this loses too much when moved to where 1 - x is exact
LARGE = 1e5  # the shapes' sum from which betainc's errors would show in a tail


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
    0.4588826797 0.5411173203
    """
    events, trials = np.asarray(k, np.float64), np.asarray(n, np.float64)
    room, limit = beta_quantile(np.maximum(trials - events, 1.0), events + 1.0, delta)
    free = events >= trials  # every rate is allowed
    return Upper(np.where(free, 1.0, limit), np.where(free, 0.0, room))


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
    rest = 1.0 - np.asarray(p, np.float64) if room is None else room
    return _in_blocks(_log_tail, k, n, rest, p)[0]


def beta_quantile(a: ArrayLike, b: ArrayLike, delta: ArrayLike) -> Upper:
    """Point below which a beta variable with shapes a and b falls with probability delta.

    Examples
    --------
    >>> limit, room = beta_quantile(0.5, 0.5, 1 / 3)
    >>> print(f"{limit:.10f} {room:.10f}")
    0.2500000000 0.7500000000
    """
    return Upper(*_in_blocks(_quantile, a, b, delta))


def _in_blocks(work: Callable[..., tuple[Array, ...]], *given: ArrayLike) -> tuple[Array, ...]:
    """Run elementwise `work` on flat blocks of the broadcast arguments, on threads when there are many."""
    arrays = np.broadcast_arrays(*(np.asarray(each, np.float64) for each in given))
    shape, flat = arrays[0].shape, [each.reshape(-1) for each in arrays]

    def block(start: int) -> tuple[Array, ...]:
        with np.errstate(all="ignore"):  # log 0 and its like are meant where they occur
            return work(*(each[start : start + BLOCK] for each in flat))

    starts = range(0, max(flat[0].size, 1), BLOCK)
    if flat[0].size < MANY:
        done = [block(start) for start in starts]
    else:
        with ThreadPoolExecutor(min(os.cpu_count() or 1, 8)) as pool:
            done = list(pool.map(block, starts))
    return tuple(np.concatenate(parts).reshape(shape) for parts in zip(*done, strict=True))


# The inverse --------------------------------------------------------------------------------------------------------


def _quantile(a: Array, b: Array, delta: Array) -> tuple[Array, Array]:
    """Solve for whichever part is the smaller, seen from its own end: above 1/2, 1 - delta is exact."""
    over = delta > 0.5
    if not over.any():
        return _solve(a, b, delta)
    x, y = _solve(np.where(over, b, a), np.where(over, a, b), np.where(over, 1.0 - delta, delta))
    return np.where(over, y, x), np.where(over, x, y)


def _solve(a: Array, b: Array, delta: Array) -> tuple[Array, Array]:
    """The x with I_x(a, b) = delta, delta at most 1/2, and its y."""
    x_found, y_found = np.empty_like(a), np.empty_like(a)
    one = (b == 1.0) | (delta == 0.0)
    x_found[one], y_found[one] = _both(np.log(delta[one]) / a[one])
    one = (a == 1.0) & (delta > 0.0)
    y_found[one], x_found[one] = _both(np.log1p(-delta[one]) / b[one])
    todo = np.flatnonzero((a != 1.0) & (b != 1.0) & (delta > 0.0))
    a, b, goal = a[todo], b[todo], np.log(delta[todo])
    x, y = _cornish_fisher(a, b, special.ndtri(delta[todo]))
    for _ in range(200):
        x, y, missed = _step(a, b, goal, x, y)
        x_found[todo], y_found[todo] = x, y
        # The series in _step has radius of convergence -goal, for there I = 1: (8e-4)**5 of it is below rounding.
        far = np.abs(missed) > -8e-4 * goal
        if not far.any():
            break
        todo, a, b, goal, x, y = (each[far] for each in (todo, a, b, goal, x, y))
    return x_found, y_found


def _both(log_x: Array) -> tuple[Array, Array]:
    return np.exp(log_x), -np.expm1(log_x)


def _cornish_fisher(a: Array, b: Array, z: Array) -> tuple[Array, Array]:
    """Start from the cumulants of t, which are differences of polygammas, by the expansion to third order."""
    (a1, a2, a3, a4, a5), (b1, b2, b3, b4, b5) = _log_gamma_cumulants(a), _log_gamma_cumulants(b)
    v = a2 + b2
    s = np.sqrt(v)
    k3, k4, k5 = (a3 - b3) / (v * s), (a4 + b4) / (v * v), (a5 - b5) / (v * v * s)
    zz = z * z
    w = z + (zz - 1) * k3 / 6 + z * ((zz - 3) * k4 / 24 - (2 * zz - 5) * k3 * k3 / 36)
    w += ((zz - 6) * zz + 3) * k5 / 120 - ((zz - 5) * zz + 2) * k3 * k4 / 24
    w += ((12 * zz - 53) * zz + 17) * k3**3 / 324
    odds = a1 / b1 * np.exp(s * w)
    return odds / (1 + odds), 1 / (1 + odds)


def _log_gamma_cumulants(a: Array) -> tuple[Array, ...]:
    """Cumulants of the logarithm of a gamma variable (the first as its exponential), from a + 1 by recurrence."""
    i = 1 / a
    c = 1 / (a + 0.5)
    d = c * c
    j = i * i
    return (
        (a + 0.5) * np.exp(d * (1 / 24 - 7 / 960 * d) - i),
        c * (1 - d * (1 / 12 - 7 / 240 * d)) + j,
        -d * (1 - d * (1 / 4 - 7 / 48 * d)) - 2 * j * i,
        2 * c * d * (1 - d * (1 / 2 - 7 / 16 * d)) + 6 * j * j,
        -6 * d * d * (1 - 5 / 6 * d) - 24 * j * j * i,
    )


def _step(a: Array, b: Array, goal: Array, x: Array, y: Array) -> tuple[Array, Array, Array]:
    """One step of the inverse series of log I towards `goal`, and how far log I was from it."""
    x, y = _exact_pair(x, y)
    log_i, u = _log_left(a, b, x, y, special.betainc)
    h = goal - log_i
    # u = I / I', the derivatives by t; then u' = 1 - g u, where g = (log I')'. So all derivatives of t by log I follow.
    g = a * y - b * x
    s = 1 - g * u
    r = -(a + b) * x * y * u * u
    w = s * (2 * s - 1) - r
    q = s * w - (4 * s - 1) * (r + s * (1 - s)) - r * (u * (y - x) + 2 * s)
    move = u * h * (1 + h / 2 * (s + h / 3 * (w + h / 4 * q)))
    wild = np.abs(h) > -0.5 * log_i  # near the end of the series' convergence, or past it
    if wild.any():
        # log I is concave in t: Newton's steps from the left never pass the root.
        move = np.where(wild & (h > 0), u * h, move)
        lost = wild & (h < 0)
        x[lost], y[lost] = _surely_left(a[lost], b[lost], goal[lost])
        move[lost] = 0.0
    shift = x * np.exp(move)
    return shift / (shift + y), y / (shift + y), h


def _surely_left(a: Array, b: Array, goal: Array) -> tuple[Array, Array]:
    """Where x**a / (a B(a, b)), which is more than I, comes to the goal; with x / y for x if b < 1."""
    log_x = (goal + special.betaln(a, b) + np.log(a)) / a
    x, y = _both(np.where(b < 1.0, -np.logaddexp(0.0, -log_x), log_x))
    return x, y


def _exact_pair(x: Array, y: Array) -> tuple[Array, Array]:
    """The nearest x, y that add to one exactly: betainc takes x alone, and 1 - x, rounded, to the power n."""
    rest = 1.0 - x
    tiny = np.minimum(x, y) < NARROWEST
    if tiny.any():
        return np.where(tiny, x, 1.0 - rest), np.where(tiny, y, rest)
    return 1.0 - rest, rest


# The tail -----------------------------------------------------------------------------------------------------------


def _log_tail(k: Array, n: Array, x: Array, y: Array) -> tuple[Array]:
    a, b = np.maximum(n - k, 1.0), np.maximum(k + 1.0, 1.0)
    right = a * y < b * x  # right of the mean, the other part is the small one
    small = _log_left_anywhere(np.where(right, b, a), np.where(right, a, b), np.where(right, y, x), np.where(right, x, y))
    log_i = np.where(right, np.log1p(-np.exp(small)), small)
    return (np.where(k < 0, -np.inf, np.where(k >= n, 0.0, log_i)),)


def _log_left_anywhere(a: Array, b: Array, x: Array, y: Array) -> Array:
    """log I_x(a, b) left of the mean, from its value and derivatives at the nearest exact pair."""
    x0, y0 = _exact_pair(x, y)
    log_i, u = _log_left(a, b, x0, y0, _betainc_long)
    t = np.where(x < y, np.log1p((x - x0) / x0) - np.log1p((x0 - x) / y0), np.log1p((y0 - y) / x0) - np.log1p((y - y0) / y0))
    m, g = 1 / u, a * y0 - b * x0
    second = m * (g - m)
    third = second * (g - 2 * m) - m * (a + b) * x0 * y0
    moved = log_i + t * (m + t / 2 * (second + t / 3 * third))
    return np.where(x > 0, moved, -np.inf)


def _betainc_long(a: Array, b: Array, x: Array) -> Array:
    """betainc, where a and b are large by way of betaincc, which is slow but computes in extended precision."""
    i = special.betainc(a, b, x)
    large = a + b > LARGE
    i[large] = special.betaincc(b[large], a[large], 1.0 - x[large])
    return i


def _log_left(a: Array, b: Array, x: Array, y: Array, betainc: Callable[..., Array]) -> tuple[Array, Array]:
    """log I_x(a, b) and I / I', the derivative by t, for x left of the mean or not far right of it."""
    i = betainc(a, b, x)
    log_i, log_d = np.log(i), _log_density(a, b, x, y)
    u = i * np.exp(-log_d)
    hard = (i < SMALLEST) | (np.minimum(x, y) < NARROWEST)
    if hard.any():
        u[hard] = _fraction(a[hard], b[hard], x[hard], y[hard])
        log_i[hard] = np.log(u[hard]) + log_d[hard]
    return log_i, u


def _log_density(a: Array, b: Array, x: Array, y: Array) -> Array:
    """log(x**a y**b / B(a, b)), the density of t, in Stirling's form: no large terms that cancel."""
    n = a + b
    g = a * y - b * x
    near = a * np.log1p(g / (n * x)) + b * np.log1p(-g / (n * y))
    return 0.5 * np.log(a * b / (2 * np.pi * n)) + _stirling_rest(n) - _stirling_rest(a) - _stirling_rest(b) - near


def _stirling_rest(a: Array) -> Array:
    """What Stirling's formula leaves of log gamma."""
    i = 1 / a
    j = i * i
    rest = i * (1 / 12 - j * (1 / 360 - j * (1 / 1260 - j * (1 / 1680 - j / 1188))))
    low = a < 10
    if low.any():
        c = a[low]
        rest[low] = special.gammaln(c) - (c - 0.5) * np.log(c) + c - 0.5 * np.log(2 * np.pi)
    return np.asarray(rest)


def _fraction(a: Array, b: Array, x: Array, y: Array) -> Array:
    """I_x(a, b) / (x**a y**b / B(a, b)) by its continued fraction, which is quick in the far tail."""
    value = np.empty_like(a)
    todo = np.arange(a.size)
    g = a * y - b * x
    top = bottom = None
    f = a * (g + 1) / (a + 1)
    c, d = f, np.zeros_like(a)
    for m in range(1, 100_000):
        e = a + 2 * m - 1
        alpha = (a + m - 1) * (a + b + m - 1) * m * (b - m) * (x / e) ** 2
        beta = m + m * (b - m) * x / e + (a + m) * (g + 1 + m * (1 + y)) / (e + 2)
        d = 1 / (beta + alpha * d)
        c = beta + alpha / c
        f = f * (c * d)
        value[todo] = 1 / f
        going = np.abs(c * d - 1) > 1e-16
        if not going.any():
            break
        todo, a, b, x, y, g, c, d, f = (each[going] for each in (todo, a, b, x, y, g, c, d, f))
    return value
