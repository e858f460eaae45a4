"""Matrices of costs, and evidence about a mean cost in their units."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from holdfast.catalog import find
from holdfast.errors import HoldfastError, InvalidEvidence
from holdfast.evidence import NO_ANSWER, Contingency, Counts, Proportions, Strata
from holdfast.evidence.costs import Charged, ChargedStrata, Costs, Tiers
from holdfast.evidence.ranking.forecasts import Margins, Posteriors

LABELS = ("ill", "well")


def costs(matrix: Any = ((0, 1), (10, 0)), labels: Any = LABELS, rows: Any = "predicted") -> Costs:
    return Costs(matrix, labels, rows=rows)


def refusal(call: Any, *given: Any, **named: Any) -> str:
    with pytest.raises(HoldfastError) as caught:
        call(*given, **named)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 400
    return message


# ---- The matrix


def test_which_way_round_must_be_said_and_is_honoured() -> None:
    assert costs()["well", "ill"] == 10
    assert costs(rows="actual")["ill", "well"] == 10
    assert "predicted" in refusal(costs, rows="down")
    with pytest.raises(TypeError):
        Costs([[0, 1], [1, 0]], LABELS)  # type: ignore[call-arg]


def test_a_cost_of_an_unknown_label() -> None:
    assert refusal(lambda: costs()["wel", "ill"]).endswith("did you mean 'well'?")


@pytest.mark.parametrize(
    ("matrix", "labels", "says"),
    [
        ([[0, 1]], ["a"], "as many rows as columns"),
        ([0, 1], ["a", "b"], "as many rows as columns"),
        ([[0, 1], [2, 0]], ["a"], "2 different labels; got 1"),
        ([[0, 1], [2, 0]], ["a", "a"], "2 different labels"),
        ([[0, 1], [2, 0]], [1, 1.0], "2 different labels"),
        ([[0, float("nan")], [2, 0]], ["a", "b"], "finite"),
        ([[0, float("inf")], [2, 0]], ["a", "b"], "finite"),
        ([["0", "x"], [2, 0]], ["a", "b"], "numbers"),
        ([[3, 3], [3, 3]], ["a", "b"], "all are 3: there is nothing to estimate"),
        ([], [], "as many rows as columns"),
        (np.zeros((0, 0)), [], "two different costs"),
        ([[1e308, -1e308], [0, 0]], ["a", "b"], "other units"),
        ([[0, 1e-200], [0, 0]], ["a", "b"], "other units"),
        ([[0, 0], [1, 0]], ["a", NO_ANSWER], ""),
    ],
)
def test_what_is_no_matrix_of_costs_is_refused(matrix: Any, labels: Any, says: str) -> None:
    if says:
        assert says in refusal(costs, matrix, labels)
    else:
        assert costs(matrix, labels).levels.tolist() == [0, 1]


def test_levels_are_those_an_example_can_have() -> None:
    three = costs([[0, 5, 99], [2, 0, 99], [7, 7, 99]], ["a", "b", NO_ANSWER])
    assert three.levels.tolist() == [0, 2, 5, 7]
    assert (three.low, three.high) == (0, 7)
    assert costs([[-3, 0], [-0.0, 0]]).levels.tolist() == [-3, 0]


def test_labels_are_spelled_as_the_tally_spells_them() -> None:
    assert costs(labels=[0.0, 1.0]).labels == costs(labels=[0, 1]).labels == costs(labels=["0", "1"]).labels
    assert costs(labels=[0, 1])[1.0, 0.0] == 10


def test_pairs() -> None:
    pairs: dict[tuple[object, object], float] = {(p, a): costs()[p, a] for p, a in product(LABELS, LABELS)}
    assert np.array_equal(Costs.from_pairs(pairs).matrix, costs().matrix)
    del pairs["ill", "well"]
    assert "predict 'ill' where 'well' is true?" in refusal(Costs.from_pairs, pairs)
    assert "right answers too" in refusal(Costs.from_pairs, {("ill", "well"): 1.0, ("well", "ill"): 1.0})
    assert "where '1' is true?" in refusal(Costs.from_pairs, {(i, i): 1.0 for i in range(100_000)})
    assert refusal(Costs.from_pairs, {})


def test_a_missing_answer_needs_a_row_and_no_column() -> None:
    pairs: dict[tuple[object, object], float] = {(p, a): costs()[p, a] for p, a in product(LABELS, LABELS)}
    pairs |= {(NO_ANSWER, "ill"): 4, (NO_ANSWER, "well"): 2}
    assert Costs.from_pairs(pairs).levels.tolist() == [0, 1, 2, 4, 10]


def test_costs_find_the_labels_of_a_table_in_any_order() -> None:
    table = Contingency([[171, 8], [10, 96]], ["well", "ill"], rows="predicted")
    assert costs().of(table).tolist() == [0, 10, 1, 0]


def test_labels_that_only_one_side_knows_are_named() -> None:
    table = Contingency(np.eye(3, dtype=int), ["ill", "well", "dead"], rows="predicted")
    assert "say nothing of the label 'dead', which the data hold" in refusal(costs().of, table)
    more = costs(np.arange(9).reshape(3, 3), ["ill", "well", "dead"])
    two = Contingency([[1, 0], [0, 1]], LABELS, rows="predicted")
    assert more.of(two).tolist() == [more[i, j] for i in two.labels for j in two.labels]  # nobody died
    spare = costs(np.arange(9).reshape(3, 3), ["ill", "well", NO_ANSWER])  # nobody need miss an answer
    assert spare.of(two).tolist() == [0, 1, 3, 4]


# ---- Evidence in the units of the costs


def test_charged_is_a_count_in_other_units() -> None:
    plain, charged = find("clopper-pearson")(Counts(8, 30)), find("clopper-pearson")(Charged(8, 30, -5.0, 15.0))
    assert charged.estimate == pytest.approx(-5 + 20 * 8 / 30, rel=1e-14)
    assert charged.lower == pytest.approx(-5 + 20 * plain.lower, rel=1e-12)
    assert charged.upper == pytest.approx(-5 + 20 * plain.upper, rel=1e-12)
    nothing = find("clopper-pearson")(Charged(0, 0, -5.0, 15.0))
    assert (nothing.estimate, nothing.lower, nothing.upper) == (None, -5, 15)


def test_tiers_add_up_to_the_mean() -> None:
    values = np.repeat([2.0, 3.0, 7.0, 12.0], [5, 4, 3, 8])
    parts = Counts([15, 11, 8], [20, 20, 20])
    tiers = Tiers(parts, [0.1, 0.4, 0.5], np.asarray(20), 2.0, 12.0)
    assert float(tiers.units(tiers.mean)) == pytest.approx(values.mean(), rel=1e-14)
    assert float(tiers.mean + tiers.complement) == pytest.approx(1, rel=1e-15)
    assert float(tiers.mirror().mean) == float(tiers.complement)


def test_one_tier_is_an_exact_limit_for_a_count() -> None:
    one = find("union")(Tiers(Counts([8], [30]), [1.0], np.asarray(30), -5.0, 15.0), 0.03)
    assert (one.lower, one.upper) == pytest.approx(
        (lambda c: (c.lower, c.upper))(find("clopper-pearson")(Charged(8, 30, -5.0, 15.0), 0.03)), rel=1e-12
    )


@pytest.mark.parametrize(
    ("method", "several"),
    [
        ("clopper-pearson", [Charged(3, 10, 0.0, 4.0), Charged(1, 10, -2.0, 1.0)]),
        ("union", [Tiers(Counts([3, 1], 10), [0.2, 0.8], np.asarray(10), 0.0, b) for b in (1.0, 5.0)]),
        ("fisher", [ChargedStrata(Counts([3, 1], 10), [0.2, 0.8], None, a, 9.0) for a in (1.0, -5.0)]),
    ],
)
def test_evidence_that_is_joined_keeps_its_units(method: str, several: list[Any]) -> None:
    together = find(method)(type(several[0]).joined(several), 0.05)
    alone = [find(method)(each, 0.05) for each in several]
    assert together.lower == pytest.approx([claim.lower for claim in alone], rel=1e-13)
    assert together.upper == pytest.approx([claim.upper for claim in alone], rel=1e-13)
    assert together.estimate == pytest.approx([claim.estimate for claim in alone], rel=1e-13)


def test_priced_evidence_is_of_the_kind_that_its_methods_take() -> None:
    parts = Counts([1, 2], 3)
    assert isinstance(Charged(1, 2), Counts)
    assert isinstance(Tiers(parts), Proportions)
    assert not isinstance(Tiers(parts), Strata)
    assert isinstance(ChargedStrata(parts), Strata)
    assert repr(ChargedStrata(parts, low=-1.0)) == "ChargedStrata(mean=0.5, parts=2, n=6, low=-1, high=1)"
    assert repr(Charged([1, 2], 3)) == "Charged(k=[1 2], n=[3 3], low=0, high=1)"
    for kind in (lambda a, b: Charged(1, 2, a, b), lambda a, b: Tiers(parts, None, None, a, b)):
        assert "low < high" in refusal(kind, 1.0, 1.0)


# ---- Margins and posteriors


def test_margins_are_sorted_and_zero_is_an_error() -> None:
    margins = Margins([0.5, -0.0, float("-inf"), 0.0, float("inf")])
    assert margins.values.tolist() == [float("-inf"), 0.0, 0.0, 0.5, float("inf")]
    assert margins.errors == 3
    assert Margins(margins.values, right_at_zero=2).errors == 1
    assert Margins([]).errors == 0


def test_a_decision_of_zero_stands_for_the_negative_class() -> None:
    margins = Margins.of_decisions([True, False, True, False, False], [0.0, 0.0, 1.0, -1.0, 0.0])
    assert (margins.errors, margins.right_at_zero) == (1, 2)


@pytest.mark.parametrize(
    ("values", "right"),
    [([float("nan"), 1.0], 0), ([[1.0]], 0), (["a"], 0), ([True], 0), ([0.0, 1.0], 2), ([0.0], -1), (1.0, 0)],
)
def test_what_are_no_margins(values: Any, right: int) -> None:
    assert refusal(Margins, values, right)


def test_the_number_of_decisions_must_match() -> None:
    assert "2 true classes and 1 decision" in refusal(Margins.of_decisions, [True, False], [0.1])


def test_the_fingerprint_of_margins_knows_their_values_and_not_their_order() -> None:
    marks = {Margins(each).fingerprint for each in ([1.0, -2.0, 0.0], [0.0, 1.0, -2.0], [-0.0, 1.0, -2.0])}
    assert len(marks) == 1
    assert Margins([1.0, -2.0, 0.0], right_at_zero=1).fingerprint not in marks
    assert Margins([1.0, -2.0, 5e-324]).fingerprint not in marks


@pytest.mark.parametrize(
    ("probabilities", "predicted"),
    [
        ([[0.5, 0.4]], [0]),
        ([[1.5, -0.5]], [0]),
        ([[0.5, 0.5]], [2]),
        ([[0.5, 0.5]], [0, 1]),
        ([0.5, 0.5], [0]),
        ([[float("nan"), 0.5]], [0]),
        ([[0.5, 0.3, 0.2]], [0]),
    ],
)
def test_what_are_no_posteriors(probabilities: Any, predicted: Any) -> None:
    with pytest.raises(InvalidEvidence):
        Posteriors(probabilities, predicted, ["a", "b"])
