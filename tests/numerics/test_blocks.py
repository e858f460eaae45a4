"""Elementwise work gives the same in whatever portions it is done."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from holdfast.numerics.beta import BLOCK, FEW, in_blocks, piecewise
from holdfast.numerics.binomial import binomial_tail_inverse


def portions(size: int, scalars: bool) -> list[int]:
    """How many elements the work got at a time; 0 for a scalar."""
    seen: list[int] = []

    def work(x: Any, y: Any) -> tuple[Any, Any]:
        seen.append(np.size(x) if np.ndim(x) else 0)
        return x + y, x - y

    x = np.arange(float(size))
    both, less = in_blocks(work, 2, x, 1, scalars=scalars)
    assert np.array_equal(both, x + 1)
    assert np.array_equal(less, x - 1)
    return sorted(seen)


def test_a_few_elements_come_one_by_one_to_whom_scalars_are_welcome() -> None:
    assert portions(FEW, scalars=True) == [0] * FEW
    assert portions(FEW + 1, scalars=True) == [FEW + 1]
    assert portions(FEW, scalars=False) == [FEW]


@pytest.mark.parametrize("scalars", [True, False])
def test_none_and_many(scalars: bool) -> None:
    assert portions(0, scalars) == [0]  # an array without elements
    assert portions(2 * BLOCK + 3, scalars) == [3, BLOCK, BLOCK]


def test_a_single_number_is_the_case_without_axes() -> None:
    (found,) = in_blocks(lambda x: (x * 2,), 1, 3, scalars=True)
    assert isinstance(found, np.ndarray)
    assert found.shape == ()
    assert found == 6.0


def test_pieces_of_scalars_are_those_of_an_array() -> None:
    x = np.array([-2.0, 0.0, 3.0])
    (found,) = piecewise((x * 10,), x < 0, lambda x: (-x,), x)
    assert found.tolist() == [2.0, 0.0, 30.0]
    assert [piecewise((each * 10,), each < 0, lambda x: (-x,), each)[0] for each in x] == found.tolist()


def test_limits_of_few_counts_are_those_among_many() -> None:
    """At the closed forms, far out in a tail, with tiny rates and with shapes on both sides of Stirling's series."""
    k = np.array([0, 1, 3, 8, 9, 10, 999, 10**9 - 1, 10**9, 0, 5, 7])
    n = np.array([0, 1, 30, 30, 10, 10, 10**6, 10**9, 10**9, 10**15, 10**12, 8])
    for delta in (1e-300, 1e-12, 0.025, 0.5, 0.975):
        together = binomial_tail_inverse(k, n, delta)
        for place in range(len(k)):
            alone = binomial_tail_inverse(k[place], n[place], delta)
            assert alone.limit == pytest.approx(together.limit[place], rel=1e-13)
            assert alone.room == pytest.approx(together.room[place], rel=1e-13)
