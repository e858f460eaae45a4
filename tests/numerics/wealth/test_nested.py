"""The largest mean worth of two nested rates: as in the reference, and against a search over all pairs of rates."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.special import gammainccinv
from scipy.stats import binom

from holdfast.bounds.paired import largest_product


def searched(events: int, great: int, n: int, delta: float, rho: float) -> float:
    """The maximum over a fine grid of the first rate, the second being the largest that is left."""
    spent = gammainccinv(2.0, delta)
    q = np.linspace(1e-6, 1 - 1e-9, 20_001)
    left = -spent - binom.logcdf(events, n, q)
    r = np.linspace(0, 1, 20_001)
    tails = binom.logcdf(great, events, r) if events else np.zeros(r.size)
    most = np.array([r[np.searchsorted(-tails, -each, side="right") - 1] if each <= 0 else np.nan for each in left])
    return float(np.nanmax(q * (1 + rho * most)))


@pytest.mark.crossing(3)
@pytest.mark.parametrize("rho", [0.1, 1.0, 4.0])
@pytest.mark.parametrize(
    ("events", "great", "n"), [(6, 2, 20), (6, 0, 20), (0, 0, 9), (20, 5, 20), (20, 20, 20), (7, 7, 15)]
)
def test_it_is_the_largest_there_is(events: int, great: int, n: int, rho: float) -> None:
    found = largest_product(*(np.array([float(each)]) for each in (events, great, n, 0.05, rho))).item()
    assert found == pytest.approx(searched(events, great, n, 0.05, rho), rel=3e-4)


def test_many_at_once_are_as_each_by_itself() -> None:
    rows = np.array([[6, 2, 20, 0.05, 1.0], [30, 0, 100, 0.01, 3.0], [0, 0, 50, 0.2, 0.5]]).T
    together = largest_product(*rows)
    assert together == pytest.approx([largest_product(*column[:, None]).item() for column in rows.T], rel=1e-13)
