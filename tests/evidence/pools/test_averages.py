"""Averages over models: what they are, what inputs alone make certain, and the choice among sets of models."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.special import bdtrc

from holdfast.bounds.panel import clopper_pearson_levels
from holdfast.combine import bonferroni
from holdfast.errors import HoldfastError
from holdfast.evidence import Losses
from holdfast.evidence.pools.averages import (
    average,
    average_by_levels,
    average_on,
    certain,
    gibbs,
    shares,
    weights_of_sets,
)
from holdfast.evidence.pools.panel import Panel, Unlabelled
from holdfast.evidence.pools.pool import GradedLosses

BY_CHANCE = 1e-6


def some_panel(models: int = 4, n: int = 30, labels: int = 2, seed: int = 0) -> Panel:
    rng = np.random.default_rng(seed)
    truth, said = rng.integers(0, labels, n), rng.integers(0, labels, (models, n))
    return Panel(tuple("abcdefgh"[:models]), said != truth, tuple("xyzuv"[:labels]), truth, said)


def test_the_average_is_that_of_the_error_rates() -> None:
    panel = some_panel()
    assert float(average(panel).mean) == pytest.approx(float(panel.errors.mean.mean()), rel=1e-15)
    weights = np.array([0.1, 0.2, 0.3, 0.4])
    assert float(average(panel, weights).mean) == pytest.approx(float(weights @ panel.errors.mean), rel=1e-14)
    assert average(panel, 7 * weights).values == pytest.approx(average(panel, weights).values, abs=1e-15)


@pytest.mark.parametrize("weights", [None, [1, 1, 1, 1], [0.25] * 4, [3, 3, 3, 3]])
def test_equal_weights_however_they_are_written(weights: Any) -> None:
    panel = some_panel()
    np.testing.assert_array_equal(average(panel, weights).values, panel.wrong.sum(axis=0) / 4)
    assert average_on(panel, 10, weights).levels == 4
    assert type(average_by_levels(panel, weights)) is Losses


def test_models_without_weight_count_for_nothing() -> None:
    panel = some_panel()
    np.testing.assert_array_equal(average(panel, [0, 2, 0, 2]).values, panel.wrong[[1, 3]].sum(axis=0) / 2)
    assert average_on(panel, 10, [0, 2, 0, 2]).levels == 2
    assert average_on(panel, 10, [0, 1, 0, 2]).levels is None
    there = Unlabelled(panel.models, panel.labels, np.array([[0, 0], [1, 0], [0, 1], [1, 1]]))
    assert float(average_on(panel, there, [0, 2, 0, 2]).low) == 0.25


def test_levels_only_for_a_few_equally_weighted_models() -> None:
    assert isinstance(average_by_levels(some_panel(2)), GradedLosses)
    assert isinstance(average_by_levels(some_panel(3)), Losses)
    assert isinstance(average_by_levels(some_panel(2), [1, 2]), Losses)
    assert float(average_by_levels(some_panel(2)).mean) == pytest.approx(float(average(some_panel(2)).mean))


@pytest.mark.parametrize("weights", [None, [0.5, 0.3, 0.2]])
@pytest.mark.parametrize("labels", [2, 3])
def test_what_inputs_make_certain_is_never_violated_by_any_labels(labels: int, weights: Any) -> None:
    """Every labelling of a few inputs; the ends are reached by some."""
    rng = np.random.default_rng(labels)
    for _ in range(5):
        said = rng.integers(0, labels, (3, 5))
        share = None if weights is None else np.asarray(weights)
        least, most = certain(said, labels, share)
        use = np.full(3, 1 / 3) if share is None else share
        means = np.array([(use @ (said != np.array(truth))).mean() for truth in product(range(labels), repeat=5)])
        assert means.min() == pytest.approx(least.mean(), abs=1e-14)
        assert means.max() == pytest.approx(most.mean(), abs=1e-14)


def test_the_certain_range_as_published() -> None:
    said = (np.arange(10)[:, None] < np.array([1, 2, 9, 6])).astype(np.int64)  # .1, .2, .9 and .6 of the models say 1
    least, most = certain(said, 2)
    assert (least.mean(), most.mean()) == pytest.approx((0.2, 0.8), rel=1e-15)


@pytest.mark.parametrize("weights", [None, np.array([0.5, 0.3, 0.2])])
def test_more_labels_than_models_cost_nothing(weights: Any) -> None:
    said = np.random.default_rng(3).integers(0, 4, (3, 101))
    least, most = certain(said * 10**12, 10**15, weights)
    np.testing.assert_allclose(least, certain(said, 4, weights)[0], atol=1e-15)
    assert np.all(most == 1.0)  # there is always a label that no model says


def test_blocks_of_inputs_give_what_all_at_once_give(monkeypatch: pytest.MonkeyPatch) -> None:
    said, weights = np.random.default_rng(3).integers(0, 4, (5, 101)), np.array([0.1, 0.2, 0.3, 0.25, 0.15])
    whole = [certain(said, 4), certain(said, 4, weights)]
    monkeypatch.setattr("holdfast.numerics.voting.BLOCK", 37)
    for before, now in zip(whole, [certain(said, 4), certain(said, 4, weights)], strict=True):
        np.testing.assert_array_equal(before, now)


@pytest.mark.parametrize("weights", [None, [0.1, 0.6, 0.3]])
@pytest.mark.parametrize("labels", [2, 3])
@pytest.mark.parametrize("by_inputs", [True, False])
def test_offset_and_rest_add_up_to_the_average_loss_on_the_unlabelled(
    labels: int, weights: Any, by_inputs: bool
) -> None:
    """Were the unlabelled labelled as well, their own pool would have the same parts."""
    panel = some_panel(3, 40, labels, seed=5)
    said, truth = panel.predicted, panel.truth
    assert said is not None
    there = Unlabelled(panel.models, panel.labels, said)
    pool = average_on(panel, there, weights, by_inputs=by_inputs)
    assert float(pool.mean) == pytest.approx(float(average(panel, weights).mean), abs=1e-14)
    assert pool.low <= pool.mean <= pool.high
    assert (float(pool.offset) > 0) == by_inputs
    use = shares(np.ones(3) if weights is None else weights, 3)
    for j in range(40):
        floor = min(float(use @ (said[:, j] != label)) for label in range(labels))
        left = float(use @ (said[:, j] != truth[j])) - (floor if by_inputs else 0.0)  # type: ignore[index]
        assert pool.values[j] == pytest.approx(left, abs=1e-14)


def test_a_label_beyond_those_listed_may_be_true() -> None:
    panel = some_panel(3, 20, 3)
    pool = average_on(panel, Unlabelled(panel.models, panel.labels, np.array([[0], [1], [2]])))
    assert (float(pool.low), float(pool.high)) == (pytest.approx(2 / 3), 1.0)


def test_pass_or_fail_alone_leaves_the_inputs_silent() -> None:
    panel = Panel(("a", "b"), np.array([[0, 1, 1, 0], [0, 1, 0, 0]], bool))
    pool = average_on(panel, 12)
    assert (float(pool.offset), float(pool.low), float(pool.high), pool.levels) == (0.0, 0.0, 1.0, 2)


def test_gibbs_pays_for_what_the_weights_learned() -> None:
    panel = some_panel(4)
    assert float(gibbs(panel, [1, 1, 1, 1]).divergence) == pytest.approx(0.0, abs=1e-15)
    assert float(gibbs(panel, [0, 0, 1, 0]).divergence) == pytest.approx(np.log(4))
    assert float(gibbs(panel, [1, 3, 0, 0], [1, 1, 2, 0]).divergence) == pytest.approx(
        0.25 * np.log(0.25 / 0.25) + 0.75 * np.log(0.75 / 0.25)
    )
    with pytest.raises(HoldfastError, match="ruled out"):
        gibbs(panel, [0, 0, 0, 1], [1, 1, 1, 0])


def test_the_chosen_set_of_models_is_vouched_for_among_all_sets() -> None:
    """Twenty sets of equal merit: the limit of the best-looking one holds at its part of delta, and not at delta."""
    rng, runs, n, delta = np.random.default_rng(8), 200, 60, 0.2
    names = tuple(map(str, range(40)))
    missed = {"together": 0, "alone": 0}
    for _ in range(runs):
        panel = Panel(names, np.repeat(rng.random((20, n)) < 0.3, 2, axis=0))  # the two models of a set err alike
        sets = {f"set {i}": [str(2 * i), str(2 * i + 1)] for i in range(20)}
        losses = average(panel, weights_of_sets(panel, sets))
        best = GradedLosses.of_values(losses.values[np.argmin(losses.mean)], 2)
        missed["together"] += clopper_pearson_levels(best, bonferroni(delta, 20), "upper").upper < 0.3
        missed["alone"] += clopper_pearson_levels(best, delta, "upper").upper < 0.3
    assert bdtrc(missed["together"] - 1, runs, delta) > BY_CHANCE
    assert bdtrc(missed["alone"] - 1, runs, delta) < BY_CHANCE


@pytest.mark.parametrize(
    "weights", [[1, 2, 3], [1, 1, 1, -1], [0, 0, 0, 0], 3.0, [1, 1, 1, np.nan], "abcd", [np.inf] * 4]
)
def test_strange_weights(weights: Any) -> None:
    for use in (average, lambda panel, w: average_on(panel, 5, w), gibbs):
        with pytest.raises(HoldfastError):
            use(some_panel(), weights)


def test_what_does_not_fit_is_said() -> None:
    panel = some_panel()
    with pytest.raises(HoldfastError, match="same models"):
        average_on(panel, Unlabelled(("p", "q", "r", "s"), panel.labels, np.zeros((4, 3), int)))
    with pytest.raises(HoldfastError, match="one set of weights"):
        average_on(panel, 5, np.eye(4))
    with pytest.raises(HoldfastError, match="clusters"):
        average(Panel(("a", "b"), np.zeros((2, 3), bool), clusters=np.array([0, 0, 1])))
    with pytest.raises(HoldfastError, match="nobody"):
        weights_of_sets(panel, {"one": ["a", "nobody"]})
    with pytest.raises(HoldfastError, match="holds no models"):
        weights_of_sets(panel, {"one": []})
