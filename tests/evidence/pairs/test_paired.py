"""Pairs of models: what they count, and that swapping the two mirrors everything."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from holdfast.errors import InvalidEvidence
from holdfast.evidence import Losses, Paired


def test_a_difference_is_that_of_the_error_rates_first_minus_second() -> None:
    pair = Paired(won=6, lost=16, n=161)
    assert pair.estimate == 10 / 161
    assert pair.discordant == 22
    assert pair.mean == pytest.approx((1 + 10 / 161) / 2, rel=1e-15)
    assert pair.units(pair.mean) == pytest.approx(10 / 161, rel=1e-14)
    assert pair.units(np.array([0.0, 0.5, 1.0])).tolist() == [-1.0, 0.0, 1.0]


def test_swapping_the_models_swaps_mean_and_complement_to_the_last_bit() -> None:
    generator = np.random.default_rng(6)
    n = generator.integers(1, 1000, 10_000)
    won = generator.integers(0, n + 1)
    lost = generator.integers(0, n - won + 1)
    pair = Paired(won, lost, n)
    swapped = pair.mirror()
    assert np.array_equal(pair.mean, swapped.complement)
    assert np.array_equal(pair.complement, swapped.mean)
    assert np.array_equal(pair.estimate, -swapped.estimate)
    assert np.array_equal(pair.units(pair.mean), -swapped.units(swapped.mean))
    assert np.all(pair.mean + pair.complement == 1.0)
    back = swapped.mirror()
    assert np.array_equal(back.won, won)
    assert np.array_equal(back.lost, lost)


def test_both_ends_are_the_pair_and_its_mirror() -> None:
    ends = Paired([1, 2], [3, 0], 9).both_ends()
    assert ends.won.tolist() == [[1, 2], [3, 0]]
    assert ends.lost.tolist() == [[3, 0], [1, 2]]
    assert ends.n.tolist() == [[9, 9], [9, 9]]


def test_several_are_joined_in_a_row() -> None:
    joined = Paired.joined([Paired(1, 2, 3), Paired([4, 5], [0, 1], 9)])
    assert (joined.won.tolist(), joined.lost.tolist(), joined.n.tolist()) == ([1, 4, 5], [2, 0, 1], [3, 9, 9])


def test_nothing_seen_is_legal_and_unknown() -> None:
    nothing = Paired([0, 1], [0, 0], [0, 1])
    assert nothing.known.tolist() == [False, True]
    assert nothing.mean.tolist() == [0.5, 0.0]


def test_the_losses_are_those_of_the_first_minus_those_of_the_second() -> None:
    losses = Paired(won=2, lost=1, n=5).losses
    assert isinstance(losses, Losses)
    assert losses.units(losses.values).tolist() == [0.0, 0.0, -1.0, -1.0, 1.0]
    swapped = Paired(won=1, lost=2, n=5).losses
    assert np.array_equal(swapped.units(swapped.values), -losses.units(losses.values))
    assert losses.units(losses.mean) == pytest.approx(-0.2)
    with pytest.raises(InvalidEvidence, match="one pair at a time"):
        _ = Paired([1, 2], 0, 5).losses


def test_counts_are_kept_from_later_changes() -> None:
    won = np.array([1, 2])
    pair = Paired(won, 0, 5)
    won[:] = 4
    assert pair.won.tolist() == [1, 2]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((3, 3, 5), r"won \+ lost <= n; got won = 3 and lost = 3 of n = 5"),
        (([1, 4], [1, 2], [5, 5]), r"got won = 4 and lost = 2 of n = 5"),
        ((-1, 0, 5), r"won.* must be whole numbers"),
        ((0, 1.5, 5), r"lost.* must be whole numbers"),
        ((True, 0, 5), r"won.*true/false"),
        ((0, 0, float("nan")), r"n, the number of examples, needs finite numbers"),
        (([1, 2], [1, 2, 3], 9), r"matching shapes; got \(2,\), \(3,\), \(\)"),
        (("x", 0, 5), r"won.*needs numbers"),
    ],
)
def test_what_no_pair_can_be_is_refused(given: Any, said: str) -> None:
    with pytest.raises(InvalidEvidence, match=said):
        Paired(*given)


def test_it_shows_its_counts() -> None:
    assert repr(Paired(6, 16, 161)) == "Paired(won=6, lost=16, n=161)"
    assert repr(Paired([1, 2], 0, 9)) == "Paired(won=[1 2], lost=[0 0], n=[9 9])"
