"""Betting: the mathematics against a plain loop, the shuffle against its promise, and the promise itself."""

from __future__ import annotations

import hashlib
import itertools
import math
import struct

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from holdfast.bounds import betting as room_of_betting
from holdfast.bounds import shuffle as room_of_shuffle
from holdfast.evidence import Array, Losses
from holdfast.numerics.limit import Upper
from tests.bounds.test_mixture import (
    Method,
    at,
    lower,
    mixture,
    mixture_p_value,
)

# The formulas, not the catalog entries: before anything is widened or rounded outward.
betting: Method = room_of_betting.betting.upper
star: Method = room_of_betting.star.upper
too_few_alike = room_of_shuffle.too_few_alike
BY_CHANCE = 1e-6

SAMPLES = {  # that are bet on, at the deltas below
    "one": [0.3],
    "twelve": [0.1, 0.9, 0.25, 0.3, 0.3, 0.0, 0.6, 0.05, 0.45, 0.8, 0.15, 0.7],
    "sixteen": [i / 40 for i in range(16)],
    "seventeen": [0.02 * i for i in range(17)],
    "fifty": [math.sin(i) ** 2 for i in range(50)],
    "equal": [0.7] * 20,
    "one and its neighbour": [0.1, math.nextafter(0.1, 1)] * 5,  # one value, once mirrored
}
FEW = {  # that are not
    "two": [0.0, 1.0],
    "one in ten": [0.0] * 18 + [1.0] * 2,
    "halves": [0.5, 0.0, 0.0, 0.5, 0.5, 0.0],
    "not from 0": [1.0] + [0.1] * 60,
    "seven": [0.1, 0.9, 0.25, 0.3, 0.3, 0.0, 0.6],
    "grades": [0.25 * (i % 4) for i in range(20)],
}


def kept_back(n: int) -> float:
    return 20 / n if n > 40 else 0.5


def betting_p_value(losses: Losses, null: Array) -> Array:
    return room_of_betting.betting_p_value(losses, null, 1 - null)


# ---- The mathematics, against loops that share no line with it


def plain_shuffle(values: list[float]) -> list[float]:
    ordered = sorted(values)
    marks = [round((1 - (1 - value)) * 2**24) for value in ordered]  # ties to even, as numpy does
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
    sequence = plain_shuffle([1 - x for x in SAMPLES[name]])
    spent = (1 - kept_back(len(sequence))) * delta
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
@pytest.mark.parametrize("name", ["one", "twelve", "sixteen"])
def test_star_agrees_with_a_plain_loop(name: str, delta: float) -> None:
    sequence = plain_shuffle([1 - x for x in SAMPLES[name]])
    limit, room = star(Losses(SAMPLES[name]), at(delta))
    assert room == pytest.approx(plain_star(sequence, delta / 2), abs=1e-14)
    assert limit + room == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize("delta", [0.5, 0.05, 0.001])
@pytest.mark.parametrize("name", FEW)
@pytest.mark.parametrize("method", [betting, star])
def test_a_sample_with_too_few_alike_is_answered_by_the_mixture(method: Method, name: str, delta: float) -> None:
    for losses in (Losses(FEW[name]), Losses(FEW[name]).mirror()):
        assert method(losses, at(delta)) == mixture(losses, at(kept_back(len(FEW[name])) * delta))


@pytest.mark.parametrize("name", SAMPLES)
def test_p_value_agrees_with_a_plain_loop(name: str) -> None:
    sequence = plain_shuffle([1 - x for x in SAMPLES[name]])
    nulls = np.linspace(0, 1, 21)
    spent = 1 - kept_back(len(sequence))
    expected = [min(1 / plain_peak(sequence, 1 - null, 0.05) / spent, 1.0) for null in nulls]
    assert betting_p_value(Losses(SAMPLES[name]), nulls) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("name", FEW)
def test_p_value_of_a_sample_with_too_few_alike_is_that_of_the_mixture(name: str) -> None:
    nulls = np.linspace(0, 1, 21)
    for losses in (Losses(FEW[name]), Losses(FEW[name]).mirror()):
        expected = np.minimum(mixture_p_value(losses, nulls) / kept_back(len(FEW[name])), 1)
        assert betting_p_value(losses, nulls).tolist() == expected.tolist()


# ---- Laws


values = st.lists(st.floats(0, 1), max_size=60)
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


@given(st.lists(st.floats(0, 1), min_size=1, max_size=60), deltas)
@settings(max_examples=60, deadline=None)
def test_the_mirrored_sample_has_the_mirrored_interval(x: list[float], delta: float) -> None:
    losses, mirrored = Losses(x), Losses(1 - np.asarray(x))
    assert betting(mirrored, at(delta)).limit == pytest.approx(1 - lower(betting, losses, at(delta)), abs=2e-14)
    assert lower(betting, mirrored, at(delta)) == pytest.approx(1 - betting(losses, at(delta)).limit, abs=2e-14)


@pytest.mark.parametrize("x", [[0.0, 1e-199], [0.1, math.nextafter(0.1, 1)] * 5], ids=["tiny", "neighbours"])
def test_values_that_differ_only_before_they_are_mirrored(x: list[float]) -> None:
    losses, mirrored = Losses(x), Losses(1 - np.asarray(x))
    assert lower(betting, mirrored, at(0.5)) == pytest.approx(1 - betting(losses, at(0.5)).limit, abs=2e-14)


@given(st.lists(st.floats(0, 1) | st.sampled_from([0.0, 0.5, 1.0]), min_size=1, max_size=60))
@settings(max_examples=60, deadline=None)
def test_the_p_value_falls_as_the_null_rises_and_meets_the_limit(x: list[float]) -> None:
    losses = Losses(x)
    p = betting_p_value(losses, np.linspace(0, 1, 40))
    assert np.all((p[:-1] > 0) & (p[:-1] <= 1))
    assert 0 <= p[-1] <= 1  # with a mean of 1, losses below 1 are not surprising but impossible
    assert np.all(np.diff(p) <= 1e-12)
    few = too_few_alike(losses.values, at(0.05))
    # The bets are the same at this delta, and only there: the part of it that answers is the 0.05 they are sized for.
    delta = 0.05 / (kept_back(len(x)) if few else 1 - kept_back(len(x)))
    assume(too_few_alike(losses.values, at(delta)) == few)
    limit, room = betting(losses, at(delta))
    if room > 0:
        assert room_of_betting.betting_p_value(losses, limit, room) == pytest.approx(delta, rel=1e-9)


def test_many_samples_are_as_good_as_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room_of_shuffle, "BLOCK", 500)  # several blocks, the last one not full
    x = np.random.default_rng(1).beta(1, 3, (2, 7, 90))
    x[0, 2], x[1, 4] = x[0, 2] > 0.3, np.where(x[1, 4] > 0.3, 0.5, 0.1)  # with too few alike
    levels = np.array([[[0.05]], [[0.3]], [[0.001]]])
    for method in (betting, star):
        limit, room = method(Losses(x), levels)
        assert limit.shape == room.shape == (3, 2, 7)
        for i, j, k in itertools.product(range(3), range(2), range(7)):
            alone = method(Losses(x[j, k]), levels[i, 0, 0])
            assert room[i, j, k] == pytest.approx(alone.room, abs=1e-12)
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
    assert room_of_shuffle.order_by(hashlib.sha256(b"").digest(), 12).tolist() == PINNED_ORDER


PINNED = (0.5486494651046641, 0.45323827945415024, 0.5379295517164773, 0.04519041148325704)
PINNED_ORDER = [2, 5, 6, 3, 1, 9, 0, 4, 7, 8, 11, 10]
