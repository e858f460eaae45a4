"""Equations 25 to 34 of document 001, what it concludes from them, and inference from core classifiers."""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement, product

import numpy as np

from holdfast.bounds.spread import partition_slack
from holdfast.evidence import Array
from holdfast.evidence.pools.spread import Inputs, PoolSpread, Spread, largest_variance
from holdfast.selection.cores.inference import Patterns, by_each_core, by_programme
from studies.bax.exact import CONFIDENCES, ROUNDING, binomial
from studies.bax.rates import epsilon
from studies.checks import Check, statement

PANELS = 60
REACHES = (0.05, 0.1, 0.2, 0.35, 0.5)


def spread_of_rates() -> list[Check]:
    printed, sharp = missed_variance()
    found = {reach: largest_changes(reach) for reach in REACHES}
    anywhere = all(np.isclose(free, reach + reach**2) for reach, (free, _) in found.items())
    attained = all(np.isclose(kept, reach + reach**2) for reach, (_, kept) in found.items())
    listed = ", ".join(f"{kept:.4g} at ε = {reach}" for reach, (_, kept) in found.items())
    example = np.array([[0.0, 1.0], [-0.1, 0.1]])
    value = 2 * np.cov(example, ddof=0)[0, 1] + example[1].var()
    return [
        statement(
            "(26) to (32)",
            "Var(ν') − Var(ν) = 2[E(νδ) − E(ν)E(δ)] + Var(δ), by way of (26) to (31)",
            identities() < 1e-12,
            "every line evaluated for 1,000 sets of seven rates: equal but for rounding",
        ),
        statement(
            "(33)",
            "for (ν, δ) = (0, −ε) and (1, ε) with probability ½ each, the value is ε + ε²",
            bool(np.isclose(value, 0.1 + 0.1**2)),
            f"ε = 0.1: {value:.4f}",
        ),
        statement(
            "(33)",
            "for ν in [0, 1] and δ in [−ε, ε] the right-hand side of (32) is at most that",
            anywhere,
            "all sets of up to four pairs from a grid, ε from 0.05 to 0.5: the largest value is ε + ε²",
        ),
        statement(
            "(33)",
            "so ε + ε² is the most by which the variance of test error rates can differ from that of validation error "
            "rates",
            attained,
            f"the same search with ν + δ, the test error rate, in [0, 1]: {listed}",
            right="ε − ε² (¼ from ε = ½ on)",
            why="The extreme case has test error rates of −ε and 1 + ε, which there are not",
        ),
        statement(
            "(34)",
            "Pr{|Var(ν') − Var(ν)| < ε + ε²} ≥ 1 − 4M exp(−ε²D/2)",
            max(printed, sharp) <= 1 and all(kept <= reach + reach**2 for reach, (_, kept) in found.items()),
            "by (12) and the search above; one classifier that is always right beside one that is not, counted out for "
            f"1,000 + 1,000 examples: the chance is at most {printed:.0e} of what is allowed, and with ε − ε² in place "
            f"of ε + ε² at most {sharp:.0e}",
        ),
    ]


def missed_variance() -> tuple[float, float]:
    """The chance of a change by ε + ε², and by ε − ε², over what is allowed: exact, where one of two is never wrong."""
    d = 1000
    rates = np.arange(d + 1) / d
    apart = np.abs(rates[:, None] ** 2 - rates**2) / 4  # the variance of 0 and ν is ν²/4
    largest = [0.0, 0.0]
    for confidence, rate in product(CONFIDENCES, (0.1, 0.3, 0.5, 0.7, 0.9)):
        reach, chance = epsilon(1 - confidence, d, 2), binomial(d, rate)
        for place, change in enumerate((reach + reach**2, reach - reach**2)):
            missed = float(chance @ (apart >= change - ROUNDING) @ chance)
            largest[place] = max(largest[place], missed / (1 - confidence))
    return largest[0], largest[1]


def largest_changes(reach: float) -> tuple[float, float]:
    """The largest |Var(ν') − Var(ν)| for residuals up to `reach`: for any ν', and for those that are error rates.

    All sets of two and of four classifiers from a grid that holds the extreme cases.
    """
    rates = np.unique([0, reach, 0.5, 1 - reach, 1])
    pairs = np.array([*product(rates, (-reach, 0.0, reach))])
    kept = pairs[(pairs.sum(axis=1) >= -1e-12) & (pairs.sum(axis=1) <= 1 + 1e-12)]
    largest = []
    for some in (pairs, kept):
        changes = [0.0]
        for size in (2, 4):
            sets = some[np.array([*combinations_with_replacement(range(len(some)), size)])]
            before, after = sets[..., 0], sets.sum(axis=-1)
            changes.append(float(np.abs(after.var(axis=1) - before.var(axis=1)).max()))
        largest.append(max(changes))
    return largest[0], largest[1]


