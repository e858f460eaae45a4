from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import chi2, f, friedmanchisquare, rankdata

from holdfast.claims import Guarantee
from holdfast.comparisons.ranks import average_ranks, cliques, critical_difference, friedman, iman_davenport, nemenyi
from tests.tries import tries

PUBLISHED = {2: 1.960, 3: 2.343, 4: 2.569, 5: 2.728, 6: 2.850, 7: 2.949, 8: 3.031, 9: 3.102, 10: 3.164}
AT_TEN = {2: 1.645, 3: 2.052, 4: 2.291, 5: 2.459, 6: 2.589, 7: 2.693, 8: 2.780, 9: 2.855, 10: 2.920}


@pytest.mark.parametrize("seed", range(5))
def test_ranks_are_averaged_over_ties(seed: int) -> None:
    losses = np.random.default_rng(seed).integers(0, 5, (40, 7)).astype(float)
    np.testing.assert_array_equal(average_ranks(losses), rankdata(losses, axis=1))


@pytest.mark.parametrize(("delta", "table"), [(0.05, PUBLISHED), (0.1, AT_TEN)])
def test_critical_values_are_those_of_demsar_table_5(delta: float, table: dict[int, float]) -> None:
    for k, q in table.items():
        n = k * (k + 1) / 6  # then the critical difference is the critical value itself
        assert critical_difference(k, n, delta) == pytest.approx(q, abs=1e-3)  # type: ignore[arg-type]


def test_demsars_example_has_its_statistics() -> None:
    # Demsar (2006), table 6: four learners on fourteen data sets, AUC; of voting he ranks two that print alike.
    auc = """.763 .768 .771 .798  .599 .591 .590 .569  .954 .971 .968 .967  .628 .661 .654 .657  .882 .888 .886 .898
             .936 .931 .916 .931  .661 .668 .609 .685  .583 .583 .563 .625  .775 .838 .866 .875  1 1 1 1
             .940 .962 .965 .962  .619 .666 .614 .669  .972 .981 .9751 .975  .957 .978 .946 .970"""
    ranks = average_ranks(-np.array(auc.split(), float).reshape(14, 4))
    np.testing.assert_allclose(ranks.mean(axis=0), [3.143, 2.000, 2.893, 1.964], atol=5e-4)
    without_ties = 12 * 14 / 20 * (np.sum(ranks.mean(axis=0) ** 2) - 25)
    assert without_ties == pytest.approx(9.28, abs=0.005)  # as printed, which leaves the ties uncorrected
    assert 9.28 < friedman(ranks).statistic < 10.5  # type: ignore[operator]
    assert critical_difference(4, 14, 0.05) == pytest.approx(1.25, abs=0.005)
    assert critical_difference(4, 14, 0.1) == pytest.approx(1.12, abs=0.005)


def test_iman_davenport_is_its_formula() -> None:
    ranks = average_ranks(np.random.default_rng(1).random((12, 5)))
    chi = float(friedman(ranks).statistic)  # type: ignore[arg-type]
    assert iman_davenport(ranks).statistic == pytest.approx(11 * chi / (12 * 4 - chi))


@pytest.mark.parametrize("n", [1, 2, 30])
@pytest.mark.parametrize("k", [2, 3, 6])
def test_all_ties_surprise_nobody(n: int, k: int) -> None:
    ranks = average_ranks(np.zeros((n, k)))
    for found in (friedman(ranks), iman_davenport(ranks)):
        assert (found.value, found.guarantee) == (1.0, Guarantee.ASYMPTOTIC)
    first, second = np.triu_indices(k, 1)
    np.testing.assert_allclose(nemenyi(ranks, first, second).value, 1.0, atol=1e-12)


def test_perfect_agreement_is_not_impossible() -> None:
    ranks = average_ranks(np.tile(np.arange(3.0), (5, 1)))
    found = iman_davenport(ranks)
    assert found.value == pytest.approx(6.0**-4)
    assert found.to_dict()["statistic"] is None  # F has no end
    assert iman_davenport(average_ranks(np.arange(3.0)[None])).value == 1.0  # one data set says nothing
    assert friedman(average_ranks(np.arange(3.0)[None])).value == 1.0
    far = iman_davenport(average_ranks(np.tile(np.arange(9.0), (900, 1))))
    assert 0 < far.value < 1e-300  # type: ignore[operator]


def test_the_order_of_the_models_changes_no_digit() -> None:
    ranks = average_ranks(np.random.default_rng(2).integers(0, 9, (37, 9)) / 7)
    turned = ranks[:, np.random.default_rng(3).permutation(9)]
    assert friedman(ranks).value == friedman(turned).value
    assert iman_davenport(ranks).value == iman_davenport(turned).value


@tries("friedman", "iman-davenport", "nemenyi", how="simulated")
@pytest.mark.parametrize(("n", "k"), [(15, 3), (20, 5), (30, 8)])
def test_equal_models_are_told_apart_no_more_often_than_said(n: int, k: int) -> None:
    generator = np.random.default_rng(n)
    found = np.zeros(3)
    limit = critical_difference(k, n, 0.05)
    for _ in range(1000):
        ranks = average_ranks(generator.random((n, k)))
        means = ranks.mean(axis=0)
        apart = nemenyi(ranks, means.argmin(), means.argmax()).value <= 0.05
        assert apart == (np.ptp(means) > limit)
        found += friedman(ranks).value <= 0.05, iman_davenport(ranks).value <= 0.05, apart
    assert np.all(found / 1000 < 0.05 + 5 * np.sqrt(0.05 * 0.95 / 1000))
    assert np.all(found / 1000 > 0.01)  # and they are tests


def test_cliques_are_the_largest_sets_within_reach() -> None:
    assert cliques(np.array([1.0, 2.0, 3.0, 4.0]), 0.5) == []
    assert cliques(np.array([1.0, 2.0, 3.0, 4.0]), 1.0) == [[0, 1], [1, 2], [2, 3]]
    assert cliques(np.array([4.0, 1.0, 3.0, 2.0]), 2.5) == [[1, 3, 2], [3, 2, 0]]
    assert cliques(np.array([2.0, 2.0, 2.0]), 0.1) == [[0, 1, 2]]
    assert cliques(np.array([1.0, 2.0]), 9.0) == [[0, 1]]


@pytest.mark.parametrize("seed", range(20))
def test_cliques_hold_just_the_pairs_that_are_not_told_apart(seed: int) -> None:
    generator = np.random.default_rng(seed)
    means, limit = np.sort(generator.uniform(1, 12, 12)), 2.0
    joined = {(i, j) for clique in cliques(means, limit) for i in clique for j in clique if i < j}
    assert joined == {(i, j) for i in range(12) for j in range(i + 1, 12) if means[j] - means[i] <= limit}
    sets = [set(clique) for clique in cliques(means, limit)]
    assert not any(one < other for one in sets for other in sets)


def test_p_values_are_those_of_their_distributions() -> None:
    losses = np.random.default_rng(3).normal(size=(14, 5)) + 0.3 * np.arange(5)
    ranks = average_ranks(losses)
    expected = friedmanchisquare(*losses.T)
    found, by_f = friedman(ranks), iman_davenport(ranks)
    assert (found.statistic, found.value) == pytest.approx((expected.statistic, expected.pvalue), rel=1e-9)
    assert found.value == pytest.approx(chi2.sf(found.statistic, 4), rel=1e-9)
    assert by_f.value == pytest.approx(f.sf(by_f.statistic, 4, 4 * 13), rel=1e-9)
