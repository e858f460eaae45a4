"""Labels that were found in the data, and not declared: what is claimed of them holds all the same."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import binom

import holdfast as hf
from holdfast.bounds.binomial import blaker, clopper_pearson
from holdfast.catalog import Measure, find_measure, measures
from holdfast.claims import Assumption
from holdfast.displays import ConfusionDisplay
from holdfast.errors import HoldfastError
from holdfast.evidence import Contingency, Counts
from holdfast.verbs.jointly import claimed, only_limit

DELTA = 0.05
PER_CLASS = [each for each in measures() if each.per_class]
OF_TABLES = [each for each in measures() if each.takes is Contingency and not each.per_class and not each.required]
OF_CLASSES = [each.name for each in OF_TABLES if each.of_classes == "all"]
ONE_LIMIT = "Only one limit is claimed of labels that were not declared, in "


def rare(rng: np.random.Generator, labels: int, n: int = 20) -> tuple[list[str], list[str], dict[str, float]]:
    """Answers among equally likely labels, half of them right and half anything; and the truth about each label."""
    truth = rng.integers(labels, size=n)
    predicted = np.where(rng.random(n) < 0.5, truth, rng.integers(labels, size=n))
    share = 1 / labels
    right = 0.5 + 0.5 * share
    alarms = 0.5 * share
    true = {"precision": right, "recall": right, "f1": right, "false-negative-rate": 1 - right, "prevalence": share}
    true |= {"false-positive-rate": alarms, "specificity": 1 - alarms}
    true["npv"] = 1 - share * (1 - right) / (1 - share)
    return truth.astype(str).tolist(), predicted.astype(str).tolist(), true


def false_lines(report: hf.Report, true: dict[str, float]) -> list[tuple[str, bool]]:
    lines = [line for line in report.whole if line.label is not None]
    assert {line.claim.guarantee for line in lines} == {"FINITE"}
    return [(line.measure, not line.claim.lower <= true[line.measure] <= line.claim.upper) for line in lines]


@pytest.mark.parametrize("labels", [30, 10**6])
def test_no_line_is_false_more_often_than_promised(labels: int) -> None:
    rng, names = np.random.default_rng(labels), [each.name for each in PER_CLASS]
    missed: dict[str, list[bool]] = {}
    for _ in range(40):
        truth, predicted, true = rare(rng, labels)
        for name, wrong in false_lines(hf.assess(truth, predicted, only=names, delta=DELTA), true):
            missed.setdefault(name, []).append(wrong)
    assert {*missed} == {*names} == {*true}
    for name, lines in missed.items():
        assert binom.sf(sum(lines) - 1, len(lines), DELTA) > 1e-6, name


def test_nor_is_one_where_rows_come_in_clusters() -> None:
    truth, predicted, true = rare(np.random.default_rng(7), 10**6)
    names = [each.name for each in PER_CLASS if each.of_found is not None]
    report = hf.assess(truth, predicted, only=names, clusters=range(20), max_cluster=1)
    assert not any(wrong for _, wrong in false_lines(report, true))


def test_all_lines_hold_together_where_they_are_to() -> None:
    rng, names = np.random.default_rng(5), [each.name for each in PER_CLASS]
    reports = []
    for _ in range(20):
        truth, predicted, true = rare(rng, 10**6)
        report = hf.assess(truth, predicted, only=names, delta=DELTA, simultaneous=True)
        reports.append(any(wrong for _, wrong in false_lines(report, true)))
    assert not any(reports)  # all of them were false once


@pytest.mark.parametrize("n", [1, 5, 20])
def test_the_limit_that_is_left_holds_of_whatever_is_listed(n: int) -> None:
    """By enumeration: of labels of every prevalence, given that they occur."""
    share, k = np.linspace(0.001, 0.999, 400)[:, np.newaxis], np.arange(1, n + 1)
    chance = binom.pmf(k, n, share) / binom.sf(0, n, share)
    both = clopper_pearson(Counts(k, n), DELTA)
    one = claimed(clopper_pearson, Counts(k, n), np.asarray(DELTA), "both", "upper")
    assert one.side == "both"
    assert np.all(one.lower == 0)
    assert np.all(one.upper <= both.upper)  # it has the whole delta
    missed = np.sum(chance * ((share < one.lower) | (share > one.upper)), axis=1)
    assert missed.max() <= DELTA
    assert np.sum(chance * (share < both.lower), axis=1).max() == pytest.approx(1)  # as if nobody had chosen


def test_a_method_that_knows_no_single_side_keeps_its_other_limit() -> None:
    sample = Counts([1, 3], 20)
    found, usual = claimed(blaker, sample, np.asarray(DELTA), "both", "lower"), blaker(sample, DELTA)
    assert (found.lower.tolist(), found.upper.tolist()) == (usual.lower.tolist(), [1.0, 1.0])  # type: ignore[union-attr]
    assert claimed(clopper_pearson, Counts(3, 20), np.asarray(DELTA), "lower", "upper").lower == 0


@pytest.mark.parametrize("measure", PER_CLASS, ids=lambda each: each.name)
def test_a_measure_says_which_limit_a_label_that_was_found_keeps(measure: Measure) -> None:
    """Where one row puts a label on the list and is a trial in either case, the limit keeps that it does not push."""
    absent = Contingency([[18, 2, 0], [0, 0, 0], [0, 0, 0]], ["a", "b", "x"], rows="actual")
    listed = {
        "by the truth": Contingency([[18, 1, 0], [0, 0, 0], [0, 1, 0]], ["a", "b", "x"], rows="actual"),
        "by a prediction": Contingency([[18, 1, 1], [0, 0, 0], [0, 0, 0]], ["a", "b", "x"], rows="actual"),
        "by both": Contingency([[18, 1, 0], [0, 0, 0], [0, 0, 1]], ["a", "b", "x"], rows="actual"),
    }
    before, pushed, kept = measure(absent), set(), set()
    for table in listed.values():
        after = measure(table)
        if after.n[2] == before.n[2] and after.k[2] != before.k[2]:
            pushed.add("upper" if after.k[2] > before.k[2] else "lower")
            kept.add(only_limit(measure, after, table, 2))
    assert pushed == kept == {measure.of_found} - {None}


@pytest.mark.parametrize("measure", OF_TABLES, ids=lambda each: each.name)
def test_a_measure_says_whether_a_class_more_would_change_it(measure: Measure) -> None:
    def read(square: list[list[int]]) -> tuple[str, bool, float]:
        evidence: Any = measure(Contingency(square, rows="actual"))
        return type(evidence).__name__, bool(evidence.known), float(evidence.mean)

    two, three = [[30, 4], [3, 20]], [[30, 4, 1], [3, 20, 2], [0, 2, 9]]
    more = [[*row, 0] for row in two] + [[0] * 3]
    changed = read(two) != read(more)
    assert changed == measure.lists_classes(2) == (measure.of_classes is not None)
    assert measure.lists_classes(3) == (read(three) != read([[*row, 0] for row in three] + [[0] * 4]))


# ---- A class that does not occur

SHARES = np.array([0.5, 0.49, 0.01])
SAID = np.array([[0.95, 0.05, 0.0], [0.05, 0.95, 0.0], [1.0, 0.0, 0.0]])  # of each class, what it is taken for
NAMES = ("a", "b", "c")


def averages() -> dict[str, float]:
    joint = SHARES[:, np.newaxis] * SAID
    hits, actual, predicted = np.diagonal(joint), joint.sum(axis=1), joint.sum(axis=0)
    f1 = np.mean(2 * hits / (actual + predicted))
    return {"balanced-accuracy": float(np.mean(hits / actual)), "macro-f1": float(f1)}


def drawn(rng: np.random.Generator, n: int = 50) -> tuple[list[str], list[str]]:
    codes = rng.choice(9, size=n, p=(SHARES[:, np.newaxis] * SAID).ravel())
    return [NAMES[code // 3] for code in codes], [NAMES[code % 3] for code in codes]


def test_with_declared_labels_a_class_that_does_not_occur_makes_no_false_claim() -> None:
    rng, true = np.random.default_rng(19), averages()
    missed = {(name, declared): 0 for name in true for declared in (False, True)}
    for _ in range(100):
        rows = drawn(rng)
        for declared in (False, True):
            report = hf.assess(*rows, only=[*true], delta=DELTA, labels=NAMES if declared else None)
            for name, value in true.items():
                claim = report[name]
                assert (Assumption.EVERY_CLASS in claim.assumes) is not declared
                missed[name, declared] += not claim.lower <= value <= claim.upper
    for name in true:
        assert binom.sf(missed[name, True] - 1, 100, DELTA) > 1e-6, name
    assert missed["balanced-accuracy", False] > 40  # which is what the assumption is for


def answers() -> dict[str, Any]:
    """Every verb that claims such a measure, by what it says with labels that were found, or declared."""
    truth, predicted = drawn(np.random.default_rng(3), 60)
    other = ["a" if i % 3 else said for i, said in enumerate(predicted)]
    halves = {"half": ["x", "y"] * 30}
    return {
        "assess": lambda **labels: hf.assess(truth, predicted, only=OF_CLASSES, **labels).claims,
        "groups": lambda **labels: hf.assess(truth, predicted, groups=halves, only=OF_CLASSES, **labels).claims,
        "clusters": lambda **labels: (
            hf.assess(truth, predicted, clusters=np.arange(60) // 2, only=OF_CLASSES, **labels).claims
        ),
        "by-class": lambda **labels: (
            hf.assess(truth, predicted, sampling="by-class", only="balanced-accuracy", **labels).claims
        ),
        "gate": lambda **labels: [hf.gate(truth, predicted, measure="macro-f1", at_least=0.1, **labels).claim],
        "compare": lambda **labels: [
            line.claim
            for line in hf.compare(truth, {"p": predicted, "o": other}, only=OF_CLASSES, **labels).whole
            if not line.measure.startswith("error-rate")
        ],
    }


@pytest.mark.crossing(3)
@pytest.mark.parametrize("verb", answers())
def test_every_verb_says_that_it_takes_the_classes_found_for_all(verb: str) -> None:
    claims = answers()[verb]
    found, declared = claims(), claims(labels=["a", "b", "c"])
    assert found
    assert all(Assumption.EVERY_CLASS in claim.assumes for claim in found)
    assert not any(Assumption.EVERY_CLASS in claim.assumes for claim in declared)


def test_a_class_that_is_not_in_a_group_may_be_anything_there() -> None:
    truth, predicted = ["a", "b", "c", "a", "b", "a"] * 10, ["a", "b", "c", "a", "b", "b"] * 10
    groups = {"half": ["x", "x", "x", "y", "y", "y"] * 10}
    blocks = {
        block.claim.measure: block.claim for block in hf.assess(truth, predicted, groups=groups, only=OF_CLASSES).blocks
    }
    lower, upper = blocks["balanced-accuracy"].lower, blocks["balanced-accuracy"].upper
    assert np.asarray(upper)[1] > (0.5 + 1 + 1) / 3  # in y nobody knows the recall of c
    assert np.asarray(lower)[1] < (0.5 + 1 + 0) / 3


# ---- What is said of it


def test_a_report_says_how_to_declare_labels_unless_they_are() -> None:
    truth, predicted = ["a", "b", "c"] * 20, ["a", "b", "b"] * 20
    notes = hf.assess(truth, predicted).details["notes"]
    assert notes == [
        f"{ONE_LIMIT}npv, prevalence: they are listed because they occur, however rare they are.",
        "balanced-accuracy, macro-precision, macro-f1 take the labels found here for all that there are: a class that "
        "does not occur would change the result. labels= declares every label there may be.",
    ]
    assert hf.assess(truth, predicted, labels="abc").details["notes"] == []
    (note,) = hf.assess(truth, predicted, only="prevalence").details["notes"]
    assert note.endswith("however rare they are. labels= declares every label there may be.")


def test_the_positive_label_and_those_that_a_condition_names_are_declared_by_that() -> None:
    truth = ["a", "b", "c"] * 40
    report = hf.assess(truth, truth, positive="b", only="prevalence")
    assert {line.label: line.claim.lower > 0 for line in report.whole} == {"b": True, "a": False, "c": False}
    asked = [{"measure": "prevalence", "label": label, "at_least": 0.1} for label in "ac"]
    decision = hf.gate(truth, truth, conditions=asked)
    assert decision.answer == "proven"
    assert not [note for note in decision.notes if note.startswith(ONE_LIMIT)]


def test_a_positive_label_that_the_scores_chose_is_a_label_that_was_found() -> None:
    truth, score = ["ham", "eggs"] * 20, [0.1, 0.9] * 20
    for options in ({}, {"groups": {"half": ["x", "x", "y", "y"] * 10}}):
        report = hf.assess(truth, truth, score, only="prevalence", **options)
        assert report.details["positive"] == "eggs"
        assert all(line.claim.lower == 0 for line in report.lines)
        named = hf.assess(truth, truth, score, only="prevalence", positive="eggs", **options)
        assert all(line.claim.lower > 0 for line in named.lines if (line.label, line.measure) == ("eggs", "prevalence"))


def test_lines_stay_in_the_order_of_the_labels() -> None:
    truth, predicted = ["a", "b", "d"] * 20, ["a", "c", "d"] * 20
    report = hf.assess(truth, predicted, only=["specificity", "false-positive-rate"])
    assert [line.label for line in report.whole] == [*"abcd"] * 2
    assert [line.claim.upper == 1 for line in report.whole[:4]] == [True, True, True, True]
    assert [line.claim.lower == 0 for line in report.whole[4:]] == [True, True, True, True]
    declared = hf.assess(truth, predicted, only=["specificity", "false-positive-rate"], labels="abcd")
    assert (declared["specificity", "c"].upper < 1, declared["false-positive-rate", "c"].lower > 0) == (True, True)


def test_groups_have_no_difference_in_what_has_one_limit() -> None:
    truth, groups = ["a", "b"] * 30, {"half": ["x", "y", "y"] * 20}
    blocks = hf.assess(truth, truth, groups=groups, only="prevalence").blocks
    assert [(block.claim.measure, block.label) for block in blocks] == [("prevalence", "a"), ("prevalence", "b")]
    assert np.all(np.asarray(blocks[0].claim.lower) == 0)
    declared = hf.assess(truth, truth, groups=groups, only="prevalence", labels="ab").blocks
    assert [block.claim.measure for block in declared] == ["prevalence", "prevalence-gap"] * 2


def test_models_have_no_difference_in_what_has_one_limit() -> None:
    truth = ["a", "b"] * 30
    models = {"one": ["x" if i < 20 else said for i, said in enumerate(truth)], "other": truth}
    options = {"only": ["error-rate", "specificity"]}

    def compared(report: hf.Report) -> set[str | None]:
        return {line.label for line in report.whole if line.measure == "specificity-difference"}

    assert compared(hf.compare(truth, models, **options)) == {"a", "b"}
    assert compared(hf.compare(truth, models, labels="abx", **options)) == {"a", "b", "x"}


def test_a_cell_of_a_label_that_only_predictions_put_on_the_list_has_no_lower_limit() -> None:
    truth, predicted = ["a", "b"] * 30, ["a", "b", "x"] * 20

    def lower(cells: list[dict[str, Any]], label: int) -> list[bool]:
        return [cell["lower"] > 0 for cell in cells if cell["predicted"] == label and cell["count"]]

    found, declared = (hf.assess(truth, predicted, labels=labels).views["matrix"] for labels in (None, "abx"))
    assert lower(found["cells"], 2) == [False, False]
    assert lower(found["cells"], 0) == lower(declared["cells"], 2) == [True, True]
    for rows, place in (("predicted", (2, 0)), ("actual", (0, 2))):
        display = ConfusionDisplay.of(truth, predicted, rows=rows)
        assert display.claim.lower[place] == 0 < display.claim.upper[place]  # type: ignore[index]
        assert ConfusionDisplay.of(truth, predicted, rows=rows, labels="abx").claim.lower[place] > 0  # type: ignore[index]


def test_a_difference_of_averages_is_unknown_where_a_declared_class_does_not_occur() -> None:
    truth = ["a", "b"] * 30
    models = {"one": truth, "other": [*truth[:20], *["a"] * 40]}
    found, declared = (
        hf.compare(truth, models, only="balanced-accuracy", labels=labels)["balanced-accuracy-difference"]
        for labels in (None, "abc")
    )
    assert found.lower > 0
    assert (declared.estimate, declared.lower, declared.upper) == (None, -1, 1)


def test_the_rest_at_an_operating_point_is_every_other_label() -> None:
    truth, score = ["a", "b", "c"] * 20, [0.9, 0.2, 0.4] * 20
    report = hf.assess(truth, score=score, positive="a", operating_point=0.5, only=["balanced-accuracy", "mcc"])
    assert not any(Assumption.EVERY_CLASS in claim.assumes for claim in report.claims)
    assert find_measure("mcc").lists_classes(2)


@pytest.mark.parametrize("measure", ["prevalence", "recall"])
@pytest.mark.parametrize("options", [{}, {"groups": {"half": ["x", "x", "y", "y"] * 20}}], ids=["whole", "groups"])
def test_a_condition_is_about_a_label_that_somebody_named(measure: str, options: dict[str, Any]) -> None:
    """One that the scores chose depends on the rows: it is asked for, as it is where there are no scores."""
    truth, score = ["ham", "eggs"] * 40, [0.1, 0.9] * 40
    for rows in ((truth, truth, score), (truth, truth)):
        with pytest.raises(HoldfastError, match=f"{measure} belongs to a class: name it with label=, one of eggs, ham"):
            hf.gate(*rows, measure=measure, at_least=0.1, **options)
    for named in ({"label": "eggs"}, {"positive": "eggs"}):
        assert hf.gate(truth, truth, score, measure=measure, at_least=0.1, **named, **options).answer == "proven"
    assert hf.gate([0, 1] * 40, [0, 1] * 40, score, measure=measure, at_least=0.1, **options).label == "1"  # obvious


def test_a_condition_on_the_scores_is_about_the_label_that_they_speak_for() -> None:
    truth, score = ["ham", "eggs"] * 40, [0.1, 0.9] * 40
    assert hf.gate(truth, truth, score, measure="auc", at_least=0.5, accept="large-n").label == "eggs"
