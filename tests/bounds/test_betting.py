"""Betting: the mathematics against a plain loop, the shuffle against its promise, and the promise itself."""

from __future__ import annotations

import hashlib
import itertools
import math
import struct
import warnings
from collections.abc import Callable, Iterator

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import bdtrc
from scipy.stats import binom, multinomial

from holdfast.bounds import betting as room_of_betting
from holdfast.bounds.bounded import bentkus, bentkus_p_value
from holdfast.evidence import Array, Losses
from holdfast.numerics.limit import Upper

Method = Callable[[Losses, Array], Upper]

# The formulas, not the catalog entries: before anything is widened or rounded outward.
betting: Method = room_of_betting.betting.upper
star: Method = room_of_betting.star.upper
betting_p_value = room_of_betting.betting_p_value
KEPT_BACK = room_of_betting.KEPT_BACK
SPENT = 1 - KEPT_BACK  # the part of delta that is bet
BY_CHANCE = 1e-6

SAMPLES = {
    "one": [0.3],
    "seven": [0.1, 0.9, 0.25, 0.3, 0.3, 0.0, 0.6],
    "sixteen": [i / 40 for i in range(16)],
    "seventeen": [0.02 * (i % 5) for i in range(17)],
    "forty": [math.sin(i) ** 2 for i in range(40)],
    "equal": [0.7] * 20,
}
TWO_VALUED = {
    "two": [0.0, 1.0],
    "one in ten": [0.0] * 18 + [1.0] * 2,
    "halves": [0.5, 0.0, 0.0, 0.5, 0.5, 0.0],
    "not from 0": [1.0] + [0.1] * 30,
}


@pytest.fixture(autouse=True)
def no_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def at(delta: float) -> Array:
    return np.asarray(delta)


def lower(method: Method, losses: Losses, delta: Array) -> Array:
    return method(losses.mirror(), delta).room


# ---- The mathematics, against loops that share no line with it


def plain_shuffle(values: list[float]) -> list[float]:
    ordered = sorted(values)
    marks = [int((1 - (1 - value)) * 2**53) for value in ordered]
    digest = hashlib.sha256(struct.pack(f"<{len(marks)}q", *marks)).digest()
    words = np.random.PCG64(int.from_bytes(digest[:16], "little")).random_raw(len(marks)).tolist()
    bits = len(marks).bit_length()
    return [value for _, _, value in sorted((word >> bits, i, ordered[i]) for i, word in enumerate(words))]


def plain_peak(sequence: list[float], m: float, delta: float) -> float:
    n, wealth, peak, total, squares = len(sequence), 1.0, 1.0, 0.0, 0.0
    for t, x in enumerate(sequence, start=1):
        bet = math.sqrt(2 * math.log(1 / delta) / (n * (0.25 + squares) / t))
        wealth *= 1 + (min(bet, room_of_betting.CAP / m) if m > 0 else bet) * (x - m)
        peak = max(peak, wealth)
        total += x
        squares += (x - (0.5 + total) / (t + 1)) ** 2
    return peak


def plain_star(sequence: list[float], delta: float) -> float:
    n, points = len(sequence), room_of_betting._grid_points(len(sequence))
    last = 0.0
    for j in range(1, points):
        m = math.sin(math.pi / 2 * j / points) ** 2
        wealth = peak = 1.0
        for t, x in enumerate(sequence, start=1):
            spread = m * (1 - m)
            if t > 1:
                seen = sum((y - m) ** 2 for y in sequence[: t - 1]) / (t - 1)
                spread = min(seen + m * n / (t - 1) ** 2, spread)
            missing = max(math.log(1 / delta) - math.log(wealth), 0.0)
            bet = min(math.sqrt(2 * missing / ((n - t + 1) * (spread + 1e-4))), 1 / (m + 1e-4))
            wealth *= 1 + bet * (x - m)
            peak = max(peak, wealth)
        if peak < 1 / delta:
            return last
        last = m
    return last


