"""Short numbers between scores."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.selection.stairs import shortest


@given(st.floats(-1e6, 1e6), st.floats(0, 10), st.booleans())
def test_a_short_number_within_its_limits(low: float, gap: float, upwards: bool) -> None:
    found = shortest(low, low + gap, upwards)
    assert low <= found <= low + gap
    digits = len(repr(abs(found)).replace(".", "").strip("0"))
    assert digits <= max(len(repr(abs(end)).replace(".", "").strip("0")) for end in (low, low + gap)) + 1


def test_short_numbers() -> None:
    assert shortest(0.81341, 0.8162, upwards=True) == 0.814
    assert shortest(0.81341, 0.8162, upwards=False) == 0.816
    assert shortest(-0.3, 0.5, upwards=True) == pytest.approx(-0.3)
    assert shortest(0.1, 0.1, upwards=True) == 0.1
    assert shortest(1e300, np.inf, upwards=True) == 1e308
    assert shortest(-np.inf, -1e300, upwards=False) == -1e308
    assert np.isfinite(shortest(1.7e308, np.inf, upwards=True))
