"""Betting on clusters: against a plain loop, and its promise by enumeration and simulation; pooled limits break it."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import bdtrc

from holdfast.bounds import betting as room_of_betting
from holdfast.bounds import clusters as room_of_clusters
from holdfast.bounds import shuffle as room_of_shuffle
from holdfast.bounds.betting import betting
from holdfast.bounds.binomial import clopper_pearson
from holdfast.bounds.bootstrap import bca, jackknife
from holdfast.bounds.clusters import cluster_betting, lower_limits
from holdfast.bounds.influence import influence
from holdfast.catalog import Bound
from holdfast.claims import Assumption
from holdfast.errors import UnfitMethod
from holdfast.evidence import Array, Counts, Integers, Losses
from holdfast.evidence.draws import Draws, Ratio
from holdfast.measures.rates import recall
from holdfast.numerics.limit import Upper
from holdfast.tally.designs.drawn import Drawn
from holdfast.tally.designs.reading import readings
from tests.bounds.test_mixture import at, chances, compositions, some_laws


class Samples(NamedTuple):
    """Events and trials of the clusters of many samples, the clusters along the last axis."""

    k: Integers
    n: Integers
    most: int

    def mirror(self) -> Samples:
        return self._replace(k=self.n - self.k)


Formula = Callable[[Samples, Array], Upper]
Pairs = list[tuple[int, int]]  # events and trials of a kind of cluster

BY_CHANCE = 1e-6


def formula(samples: Samples, delta: Array) -> Upper:
    """What cluster-betting says of many samples at once."""
    k, n, most = samples
    room = lower_limits(n - k, n, most, delta, drawn=False)
    return Upper(1.0 - room, room)


def lower(method: Formula, samples: Samples, delta: Array) -> Array:
    return method(samples.mirror(), delta).room


# ---- The mathematics, against a loop that shares no line with it


def plain_peak(pairs: Pairs, most: int, m: float, delta: float) -> float:
    """The largest wealth of bets on a rate of events above m, the clusters in the order given."""
    wealth = peak = 1.0
    events = trials = squares = off = largest = 0.0
    for t, (k, n) in enumerate(pairs):
        s, w = k / most, n / most
        variance = (0.25 * (1 + squares) / (t + 1) + off) / (t + 1)
        cap = min(0.98, 0.8 / largest) if largest else (0.8 if t == 0 else 0.98)
        bet = min(math.sqrt(2 * math.log(1 / delta) / (len(pairs) * variance)), cap / m if m else math.inf)
        wealth *= 1 + bet * (s - m * w)
        peak = max(peak, wealth)
        events, trials, squares, largest = events + s, trials + w, squares + w * w, max(largest, w)
        off += (s - (0.5 + events) / (1 + trials) * w) ** 2
    return peak


def some_pairs(number: int, seed: int) -> Pairs:
    random = np.random.default_rng(seed)
    n = random.integers(0, 7, number)
    return list(zip(random.binomial(n, 0.3).tolist(), n.tolist(), strict=True))


@pytest.mark.parametrize("delta", [0.3, 0.05, 1e-4])
@pytest.mark.parametrize(("number", "most"), [(1, 6), (5, 6), (40, 6), (40, 30), (100, 7)])
def test_the_wealth_agrees_with_a_plain_loop(number: int, most: int, delta: float) -> None:
    pairs = some_pairs(number, number)
    events, trials = (np.array(side, float)[np.newaxis] / most for side in zip(*pairs, strict=True))
    game = room_of_clusters._Game(events, trials, np.array([-math.log(delta)]))
    for m in (0.0, 0.01, 0.1, 0.25, 0.4, 0.9, 1.0):
        assert float(game.log_wealth(np.array([m]))[0]) == pytest.approx(
            math.log(plain_peak(pairs, most, m, delta)), abs=1e-9
        )


def test_full_clusters_are_bets_on_their_shares() -> None:
    k = np.random.default_rng(3).binomial(5, 0.2, (4, 60)).astype(float)
    target = np.full(4, 3.0)
    ours, theirs = room_of_clusters._Game(k / 5, np.ones(k.shape), target), room_of_betting._Game(k / 5, target)
    for m in (0.0, 0.05, 0.2, 0.5, 1.0):
        column = np.full(4, m)
        assert ours.log_wealth(column) == pytest.approx(theirs.log_wealth(column), abs=1e-12)


def test_the_limit_is_where_the_wealth_reaches_its_target() -> None:
    n = np.random.default_rng(5).integers(1, 30, 300)
    k = np.random.default_rng(6).binomial(n, 0.2)
    pairs = room_of_clusters._Pairs(40)
    rows, target = pairs.packed(k, n)[np.newaxis], np.array([0.05])
    found = pairs.lower_limit(rows, target)
    game = room_of_clusters._Game(*pairs.unpacked(rows), -np.log(target))
    assert game.log_wealth(found) >= -np.log(0.05) > game.log_wealth(found + 1e-9)
    unordered = float(pairs.unordered_lower_limit(rows, target)[0])

    def wealth(m: float) -> float:
        bets = [min(math.sqrt(2 * math.log(20) / (300 * 0.25 / 2**j)), 0.98 / m) for j in range(12)]
        return sum(math.prod(1 + bet * (a - m * b) / 40 for a, b in zip(k, n, strict=True)) for bet in bets) / 12

    assert wealth(unordered) >= 20 * (1 - 1e-9)
    assert wealth(unordered + 1e-9) < 20


@given(st.integers(1, 2**25), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_what_is_packed_is_unpacked(most: int, random: object) -> None:
    n = np.array([random.randint(0, most) for _ in range(20)] + [0, most])  # type: ignore[attr-defined]
    k = np.array([random.randint(0, int(size)) for size in n])  # type: ignore[attr-defined]
    pairs = room_of_clusters._Pairs(most)
    packed = pairs.packed(k, n)
    assert np.all((packed >= 0) & (packed <= 1))
    events, trials = pairs.unpacked(packed)
    assert np.rint(events * most).tolist() == k.tolist()
    assert np.rint(trials * most).tolist() == n.tolist()


# ---- Laws


def test_the_order_of_the_clusters_does_not_enter() -> None:
    n = np.random.default_rng(1).integers(1, 9, 80)
    k = np.random.default_rng(2).binomial(n, 0.3)
    order = np.random.default_rng(3).permutation(80)
    claims = [cluster_betting(Ratio.of_counts(Counts(a, b), most=10)) for a, b in ((k, n), (k[order], n[order]))]
    assert (claims[0].lower, claims[0].upper) == (claims[1].lower, claims[1].upper)


def test_many_samples_are_as_good_as_one_by_one() -> None:
    random = np.random.default_rng(4)
    n = random.integers(1, 5, (6, 40))
    n[2] = 1
    k = random.binomial(n, 0.2)
    k[3] = 0
    together = Samples(k, n, 5)
    upper_limits, lower_ones = formula(together, at(0.025)).limit, lower(formula, together, at(0.025))
    for i in range(6):
        alone = cluster_betting(Ratio.of_counts(Counts(k[i], n[i]), most=5))
        assert (alone.lower, alone.upper) == pytest.approx((lower_ones[i], upper_limits[i]), abs=1e-12)
        below = cluster_betting(Ratio.of_counts(Counts(k[i], n[i]), most=5), 0.025, "lower")
        assert below.lower == pytest.approx(alone.lower, abs=1e-12)


def test_clusters_alike_may_be_kept_once_with_their_number() -> None:
    k, n, times = np.array([0.0, 1.0, 3.0]), np.array([2.0, 4.0, 4.0]), np.array([20, 9, 6])
    once = cluster_betting(Ratio(k, n, Draws(times.astype(float), most=5), levels=(0.0, 1.0)))
    counts = Counts(np.repeat(k, times).astype(int), np.repeat(n, times).astype(int))
    each = cluster_betting(Ratio.of_counts(counts, most=5))
    assert (once.lower, once.upper, once.n) == (each.lower, each.upper, 35)


@pytest.mark.parametrize(
    "ratio",
    [
        Ratio(np.array([0.5, 1.0]), np.array([1.0, 1.0]), Draws(np.ones(2), most=2), graded=True),
        Ratio(np.array([0.0, 1.5]), np.array([1.5, 1.5]), Draws(np.ones(2), most=3), levels=(0.0, 1.0)),
        Ratio(np.array([0.0, 2.0]), np.array([1.0, 2.0]), Draws(np.ones(2), most=2.5), levels=(0.0, 1.0)),
    ],
    ids=["partial credit", "weights", "a cap on weights"],
)
def test_what_are_no_counts_is_refused(ratio: Ratio) -> None:
    with pytest.raises(UnfitMethod, match="use squares"):
        cluster_betting(ratio)


def test_a_larger_cap_widens() -> None:
    n = np.full(200, 4)
    k = np.random.default_rng(7).binomial(n, 0.25)
    widths = [cluster_betting(Ratio.of_counts(Counts(k, n), most=most)).width for most in (4, 8, 40, 400)]
    assert widths == sorted(widths)
    assert widths[0] < 0.2 < widths[-1]


def test_it_says_what_it_assumes() -> None:
    claim = cluster_betting(Ratio.of_counts(Counts([0, 1], [2, 2]), most=2))
    assert {Assumption.CLUSTERS, Assumption.CAPPED_CLUSTERS} < set(claim.assumes)
    assert Assumption.INDEPENDENT not in claim.assumes
    assert claim.n == 2


@pytest.mark.parametrize("number", [0, 1, 2])
def test_hardly_a_cluster_says_hardly_anything(number: int) -> None:
    for trials in (0, 1, 3):
        claim = cluster_betting(Ratio.of_counts(Counts(np.zeros(number, int), np.full(number, trials)), most=3))
        assert (claim.lower, claim.upper > 0.8) == (0.0, True)
        assert (claim.estimate is None) == (number * trials == 0)


def test_without_a_cap_there_is_no_limit() -> None:
    with pytest.raises(UnfitMethod, match="the most that one can hold"):
        cluster_betting(Ratio.of_counts(Counts([0], [1])))
    with pytest.raises(UnfitMethod, match="takes Ratio"):
        cluster_betting(Losses([0.0, 1.0]))


# ---- The promise, by enumeration

KINDS: dict[str, tuple[Pairs, int, tuple[int, ...]]] = {
    "one or two questions": ([(0, 1), (1, 1), (0, 2), (1, 2), (2, 2)], 2, (6, 9, 12)),
    "the large are wrong": ([(0, 1), (10, 10)], 10, (6, 30, 100)),
    "the large are right": ([(1, 1), (0, 10)], 10, (6, 30, 100)),
    "three kinds": ([(0, 1), (1, 1), (5, 5)], 5, (12, 40)),
    "mostly empty": ([(0, 0), (0, 1), (1, 1)], 1, (12, 40)),
}


def chance_of_a_miss(method: Formula, kinds: Pairs, most: int, number: int, laws: Array) -> tuple[float, float]:
    """The largest over the laws, above and below, at delta = 0.05, over all samples of so many clusters."""
    counts, (events, trials) = compositions(number, len(kinds)), np.array(kinds).T
    which = np.repeat(np.tile(np.arange(len(kinds)), len(counts)), counts.reshape(-1)).reshape(len(counts), -1)
    clusters = Samples(events[which], trials[which], most)
    upper_limits, lower_ones = method(clusters, at(0.05)).limit, lower(method, clusters, at(0.05))
    laws = laws[laws @ trials > 0]
    truth, chance = ((laws @ events) / (laws @ trials))[:, np.newaxis], chances(counts, laws)
    return (
        float(np.sum(chance * (upper_limits < truth - 1e-13), axis=-1).max()),
        float(np.sum(chance * (lower_ones > truth + 1e-13), axis=-1).max()),
    )


def laws_on(kinds: Pairs) -> Array:
    drawn = some_laws(len(kinds), 300)
    if len(kinds) > 2:
        return drawn
    rare = np.linspace(0.0005, 0.9995, 400)
    return np.concatenate((drawn, np.stack((rare, 1 - rare), axis=-1)))


@pytest.mark.parametrize("name", KINDS)
def test_the_promise_is_kept_by_enumeration(name: str) -> None:
    kinds, most, numbers = KINDS[name]
    for number in numbers:
        assert max(chance_of_a_miss(formula, kinds, most, number, laws_on(kinds))) <= 0.05


SIX = [(0, 1), (1, 1), (0, 2), (2, 2), (0, 5), (5, 5)]


@pytest.mark.long
def test_the_promise_is_kept_where_some_samples_have_enough_others_like_them() -> None:
    assert max(chance_of_a_miss(formula, SIX, 5, 20, some_laws(6, 100))) <= 0.05
    nine = [(k, n) for n in (1, 2, 3) for k in range(n + 1)]
    assert max(chance_of_a_miss(formula, nine, 3, 9, some_laws(9, 100))) <= 0.05


# ---- The promise, by simulation: the questions of a cluster are all right or all wrong together

SIZES: dict[str, list[tuple[int, float, float]]] = {  # size of the cluster, how frequent, how often it is wrong
    "all alike": [(6, 1.0, 0.15)],
    "any size": [(size, 0.1, 0.2) for size in range(1, 11)],
    "the large are wrong": [(1, 0.5, 0.05), (4, 0.4, 0.2), (20, 0.1, 0.7)],
    "the large are right": [(1, 0.5, 0.5), (4, 0.4, 0.2), (20, 0.1, 0.02)],
    "hardly an error": [(2, 0.5, 0.01), (8, 0.5, 0.02)],
}
RUNS = 1500


def drawn(name: str, number: int, seed: int) -> tuple[Integers, Integers, float, float]:
    """Events and trials, the true rate over all questions, and that of the average cluster."""
    sizes, often, wrong = (np.array(column) for column in zip(*SIZES[name], strict=True))
    random = np.random.default_rng(seed)
    which = random.choice(len(sizes), p=often, size=(RUNS, number))
    n = sizes[which]
    k = np.where(random.random(n.shape) < wrong[which], n, 0)
    return k, n, float(np.sum(often * sizes * wrong) / np.sum(often * sizes)), float(np.sum(often * wrong))


def chance_of_so_many(missed: Array) -> float:
    """Of as many misses or more, were they as rare as promised."""
    return float(bdtrc(int(np.sum(missed)) - 1, RUNS, 0.05))


@pytest.mark.long
@pytest.mark.parametrize("number", [20, 60])
@pytest.mark.parametrize("name", SIZES)
def test_rates_over_all_questions_are_covered(name: str, number: int) -> None:
    k, n, truth, _ = drawn(name, number, seed=number)
    clusters = Samples(k, n, 20)
    assert chance_of_so_many(formula(clusters, at(0.05)).limit < truth) > BY_CHANCE
    assert chance_of_so_many(lower(formula, clusters, at(0.05)) > truth) > BY_CHANCE


@pytest.mark.long
@pytest.mark.parametrize("name", SIZES)
def test_rates_of_the_average_cluster_are_covered(name: str) -> None:
    k, n, _, truth = drawn(name, 40, seed=40)
    shares = Losses(k / n)
    one = betting(Ratio.of_counts(Counts(k[0], n[0])).of_average_draw, 0.05, "upper")
    assert one.upper == pytest.approx(betting(shares, 0.05, "upper").upper[0], rel=1e-12)
    assert chance_of_so_many(betting(shares, 0.05, "upper").upper < truth) > BY_CHANCE
    assert chance_of_so_many(betting(shares, 0.05, "lower").lower > truth) > BY_CHANCE


@pytest.mark.parametrize("name", [name for name in SIZES if name != "hardly an error"])
def test_pooled_limits_fail_badly_beside_them(name: str) -> None:
    k, n, truth, _ = drawn(name, 80, seed=80)
    pooled = clopper_pearson(Counts(k.sum(axis=-1), n.sum(axis=-1)), 0.05)
    missed = (pooled.lower > truth) | (pooled.upper < truth)
    ours = Samples(k, n, 20)
    above, below = lower(formula, ours, at(0.025)) > truth, formula(ours, at(0.025)).limit < truth
    assert np.mean(missed) > 0.25
    assert np.mean(above | below) < 0.05


def test_where_sizes_and_errors_go_together_the_average_cluster_is_another_question() -> None:
    k, n, over_questions, of_clusters = drawn("the large are wrong", 80, seed=1)
    assert over_questions > 2 * of_clusters
    assert np.mean(betting(Losses(k / n), 0.05, "upper").upper < over_questions) > 0.9


@pytest.mark.long
@pytest.mark.parametrize("method", [influence, jackknife, bca])
def test_other_measures_are_covered_with_many_clusters_and_pooled_ones_are_not(method: Bound) -> None:
    random, runs, truth = np.random.default_rng(12), 200, 0.8
    missed = pooled_missed = 0
    for _ in range(runs):
        sizes = random.integers(1, 11, 100)
        label, hit = random.integers(0, 2, 100), random.random(100) < truth
        rows = Drawn(
            Draws(np.ones(100)),
            np.arange(100),
            sizes.astype(float),
            label,
            np.where(hit, label, 1 - label),
            labels=("a", "b"),
            truths=np.arange(2),
        )
        [(_, ratio)] = readings(recall, rows, ["b"])
        assert isinstance(ratio, Ratio)
        claim = method(ratio if method is influence else ratio.redrawn, 0.05)
        of_class = label == 1
        pooled = clopper_pearson(Counts(sizes[of_class & hit].sum(), sizes[of_class].sum()), 0.05)
        missed += not claim.lower <= truth <= claim.upper
        pooled_missed += not pooled.lower <= truth <= pooled.upper
    assert bdtrc(missed - 1, runs, 0.1) > BY_CHANCE  # only as the clusters grow many: not held to 5 %
    assert bdtrc(pooled_missed - 1, runs, 0.2) < BY_CHANCE


# ---- The same checks catch a method that cheats


def test_a_delta_twice_too_large_is_caught() -> None:
    def generous(clusters: Samples, delta: Array) -> Upper:
        return formula(clusters, 2 * delta)

    kinds, most, _ = KINDS["the large are wrong"]
    assert max(chance_of_a_miss(generous, kinds, most, 100, laws_on(kinds))) > 0.05


def test_a_cap_read_off_the_clusters_is_caught() -> None:
    def seen(clusters: Samples, delta: Array) -> Upper:
        sizes = clusters.n.max(axis=-1)
        rows = [Samples(k, n, int(size)) for k, n, size in zip(clusters.k, clusters.n, sizes, strict=True)]
        room = np.array([float(formula(row, delta).room) for row in rows])
        return Upper(1 - room, room)

    kinds, most, _ = KINDS["the large are wrong"]
    assert max(chance_of_a_miss(seen, kinds, most, 30, laws_on(kinds))) > 0.2


def test_sizes_that_are_ignored_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    class Equal(room_of_clusters._Pairs):
        def unpacked(self, packed: Array) -> tuple[Array, Array]:
            events, trials = super().unpacked(packed)
            return np.divide(events, trials, out=np.zeros(events.shape), where=trials > 0), np.ones(trials.shape)

    monkeypatch.setattr(room_of_clusters, "_Pairs", Equal)
    k, n, truth, _ = drawn("the large are wrong", 80, seed=80)
    assert chance_of_so_many(formula(Samples(k, n, 20), at(0.05)).limit < truth) < BY_CHANCE


def test_a_bet_that_has_seen_the_cluster_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    class Peeking(room_of_clusters._Game):
        def __init__(self, events: Array, trials: Array, target: Array) -> None:
            super().__init__(events, trials, target)
            self.stake = self.stake * np.where(self.events > 0.9 * self.trials, 1.3, 0.7)

    monkeypatch.setattr(room_of_clusters, "_Game", Peeking)
    random = np.random.default_rng(9)
    n = random.integers(1, 11, (500, 200))
    k = np.where(random.random(n.shape) < 0.5, n, 0)
    missed = int(np.sum(formula(Samples(k, n, 10), at(0.05)).limit < 0.5))
    assert bdtrc(missed - 1, 500, 0.05) < BY_CHANCE


@pytest.mark.long
def test_bets_on_few_kinds_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(values: Array, delta: Array) -> Array:
        return np.zeros(np.broadcast_shapes(values.shape[:-1], delta.shape), dtype=bool)

    monkeypatch.setattr(room_of_shuffle, "too_few_alike", never)
    monkeypatch.setattr(room_of_shuffle, "kept_back", lambda number: 1e-12)
    for name in ("the large are wrong", "three kinds"):
        kinds, most, _ = KINDS[name]
        assert max(chance_of_a_miss(formula, kinds, most, 30, laws_on(kinds))) > 0.05
