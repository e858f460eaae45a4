"""Sums in whole numbers: the same however they are split, and joined orders that are those of the whole."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from holdfast.evidence.ranking.placements import FIXED, exact_sum, order_of_counts, order_of_places


@pytest.mark.parametrize("counted", [False, True])
def test_a_sum_does_not_depend_on_order_or_splitting(counted: bool) -> None:
    rng = np.random.default_rng(0)
    shares = np.concatenate((rng.random(5000), rng.random(500) * 1e-9, [0.0, 1.0, 0.5]))
    times = rng.integers(0, 10**9, shares.size) if counted else None
    whole = exact_sum(shares, times)
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(shares.size)
        cuts = np.array_split(order, 3 + seed)
        assert sum(exact_sum(shares[part], None if times is None else times[part]) for part in cuts) == whole


def test_each_share_is_right_to_one_unit() -> None:
    rng = np.random.default_rng(1)
    for share in (0.0, 1.0, 1 / 3, 1e-20, 1 - 1e-16, *rng.random(200).tolist()):
        off = Fraction(exact_sum(np.array([share])), int(FIXED**2)) - Fraction(share)
        assert abs(off) <= Fraction(1, 2**53)
        assert exact_sum(np.array([share]), np.array([10**9])) == 10**9 * exact_sum(np.array([share]))


def test_places_and_counts_say_the_same() -> None:
    for seed in range(20):
        rng = np.random.default_rng(seed)
        positive = rng.random(int(rng.integers(2, 60))) < 0.5
        by_counts = order_of_counts(positive.astype(int), (~positive).astype(int))
        assert order_of_places(np.flatnonzero(positive), positive.size) == by_counts


def test_orders_are_joined_to_the_order_of_all() -> None:
    rng = np.random.default_rng(2)
    p, q = rng.integers(0, 4, 50), rng.integers(0, 4, 50)
    whole = order_of_counts(p, q)
    for cut in (1, 7, 25, 49):
        assert order_of_counts(p[:cut], q[:cut]).then(order_of_counts(p[cut:], q[cut:])) == whole
    assert whole.distinct == 50
