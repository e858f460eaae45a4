"""Which samples have too few others like them, and that the shuffle does not depend on units."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import holdfast as hf
from holdfast.bounds import shuffle as room_of_shuffle
from holdfast.bounds.shuffle import too_few_alike
from holdfast.evidence import Array, Losses
from tests.bounds.test_mixture import (
    at,
)


def plain_too_few_alike(x: list[float], delta: float) -> bool:
    counts = Counter(round((1 - (1 - value)) * 2**24) for value in x).values()
    alike = math.prod(math.sqrt(2 * math.pi * math.e * count) for count in counts)
    return len(counts) > 1 and alike / math.sqrt(2 * math.pi * math.e * len(x)) * delta < room_of_shuffle.ALIKE


def spread(different: int, n: int) -> Array:
    return np.arange(n) % different / max(different - 1, 1)


@pytest.mark.parametrize("n", [2, 10, 100, 1000, 10_000])
def test_two_values_have_too_few_alike(n: int) -> None:
    for x in (spread(2, n), 0.3 + 0.1 * spread(2, n), np.arange(n) == 0):
        assert too_few_alike(x.astype(float), at(0.05))


def test_the_more_different_values_the_more_alike() -> None:
    assert too_few_alike(spread(5, 30), at(0.05))
    assert not too_few_alike(spread(5, 60), at(0.05))
    assert not too_few_alike(spread(200, 200), at(0.05))
    few = [bool(too_few_alike(spread(different, 60), at(0.05))) for different in range(2, 61)]
    assert few == sorted(few, reverse=True)


@pytest.mark.parametrize("n", [1, 2, 30, 1000])
def test_a_constant_sample_is_bet_on(n: int) -> None:
    for x in (np.zeros(n), np.ones(n), np.full(n, 0.3), np.where(np.arange(n) < n / 2, 0, 1e-199)):
        assert not too_few_alike(x, at(0.05))
        assert not too_few_alike(x, at(1e-300))


def test_a_small_delta_needs_more_alike() -> None:
    x = spread(5, 60)
    assert [bool(few) for few in too_few_alike(x, np.array([0.5, 0.05, 0.02, 1e-3, 1e-9]))] == [0, 0, 1, 1, 1]


@given(
    st.lists(st.sampled_from([0.0, 0.1, 0.2, 0.3, 0.5, 0.9, 1.0]) | st.floats(0, 1), min_size=1, max_size=60),
    st.floats(1e-12, 0.9),
)
@settings(max_examples=100, deadline=None)
def test_too_few_alike_agrees_with_a_plain_count_from_both_ends(x: list[float], delta: float) -> None:
    expected = plain_too_few_alike(x, delta)
    for seen in (np.array(x), 1 - np.array(x), np.sort(x)):
        assert too_few_alike(seen, at(delta)) == expected


def test_too_few_alike_of_many_samples_is_that_of_each() -> None:
    x = np.stack([spread(different, 30) for different in (1, 2, 5, 6, 7, 10, 30, 15)]).reshape(2, 4, 30)
    levels = np.array([0.5, 0.05, 1e-6]).reshape(3, 1, 1)
    few = too_few_alike(x, levels)
    assert few.shape == (3, 2, 4)
    assert few.any(axis=(1, 2)).all()
    assert not few.all(axis=(1, 2)).any()
    for i, j, k in itertools.product(range(3), range(2), range(4)):
        assert few[i, j, k] == too_few_alike(x[j, k], levels[i, 0, 0])
    assert too_few_alike(np.zeros((2, 3, 0)), levels).tolist() == np.zeros((3, 2, 3), dtype=bool).tolist()


def test_other_units_lead_to_the_same_shuffle() -> None:
    x = np.random.default_rng(7).random(300)
    plain, cents = hf.bound(Losses(x)), hf.bound(Losses(100 * x, low=0, high=100))
    centred = hf.bound(Losses(10 * x - 5, low=-5, high=5))
    assert (cents.lower / 100, cents.upper / 100) == pytest.approx((plain.lower, plain.upper), abs=1e-12)
    assert ((centred.lower + 5) / 10, (centred.upper + 5) / 10) == pytest.approx((plain.lower, plain.upper), abs=1e-12)