@pytest.mark.parametrize("delta", [0.5, 0.05, 0.001])
@pytest.mark.parametrize("name", SAMPLES)
def test_betting_agrees_with_a_plain_loop(name: str, delta: float) -> None:
    sequence, spent = plain_shuffle([1 - x for x in SAMPLES[name]]), SPENT * delta
    limit, room = betting(Losses(SAMPLES[name]), at(delta))
    assert limit == 1 - room
    if room > 0:
        assert plain_peak(sequence, float(room), spent) >= (1 - 1e-12) / spent
    if room < max(sequence):
        assert plain_peak(sequence, float(room) + 1e-12, spent) < 1 / spent
    for m in np.linspace(0, 1, 301):
        if abs(m - room) > 1e-12:
            assert (plain_peak(sequence, m, spent) >= 1 / spent) == (m < room)


@pytest.mark.parametrize("delta", [0.5, 0.05])
@pytest.mark.parametrize("name", ["one", "seven", "sixteen"])
def test_star_agrees_with_a_plain_loop(name: str, delta: float) -> None:
    sequence = plain_shuffle([1 - x for x in SAMPLES[name]])
    limit, room = star(Losses(SAMPLES[name]), at(delta))
    assert room == pytest.approx(plain_star(sequence, SPENT * delta), abs=1e-14)
    assert limit + room == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize("delta", [0.5, 0.05, 0.001])
@pytest.mark.parametrize("name", TWO_VALUED)
@pytest.mark.parametrize("method", [betting, star])
def test_two_values_are_answered_by_bentkus(method: Method, name: str, delta: float) -> None:
    for losses in (Losses(TWO_VALUED[name]), Losses(TWO_VALUED[name]).mirror()):
        assert method(losses, at(delta)) == bentkus.upper(losses, at(KEPT_BACK * delta))


@pytest.mark.parametrize("name", SAMPLES)
def test_p_value_agrees_with_a_plain_loop(name: str) -> None:
    sequence = plain_shuffle([1 - x for x in SAMPLES[name]])
    nulls = np.linspace(0, 1, 21)
    expected = [min(1 / plain_peak(sequence, 1 - null, 0.05) / SPENT, 1.0) for null in nulls]
    assert betting_p_value(Losses(SAMPLES[name]), nulls) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", TWO_VALUED)
def test_p_value_of_two_values_is_that_of_bentkus(name: str) -> None:
    nulls = np.linspace(0, 1, 21)
    for losses in (Losses(TWO_VALUED[name]), Losses(TWO_VALUED[name]).mirror()):
        expected = np.minimum(bentkus_p_value(losses, nulls) / KEPT_BACK, 1)
        assert betting_p_value(losses, nulls).tolist() == expected.tolist()


def test_exactly_two_different_values() -> None:
    for x in ([], [0.3], [0.3] * 4, [0.0, 0.5, 1.0], [0.2, 0.2, 0.3, 0.4]):
        assert not room_of_betting._two_valued(np.array(x))
    for x in ([0.0, 1.0], [0.3, 0.2, 0.3], [0.5, 0.5, 0.5 + 2**-53]):
        assert room_of_betting._two_valued(np.array(x))
    assert room_of_betting._two_valued(np.array([[0.1, 0.2, 0.1], [0.1, 0.2, 0.3], [0.1] * 3])).tolist() == [1, 0, 0]


# ---- Laws


values = st.lists(st.floats(0, 1), max_size=60)
# Values that 1 - x does not round. Two that it rounds together are two on one side only: see the xfail below.
mirrorable = st.lists(st.floats(0, 1).map(lambda x: 1 - (1 - x)), min_size=1, max_size=60)
deltas = st.floats(1e-12, 0.9)


