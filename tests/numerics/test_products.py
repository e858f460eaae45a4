"""Three counts in one float: against plain products of whole numbers, up to the largest a digit can hold."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.numerics import disagreement, products
from holdfast.numerics.disagreement import disagreements
from holdfast.numerics.products import ones_in_common
from tests.needs import module

SHAPES = [(1, 1), (2, 255), (3, 256), (4, 700), (7, 511), (300, 600)]


@pytest.mark.parametrize(("models", "inputs"), SHAPES)
@pytest.mark.parametrize("share", [0.0, 0.5, 1.0])
def test_it_is_the_product_of_whole_numbers(models: int, inputs: int, share: float) -> None:
    random = np.random.default_rng(models)
    first, second = ((random.random((rows, inputs)) < share).astype(np.int64) for rows in (models, 5))
    np.testing.assert_array_equal(ones_in_common(first), first @ first.T)
    np.testing.assert_array_equal(ones_in_common(first.astype(np.int8), second.astype(bool)), first @ second.T)


def test_digits_are_emptied_before_they_are_full() -> None:
    ones = np.ones((4, 255 * 257 * 2 + 300), np.int8)
    assert np.all(ones_in_common(ones) == ones.shape[1])
    few = np.arange(255 * 70) % 255 < 63  # as many ones in a block as a digit of six bits holds
    np.testing.assert_array_equal(ones_in_common(np.tile(few, (13, 1))), np.full((13, 13), 63 * 70))
    one_more = np.arange(255 * 70) % 255 < 64
    np.testing.assert_array_equal(ones_in_common(np.tile(one_more, (13, 1))), np.full((13, 13), 64 * 70))


def test_blocks_do_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    first = np.random.default_rng(0).integers(0, 2, (31, 1000))
    expected = first @ first.T
    for name, value in (("ROWS", 12), ("LENGTH", 17)):
        monkeypatch.setattr(products, name, value)
        np.testing.assert_array_equal(ones_in_common(first), expected)


def test_many_answers_are_counted_by_products_to_the_same_end(monkeypatch: pytest.MonkeyPatch) -> None:
    module("threadpoolctl")
    random = np.random.default_rng(0)
    first, second = random.integers(0, 2, (40, 3000)), random.integers(0, 2, (9, 3000))
    expected = disagreements(first), disagreements(first, second)
    monkeypatch.setattr(disagreement, "MANY", 0)
    monkeypatch.setattr(disagreement, "_by_words", None)
    np.testing.assert_array_equal(disagreements(first), expected[0])
    np.testing.assert_array_equal(disagreements(first.astype(bool), second.astype(np.int8)), expected[1])


@pytest.mark.parametrize("share", [0.0, 0.01, 0.5, 1.0])
def test_inputs_that_few_or_none_dissent_on_are_counted_like_the_others(
    share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    module("threadpoolctl")
    random = np.random.default_rng(1)
    usual = random.integers(0, 2, 2000)
    first, second = (usual ^ (random.random((rows, 2000)) < random.random(2000) * share) for rows in (150, 70))
    expected = disagreements(first), disagreements(first, second)
    monkeypatch.setattr(disagreement, "MANY", 0)
    for few in (0.0, disagreement.FEW, 1.0):
        monkeypatch.setattr(disagreement, "FEW", few)
        np.testing.assert_array_equal(disagreements(first), expected[0])
        np.testing.assert_array_equal(disagreements(first, second), expected[1])
