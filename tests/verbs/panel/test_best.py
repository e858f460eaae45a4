"""Who may be the best: the true best stays, in the population and on the very inputs that are not labelled."""

from __future__ import annotations

from itertools import combinations
from math import comb

import numpy as np
import pytest
from numpy.typing import NDArray

from holdfast.errors import InvalidEvidence
from holdfast.evidence.pools.panel import Panel, Unlabelled
from holdfast.verbs.compare.deciding import Request
from holdfast.verbs.compare.pairs import Contest
from holdfast.verbs.panel import averages as leaders
from holdfast.verbs.panel.averages import may_be_best

NAMES = tuple(f"m{place}" for place in range(60))


def halves(
    said: NDArray[np.integer], truth: NDArray[np.integer], labelled: NDArray[np.integer]
) -> tuple[Panel, Unlabelled]:
    """A panel of these rows, and what its models say on the others."""
    labels = tuple(map(str, range(int(max(said.max(), truth.max())) + 1)))
    names = NAMES[: len(said)]
    here = np.isin(np.arange(said.shape[1]), labelled)
    panel = Panel(names, said[:, here] != truth[here], labels, truth[here], said[:, here])
    return panel, Unlabelled(names, labels, said[:, ~here])


def drawn(
    models: int, inputs: int, labels: int, alike: float, seed: int
) -> tuple[NDArray[np.integer], NDArray[np.integer]]:
    """Models of which the first are a little better, all erring on hard inputs, the more alike the more together."""
    draw = np.random.default_rng(seed)
    truth = draw.integers(0, labels, inputs)
    hard, own = draw.normal(size=inputs), draw.normal(size=(models, inputs))
    wrong = alike * hard + (1 - alike) * own > np.linspace(0.9, 0.2, models)[:, None]
    other = (truth + draw.integers(1, labels, (models, inputs))) % labels
    return np.where(wrong, other, truth), truth


def test_in_the_population_it_is_what_compare_says() -> None:
    draw = np.random.default_rng(3)
    for models in (2, 3, 8):
        wrong = draw.random((models, 80)) < np.linspace(0.05, 0.5, models)[:, None]
        panel = Panel(NAMES[:models], wrong)
        kept = [name for name, may in zip(panel.models, may_be_best(panel, 0.05), strict=True) if may]
        assert kept == Contest(panel, Request(delta=0.05)).best


def test_fewer_rivals_keep_more(monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(5)
    wrong = draw.random((60, 300)) < np.linspace(0.05, 0.6, 60)[:, None]
    few = may_be_best(Panel(NAMES, wrong), 0.05)
    monkeypatch.setattr(leaders, "MOST_RIVALS", 60)
    every = may_be_best(Panel(NAMES, wrong), 0.05)
    assert np.all(every <= few)
    assert few.sum() < 40


@pytest.mark.parametrize("labels", [2, 3])
def test_over_all_splits_of_a_small_pool_the_best_is_seldom_dropped(labels: int) -> None:
    """Every way to label 5 of 10 inputs, at a delta so large that models are dropped at all."""
    delta, worst, ever = 0.5, 0.0, 0
    for seed in (4,):
        said, truth = drawn(2, 10, labels, 0.0, seed)
        said[1, 2:9] = (truth[2:9] + 1) % labels  # surely worse
        missed = splits = 0
        for chosen in combinations(range(10), 5):
            panel, there = halves(said, truth, np.array(chosen))
            rest = np.setdiff1d(np.arange(10), chosen)
            errors = (said[:, rest] != truth[rest]).sum(axis=1)
            kept = may_be_best(panel, delta, there)
            missed += not kept[errors == errors.min()].any()
            ever += not kept.all()
            splits += 1
        worst = max(worst, missed / splits)
    assert worst <= delta
    assert ever > 0


@pytest.mark.parametrize(
    ("labels", "alike", "rounds"),
    [
        (2, 0.5, 40),
        (3, 0.5, 40),
        *(pytest.param(labels, alike, 400, marks=pytest.mark.long) for labels in (2, 4) for alike in (0.1, 0.8)),
    ],
)
def test_over_random_splits_the_best_is_seldom_dropped(labels: int, alike: float, rounds: int) -> None:
    said, truth = drawn(5, 240, labels, alike, 7)
    draw, delta = np.random.default_rng(11), 0.2
    missed = dropped = 0
    for _ in range(rounds):
        labelled = draw.permutation(240)[:120]
        panel, there = halves(said, truth, labelled)
        rest = np.setdiff1d(np.arange(240), labelled)
        errors = (said[:, rest] != truth[rest]).sum(axis=1)
        kept = may_be_best(panel, delta, there)
        missed += not kept[errors == errors.min()].any()
        dropped += not kept.all()
    assert missed <= rounds * delta
    assert dropped > rounds / 3  # it says something


def least(found: int, here: int, there: int, delta: float) -> int:
    """The fewest errors among the unlabelled under which so many among the labelled are not too surprising."""
    every = comb(here + there, here)
    for errors in range(there + 1):
        pool = found + errors
        ways = sum(comb(pool, k) * comb(here + there - pool, here - k) for k in range(found, min(pool, here) + 1))
        if ways > delta * every:
            return errors
    return there


@pytest.mark.parametrize("alone", range(9, 19))
def test_with_two_labels_more_than_half_of_the_disagreements_decide(alone: int) -> None:
    """Two models differ on 18 labelled and on 15 unlabelled inputs; the second errs on so many of the former."""
    truth = np.zeros(60, int)
    said = np.zeros((2, 60), int)
    said[1, :alone] = said[0, alone:18] = said[1, 30:45] = 1
    panel, there = halves(said, truth, np.arange(30))
    beaten = not may_be_best(panel, 0.1, there)[1]
    assert beaten == (2 * least(alone, 18, 15, 0.1 / 2) > 15)


@pytest.mark.parametrize("alone", range(9, 19))
def test_with_more_labels_both_numbers_have_their_limit(alone: int) -> None:
    truth = np.full(60, 2)
    truth[:40] = 0
    said = np.zeros((2, 60), int)
    said[1, :alone] = said[0, alone:18] = said[1, 30:45] = 1
    said[:, 45:] = 2
    panel, there = halves(said, truth, np.arange(30))
    beaten = not may_be_best(panel, 0.1, there)[1]
    at_most = 15 - least(alone, 18, 15, 0.1 / 4)  # of 18 the rival errs on the other ones
    assert beaten == (least(alone, 18, 15, 0.1 / 4) > at_most)


def test_models_that_say_the_same_stay_together() -> None:
    said, truth = drawn(4, 100, 2, 0.2, 2)
    said[1] = said[0]
    panel, there = halves(said, truth, np.arange(50))
    kept = may_be_best(panel, 0.05, there)
    assert kept[0] == kept[1]


def test_what_the_models_said_is_needed() -> None:
    panel = Panel(("a", "b"), np.zeros((2, 5), bool))
    with pytest.raises(InvalidEvidence, match="give truth and predictions"):
        may_be_best(panel, 0.05, Unlabelled(("a", "b"), ("x", "y"), np.zeros((2, 3), int)))
