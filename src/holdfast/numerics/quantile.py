"""The inverse of the incomplete beta function: a start by expansion, then one step with one betainc, rarely two."""

from __future__ import annotations

import numpy as np
from scipy import special

from holdfast.numerics.arrays import Array
from holdfast.numerics.beta import exact_pair, normal_quantile_of_beta
from holdfast.numerics.blocks import piecewise


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
