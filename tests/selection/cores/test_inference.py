"""The programme against all labellings there are, and the multipliers against optimality."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy.optimize import linprog

from holdfast.errors import HoldfastError
from holdfast.selection.cores import inference
from holdfast.selection.cores.inference import Infeasible, Patterns, by_each_core, by_programme
from tests.tries import tries

Drawn = tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]


def drawn(seed: int, inputs: int, cores: int, labels: int) -> Drawn:
    """A target and cores that mostly agree with a truth, and the truth."""
    random = np.random.default_rng(seed)
    truth = random.integers(0, labels, inputs)
    hard = random.random(inputs) < 0.4
    said = np.where(
        hard & (random.random((cores + 1, inputs)) < 0.6), random.integers(0, labels, (cores + 1, inputs)), truth
    )
    return said[0], said[1:], truth


def every_labelling(inputs: int, labels: int) -> np.ndarray[Any, Any]:
    return np.array(list(product(range(labels), repeat=inputs)))


def by_brute_force(target: Any, cores: Any, labels: int, lower: Any, upper: Any) -> tuple[float, float] | None:
    """The least and largest error rate of the target over all labellings that the limits allow."""
    truths = every_labelling(len(target), labels)
    rates = np.stack([(truths != core).mean(axis=1) for core in cores])
    allowed = np.all((rates >= lower[:, None] - 1e-9) & (rates <= upper[:, None] + 1e-9), axis=0)
    errors = (truths != target).mean(axis=1)[allowed]
    return (errors.min(), errors.max()) if errors.size else None


def relaxed(target: Any, cores: Any, labels: int, lower: Any, upper: Any, sign: int) -> Any:
    """The programme written out input by input, as textbooks would: a variable for each input and label."""
    inputs = len(target)
    wrong = (cores[:, :, None] != np.arange(labels)).reshape(len(cores), -1) / inputs
    mine = (target[:, None] != np.arange(labels)).ravel() / inputs
    one_label = np.kron(np.eye(inputs), np.ones(labels))
    return linprog(
        -sign * mine, np.vstack([wrong, -wrong]), np.append(upper, -lower), one_label, np.ones(inputs), method="highs"
    )


@pytest.mark.parametrize(("labels", "inputs"), [(2, 12), (3, 7), (4, 5)])
@pytest.mark.parametrize("seed", range(12))
def test_never_inside_the_range_over_all_labellings_and_equal_where_the_optimum_is_whole(
    seed: int, labels: int, inputs: int
) -> None:
    target, cores, truth = drawn(seed, inputs, 1 + seed % 4, labels)
    rates = (cores != truth).mean(axis=1)
    slack = (seed % 3) / inputs
    lower, upper = np.maximum(rates - slack, 0), np.minimum(rates + slack, 1)
    found = by_programme(Patterns.of(target, cores, labels), lower, upper)
    exact = by_brute_force(target, cores, labels, lower, upper)
    assert exact is not None
    assert found.lower <= exact[0] + 1e-9
    assert found.upper >= exact[1] - 1e-9
    for sign, limit, end in ((1, found.upper, exact[1]), (-1, found.lower, exact[0])):
        textbook = relaxed(target, cores, labels, lower, upper, sign)
        errors = -sign * textbook.fun * inputs
        rounded = np.floor(errors + 1e-7) if sign > 0 else np.ceil(errors - 1e-7)
        assert limit * inputs == pytest.approx(rounded)
        if np.allclose(textbook.x, np.rint(textbook.x)):
            assert limit == pytest.approx(end)


@pytest.mark.parametrize("labels", [2, 3])
@pytest.mark.parametrize("seed", range(8))
def test_infeasible_exactly_where_no_fractions_of_labels_will_do(seed: int, labels: int) -> None:
    random = np.random.default_rng(100 + seed)
    cores = random.integers(0, labels, (3, 6))
    target = random.integers(0, labels, 6)
    lower = random.integers(0, 4, 3) / 6
    upper = lower + random.integers(0, 2, 3) / 6
    possible = relaxed(target, cores, labels, lower, upper, 1).status == 0
    if possible:
        by_programme(Patterns.of(target, cores, labels), lower, upper)
    else:
        with pytest.raises(Infeasible, match=r"infeasible.*not of one population"):
            by_programme(Patterns.of(target, cores, labels), lower, upper)
        assert by_brute_force(target, cores, labels, lower, upper) is None


def test_two_cores_that_never_agree_cannot_both_be_right() -> None:
    cores = np.array([[0] * 10, [1] * 10])
    with pytest.raises(HoldfastError, match="infeasible"):
        by_programme(Patterns.of(cores[0], cores, 2), np.zeros(2), np.full(2, 0.4))


@pytest.mark.crossing(1)
@pytest.mark.parametrize("labels", [2, 5])
def test_the_descent_for_many_patterns_is_no_less_and_hardly_more_than_the_optimum(
    labels: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    target, cores, truth = drawn(3, 2000, 8, labels)
    rates = (cores != truth).mean(axis=1)
    patterns = Patterns.of(target, cores, labels)
    exact = by_programme(patterns, rates - 0.02, rates + 0.02)
    monkeypatch.setattr(inference, "FEW", 0)
    close = by_programme(patterns, rates - 0.02, rates + 0.02)
    assert exact.lower - 0.005 <= close.lower <= exact.lower
    assert exact.upper <= close.upper <= exact.upper + 0.005


def test_the_descent_says_infeasible_too(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(inference, "FEW", 0)
    cores = np.array([[0] * 100, [1] * 100])
    with pytest.raises(Infeasible):
        by_programme(Patterns.of(cores[0], cores, 2), np.zeros(2), np.full(2, 0.4))


@pytest.mark.parametrize("seed", range(5))
def test_any_multipliers_make_a_true_limit(seed: int) -> None:
    target, cores, truth = drawn(seed, 10, 3, 3)
    errors = (cores != truth).sum(axis=1).astype(float)
    patterns = Patterns.of(target, cores, 3)
    programme = inference._Programme(patterns, errors - patterns.apart, errors + 1 - patterns.apart, 1.0)
    most = relaxed(target, cores, 3, errors / 10, (errors + 1) / 10, 1).fun * -10
    for multipliers in np.random.default_rng(seed).normal(size=(50, 3)):
        assert programme.dual(multipliers) >= most - 1e-9


@pytest.mark.long
@tries("core-programme", "nearest-core", how="enumerated")
@pytest.mark.parametrize("labels", [2, 3])
def test_each_core_alone_is_never_violated_and_never_better_than_the_programme(labels: int) -> None:
    target, cores, _ = drawn(5, 5, 2, labels)
    for truth in every_labelling(5, labels):
        rates = (cores != truth).mean(axis=1)
        mine = (target != truth).mean()
        lower, upper = by_each_core(target, cores, rates, rates)
        assert np.all(lower <= mine + 1e-12)
        assert np.all(mine <= upper + 1e-12)
        all_of_them = by_programme(Patterns.of(target, cores, labels), rates, rates)
        assert all_of_them.lower >= lower.max() - 1e-12
        assert all_of_them.upper <= upper.min() + 1e-12


@pytest.mark.parametrize(("labels", "inputs"), [(2, 9), (3, 6)])
@pytest.mark.parametrize("seed", range(4))
def test_cores_that_draw_a_member_for_each_input_leave_all_labellings_open_that_their_average_allows(
    seed: int, labels: int, inputs: int
) -> None:
    target, members, truth = drawn(seed, inputs, 5, labels)
    weights = np.array([[0.5, 0.5, 0, 0, 0], [0, 0, 1 / 3, 1 / 3, 1 / 3]])
    rates = weights @ (members != truth).mean(axis=1)
    truths = every_labelling(inputs, labels)
    average = weights @ np.stack([(truths != member).mean(axis=1) for member in members])
    allowed = np.all(np.abs(average - rates[:, None]) <= 0.1, axis=0)
    errors = (truths != target).mean(axis=1)[allowed]
    found = by_programme(Patterns.of_averages(target, members, labels, weights), rates - 0.1, rates + 0.1)
    assert found.lower <= errors.min()
    assert found.upper >= errors.max()
    assert found.lower > 0 or found.upper < 1


def test_a_core_that_always_draws_the_same_member_is_that_member() -> None:
    target, members, truth = drawn(1, 40, 4, 3)
    rates = (members != truth).mean(axis=1)
    limits = rates - 0.05, rates + 0.05
    alone = by_programme(Patterns.of(target, members, 3), *limits)
    assert by_programme(Patterns.of_averages(target, members, 3, np.eye(4)), *limits) == alone
