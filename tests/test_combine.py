"""Parts of delta: equal shares, Sidak's, and Holm's steps against their definition and their promise."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.bounds.binomial import clopper_pearson
from holdfast.combine import bonferroni, holm, holm_adjusted, over_folds, sayable, sidak
from holdfast.evidence import Counts
from tests.tries import tries


@pytest.mark.parametrize("number", [1, 2, 10, 10**5])
def test_sidaks_part_is_what_independent_statements_may_take(number: int) -> None:
    each = float(sidak(0.05, number))
    assert 1 - (1 - each) ** number == pytest.approx(0.05, rel=1e-9)
    assert each >= float(bonferroni(0.05, number)) == 0.05 / number


def test_a_tiny_delta_keeps_its_digits() -> None:
    assert float(sidak(1e-18, 10)) == pytest.approx(1e-19, rel=1e-12)


def by_hand(p: list[float], delta: float) -> list[bool]:
    """Holm's procedure as it is told: from the smallest on, stop at the first that is too large."""
    order, rejected = sorted(range(len(p)), key=p.__getitem__), [False] * len(p)
    for step, place in enumerate(order):
        if p[place] > delta / (len(p) - step):
            break
        rejected[place] = True
    return rejected


def test_holm_is_its_definition() -> None:
    generator = np.random.default_rng(3)
    for _ in range(500):
        p = np.round(generator.random(generator.integers(1, 8)) ** 4, 2)  # with ties
        assert (p <= holm(p, 0.1)).tolist() == by_hand(p.tolist(), 0.1), p


def test_on_a_grid_with_every_edge_met() -> None:
    edges = [0.0, 0.1 / 3, 0.1 / 3 + 1e-9, 0.05, 0.05 + 1e-9, 0.1, 0.1 + 1e-9, 1.0]
    for p in product(edges, repeat=3):
        assert (np.array(p) <= holm(p, 0.1)).tolist() == by_hand(list(p), 0.1), p


def test_many_families_at_once() -> None:
    p = np.random.default_rng(4).random((5, 3, 20)) ** 6
    levels = holm(p, 0.05)
    for place in np.ndindex(5, 3):
        assert levels[place].tolist() == holm(p[place], 0.05).tolist()


def test_none_and_one() -> None:
    assert holm([], 0.05).shape == (0,)
    assert holm([0.2], 0.05).tolist() == [0.05]


@tries("holm", how="simulated")
def test_few_families_lose_a_true_hypothesis_however_they_depend() -> None:
    # Four true hypotheses and three false ones, whose p-values are 0. The true ones exclude each other: one of them,
    # and no other, is small, which is the worst that can happen to a union.
    generator = np.random.default_rng(5)
    delta, repeats, true = 0.1, 20_000, 4
    p = np.zeros((repeats, 7))
    u = generator.random(repeats)
    for place in range(true):
        p[:, 3 + place] = (u + place / true) % 1.0
    lost = float(np.mean(np.any((p <= holm(p, delta))[:, 3:], axis=1)))
    assert 0.09 < lost < 0.11  # delta, and four standard errors are 0.0085
    plain = float(np.mean(np.any(p[:, 3:] <= delta, axis=1)))
    assert plain > 0.35


@given(st.lists(st.floats(0, 1), min_size=1, max_size=8), st.floats(0.001, 0.5))
def test_an_adjusted_p_value_is_at_most_delta_just_where_holm_rejects(p: list[float], delta: float) -> None:
    adjusted = holm_adjusted(p)
    levels = holm(p, delta)
    clear = np.abs(adjusted - delta) > 1e-9  # at the edge the two divide and multiply, and may round apart
    assert np.array_equal((adjusted <= delta)[clear], (np.asarray(p) <= levels)[clear])


def test_the_mean_of_limits_at_equal_parts_of_delta_holds_for_the_mean_whatever_the_dependence() -> None:
    """Folds that all see the same luck are the worst case of the union; even then it fails no more often than delta."""
    generator, folds, n, rate = np.random.default_rng(8), 4, 25, 0.2
    same = np.repeat(generator.binomial(n, rate, (40_000, 1)), folds, axis=1).T
    claims = over_folds(clopper_pearson(Counts(same, n), bonferroni(0.05, folds)), 0.05)
    assert np.mean((claims.lower <= rate) & (rate <= claims.upper)) >= 0.95
    doubled = over_folds(clopper_pearson(Counts(same, n), 0.4), 0.05)
    assert np.mean((doubled.lower <= rate) & (rate <= doubled.upper)) < 0.9


def test_a_fold_that_says_nothing_leaves_its_model_free() -> None:
    claim = over_folds(clopper_pearson(Counts([5, 0], [50, 0]), 0.025), 0.05)
    known = clopper_pearson(Counts(5, 50), 0.025)
    assert claim.estimate == known.estimate
    assert (claim.lower, claim.upper) == (known.lower / 2, (known.upper + 1) / 2)
    unknown = over_folds(clopper_pearson(Counts([0, 0], [0, 0]), 0.025), 0.05)
    assert (unknown.estimate, unknown.lower, unknown.upper, unknown.n) == (None, 0.0, 1.0, 0)


def test_a_p_value_is_adjusted_to_no_less_than_those_before_it() -> None:
    assert holm_adjusted([0.04, 0.041]).tolist() == [0.08, 0.08]
    assert holm_adjusted([0.5, 0.01, 0.03, 0.029]) == pytest.approx([0.5, 0.04, 0.087, 0.087])


def test_a_delta_that_can_be_said_in_three_digits_is_never_larger() -> None:
    assert sayable(0.05 / 3).tolist() == 0.0166
    assert sayable([0.05, 0.0125, 1e-7 / 3]).tolist() == [0.05, 0.0125, 3.33e-8]
    given = np.random.default_rng(1).uniform(0, 1, 1000) ** 9
    assert np.all((sayable(given) <= given * (1 + 1e-12)) & (sayable(given) > 0.99 * given))
