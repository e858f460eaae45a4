"""Cores are chosen by agreement, and only by what cannot tell the labelled from the unlabelled."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from holdfast.claims import Guarantee
from holdfast.errors import HoldfastError
from holdfast.selection.cores.cores import choose_cores, clusters_of


def three_kinds(inputs: int = 90, seed: int = 0) -> np.ndarray[Any, Any]:
    """Nine models of three kinds, a kind having answers of its own that its models hardly leave."""
    random = np.random.default_rng(seed)
    kinds = random.integers(0, 4, (3, inputs))
    said = kinds[np.arange(9) % 3]
    return np.where(random.random(said.shape) < 0.05, random.integers(0, 4, said.shape), said)


def test_models_of_a_kind_are_one_cluster_and_each_has_one_core() -> None:
    chosen = choose_cores(3, training=three_kinds())
    assert chosen.clusters.tolist() == [0, 1, 2] * 3
    assert sorted(chosen.places % 3) == [0, 1, 2]
    assert chosen.guarantee is Guarantee.FINITE
    assert not chosen.averaged


def test_the_core_is_the_model_that_disagrees_least_with_its_cluster() -> None:
    said = three_kinds()
    apart = (said[:, None] != said).sum(axis=2)
    for place in choose_cores(3, training=said).places:
        kind = np.arange(place % 3, 9, 3)
        assert apart[place, kind].sum() == apart[np.ix_(kind, kind)].sum(axis=1).min()


def test_the_random_classifier_of_a_cluster_draws_its_models_equally() -> None:
    chosen = choose_cores(3, training=three_kinds(), average=True)
    assert chosen.averaged
    assert np.allclose(chosen.weights, (np.arange(9) % 3 == np.arange(3)[:, None]) / 3)


def test_labelled_and_unlabelled_inputs_may_change_places() -> None:
    said = three_kinds()
    first = choose_cores(4, validation=said[:, :30], unlabelled=said[:, 30:])
    again = choose_cores(4, validation=said[:, 60:], unlabelled=said[:, :60])
    assert first.places.tolist() == again.places.tolist()
    assert first.clusters.tolist() == again.clusters.tolist()


@pytest.mark.parametrize(
    "given", [{"unlabelled"}, {"validation"}, {"training", "unlabelled"}, {"validation", "unlabelled", "wrong"}]
)
def test_a_choice_that_proves_nothing_is_refused_or_says_so(given: set[str]) -> None:
    said = three_kinds()
    parts: dict[str, Any] = dict.fromkeys(given, said)
    if "wrong" in given:
        parts["wrong"] = said > 0
    with pytest.raises(HoldfastError, match="prove nothing"):
        choose_cores(3, **parts)
    assert choose_cores(3, **parts, unproven=True).guarantee is Guarantee.HEURISTIC


def test_with_labels_the_core_is_the_best_of_its_cluster() -> None:
    said = three_kinds()
    wrong = np.zeros(said.shape, bool)
    wrong[:6] = True
    chosen = choose_cores(3, validation=said, unlabelled=said, wrong=wrong, unproven=True)
    assert sorted(chosen.places) == [6, 7, 8]


@pytest.mark.parametrize("number", [0, 10, 2.5, None])
def test_the_number_of_cores_is_checked(number: Any) -> None:
    with pytest.raises(HoldfastError, match="from 1 to 9"):
        choose_cores(number, training=three_kinds())


def test_answers_are_needed_and_of_the_same_models() -> None:
    with pytest.raises(HoldfastError, match="give training="):
        choose_cores(2)
    with pytest.raises(HoldfastError, match="different numbers of rows"):
        choose_cores(2, validation=np.zeros((3, 4), int), unlabelled=np.zeros((2, 4), int))
    with pytest.raises(HoldfastError, match="two dimensions"):
        choose_cores(2, training=np.zeros(4, int))


def test_one_cluster_and_as_many_as_models() -> None:
    said = three_kinds()
    assert choose_cores(1, training=said).clusters.tolist() == [0] * 9
    assert choose_cores(9, training=said.astype(str)).places.tolist() == [*range(9)]
    assert clusters_of(np.zeros((1, 1)), 1).tolist() == [0]


def test_true_is_no_number_of_cores() -> None:
    with pytest.raises(HoldfastError, match="whole number from 1 to 2"):
        choose_cores(True, training=np.array([[0, 1], [1, 1]]))
