"""Costs, distances of classes and losses of a margin: read off right, and their limits hold."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import gammaln, xlogy

from holdfast.catalog import Measure, find, find_measure, measures
from holdfast.claims import SIDES
from holdfast.errors import HoldfastError
from holdfast.evidence import NO_ANSWER, Array, Contingency, Counts, Evidence, Losses, TableStatistic
from holdfast.evidence.costs import Charged, ChargedStrata, Costs, Tiers
from holdfast.evidence.ranking.forecasts import Margins, Posteriors
from holdfast.measures import costs as rules
from holdfast.measures.costs import (
    absolute_loss,
    cost_by_class,
    expected_cost,
    hard_loss,
    linear_loss,
    logistic_loss,
    posterior_loss,
    squared_loss,
)
from holdfast.verbs.bound import default_methods
from tests.bounds.tables import World, all_tables, broken

TWO = ("first", "second")
ALIKE = Costs([[0, 5], [5, 0]], TWO, rows="predicted")  # two costs: a count
KINDS = Costs([[0, 1], [10, 0]], TWO, rows="predicted")  # three
BENEFIT = Costs([[-8, 3], [10, -1]], TWO, rows="predicted")  # four
PERVERSE = Costs([[9, 2], [1, 4]], TWO, rows="predicted")  # being right costs more
UNEVEN = Costs([[0, 1], [1000, 0]], TWO, rows="predicted")


def priced(costs: Costs) -> Measure:
    return replace(expected_cost, narrow=partial(expected_cost.narrow, costs=costs))


def refusal(call: Any, *given: Any, **named: Any) -> str:
    with pytest.raises(HoldfastError) as caught:
        call(*given, **named)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def estimate(evidence: Evidence) -> float:
    return float(evidence.units(evidence.mean))


# ---- Which evidence it is, the costs decide


@pytest.mark.parametrize(
    ("costs", "kind"), [(ALIKE, Charged), (KINDS, Tiers), (BENEFIT, Tiers), (PERVERSE, Tiers), (UNEVEN, Tiers)]
)
def test_the_costs_and_not_the_counts_decide_the_kind_of_evidence(costs: Costs, kind: type) -> None:
    for table in ([[0, 0], [0, 0]], [[5, 0], [0, 5]], [[1, 2], [3, 4]], [[0, 9], [0, 0]]):
        assert type(expected_cost(Contingency(table, TWO, rows="predicted"), costs=costs)) is kind


def test_many_different_costs_are_losses() -> None:
    costs = Costs(np.arange(9.0).reshape(3, 3), "abc", rows="predicted")
    table = Contingency([[9, 0, 0], [0, 0, 0], [0, 0, 0]], "abc", rows="predicted")
    evidence = expected_cost(table, costs=costs)
    assert isinstance(evidence, Losses)
    assert (evidence.low, evidence.high, int(evidence.n)) == (0, 8, 9)


@given(
    st.lists(st.integers(0, 30), min_size=9, max_size=9),
    st.lists(st.sampled_from([-2.0, 0.0, 0.5, 1.0, 3.0, 100.0]), min_size=9, max_size=9).filter(
        lambda c: len(set(c)) > 1
    ),
)
def test_the_estimate_is_the_mean_cost(counts: list[int], matrix: list[float]) -> None:
    table = Contingency(np.reshape(counts, (3, 3)), "abc", rows="predicted")
    costs = Costs(np.reshape(matrix, (3, 3)), "abc", rows="predicted")
    evidence = expected_cost(table, costs=costs)
    assert evidence.n == sum(counts)
    if sum(counts):
        assert estimate(evidence) == pytest.approx(np.dot(counts, matrix) / sum(counts), rel=1e-12, abs=1e-12)
    assert estimate(evidence) + float(evidence.units(evidence.complement)) == pytest.approx(costs.low + costs.high)


def test_costs_the_other_way_round_are_another_matter() -> None:
    table = Contingency([[96, 10], [8, 171]], TWO, rows="predicted")
    assert estimate(expected_cost(table, costs=KINDS)) == pytest.approx(90 / 285)
    turned = Costs(KINDS.matrix, TWO, rows="actual")
    assert estimate(expected_cost(table, costs=turned)) == pytest.approx(108 / 285)


def test_a_missing_answer_has_its_own_cost() -> None:
    table = Contingency([[5, 0, 0], [0, 4, 0], [1, 2, 0]], [*TWO, NO_ANSWER], rows="predicted")
    assert "(no answer)" in refusal(expected_cost, table, costs=KINDS)
    costs = Costs([[0, 1, 0], [10, 0, 0], [3, 0.5, 0]], [*TWO, NO_ANSWER], rows="predicted")
    evidence = expected_cost(table, costs=costs)
    assert estimate(evidence) == pytest.approx((3 + 2 * 0.5) / 12)


@pytest.mark.parametrize("costs", [ALIKE, KINDS, BENEFIT])
def test_stacks_of_tables_give_what_each_gives(costs: Costs) -> None:
    tables = all_tables(4)
    together = find("clopper-pearson" if costs is ALIKE else "union")(expected_cost(tables, costs=costs), 0.05)
    for place in (0, 7, 20):
        one = Contingency(tables.table[place], TWO, rows="predicted")
        (method,) = default_methods(expected_cost(one, costs=costs))
        alone = method(expected_cost(one, costs=costs), 0.05)
        assert (together.lower[place], together.upper[place]) == pytest.approx((alone.lower, alone.upper), rel=1e-12)


def test_costs_can_be_bootstrapped() -> None:
    for size in (2, 3):
        matrix, labels = np.arange(float(size * size)).reshape(size, size), [str(i) for i in range(size)]
        table = Contingency(5 + np.arange(size * size).reshape(size, size), labels, rows="predicted")
        measure = priced(Costs(matrix, labels, rows="predicted"))
        claim = find("percentile")(TableStatistic.of(measure, table), 0.05, resamples=400, seed=1)
        costs = np.repeat(matrix.ravel(), table.table.ravel())
        reach = 1.96 * costs.std() / np.sqrt(costs.size)
        assert claim.estimate == pytest.approx(costs.mean())
        assert (claim.lower, claim.upper) == pytest.approx((costs.mean() - reach, costs.mean() + reach), abs=reach / 4)


def test_beyond_a_million_examples_the_moments_answer() -> None:
    costs = Costs(np.array([[0, 3, 7], [-2, 0, 1], [5, 11, 0]]), "abc", rows="predicted")
    counts = np.array([[500_000, 1_000, 3], [20, 400_000, 70_000], [7, 1, 90_000]])
    table = Contingency(counts, "abc", rows="predicted")
    evidence = expected_cost(table, costs=costs)
    assert isinstance(evidence, Losses)
    assert not evidence.has("values")
    mean = np.sum(counts * costs.matrix) / counts.sum()
    variance = np.sum(counts * (costs.matrix - mean) ** 2) / counts.sum()
    assert estimate(evidence) == pytest.approx(mean, rel=1e-14)
    assert float(evidence.s2) * 13**2 == pytest.approx(variance, rel=1e-13)
    few = expected_cost(Contingency(counts // 1000, "abc", rows="predicted"), costs=costs)
    assert isinstance(few, Losses)
    assert few.has("values")
    assert np.all(np.diff(few.values) >= 0)


# ---- The promise, by enumeration of all tables of n examples


@pytest.mark.parametrize("costs", [ALIKE, KINDS, BENEFIT, PERVERSE, UNEVEN])
def test_limits_of_the_expected_cost_hold_in_every_world(costs: Costs) -> None:
    def true_cost(world: World, _: Contingency) -> Array:
        return np.sum(world.cells * costs.matrix, axis=(-1, -2))

    method = find("clopper-pearson" if costs is ALIKE else "union")
    assert broken(method, priced(costs), true_cost, (1, 4, 8), deltas=(0.5, 0.05)) == []


@pytest.mark.parametrize(("name", "costs"), [("union", KINDS), ("union", UNEVEN), ("clopper-pearson", ALIKE)])
def test_the_enumeration_would_notice_limits_that_are_too_bold(name: str, costs: Costs) -> None:
    def true_cost(world: World, _: Contingency) -> Array:
        return np.sum(world.cells * costs.matrix, axis=(-1, -2))

    honest = find(name)
    bold = replace(honest, upper=lambda evidence, delta: honest.upper(evidence, 4 * delta))
    assert broken(bold, priced(costs), true_cost, (4, 8), deltas=(0.05,), sides=("upper",))


@pytest.mark.long
@pytest.mark.parametrize("costs", [KINDS, BENEFIT, PERVERSE, UNEVEN])
@pytest.mark.parametrize("stated", [0.01, 0.5, 0.9])
def test_limits_at_a_stated_prevalence_hold_whatever_it_is_in_the_sample(costs: Costs, stated: float) -> None:
    prevalence = {"first": stated, "second": 1 - stated}
    shares = np.array([stated, 1 - stated])

    def true_cost(world: World, _: Contingency) -> Array:
        found = np.stack(
            [np.stack([world.first, 1 - world.second], -1), np.stack([1 - world.first, world.second], -1)], -2
        )
        return np.sum(found * costs.matrix * shares, axis=(-1, -2))

    measure = replace(expected_cost, narrow=lambda table: cost_by_class(table, costs, prevalence))
    assert isinstance(measure(all_tables(2)), ChargedStrata)
    assert broken(find("fisher"), measure, true_cost, (1, 7), deltas=(0.5, 0.05)) == []


THREE = Costs([[0, 2, 7], [1, 0, 3], [20, 5, -4]], "abc", rows="predicted")
SHARES = {"a": 0.05, "b": 0.7, "c": 0.25}
WITHIN = [  # predicted down, actual across: how the examples of each class are answered
    np.array([[0.9, 0.1, 0.0], [0.05, 0.8, 0.3], [0.05, 0.1, 0.7]]),
    np.array([[0.3, 0.3, 0.99], [0.3, 0.3, 0.005], [0.4, 0.4, 0.005]]),
    np.array([[0.02, 0.0, 0.5], [0.0, 0.98, 0.5], [0.98, 0.02, 0.0]]),
]


def every_column(n: int) -> Array:
    """All ways in which n examples of a class can be answered."""
    return np.array([(i, j, n - i - j) for i in range(n + 1) for j in range(n + 1 - i)])


def chance(counts: Array, p: Array) -> Array:
    logs = gammaln(counts.sum(axis=-1) + 1) - gammaln(counts + 1).sum(axis=-1) + xlogy(counts, p).sum(axis=-1)
    return np.exp(logs)


@pytest.mark.parametrize("within", WITHIN)
def test_limits_for_three_classes_sampled_one_by_one_hold(within: Array) -> None:
    sizes = (3, 4, 2)
    columns = [every_column(n) for n in sizes]
    places = np.array(list(product(*(range(len(each)) for each in columns))))
    counts = np.stack([columns[j][places[:, j]] for j in range(3)], axis=-1)
    likely = np.prod([chance(counts[..., j], within[:, j]) for j in range(3)], axis=0)
    assert likely.sum() == pytest.approx(1)
    evidence = cost_by_class(Contingency(counts, "abc", rows="predicted"), THREE, SHARES)
    assert type(evidence) is Tiers
    true = np.sum(within * THREE.matrix * np.array([*SHARES.values()]))
    assert float(likely @ evidence.units(evidence.mean)) == pytest.approx(true, rel=1e-12)
    for delta, side in product((0.5, 0.05), SIDES):
        claim = find("union")(evidence, delta, side)
        assert likely @ ((claim.lower > true) | (claim.upper < true)) <= delta


@pytest.mark.long
@pytest.mark.parametrize("within", WITHIN)
@pytest.mark.parametrize("often", [(0.05, 0.7, 0.25), (1 / 3, 1 / 3, 1 / 3)])
def test_limits_for_many_different_costs_hold(within: Array, often: tuple[float, ...]) -> None:
    p = (within * np.array(often)).ravel()
    counts = np.array([c for c in product(range(5), repeat=9) if sum(c) == 4])
    likely, true = chance(counts, p), float(p @ THREE.matrix.ravel())
    each = [expected_cost(Contingency(c.reshape(3, 3), "abc", rows="predicted"), costs=THREE) for c in counts]
    for side in SIDES:
        claim = find("betting")(Losses.joined(each), 0.05, side)
        assert likely @ ((claim.lower > true) | (claim.upper < true)) <= 0.05


# ---- Expected cost at stated frequencies


def test_a_stated_prevalence_reweighs_the_classes() -> None:
    table = Contingency([[96, 10], [8, 171]], TWO, rows="predicted")
    evidence = cost_by_class(table, KINDS, {"first": 0.01, "second": 0.99})
    assert estimate(evidence) == pytest.approx(0.01 * 10 * 8 / 104 + 0.99 * 10 / 181, rel=1e-13)
    flipped = cost_by_class(table, PERVERSE, {"first": 0.3, "second": 0.7})
    assert estimate(flipped) == pytest.approx(0.3 * (9 * 96 + 8) / 104 + 0.7 * (2 * 10 + 4 * 171) / 181, rel=1e-13)
    claim = find("fisher")(flipped, 0.05)
    assert 0.3 + 0.7 * 2 < claim.lower < estimate(flipped) < claim.upper < 0.3 * 9 + 0.7 * 4


def test_frequencies_as_in_the_sample_give_its_mean_cost() -> None:
    counts = np.array([[9, 1, 0], [2, 5, 3], [1, 0, 7]])
    table = Contingency(counts, "abc", rows="predicted")
    own = dict(zip("abc", counts.sum(axis=0) / counts.sum(), strict=True))
    assert estimate(cost_by_class(table, THREE, own)) == pytest.approx(estimate(expected_cost(table, costs=THREE)))


def test_a_class_that_was_not_sampled_leaves_the_estimate_open_and_not_the_limits() -> None:
    table = Contingency([[50, 0], [0, 0]], TWO, rows="predicted")
    claim = find("fisher")(cost_by_class(table, KINDS, {"first": 0.5, "second": 0.5}), 0.05)
    assert claim.estimate is None
    assert claim.lower == 0
    assert 0.5 < claim.upper < 5 * 0.1 + 0.5
    without = find("fisher")(cost_by_class(table, KINDS, {"first": 1.0, "second": 0.0}), 0.05)
    assert without.estimate == 0


@pytest.mark.parametrize(
    ("prevalence", "says"),
    [
        ({"first": 0.5}, "of every class is needed"),
        ({"first": 0.5, "second": 0.5, "third": 0.0}, "of no other"),
        ({"first": 0.5, "second": 0.6}, "add up to 1"),
        ({"first": 1.5, "second": -0.5}, "from 0 on"),
        ({"first": float("nan"), "second": 0.5}, "finite"),
    ],
)
def test_frequencies_that_are_none(prevalence: dict[str, float], says: str) -> None:
    table = Contingency([[1, 0], [0, 1]], TWO, rows="predicted")
    assert says in refusal(cost_by_class, table, KINDS, prevalence)


def test_nothing_to_estimate_at_these_frequencies() -> None:
    table = Contingency([[1, 0], [0, 1]], TWO, rows="predicted")
    costs = Costs([[2, 1], [2, 0]], TWO, rows="predicted")
    assert "nothing to estimate" in refusal(cost_by_class, table, costs, {"first": 1.0, "second": 0.0})
    labels = [str(i) for i in range(40)]
    many = Costs(np.arange(1600.0).reshape(40, 40), labels, rows="predicted")
    diagonal = Contingency(np.eye(40, dtype=int), labels, rows="predicted")
    assert "1,560 different costs" in refusal(cost_by_class, diagonal, many, dict.fromkeys(labels, 1 / 40))


# ---- Distances of classes that are numbers


def test_distances_of_numeric_classes() -> None:
    counts = np.array([[5, 1, 0], [2, 4, 3], [0, 1, 6]])
    table, x = Contingency(counts, [1, 2, 4], rows="predicted"), np.array([1, 2, 4])
    for measure, power in ((squared_loss, 2), (absolute_loss, 1)):
        true = np.sum(counts * np.abs(x[:, np.newaxis] - x) ** power) / counts.sum()
        for classes in ([1, 2, 4], [4, 1, 2], range(10), range(1, 1000)):
            evidence = measure(table, classes=classes)
            assert estimate(evidence) == pytest.approx(true, rel=1e-12)
            assert float(evidence.units(np.ones(()))) == pytest.approx((max(classes) - min(classes)) ** power)


def test_the_classes_stated_decide_the_kind_of_evidence() -> None:
    table = Contingency([[5, 1], [2, 4]], [0, 1], rows="predicted")
    kinds = [type(squared_loss(table, classes=range(k))) for k in (2, 3, 4, 5, 6, 50)]
    assert kinds == [Charged, Tiers, Tiers, Losses, Losses, Losses]


def test_zero_one_classes_make_it_the_error_rate() -> None:
    table = Contingency([[5, 1], [2, 4]], [0, 1], rows="predicted")
    claim, errors = (find("clopper-pearson")(e) for e in (squared_loss(table, classes=[0, 1]), Counts(3, 12)))
    assert (claim.lower, claim.upper) == pytest.approx((errors.lower, errors.upper), rel=1e-13)


@pytest.mark.parametrize(
    ("labels", "classes", "says"),
    [
        (["1", "two"], [1, 2], "the label 'two'"),
        (["1", NO_ANSWER], [1, 2], 'missing="drop"'),
        (["1", "3"], [1, 2], "'3', which is not among the classes"),
        (["1", "nan"], [1, 2], "'nan', which is not"),
        (["1", "2"], [1], "two different numbers"),
        (["1", "2"], [1, float("inf")], "finite"),
        (["1", "2"], [1, 2, 1e200], "other units"),
        (["1", "2"], ["a", "b"], "numbers"),
    ],
)
def test_classes_that_have_no_distance(labels: list[str], classes: Any, says: str) -> None:
    table = Contingency([[1, 0], [0, 1]], labels, rows="predicted")
    assert says in refusal(squared_loss, table, classes=classes)


# ---- What the model believes


def test_the_belief_of_a_model() -> None:
    rng = np.random.default_rng(3)
    given = rng.dirichlet([1, 2, 3], 50)
    predicted = rng.integers(0, 3, 50)
    posteriors = Posteriors(given, predicted, ["a", "b", "c"])
    assert estimate(posterior_loss(posteriors)) == pytest.approx(np.mean(1 - given[np.arange(50), predicted]))
    believed = posterior_loss(posteriors, costs=THREE)
    assert estimate(believed) == pytest.approx(np.mean(np.sum(given * THREE.matrix[predicted], axis=1)))
    assert (believed.low, believed.high) == (-4, 20)
    turned = Costs(THREE.matrix[::-1, ::-1], "cba", rows="predicted")  # by the names of the labels, not their places
    assert estimate(posterior_loss(posteriors, costs=turned)) == pytest.approx(estimate(believed))


def test_zero_one_costs_are_no_costs() -> None:
    posteriors = Posteriors([[0.9, 0.1], [0.4, 0.6], [0.7, 0.3]], [0, 1, 1], TWO)
    zero_one = Costs([[0, 1], [1, 0]], TWO, rows="predicted")
    assert posterior_loss(posteriors).values == pytest.approx(posterior_loss(posteriors, costs=zero_one).values)
    assert posterior_loss(posteriors).values == pytest.approx([0.1, 0.4, 0.7])


def test_certain_probabilities_of_the_truth_make_belief_and_cost_the_same() -> None:
    truth, predicted = np.array([0, 0, 1, 1, 1]), np.array([0, 1, 1, 0, 1])
    table = Contingency([[1, 1], [1, 2]], TWO, rows="predicted")
    believed = posterior_loss(Posteriors(np.eye(2)[truth], predicted, TWO), costs=KINDS)
    assert estimate(believed) == pytest.approx(estimate(expected_cost(table, costs=KINDS)))


def test_no_probability_is_left_for_a_missing_answer() -> None:
    posteriors = Posteriors([[0.9, 0.1, 0.0], [0.5, 0.5, 0.0]], [0, 2], (*TWO, NO_ANSWER))
    assert posterior_loss(posteriors).values == pytest.approx([0.1, 1.0])
    costs = Costs([[0, 1, 99], [10, 0, 99], [3, 5, 99]], [*TWO, NO_ANSWER], rows="predicted")
    assert estimate(posterior_loss(posteriors, costs=costs)) == pytest.approx((0.1 + 4) / 2)


# ---- The survey's losses of a margin: (2)-(5), which it prints without numbers


def test_the_hard_loss_counts_what_the_survey_calls_wrong() -> None:
    y, f = np.array([1, 1, 1, -1, -1, -1]), np.array([2.0, 0.0, 0.0, 0.3, 0.0, -4.0])
    sign = np.where(f > 0, 1, -1)  # (3)
    margins = Margins.of_decisions(y > 0, f)
    assert (hard_loss(margins).k, hard_loss(margins).n) == (np.sum(sign != y), 6)
    assert type(hard_loss(margins)) is Counts


@given(st.lists(st.floats(-20, 20), min_size=1, max_size=30), st.floats(0.01, 30))
def test_the_soft_losses_are_those_printed(values: list[float], alpha: float) -> None:
    m = np.sort(values)
    logistic = logistic_loss(Margins(values), alpha=alpha)
    assert np.sort(logistic.values) == pytest.approx(np.sort(np.exp(-alpha * m) / (1 + np.exp(-alpha * m))), rel=1e-12)
    linear = [1.0 if v < -1 else 0.0 if v > 1 else (1 - v) / 2 for v in values]
    assert np.sort(linear_loss(Margins(values)).values) == pytest.approx(np.sort(linear), abs=1e-15)


def test_the_linear_loss_is_a_piecewise_linear_approximation_of_the_logistic_one() -> None:
    m = np.linspace(-6, 6, 2401)
    apart = [
        np.abs(logistic_loss(Margins(m), alpha=a).values - linear_loss(Margins(m)).values).max() for a in (1, 2, 4)
    ]
    assert apart[1] == pytest.approx(1 / (1 + np.exp(2)), abs=1e-12)  # of a tangent, at its ends
    assert apart[1] < min(apart[0], apart[2])
    near = Margins([1e-9])
    assert logistic_loss(near, alpha=2).values == pytest.approx(linear_loss(near).values, abs=1e-15)


def test_infinite_margins_cost_all_or_nothing() -> None:
    margins = Margins([float("inf"), float("-inf"), 1e308, -1e308])
    for evidence in (logistic_loss(margins, alpha=1e10), logistic_loss(margins, alpha=1e-10), linear_loss(margins)):
        assert evidence.values.tolist() == [0, 0, 1, 1]


@pytest.mark.parametrize("alpha", [0, -1, float("nan"), float("inf"), [1, 2], "x", None])
def test_a_steepness_that_is_none(alpha: Any) -> None:
    assert "alpha" in refusal(logistic_loss, Margins([1.0]), alpha=alpha)


def test_a_million_margins_and_one(monkeypatch: pytest.MonkeyPatch) -> None:
    margins = Margins(np.random.default_rng(0).normal(1, 1, 5000))
    exact = logistic_loss(margins)
    monkeypatch.setattr(rules, "MOST_VALUES", 4999)
    moments = logistic_loss(margins)
    assert not moments.has("values")
    assert (float(moments.mean), float(moments.s2)) == pytest.approx((float(exact.mean), float(exact.s2)), rel=1e-13)


@pytest.mark.long
@pytest.mark.parametrize("loss", [logistic_loss, linear_loss])
def test_limits_of_soft_losses_hold(loss: Measure) -> None:
    """Seeded: 300 samples at 95 %; more than 38 misses would come by chance less than once in 10^6."""
    rng = np.random.default_rng(11)
    draws = rng.standard_t(1.5, (300, 40)) + 0.7  # heavy tails on both sides
    true = float(np.mean(loss(Margins(rng.standard_t(1.5, 400_000) + 0.7)).values))
    claims = [find("betting")(loss(Margins(row)), 0.05) for row in draws]
    assert sum(claim.lower > true or claim.upper < true for claim in claims) <= 38


# ---- In the catalog


@pytest.mark.parametrize(
    ("name", "required"),
    [
        ("expected-cost", ("costs",)),
        ("squared-loss", ("classes",)),
        ("absolute-loss", ("classes",)),
        ("posterior-loss", ()),
        ("hard-loss", ()),
        ("logistic-loss", ()),
        ("linear-loss", ()),
    ],
)
def test_what_must_be_given_is_required(name: str, required: tuple[str, ...]) -> None:
    assert find_measure(name).required == required
    assert find_measure(name) in measures()
