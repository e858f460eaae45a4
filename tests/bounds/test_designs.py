"""Draws that come of strata, and sums of ratios: as the reference has it, and the promise by enumeration."""

from __future__ import annotations

from functools import cache
from itertools import product
from math import comb

import numpy as np
import pytest

from holdfast.bounds.squares import LARGEST, cluster_sums, finite_for, squares, strata_bets, sum_of_limits
from holdfast.claims import Assumption, Claim, Guarantee
from holdfast.errors import UnfitMethod
from holdfast.evidence.draws import Draws, Ratio, combined
from holdfast.verbs.bound import default_methods
from tests.reference.designs import cases
from tests.tries import tries


def stratified(
    part: np.ndarray, whole: np.ndarray, stratum: np.ndarray, shares: np.ndarray, most: float = 1.0
) -> Ratio:
    """With the weights that undo how many draws were made of each stratum, the largest being one."""
    factor = shares / np.bincount(stratum, minlength=shares.size)
    weight = (factor / factor.max())[stratum]
    return Ratio(part * weight, whole * weight, Draws(np.ones(part.size), stratum, weight, most))


@pytest.mark.parametrize("case", cases("strata mixture"), ids=lambda case: str(case["inputs"]["shares"]))
def test_limits_of_strata_are_those_of_the_reference(case: dict) -> None:
    given = {name: np.array(value) for name, value in case["inputs"].items()}
    ratio = stratified(*(given[name] for name in ("A", "B", "stratum", "shares")), case["inputs"].get("b_max", 1))
    claim = strata_bets(ratio, 2 * case["inputs"]["delta_each_side"])
    assert (claim.lower, claim.upper) == pytest.approx((case["expect"]["lower"], case["expect"]["upper"]), abs=1e-11)


@pytest.mark.parametrize("case", cases("squares"), ids=lambda case: str(case["inputs"]["counts"]))
def test_squares_of_draws_are_those_of_the_reference(case: dict) -> None:
    given = case["inputs"]
    part, whole, times = (np.array(given[name], float) for name in ("A", "B", "counts"))
    claim = squares(Ratio(part, whole, Draws(times, most=given["b_max"])), 2 * given["delta_each_side"])
    assert (claim.lower, claim.upper) == pytest.approx((case["expect"]["lower"], case["expect"]["upper"]), abs=1e-11)


@cache
def outcomes(sizes: tuple[int, int], shares: tuple[float, float], delta: float) -> list[tuple[tuple[int, ...], Claim]]:
    """What is claimed, each side at delta, after every number of events in two strata."""
    stratum, claims = np.repeat([0, 1], sizes), []
    for events in product(*(range(size + 1) for size in sizes)):
        part = np.concatenate([np.arange(n) < k for n, k in zip(sizes, events, strict=True)]).astype(float)
        ratio = stratified(part, np.ones(part.size), stratum, np.array(shares))
        claims.append((events, strata_bets(ratio, 2 * delta)))
    return claims


def missed(sizes: tuple[int, int], rates: tuple[float, float], shares: tuple[float, float], delta: float) -> float:
    """How often the upper or the lower limit, each at delta, lies on the wrong side: the larger of the two."""
    truth = float(np.dot(rates, shares))
    wrong = np.zeros(2)
    for events, claim in outcomes(sizes, shares, delta):
        chance = np.prod([comb(n, k) * p**k * (1 - p) ** (n - k) for n, k, p in zip(sizes, events, rates, strict=True)])
        wrong += chance * np.array([claim.lower > truth + 1e-12, claim.upper < truth - 1e-12])
    return float(wrong.max())


@tries("strata-bets", how="enumerated")
@pytest.mark.parametrize("shares", [(0.5, 0.5), (0.9, 0.1)])
@pytest.mark.parametrize("sizes", [(3, 3), (8, 4)])
def test_the_promise_is_kept_however_much_strata_differ(sizes: tuple[int, int], shares: tuple[float, float]) -> None:
    for rates in product((0.0, 0.1, 0.5, 0.9, 1.0), repeat=2):
        assert missed(sizes, rates, shares, 0.2) <= 0.2 + 1e-12


def test_the_promise_is_not_kept_by_silence() -> None:
    assert max(missed((8, 4), rates, (0.5, 0.5), 0.2) for rates in product((0.3, 0.6), repeat=2)) > 0.02


def test_draws_without_a_row_that_counts_are_draws_all_the_same() -> None:
    """Half of the population has a whole in one draw of ten: dropping the others would make it count ten times."""
    generator, misses = np.random.default_rng(5), 0
    for _ in range(50):
        there = np.concatenate([np.ones(200, bool), generator.random(200) < 0.1])
        part = there * np.concatenate([np.zeros(200), np.ones(200)])
        stratum = np.repeat([0, 1], 200)
        claim = strata_bets(stratified(part, there * 1.0, stratum, np.array([0.5, 0.5])))
        misses += not claim.lower <= 0.1 / 1.1 <= claim.upper
    assert misses <= 8  # of 50 at a nominal 5 %, more would come less than once in a million times


