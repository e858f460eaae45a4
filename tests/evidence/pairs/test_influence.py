"""How draws sway a difference: clusters are added up, signs turn, order leaves no trace."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.evidence.pairs.influence import KinkedSway, SmoothSway

POSITIVE = np.array([True, False, True, False, False, True])
SWAYS = np.array([0.1, -0.2, 0.05, 0.1, -0.1, 0.05])
CLUSTERS = np.array([9, 9, 2, 2, 2, 5])


def test_the_examples_of_a_cluster_sway_together() -> None:
    found = SmoothSway.of(0.2, SWAYS, POSITIVE, CLUSTERS)
    assert found.sways == pytest.approx([0.05, 0.05, -0.1], abs=1e-14)
    assert (int(found.n), found.fewest) == (3, 2)  # the cluster 5 holds only an example of the class
    assert found.standard_error == pytest.approx(np.sqrt(2 / 1 * (0.05**2 + 0.05**2 + 0.1**2)), rel=1e-12)
    alone = SmoothSway.of(0.2, SWAYS, POSITIVE)
    assert (int(alone.n), alone.fewest) == (6, 3)
    assert alone.standard_error == pytest.approx(np.sqrt(3 / 2 * np.sum(SWAYS**2)), rel=1e-12)


def test_swapping_models_turns_the_sign_and_nothing_else() -> None:
    here, there = (SmoothSway.of(way * 0.2, way * SWAYS, POSITIVE, CLUSTERS, most=2.0) for way in (1, -1))
    assert (float(here.estimate), here.standard_error) == (-float(there.estimate), there.standard_error)
    turned = here.mirror()
    assert isinstance(turned, SmoothSway)
    assert (turned.gap, turned.most, turned.sways.tolist()) == (there.gap, 2.0, there.sways.tolist())
    assert (float(here.mean), float(here.complement)) == (float(there.complement), float(there.mean))
    assert float(here.estimate) == 0.4


def test_no_order_of_rows_and_no_names_of_clusters_change_a_digit() -> None:
    for seed in range(10):
        rng = np.random.default_rng(seed)
        sways, positive = rng.normal(size=2000) / 2000, rng.random(2000) < 0.3
        clusters, names, order = rng.integers(0, 90, 2000), rng.permutation(90) * 7, rng.permutation(2000)
        here = SmoothSway.of(0.1, sways, positive, clusters)
        there = SmoothSway.of(0.1, sways[order], positive[order], names[clusters][order])
        assert np.sort(here.sways).tolist() == np.sort(there.sways).tolist()
        assert (here.standard_error, here.fewest) == (there.standard_error, there.fewest)


@pytest.mark.parametrize("kind", [SmoothSway, KinkedSway])
def test_where_there_is_no_spread_there_is_no_error(kind: type[SmoothSway]) -> None:
    still = kind.of(0.0, np.zeros(6), POSITIVE, CLUSTERS)
    one = kind.of(0.1, SWAYS, POSITIVE, np.zeros(6, np.int64))
    rare = kind.of(0.1, SWAYS, np.arange(6) == 1, CLUSTERS)
    assert all(np.isnan(each.standard_error) for each in (still, one, rare))
    assert "difference=0.1" in repr(one)


def test_a_difference_that_is_undefined_is_unknown() -> None:
    found = SmoothSway.of(float("nan"), np.zeros(3), np.ones(3, bool))
    assert not found.known
    assert not found.mirror().known
    assert (float(found.mean), float(found.complement)) == (0.5, 0.5)
    assert "unknown" in repr(found)
