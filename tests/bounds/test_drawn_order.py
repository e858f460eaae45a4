"""Bets in the order drawn: by every ordered sample there is, each refutes the truth with a chance of at most delta."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest

from holdfast.bounds import betting as room_of_betting
from holdfast.bounds.betting import betting, star
from holdfast.bounds.clusters import cluster_betting, lower_limits
from holdfast.bounds.pool import betting_pool
from holdfast.catalog import Bound
from holdfast.claims import Claim, Guarantee
from holdfast.evidence import Array, Counts, Losses
from holdfast.evidence.draws import Ratio
from holdfast.evidence.pools.pool import Pool
from tests.tries import tries

DELTAS = (0.5, 0.2, 0.05)
LAWS = {  # values and their chances
    "rare": ([0.0, 1.0], [0.85, 0.15]),
    "grades": ([0.0, 0.5, 1.0], [0.7, 0.2, 0.1]),
    "hardly any difference": ([0.2, 0.3, 1.0], [0.6, 0.35, 0.05]),
}


def every_sample(kinds: int, n: int, chances: list[float]) -> tuple[Array, Array]:
    """Which kind each draw is, in every order that may come, and the chance of just that."""
    drawn = np.array(list(product(range(kinds), repeat=n)))
    return drawn, np.prod(np.array(chances)[drawn], axis=1)


def chance_of_a_miss(claim: Claim, chance: Array, truth: Array | float) -> float:
    """Of the likelier side."""
    above, below = (np.asarray(claim.lower) > truth + 1e-9), (np.asarray(claim.upper) < truth - 1e-9)
    return max(float(chance[above].sum()), float(chance[below].sum()))


@tries("betting", "star", how="enumerated")
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("bound", [betting, star], ids=lambda bound: bound.name)
def test_bets_on_losses(bound: Bound, law: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_of_betting, "_grid_points", lambda n: 256)  # any grid fixed beforehand keeps the promise
    values, chances = LAWS[law]
    truth, worst = float(np.dot(values, chances)), 0.0
    for n in (1, 3, 6):
        drawn, chance = every_sample(len(values), n, chances)
        for delta in DELTAS:
            claim = bound(Losses(np.array(values)[drawn], order="drawn"), 2 * delta if delta < 0.5 else 0.999)
            assert claim.guarantee is Guarantee.FINITE
            missed = chance_of_a_miss(claim, chance, truth)
            assert missed <= delta
            worst = max(worst, missed / delta)
    assert worst > 0.1  # a method that never misses promises too little


@tries("cluster-betting", how="enumerated")
@pytest.mark.parametrize("most", [4, 7, 2**20])
def test_bets_on_clusters(most: int) -> None:
    events, trials, chances = np.array([0, 1, 0, 4]), np.array([1, 1, 4, 4]), [0.5, 0.2, 0.2, 0.1]
    truth = float(np.dot(chances, events) / np.dot(chances, trials))
    for n in (1, 3, 5):
        drawn, chance = every_sample(4, n, chances)
        k, sizes = events[drawn], trials[drawn]
        for delta in (0.45, 0.2, 0.05):
            lower, spared = (lower_limits(each, sizes, most, np.asarray(delta), drawn=True) for each in (k, sizes - k))
            assert chance[lower > truth + 1e-9].sum() <= delta
            assert chance[1 - spared < truth - 1e-9].sum() <= delta
            for place in (0, len(drawn) // 3, len(drawn) - 1):  # and that is what is claimed
                claim = cluster_betting(Ratio.of_counts(Counts(k[place], sizes[place]), most, order="drawn"), 2 * delta)
                assert claim.guarantee is Guarantee.FINITE
                assert (claim.lower, claim.upper) == pytest.approx((lower[place], 1 - spared[place]), abs=1e-12)


@tries("betting-pool", how="enumerated")
def test_bets_on_a_pool() -> None:
    """Of seven losses four are labelled, one after the other; the claim is about the other three."""
    rng, size, d = np.random.default_rng(3), 7, 4
    orders = np.array(list(permutations(range(size), d)))
    for pool in (rng.integers(0, 3, size) / 2, rng.beta(0.4, 0.4, size), (rng.random(size) < 0.3) * 1.0):
        seen = pool[orders]
        truth, chance = (pool.sum() - seen.sum(axis=1)) / (size - d), np.full(len(orders), 1 / len(orders))
        for delta in (0.45, 0.2, 0.05):
            claim = betting_pool(Pool(Losses(seen, order="drawn"), size - d), 2 * delta)
            assert claim.guarantee is Guarantee.FINITE
            assert chance_of_a_miss(claim, chance, truth) <= delta
