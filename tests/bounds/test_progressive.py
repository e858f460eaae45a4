"""Sequences of models: limits hold against the most treacherous learner there is, found by backward induction."""

from __future__ import annotations

from collections.abc import Callable
from math import log, sqrt

import numpy as np
import pytest

from holdfast.bounds import progressive
from holdfast.bounds.progressive import progressive_hoeffding, progressive_mixture
from holdfast.catalog import find
from holdfast.evidence import Array, Counts
from holdfast.evidence.folds.sample import Progressive
from holdfast.invert import solve_for_delta
from holdfast.verbs.bound import default_methods
from tests.tries import tries

Mutant = Callable[[Callable[..., Array]], Callable[..., Array]]
GRID = 20  # risks that a learner may choose among are multiples of one over it


def worst_miss(limits: Array, n: int, *, lower: bool = False) -> float:
    """The largest chance that a learner can give to its average risk to lie beyond the limit for k errors in n.

    It knows all that happened so far and chooses the risk of the next model. What matters of the past is how many
    errors were seen and the sum of the risks: the best choice is found from the last example backwards.
    """
    risk, limit = np.arange(n * GRID + 1) / (n * GRID), limits[:, np.newaxis]
    chance = np.where(limit > risk + 1e-12 if lower else limit < risk - 1e-12, 1.0, 0.0)
    for seen in range(n - 1, -1, -1):
        before = np.zeros((seen + 1, seen * GRID + 1))
        for choice in range(GRID + 1):
            after = chance[: seen + 2, choice : choice + seen * GRID + 1]
            p = choice / GRID
            before = np.maximum(before, p * after[1:] + (1 - p) * after[:-1])
        chance = before
    return float(chance[0, 0])


def limits_of(n: int, delta: float, side: str) -> Array:
    claim = progressive_mixture(Progressive(np.arange(n + 1) / n, np.full(n + 1, n)), delta, side)  # type: ignore[arg-type]
    return np.asarray(claim.upper if side == "upper" else claim.lower)


@tries("progressive-mixture", how="enumerated")
@pytest.mark.parametrize("delta", [0.4, 0.2, 0.05])
@pytest.mark.parametrize("n", [1, 2, 5, 12])
def test_no_learner_that_adapts_to_its_luck_makes_it_miss_too_often(n: int, delta: float) -> None:
    assert worst_miss(limits_of(n, delta, "upper"), n) <= delta
    assert worst_miss(limits_of(n, delta, "lower"), n, lower=True) <= delta


def test_the_promise_is_not_kept_by_silence() -> None:
    assert worst_miss(limits_of(12, 0.2, "upper"), 12) > 0.08
    assert worst_miss(limits_of(12, 0.2, "lower"), 12, lower=True) > 0.08


def test_stakes_that_follow_the_risk_in_question_would_be_caught() -> None:
    """Chernoff's bound, solved for the risk, takes the best stake for each: fair for a fixed risk, and for no other."""
    n, delta = 12, 0.2
    chernoff = np.asarray(find("hoeffding-kl")(Counts(np.arange(n + 1), n), delta, "upper").upper)
    assert worst_miss(chernoff, n) > delta


@pytest.mark.parametrize(
    "mutant",
    [
        lambda own: lambda sequence, stakes, room: own(sequence, stakes, room) + log(7),  # the sum for the mean
        lambda own: lambda sequence, stakes, room: own(sequence, stakes, room * 0.8),
        lambda own: lambda sequence, stakes, room: 2 * own(sequence, stakes, room),
    ],
    ids=["stakes that are not shared", "a smaller denominator", "every example twice"],
)
def test_mutants_of_the_wealth_are_caught(
    mutant: Callable[..., Callable[..., Array]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(progressive, "_log_wealth", mutant(progressive._log_wealth))
    assert worst_miss(limits_of(12, 0.2, "upper"), 12) > 0.2


@pytest.mark.parametrize(
    ("risk", "n", "most"), [(0.03, 1000, 1.7), (0.1, 1000, 1.7), (0.3, 1000, 1.7), (0.03, 10_000, 1.7)]
)
def test_it_is_not_much_wider_than_the_normal_interval(risk: float, n: int, most: float) -> None:
    normal = 2 * 1.959964 * sqrt(risk * (1 - risk) / n)
    narrow, wide = progressive_mixture(Progressive(risk, n)), progressive_hoeffding(Progressive(risk, n))
    assert narrow.width / normal <= 1.7
    assert narrow.width < wide.width or risk == 0.3


def test_it_answers_and_the_old_one_stays_by_name() -> None:
    assert [bound.name for bound in default_methods(Progressive(0.1, 50))] == ["progressive-mixture"]
    claim = find("progressive")(Progressive.from_counts([3, 5, 2], [50, 50, 40]), 0.05, "upper")
    assert claim.upper == pytest.approx(10 / 140 + sqrt(log(20) / 280), rel=1e-12)
    scaled = find("progressive")(Progressive(5.0, 100, low=0.0, high=10.0), 0.05, "lower")
    assert scaled.lower == pytest.approx(10 * (0.5 - sqrt(log(20) / 200)), rel=1e-12)


def test_the_mirror_the_units_and_arrays() -> None:
    several = progressive_mixture(Progressive([0.1, 0.9, 0.4], [200, 200, 30]), np.array([0.05, 0.05, 0.2]))
    one, other = progressive_mixture(Progressive(0.1, 200)), progressive_mixture(Progressive(5.0, 200, low=-5, high=95))
    assert (several.lower[0], several.upper[0]) == (one.lower, one.upper)  # type: ignore[index]
    assert (1 - several.upper[1], 1 - several.lower[1]) == pytest.approx((one.lower, one.upper), abs=1e-13)  # type: ignore[index]
    assert (other.lower, other.upper) == pytest.approx((100 * one.lower - 5, 100 * one.upper - 5), rel=1e-9)


def test_nothing_seen_says_nothing_and_no_error_is_no_certainty() -> None:
    silent, spotless = progressive_mixture(Progressive(0.0, 0)), progressive_mixture(Progressive(0.0, 1000))
    assert (silent.lower, silent.upper) == (0.0, 1.0)
    assert spotless.lower == 0.0
    assert 0.003 < spotless.upper < 0.008
    rare = progressive_mixture(Progressive(1e-9, 10**10))
    assert 0 < rare.lower < 1e-9 < rare.upper < 4e-9


def test_a_p_value_is_one_over_the_wealth_of_stakes_for_five_percent() -> None:
    sequence = Progressive(0.1, 300)
    claim = progressive_mixture(sequence, 0.05, "upper")
    p = solve_for_delta(progressive_mixture, sequence, np.asarray(claim.upper), "upper")
    assert float(p) == pytest.approx(0.05, rel=1e-6)
