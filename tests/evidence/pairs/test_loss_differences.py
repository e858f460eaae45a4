"""Differences of losses: their moments, and the mirror to the last bit."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from holdfast.bounds.betting import betting
from holdfast.bounds.bounded import maurer_pontil
from holdfast.catalog import Bound
from holdfast.errors import InvalidEvidence
from holdfast.evidence import Losses
from holdfast.evidence.pairs.paired import LossDifferences, share_of
from holdfast.evidence.value import Differences


def some(most: float, n: int = 200, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).uniform(-most, most, n) ** 3 / most**2


def test_mean_and_variance_are_those_of_the_values() -> None:
    values = some(3.0)
    gaps = LossDifferences(values, 3.0)
    mean = sum(map(Fraction, values.tolist())) / values.size
    assert float(gaps.estimate) == pytest.approx(float(mean), rel=1e-12)
    assert float(gaps.units(gaps.mean)) == pytest.approx(float(mean), abs=1e-14)
    assert float(gaps.mean + gaps.complement) == 1.0
    assert float(gaps.s2) * 36.0 == pytest.approx(float(np.var(values)), rel=1e-12)
    plain = Losses(values, -3.0, 3.0)
    assert float(gaps.mean) == pytest.approx(float(plain.mean), rel=1e-14)
    assert float(gaps.s2) == pytest.approx(float(plain.s2), rel=1e-12)


def test_a_share_and_its_opposite_stand_for_opposite_differences_to_the_last_bit() -> None:
    gaps = np.random.default_rng(1).uniform(-1, 1, 10_000) ** 3  # with digits finer than those of one
    shares, scale = share_of(gaps), Differences()
    assert np.array_equal(share_of(-gaps), 1.0 - shares)
    assert np.array_equal(scale.units(shares), -scale.units(1.0 - shares))
    assert np.allclose(scale.units(shares), gaps, rtol=0, atol=2.0**-52)


@pytest.mark.parametrize("bound", [betting, maurer_pontil], ids=lambda bound: bound.name)
@pytest.mark.parametrize("n", [1, 2, 7, 100, 12_000])
@pytest.mark.parametrize("most", [1.0, 13.8])
def test_swapped_models_have_mirrored_limits_to_the_last_bit(bound: Bound, n: int, most: float) -> None:
    values = some(most, n, seed=n)
    here, there = bound(LossDifferences(values, most)), bound(LossDifferences(-values, most))
    assert (here.estimate, here.lower, here.upper) == (-there.estimate, -there.upper, -there.lower)
    upper, lower = (
        bound(LossDifferences(values, most), 0.05, "upper"),
        bound(LossDifferences(-values, most), 0.05, "lower"),
    )
    assert (upper.lower, upper.upper) == (-lower.upper, -lower.lower) == (-most, upper.upper)


def test_the_order_of_the_examples_leaves_no_trace() -> None:
    values = some(2.0, 5000)
    mixed = np.random.default_rng(3).permutation(values)
    one, other = betting(LossDifferences(values, 2.0)), betting(LossDifferences(mixed, 2.0))
    assert (one.estimate, one.lower, one.upper) == (other.estimate, other.lower, other.upper)


def test_limits_are_those_of_the_same_losses() -> None:
    values = some(1.0, 300)
    here, there = betting(LossDifferences(values)), betting(Losses(values, -1.0, 1.0))
    assert (here.lower, here.upper) == pytest.approx((there.lower, there.upper), abs=1e-12)


def test_several_are_joined_each_with_its_own_range() -> None:
    several = [LossDifferences(some(most, 50), most) for most in (1.0, 2.0, 13.8)]
    together = betting(LossDifferences.joined(several))
    alone = [betting(each) for each in several]
    assert together.lower.tolist() == [claim.lower for claim in alone]
    assert together.upper.tolist() == [claim.upper for claim in alone]
    assert together.estimate.tolist() == [claim.estimate for claim in alone]


def test_nothing_is_known_without_examples_and_what_is_too_large_is_refused() -> None:
    claim = betting(LossDifferences([], 2.0))
    assert (claim.estimate, claim.lower, claim.upper) == (None, -2.0, 2.0)
    with pytest.raises(InvalidEvidence, match=r"must lie in \[-1, 1\]; value 2 is 1.5"):
        LossDifferences([0.0, 1.5])