@tries("sum-of-limits", how="enumerated")
def test_limits_of_sums_hold_together_in_every_sample_that_can_be_drawn() -> None:
    """Clusters of two rows, one of either class: what a draw adds to one recall and to the other may be anything."""
    kinds = np.array([(0, 0), (0, 1), (1, 0), (1, 1)], float)
    laws = np.array([[0.1, 0.2, 0.3, 0.4], [0.05, 0.0, 0.0, 0.95], [0.5, 0.0, 0.0, 0.5], [0.0, 0.5, 0.5, 0.0]])
    for factors in ((0.5, 0.5), (1.0, -1.0)):
        truths, wrong = laws @ kinds @ np.array(factors), np.zeros((2, len(laws)))
        for counts in product(range(6), repeat=3):
            if sum(counts) > 5:
                continue
            times = np.array([*counts, 5 - sum(counts)], float)
            ways = comb(5, counts[0]) * comb(5 - counts[0], counts[1]) * comb(5 - counts[0] - counts[1], counts[2])
            drawn = Draws(times, most=2.0)
            claim = sum_of_limits(combined(factors, [Ratio(each, np.ones(4), drawn) for each in kinds.T]), 0.6)
            chances = ways * np.prod(laws**times, axis=1)
            wrong += chances * np.array([claim.lower > truths + 1e-12, claim.upper < truths - 1e-12])
        assert wrong.max() <= 0.3 + 1e-12


def test_a_sum_has_the_limits_of_its_terms_at_equal_parts_of_delta() -> None:
    """And of a term that is subtracted the other end."""
    drawn = Draws(np.array([9.0, 4.0, 2.0, 1.0]), most=2.0)
    one, other = (Ratio(np.array(above, float), np.ones(4), drawn) for above in ((0, 0, 1, 1), (0, 1, 0, 1)))
    claim, (first, second) = (
        sum_of_limits(combined((0.5, -1.5), (one, other)), 0.1),
        (squares(r, 0.05) for r in (one, other)),
    )
    assert claim.lower == pytest.approx(0.5 * first.lower - 1.5 * second.upper)
    assert claim.upper == pytest.approx(0.5 * first.upper - 1.5 * second.lower)


def test_who_answers_goes_by_what_was_declared() -> None:
    part, whole = np.array([1.0, 0.0, 2.0]), np.array([2.0, 1.0, 3.0])
    capped, uncapped = Draws(np.ones(3), most=4.0), Draws(np.ones(3))
    strata = Draws(np.ones(3), np.array([0, 1, 1]), most=4.0)
    assert [bound.name for bound in default_methods(Ratio(part, whole, capped))] == ["squares", "influence"]
    assert [bound.name for bound in default_methods(Ratio(part, whole, uncapped))] == ["influence"]
    assert [bound.name for bound in default_methods(Ratio(part, whole, strata))] == ["strata-bets", "influence"]
    both = Ratio(part, whole, capped), Ratio(part, whole, uncapped)
    mean, half_known = combined((0.5, 0.5), both[:1] * 2), combined((0.5, 0.5), both)
    assert [bound.name for bound in default_methods(mean)] == ["sum-of-limits", "influence"]
    assert [bound.name for bound in default_methods(half_known)] == ["influence"]
    many = Ratio(np.zeros(2), np.array([1.0, 0.0]), Draws(np.array([LARGEST + 1.0, 7.0]), most=1.0))
    assert finite_for(many) is cluster_sums
    empty = Ratio(np.zeros(2), np.array([1.0, 0.0]), Draws(np.array([7.0, LARGEST + 1.0]), most=1.0))
    assert finite_for(empty) is squares  # a group is answered as its rows by themselves would be
    with pytest.raises(UnfitMethod, match="stated beforehand"):
        strata_bets(Ratio(part, whole, uncapped))
    with pytest.raises(UnfitMethod):
        squares(Ratio(part, whole, strata))


def test_what_is_assumed_follows_from_the_design_and_the_method() -> None:
    drawn = Draws(np.ones(3), most=4.0, assumes=(Assumption.CLUSTERS,), caps=(Assumption.CAPPED_CLUSTERS,))
    ratio = Ratio(np.array([1.0, 0.0, 2.0]), np.array([2.0, 1.0, 3.0]), drawn)
    claim = squares(ratio)
    assert claim.guarantee is Guarantee.FINITE
    assert claim.assumes[0] is Assumption.CLUSTERS
    assert Assumption.CAPPED_CLUSTERS in claim.assumes
    assert Assumption.INDEPENDENT not in claim.assumes
    assert Assumption.KNOWN_RANGE not in claim.assumes
    graded = Ratio(ratio.above, ratio.below, drawn, graded=True)
    assert {Assumption.KNOWN_RANGE, Assumption.CAPPED_CLUSTERS} <= {*squares(graded).assumes}
