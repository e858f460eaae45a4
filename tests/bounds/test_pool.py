"""Bets on a pool: against a game played by hand, and the promise counted over every draw of small pools."""

from __future__ import annotations

from itertools import combinations, permutations
from math import comb, log, sqrt
from typing import Any

import numpy as np
import pytest
from scipy.special import bdtrc

from holdfast.bounds import pool as room_of_pool
from holdfast.bounds.betting import CAP, betting
from holdfast.bounds.mixture import mixture
from holdfast.bounds.panel import hoeffding_difference, hypergeometric_levels
from holdfast.bounds.pool import betting_pool
from holdfast.bounds.shuffle import kept_back, shuffled
from holdfast.claims import SIDES
from holdfast.errors import HoldfastError
from holdfast.evidence import Array, Counts, Losses
from holdfast.evidence.pools.averages import average_on
from holdfast.evidence.pools.panel import Panel, Unlabelled
from holdfast.evidence.pools.pool import Pool

BY_CHANCE = 1e-6


def best_wealth(x: list[float], v: float, rest: int, delta: float) -> float:
    """The largest wealth of the game against v, one bet after the other."""
    d = len(x)
    size = d + rest
    pull = sum((size - t) ** -2.0 for t in range(d))
    total, wealth, best, mean_sum, squares = sum(x) + rest * v, 1.0, 1.0, 0.0, 0.0
    for t, value in enumerate(x):
        left = size - t
        mean = (total - sum(x[:t])) / left
        variance = (0.25 + squares) / (t + 1)
        stake = min(sqrt(2 * log(1 / delta) / (pull * variance)) / left, CAP / mean)
        wealth *= 1 + stake * (value - mean)
        best = max(best, wealth)
        mean_sum += value
        squares += (value - (0.5 + mean_sum) / (t + 2)) ** 2
    return best


@pytest.mark.parametrize(("d", "rest"), [(1, 1), (7, 3), (25, 60), (40, 4)])
def test_the_limit_is_where_the_wealth_reaches_one_over_delta(d: int, rest: int) -> None:
    x = np.random.default_rng(d).beta(2, 1, d)
    for delta in (0.3, 0.01):
        limit = float(room_of_pool._lower_limit(x[None], np.array([delta]), np.array([float(rest)]))[0])
        if limit > 0:
            assert best_wealth(x.tolist(), limit * (1 - 1e-9), rest, delta) >= (1 - 1e-6) / delta
        assert best_wealth(x.tolist(), min(limit * (1 + 1e-9) + 1e-9, 1.0), rest, delta) < (1 + 1e-6) / delta


@pytest.mark.parametrize("law", ["levels", "any", "zeros and ones"])
def test_every_order_of_a_small_pool_keeps_the_promise(law: str) -> None:
    """Ville's inequality, counted out: no more than delta of all ordered draws refute the truth."""
    rng, size, d = np.random.default_rng(5), 7, 4
    for _ in range(8):
        pool = {"levels": rng.integers(0, 4, size) / 3, "any": rng.beta(0.4, 0.4, size)}.get(
            law, rng.integers(0, 2, size).astype(float)
        )
        order = np.array(list(permutations(range(size), d)))
        x = pool[order]
        truth = (pool.sum() - x.sum(axis=1)) / (size - d)
        for delta in (0.6, 0.25, 0.1):
            limit = room_of_pool._lower_limit(x, np.full(len(x), delta), np.full(len(x), float(size - d)))
            assert np.mean(limit > truth + 1e-9) <= delta


def test_the_mean_product_of_draws_is_at_most_that_of_independent_ones() -> None:
    rng = np.random.default_rng(2)
    for _ in range(20):
        factors = rng.exponential(1.0, 9)
        for d in range(1, 10):
            mean = sum(np.prod(chosen) for chosen in combinations(factors, d)) / comb(9, d)
            assert mean <= factors.mean() ** d * (1 + 1e-12)


@pytest.mark.crossing(3)
@pytest.mark.parametrize("levels", [None, 3])
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(("size", "d"), [(8, 4), (9, 7), pytest.param(11, 5, marks=pytest.mark.long), (9, 2)])
def test_too_few_alike_keep_the_promise_over_every_draw(size: int, d: int, side: Any, levels: int | None) -> None:
    rng, missed_most = np.random.default_rng(size), 0.0
    which = np.array(list(combinations(range(size), d)))
    for trial in range(8):
        pool = rng.integers(0, 4, size) / 3 if trial % 2 or levels else rng.beta(0.3, 0.3, size)
        x = pool[which]
        truth = (pool.sum() - x.sum(axis=1)) / (size - d)
        for delta in (0.9, 0.3):
            claim = betting_pool(Pool(Losses(x), size - d, levels=levels), delta, side)
            missed = np.mean((truth < claim.lower - 1e-9) | (truth > claim.upper + 1e-9))
            missed_most = max(missed_most, missed / delta)
    assert missed_most <= 1.0


def world(kind: str, models: int, size: int) -> tuple[Array, Array, int]:
    """Which of many models say what on a pool, beside the truth: their errors are strongly or weakly correlated."""
    rng = np.random.default_rng(models)
    labels = 3 if kind == "three labels" else 2
    truth = rng.integers(0, labels, size)
    hard = np.where(rng.random(size) < 0.15, 0.9, 0.02) if kind == "strong" else rng.beta(0.4, 3.0, size)
    off = rng.integers(1, labels, (models, size))
    return truth, np.where(rng.random((models, size)) < hard, (truth + off) % labels, truth), labels


