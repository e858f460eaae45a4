"""What is said of several models beside their numbers: when it contradicts itself, and what inputs make certain."""

from __future__ import annotations

import numpy as np
import pytest

from holdfast.evidence.pools.panel import Panel
from holdfast.tally.panel.panel import panel_of_arrays
from holdfast.tally.panel.unlabelled import unlabelled_of_arrays
from holdfast.verbs.panel.averages import certain_about, doubts

LABELS = np.array(["a", "b"] * 150)


@pytest.fixture
def right() -> Panel:
    """Three models that never erred on 300 examples."""
    return panel_of_arrays(LABELS, dict.fromkeys("xyz", LABELS))


def test_models_that_never_err_cannot_differ_everywhere(right: Panel) -> None:
    said = {"x": LABELS[1:], "y": LABELS[:-1], "z": LABELS[1:]}
    told = " ".join(doubts(right, unlabelled_of_arrays(right, said), 0.05))
    assert "contradict each other. 'x' and 'y' differ on 100 % of the unlabelled inputs" in told
    assert "at most 5 %" in told


def test_models_that_differ_where_they_may_raise_no_doubt(right: Panel) -> None:
    few = LABELS[1:].copy()
    few[:20] = "a"  # 10 differ, more than the limit of either model, and less than both together
    rest = unlabelled_of_arrays(right, {"x": LABELS[1:], "y": few, "z": LABELS[1:]})
    assert np.count_nonzero(few != LABELS[1:]) == 10
    assert not [*doubts(right, rest, 0.05)]


def test_the_labelled_examples_once_more_are_noticed(right: Panel) -> None:
    (told,) = doubts(right, unlabelled_of_arrays(right, dict.fromkeys("xyz", LABELS)), 0.05)
    assert "just what it says on the labelled examples" in told
    few = panel_of_arrays(LABELS[:4], dict.fromkeys("xy", LABELS[:4]))
    assert not [*doubts(few, unlabelled_of_arrays(few, dict.fromkeys("xy", LABELS[:4])), 0.05)]


@pytest.mark.parametrize("weights", [None, [5, 7, 0]])
def test_with_two_labels_the_variance_of_drawing_is_exact_whatever_the_weights(
    right: Panel, weights: list[float] | None
) -> None:
    draw = np.random.default_rng(1)
    two = unlabelled_of_arrays(right, draw.choice(["a", "b"], (3, 40)))
    three = unlabelled_of_arrays(right, draw.choice(["a", "b", "c"], (3, 40)))
    assert certain_about(two, weights).exact
    assert not certain_about(three, weights).exact
