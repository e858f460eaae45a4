"""Equations 1 to 24 of document 001: error rates, of one classifier, of all, and on average."""

from __future__ import annotations

from itertools import product
from math import exp, log, sqrt

import numpy as np

from holdfast.catalog import find
from holdfast.evidence import Array, Counts
from holdfast.evidence.pools.averages import certain
from holdfast.evidence.pools.pool import Pool
from holdfast.evidence.pools.spread import drawing_variance
from studies.bax.exact import CONFIDENCES, ROUNDING, binomial, laws, miss_of_population, miss_of_test, worst_share
from studies.checks import Check, statement

RATES = np.arange(1, 100) / 100
DELTAS = [1 - confidence for confidence in CONFIDENCES]
SMALL = 10  # examples of either kind, where two classifiers are counted out
OVER = f"{len(RATES)} rates and confidences of {', '.join(f'{100 * each:.0f} %' for each in CONFIDENCES)}"
LAWS = f"{SMALL} + {SMALL} examples, {len(laws(2, 4))} laws of who errs with whom, four confidences"


def epsilon(delta: float, d: int, models: int = 1) -> float:
    """The reach of Eqs. 8 and 12 as printed, solved for it."""
    return sqrt(2 * log(4 * models / delta) / d)


def direct(delta: float, d: int, rest: int) -> float:
    """The reach that Hoeffding's inequality for a difference of means has."""
    return sqrt(log(2 / delta) / 2 * (1 / d + 1 / rest))