@pytest.mark.crossing(3)
@pytest.mark.parametrize("kind", ["strong", "weak", "three labels"])
@pytest.mark.parametrize("by_inputs", [True, False])
@pytest.mark.parametrize(("d", "models"), [(60, 40), pytest.param(130, 25, marks=pytest.mark.long), (100, 3)])
def test_claims_about_this_very_test_set_hold_whichever_examples_were_labelled(
    kind: str, by_inputs: bool, d: int, models: int
) -> None:
    size, runs, delta = 180, 250, 0.2
    truth, said, labels = world(kind, models, size)
    rng = np.random.default_rng(d)
    names, words = tuple(map(str, range(models))), tuple(map(str, range(labels)))
    weights = None if models == 3 else rng.random(models) if d == 60 else np.ones(models)
    share = np.ones(models) / models if weights is None else weights / weights.sum()
    losses = share @ (said != truth)
    pools, means = [], np.empty(runs)
    for run in range(runs):
        order = rng.permutation(size)
        seen, rest = order[:d], order[d:]
        panel = Panel(names, (said != truth)[:, seen], words, truth[seen], said[:, seen])
        pools.append(average_on(panel, Unlabelled(names, words, said[:, rest]), weights, by_inputs=by_inputs))
        means[run] = losses[rest].mean()
    pool = together(pools)
    assert np.all((pool.low - 1e-12 <= means) & (means <= pool.high + 1e-12))
    for bound in (betting_pool, hoeffding_difference, *([hypergeometric_levels] if pool.levels else [])):
        claim = bound(pool, delta)
        missed = int(np.sum((means < claim.lower) | (means > claim.upper)))
        assert missed == 0 or bdtrc(missed - 1, runs, delta) > BY_CHANCE, bound.name


def together(pools: list[Pool]) -> Pool:
    """Many pools in one, of equal sizes, so that one call answers for all."""
    offset, low, high = (np.array([getattr(pool, name) for pool in pools]) for name in ("offset", "low", "high"))
    values = Losses(np.stack([pool.values for pool in pools]))
    return Pool(values, pools[0].unlabelled, offset=offset, low=low, high=high, levels=pools[0].levels)


def test_many_unlabelled_approach_the_population() -> None:
    losses = Losses(np.random.default_rng(3).beta(1, 6, 400))
    pool, whole = betting_pool(Pool(losses, 10**12)), betting(losses)
    assert (pool.lower, pool.upper) == pytest.approx((whole.lower, whole.upper), abs=1e-7)


def test_bets_that_grow_pay_where_more_is_labelled_than_not() -> None:
    losses = Losses(np.random.default_rng(4).beta(0.5, 4.5, 1000))
    claim, normal = betting_pool(Pool(losses, 200)), 2 * 1.96 * sqrt(float(losses.s2) * (1 / 1000 + 1 / 200))
    assert claim.width < 1.5 * normal
    assert claim.width < 0.3 * hoeffding_difference(Pool(losses, 200)).width


def test_the_part_of_delta_that_is_kept_back_is_taken_from_the_bets() -> None:
    values = np.random.default_rng(6).beta(1, 3, 100)
    claim = betting_pool(Pool(Losses(values), 100), 0.05, "upper")
    level = 0.05 * (1 - kept_back(100))
    by_hand = room_of_pool._lower_limit(shuffled(1 - values[None]), np.array([level]), np.array([100.0]))
    assert claim.upper == pytest.approx(1 - by_hand[0], rel=1e-12)


def test_arrays_and_mirrors() -> None:
    values = np.random.default_rng(7).random((2, 50))
    claim = betting_pool(Pool(Losses(values), np.array([[20], [80], [80]])), 0.1)
    assert claim.upper.shape == (3, 2)
    alone = betting_pool(Pool(Losses(values[1]), 20), 0.1)
    assert (claim.lower[0, 1], claim.upper[0, 1]) == pytest.approx((alone.lower, alone.upper), rel=1e-13)
    other = betting_pool(Pool(Losses(1 - values[1]), 20), 0.1)
    assert (1 - other.upper, 1 - other.lower) == pytest.approx((alone.lower, alone.upper), abs=1e-12)


def test_no_labels_say_nothing_and_counts_are_refused() -> None:
    nothing = betting_pool(Pool(Losses([]), 5))
    assert (nothing.lower, nothing.upper, nothing.estimate) == (0.0, 1.0, None)
    with pytest.raises(HoldfastError, match="values"):
        betting_pool(Pool(Counts(3, 10), 5))


def test_without_an_order_the_limit_is_that_of_the_whole_pool_less_what_was_seen() -> None:
    x, rest, delta = np.array([[0.5, 0.5, 1.0, 1.0, 1.0, 0.75] * 5]), 12, 0.2
    whole = 1 - mixture(Losses(1 - x[0]), delta, "upper").upper
    limit = room_of_pool._unordered_lower_limit(x, np.array([delta]), np.array([float(rest)]), None)
    assert limit[0] == pytest.approx((whole * (30 + rest) - x.sum()) / rest, abs=1e-12)
    assert limit[0] > 0
