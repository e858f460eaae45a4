"""Limits for the folds of groups: in closed form, against a general solver, and against learners that mean ill."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import binom

from holdfast.bounds.progressive import fold_bets, least_average, stakes_for
from holdfast.bounds.squares import strata_bets
from holdfast.claims import Assumption, Guarantee
from holdfast.errors import UnfitMethod
from holdfast.evidence import Array
from holdfast.evidence.draws import Draws, Ratio
from holdfast.evidence.folds.values import FoldRatio
from holdfast.verbs.bound import default_methods
from holdfast.verify.simulated import BY_CHANCE
from tests.tries import tries

DELTA = 0.05


def even(rates: Array) -> FoldRatio:
    """Rates of groups, a row a fold."""
    folds, groups = rates.shape
    return FoldRatio(rates.ravel(), np.ones(rates.size), np.repeat(np.arange(folds), groups), 1)


@pytest.mark.parametrize(("folds", "groups", "rate"), [(5, 5, 0.31), (10, 2, 0.5), (1, 8, 0.25), (3, 40, 0.6)])
def test_groups_that_are_all_alike_have_a_limit_in_closed_form(folds: int, groups: int, rate: float) -> None:
    """A stake c and its share w of delta: (1 - c + c x / L) to the power of the groups of one fold is 1 / (w delta)."""

    def limit(part: float, delta: float) -> float:
        bets = zip(*stakes_for(groups), strict=True)
        return float(max(c * part / ((1 / (w * delta)) ** (1 / groups) - 1 + c) for c, w in bets))

    for delta in (0.3, 0.05, 1e-4):
        claim = fold_bets(even(np.full((folds, groups), rate)), delta)
        expected = limit(rate, delta / 2), 1 - limit(1 - rate, delta / 2)
        assert (claim.lower, claim.upper) == pytest.approx(expected, rel=1e-9)
    upper = fold_bets(even(np.full((folds, groups), rate)), 0.05, "upper")
    assert (upper.lower, upper.upper) == pytest.approx((0.0, 1 - limit(1 - rate, 0.05)), rel=1e-9)


@pytest.mark.parametrize("seed", range(4))
def test_groups_that_differ_have_the_limit_that_a_general_solver_finds(seed: int) -> None:
    draw = np.random.default_rng(seed)
    fold, whole = np.repeat(np.arange(4), 6), draw.integers(1, 9, 24) / 8
    part = whole * draw.beta(2, 4, 24)
    found = []
    for stake, share in zip(*stakes_for(6), strict=True):

        def spare(ratios: Array, stake: float = stake, share: float = share) -> float:
            logs = np.log(1 + stake * (part / ratios[fold] - whole))
            return float(-np.log(share * DELTA) - logs.sum() / 4)

        solved = minimize(
            lambda ratios: ratios.mean(),
            np.full(4, 0.3),
            bounds=[(1e-6, 1)] * 4,
            constraints=[{"type": "ineq", "fun": spare}],
            options={"ftol": 1e-13, "maxiter": 2_000},
        )
        found.append(solved.fun)
    assert least_average(part, whole, fold, 4, DELTA) == pytest.approx(max(found), rel=1e-6)


def test_more_events_never_lower_a_limit_and_less_delta_never_narrows_one() -> None:
    rates = np.random.default_rng(2).beta(2, 5, (4, 6))
    more = rates.copy()
    more[1, 3] += 0.2
    one, other = (fold_bets(even(each), DELTA) for each in (rates, more))
    assert other.lower >= one.lower
    assert other.upper >= one.upper
    widths = [(claim := fold_bets(even(rates), delta)).upper - claim.lower for delta in (0.5, 0.1, 0.01, 1e-6)]
    assert np.all(np.diff(widths) > 0)


def test_without_an_event_there_is_no_lower_limit() -> None:
    claim = fold_bets(even(np.zeros((5, 5))))
    assert (claim.estimate, claim.lower) == (0.0, 0.0)
    assert 0.4 < claim.upper < 0.7


# ---- The promise


def product_of_luck(rows: Array) -> tuple[Array, float]:
    """Of labels by a coin each, constant models whose luck on all folds adds up: all are right or wrong half the time.

    Each says what makes its own fold lucky if an even number of the other folds, which it saw, were.
    """
    luck = np.where(rows.mean(axis=1) > 0.5, 1, -1)
    turned = np.prod(luck) * luck > 0
    return np.where(turned[:, np.newaxis], rows, 1 - rows), 0.5


def alike(rows: Array) -> tuple[Array, float]:
    """The same model throughout, which errs where the label is 1."""
    return rows, 0.5


LEARNERS: dict[str, Callable[[Array], tuple[Array, float]]] = {"product of luck": product_of_luck, "alike": alike}


def misses(bound: Callable[[FoldRatio], tuple[float, float]], learner: str, folds: int, trials: int) -> int:
    draw, missed = np.random.default_rng(folds), 0
    for _ in range(trials):
        wrong, truth = LEARNERS[learner](draw.integers(0, 2, (folds, 11)).astype(float))
        lower, upper = bound(even(wrong))
        missed += not lower <= truth <= upper
    return missed


def by_fold_bets(folds: FoldRatio) -> tuple[float, float]:
    claim = fold_bets(folds, DELTA)
    return claim.lower, claim.upper


def by_strata(folds: FoldRatio) -> tuple[float, float]:
    """As if the groups of all folds were independent, given the models."""
    drawn = Draws(np.ones(folds.above.size), folds.fold, np.ones(folds.above.size), folds.most)
    claim = strata_bets(Ratio(folds.above, folds.below, drawn), DELTA)
    return claim.lower, claim.upper


@tries("fold-bets", how="simulated")
@pytest.mark.parametrize("learner", LEARNERS)
@pytest.mark.parametrize("folds", [5, pytest.param(20, marks=pytest.mark.long)])
def test_the_promise_holds_whatever_the_learner_makes_of_the_other_folds(learner: str, folds: int) -> None:
    assert misses(by_fold_bets, learner, folds, 120) <= binom.isf(BY_CHANCE, 120, DELTA)


def test_groups_of_all_folds_are_not_independent_given_the_models() -> None:
    """Why the bets on all folds are not multiplied, as those on strata are: that would be refuted here."""
    assert misses(by_strata, "product of luck", 20, 100) > binom.isf(BY_CHANCE, 100, DELTA)


@tries("fold-bets", how="simulated")
def test_the_most_that_a_group_can_hold_is_not_read_off_the_groups() -> None:
    """One group in fifty holds sixty rows, all wrong, beside groups of one row: a share of 0.55 of all rows."""
    truth, fold = 0.02 * 60 / (0.02 * 60 + 0.98), np.repeat(np.arange(4), 8)
    draw, wrong = np.random.default_rng(5), np.zeros(2)

    @cache
    def misses(*large: int) -> tuple[bool, ...]:
        """By so many large groups in each fold, with the most that there can be and with the most that was seen."""
        there = np.concatenate([np.arange(8) < number for number in large])
        errors, rows = 60.0 * there, np.where(there, 60.0, 1.0)
        claims = [fold_bets(FoldRatio(errors, rows, fold, most), DELTA) for most in (60, rows.max())]
        return tuple(not claim.lower <= truth <= claim.upper for claim in claims)

    for _ in range(150):
        wrong += misses(*sorted((draw.random((4, 8)) < 0.02).sum(axis=1)))
    missed, too_short = wrong
    assert missed <= binom.isf(BY_CHANCE, 150, DELTA) < too_short


# ---- What it takes


def test_folds_made_by_labels_and_groups_without_a_cap_are_not_answered() -> None:
    rates, fold = np.full(8, 0.3), np.repeat([0, 1], 4)
    for folds in (FoldRatio(rates, np.ones(8), fold, 1, stratified=True), FoldRatio(rates, np.ones(8), fold, np.inf)):
        with pytest.raises(UnfitMethod):
            fold_bets(folds)


def test_it_says_what_it_rests_on() -> None:
    claim = fold_bets(FoldRatio([1.0, 2.0, 0.0, 1.0], [3.0, 4.0, 2.0, 2.0], [0, 0, 1, 1], 5))
    assert claim.guarantee is Guarantee.FINITE
    assert {Assumption.CLUSTERS, Assumption.CAPPED_CLUSTERS, Assumption.TRAINED_APART, Assumption.RANDOM_FOLDS} <= {
        *claim.assumes
    }
    assert Assumption.INDEPENDENT not in claim.assumes
    assert [bound.name for bound in default_methods(even(np.full((2, 3), 0.5)))] == ["fold-bets"]
