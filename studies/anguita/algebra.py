"""The formulas of sections 1 and 2, each tried on numbers; those of section 3 stand in `inequalities`."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np

from holdfast.evidence import Array
from holdfast.numerics.binomial import binomial_tail, binomial_tail_inverse
from holdfast.verify import coverage
from studies.anguita import equations as printed
from studies.anguita.equations import DELTA, NEAR, SHARES, SIZES, apart, limit, percent, score, wil_b, z
from studies.anguita.inequalities import law, of_bounded_losses, of_hoeffding
from studies.checks import Check, number, statement
from studies.pages import Page
from studies.runs import Run


def told(page: Page, run: Run) -> None:
    page.section(
        "The formulas, one by one",
        "What is said of the mean of n losses where a single loss is meant, one factor z, one root drawn too far, and "
        "a few numbers of equations: none of these slips reaches the figures, for which the right formulas were used "
        "as far as can be told. Every line below is a computation.",
    )
    losses = np.random.default_rng(run.seed).beta(0.5, 1.5, (200, 12))
    page.check(*_definitions(), *_moments(losses), *_binary(), *of_bounded_losses(losses), *of_hoeffding())


# ---- Section 1


def _definitions() -> Iterator[Check]:
    margin = np.linspace(-6, 6, 24_001)
    soft = np.clip((1 - margin) / 2, 0, 1)
    logistic = {a: 1 / (1 + np.exp(a * margin)) for a in np.arange(1, 61) / 10}
    nearest = min(logistic, key=lambda a: float(np.abs(logistic[a] - soft).max()))
    slopes = [float(np.abs(np.diff(loss)).max() / (margin[1] - margin[0])) for loss in (logistic[nearest], soft)]
    off = float(np.abs(logistic[nearest] - soft).max())
    yield statement(
        "(4), (5)",
        "Lipschitz losses in [0, 1], the linear one a piecewise linear approximation of the logistic one",
        max(slopes) < 1 and off < 0.1,
        f"steepest slopes {slopes[0]:.2f} and {slopes[1]:.2f}; nearest at a slope factor of {nearest:.1f}, never more "
        f"than {off:.2f} apart",
    )
    n, rate = 200, 0.25
    share, chance = law(n, rate)
    bias = float(share @ chance) - rate
    below, above = float(chance[share < rate].sum()), float(chance[share > rate].sum())
    yield statement(
        "after (6)",
        "it is well-known that the empirical error usually underestimates the true one",
        bias < -NEAR,
        f"all outcomes of n = {n}, L = {percent(rate)}: its mean and L are {apart(abs(bias))}; it is below in "
        f"{percent(below, 1)}, above in {percent(above, 1)} of the draws",
        right="on a test set it is unbiased",
        why="True of the error on the training set, which the text does not use.",
    )
    share, chance = law(10, rate)
    of_mean, of_loss = float(share**2 @ chance) - rate**2, rate * (1 - rate)
    for place, what, right in (
        ("(9)", "the variance is E of the squared empirical error, less L squared", "E of the squared loss, less L^2"),
        (
            "(28)",
            "E of the squared empirical error is at most L, hence by (9) the bound (29)",
            "E of the squared loss is at most L",
        ),
    ):
        yield statement(
            place,
            what,
            abs(of_mean - of_loss) < NEAR,
            f"0/1 losses, n = 10, L = 25 %: (9) makes {of_mean:.5f}, the variance of a loss is {of_loss:.4f}",
            right=right,
            why="The mean of n losses for a single loss: its variance is n times smaller.",
        )
    square = float(share**2 @ chance)
    yield statement(
        "(11)",
        "for 0/1 losses E of the squared empirical error is L",
        abs(square - rate) < NEAR,
        f"n = 10, L = 25 %: it is {square:.4f}",
        right="E of the squared loss is L",
        why="The mean of n losses for a single loss, as in (9).",
    )


def _moments(losses: Array) -> Iterator[Check]:
    mean = losses.mean(axis=1)
    two = np.mean((losses - mean[:, np.newaxis]) ** 2, axis=1), np.mean(losses**2, axis=1) - mean**2
    off = float(np.abs(two[0] - two[1]).max())
    yield statement("(10)", "both forms of the sample variance", off < NEAR, f"200 samples of 12: {apart(off)}")
    counts = (losses > 0.3).astype(float)
    off = float(np.abs(counts.var(axis=1) - counts.mean(axis=1) * (1 - counts.mean(axis=1))).max())
    yield statement("(12)-(14)", "for 0/1 losses the variance is m (1 - m)", off < NEAR, f"200 samples: {apart(off)}")
    largest = float(np.max(two[0] / (mean * (1 - mean))))
    how = f"200 samples of beta losses: at most {largest:.2f} of it; equality for 0/1 losses"
    yield statement("(29)-(31)", "for losses in [0, 1] the variance is at most m (1 - m)", largest <= 1, how)


# ---- Section 2


def _binary() -> Iterator[Check]:
    curve = coverage("CP", 10, np.arange(1, 500) / 1000, delta=DELTA, side="upper")
    yield statement(
        "(8)",
        "the coverage probability is 1 - delta",
        float(np.ptp(curve)) < NEAR,
        f"Clopper-Pearson, n = 10: from {curve.min():.3f} to {curve.max():.3f}, by the true error rate",
        right="at least 1 - delta",
        why="A count jumps, so that no limit can have the same coverage everywhere.",
    )
    n, mean = np.meshgrid(SIZES.astype(float), SHARES)
    spread = mean * (1 - mean)
    off = float(np.abs(printed.nor(n, mean, spread, DELTA) - limit("NOR", n, mean)).max())
    yield statement("(15)-(17)", "the normal approximation", off < NEAR, f"`normal`, 101 x 191 points: {apart(off)}")
    root = printed.wil(n, mean, spread, DELTA)
    residual = float(np.abs((root - mean) - z(DELTA) * np.sqrt(root * (1 - root) / n)).max())
    yield statement("(19)", "solves (18) for L", residual < NEAR, f"put into (18): {apart(residual)}")
    yield number(
        "(20)-(22)",
        "Wilson's limit for 10 errors of 100 at delta = 5 %, from the formula as printed",
        f"{float(printed.wil_printed(np.array(100.0), np.array(0.1), np.array(0.09), DELTA)):.4f}",
        float(limit("WIL", 100, 0.1)),
        "(19), and `wilson`",
        "The square root in (22) lacks the factor z that stands before it in (19): B is z times what is printed.",
    )
    off = float(np.abs(score(mean, z(DELTA) ** 2 / n, z(DELTA) * wil_b(n, mean, DELTA)) - root).max())
    yield statement("(20), (21)", "with z times (22) they are (19)", off < NEAR, f"{apart(off)}")
    yield _sum_of_losses()
    off = float(np.abs(printed.tail(np.array(30.0), np.array(7), SHARES) - binomial_tail(7, 30, SHARES)).max())
    yield statement("(23)", "the binomial tail as a sum", off < NEAR, f"7 of 30, 101 rates: {apart(off)}")
    limits = binomial_tail_inverse(np.arange(30), 30, DELTA).limit
    off = float(np.abs(binomial_tail(np.arange(30), 30, limits) - DELTA).max())
    yield statement(
        "(24)-(26)", "Clopper-Pearson as the inverse of the tail", off < NEAR, f"the tail there and delta: {apart(off)}"
    )


def _sum_of_losses() -> Check:
    """(23) counts predictions: let a classifier say -1 always, so that it errs where the label is 1."""
    n, most, rate = 8, 2, 0.3
    labels = np.array(list(product((-1, 1), repeat=n)))
    chance = np.prod(np.where(labels == 1, rate, 1 - rate), axis=1)
    said = np.full(labels.shape, -1)
    as_printed = float(chance[said.sum(axis=1) <= most].sum())
    right = float(chance[(said != labels).sum(axis=1) <= most].sum())
    return statement(
        "(23)",
        "Bin is the chance that the sum of the predictions is at most p",
        abs(as_printed - right) < NEAR,
        f"all 256 test sets of 8 for a classifier that always says -1 and errs with {percent(rate)}: {as_printed:.3f} "
        f"as printed, {right:.3f} with losses, which is Bin = {float(binomial_tail(most, n, rate)):.3f}",
        right="the sum of the losses",
        why="A prediction for its loss.",
    )
