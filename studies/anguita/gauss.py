"""Normal losses, as section 4.2 draws them: what covers how often, exactly and as drawn."""

from __future__ import annotations

import numpy as np
from scipy.special import ndtr

from holdfast.evidence import Array
from holdfast.numerics.roots import crossing
from studies.anguita.equations import BOUNDED, DELTA, TABLE, X, limit, score

FORMULAS = {row.short: row.printed for row in TABLE}
DRAWS = 1000  # the document's tau


def with_mean_cut(short: str, n: Array | int, rate: Array | float) -> Array:
    """The exact coverage where the losses are N(L, L(1 - L)), their mean is cut to [0, 1] and s^2 is the largest.

    The limit grows with the mean, so that it covers L where the mean is at least some x; the mean is normal.
    """
    size, truth = np.broadcast_arrays(np.asarray(n, float), np.asarray(rate, float))
    least = crossing(lambda mean: truth - limit(short, size, mean), np.zeros(truth.shape), truth)
    always = limit(short, size, np.zeros(truth.shape)) >= truth
    return np.where(always, 1.0, ndtr((truth - least) * np.sqrt(size / (truth * (1 - truth)))))


def outside(n: Array | int, rate: Array | float) -> Array:
    """The chance that the mean of n such losses is not in [0, 1]; of a single loss, with n = 1."""
    spread = np.sqrt(np.asarray(rate) * (1 - np.asarray(rate)) / n)
    return np.asarray(ndtr(-rate / spread) + ndtr((np.asarray(rate) - 1) / spread))


def as_printed(n: Array | int, rate: Array | float) -> dict[str, Array]:
    """The exact coverage of T_HOE and CRF where nothing is cut: what has no value covers nothing.

    T_HOE has none where the mean is outside [0, 1], CRF where it is negative.
    """
    spread = np.sqrt(np.asarray(rate) * (1 - np.asarray(rate)) / n)
    below, above = ndtr(-rate / spread), ndtr((np.asarray(rate) - 1) / spread)
    lost = {"T_HOE": below + above, "CRF": below}
    found = {}
    for short, chance in lost.items():
        cut = with_mean_cut(short, n, rate)
        found[short] = np.where(cut == 1, 1.0, cut + below) - chance  # where 0 covers, so does every mean below
    return found


def drawn(n: int, rate: float, draws: int, generator: np.random.Generator) -> dict[str, float]:
    """The share of draws that each bound covers, nothing being cut.

    The mean and the variance of normal losses are independent, and are drawn as such.
    """
    mean = rate + np.sqrt(rate * (1 - rate) / n) * generator.normal(size=draws)
    s2 = rate * (1 - rate) / n * generator.chisquare(n - 1, size=draws)
    inside = (mean > 0) & (mean < 1)
    found = {}
    with np.errstate(invalid="ignore"):  # roots of what is negative: no limit
        for short in BOUNDED:
            if short == "T_HOE":
                limits = np.where(inside, limit(short, n, np.where(inside, mean, 0.5)), np.nan)
            elif short == "BER":
                a, centre = 2 * X / n, mean + X / (3 * n)
                limits = score(centre, np.asarray(a), np.sqrt(a * (a + 4 * centre * (1 - centre))))
            else:
                limits = FORMULAS[short](np.asarray(float(n)), mean, s2, DELTA)
            found[short] = float(np.mean(limits >= rate))
    return found
