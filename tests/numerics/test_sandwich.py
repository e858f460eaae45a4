"""Variances from what each draw adds: as published for ratios, and the usual one where all carry as much."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.numerics.limit import spread_of
from tests.reference.designs import cases


@pytest.mark.parametrize("case", cases("ratio asymptotic"), ids=lambda case: str(case["inputs"]["A"]))
def test_the_correction_for_leverage_is_that_of_the_reference(case: dict) -> None:
    part, whole = (np.array(case["inputs"][name]) for name in ("A", "B"))
    off = (part - part.sum() / whole.sum() * whole) / whole.sum()
    found = spread_of(off, whole, np.ones(part.size))
    assert found.variance == pytest.approx(case["expect"]["V_CR2"], rel=1e-12)
    assert found.df == pytest.approx(case["expect"]["df_satterthwaite"], rel=1e-12)


def test_draws_that_carry_as_much_have_the_usual_variance() -> None:
    values = np.random.default_rng(1).normal(size=12)
    found = spread_of(values / 12, np.full(12, 7.0), np.ones(12))
    assert found.variance == pytest.approx(np.var(values, ddof=1) / 12)
    assert found.df == pytest.approx(11)


def test_draws_alike_may_be_kept_once() -> None:
    values, leverage, times = np.array([0.3, -0.1, 0.05]), np.array([1.0, 2.0, 4.0]), np.array([2, 3, 6])
    once = spread_of(values, leverage, times)
    assert once == pytest.approx(spread_of(np.repeat(values, times), np.repeat(leverage, times), np.ones(11)))


def test_strata_add_up_and_each_has_a_mean_of_its_own() -> None:
    generator = np.random.default_rng(2)
    values, leverage, stratum = generator.normal(size=20), generator.uniform(1, 3, 20), np.repeat([0, 1], [8, 12])
    parts = [spread_of(values[stratum == s], leverage[stratum == s], np.ones((stratum == s).sum())) for s in (0, 1)]
    whole = spread_of(values, leverage, np.ones(20), stratum)
    assert whole.variance == pytest.approx(sum(part.variance for part in parts))
    assert whole.df == pytest.approx(whole.variance**2 / sum(part.variance**2 / part.df for part in parts))
    moved = spread_of(values + 5.0 * stratum, leverage, np.ones(20), stratum)
    assert moved.variance == pytest.approx(whole.variance)


def test_a_stratum_of_one_draw_tells_nothing() -> None:
    assert np.isnan(spread_of(np.array([0.1, 0.2, -0.3]), np.ones(3), np.ones(3), np.array([0, 0, 1])).variance)
