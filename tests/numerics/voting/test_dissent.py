"""Many classifiers compared by who dissents: to the same end as the plain count, whatever they say."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.numerics.voting import disagreement, dissent
from holdfast.numerics.voting.disagreement import disagreements
from holdfast.numerics.voting.dissent import by_dissent
from tests.numerics.voting.test_disagreement import counted


def answers(labels: int, share: float, models: int, inputs: int = 700) -> np.ndarray:
    """Most say the usual thing, the more rarely the harder an input; who does not says this or that."""
    random = np.random.default_rng(0)
    usual, lure = random.integers(0, labels, (2, inputs))
    hard = random.random(inputs) ** 3 * share
    other = np.where(random.random((models, inputs)) < 0.7, lure, random.integers(0, labels, (models, inputs)))
    return np.where(random.random((models, inputs)) < hard, other, usual)


@pytest.mark.parametrize("few", [0.0, 0.025, 1.0])
@pytest.mark.parametrize("share", [0.0, 0.05, 1.0])
@pytest.mark.parametrize("labels", [2, 7, 300])
def test_it_is_the_plain_count(labels: int, share: float, few: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dissent, "FEW", few)
    monkeypatch.setattr(dissent, "SLAB", 20_000)
    monkeypatch.setattr(dissent, "RARE", 100)
    both = answers(labels, share, 110)
    first, second = both[:80], both[80:]
    np.testing.assert_array_equal(by_dissent(first, None, labels), counted(first, first))
    np.testing.assert_array_equal(by_dissent(first, second, labels), counted(first, second))


@pytest.mark.parametrize("kind", [bool, np.int8, np.uint8, np.int64])
def test_any_kind_and_order_of_codes_will_do(kind: type) -> None:
    codes: np.ndarray = answers(2, 0.5, 20).astype(kind)
    expected = counted(codes, codes)
    for laid_out in (codes, np.asfortranarray(codes), codes[:, ::-1]):
        np.testing.assert_array_equal(by_dissent(laid_out, None, 2), expected)


def test_a_missing_answer_is_a_label_of_its_own() -> None:
    codes = (answers(4, 0.5, 20) - 1).astype(np.int8)
    np.testing.assert_array_equal(by_dissent(codes, None, 4, lowest=-1), counted(codes, codes))


@pytest.mark.parametrize("shape", [(1, 1), (3, 0), (2, 5)])
def test_small_ones_are_no_exception(shape: tuple[int, int]) -> None:
    codes = np.arange(shape[0])[:, np.newaxis] * np.ones(shape, int)
    np.testing.assert_array_equal(by_dissent(codes, None, 3), shape[1] * (1 - np.eye(shape[0])))


def test_it_is_what_many_answers_are_counted_by(monkeypatch: pytest.MonkeyPatch) -> None:
    codes = answers(3, 0.5, 60)
    expected = disagreements(codes), disagreements(codes[:7] - 1, codes - 1)
    monkeypatch.setattr(disagreement, "MANY", 0)
    monkeypatch.setattr(disagreement, "_by_words", None)
    np.testing.assert_array_equal(disagreements(codes), expected[0])
    np.testing.assert_array_equal(disagreements(codes[:7] - 1, codes - 1), expected[1])


def test_many_labels_among_few_classifiers_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    codes = answers(300, 0.5, 60)
    monkeypatch.setattr(disagreement, "MANY", 0)
    monkeypatch.setattr(disagreement, "by_dissent", None)
    np.testing.assert_array_equal(disagreements(codes), counted(codes, codes))


def test_nothing_is_needed_that_holds_threads_back(monkeypatch: pytest.MonkeyPatch) -> None:
    codes = answers(3, 0.5, 60)
    monkeypatch.setattr(dissent, "find_spec", lambda name: None)
    np.testing.assert_array_equal(by_dissent(codes, None, 3), counted(codes, codes))
