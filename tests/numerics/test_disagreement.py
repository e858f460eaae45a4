"""How often any two classifiers differ, against a plain count."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.numerics import voting
from holdfast.numerics.voting import disagreements


def counted(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    return np.array([[np.count_nonzero(one != other) for other in second] for one in first])


@pytest.mark.parametrize("labels", [1, 2, 3, 5, 300])
@pytest.mark.parametrize(("models", "inputs"), [(1, 1), (3, 64), (5, 65), (40, 1000)])
def test_it_is_the_plain_count(labels: int, models: int, inputs: int) -> None:
    random = np.random.default_rng(labels * inputs)
    first, second = random.integers(0, labels, (models, inputs)), random.integers(0, labels, (4, inputs))
    np.testing.assert_array_equal(disagreements(first), counted(first, first))
    np.testing.assert_array_equal(disagreements(first, second), counted(first, second))


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.int32, np.int64, bool])
def test_any_kind_and_order_of_codes_will_do(kind: type) -> None:
    codes: np.ndarray = np.random.default_rng(0).integers(0, 120, (7, 333)).astype(kind)
    expected = counted(codes, codes)
    for laid_out in (codes, np.asfortranarray(codes), codes[:, ::-1]):
        np.testing.assert_array_equal(disagreements(laid_out), expected)


def test_a_missing_answer_is_a_label_of_its_own() -> None:
    codes = np.random.default_rng(0).integers(-1, 2, (5, 200)).astype(np.int8)
    np.testing.assert_array_equal(disagreements(codes), counted(codes, codes))


@pytest.mark.parametrize("more", [-1, 0, 1])
def test_classifiers_that_never_agree_fill_no_sum(more: int) -> None:
    """A sum of 16 bits holds the bits of so many words, and not of one more."""
    assert 64 * voting.LONGEST < 2**16 <= 64 * (voting.LONGEST + 1)
    codes = np.array([[0], [1], [2]]) * np.ones(64 * voting.LONGEST + more, np.int8)
    np.testing.assert_array_equal(disagreements(codes), codes.shape[1] * (1 - np.eye(3)))


def test_no_inputs_no_disagreements() -> None:
    np.testing.assert_array_equal(disagreements(np.zeros((3, 0), np.int64)), np.zeros((3, 3)))


def test_blocks_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    codes = np.random.default_rng(0).integers(0, 3, (30, 5000))
    expected = disagreements(codes)
    np.testing.assert_array_equal(expected, counted(codes, codes))
    for name, value in (("WORDS", 64), ("LONGEST", 7), ("SLAB", 6000)):
        monkeypatch.setattr(voting, name, value)
        np.testing.assert_array_equal(disagreements(codes), expected)
        np.testing.assert_array_equal(disagreements(codes[:11], codes), expected[:11])
