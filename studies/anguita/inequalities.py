"""The formulas of section 3, for losses in [0, 1], each tried on numbers."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from holdfast.evidence import Array
from holdfast.numerics.binomial import binomial_tail, log_binomial_term
from holdfast.verify import coverage, worst_coverage
from studies.anguita import equations as printed
from studies.anguita.equations import DELTA, NEAR, SHARES, SIZES, X, apart, hoeffding_chance, limit, score, z
from studies.checks import Check, statement


def law(n: int, rate: Array | float) -> tuple[Array, Array]:
    """Every share of errors there can be on n examples, and its chance; a row for each rate."""
    k, p = np.arange(n + 1.0), np.asarray(rate, float)[..., np.newaxis]
    return k / n, np.exp(log_binomial_term(k, np.asarray(float(n)), p, 1 - p))


def of_bounded_losses(losses: Array) -> Iterator[Check]:
    n, mean = np.meshgrid(SIZES.astype(float), SHARES)
    spread = mean * (1 - mean)
    root = printed.che(n, mean, spread, DELTA)
    off = float(np.abs((root - mean) ** 2 - root * (1 - root) / (n * DELTA)).max())
    yield statement("(20), (34), (35)", "solve (33) for L", off < NEAR, f"put into (33): {apart(off)}")
    a = z(DELTA) ** 2 / n
    off = float(np.abs(score(mean, a, np.sqrt(a * (a + 4 * spread))) - limit("WIL", n, mean)).max())
    yield statement(
        "3.1", "Chebyshev's bound generalises Wilson's", off < NEAR, f"(35) with (21) is (19): {apart(off)}"
    )
    yield from _guttman(n, mean, spread)
    yield from _bernstein()
    x, s2 = losses.mean(axis=1), losses.var(axis=1)
    gap = limit("maurer-pontil", 12, x, s2) - limit("MAU", 12, x, s2)
    yield statement(
        "(41)",
        "the bound of Maurer and Pontil, with the sample variance of (10)",
        float(np.abs(gap).max()) < NEAR,
        f"200 samples of 12: their variance has the divisor n - 1, which makes the limit up to {gap.max():.3f} "
        f"larger. With n it holds all the same: least slack of the proof {_spare():.2f} times what is needed",
        right="their theorem has the divisor n - 1; with n it holds too",
        why="Two usual meanings of sample variance.",
    )
    off = float(np.min(limit("CRF", n, mean) - limit("T_HOE", n, mean)))
    how = f"(42) is above T_HOE everywhere, by {off:.3f} at the least, as kl(p, q) >= (q - p)^2 / 2q makes it"
    yield statement("(42)", "Chernoff's bound is rigorous", off > 0, how)


def _guttman(n: Array, mean: Array, spread: Array) -> Iterator[Check]:
    s2 = spread / 4  # where s^2 is not the largest, it shows which of the two was replaced
    root = printed.gut(n, mean, s2, DELTA)
    factor = np.sqrt(2 / (n * (n - 1))) / np.sqrt(DELTA)
    left = (root - mean) ** 2
    by_29 = float(np.abs(left - (s2 / (n - 1) + factor * root * (1 - root))).max())
    by_31 = float(np.abs(left - (spread / (n - 1) + factor * root * (1 - root))).max())
    yield statement("(20), (37), (38)", "solve (36) for L", by_29 < NEAR, f"with (29) for the variance: {apart(by_29)}")
    yield statement(
        "after (36)",
        "by applying the upper bound of Eq. (31)",
        by_31 < NEAR,
        f"s^2 a quarter of the largest: (38) solves (36) with (29); with (31) it is off by {by_31:.3f}",
        right="of Eq. (29)",
        why="(38) still has s^2 in it: the true variance was replaced, not the sample's.",
    )
    worst = worst_coverage("GUT", 100, delta=DELTA, side="upper").coverage
    yield statement(
        "after (36)",
        "it still holds with a coverage probability equal to 1 - delta",
        abs(worst - (1 - DELTA)) < NEAR,
        f"n = 100, 0/1 losses: at least {worst:.4f} at every error rate",
        right="of at least 1 - delta",
    )
    tighter = bool(np.all(limit("GUT", n, mean) < limit("CHE", n, mean)))
    yield statement("3.2", "in general tighter than Chebyshev's", tighter, "at all 101 x 191 points of the figures")


def _bernstein() -> Iterator[Check]:
    n, value, drop = 100, 0.25, 0.1 / 100  # losses of a quarter, now and then of nothing
    share, chance = law(n, drop)
    truth, sigma = value * (1 - drop), value * np.sqrt(drop * (1 - drop))
    slacks = {
        "printed": sigma * np.sqrt(2 * X / n + X / (3 * n)),
        "right": sigma * np.sqrt(2 * X / n) + X / (3 * n),
    }
    covered = {name: float(chance[value * (1 - share) + slack >= truth].sum()) for name, slack in slacks.items()}
    yield statement(
        "(39)",
        "both terms under one root",
        covered["printed"] >= 1 - DELTA,
        f"n = 100, a loss of 0.25 and once in 1,000 of 0: it covers {covered['printed']:.3f}; with the second term "
        f"outside, as in (40), {covered['right']:.3f}",
        right="the second term stands outside the root",
        why="The root was drawn too far: (40) is right.",
    )
    n_, mean = np.meshgrid(SIZES.astype(float), SHARES)
    root = printed.ber(n_, mean, mean, DELTA)
    of_sample = mean + np.sqrt(mean * (1 - mean)) * np.sqrt(2 * X / n_) + X / (3 * n_)
    yield statement(
        "after (39)",
        "we can exploit the upper bound of Eq. (31)",
        float(np.abs(of_sample - root).max()) < NEAR,
        "(40) has L (1 - L), which is (29); with (31) its solution would be off by up to "
        f"{np.abs(of_sample - root).max():.2f}",
        right="of Eq. (29)",
        why="The true variance was replaced, not the sample's.",
    )
    closed = score(
        mean + X / (3 * n_), 2 * X / n_, np.sqrt(2 * X / n_ * (2 * X / n_ + 4 * _variance(mean + X / (3 * n_))))
    )
    off = float(np.abs(closed - root).max())
    yield statement(
        "after (40), 3.4, 4.2, 5",
        "Bernstein's bound requires a numerical procedure",
        off > NEAR,
        "it is a quadratic in L: (20) with 2x/n for A, at the empirical error plus x/3n, x = ln(1/delta), and the "
        f"numerical solution are {apart(off)}",
        right="it has a closed form, as (35) has",
    )


def _variance(mean: Array) -> Array:
    return mean * (1 - mean)


def _spare() -> float:
    """How much the proof of (41) has to spare, as errata of ours have it: at least what the divisor n takes away."""
    n, share, x = np.meshgrid(
        np.arange(2, 2001), np.arange(1, 201) / 200, np.log([2, 4, 20, 40, 2e3, 2e6]), indexing="ij"
    )
    u, a = share * np.sqrt(n / (4 * (n - 1))), np.sqrt(x / (2 * (n - 1)))
    return float(np.min((a + u - np.hypot(a, u)) / (u * (1 - np.sqrt(1 - 1 / n)))))


def of_hoeffding() -> Iterator[Check]:
    rates = np.arange(1, 100)[:, np.newaxis] / 100
    worst = 0.0
    for n in (5, 20, 100):
        share, chance = law(n, rates[:, 0])
        over = np.cumsum(chance, axis=1) - hoeffding_chance(np.asarray(float(n)), share, rates)
        worst = max(worst, float(np.max(over, where=share < rates, initial=-1.0)))
    yield statement("(43)", "Hoeffding's bound", worst <= 1e-12, "every outcome of n = 5, 20, 100 at 99 error rates")
    at_most = float(binomial_tail(1, 10, 0.2))
    bound = float(hoeffding_chance(np.array(10.0), np.array(0.0), np.array(0.1)))
    yield statement(
        "(44)",
        "the chance of an empirical error too small by Delta is at most the right side, with the empirical error in it",
        at_most <= bound,
        f"n = 10, L = 20 %, Delta = 10 %: the chance is {at_most:.3f}; where no error is seen the right side is "
        f"{bound:.3f}",
        right="solved for Delta it is a valid limit; as it stands its right side is random",
        why="(43) holds at the true L, for which the estimate was put in.",
    )
    off = float(np.abs(limit("T_HOE", SIZES, np.zeros(SIZES.shape)) - (1 - DELTA ** (1 / SIZES))).max())
    yield statement(
        "(45), (46)", "without errors the limit is 1 - delta^(1/n)", off < NEAR, f"n = 10 to 200: {apart(off)}"
    )
    off = float(np.abs(np.exp(-2 * SIZES * limit("HOE", SIZES, np.zeros(SIZES.shape)) ** 2) - DELTA).max())
    yield statement("(47), (48)", "Hoeffding's simpler bound", off < NEAR, f"put into (47): {apart(off)}")
    for place, short in (("after (44)", "T_HOE"), ("after (48)", "HOE")):
        curve = coverage(short, 100, np.arange(1, 1000) / 1000, delta=DELTA, side="upper")
        yield statement(
            place,
            f"{short} is characterised by a coverage probability equal to 1 - delta",
            float(np.abs(curve - (1 - DELTA)).max()) < NEAR,
            f"0/1 losses, n = 100: between {curve.min():.3f} and {curve.max():.3f}, by the true error rate",
            right="of at least 1 - delta",
        )
