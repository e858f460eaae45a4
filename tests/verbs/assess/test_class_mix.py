"""A chosen class mix: what stands, what is said at a stated prevalence, and what is refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import holdfast as hf
from holdfast.catalog import Measure, find_measure, measures
from holdfast.claims import Assumption, Guarantee
from holdfast.errors import HoldfastError, UnknownName
from holdfast.evidence import Array, Contingency
from holdfast.predictions import Predictions
from holdfast.predictions.design import class_mix
from holdfast.report import Line
from holdfast.tally import tally
from holdfast.verbs.asking import Question
from holdfast.verbs.assess.class_mix import by_class_questions
from holdfast.verbs.assess.drawn import DrawnSubject
from holdfast.verbs.subject import Subject

TABLE = Contingency([[45, 3], [5, 147]], ["fraud", "fair"], rows="predicted")
TWO = ["fraud"] * 50 + ["fair"] * 150
TAKEN = ["fraud"] * 45 + ["fair"] * 5 + ["fraud"] * 3 + ["fair"] * 147


def rows(truth: Sequence[str] = TWO, predicted: Sequence[str] = TAKEN, **options: Any) -> Predictions:
    return Predictions.from_arrays(truth, predicted, **options)


def asked(
    data: Predictions, prevalence: dict[str, float] | None = None, only: Sequence[str] = (), **options: Any
) -> tuple[dict[tuple[str, str | None], Line], Sequence[str]]:
    """The first line of each measure and label, which is the one that holds at every sample size if any does."""
    report = hf.assess(data, sampling="by-class", prevalence=prevalence, only=[*only] or None, **options)
    lines: dict[tuple[str, str | None], Line] = {}
    for line in report.lines:
        lines.setdefault((line.measure, line.label), line)
    return lines, report.details["notes"]


LABELS: dict[str, Any] = {"labels": ["fraud", "fair"], "positive": "fraud"}


def test_without_a_prevalence_only_what_depends_on_no_mix() -> None:
    lines, notes = asked(rows(score=np.linspace(1, 0, 200)), **LABELS)
    assert {name for name, _ in lines} <= {each.name for each in measures() if not each.depends_on_mix(2)}
    assert {"recall", "specificity", "balanced-accuracy", "auc"} <= {name for name, _ in lines}
    assert len(notes) == 1
    for name in (
        "precision",
        "npv",
        "f1",
        "mcc",
        "kappa",
        "accuracy",
        "error-rate",
        "macro-f1",
        "prevalence",
        "brier",
        "ece",
    ):
        assert f" {name}," in notes[0] or f" {name}." in notes[0], name
    assert "prevalence={'fraud': ...}" in notes[0]
    for line in lines.values():
        assert line.claim.assumes[0] is Assumption.WITHIN_CLASSES
        assert Assumption.INDEPENDENT not in line.claim.assumes


def test_at_a_prevalence_everything_that_two_rates_tell() -> None:
    lines, notes = asked(rows(), {"fraud": 0.002}, **LABELS)
    recall, specificity = 0.9, 0.98
    taken = 0.002 * recall + 0.998 * (1 - specificity)
    expected = {
        ("accuracy", None): 0.002 * recall + 0.998 * specificity,
        ("weighted-recall", None): 0.002 * recall + 0.998 * specificity,
        ("error-rate", None): 1 - (0.002 * recall + 0.998 * specificity),
        ("precision", "fraud"): 0.002 * recall / taken,
        ("precision", "fair"): 0.998 * specificity / (1 - taken),
        ("npv", "fraud"): 0.998 * specificity / (1 - taken),
        ("f1", "fraud"): 2 * 0.002 * recall / (taken + 0.002),
        ("recall", "fraud"): recall,
        ("mcc", None): (recall + specificity - 1) * np.sqrt(0.002 * 0.998 / (taken * (1 - taken))),
        ("kappa", None): 2 * 0.002 * 0.998 * (recall + specificity - 1) / (0.002 * (1 - taken) + 0.998 * taken),
    }
    for key, value in expected.items():
        claim = lines[key].claim
        assert claim.estimate == pytest.approx(value, rel=1e-12), key
        assert claim.lower <= value <= claim.upper
        assert claim.guarantee is Guarantee.FINITE
    stated = {name for (name, _), line in lines.items() if Assumption.STATED_PREVALENCE in line.claim.assumes}
    assert stated == {
        *("accuracy", "error-rate", "precision", "npv", "f1", "mcc", "kappa"),
        *("macro-f1", "macro-precision", "weighted-f1", "weighted-precision", "weighted-recall"),
    }
    assert "fraud 0.002" in notes[0]
    assert not any("prevalence," in note for note in notes)


def test_answers_together_are_what_each_is_alone() -> None:
    together, _ = asked(rows(), {"fraud": 0.002}, **LABELS)
    for name in ("precision", "f1", "mcc", "kappa", "weighted-f1", "specificity"):
        alone, _ = asked(rows(), {"fraud": 0.002}, [name], **LABELS)
        for key, line in alone.items():
            assert (line.claim.lower, line.claim.upper) == pytest.approx(
                (together[key].claim.lower, together[key].claim.upper), rel=1e-12
            )


@pytest.mark.parametrize("name", ["precision", "error-rate", "mcc", "brier", "log-loss", "average-precision"])
def test_what_was_asked_for_by_name_is_refused_by_name(name: str) -> None:
    data = rows(score=np.linspace(1, 0, 200))
    with pytest.raises(HoldfastError, match=f"{name}.*To have {name}, say.*prevalence={{'fraud'"):
        asked(data, None, [name], **LABELS)
    assert asked(data, {"fraud": 0.1}, [name], **LABELS)[0]


@pytest.mark.parametrize("name", ["ece", "calibration", "prevalence"])
def test_no_prevalence_is_asked_for_where_it_would_not_help(name: str) -> None:
    data = rows(score=np.linspace(1, 0, 200))
    with pytest.raises(HoldfastError, match=f"{name}. No method here has a guarantee at a stated prevalence either"):
        asked(data, None, [name], **LABELS)
    with pytest.raises(HoldfastError, match=f"{name}, for which no method here has a guarantee at a stated prevalence"):
        asked(data, {"fraud": 0.002}, [name], **LABELS)


def test_what_was_stated_is_not_claimed_as_if_it_were_found() -> None:
    designs: list[dict[str, Any]] = [{}, {"clusters": np.arange(200) // 2}, {"weights": np.arange(200) % 3 + 1}]
    for design in designs:
        report = hf.assess(TWO, TAKEN, prevalence={"fraud": 0.002}, **LABELS, **design)
        measured = {line.measure for line in report.lines}
        assert "recall" in measured
        assert "prevalence" not in measured
        assert not any("prevalence," in note for note in report.details["notes"])


@pytest.mark.parametrize("by", [None, "ward"])
def test_scores_beside_predictions_change_nothing_that_is_read_off_these(by: str | None) -> None:
    """They are looked at row by row only for what is read off them."""
    groups = None if by is None else {"ward": np.arange(200) % 2}
    options: dict[str, Any] = {"groups": groups, "prevalence": {"fraud": 0.1}, **LABELS}
    if by is not None:
        options["only"] = ["precision", "recall", "error-rate", "mcc"]
    alone = hf.assess(TWO, TAKEN, **options).lines
    with_scores = hf.assess(TWO, TAKEN, np.linspace(1, 0, 200), **options).lines

    def known(line: Line) -> tuple[Any, ...]:
        return line.measure, line.label, line.group, line.claim.method, line.claim.guarantee

    beside = {known(line): line.claim for line in with_scores}
    assert len(alone) > 10
    for line in alone:
        claim = beside[known(line)]
        assert (claim.lower, claim.upper) == pytest.approx((line.claim.lower, line.claim.upper), rel=1e-9), known(line)
        assert (claim.n, claim.assumes) == (line.claim.n, line.claim.assumes)


def test_the_brier_score_at_a_prevalence() -> None:
    score = np.linspace(1, 0, 200)
    lines, _ = asked(rows(score=score), {"fraud": 0.002}, ["brier"], **LABELS)
    claim = lines["brier", None].claim
    expected = 0.002 * np.mean((1 - score[:50]) ** 2) + 0.998 * np.mean(score[50:] ** 2)
    assert claim.estimate == pytest.approx(expected)
    assert (claim.method, claim.guarantee) == ("strata-bets", Guarantee.FINITE)
    assert {Assumption.WITHIN_CLASSES, Assumption.STATED_PREVALENCE} <= {*claim.assumes}
    assert Assumption.INDEPENDENT not in claim.assumes


def many() -> Predictions:
    rng = np.random.default_rng(0)
    names = np.array(["a", "b", "c"])
    truth = np.repeat([0, 1, 2], [60, 20, 20])
    predicted = np.where(rng.random(100) < 0.8, truth, rng.integers(0, 3, 100))
    return rows(names[truth].tolist(), names[predicted].tolist())


def test_of_many_classes_a_specificity_depends_on_the_mix_of_the_others() -> None:
    lines, notes = asked(many(), labels=[*"abc"])
    assert {name for name, _ in lines} == {"recall", "false-negative-rate", "balanced-accuracy"}
    assert "specificity" in notes[0]


def test_many_classes_at_a_stated_mix() -> None:
    data = many()
    mix = {"a": 0.1, "b": 0.6, "c": 0.3}
    lines, notes = asked(data, {"a": 0.1, "b": 0.6}, labels=[*"abc"])
    table = tally(data).table
    assert table is not None
    rates = table.table / table.actual  # of each actual class (across), predicted as (down)
    shares = np.array(list(mix.values()))
    joint = rates * shares
    assert lines["accuracy", None].claim.estimate == pytest.approx(np.trace(joint))
    for i, label in enumerate("abc"):
        assert lines["precision", label].claim.estimate == pytest.approx(joint[i, i] / joint[i].sum())
        others = 1 - (joint[i].sum() - joint[i, i]) / (1 - shares[i])
        assert lines["specificity", label].claim.estimate == pytest.approx(others)
        assert lines["false-positive-rate", label].claim.estimate == pytest.approx(1 - others)
        f1 = 2 * joint[i, i] / (joint[i].sum() + shares[i])
        assert lines["f1", label].claim.estimate == pytest.approx(f1)
        not_taken = 1 - joint[i].sum()
        npv = (not_taken - (shares[i] - joint[i, i])) / not_taken
        assert lines["npv", label].claim.estimate == pytest.approx(npv)
    assert lines["mcc", None].claim.estimate == pytest.approx(_mcc(joint))
    assert lines["mcc", None].claim.guarantee is Guarantee.ASYMPTOTIC  # no two rates tell it
    assert notes == [
        "What depends on how frequent the classes are is said for the frequencies stated: a 0.1, b 0.6, c 0.3."
    ]


def _mcc(joint: Array) -> float:
    taken, there = joint.sum(axis=1), joint.sum(axis=0)
    return float((np.trace(joint) - taken @ there) / np.sqrt((1 - taken @ taken) * (1 - there @ there)))


def test_rows_without_an_answer_are_missed_and_not_taken() -> None:
    data = rows(["ill"] * 10 + ["well"] * 10, ["ill"] * 8 + [None] * 3 + ["well"] * 9, missing="wrong")
    lines, _ = asked(data, {"ill": 0.1}, labels=["ill", "well"], positive="ill")
    assert lines["precision", "ill"].claim.estimate == 1.0
    assert lines["accuracy", None].claim.estimate == pytest.approx(0.1 * 0.8 + 0.9 * 0.9)
    # Two rates do not tell it, for some are taken for neither class.
    assert lines["mcc", None].claim.guarantee is Guarantee.ASYMPTOTIC
    assert lines["accuracy", None].claim.guarantee is Guarantee.FINITE


@pytest.mark.parametrize(
    ("prevalence", "message"),
    [
        ({"fraud": 0.0}, "strictly between 0 and 1; got 0.0"),
        ({"fraud": 1.0}, "strictly between 0 and 1; got 1.0"),
        ({"fraud": float("nan")}, "strictly between 0 and 1; got nan"),
        ({"fraud": "0.1"}, "strictly between 0 and 1; got '0.1'"),
        ({"fraud": True}, "strictly between 0 and 1; got True"),
        ({"fraud": 0.4, "fair": 0.5}, "add up to 0.9"),
        ({"fraud": 0.4, "fair": 0.7}, "add up to 1.1"),
        ({}, "says nothing of fraud, fair"),
    ],
)
def test_prevalences_that_are_none(prevalence: dict[str, float], message: str) -> None:
    with pytest.raises(HoldfastError, match=message):
        class_mix(TABLE.labels, prevalence)


def test_a_near_miss_of_a_label() -> None:
    with pytest.raises(UnknownName, match="did you mean 'fraud'"):
        class_mix(TABLE.labels, {"Frauds": 0.1})


def test_nothing_is_left_for_the_last_class() -> None:
    table = Contingency(np.eye(3, dtype=int), ["a", "b", "c"], rows="predicted")
    with pytest.raises(HoldfastError, match="leaves nothing for 'c'"):
        class_mix(table.labels, {"a": 0.5, "b": 0.5})
    with pytest.raises(HoldfastError, match="says nothing of b, c"):
        class_mix(table.labels, {"a": 0.5})
    assert class_mix(table.labels, {"a": 0.5, "c": 0.25}) == {"a": 0.5, "b": 0.25, "c": 0.25}


def test_pass_or_fail_has_no_classes() -> None:
    with pytest.raises(HoldfastError, match="the class of each example"):
        asked(Predictions.from_arrays(correct=[True, False]), {"a": 0.1})


def test_a_question_keeps_its_share_of_delta() -> None:
    class Shared(Subject):
        def about(self, measure: Measure) -> Iterator[Question]:
            yield from (replace(question, share=0.5) for question in super().about(measure))

    def nobody(scored: bool) -> DrawnSubject:
        raise AssertionError

    subject = Shared(tally(rows(), positive="fraud"), {"clip": 1e-6})
    wanted = [find_measure(name) for name in ("accuracy", "recall")]
    questions, _ = by_class_questions(subject, wanted, {"fraud": 0.1}, True, nobody)
    assert [question.share for question in questions] == [0.5, 0.5]


def test_a_prevalence_is_said_once() -> None:
    table = Contingency([[45, 3], [5, 147]], ["1", "0"], rows="predicted")
    with pytest.raises(HoldfastError, match="says twice how frequent '1' is"):
        class_mix(table.labels, {"1": 0.2, 1: 0.3})
