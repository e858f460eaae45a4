from __future__ import annotations

import numpy as np
import pytest

from holdfast.comparisons.signed_rank import signed_rank_probabilities


def by_hand(z: np.ndarray, rope: float, samples: int, seed: int) -> np.ndarray:
    """The definition, draw by draw."""
    seen = np.concatenate([[0.0], z])
    sums = seen[:, None] + seen
    shape = np.ones(len(seen))
    shape[0] = 0.5
    counts = np.zeros(3)
    for w in np.random.default_rng(seed).dirichlet(shape, samples):
        product = np.outer(w, w)
        theta = [
            product[sums < -2 * rope].sum(),
            product[np.abs(sums) <= 2 * rope].sum(),
            product[sums > 2 * rope].sum(),
        ]
        counts[int(np.argmax(theta))] += 1
    return counts / samples


@pytest.mark.parametrize("rope", [0.0, 0.1, 0.7])
def test_probabilities_are_those_of_the_definition(rope: float) -> None:
    z = np.random.default_rng(6).normal(0.1, 1, 12)
    found = signed_rank_probabilities(z[:, None], rope, 2000, seed=3)[0]
    np.testing.assert_allclose(found, by_hand(z, rope, 2000, seed=3), atol=1e-9)
    assert found.sum() == pytest.approx(1.0)


def test_swapping_mirrors_to_the_last_digit() -> None:
    z = np.round(np.random.default_rng(7).normal(0.1, 1, (15, 8)), 1)
    one, other = (signed_rank_probabilities(sign * z, 0.3, 4000) for sign in (1, -1))
    np.testing.assert_array_equal(one, other[:, ::-1])


def test_no_difference_is_no_difference() -> None:
    for rope in (0.0, 0.01):
        np.testing.assert_array_equal(signed_rank_probabilities(np.zeros((9, 2)), rope, 500), [[0, 1, 0]] * 2)


def test_the_rope_holds_its_ends_whatever_the_last_digits() -> None:
    z = np.full((30, 1), 0.1 + 0.2)  # a little more than 0.3
    assert signed_rank_probabilities(z, 0.3, 500)[0, 1] == 1.0
    assert signed_rank_probabilities(z, 0.29, 500)[0, 2] == 1.0


def test_blocks_of_draws_are_draws() -> None:
    z = np.random.default_rng(8).normal(0.3, 1, (1500, 1)) / 10
    found = signed_rank_probabilities(z, 0.0, 1500)  # more weights than are held at once
    assert found.sum() == pytest.approx(1.0)
    assert found[0, 2] > 0.99


def test_the_seed_is_explicit() -> None:
    z = np.random.default_rng(9).normal(0, 1, (10, 1))
    one, same, other = (signed_rank_probabilities(z, 0.1, 1000, seed=seed) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, same)
    assert np.any(one != other)