@given(values, deltas)
@settings(max_examples=60, deadline=None)
def test_limits_are_in_range_and_no_mean_beyond_the_values_is_refuted(x: list[float], delta: float) -> None:
    losses = Losses(x)
    limit, room = betting(losses, at(delta))
    assert 0 <= room <= max(losses.mirror().values, default=0)
    assert min(x, default=1) <= limit <= 1


@given(st.lists(st.floats(0, 1), min_size=1, max_size=12), deltas)
@settings(max_examples=20, deadline=None)
def test_star_limits_are_in_range(x: list[float], delta: float) -> None:
    limit, room = star(Losses(x), at(delta))
    assert 0 <= room <= max(1 - min(x), 0)
    assert limit + room == pytest.approx(1, abs=1e-15)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=60), st.randoms(use_true_random=False))
@settings(max_examples=40, deadline=None)
def test_the_order_of_the_rows_is_nothing_to_it(x: list[float], random: object) -> None:
    mixed = list(x)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    expected = betting(Losses(x), at(0.05))
    for order in (mixed, sorted(x), sorted(x, reverse=True)):
        assert betting(Losses(order), at(0.05)) == expected
    assert betting_p_value(Losses(mixed), at(0.5)) == betting_p_value(Losses(x), at(0.5))
    assert star(Losses(mixed[:8]), at(0.05)) == star(Losses(sorted(mixed[:8])), at(0.05))


@given(mirrorable, deltas)
@settings(max_examples=60, deadline=None)
def test_the_mirrored_sample_has_the_mirrored_interval(x: list[float], delta: float) -> None:
    losses, mirrored = Losses(x), Losses(1 - np.asarray(x))
    assert betting(mirrored, at(delta)).limit == pytest.approx(1 - lower(betting, losses, at(delta)), abs=2e-14)
    assert lower(betting, mirrored, at(delta)) == pytest.approx(1 - betting(losses, at(delta)).limit, abs=2e-14)


@pytest.mark.xfail(strict=True, reason="_two_valued looks at x, the bets and the hash at 1 - x, where two may be one")
@pytest.mark.parametrize("x", [[0.0, 1e-199], [0.1, math.nextafter(0.1, 1)] * 5], ids=["tiny", "neighbours"])
def test_values_that_differ_only_before_they_are_mirrored(x: list[float]) -> None:
    losses, mirrored = Losses(x), Losses(1 - np.asarray(x))
    assert lower(betting, mirrored, at(0.5)) == pytest.approx(1 - betting(losses, at(0.5)).limit, abs=2e-14)


@given(mirrorable)
@settings(max_examples=40, deadline=None)
def test_the_p_value_falls_as_the_null_rises_and_meets_the_limit(x: list[float]) -> None:
    losses = Losses(x)
    p = betting_p_value(losses, np.linspace(0, 1, 40))
    assert np.all((p[:-1] > 0) & (p[:-1] <= 1))
    assert 0 <= p[-1] <= 1  # with a mean of 1, losses below 1 are not surprising but impossible
    assert np.all(np.diff(p) <= 1e-12)
    delta = room_of_betting.TUNED_FOR / SPENT  # the bets are the same at this delta, and only there
    limit, room = betting(losses, at(delta))
    if room > 1e-9:
        assert betting_p_value(losses, limit) == pytest.approx(delta, rel=1e-5)


def test_many_samples_are_as_good_as_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_of_betting, "BLOCK", 500)  # several blocks, the last one not full
    x = np.random.default_rng(1).beta(1, 3, (2, 7, 90))
    x[0, 2], x[1, 4] = x[0, 2] > 0.3, np.where(x[1, 4] > 0.3, 0.5, 0.1)  # two-valued ones among the others
    levels = np.array([[[0.05]], [[0.3]], [[0.001]]])
    for method in (betting, star):
        limit, room = method(Losses(x), levels)
        assert limit.shape == room.shape == (3, 2, 7)
        for i, j, k in itertools.product(range(3), range(2), range(7)):
            alone = method(Losses(x[j, k]), levels[i, 0, 0])
            assert room[i, j, k] == pytest.approx(alone.room, abs=1e-14)
    p = betting_p_value(Losses(x), np.full((3, 1, 1), 0.3))
    assert p.shape == (3, 2, 7)
    assert p[0, 1, 2] == pytest.approx(betting_p_value(Losses(x[1, 2]), at(0.3)))


