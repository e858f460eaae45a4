from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from scipy.stats import binomtest, rankdata

from holdfast.claims import Guarantee
from holdfast.combine import holm_adjusted
from holdfast.comparisons.signed_rank import MOST_EXACT, sign_test, wilcoxon, wilcoxon_exact, wilcoxon_normal
from tests.tries import tries

SIZES = [
    [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0],
    [1.0, 1.0, 2.0, 2.0, 2.0, 5.0, 7.0],
    [0.0, 0.0, 1.0, 1.0, 3.0, 4.0, 4.0, 9.0],
    [0.0, 0.0, 0.0, 2.0, 3.0, 5.0, 8.0],
    [3.0] * 9,
]


def by_hand(sizes: np.ndarray, signs: np.ndarray) -> np.ndarray:
    """The smaller rank sum of each pattern of signs (across), zeros ranked and then left out."""
    ranks = rankdata(sizes) * (sizes > 0)
    up = (signs > 0).T @ ranks
    return np.minimum(up, ranks.sum() - up)


@tries("wilcoxon-exact", how="enumerated")
@pytest.mark.parametrize("given", SIZES)
def test_wilcoxon_is_exact_over_all_patterns_of_signs(given: list[float]) -> None:
    sizes = np.array(given)
    signs = np.array(list(product([-1.0, 1.0], repeat=len(sizes)))).T
    found = np.asarray(wilcoxon_exact(sizes[:, None] * signs).value)
    sums = by_hand(sizes, signs)
    expected = np.mean(sums[None, :] <= sums[:, None] + 1e-9, axis=1)  # both tails at once, for the sums mirror
    np.testing.assert_allclose(found, np.minimum(expected, 1.0), rtol=1e-12)
    for delta in (0.01, 0.05, 0.1, 0.3):
        assert np.mean(found <= delta) <= delta  # the false-positive rate, counted


@tries("sign", how="enumerated")
@pytest.mark.parametrize("given", SIZES)
def test_the_sign_test_is_exact_over_all_patterns_of_signs(given: list[float]) -> None:
    sizes = np.array(given)
    signs = np.array(list(product([-1.0, 1.0], repeat=len(sizes)))).T
    found = np.asarray(sign_test(sizes[:, None] * signs).value)
    for delta in (0.01, 0.05, 0.1, 0.3):
        assert np.mean(found <= delta) <= delta
    column = sizes * signs[:, 5]
    won, lost = int(np.sum(column < 0)), int(np.sum(column > 0))
    assert found[5] == pytest.approx(binomtest(won, won + lost).pvalue, rel=1e-12)


def test_all_ties_and_no_data_sets_surprise_nobody() -> None:
    for n in (1, 5, 300):
        for test in (wilcoxon, sign_test):
            np.testing.assert_array_equal(test(np.zeros((n, 3))).value, 1.0)
    assert wilcoxon(np.array([[4.0]])).value == 1.0
    assert sign_test(np.array([[4.0]])).value == 1.0


def test_nothing_but_wins_is_as_rare_as_so_many_tosses() -> None:
    for n in (2, 10, 50, MOST_EXACT):
        wins = -np.arange(1.0, n + 1)[:, None]
        assert wilcoxon(wins).value == pytest.approx(2.0 ** (1 - n))
        assert sign_test(wins).value == pytest.approx(2.0 ** (1 - n))
    for n in (101, 5000):
        assert 0 < wilcoxon(-np.ones((n, 1))).value[0] < 1e-15  # type: ignore[index]
    assert 0 < sign_test(-np.ones((5000, 1))).value[0] < 1e-300  # type: ignore[index]


def test_exact_up_to_a_hundred_data_sets_and_normal_beyond_agree_where_they_meet() -> None:
    generator = np.random.default_rng(8)
    for n in (MOST_EXACT, MOST_EXACT + 1):
        found = wilcoxon(generator.normal(0.1, 1, (n, 1)))
        exact = n <= MOST_EXACT
        assert found.test == ("wilcoxon-exact" if exact else "wilcoxon-normal")
        assert found.guarantee is (Guarantee.FINITE if exact else Guarantee.ASYMPTOTIC)
    x = np.round(generator.normal(0.25, 1, (MOST_EXACT, 200)), 1)  # ties and zeros
    both = np.array([wilcoxon(x).value, wilcoxon_normal(x).value])
    assert np.max(np.abs(both[0] - both[1])) < 0.005


@tries("wilcoxon-normal", how="simulated")
def test_as_if_it_were_normal_equal_models_are_told_apart_about_as_often_as_said() -> None:
    gaps = np.round(np.random.default_rng(9).normal(size=(MOST_EXACT + 20, 3000)), 1)
    assert np.mean(wilcoxon_normal(gaps).value <= 0.05) == pytest.approx(0.05, abs=5 * np.sqrt(0.05 * 0.95 / 3000))


@pytest.mark.parametrize("n", [9, 100, 150])
def test_swapping_mirrors_to_the_last_digit(n: int) -> None:
    x = np.round(np.random.default_rng(n).normal(0.2, 1, (n, 30)), 1)
    for test in (wilcoxon, sign_test):
        np.testing.assert_array_equal(test(x).value, test(-x).value)
        np.testing.assert_array_equal(test(x).statistic, test(-x).statistic)


def test_many_pairs_at_once_are_each_alone() -> None:
    x = np.round(np.random.default_rng(4).normal(0.3, 1, (30, 25)), 1)
    together = np.asarray(wilcoxon(x).value)
    alone = [np.asarray(wilcoxon(x[:, [place]]).value)[0] for place in range(25)]
    np.testing.assert_allclose(together, alone, rtol=1e-13)


@pytest.mark.parametrize("decimals", [1, 6])
def test_holm_over_all_pairs_of_equal_models_finds_a_difference_no_more_often_than_said(decimals: int) -> None:
    generator = np.random.default_rng(5)
    scores = np.round(generator.normal(size=(12, 4, 4000)) + generator.normal(size=(12, 1, 4000)), decimals)
    first, second = np.triu_indices(4, 1)
    gaps = np.round(scores[:, first] - scores[:, second], decimals)
    adjusted = holm_adjusted(np.asarray(wilcoxon(gaps.reshape(12, -1)).value).reshape(6, 4000).T)
    assert 0.01 < np.mean(adjusted.min(axis=1) <= 0.05) < 0.05 + 5 * np.sqrt(0.05 * 0.95 / 4000)
