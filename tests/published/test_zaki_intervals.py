"""Zaki and Meira, chapter 22: the intervals of examples 22.7, 22.9 and 22.10 as printed, and what the formulas say.

The formulas (22.4) and (22.7) divide by K, the numbers by K - 1: only the numbers can be reproduced.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from studies.zaki_measures.intervals import covered
from studies.zaki_measures.printed import FOLDS_22_7 as FOLDS
from studies.zaki_measures.printed import INTERVALS, RATES_22_7

from holdfast.catalog import find
from holdfast.evidence.folds.values import FoldValues

MEAN, SPREAD = 0.233, 0.0913  # as printed


def test_the_counts_are_those_behind_the_printed_rates() -> None:
    assert np.round(FOLDS.values[0], 3).tolist() == [float(rate) for rate in RATES_22_7]


def test_example_22_7_has_the_variance_with_divisor_4() -> None:
    assert float(FOLDS.estimate) == pytest.approx(0.23333, abs=5e-6)
    assert round(float(FOLDS.estimate), 3) == 0.233
    assert round(float(FOLDS.variance), 5) == 0.00833
    assert round(float(FOLDS.values.var()), 5) == 0.00667  # misprint: what (22.4), with 1/K, would give
    assert round(float(np.sqrt(FOLDS.variance)), 4) == SPREAD


@pytest.mark.parametrize(("method", "delta", "limits"), [(row[1], row[2], row[5]) for row in INTERVALS])
def test_examples_22_9_and_22_10(method: str, delta: float, limits: tuple[str, str]) -> None:
    """Reproduced with K - 1; the text adds and subtracts rounded numbers, so the last digit may be one off."""
    printed = float(limits[0]), float(limits[1])
    claim = find(method)(FOLDS, delta)
    assert (claim.lower, claim.upper) == pytest.approx(printed, abs=1.1e-3)
    quantile = stats.norm.isf(delta / 2) if method == "fold-z" else stats.t.isf(delta / 2, 4)
    reach = round(quantile * SPREAD / np.sqrt(5), 3)
    assert (round(MEAN - reach, 3), round(MEAN + reach, 3)) == printed
    with_k = quantile * FOLDS.values.std() / np.sqrt(5)  # misprint: what (22.7), with 1/K, would give
    assert abs(FOLDS.estimate - with_k - printed[0]) > 5e-3


def test_how_much_either_interval_covers_of_five_independent_normal_draws() -> None:
    """With K the t interval covers 93.2 % and the z interval 84.6 %; with K - 1 they cover 95 % and 87.8 %."""
    values = np.random.default_rng(22).normal(0.5, 0.02, (40_000, 1, 5))
    for method, covered_by, with_k in (("fold-t", 0.95, 0.932), ("fold-z", 0.8784, 0.8460)):
        claim = find(method)(FoldValues(values))
        assert covered(5, 0.95, method[-1], 1) == pytest.approx(covered_by, abs=5e-4)
        assert covered(5, 0.95, method[-1], 0) == pytest.approx(with_k, abs=5e-4)
        assert np.mean((claim.lower <= 0.5) & (claim.upper >= 0.5)) == pytest.approx(covered_by, abs=0.0095)
        reach = (claim.upper - claim.estimate) * np.sqrt(4 / 5)
        assert np.mean(np.abs(claim.estimate - 0.5) <= reach) == pytest.approx(with_k, abs=0.0095)


def test_what_the_corrected_interval_says_of_the_same_folds() -> None:
    claim, plain = find("nadeau-bengio")(FOLDS), find("fold-t")(FOLDS)
    assert claim.width == pytest.approx(plain.width * np.sqrt(1 + 5 / 4), rel=1e-9)  # 1/J + 1/4 for 1/J
