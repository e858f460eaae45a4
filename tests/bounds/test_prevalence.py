"""Limits at a stated prevalence: kept in every world by enumeration, and no wider than their rectangle."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
import pytest
from scipy import stats

from holdfast.catalog import Bound, find, find_measure
from holdfast.claims import SIDES, Assumption, Side
from holdfast.evidence import Array, Contingency, Counts, MonotoneInRecalls, Strata
from holdfast.evidence.tables.statistic import (
    AtPrevalence,
    OfRates,
    f1_of_rates,
    mean_of_rates,
    npv_of_rates,
    precision_of_rates,
)
from tests.bounds import tables
from tests.bounds.test_strata import at
from tests.tries import tries

RECTANGLE, FISHER = find("rectangle"), find("fisher")
RATES = np.array([0.0, 1e-4, 0.1, 0.35, 0.5, 0.75, 0.9, 0.9999, 1.0])
PREVALENCES = (0.002, 0.1, 0.5, 0.97)


def box_rates(name: str) -> OfRates:
    box = find_measure(name)(Contingency([[1, 1], [1, 1]], rows="predicted"))
    assert isinstance(box, MonotoneInRecalls)
    return box.of_rates


def cells(pi: float, a: Array, b: Array) -> Array:
    """Predicted down, actual across."""
    return np.stack([np.stack([pi * a, (1 - pi) * (1 - b)], -1), np.stack([pi * (1 - a), (1 - pi) * b], -1)], -2)


def share(part: Array, whole: Array) -> Array:
    return np.divide(part, whole, out=np.full(np.shape(whole), np.nan), where=whole > 0)


def true_value(name: str, pi: float, a: Array, b: Array) -> Array:
    """The measure itself on the whole population, as its definition says."""
    table = cells(pi, a, b)
    hits, taken = np.diagonal(table, axis1=-2, axis2=-1), table.sum(axis=-1)
    actual = np.broadcast_to([pi, 1 - pi], hits.shape)
    precision, f1 = share(hits, taken), share(2 * hits, taken + actual)
    world = tables.World(np.full(np.shape(a), pi), a, b)
    return {
        "precision": lambda: precision[..., 0],
        "npv": lambda: precision[..., 1],
        "f1": lambda: f1[..., 0],
        "macro-precision": lambda: precision.mean(axis=-1),
        "macro-f1": lambda: f1.mean(axis=-1),
        "weighted-precision": lambda: (actual * precision).sum(axis=-1),
        "weighted-f1": lambda: (actual * f1).sum(axis=-1),
        "mcc": lambda: tables.true_mcc(world, None),  # type: ignore[arg-type]
        "kappa": lambda: tables.true_kappa(world, None),  # type: ignore[arg-type]
    }[name]()


RATES_OF: dict[str, tuple[OfRates, float]] = {
    "precision": (precision_of_rates, 0.0),
    "npv": (npv_of_rates, 0.0),
    "f1": (f1_of_rates, 0.0),
    "macro-precision": (mean_of_rates(precision_of_rates, by_prevalence=False), 0.0),
    "macro-f1": (mean_of_rates(f1_of_rates, by_prevalence=False), 0.0),
    "weighted-precision": (mean_of_rates(precision_of_rates, by_prevalence=True), 0.0),
    "weighted-f1": (mean_of_rates(f1_of_rates, by_prevalence=True), 0.0),
    "mcc": (box_rates("mcc"), -1.0),
    "kappa": (box_rates("kappa"), -1.0),
}
every = pytest.mark.parametrize("name", list(RATES_OF))


def evidence(name: str, k: Array, m: int, j: Array, n: int, pi: float) -> AtPrevalence:
    of_rates, low = RATES_OF[name]
    strata = Strata(Counts(np.asarray(j)[..., np.newaxis], n))
    return AtPrevalence(Counts(k, m), strata, np.asarray(pi / (1 - pi)), of_rates, low)


class Outcomes(NamedTuple):
    """Every pair of counts (down), some pairs of rates (across), and how likely the one is under the other."""

    k: Array
    j: Array
    a: Array
    b: Array
    chance: Array


@cache
def outcomes(m: int, n: int, delta: float) -> Outcomes:
    k, j = (each.ravel() for each in np.meshgrid(np.arange(m + 1), np.arange(n + 1), indexing="ij"))
    # Beside a grid, rates a hair beyond where a limit of either lies: there the chance of a miss is largest.
    level = 1 - (1 - delta) ** 0.5
    ends = np.concatenate([stats.beta.ppf(1 - level, np.arange(t) + 1, t - np.arange(t)) for t in (m, n)])
    grid = np.unique(np.concatenate([RATES, np.minimum(ends + 1e-9, 1.0), np.maximum(1 - ends - 1e-9, 0.0)]))
    a, b = (each.ravel() for each in np.meshgrid(grid, grid, indexing="ij"))
    own, others = (stats.binom.pmf(np.arange(t + 1)[:, None], t, grid) for t in (m, n))
    return Outcomes(k, j, a, b, np.einsum("ka,jb->kjab", own, others).reshape(k.size, a.size))


def misses(bound: Bound, name: str, m: int, n: int, pi: float, delta: float, side: Side) -> Array:
    """The exact chance that the limits are wrong, for each pair of rates; NaN where there is no true value."""
    k, j, a, b, chance = outcomes(m, n, delta)
    claim = bound(evidence(name, k, m, j, n, pi), delta, side)
    truth = true_value(name, pi, a, b)
    wrong = (np.asarray(claim.lower)[:, None] > truth + 1e-12) | (np.asarray(claim.upper)[:, None] < truth - 1e-12)
    return np.where(np.isnan(truth), np.nan, np.einsum("ij,ij->j", chance, wrong))


def broken(bound: Bound, name: str, sizes: tuple[tuple[int, int], ...], deltas: tuple[float, ...]) -> list[str]:
    return [
        f"{name}, {m}+{n}, prevalence {pi}, {delta}, {side}: {worst}"
        for (m, n), pi, delta, side in product(sizes, PREVALENCES, deltas, SIDES)
        if (worst := float(np.nanmax(misses(bound, name, m, n, pi, delta, side)))) > delta * (1 + 1e-9)
    ]


@tries("rectangle", how="enumerated")
@pytest.mark.long
@every
def test_the_promise_is_kept_in_every_world(name: str) -> None:
    assert broken(RECTANGLE, name, ((1, 1), (3, 8), (12, 5)), (0.5, 0.2, 0.05, 0.001)) == []


@pytest.mark.parametrize("name", ["precision", "npv", "f1", "mcc", "kappa"])
def test_enumeration_catches_too_large_a_delta(name: str) -> None:
    assert broken(at(RECTANGLE, 3.0), name, ((3, 7),), (0.2, 0.05))


@every
def test_everything_rises_with_either_rate(name: str) -> None:
    rng = np.random.default_rng(0)
    of_rates, _ = RATES_OF[name]
    for _ in range(20):
        odds = np.exp(rng.uniform(-8, 8))
        a, b = np.sort(rng.beta(0.3, 0.3, (2, 2, 2000)), axis=1)  # the smaller, then the larger
        for low, high in (((a[0], b[0]), (a[1], b[0])), ((a[0], b[0]), (a[0], b[1]))):
            before, after = (of_rates(np.asarray(odds), x, 1 - x, y, 1 - y) for x, y in (low, high))
            assert np.all((after >= before - 1e-9) | np.isnan(before) | np.isnan(after))


@every
def test_of_rates_is_the_measure(name: str) -> None:
    rng = np.random.default_rng(1)
    a, b = rng.random((2, 500))
    for pi in PREVALENCES:
        found = RATES_OF[name][0](np.asarray(pi / (1 - pi)), a, 1 - a, b, 1 - b)
        assert found == pytest.approx(true_value(name, pi, a, b), abs=1e-10)


@every
def test_the_limits_are_the_corners_of_the_exact_rectangle(name: str) -> None:
    rng = np.random.default_rng(2)
    m, n = 40, 170
    k, j = rng.integers(0, m + 1, 60), rng.integers(0, n + 1, 60)
    pi = 0.03
    for side, level in (("both", (1 - 0.95**0.5) / 2), ("upper", 1 - 0.95**0.5), ("lower", 1 - 0.95**0.5)):
        claim = RECTANGLE(evidence(name, k, m, j, n, pi), 0.05, side)  # type: ignore[arg-type]
        lows = [np.where(x > 0, stats.beta.ppf(level, x, t - x + 1), 0.0) for x, t in ((k, m), (j, n))]
        highs = [np.where(x < t, stats.beta.ppf(1 - level, x + 1, t - x), 1.0) for x, t in ((k, m), (j, n))]
        ends = [np.full(60, RATES_OF[name][1]), np.ones(60)]
        if side != "upper":
            ends[0] = true_value(name, pi, *lows)
        if side != "lower":
            ends[1] = true_value(name, pi, *highs)
        assert np.asarray(claim.lower) == pytest.approx(ends[0], rel=1e-9, abs=1e-12)
        assert np.asarray(claim.upper) == pytest.approx(ends[1], rel=1e-9, abs=1e-12)


def test_a_pooled_precision_is_not_that_of_the_population() -> None:
    """Fifty of each class and rates of 0.9: the table says 0.9, of one in 500 the truth is 0.018."""
    m = n = 50
    k, j = (each.ravel() for each in np.meshgrid(np.arange(m + 1), np.arange(n + 1), indexing="ij"))
    chance = stats.binom.pmf(k, m, 0.9) * stats.binom.pmf(j, n, 0.9)
    true = float(true_value("precision", 0.002, np.array(0.9), np.array(0.9)))
    pooled = find("clopper-pearson")(Counts(k, k + n - j), 0.05)
    stated = RECTANGLE(evidence("precision", k, m, j, n, 0.002), 0.05)
    covered = [
        float(np.sum(chance[(np.asarray(c.lower) <= true) & (true <= np.asarray(c.upper))])) for c in (pooled, stated)
    ]
    assert covered[0] < 1e-6
    assert covered[1] >= 0.95


@every
def test_one_rectangle_for_both_ends_is_no_wider_than_two_halves(name: str) -> None:
    k, j = np.random.default_rng(3).integers(0, 41, (2, 200))
    quantity = evidence(name, k, 40, j, 40, 0.1)
    together, halves = RECTANGLE(quantity, 0.05), replace(RECTANGLE, two_sided=None)(quantity, 0.05)
    assert np.all(np.asarray(together.width) <= np.asarray(halves.width) + 1e-12)


@every
def test_a_class_that_was_not_seen_leaves_honest_limits(name: str) -> None:
    low = RATES_OF[name][1]
    nothing = RECTANGLE(evidence(name, np.array(0), 0, np.array(0), 0, 0.1))
    assert (nothing.estimate, nothing.lower, nothing.upper) == (None, low, 1.0)
    for k, m, j, n in ((0, 0, 30, 30), (30, 30, 0, 0)):
        claim = RECTANGLE(evidence(name, np.array(k), m, np.array(j), n, 0.1))
        assert claim.estimate is None
        assert low <= claim.lower < claim.upper <= 1.0
        assert not np.isnan([claim.lower, claim.upper]).any()


def test_a_precision_of_nothing_predicted_is_unknown() -> None:
    claim = RECTANGLE(evidence("precision", np.array(0), 9, np.array(30), 30, 0.1))
    assert (claim.estimate, claim.lower, claim.upper) == (None, 0.0, 1.0)


def test_tiny_prevalences_keep_their_digits() -> None:
    claim = RECTANGLE(evidence("precision", np.array(90), 100, np.array(95), 100, 1e-12))
    odds = 1e-12 / (1 - 1e-12)
    level = (1 - 0.95**0.5) / 2
    a, b = stats.beta.ppf(level, 90, 11), stats.beta.ppf(level, 95, 6)
    assert claim.lower == pytest.approx(a * odds / (a * odds + 1 - b), rel=1e-9)


@every
def test_more_confidence_never_narrows_the_interval(name: str) -> None:
    deltas = np.array([1e-12, 1e-6, 1e-3, 0.01, 0.05, 0.1, 0.3, 0.5, 0.8, 0.99])
    for k, j in ((0, 0), (3, 29), (10, 30), (10, 0)):
        for side in SIDES:
            claim = RECTANGLE(evidence(name, np.array(k), 10, np.array(j), 30, 0.02), deltas, side)
            assert np.all(np.diff(claim.lower) >= -1e-13)
            assert np.all(np.diff(claim.upper) <= 1e-13)


def test_several_other_classes_are_weighted_as_stated() -> None:
    """Three classes enumerated: precision of the first where the others are as frequent as was stated, not as seen."""
    m, sizes, pi, weights = 4, (3, 6), 0.1, np.array([0.8, 0.2])
    outcomes = np.stack(np.meshgrid(np.arange(m + 1), np.arange(sizes[0] + 1), np.arange(sizes[1] + 1)), -1).reshape(
        -1, 3
    )
    strata = Strata(Counts(outcomes[:, 1:], np.array(sizes)), weights)
    quantity = AtPrevalence(Counts(outcomes[:, 0], m), strata, np.asarray(pi / (1 - pi)), precision_of_rates)
    rates = np.array(list(product((0.05, 0.3, 0.8, 0.97), repeat=3)))
    terms = stats.binom.pmf(outcomes[:, None, :], np.array([m, *sizes]), rates)
    chance = terms.prod(axis=-1)
    wrongly = (1 - pi) * (weights * (1 - rates[:, 1:])).sum(axis=1)
    truth = pi * rates[:, 0] / (pi * rates[:, 0] + wrongly)
    for delta, side in product((0.5, 0.2, 0.05), SIDES):
        claim = RECTANGLE(quantity, delta, side)
        wrong = (np.asarray(claim.lower)[:, None] > truth + 1e-12) | (np.asarray(claim.upper)[:, None] < truth - 1e-12)
        assert np.max((chance * wrong).sum(axis=0)) <= delta


def test_a_class_of_weight_nothing_changes_nothing() -> None:
    k, j = np.random.default_rng(4).integers(0, 10, (2, 30))
    two = Strata(Counts(np.stack([j, j // 2], -1), 9), [1.0, 0.0])
    one = Strata(Counts(j[:, None], 9))
    ends = [RECTANGLE(AtPrevalence(Counts(k, 9), each, np.asarray(1.0), npv_of_rates)).lower for each in (two, one)]
    assert ends[0] == pytest.approx(ends[1], rel=1e-9, abs=1e-12)


def test_the_mean_over_classes_at_a_stated_mix_covers() -> None:
    """Accuracy at a prevalence is a stratified mean with stated weights."""
    m, n = 6, 9
    k, j = (each.ravel() for each in np.meshgrid(np.arange(m + 1), np.arange(n + 1), indexing="ij"))
    a, b = (each.ravel() for each in np.meshgrid(RATES, RATES, indexing="ij"))
    chance = stats.binom.pmf(k[:, None], m, a) * stats.binom.pmf(j[:, None], n, b)
    for pi, delta, side in product(PREVALENCES, (0.5, 0.2, 0.05), SIDES):
        claim = FISHER(Strata(Counts(np.stack([k, j], -1), np.array([m, n])), [pi, 1 - pi]), delta, side)
        truth = pi * a + (1 - pi) * b
        wrong = (np.asarray(claim.lower)[:, None] > truth + 1e-12) | (np.asarray(claim.upper)[:, None] < truth - 1e-12)
        assert np.max((chance * wrong).sum(axis=0)) <= delta * (1 + 1e-9)


def test_the_assumptions_are_those_of_sampling_by_class() -> None:
    claim = RECTANGLE(evidence("precision", np.array(9), 10, np.array(29), 30, 0.1))
    assert claim.assumes[:2] == (Assumption.WITHIN_CLASSES, Assumption.STATED_PREVALENCE)
    assert Assumption.INDEPENDENT not in claim.assumes
