"""Labelled beside unlabelled examples, levels of losses, and weights that saw the labels: what they accept and keep."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from holdfast.errors import HoldfastError
from holdfast.evidence import Counts, Losses
from holdfast.evidence.pools.pool import Gibbs, GradedLosses, Pool


def test_a_pool_turned_over_twice_is_itself() -> None:
    pool = Pool(Losses([0.0, 0.25, 1.0]), 7, offset=0.1, low=0.05, high=0.8, levels=4)
    turned = pool.mirror()
    assert float(turned.mean) == pytest.approx(1 - float(pool.mean))
    assert float(turned.complement) == pytest.approx(float(pool.mean))
    assert (float(turned.low), float(turned.high)) == pytest.approx((0.2, 0.95))
    again = turned.mirror()
    assert [float(again.mean), float(again.offset), again.levels] == pytest.approx([float(pool.mean), 0.1, 4])


@pytest.mark.parametrize(
    "wrong",
    [
        {"unlabelled": 0},
        {"unlabelled": 2.5},
        {"unlabelled": [1, 2]},
        {"low": -0.1},
        {"low": 0.6, "high": 0.5},
        {"high": 1.1},
        {"levels": 3},
        {"levels": 0},
        {"sample": [0.5]},
        {"sample": Losses([0.5, 1.5, 1], 0, 2)},
        {"offset": np.nan},
    ],
)
def test_strange_pools(wrong: dict[str, Any]) -> None:
    given = {"sample": Losses(np.full((3, 2), 0.5)), "unlabelled": 5, **wrong}
    with pytest.raises(HoldfastError):
        Pool(given.pop("sample"), given.pop("unlabelled"), **given)


def test_what_does_not_match_is_named_with_its_shapes() -> None:
    with pytest.raises(HoldfastError, match=r"unlabelled examples of matching shapes; got \(3,\) and \(2,\)\.$"):
        Pool(Counts([1, 2, 3], 10), [5, 6])
    with pytest.raises(HoldfastError, match=r"losses and divergences of matching shapes; got \(3,\) and \(2,\)\.$"):
        Gibbs(Counts([1, 2, 3], 10), [0.5, 0.6])


def test_counts_have_no_values_and_any_levels() -> None:
    pool = Pool(Counts(3, 10), 5, levels=3)
    assert not pool.has("values")
    assert pool.has("levels")
    assert not Pool(Counts(3, 10), 5).has("levels")
    with pytest.raises(HoldfastError, match="counts"):
        _ = pool.values


def test_levels_count_what_reaches_them() -> None:
    values = np.random.default_rng(1).integers(0, 5, (3, 50)) / 4
    levels = GradedLosses.of_values(values, 4)
    for j in range(4):
        np.testing.assert_array_equal(levels.reached.k[:, j], (values >= (j + 1) / 4).sum(axis=1))
    np.testing.assert_allclose(levels.mean, values.mean(axis=1))
    np.testing.assert_array_equal(levels.mirror().reached.k, GradedLosses.of_values(1 - values, 4).reached.k)
    assert levels.mirror().mirror().reached.k.tolist() == levels.reached.k.tolist()
    assert GradedLosses.of_values([], 2).n == 0


@pytest.mark.parametrize("reached", [Counts(3, 10), Counts([1, 2], 10), Counts([2, 1], [10, 11]), [2, 1]])
def test_strange_levels(reached: Any) -> None:
    with pytest.raises(HoldfastError):
        GradedLosses(reached)


@pytest.mark.parametrize("values", [[0.3], [1.5], [-0.5], 0.5])
def test_values_that_are_no_levels(values: Any) -> None:
    with pytest.raises(HoldfastError):
        GradedLosses.of_values(values, 2)


def test_gibbs_keeps_the_units_of_its_losses() -> None:
    evidence = Gibbs(Losses([0.0, 2.0, 4.0], 0, 4), [0.5, 1.0])
    assert evidence.estimate.tolist() == [2.0, 2.0]
    assert evidence.mirror().mean.tolist() == [0.5, 0.5]
    for divergence in (-0.1, np.nan, "far", [[1, 2], [3]]):
        with pytest.raises(HoldfastError):
            Gibbs(Losses([0.0, 0.5]), divergence)  # type: ignore[arg-type]
    with pytest.raises(HoldfastError, match="shapes"):
        Gibbs(Losses(np.full((3, 2), 0.5)), [1.0, 2.0])
    with pytest.raises(HoldfastError, match="Losses"):
        Gibbs(0.5, 1.0)  # type: ignore[arg-type]