# ---- Edges


@pytest.mark.parametrize("method", [betting, star])
def test_nothing_seen_is_nothing_known(method: Method) -> None:
    assert method(Losses([]), at(0.05)) == Upper(np.asarray(1.0), np.asarray(0.0))
    assert method(Losses(np.zeros((3, 0))), at(0.05)).limit.tolist() == [1, 1, 1]
    assert betting_p_value(Losses([]), at(0.3)) == 1


@pytest.mark.parametrize("method", [betting, star])
@pytest.mark.parametrize("constant", [0.0, 0.3, 1.0])
def test_equal_losses(method: Method, constant: float) -> None:
    previous = 1.0
    for n in (1, 10, 100, 1000):
        losses = Losses([constant] * n)
        limit, floor = float(method(losses, at(0.05)).limit), float(lower(method, losses, at(0.05)))
        assert floor <= constant <= limit <= previous
        previous = limit
    assert limit == 1 if constant == 1 else limit < constant + 0.02
    assert floor == 0 if constant == 0 else floor > constant - 0.02


def test_one_example_at_a_usual_delta_refutes_nothing() -> None:
    assert betting(Losses([0.0]), at(0.05)).limit == 1


@pytest.mark.parametrize("delta", [1e-300, 1e-12, 0.999, 1.0])
def test_extreme_delta(delta: float) -> None:
    for x in ([0.1] * 50, [0.0, 1.0] * 25, [1e-300, 5e-324, 1 - 2**-53]):
        for losses in (Losses(x), Losses(x).mirror()):
            limit, room = betting(losses, at(delta))
            assert 0 <= room <= 1
            assert 0 <= limit <= 1


def test_pinned_so_that_a_change_of_numpy_or_of_the_shuffle_shows() -> None:
    losses = Losses([(i * i % 101) / 101 for i in range(200)])
    assert betting(losses, at(0.05)).limit == pytest.approx(PINNED[0], abs=1e-12)
    assert lower(betting, losses, at(0.05)) == pytest.approx(PINNED[1], abs=1e-12)
    assert star(losses, at(0.05)).limit == pytest.approx(PINNED[2], abs=1e-12)
    assert betting_p_value(losses, at(0.55)) == pytest.approx(PINNED[3], abs=1e-12)
    assert room_of_betting._order(hashlib.sha256(b"").digest(), 12).tolist() == PINNED_ORDER


PINNED = (0.5506685890512137, 0.4623403073724852, 0.541370132274688, 0.0541424535703782)
PINNED_ORDER = [2, 5, 6, 3, 1, 9, 0, 4, 7, 8, 11, 10]

# ---- The promise