def one_classifier() -> list[Check]:
    wrong = np.random.default_rng(1).random(10) < 0.3
    printed = np.where(wrong, 0.0, 1.0)  # X of Eq. 2
    uneven = _uneven_ranges()
    population = max(
        miss_of_population(d, rate, epsilon(2 * delta, d) / 2) / delta
        for d in (10, 100, 1000)
        for rate in RATES
        for delta in DELTAS
    )
    exponents = [
        (2 * d**2 * (e / 2) ** 2 / np.sum(np.ones(d)), e**2 * d / 2) for d, e in product((10, 1000), (0.01, 0.1, 0.5))
    ]
    triples = [each for each in product(range(21), repeat=4) if abs(each[0] - each[1]) >= each[3]]
    implied = all(2 * abs(a - p) >= e or 2 * abs(b - p) >= e for a, b, p, e in triples)
    sizes = ((100, 100), (100, 400), (1000, 1000))
    test = max(
        miss_of_test(d, rest, rate, epsilon(delta, min(d, rest))) / delta
        for d, rest in sizes
        for rate in RATES[::14]
        for delta in DELTAS
    )
    terms = [
        2 * exp(-(e**2) * rest / 2) + 2 * exp(-(e**2) * d / 2) <= 4 * exp(-(e**2) * min(d, rest) / 2) + 1e-15
        for d, rest in sizes
        for e in np.linspace(0.01, 1, 100)
    ]
    library = [
        find("bax-difference")(Pool(Counts(d // 2, d), rest), delta).slack for d, rest in sizes for delta in DELTAS
    ]
    by_hand = [epsilon(delta, min(d, rest)) for d, rest in sizes for delta in DELTAS]
    return [
        statement(
            "(1)",
            "Pr{|X̄ − μ| ≥ ε} ≤ 2 exp(−2n²ε² / Σ(bᵢ − aᵢ)²)",
            uneven <= 1 and population <= 1,
            f"all 4,096 outcomes of twelve variables with ranges from 1 to 3: at most {uneven:.2f} of what is allowed",
        ),
        statement(
            "(2)",
            "Xᵢ = 1 if g is correct on validation example i; then X̄ is the validation error rate",
            bool(np.isclose(printed.mean(), wrong.mean())),
            f"10 examples with {int(wrong.sum())} errors: the mean of X is {printed.mean():.1f}, the error rate "
            f"{wrong.mean():.1f}",
            right="Xᵢ = 1 if g is incorrect on validation example i",
            why="Correct and incorrect changed places; |X̄ − μ| is the same, so that no bound suffers",
        ),
        statement(
            "(3)",
            "2 exp(−2d²(ε/2)² / Σ(1 − 0)) = 2 exp(−ε²d/2)",
            all(np.isclose(one, other) for one, other in exponents),
            "both exponents computed, d = 10 and 1,000. The square of (1 − 0) in (1) is left out, which is harmless as "
            "it is 1; for losses in [0, 2] it would not be",
        ),
        statement(
            "(3), (4)",
            "Pr{|ν − π| ≥ ε/2} ≤ 2 exp(−ε²d/2), and the same for the test rate with d'",
            population <= 1,
            f"binomial chances for d = 10, 100, 1,000, {OVER}: never more than {population:.2f} of what is allowed",
        ),
        statement(
            "(5), (6)",
            "|ν' − ν| ≥ ε implies |ν' − π| ≥ ε/2 or |ν − π| ≥ ε/2",
            implied,
            f"all {len(triples):,} cases on a grid of twentieths",
        ),
        statement(
            "(7)",
            "Pr{|ν' − ν| ≥ ε} ≤ 2 exp(−ε²d'/2) + 2 exp(−ε²d/2) ≤ 4 exp(−ε²D/2), D = min(d, d')",
            test <= 1 and all(terms),
            f"exact chances for 100 + 100, 100 + 400 and 1,000 + 1,000 examples: at most {test:.1g} of what is "
            f"allowed; the second step at {len(terms)} values of ε",
        ),
        statement(
            "(8)",
            "with confidence at least 1 − 4 exp(−ε²D/2) the test error rate is within ε of the validation error rate",
            test <= 1 and bool(np.allclose(np.array(library, float), by_hand, rtol=1e-9)),
            "the complement of (7), and what `bax-difference` computes; valid, but loose: see the first table below",
        ),
    ]


def _uneven_ranges() -> float:
    """The largest chance that a mean of twelve variables with ranges 1, 2 and 3 is far off, over what (1) allows."""
    n = 12
    widths = np.tile([1.0, 2.0, 3.0], n // 3)
    means = (np.array([*product((0.0, 1.0), repeat=n)]) * widths).mean(axis=1)
    reaches = np.linspace(0.05, 1, 20)
    chance = np.array([np.mean(np.abs(means - widths.mean() / 2) >= reach - ROUNDING) for reach in reaches])
    allowed = 2 * np.exp(-2 * n**2 * reaches**2 / np.sum(widths**2))
    return float(np.max(chance / allowed))


def all_classifiers() -> list[Check]:
    def worst(here: Array, there: Array) -> Array:
        return np.abs(there - here).max(axis=-1)

    share = worst_share(worst, lambda delta: epsilon(delta, SMALL, 2), SMALL, SMALL)
    many = []
    for models, delta in product((10, 1000), DELTAS):
        alone = max(miss_of_test(1000, 1000, rate, epsilon(delta, 1000, models)) for rate in (0.05, 0.25, 0.5))
        many.append(-np.expm1(models * np.log1p(-alone)) / delta)  # independent ones, of which some is off
    single, uniform = (1 - 4 * models * exp(-(0.1**2) * 1000 / 2) for models in (1, 1000))
    gaps = [4 * 999 * exp(-(0.1**2) * d / 2) for d in (100, 1000, 10_000)]
    return [
        statement(
            "(9) to (12), (25)",
            "Pr{some |ν'ₘ − νₘ| ≥ ε} ≤ the sum over the M classifiers ≤ 4M exp(−ε²D/2)",
            share <= 1 and max(many) <= 1,
            f"two classifiers counted out ({LAWS}): at most {share:.1g} of what is allowed; 10 and 1,000 independent "
            f"ones on 1,000 + 1,000: at most {max(many):.1g}",
        ),
        statement(
            "2.3",
            "the confidence of uniform estimation is much lower when M is large or when D is small",
            uniform < single / 2 and gaps[0] > gaps[1] > gaps[2],
            f"ε = 0.1, D = 1,000: {single:.3f} for one classifier, −{-uniform:.0f} for 1,000, which says nothing",
        ),
    ]


def a_draw_for_each_example() -> list[Check]:
    errs = np.array([[0, 1, 0, 1], [1, 1, 0, 0], [0, 1, 0, 0]], float)  # of three classifiers, on four inputs
    weight = np.array([0.4, 0.3, 0.2, 0.1])
    drawn = [(errs[m, x], weight[x] / 3) for m in range(3) for x in range(4)]
    found = np.zeros(4)
    for three in product(drawn, repeat=3):
        found[int(sum(error for error, _ in three))] += np.prod([chance for _, chance in three])
    average = float(errs.mean(axis=0) @ weight)
    off = float(np.abs(found - binomial(3, average)).max())
    miss = max(miss_of_test(100, 100, rate, epsilon(delta, 100)) / delta for rate in RATES for delta in DELTAS)
    said = np.random.default_rng(2).integers(0, 2, (3, 5))
    every = [_variance_of_draws(said, np.array(truth)) for truth in product((0, 1), repeat=5)]
    formula = drawing_variance(said, 2)[0]
    apart = max(abs(each - formula) for each in every)
    share = np.arange(8) / 7
    return [
        statement(
            "(13)",
            "for a classifier drawn anew for each example, Pr{|ν'ᵣ − νᵣ| < ε} ≥ 1 − 4 exp(−ε²D/2)",
            off < 1e-12 and miss <= 1,
            "three classifiers, four inputs, every draw for three examples: the errors are binomial with the average "
            f"error rate, so that (8) applies; 100 + 100 examples: at most {miss:.1g} of what is "
            "allowed",
        ),
        statement(
            "1",
            "the error rate of the core classifier that draws one of a subset for each input is their average error "
            "rate",
            bool(np.isclose(found @ np.arange(4) / 3, average)),
            f"the same draws: {found @ np.arange(4) / 3:.4f} and {average:.4f}",
        ),
        statement(
            "(14) to (18)",
            "Var(wⱼ) = pⱼ(1 − pⱼ), whichever label is the correct one",
            all(np.allclose(p - p**2, share * (1 - share)) for p in (share, 1 - share)),
            "E(w²) − E(w)² for p = 0, 1/7 … 1 with either label",
        ),
        statement(
            "(19)",
            "the variance of the test error rate is (1/d')² Σ pⱼ(1 − pⱼ), known from the inputs",
            apart < 1e-12,
            "three classifiers, five inputs: all 243 draws under each of 32 labellings have the variance "
            f"{formula:.4f} that `drawing_variance` computes",
        ),
    ]


def _variance_of_draws(said: Array, truth: Array) -> float:
    """The variance of the error rate over all draws of a classifier for each input."""
    wrong = said != truth
    rates = [wrong[list(draw), range(len(truth))].mean() for draw in product(range(len(said)), repeat=len(truth))]
    return float(np.var(rates))


def the_average() -> list[Check]:
    def mean(here: Array, there: Array) -> Array:
        return np.abs(there.mean(axis=-1) - here.mean(axis=-1))

    share = worst_share(mean, lambda delta: epsilon(delta, SMALL), SMALL, SMALL)
    wrong = np.random.default_rng(3).random((7, 40)) < 0.3
    said = np.random.default_rng(4).integers(0, 2, (5, 8))
    every = [float(np.mean(said != np.array(truth))) for truth in product((0, 1), repeat=8)]
    least, most = (float(each.mean()) for each in certain(said, 2))
    reached = np.isclose([min(every), max(every)], [least, most]).all()
    return [
        statement(
            "(20), (22), (23)",
            "Pr{|average ν' − average ν| ≥ ε} ≤ 4 exp(−ε²D/2), as for a single classifier",
            share <= 1,
            f"two classifiers counted out ({LAWS}): at most {share:.1g} of what is allowed, with no factor M",
        ),
        statement(
            "(21)",
            "the average over classifiers of the average over examples is the average over examples of the average "
            "over classifiers",
            bool(np.isclose(wrong.mean(axis=1).mean(), wrong.mean(axis=0).mean())),
            "7 classifiers on 40 examples, both ways",
        ),
        statement(
            "(24)",
            "the average test error rate is in [(1/d') Σ min(pⱼ, 1 − pⱼ), (1/d') Σ max(pⱼ, 1 − pⱼ)]",
            bool(reached),
            f"five classifiers, eight inputs, all 256 labellings: from {min(every):.4f} to {max(every):.4f}, "
            "and both ends are reached",
        ),
        statement(
            "4.2",
            "the range is centred about ½",
            bool(np.isclose(least + most, 1)),
            f"{least:.4f} + {most:.4f} = {least + most:.0f}. Only for two labels: of more, one that nobody says may be "
            "right",
        ),
    ]
