"""Zaki and Meira, chapter 22: the paired t-test of example 22.11, as printed and as the counts have it."""

from __future__ import annotations

import numpy as np
import pytest
from studies.zaki_measures.intervals import PAIR
from studies.zaki_measures.printed import DIFFERENCES_22_11, FOLDS_22_11, RATES_22_11

from holdfast.bounds.folds import independent
from holdfast.catalog import find
from holdfast.comparisons.folds import correlated_t, t_test
from holdfast.evidence.folds.folds import FoldDifferences
from holdfast.verbs.compare.folds import compare_folds


def test_the_counts_are_those_behind_the_printed_rates() -> None:
    for name, rates in RATES_22_11.items():
        found = FOLDS_22_11.values[FOLDS_22_11.models.index(name), 0]
        assert np.round(found, 3).tolist() == [float(rate) for rate in rates]
    assert np.round(PAIR.values[0], 3).tolist() == [float(difference) for difference in DIFFERENCES_22_11]
    assert FOLDS_22_11.examples == 150


def test_the_mean_and_the_variance_as_printed_have_divisor_4() -> None:
    values = PAIR.values.ravel()
    assert round(float(values.mean()), 3) == 0.033
    assert round(float(values.var(ddof=1)), 5) == 0.00333
    assert round(float(values.var(ddof=0)), 5) == 0.00267  # what the printed formula, 1/K, would give
    assert 4 * PAIR.variance == pytest.approx(values.var(ddof=1), rel=1e-12)


def test_the_statistic_as_printed_comes_of_rounded_numbers() -> None:
    assert round(np.sqrt(5) * 0.033 / 0.0577, 2) == 1.28
    student = independent(PAIR)
    assert float(student.offset / student.error) == pytest.approx(1.2909944487, rel=1e-9)
    assert t_test(PAIR, "paired-t").statistic == pytest.approx(1.291, abs=5e-4)
    from_rounded = FoldDifferences([float(each) for each in DIFFERENCES_22_11])
    assert t_test(from_rounded, "paired-t").statistic == pytest.approx(1.29, abs=0.005)
    by_formula = np.sqrt(5) * PAIR.values.mean() / PAIR.values.std(ddof=0)
    assert by_formula == pytest.approx(1.4434, abs=5e-5)  # with 1/K as the formula is printed


def test_the_quantile_and_the_decision() -> None:
    test = t_test(PAIR, "paired-t")
    claim = find("paired-t")(PAIR, 0.05)
    error = np.sqrt(0.2 * PAIR.values.var(ddof=1))
    assert (claim.upper - claim.estimate) / error == pytest.approx(2.776, abs=5e-4)
    assert abs(test.statistic) < 2.776
    assert test.value == pytest.approx(0.266265, abs=1e-6)
    assert claim.lower < 0 < claim.upper


def test_what_the_corrected_test_says() -> None:
    corrected = t_test(PAIR, "nadeau-bengio")
    assert corrected.statistic == pytest.approx(0.8606629658, rel=1e-9)  # 1.291 / sqrt(1 + 5/4)
    assert corrected.value == pytest.approx(0.4379546, abs=1e-7)
    believed = correlated_t(PAIR, rope=0.01)
    assert believed.first + believed.equal + believed.second == pytest.approx(1, abs=1e-15)
    assert believed.second == pytest.approx(0.71032, abs=1e-5)


def test_nothing_is_accepted() -> None:
    """The text accepts the null; a test that does not reject has settled nothing."""
    verdict = compare_folds(FOLDS_22_11).details["verdict"]
    assert verdict.outcome == "not settled"
    assert not verdict.decided


def test_the_law_with_divisor_k_covers_too_little() -> None:
    """Eqs. (22.11) and (22.12) with 1/K: at K = 5 a nominal 95 % covers 93.2 %, with K - 1 it covers 95 %."""
    values = np.random.default_rng(22).normal(0, 0.05, (40_000, 1, 5))
    differences = FoldDifferences(values)
    with_k_minus_1 = np.mean(t_test(differences, "paired-t").value > 0.05)
    statistic = np.sqrt(5) * values.mean(axis=(1, 2)) / values.std(axis=(1, 2), ddof=0)
    with_k = np.mean(np.abs(statistic) < 2.7764451)
    assert with_k_minus_1 == pytest.approx(0.95, abs=0.006)  # 5.5 standard errors
    assert with_k == pytest.approx(0.932, abs=0.0065)
