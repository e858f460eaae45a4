"""Sums in whole numbers: the same however they are split. Sums of floats: right to the last digit."""

from __future__ import annotations

from fractions import Fraction
from math import fsum

import numpy as np
import pytest

from holdfast.numerics.arrays import PARTS, UNITS, exact_sum, grouped_sums, whole_sum, whole_sums


@pytest.mark.parametrize("counted", [False, True])
def test_a_sum_does_not_depend_on_order_or_splitting(counted: bool) -> None:
    rng = np.random.default_rng(0)
    shares = np.concatenate((rng.random(5000), rng.random(500) * 1e-9, [0.0, 1.0, 0.5]))
    times = rng.integers(0, 10**9, shares.size) if counted else None
    whole = whole_sum(shares, times)
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(shares.size)
        cuts = np.array_split(order, 3 + seed)
        assert sum(whole_sum(shares[part], None if times is None else times[part]) for part in cuts) == whole


def test_each_share_is_right_to_one_unit() -> None:
    rng = np.random.default_rng(1)
    for share in (0.0, 1.0, 1 / 3, 1e-20, 1 - 1e-16, *rng.random(200).tolist()):
        off = Fraction(whole_sum(np.array([share])), UNITS) - Fraction(share)
        assert abs(off) <= Fraction(1, 2**53)
        assert whole_sum(np.array([share]), np.array([10**9])) == 10**9 * whole_sum(np.array([share]))


def test_rows_have_sums_of_their_own_in_two_parts() -> None:
    rows = np.random.default_rng(2).random((3, 4, 50))
    leading, rest = whole_sums(rows)
    assert leading.shape == rest.shape == (3, 4)
    for place in np.ndindex(3, 4):
        assert int(leading[place]) * int(PARTS) + int(rest[place]) == whole_sum(rows[place])


def test_more_examples_than_a_number_holds_are_summed_all_the_same() -> None:
    times = np.array([2**40, 2**41])
    assert whole_sum(np.array([1.0, 0.5]), times) == 2**41 * UNITS


def test_floats_are_summed_as_they_are() -> None:
    rng = np.random.default_rng(3)
    for values in (np.full(30, 0.1), rng.random(10**5), rng.random(1000) * 1e-20, np.array([1.0, 1e-18, 1e-18])):
        assert float(exact_sum(values)) == fsum(values)
    rows = rng.random((4, 7))
    assert exact_sum(rows).tolist() == [fsum(row) for row in rows]


@pytest.mark.parametrize("size", [1.0, 1e-9, 3e7])
def test_sums_of_groups_do_not_depend_on_order_and_are_right_to_the_last_digit(size: float) -> None:
    rng = np.random.default_rng(5)
    values, group = rng.normal(size=3000) * size, rng.integers(0, 40, 3000)
    largest = float(np.abs(values).max())
    found = grouped_sums(values, group, 41, largest)
    assert found[40] == 0.0
    for each in range(40):
        assert found[each] == pytest.approx(fsum(values[group == each]), abs=1e-14 * largest)
    for seed in range(5):
        order = np.random.default_rng(seed).permutation(3000)
        assert grouped_sums(values[order], group[order], 41, largest).tolist() == found.tolist()


def test_a_part_of_a_group_is_never_more_than_the_whole() -> None:
    """If both are rounded alike: the largest number of the whole is that of either."""
    rng = np.random.default_rng(6)
    weight, group = rng.random(2000) ** 9, rng.integers(0, 300, 2000)
    for held in (rng.random(2000) < 0.9, np.ones(2000, bool)):
        part, whole = (grouped_sums(each, group, 300, float(weight.max())) for each in (weight * held, weight))
        assert np.all(part <= whole)
        assert np.all((part == whole) | (np.bincount(group, ~held, 300) > 0))
