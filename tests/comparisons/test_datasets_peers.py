"""Where others answer the same question: that they agree where they are right, and where they are not."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from scipy import stats

from holdfast.comparisons.ranks import average_ranks, critical_difference, friedman, nemenyi
from holdfast.comparisons.signed_rank import sign_test, signed_rank_probabilities, wilcoxon
from holdfast.verbs.compare.datasets import compare_datasets
from tests.needs import module


def scores(seed: int, n: int, k: int, decimals: int = 9) -> np.ndarray:
    generator = np.random.default_rng(seed)
    return np.round(generator.normal(size=(n, k)) + np.linspace(0, 0.6, k), decimals)


@pytest.mark.parametrize("decimals", [9, 0])
@pytest.mark.parametrize(("n", "k"), [(6, 3), (15, 5), (40, 12)])
def test_friedman_is_that_of_scipy_with_ties(n: int, k: int, decimals: int) -> None:
    table = scores(n, n, k, decimals)
    expected = stats.friedmanchisquare(*table.T)
    found = friedman(average_ranks(table))
    assert found.statistic == pytest.approx(expected.statistic, rel=1e-10)
    assert found.value == pytest.approx(expected.pvalue, rel=1e-9)


@pytest.mark.parametrize("n", [5, 12, 30, 50])
def test_wilcoxon_is_the_exact_one_of_scipy(n: int) -> None:
    gaps = scores(n, n, 6)
    expected = [stats.wilcoxon(column, method="exact").pvalue for column in gaps.T]
    np.testing.assert_allclose(wilcoxon(gaps).value, expected, rtol=1e-11)


@pytest.mark.parametrize("decimals", [0, 1])
def test_wilcoxon_with_ties_and_zeros_is_that_of_scipy_over_all_permutations(decimals: int) -> None:
    gaps = scores(3, 8, 5, decimals)
    every = stats.PermutationMethod(n_resamples=2**8)
    expected = [stats.wilcoxon(column, zero_method="pratt", method=every).pvalue for column in gaps.T]
    np.testing.assert_allclose(wilcoxon(gaps).value, expected, rtol=1e-10)


def test_wilcoxon_of_many_data_sets_is_the_approximation_of_scipy() -> None:
    gaps = scores(4, 160, 6, 1) / 4
    how: dict[str, Any] = {"zero_method": "pratt", "correction": True, "method": "asymptotic"}
    expected = [stats.wilcoxon(column, **how).pvalue for column in gaps.T]
    np.testing.assert_allclose(wilcoxon(gaps).value, expected, rtol=1e-10)
    plain = scores(5, 160, 6) / 4
    expected = [stats.wilcoxon(column, correction=True, method="asymptotic").pvalue for column in plain.T]
    np.testing.assert_allclose(wilcoxon(plain).value, expected, rtol=1e-10)


def test_the_sign_test_is_a_binomial_test() -> None:
    gaps = scores(6, 25, 8, 0)
    won, lost = np.sum(gaps < 0, axis=0), np.sum(gaps > 0, axis=0)
    expected = [stats.binomtest(int(a), int(a + b)).pvalue for a, b in zip(won, lost, strict=True)]
    np.testing.assert_allclose(sign_test(gaps).value, expected, rtol=1e-10)


@pytest.mark.parametrize("decimals", [9, 0])
def test_nemenyi_is_that_of_scikit_posthocs(decimals: int) -> None:
    posthocs = module("scikit_posthocs")
    table = scores(7, 18, 6, decimals)
    first, second = np.triu_indices(6, 1)
    expected = posthocs.posthoc_nemenyi_friedman(table).to_numpy()[first, second]
    np.testing.assert_allclose(nemenyi(average_ranks(table), first, second).value, expected, rtol=1e-8, atol=1e-12)


def ranked(table: np.ndarray, **asked: Any) -> Any:
    """What autorank finds; it prints a table whatever it is told."""
    autorank, pandas = module("autorank"), module("pandas")
    names = [f"m{place}" for place in range(table.shape[1])]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return autorank.autorank(pandas.DataFrame(table, columns=names), verbose=False, **asked)


def test_ranks_and_critical_difference_are_those_of_autorank() -> None:
    table = scores(8, 20, 5)
    theirs = ranked(table, alpha=0.05, force_mode="nonparametric", order="descending")
    report = compare_datasets(table, models=[f"m{place}" for place in range(5)], better="higher")
    assert theirs.omnibus == "friedman"
    assert theirs.pvalue == pytest.approx(report.details["tests"][0]["p"], rel=1e-9)
    assert theirs.cd == pytest.approx(critical_difference(5, 20, 0.05), rel=2e-3)  # theirs is read off a table
    for name, rank in report.details["ranks"].items():
        assert theirs.rankdf.loc[name, "meanrank"] == pytest.approx(rank)


def test_autorank_tests_two_models_in_the_direction_that_the_data_chose() -> None:
    """So that two equal models are found to differ nearly twice as often as stated."""
    for seed in range(3):
        table = np.random.default_rng(seed).normal(size=(20, 2))
        larger = int(np.argmax(np.median(table, axis=0)))
        gaps = table[:, larger] - table[:, 1 - larger]
        theirs = ranked(table, alpha=0.05, force_mode="nonparametric").pvalue
        assert theirs == pytest.approx(stats.wilcoxon(gaps, alternative="greater").pvalue, rel=1e-12)
        ours = compare_datasets(table, better="higher").details["tests"][2]
        assert ours["test"] == "wilcoxon-exact"
        assert ours["p"] == pytest.approx(stats.wilcoxon(gaps).pvalue, rel=1e-11)
    runs = 4000
    tables = np.random.default_rng(9).normal(size=(runs, 20, 2))
    medians = np.median(tables, axis=1)
    gaps = (tables[..., 0] - tables[..., 1]) * np.where(medians[:, :1] >= medians[:, 1:], 1, -1)
    theirs = np.mean(stats.wilcoxon(gaps, alternative="greater", axis=1).pvalue <= 0.05)
    ours = np.mean(np.asarray(wilcoxon(gaps.T).value) <= 0.05)
    assert theirs > 0.085  # stated: 0.05
    assert ours < 0.05 + 5 * np.sqrt(0.05 * 0.95 / runs)


@pytest.mark.parametrize("rope", [0.05, 0.3])
def test_bayesian_probabilities_are_those_of_baycomp(rope: float) -> None:
    baycomp = module("baycomp")
    table = scores(10, 15, 2)
    theirs = baycomp.SignedRankTest.probs(table[:, 1], table[:, 0], rope, nsamples=10_000, random_state=1)
    ours = signed_rank_probabilities(table[:, 0:1] - table[:, 1:2], rope, 10_000, seed=1)[0]
    # Theirs begins with "the first has the higher score"; the difference of two estimates from 10,000 draws each.
    np.testing.assert_allclose(ours, theirs, atol=5 * np.sqrt(2 * 0.25 / 10_000))
