"""Section 22.2 as far as it follows from printed numbers: folds, bootstrap samples, intervals and the paired t-test."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from scipy.special import ndtr, ndtri, stdtr, stdtrit

import holdfast as hf
from holdfast.catalog import find
from holdfast.comparisons.folds import t_test
from holdfast.resampling import plan
from holdfast.verify.learners import crossed_coverages
from studies.checks import Check, number, statement
from studies.pages import Page
from studies.runs import Run
from studies.zaki_measures import pictures
from studies.zaki_measures.printed import (
    COUNTS_22_11,
    DIFFERENCES_22_11,
    FOLDS_22_7,
    FOLDS_22_11,
    INTERVALS,
    RATES_22_7,
    RATES_22_11,
)

K = 5
PAIR = FOLDS_22_11.difference("naive", "full")
DIVISOR = "the number printed has divisor K - 1; the formula, and Algorithms 22.2 to 22.4, have K"
ROUNDED = "rounded numbers were added: 0.233 + 0.113"


def add(page: Page, run: Run) -> None:
    _means(page)
    _trust(page, run)
    _pairs(page)


def covered(k: int, confidence: float, law: str, divisor: int) -> float:
    """How often the interval with this quantile and divisor (0: K, 1: K - 1) covers, of K independent normal draws."""
    quantile = ndtri((1 + confidence) / 2) if law == "z" else stdtrit(k - 1, (1 + confidence) / 2)
    return float(2 * stdtr(k - 1, quantile * np.sqrt((k - 1) / (k - 1 + (divisor == 0)))) - 1)


def _means(page: Page) -> None:
    page.section(
        "Cross-validation and the bootstrap: 22.2.1 and 22.2.2",
        "Formula (22.4) divides by K, the printed variance by K - 1. The second is what Student's table needs, so the "
        "numbers are right and the formulas, (22.4), (22.7) and those of Algorithms 22.2 to 22.4, are not.",
    )
    values = FOLDS_22_7.values[0]
    checks = [
        number("Example 22.7", f"error rate on fold {place}", printed, value, f"{round(30 * value)} of 30")
        for place, (printed, value) in enumerate(zip(RATES_22_7, values, strict=True), 1)
    ]
    checks += [
        number("Example 22.7", "sum of the five", "1.167", values.sum(), "35 of 30"),
        number("Example 22.7", "mean", "0.233", float(FOLDS_22_7.estimate), "(22.3)"),
        number("Example 22.7", "variance by (22.4)", "0.00833", values.var(), "(22.4), with 1/K", DIVISOR),
        number("22.2.2", "chance that a bootstrap sample lacks a point", "0.368", np.exp(-1), "exp(-1)"),
        number("22.2.2", "chance that it has it", "0.632", 1 - np.exp(-1), "1 - exp(-1)"),
    ]
    several = plan("kfold", 150, folds=K, seed=1)
    shared = np.intersect1d(several.train(0), several.train(1)).size / several.n_train[0]
    checks.append(
        statement(
            "22.2.3",
            "the results on the K folds, or of K bootstrap samples, are independent and identically distributed",
            shared == 0,
            f"of five folds any two training sets share {100 * shared:.0f} % of their points",
            right="identically distributed, and dependent",
        )
    )
    page.check(*checks)


def _trust(page: Page, run: Run) -> None:
    page.section(
        "Intervals: 22.2.3",
        "The same five results, with both divisors. What is printed has K - 1 throughout.",
    )
    page.table(("example", "confidence", "printed", "divisor K - 1", "divisor K"), _both_divisors())
    page.say(
        "If the five results were independent normal draws, which folds are not, the t interval with divisor K would "
        f"cover {100 * covered(K, 0.95, 't', 0):.1f} % and not 95 %, and {100 * covered(K, 0.99, 't', 0):.2f} % and "
        "not 99 %; the "
        f"z interval {100 * covered(K, 0.95, 'z', 0):.1f} %, with K - 1 {100 * covered(K, 0.95, 'z', 1):.1f} %."
    )
    page.picture(
        "coverage",
        pictures.coverages({(law, d): [covered(k, 0.95, law, d) for k in KS] for law in "tz" for d in (1, 0)}, KS),
        "How often a nominal 95 % interval covers, by the number of independent normal results",
    )
    page.say(
        "Folds are no such draws. Whole cross-validations of 150 points in 5 folds, simulated: how often the interval "
        "covers the error rate that the learner has on average. `nadeau-bengio` widens the t interval for the training "
        "points that folds share. None of them promises anything."
    )
    page.table(("learner", "fold-z", "fold-t", "nadeau-bengio"), run.kept("zaki intervals", lambda: _simulated(run)))
    page.check(*_interval_checks(), *_law_checks())
    page.picture(
        "student",
        pictures.densities([1, 4, 10]),
        "Figure 22.6 drawn anew: Student's densities come near the normal one quickly",
    )


KS = [2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 50]
LEARNERS = ("nearest mean", "nearest neighbour", "majority")


def _simulated(run: Run) -> list[list[str]]:
    bounds = [find(name) for name in ("fold-z", "fold-t", "nadeau-bengio")]
    repeats = 200 if run.fast else 4000
    found = [*crossed_coverages(bounds, 150, 0.05, "both", repeats, run.seed, LEARNERS, folds=K)]
    rows = [found[i : i + len(bounds)] for i in range(0, len(found), len(bounds))]
    return [[name, *(f"{100 * each.coverage:.1f} %" for each in row)] for name, row in zip(LEARNERS, rows, strict=True)]


def _both_divisors() -> Iterator[tuple[str, ...]]:
    mean, spread = float(FOLDS_22_7.estimate), float(np.sqrt(FOLDS_22_7.variance))
    for example, method, delta, _, _, ends in INTERVALS:
        claim = find(method)(FOLDS_22_7, delta)
        reach = (float(claim.upper) - mean) / spread * FOLDS_22_7.values.std()
        right = f"({float(claim.lower):.4f}, {float(claim.upper):.4f})"
        yield (
            example,
            f"{100 * (1 - delta):.0f} %",
            f"({', '.join(ends)})",
            right,
            f"({mean - reach:.4f}, {mean + reach:.4f})",
        )


def _interval_checks() -> Iterator[Check]:
    spread, how = float(np.sqrt(FOLDS_22_7.variance)), "divisor K - 1"
    yield number("Example 22.9", "standard deviation", "0.0913", spread, how)
    for example, method, delta, quantile, reach, ends in INTERVALS:
        claim = find(method)(FOLDS_22_7, delta)
        level, slack = f"{100 * (1 - delta):.0f} %", float(np.asarray(claim.slack, float))
        yield number(example, f"quantile at {level}", quantile, slack / spread * np.sqrt(K), f"from {method}")
        yield number(example, f"reach at {level}", reach, slack, f"{method}, {how}")
        for what, printed, found in zip(("lower", "upper"), ends, (claim.lower, claim.upper), strict=True):
            yield number(example, f"{what} limit at {level}", printed, float(found), f"{method}, {how}", ROUNDED)
    yield number(
        "Example 22.10",
        '"the estimated variance"',
        "0.0913",
        float(FOLDS_22_7.variance),
        "variance of the five results, divisor K - 1",
        "0.0913 is the standard deviation",
    )


def _law_checks() -> Iterator[Check]:
    inside = float(ndtr(1.96) - ndtr(0))
    yield statement("(22.5)", "P(0 <= Z <= 1.96) = 0.95 / 2", round(inside, 3) == 0.475, f"it is {inside:.4f}")
    of_t, of_z = covered(K, 0.95, "t", 0), covered(K, 0.95, "z", 0)
    yield statement(
        "(22.11), (22.12)",
        "Z* = Z / sqrt(S / K) has Student's distribution with K - 1 degrees of freedom",
        abs(of_t - 0.95) < 1e-6,
        f"its 95 % interval covers {100 * of_t:.2f} % at K = 5, exactly, of independent normal draws",
        right="Z / sqrt(S / (K - 1)) has it: the variance (22.7) needs divisor K - 1",
        why="Student's t is a normal over the root of a chi-square by its degrees of freedom, which are K - 1",
    )
    yield statement(
        "(22.9)",
        "the z interval covers 95 %, in the limit of large K",
        abs(covered(10**7, 0.95, "z", 0) - 0.95) < 1e-6,
        f"at K = 5 it covers {100 * of_z:.1f} %, as the text warns",
    )
    theta = np.random.default_rng(22).normal(size=(2000, K))
    parts = theta - theta.mean(axis=1, keepdims=True)
    yield statement(
        "22.2.3",
        "the V_i are independent standard normal, and their squares sum to a chi-square with K - 1 degrees of freedom",
        not np.allclose(parts.sum(axis=1), 0),
        f"the V_i sum to 0, so they depend on each other; their variance is (K - 1)/K = {1 - 1 / K:g}",
        right="the theta_i are independent normal; then the sum is as said",
        why="V_i has the estimated mean in it",
    )
    tails = stdtr(np.arange(1, 100), -2.0)
    fatter, gap = bool(np.all(tails > ndtr(-2.0)) and np.all(np.diff(tails) < 0)), float(tails[29] - ndtr(-2.0))
    yield statement(
        "22.2.3",
        "Student's distribution has more in its tails than the normal, to which it converges",
        fatter,
        f"chance below -2: {tails[3]:.3f} for K = 5, {tails[29]:.3f} for K = 31, {ndtr(-2.0):.3f} normal ({gap:.3f})",
    )
    wider = [
        find("fold-t")(FOLDS_22_7, delta).width > find("fold-z")(FOLDS_22_7, delta).width for delta in (0.05, 0.01)
    ]
    yield statement("Example 22.10", "the t intervals are much wider than those of 22.9", all(wider), "both levels")


def _pairs(page: Page) -> None:
    verdict = hf.compare(FOLDS_22_11).details["verdict"]
    claim, corrected = (find(name)(PAIR, 0.05) for name in ("paired-t", "nadeau-bengio"))
    page.section(
        "The paired t-test: 22.2.4",
        f"The numbers again have divisor K - 1. The test does not reject; from that the book concludes that both "
        f"classifiers are equally good. Five folds cannot show that: their interval is {claim}. "
        f"`hf.compare` says: {verdict}",
        f"That folds share training points is not accounted for; with the correction it is {corrected}.",
    )
    checks = [
        number("Example 22.11", f"error rate of {name} Bayes on fold {place}", text, errors / 30, f"{errors} of 30")
        for name, printed in RATES_22_11.items()
        for place, (text, errors) in enumerate(zip(printed, COUNTS_22_11[name], strict=True), 1)
    ]
    values, test = PAIR.values.ravel(), t_test(PAIR, "paired-t")
    checks += [
        number("Example 22.11", f"difference on fold {place}", text, value, "naive minus full")
        for place, (text, value) in enumerate(zip(DIFFERENCES_22_11, values, strict=True), 1)
    ]
    spread = values.std(ddof=1)
    as_printed = np.sqrt(K) * values.mean() / values.std()
    size = 1 - covered(K, 0.95, "t", 0)
    checks += [
        number("Example 22.11", "sum of the differences", "0.167", values.sum(), "5 of 30"),
        number("Example 22.11", "mean difference", "0.033", values.mean(), "5 of 150"),
        number(
            "Example 22.11", "variance of the differences", "0.00333", values.var(), "as printed, with 1/K", DIVISOR
        ),
        number("Example 22.11", "standard deviation", "0.0577", spread, "divisor K - 1"),
        number(
            "Example 22.11",
            "Z",
            "1.28",
            float(np.asarray(test.statistic, float)),
            "paired-t",
            "0.033 and 0.0577 were rounded before",
        ),
        number(
            "Example 22.11",
            "t at 95 %",
            "2.776",
            float(np.asarray(claim.slack, float)) / spread * np.sqrt(K),
            "paired-t",
        ),
        statement(
            "Example 22.11",
            "the null hypothesis cannot be rejected",
            bool(test.value > 0.05),
            f"p = {test.value:.3f} by paired-t; with 1/K, Z = {as_printed:.3f}, it is not rejected either",
        ),
        statement(
            "Example 22.11",
            "instead, we accept that there is no difference",
            verdict.outcome == "equivalent",
            f"hf.compare: {verdict.outcome}; the interval has differences up to {claim.upper:.3f} in it",
            right="nothing is settled",
            why="a test that does not reject is taken for a proof of the contrary",
        ),
        statement(
            "Algorithm 22.4",
            "rejects equal classifiers with chance 1 - alpha",
            abs(size - 0.05) < 1e-6,
            f"with 1/K in line 8 the chance is {100 * size:.2f} % at K = 5, were folds independent normal draws",
            right="with 1/(K - 1), and only were the folds independent",
            why="as in (22.11)",
        ),
    ]
    page.check(*checks)
