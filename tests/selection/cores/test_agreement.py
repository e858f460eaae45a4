"""What the answers to unlabelled inputs make certain about differences: no labelling of a few inputs violates it."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from holdfast.selection.cores.cores import difference_limits, disagreement_rates, within_disagreement


@pytest.mark.parametrize(("labels", "n"), [(2, 1), (2, 7), (3, 5), (4, 4)])
@pytest.mark.parametrize("seed", range(5))
def test_no_labelling_violates_the_limits_of_a_difference_and_some_reach_them(seed: int, labels: int, n: int) -> None:
    said = np.random.default_rng(seed).integers(0, labels, (3, n))
    rates = (said[None] != np.array(list(product(range(labels), repeat=n)))[:, None]).mean(axis=2)
    apart = rates[:, :, None] - rates[:, None, :]
    lower, upper = difference_limits(said)
    np.testing.assert_allclose(apart.min(axis=0), lower, atol=1e-12)
    np.testing.assert_allclose(apart.max(axis=0), upper, atol=1e-12)
    # Whoever's error rate is known confines that of the others.
    low, high = within_disagreement(rates[:, :1], rates[:, :1], disagreement_rates(said)[:1])
    assert np.all((rates >= low - 1e-12) & (rates <= high + 1e-12))


def test_limits_stay_rates() -> None:
    low, high = within_disagreement(np.array([0.1]), np.array([0.9]), np.array([0.3]))
    assert (low.item(), high.item()) == (0.0, 1.0)
