"""The mixture of bets: against a plain loop, whatever the order, and its promise by enumeration."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import gammaln, xlogy

from holdfast.bounds import mixture as room_of_mixture
from holdfast.evidence import Array, Losses
from holdfast.numerics.limit import Upper
from tests.tries import tries

Method = Callable[[Losses, Array], Upper]
PValue = Callable[[Losses, Array], Array]  # of the losses and the null
Points = tuple[float, ...]

# The formula, not the catalog entry: before anything is widened or rounded outward.
mixture: Method = room_of_mixture.mixture.upper

SAMPLES = {
    "one": [0.3],
    "two": [0.0, 1.0],
    "seven": [0.1, 0.9, 0.25, 0.3, 0.3, 0.0, 0.6],
    "one in ten": [0.0] * 18 + [1.0] * 2,
    "grades": [0.25 * (i % 5) for i in range(30)],
    "forty": [math.sin(i) ** 2 for i in range(40)],
    "equal": [0.7] * 20,
    "close": [0.5 + 1e-4 * i for i in range(25)],
}


def at(delta: float) -> Array:
    return np.asarray(delta)


def lower(method: Method, losses: Losses, delta: Array) -> Array:
    return method(losses.mirror(), delta).room


def mixture_p_value(losses: Losses, null: Array) -> Array:
    return room_of_mixture.mixture_p_value(losses, null, 1 - null)


# ---- The mathematics, against a loop that shares no line with it


def plain_wealth(y: list[float], m: float, delta: float) -> float:
    total = 0.0
    for j in range(12):
        bet = math.sqrt(2 * math.log(1 / delta) / (len(y) * 0.25 / 2**j))
        bet = min(bet, 0.98 / m) if m > 0 else bet
        total += math.prod(1 + bet * (value - m) for value in y) / 12
    return total


@pytest.mark.parametrize("delta", [0.5, 0.05, 0.001])
@pytest.mark.parametrize("name", SAMPLES)
def test_mixture_agrees_with_a_plain_loop(name: str, delta: float) -> None:
    y = [1 - x for x in SAMPLES[name]]
    limit, room = mixture(Losses(SAMPLES[name]), at(delta))
    assert limit == 1 - room
    if room > 0:
        assert plain_wealth(y, float(room), delta) >= (1 - 1e-12) / delta
    assert plain_wealth(y, float(room) + 1e-12, delta) < 1 / delta
    for m in np.linspace(0, 1, 301):
        if abs(m - room) > 1e-12:
            assert (plain_wealth(y, m, delta) >= 1 / delta) == (m < room)


@pytest.mark.parametrize("name", SAMPLES)
def test_p_value_agrees_with_a_plain_loop(name: str) -> None:
    nulls = np.linspace(0, 1, 21)
    expected = [min(1 / plain_wealth([1 - x for x in SAMPLES[name]], 1 - null, 0.05), 1.0) for null in nulls]
    assert mixture_p_value(Losses(SAMPLES[name]), nulls) == pytest.approx(expected, rel=1e-11)


# ---- Laws


values = st.lists(st.floats(0, 1), min_size=1, max_size=60)
deltas = st.floats(1e-12, 0.9)


@given(values, deltas)
@settings(max_examples=60, deadline=None)
def test_limits_are_in_range_and_no_mean_beyond_the_values_is_refuted(x: list[float], delta: float) -> None:
    limit, room = mixture(Losses(x), at(delta))
    assert 0 <= room <= 1 - min(x)
    assert min(x) <= limit <= 1


@given(values, deltas, st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_the_order_does_not_enter(x: list[float], delta: float, random: object) -> None:
    mixed = list(x)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    for order in (mixed, sorted(x), sorted(x, reverse=True)):
        assert mixture(Losses(order), at(delta)) == mixture(Losses(x), at(delta))
        assert mixture_p_value(Losses(order), at(0.5)) == mixture_p_value(Losses(x), at(0.5))


@given(values, deltas)
@settings(max_examples=60, deadline=None)
def test_the_mirrored_sample_has_the_mirrored_interval(x: list[float], delta: float) -> None:
    losses, mirrored = Losses(x), Losses(1 - np.asarray(x))
    assert mixture(mirrored, at(delta)).limit == pytest.approx(1 - lower(mixture, losses, at(delta)), abs=2e-14)
    assert lower(mixture, mirrored, at(delta)) == pytest.approx(1 - mixture(losses, at(delta)).limit, abs=2e-14)


@given(values)
@settings(max_examples=60, deadline=None)
def test_the_p_value_falls_as_the_null_rises_and_meets_the_limit(x: list[float]) -> None:
    losses = Losses(x)
    p = mixture_p_value(losses, np.linspace(0, 1, 40))
    assert np.all((p >= 0) & (p <= 1))
    assert np.all(np.diff(p) <= 1e-12)
    limit, room = mixture(losses, at(0.05))
    if room > 0:
        assert room_of_mixture.mixture_p_value(losses, limit, room) == pytest.approx(0.05, rel=1e-9)


def test_many_samples_are_as_good_as_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_of_mixture, "BLOCK", 12 * 90 * 4)  # several blocks, the last one not full
    x = np.random.default_rng(1).beta(1, 3, (2, 7, 90))
    x[0, 2], x[1, 4] = x[0, 2] > 0.3, 0.25
    levels, nulls = np.array([[[0.05]], [[0.3]], [[0.001]]]), np.array([[[0.2]], [[0.3]], [[0.4]]])
    limit, room = mixture(Losses(x), levels)
    p = mixture_p_value(Losses(x), nulls)
    assert limit.shape == room.shape == p.shape == (3, 2, 7)
    for i, j, k in itertools.product(range(3), range(2), range(7)):
        alone = mixture(Losses(x[j, k]), levels[i, 0, 0])
        assert room[i, j, k] == pytest.approx(alone.room, abs=1e-12)
        assert limit[i, j, k] == pytest.approx(alone.limit, abs=1e-12)
        assert p[i, j, k] == pytest.approx(mixture_p_value(Losses(x[j, k]), nulls[i, 0, 0]), rel=1e-10)


@given(st.lists(st.sampled_from([0.0, 0.1, 0.3, 0.7, 1.0]), min_size=1, max_size=200), deltas)
@settings(max_examples=60, deadline=None)
def test_a_value_that_occurs_often_counts_as_often(x: list[float], delta: float) -> None:
    compressed = mixture(Losses(x), at(delta))
    one_by_one = mixture(Losses([x, x]), at(delta))  # only a sample alone is compressed
    assert one_by_one.room == pytest.approx(np.full(2, compressed.room), abs=1e-12)
    assert one_by_one.limit == pytest.approx(np.full(2, compressed.limit), abs=1e-12)


# ---- Edges


def test_nothing_seen_is_nothing_known() -> None:
    assert mixture(Losses([]), at(0.05)) == Upper(np.asarray(1.0), np.asarray(0.0))
    assert mixture(Losses(np.zeros((3, 0))), at(0.05)).limit.tolist() == [1, 1, 1]
    assert mixture_p_value(Losses([]), at(0.3)) == 1


def test_no_samples_have_no_limits() -> None:
    assert mixture(Losses(np.zeros((0, 5))), at(0.05)).limit.shape == (0,)


@pytest.mark.parametrize("constant", [0.0, 0.3, 1.0])
def test_equal_losses(constant: float) -> None:
    previous = 1.0
    for n in (1, 10, 100, 1000):
        losses = Losses([constant] * n)
        limit, floor = float(mixture(losses, at(0.05)).limit), float(lower(mixture, losses, at(0.05)))
        assert floor <= constant <= limit <= previous
        previous = limit
    assert limit == 1 if constant == 1 else limit < constant + 0.01
    assert floor == 0 if constant == 0 else floor > constant - 0.01


@pytest.mark.parametrize("delta", [1e-300, 1e-12, 0.999, 1.0])
def test_extreme_delta(delta: float) -> None:
    for x in ([0.1] * 50, [0.0, 1.0] * 25, [1e-300, 5e-324, 1 - 2**-53]):
        for losses in (Losses(x), Losses(x).mirror()):
            limit, room = mixture(losses, at(delta))
            assert 0 <= room <= 1
            assert 0 <= limit <= 1


# ---- The promise, by enumeration (`test_betting` does the same)


def compositions(n: int, parts: int) -> Array:
    """How often each of so many values may occur among n, one row a way."""
    bars = np.array(list(itertools.combinations(range(n + parts - 1), parts - 1)))
    return np.diff(bars, axis=-1, prepend=-1, append=n + parts - 1) - 1


def samples_of(points: Points, counts: Array) -> Losses:
    repeated = np.repeat(np.tile(points, len(counts)), counts.reshape(-1))
    return Losses(repeated.reshape(len(counts), -1))


def chances(counts: Array, laws: Array) -> Array:
    """The chance of each composition (a column) under each law (a row)."""
    ways = gammaln(counts.sum(axis=-1) + 1) - gammaln(counts + 1).sum(axis=-1)
    return np.exp(ways + xlogy(counts, laws[:, np.newaxis]).sum(axis=-1))


def chance_of_a_miss(method: Method, points: Points, n: int, laws: Array | None = None) -> tuple[float, float]:
    """The largest over the laws, above and below, at delta = 0.05: all samples there are, sorted, in one call.

    Two points need no laws: which samples miss changes only at a limit, and just beyond one it is worst.
    """
    counts = compositions(n, len(points))
    losses = samples_of(points, counts)
    upper_limits, lower_limits = method(losses, at(0.05)).limit, lower(method, losses, at(0.05))
    if laws is None:
        small, large = points
        means = np.concatenate((upper_limits + 1e-12, lower_limits - 1e-12, np.linspace(small, large, 1001)))
        p = (means[(means > small) & (means < large)] - small) / (large - small)
        laws = np.stack((1 - p, p), axis=-1)
    mean, chance = (laws @ np.array(points))[:, np.newaxis], chances(counts, laws)
    # A mean just beyond a limit misses it; one that equals it up to rounding does not.
    return (
        float(np.sum(chance * (upper_limits < mean - 1e-13), axis=-1).max()),
        float(np.sum(chance * (lower_limits > mean + 1e-13), axis=-1).max()),
    )


def chances_of_a_small_p(p_value: PValue, points: Points, n: int, laws: Array) -> dict[float, float]:
    """For some levels, the largest over the laws and sides that the p-value of the true mean is at most the level."""
    counts = compositions(n, len(points))
    losses, mean, chance = samples_of(points, counts), (laws @ np.array(points))[:, np.newaxis], chances(counts, laws)
    p = np.stack((p_value(losses, mean), p_value(losses.mirror(), 1 - mean)))
    return {level: float(np.sum(chance * (p <= level), axis=-1).max()) for level in (0.5, 0.2, 0.05, 0.01)}


def some_laws(parts: int, number: int, *known: Points) -> Array:
    """Laws on so many points: even ones, ones near a corner or an edge, and those known to be bad for some bet."""
    rng = np.random.default_rng(parts)
    drawn = [rng.dirichlet(np.full(parts, evenness), number // 2) for evenness in (1.0, 0.3)]
    return np.concatenate((*drawn, np.reshape(known, (-1, parts))))


THREE = (0.0, 0.3, 1.0)


@tries("mixture", how="enumerated")
@pytest.mark.parametrize("n", [1, 2, 5, 30])
def test_the_promise_is_kept_for_0_and_1(n: int) -> None:
    assert max(chance_of_a_miss(mixture, (0.0, 1.0), n)) <= 0.05


@tries("mixture", how="enumerated")
@pytest.mark.parametrize("n", [1, 2, 5, 30])
def test_the_promise_is_kept_for_three_values(n: int) -> None:
    assert max(chance_of_a_miss(mixture, THREE, n, some_laws(3, 600))) <= 0.05


@pytest.mark.parametrize("points", [(0.0, 1.0), THREE], ids=str)
def test_the_p_value_keeps_its_promise(points: Points) -> None:
    found = chances_of_a_small_p(mixture_p_value, points, 12, some_laws(len(points), 100))
    assert all(chance <= level for level, chance in found.items())


# ---- The same check catches a method that cheats


def twice_the_delta(losses: Losses, delta: Array) -> Upper:
    return mixture(losses, 2 * delta)


def test_a_delta_twice_too_large_is_caught() -> None:
    assert min(chance_of_a_miss(twice_the_delta, (0.0, 1.0), 30)) > 0.05
    assert max(chance_of_a_miss(twice_the_delta, THREE, 30, some_laws(3, 600))) > 0.05


def test_weights_that_sum_to_two_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    class Generous(room_of_mixture._Bets):
        def log_wealth(self, m: Array) -> Array:
            return super().log_wealth(m) + np.log(2)

    monkeypatch.setattr(room_of_mixture, "_Bets", Generous)
    assert min(chance_of_a_miss(mixture, (0.0, 1.0), 30)) > 0.05
    assert max(chance_of_a_miss(mixture, THREE, 30, some_laws(3, 600))) > 0.05
    assert chances_of_a_small_p(mixture_p_value, (0.0, 1.0), 12, some_laws(2, 400))[0.05] > 0.05
