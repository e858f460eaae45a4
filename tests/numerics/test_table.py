"""The recurrence over trials against scipy's tails."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binom

from holdfast.verify.exact import binomial_tables

RATES = np.array([0.0, 1e-9, 0.01, 0.3, 0.5, 0.99, 1.0])


def test_every_size_asked_for_has_its_tails() -> None:
    sizes = [1, 2, 7, 100]
    seen = []
    for n, tails in binomial_tables(sizes, RATES):
        seen.append(n)
        assert tails == pytest.approx(binom.cdf(np.arange(n + 1)[:, np.newaxis], n, RATES), abs=1e-13)
    assert seen == sizes


def test_the_small_tails_keep_their_digits() -> None:
    ((_, tails),) = binomial_tables([200], np.array([0.5]))
    assert tails[20, 0] == pytest.approx(binom.cdf(20, 200, 0.5), rel=1e-11)
