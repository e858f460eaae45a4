"""The ten bounds of Table 1, typed as they stand in the document, beside the methods that they are in the catalog."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.special import comb, ndtri

from holdfast.catalog import Bound, find
from holdfast.evidence import Array, Losses
from holdfast.numerics.roots import crossing

DELTA = 0.05
FEWEST, MOST = 10, 200  # examples, in the figures
SIZES = np.arange(FEWEST, MOST + 1)
SHARES = np.arange(101) / 200  # empirical errors from 0 to 50 %
X = float(np.log(1 / DELTA))
NEAR = 1e-9  # what is computed twice is this near

Formula = Callable[[Array, Array, Array, float], Array]  # of n, the empirical error, s^2 and delta


def z(delta: float) -> float:
    return float(-ndtri(delta))


def score(mean: Array, a: Array, b: Array) -> Array:
    """The empirical error plus the unluckiness factor of (20)."""
    return mean + ((1 - 2 * mean) * a + b) / (2 * (1 + a))


def nor(n: Array, mean: Array, s2: Array, delta: float) -> Array:
    return mean + z(delta) * np.sqrt(mean * (1 - mean) / n)


def wil(n: Array, mean: Array, s2: Array, delta: float) -> Array:
    """(19), which is right."""
    root = np.sqrt(z(delta) ** 2 / (4 * n**2) + mean * (1 - mean) / n)
    return (mean + z(delta) ** 2 / (2 * n) + z(delta) * root) / (1 + z(delta) ** 2 / n)


def wil_b(n: Array, mean: Array, delta: float) -> Array:
    """(22) as printed: it lacks a factor z."""
    return np.sqrt(z(delta) ** 2 / n**2 + 4 * mean * (1 - mean) / n)


def wil_printed(n: Array, mean: Array, s2: Array, delta: float) -> Array:
    """(20) to (22)."""
    return score(mean, z(delta) ** 2 / n, wil_b(n, mean, delta))


def tail(n: Array, most: Array, rate: Array) -> Array:
    """The sum in (23)."""
    j = np.arange(int(np.max(most)) + 1).reshape(-1, *np.ones(np.ndim(rate), int))
    terms = comb(n, j) * rate**j * (1 - rate) ** np.maximum(n - j, 0)
    return np.sum(np.where(j <= most, terms, 0.0), axis=0)


def cp(n: Array, mean: Array, s2: Array, delta: float) -> Array:
    """(26), for whole numbers of errors."""
    n, k = np.broadcast_arrays(n, np.rint(n * mean))
    found = crossing(lambda rate: tail(n, k, rate) - delta, k / n, np.ones(k.shape))
    return np.where(k == n, 1.0, found)


def che(n: Array, mean: Array, s2: Array, delta: float) -> Array:
    a = 1 / (delta * n)
    return score(mean, a, np.sqrt(a * (a - 4 * mean**2 + 4 * mean)))


def gut(n: Array, mean: Array, s2: Array, delta: float) -> Array:
    a = 1 / np.sqrt(delta) * np.sqrt(2 / (n * (n - 1)))
    each = 4 * s2 / (n - 1)
    return score(mean, a, np.sqrt(a * (4 * mean - 4 * mean**2 + each + a) + each))


def ber(n: Array, mean: Array, s2: Array, delta: float) -> Array:
    """(40), by the numerical procedure that the text asks for."""
    x = np.log(1 / delta)

    def room(rate: Array) -> Array:
        return mean + np.sqrt(rate * (1 - rate)) * np.sqrt(2 * x / n) + x / (3 * n) - rate

    return crossing(room, mean, np.ones(np.broadcast_shapes(np.shape(n), np.shape(mean))))


def mau(n: Array, mean: Array, s2: Array, delta: float) -> Array:
    x = np.log(2 / delta)
    return mean + np.sqrt(s2) * np.sqrt(2 * x / n) + 7 * x / (3 * (n - 1))


def crf(n: Array, mean: Array, s2: Array, delta: float) -> Array:
    x = np.log(1 / delta)
    return mean + np.sqrt(2 * mean * x / n) + 2 * x / n


def hoeffding_chance(n: Array, mean: Array, rate: Array) -> Array:
    """The right side of (44), whose limit for an empirical error of 0 is (45), with the rate for mean + Delta."""
    with np.errstate(divide="ignore", invalid="ignore"):
        some = ((1 - rate) / (1 - mean)) ** (1 - mean) * (rate / mean) ** mean
    return np.where(mean > 0, some, 1 - rate) ** n


def t_hoe(n: Array, mean: Array, s2: Array, delta: float) -> Array:
    """(44) and (45), solved for the rate."""
    shape = np.broadcast_shapes(np.shape(n), np.shape(mean))
    return crossing(lambda rate: hoeffding_chance(n, mean, rate) - delta, mean, np.ones(shape))


def hoe(n: Array, mean: Array, s2: Array, delta: float) -> Array:
    return mean + np.sqrt(np.log(1 / delta) / (2 * n))


class Row(NamedTuple):
    """A row of Table 1."""

    name: str
    equations: str  # as printed
    short: str
    scenario: int
    sided: str  # what the inequality behind it bounds
    printed: Formula

    @property
    def method(self) -> Bound:
        return find(self.short)


TABLE = (
    Row("Normal approximation", "(16)", "NOR", 1, "one side", nor),
    Row("Wilson score approach", "(20), (22), (22)", "WIL", 1, "one side", wil_printed),
    Row("Clopper-Pearson bound", "(26)", "CP", 1, "one side", cp),
    Row("Chebyshev bound", "(20), (34), (35)", "CHE", 2, "both sides", che),
    Row("Guttman bound", "(20), (37), (38)", "GUT", 2, "both sides", gut),
    Row("Bernstein bound", "(40)", "BER", 2, "one side", ber),
    Row("Maurer-Pontil bound", "(41)", "MAU", 2, "one side", mau),
    Row("Chernoff bound", "(42)", "CRF", 2, "one side", crf),
    Row("Tighter Hoeffding bound", "(44), (45)", "T_HOE", 2, "one side", t_hoe),
    Row("Conventional Hoeffding bound", "(48)", "HOE", 2, "one side", hoe),
)
BINARY = ("NOR", "WIL", "CP")
BOUNDED = ("GUT", "CHE", "HOE", "T_HOE", "BER", "MAU", "CRF")


def limit(short: str, n: Array | int, mean: Array | float, s2: Array | float | None = None) -> Array:
    """What holdfast's formula says before it is cut to [0, 1], as the figures draw it; of the largest s^2."""
    size, share = np.asarray(n, float), np.asarray(mean, float)
    spread = share * (1 - share) if s2 is None else s2
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):  # as the catalog does where it calls a formula
        found = find(short).upper(Losses.from_moments(size, share, spread), np.asarray(DELTA)).limit
    return np.asarray(found, float)


def apart(off: float) -> str:
    """How far two computations of the same differ, in words that are the same on every machine."""
    return "the same to nine digits" if off < NEAR else f"up to {off:.2g} apart"


def percent(share: float, digits: int = 0) -> str:
    return f"{100 * share:.{digits}f} %"
