"""From shares to units and back."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.errors import InvalidEvidence
from holdfast.evidence import Evidence
from holdfast.evidence.value import SHARES, Differences, Scale
from tests.evidence.examples import EVIDENCE

SHARE = np.random.default_rng(0).random(10_000) ** 3
RANGES = [(0.0, 1.0), (-1.0, 1.0), (2.0, 5.5), (-100.0, -3.0)]


@pytest.mark.parametrize(("low", "high"), RANGES)
def test_a_share_goes_from_end_to_end_and_back(low: float, high: float) -> None:
    scale = Scale(low, high)
    values = scale.units(SHARE)
    assert values.tolist() == pytest.approx([low + (high - low) * share for share in SHARE])
    np.testing.assert_allclose(scale.share(values), SHARE, rtol=0, atol=1e-14)
    np.testing.assert_allclose(scale.room(values), 1 - SHARE, rtol=0, atol=1e-14)
    assert scale.width == high - low
    assert [float(scale.units(np.asarray(end))) for end in (0.0, 1.0)] == [low, high]


def test_a_room_keeps_the_digits_that_one_minus_the_share_would_lose() -> None:
    value = np.nextafter(3.0, 0.0)
    assert float(Scale(0.0, 3.0).room(value)) == (3.0 - value) / 3.0 != 1.0 - value / 3.0
    assert float(Scale(-1.0, 0.0).share(np.asarray(-1.0 + 2.0**-53))) == 2.0**-53


def test_shares_are_left_as_they_are() -> None:
    assert SHARES.units(SHARE) is SHARE
    assert np.array_equal(Scale(0.0, 1.0).units(SHARE), SHARE)


def test_ends_may_be_arrays() -> None:
    scale = Scale(np.array([0.0, -1.0]), np.array([10.0, 1.0]))
    assert scale.units(np.array([0.25, 0.25])).tolist() == [2.5, -0.5]
    assert scale.share(np.array([2.5, -0.5])).tolist() == [0.25, 0.25]


def test_opposite_shares_are_opposite_differences_to_the_last_bit() -> None:
    for most in (1.0, 0.7, 13.8):
        scale = Differences.of(most)
        assert np.array_equal(scale.units(SHARE), -scale.units(1.0 - SHARE))
        assert np.allclose(scale.units(SHARE), Scale(-most, most).units(SHARE), rtol=0, atol=1e-14)
    assert (Differences().low, Differences().high) == (-1.0, 1.0)


@pytest.mark.parametrize("ends", [(1, 1), (2, 1), (-1e308, 1e308), (0, np.inf), (np.nan, 1), ([0, 3], [1, 2])])
def test_a_range_that_is_none_is_refused_by_its_name(ends: tuple[float, float]) -> None:
    with pytest.raises(InvalidEvidence, match="Folds needs low < high; got "):
        Scale.stated("Folds needs", *ends)


def test_a_stated_range_is_kept_in_floats() -> None:
    scale = Scale.stated("Folds needs", 0, [1, 2])
    assert type(scale.low) is float
    assert isinstance(scale.high, np.ndarray)
    assert scale.high.dtype == np.float64


@pytest.mark.parametrize("end", [np.inf, -np.inf, np.nan])
def test_a_range_without_a_width_is_refused_without_a_warning(end: float) -> None:
    with pytest.raises(InvalidEvidence, match="Folds needs low < high"):
        Scale.stated("Folds needs", end, end)


@pytest.mark.parametrize("name", EVIDENCE)
def test_all_evidence_has_the_units_of_its_scale(name: str) -> None:
    evidence = EVIDENCE[name]
    assert type(evidence).units is Evidence.units
    low, middle, high = (evidence.units(np.asarray(share)) for share in (0.0, 0.4, 1.0))
    np.testing.assert_allclose(low, np.broadcast_to(evidence.scale.low, low.shape), rtol=1e-15)
    np.testing.assert_allclose(high, np.broadcast_to(evidence.scale.high, high.shape), rtol=1e-15)
    assert np.all((low < middle) & (middle < high))
    np.testing.assert_allclose(evidence.estimate, evidence.units(evidence.mean), rtol=0, atol=1e-14)
