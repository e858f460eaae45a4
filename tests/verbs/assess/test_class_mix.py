"""A chosen class mix: what stands, what is said at a stated prevalence, and what is refused."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pytest

from holdfast.catalog import find_measure, measures
from holdfast.claims import Assumption, Guarantee
from holdfast.errors import HoldfastError, UnknownName
from holdfast.evidence import Contingency
from holdfast.predictions import Predictions
from holdfast.report import Line
from holdfast.tally import Tally, tally
from holdfast.verbs.answers import Ask, Question
from holdfast.verbs.assess.class_mix import by_class_questions, class_mix, refuse_weights
from holdfast.verbs.questions import Asking

TABLE = Contingency([[45, 3], [5, 147]], ["fraud", "fair"], rows="predicted")
TWO = ["fraud"] * 50 + ["fair"] * 150
TAKEN = ["fraud"] * 45 + ["fair"] * 5 + ["fraud"] * 3 + ["fair"] * 147


def counted(truth: list[str] = TWO, predicted: list[str] = TAKEN, **options: object) -> Tally:
    return tally(Predictions.from_arrays(truth, predicted, **options), positive=truth[0])  # type: ignore[arg-type]


def asked(
    data: Tally, prevalence: dict[str, float] | None = None, only: Iterable[str] = ()
) -> tuple[dict[tuple[str, str | None], Line], list[str]]:
    wanted = [find_measure(name) for name in only] or measures()
    named = frozenset(only)
    ordinary = Asking(data, {"clip": 1e-6}, False, named).about
    questions, notes = by_class_questions(data, wanted, prevalence, bool(named), ordinary)
    lines = Ask(np.asarray(0.05), "both").answers(questions)
    return {(line.measure, line.label): line for line in lines}, notes


def test_without_a_prevalence_only_what_depends_on_no_mix() -> None:
    lines, notes = asked(counted(score=np.linspace(1, 0, 200)))
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
    assert "--prevalence fraud=..." in notes[0]
    for line in lines.values():
        assert line.claim.assumes[0] is Assumption.WITHIN_CLASSES
        assert Assumption.INDEPENDENT not in line.claim.assumes


def test_at_a_prevalence_everything_that_two_rates_tell() -> None:
    lines, notes = asked(counted(), {"fraud": 0.002})
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
    together, _ = asked(counted(), {"fraud": 0.002})
    for name in ("precision", "f1", "mcc", "kappa", "weighted-f1", "specificity"):
        alone, _ = asked(counted(), {"fraud": 0.002}, [name])
        for key, line in alone.items():
            assert (line.claim.lower, line.claim.upper) == pytest.approx(
                (together[key].claim.lower, together[key].claim.upper), rel=1e-12
            )


@pytest.mark.parametrize("name", ["precision", "error-rate", "mcc"])
def test_what_was_asked_for_by_name_is_refused_by_name(name: str) -> None:
    data = counted(score=np.linspace(1, 0, 200))
    with pytest.raises(HoldfastError, match=f"{name}.*prevalence={{'fraud'"):
        asked(data, None, [name])


@pytest.mark.parametrize("name", ["brier", "ece", "average-precision"])
def test_no_prevalence_is_asked_for_where_it_would_not_help(name: str) -> None:
    with pytest.raises(HoldfastError, match=f"{name}. No method here has a guarantee at a stated prevalence either"):
        asked(counted(score=np.linspace(1, 0, 200)), None, [name])


def test_no_method_for_the_brier_score_at_a_prevalence() -> None:
    with pytest.raises(HoldfastError, match="brier, for which no method"):
        asked(counted(score=np.linspace(1, 0, 200)), {"fraud": 0.002}, ["brier"])


def many() -> Tally:
    rng = np.random.default_rng(0)
    names = np.array(["a", "b", "c"])
    truth = np.repeat([0, 1, 2], [60, 20, 20])
    predicted = np.where(rng.random(100) < 0.8, truth, rng.integers(0, 3, 100))
    return counted(names[truth].tolist(), names[predicted].tolist())


def test_of_many_classes_a_specificity_depends_on_the_mix_of_the_others() -> None:
    lines, notes = asked(many())
    assert {name for name, _ in lines} == {"recall", "false-negative-rate", "balanced-accuracy"}
    assert "specificity" in notes[0]


def test_many_classes_at_a_stated_mix() -> None:
    data = many()
    mix = {"a": 0.1, "b": 0.6, "c": 0.3}
    lines, notes = asked(data, {"a": 0.1, "b": 0.6})
    assert data.table is not None
    rates = data.table.table / data.table.actual  # of each actual class (across), predicted as (down)
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
    assert "mcc" in notes[-1]


def test_rows_without_an_answer_are_missed_and_not_taken() -> None:
    rows = Predictions.from_arrays(
        ["ill"] * 10 + ["well"] * 10, ["ill"] * 8 + [None] * 3 + ["well"] * 9, missing="wrong"
    )
    lines, notes = asked(tally(rows, positive="ill"), {"ill": 0.1})
    assert lines["precision", "ill"].claim.estimate == 1.0
    assert lines["accuracy", None].claim.estimate == pytest.approx(0.1 * 0.8 + 0.9 * 0.9)
    assert ("mcc", None) not in lines
    assert "mcc" in notes[-1]


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
        class_mix(TABLE, prevalence)


def test_a_near_miss_of_a_label() -> None:
    with pytest.raises(UnknownName, match="did you mean 'fraud'"):
        class_mix(TABLE, {"Frauds": 0.1})


def test_nothing_is_left_for_the_last_class() -> None:
    table = Contingency(np.eye(3, dtype=int), ["a", "b", "c"], rows="predicted")
    with pytest.raises(HoldfastError, match="leaves nothing for 'c'"):
        class_mix(table, {"a": 0.5, "b": 0.5})
    with pytest.raises(HoldfastError, match="says nothing of b, c"):
        class_mix(table, {"a": 0.5})
    assert class_mix(table, {"a": 0.5, "c": 0.25}) == {"a": 0.5, "b": 0.25, "c": 0.25}


def test_pass_or_fail_has_no_classes() -> None:
    data = tally(Predictions.from_arrays(correct=[True, False]))
    with pytest.raises(HoldfastError, match="the class of each example"):
        asked(data, {"a": 0.1})


def test_a_question_keeps_its_share_of_delta() -> None:
    data = counted()
    ordinary = lambda measure: [Question(measure, measure(data.table), share=0.5)]  # noqa: E731
    questions, _ = by_class_questions(data, [find_measure("accuracy")], {"fraud": 0.1}, True, ordinary)
    assert [question.share for question in questions] == [0.5]


def test_weights_are_refused_with_a_way_out() -> None:
    message = str(refuse_weights("sample_weight="))
    assert message.startswith("sample_weight= is not taken")
    for part in ("prevalence=", "groups=", "proportion to its weight"):
        assert part in message


def test_a_prevalence_is_said_once() -> None:
    table = Contingency([[45, 3], [5, 147]], ["1", "0"], rows="predicted")
    with pytest.raises(HoldfastError, match="says twice how frequent '1' is"):
        class_mix(table, {"1": 0.2, 1: 0.3})  # type: ignore[dict-item]
