"""How two classes stand among each other: joined orders are those of the whole."""

from __future__ import annotations

import numpy as np

from holdfast.evidence.ranking.sorted_scores import order_of_counts, order_of_places


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