def identities() -> float:
    """By how much the lines (26) to (32) differ, at most, for rates drawn at random."""
    draw = np.random.default_rng(5)
    nu, delta = draw.random((1000, 7)), draw.uniform(-0.3, 0.3, (1000, 7))

    def mean(values: Array) -> Array:
        return np.asarray(values.mean(axis=1))

    lines = [
        (nu + delta).var(axis=1),
        mean((nu + delta) ** 2) - mean(nu + delta) ** 2,
        mean((nu + delta) ** 2) - (mean(nu) + mean(delta)) ** 2,
        mean(nu**2)
        + mean(2 * nu * delta)
        + mean(delta**2)
        - mean(nu) ** 2
        - 2 * mean(nu) * mean(delta)
        - mean(delta) ** 2,
        nu.var(axis=1) + 2 * mean(nu * delta) - 2 * mean(nu) * mean(delta) + delta.var(axis=1),
    ]
    return float(np.ptp(np.array(lines), axis=0).max())


def conclusions() -> list[Check]:
    shares = {(d, models): general_share(d, models) for d in (100, 1000, 10_000) for models in (2, 50, 1000, 10**6)}
    best, worst = min(shares.values()), max(shares.values())
    truths = np.array([*product((0, 1), repeat=9)])
    said = np.random.default_rng(6).integers(0, 2, (6, 9))
    rates = (said[:, None, :] != truths).mean(axis=2)  # classifiers by labellings
    gap = max(
        float(np.max(np.abs(rates[one] - rates[other])) - np.mean(said[one] != said[other]))
        for one, other in combinations(range(6), 2)
    )
    most = largest_variance(said)
    bounded = bool(np.all(rates.var(axis=0) <= most + 1e-12))
    outside, whole = programmes()
    return [
        statement(
            "Abstract, 5",
            "the variance over classifiers must be estimated by validating all classifiers; a better estimate may not "
            "be possible in the general case",
            worst >= 1,
            f"`spread-partition`, whatever the classifiers and the inputs and with no factor M: its reach is "
            f"{best:.2f} to {worst:.2f} of that of (34), for D from 100 to 10,000 and M from 2 to a million, and far "
            "less where the rates are alike",
            right="it is possible: the standard deviation over classifiers is a seminorm of the error rates, which one "
            "example moves by no more than 1/d, for any number of classifiers",
            why="The residuals were bounded one by one, though only their spread counts",
        ),
        statement(
            "1, 5",
            "the difference in error rates between two classifiers is bounded by their rate of disagreement",
            gap <= 1e-12,
            "six classifiers on nine inputs under all 512 labellings, all 15 pairs",
        ),
        statement(
            "5",
            "if the classifiers agree on many test examples, then the variance can be bounded by that",
            bounded,
            f"the same labellings: the variance is at most {rates.var(axis=0).max():.4f}, the bound "
            f"½ mean D² is {most:.4f}",
        ),
        statement(
            "1",
            "the error rate can be estimated by inference from the most similar core classifier, or from all core "
            "classifiers by linear programming",
            outside == 0,
            f"{PANELS} small panels with limits for three cores, all 256 labellings of eight inputs that keep within "
            f"them: none is outside either range, and the programme's ends are reached in {whole} of {PANELS}",
        ),
    ]


def general_share(d: int, models: int) -> float:
    """The reach for the variance that holds for any classifiers without a factor M, as a share of that of (34).

    |Var' − Var| = |sd' − sd| (sd' + sd), where no standard deviation is above ½; models differ on every input.
    """
    pool = PoolSpread(Spread(d, 0.0, 0.0), Inputs(0.25, 0.25), unlabelled=d, models=models)
    reach = epsilon(0.05, d, models)
    return float(partition_slack(pool, np.asarray(0.05))) / (reach + reach**2)


def programmes() -> tuple[int, int]:
    """Labellings outside the ranges that inference leaves, and how often the programme leaves no more than needed."""
    truths = np.array([*product((0, 1), repeat=8)])
    outside = whole = 0
    for seed in range(PANELS):
        draw = np.random.default_rng([7, seed])
        cores, target = draw.integers(0, 2, (3, 8)), draw.integers(0, 2, 8)
        errors = (cores != truths[draw.integers(256)]).sum(axis=1)
        lower, upper = np.maximum(errors - 1, 0) / 8, np.minimum(errors + 1, 8) / 8
        rates = (cores[:, None, :] != truths).mean(axis=2)
        possible = np.all((rates >= lower[:, None] - 1e-12) & (rates <= upper[:, None] + 1e-12), axis=0)
        true = (target != truths[possible]).mean(axis=1)
        found = by_programme(Patterns.of(target, cores, labels=2), lower, upper)
        lows, highs = by_each_core(target, cores, lower, upper)
        low, high = max(found.lower, lows.max()), min(found.upper, highs.min())
        outside += int(np.sum((true < low - 1e-12) | (true > high + 1e-12)))
        whole += bool(np.isclose(found.lower, true.min()) and np.isclose(found.upper, true.max()))
    return outside, whole