def two_points(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    return np.where(rng.random(shape) < 0.15, 1.0, 0.0)


def three_points(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    return rng.choice([0.0, 0.5, 1.0], p=[0.3, 0.5, 0.2], size=shape)


def extremes(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    return rng.beta(0.1, 0.1, shape)


def mostly_zero(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    return np.where(rng.random(shape) < 0.95, 0.0, rng.random(shape))


def nearly_constant(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    return rng.uniform(0.2, 0.3, shape)


LAWS = {three_points: 0.45, extremes: 0.5, mostly_zero: 0.025, nearly_constant: 0.25}
RUNS = {(betting, 30): 4_000, (betting, 200): 2_000, (star, 30): 1_000, (star, 200): 400}


def chance_of_so_many_misses(method: Method, law: Callable[..., Array], mean: float, n: int, runs: int) -> float:
    """The smaller over both sides of P(Bin(runs, .05) >= misses): what a kept promise would make of the misses."""
    losses = Losses(np.sort(law(np.random.default_rng(n), (runs, n)), axis=-1))  # as an engine may leave them
    missed_above = int(np.sum(method(losses, at(0.05)).limit < mean - 1e-12))
    missed_below = int(np.sum(lower(method, losses, at(0.05)) > mean + 1e-12))
    return float(bdtrc(max(missed_above, missed_below) - 1, runs, 0.05))


@pytest.fixture
def coarse(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any grid fixed beforehand keeps the promise; a coarse one is cheaper to simulate."""
    monkeypatch.setattr(room_of_betting, "_grid_points", lambda n: 256)


@pytest.fixture
def salted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A fresh shuffle for every sample, also for samples that are equal."""
    salts = itertools.count()
    monkeypatch.setattr(
        room_of_betting, "sha256", lambda marks: hashlib.sha256(next(salts).to_bytes(8, "little") + bytes(marks))
    )


@pytest.fixture
def unguarded(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bets on everything, two-valued samples too, with all of delta."""
    monkeypatch.setattr(room_of_betting, "KEPT_BACK", 1e-12)
    monkeypatch.setattr(room_of_betting, "_two_valued", lambda values: np.zeros(values.shape[:-1], dtype=bool))


@pytest.mark.usefixtures("coarse")
@pytest.mark.parametrize("n", [30, 200])
@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("method", [betting, star])
def test_the_promise_is_kept(method: Method, law: Callable[..., Array], n: int) -> None:
    assert chance_of_so_many_misses(method, law, LAWS[law], n, RUNS[method, n]) > BY_CHANCE


@pytest.mark.usefixtures("coarse", "salted", "unguarded")
@pytest.mark.parametrize("n", [30, 200])
@pytest.mark.parametrize("method", [betting, star])
def test_the_promise_is_kept_over_shuffles_of_two_valued_losses(method: Method, n: int) -> None:
    assert chance_of_so_many_misses(method, two_points, 0.15, n, RUNS[method, n]) > BY_CHANCE


def chance_of_a_miss(method: Method, values: tuple[float, float], n: int) -> tuple[float, float]:
    """The largest over p, above and below, if the larger value has chance p: all n + 1 sorted samples in one call."""
    small, large = values
    k = np.arange(n + 1)
    losses = Losses(np.where(np.arange(n) < k[:, np.newaxis], large, small))
    upper_limits, lower_limits = method(losses, at(0.05)).limit, lower(method, losses, at(0.05))

    def worst(means: Array, missed: Callable[[Array], Array]) -> float:
        m = np.append(means, np.linspace(small, large, 1001))
        m = m[(m > small) & (m < large), np.newaxis]
        return float(np.sum(binom.pmf(k, n, (m - small) / (large - small)) * missed(m), axis=-1).max())

    # Which samples miss changes only at a limit, and just beyond one it is worst: there, and on a grid.
    return (
        worst(upper_limits + 1e-12, lambda m: upper_limits < m),
        worst(lower_limits - 1e-12, lambda m: lower_limits > m),
    )


PAIRS = [(0.0, 1.0), (0.0, 0.5), (0.1, 1.0)]


@pytest.mark.usefixtures("coarse")
@pytest.mark.parametrize("n", [30, 100, 200])
@pytest.mark.parametrize("values", PAIRS, ids=str)
@pytest.mark.parametrize("method", [betting, star])
def test_the_promise_is_kept_for_two_valued_losses_by_enumeration(
    method: Method, values: tuple[float, float], n: int
) -> None:
    assert max(chance_of_a_miss(method, values, n)) <= 0.05


@pytest.mark.parametrize("n", [30, 100])
@pytest.mark.parametrize("values", PAIRS, ids=str)
def test_the_p_value_of_two_valued_losses_keeps_its_promise_by_enumeration(values: tuple[float, float], n: int) -> None:
    small, large = values
    k, p = np.arange(n + 1), np.linspace(0.005, 0.995, 199)[:, np.newaxis]
    losses = Losses(np.where(np.arange(n) < k[:, np.newaxis], large, small))
    for sample, null in ((losses, small + p * (large - small)), (losses.mirror(), 1 - small - p * (large - small))):
        found = betting_p_value(sample, null)
        for level in (0.5, 0.2, 0.05, 0.01):
            assert np.sum(binom.pmf(k, n, p) * (found <= level), axis=-1).max() <= level


def skewed_points(rng: np.random.Generator, shape: tuple[int, int]) -> Array:
    return rng.choice([0.0, 0.3, 1.0], p=[0.6, 0.3, 0.1], size=shape)


TOO_FEW = pytest.mark.xfail(strict=True, reason="three values too have so few sorted samples that shuffles repeat")


@pytest.mark.parametrize("n", [30, pytest.param(100, marks=TOO_FEW)])
def test_the_promise_is_kept_for_a_three_valued_law_by_simulation(n: int) -> None:
    assert chance_of_so_many_misses(betting, skewed_points, 0.19, n, 5_000) > BY_CHANCE


@TOO_FEW
@pytest.mark.parametrize(("n", "chances"), [(30, (0.1, 0.65, 0.25)), (60, (0.763, 0.033, 0.204))])
def test_the_promise_is_kept_for_three_valued_laws_by_enumeration(n: int, chances: tuple[float, ...]) -> None:
    counts = np.array([(n - i - j, i, j) for i in range(n + 1) for j in range(n + 1 - i)])
    points = np.array([0.0, 0.5, 1.0])
    losses = Losses(np.repeat(np.tile(points, len(counts)), counts.reshape(-1)).reshape(-1, n))
    missed = betting(losses, at(0.05)).limit < chances @ points
    assert np.sum(multinomial.pmf(counts, n, chances)[missed]) <= 0.05


def test_the_p_value_keeps_its_promise() -> None:
    losses = Losses(mostly_zero(np.random.default_rng(4), (5_000, 60)))
    p = betting_p_value(losses, at(0.025))
    for level in (0.2, 0.05, 0.01):
        assert bdtrc(int(np.sum(p <= level)) - 1, p.size, level) > BY_CHANCE


# ---- The same check catches a method that cheats


def test_a_delta_twice_too_large_is_caught() -> None:
    def doubled(losses: Losses, delta: Array) -> Upper:
        return betting(losses, 2 * delta)

    assert chance_of_so_many_misses(doubled, three_points, 0.45, 30, RUNS[betting, 30]) < BY_CHANCE


def test_a_bet_that_has_seen_the_example_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    class Peeking(room_of_betting._Game):
        def __init__(self, x: Array, target: Array) -> None:
            super().__init__(x, target)
            self.stake = self.stake * np.where(self.x > np.median(x), 1.1, 0.9)

    monkeypatch.setattr(room_of_betting, "_Game", Peeking)
    assert chance_of_so_many_misses(betting, extremes, 0.5, 200, RUNS[betting, 200]) < BY_CHANCE


def test_rows_left_in_order_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_of_betting, "_shuffled", lambda samples: -np.sort(-samples, axis=-1))
    assert chance_of_so_many_misses(betting, nearly_constant, 0.25, 200, 500) < BY_CHANCE


@pytest.mark.usefixtures("coarse", "unguarded")
@pytest.mark.parametrize("n", [30, 100, 200])
@pytest.mark.parametrize("values", PAIRS, ids=str)
@pytest.mark.parametrize("method", [betting, star])
def test_bets_on_two_valued_losses_are_caught(method: Method, values: tuple[float, float], n: int) -> None:
    assert max(chance_of_a_miss(method, values, n)) > 0.05  # n + 1 shuffles, too few to average out
