"""Labels of examples to learn from, found or declared: what is claimed of a learner that was trained on them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier

import holdfast as hf
from holdfast.catalog import measures
from holdfast.claims import Assumption
from holdfast.errors import HoldfastError
from holdfast.evidence import Contingency
from holdfast.evidence.pools.decomposition import zero_one

OF_CLASSES = {each.name for each in measures() if each.takes is Contingency and each.of_classes == "all"}
X = np.zeros((60, 1))
Y = np.array(["a", "b", "c"] * 20)
LEARNER = DummyClassifier(strategy="stratified", random_state=0)
TARGETS = ("fold-average", "fold", "refit", "algorithm")
TAKES = "take the labels found here for all that there are"


def crossed(y: Any = Y, **options: Any) -> hf.Report:
    return hf.cross_assess(LEARNER, X, y, **{"folds": 3, "seed": 1, "engine": "serial", **options}).report


def assuming(report: hf.Report) -> set[str]:
    return {line.measure for line in report.whole if Assumption.EVERY_CLASS in line.claim.assumes}


@pytest.mark.parametrize("target", TARGETS)
def test_a_cross_validation_says_that_it_takes_the_classes_found_for_all_unless_they_are_declared(target: str) -> None:
    found, declared = (crossed(target=target, labels=labels) for labels in (None, "abc"))
    assert assuming(found) == OF_CLASSES & {line.measure for line in found.whole} != set()
    assert assuming(declared) == set()
    (note,) = (note for note in found.details["notes"] if TAKES in note)
    assert note.endswith("labels= declares every label there may be.")
    assert not [note for note in declared.details["notes"] if TAKES in note]
    for one, other in zip(found.whole, declared.whole, strict=True):  # where every class occurs the estimates stay
        assert (one.measure, one.label, one.claim.estimate) == (other.measure, other.label, other.claim.estimate)


@pytest.mark.parametrize("target", TARGETS)
def test_a_declared_class_that_does_not_occur_may_be_anything(target: str) -> None:
    report = crossed(target=target, labels="abcd")
    averages = [line.claim for line in report.whole if line.measure == "balanced-accuracy"]
    found = {line.measure: line.claim for line in crossed(target=target).whole}
    assert assuming(report) == set()
    for claim in averages:
        assert claim.estimate is None or np.isnan(claim.estimate)
        assert claim.upper > found["balanced-accuracy"].upper
    assert bool(averages) is (target != "algorithm")  # of which nothing is said that some fold does not tell


@pytest.mark.parametrize("classes", [2, 3])
@pytest.mark.parametrize("target", ["fold-average", "refit"])
def test_scores_have_a_column_for_each_declared_label(target: str, classes: int) -> None:
    y, labels = np.array([*"abc"[:classes]] * (60 // classes)), "dcba"
    report = crossed(y, target=target, labels=labels, only=["auc", "brier"])
    scored = {(line.measure, line.label): line.claim for line in report.whole}
    plain = {(line.measure, line.label): line.claim for line in crossed(y, target=target, only="auc").whole}
    for (_, label), claim in plain.items():
        assert scored["auc", label].estimate == claim.estimate
    assert ("brier", None) in scored


def test_two_declared_labels_keep_the_positive_one_whatever_their_order() -> None:
    y = np.array(["a", "b"] * 30)
    reports = [crossed(y, labels=labels) for labels in (None, "ab", "ba")]
    assert {report.details["positive"] for report in reports} == {"b"}
    assert len({report["auc", "b"].estimate for report in reports}) == 1
    assert crossed(y, labels="ab", positive="a")["auc", "a"].estimate == pytest.approx(
        reports[0]["auc", "b"].estimate, abs=1e-12
    )


def trained(verb: str, y: Any, **options: Any) -> hf.Report:
    if verb == "cross-assess":
        return crossed(y, **options)
    if verb == "decompose":
        return hf.decompose(LEARNER, X, y, rounds=3, engine="serial", **options)
    return hf.learning_curve(LEARNER, X, y, train_shares=[0.5], engine="serial", **options)


@pytest.mark.parametrize("verb", ["cross-assess", "decompose", "learning-curve"])
def test_a_label_that_was_not_declared_is_refused_before_anything_is_trained(verb: str) -> None:
    with pytest.raises(HoldfastError, match="The data hold the label 'c', which labels= does not list"):
        trained(verb, Y, labels="ab")
    assert trained(verb, Y, labels="cba").claims


def test_labels_that_are_numbers_are_declared_as_text_too() -> None:
    y = np.array([0, 1, 5] * 20)
    for labels in ([0, 1, 5, 9], ["0", "1", "5", "9"]):
        report = hf.decompose(LEARNER, X, y, loss="squared", rounds=3, labels=labels, engine="serial")
        assert "The squared loss counts 0 as 0, 1 as 1, 5 as 5, 9 as 9." in report.details["notes"]
        assert not any(Assumption.EVERY_CLASS in claim.assumes for claim in report.claims)
    narrow, wide = (
        hf.decompose(LEARNER, X, y, loss="squared", rounds=3, labels=labels, engine="serial")["expected-loss"]
        for labels in (None, [0, 1, 5, 100])
    )
    assert Assumption.EVERY_CLASS in narrow.assumes
    assert narrow.upper <= 25 < wide.upper  # how far a loss can go is what was declared


def test_probabilities_of_a_class_that_does_not_occur_are_zero() -> None:
    y = np.array(["a", "b"] * 30)
    options = {"loss": "squared", "outputs": "probabilities", "rounds": 3, "engine": "serial"}
    found, declared = (hf.decompose(LEARNER, X, y, labels=labels, **options) for labels in (None, "abc"))
    assert declared["expected-loss"].estimate == pytest.approx(2 * found["expected-loss"].estimate)  # both, not one


def test_how_far_models_disagree_depends_on_what_they_were_taught_and_not_on_the_test() -> None:
    votes, truth = np.array([[0, 1], [1, 0], [0, 1]]), np.array([0, 2])
    assert zero_one(votes, truth, classes=3).highest_variance == pytest.approx(2 / 3)
    assert zero_one(votes, truth, classes=3, predictable=2).highest_variance == pytest.approx(1 / 3)
    y = np.array(["a", "b"] * 30)
    y[int(np.flatnonzero(y == "a")[0])] = "z"
    seeds = [seed for seed in range(20) if _tests_alone(y, seed)]
    report = hf.decompose(LEARNER, X, y, rounds=4, seed=seeds[0], engine="serial", confidence=0.999999)
    assert report["variance"].upper <= 0.5


def _tests_alone(y: Any, seed: int) -> bool:
    from holdfast.resampling import redrawn

    return "z" in y[redrawn(y, rounds=4, test_share=1 / 3, seed=seed).test(0)]


def test_an_estimator_is_assessed_with_labels_that_it_never_saw() -> None:
    fitted = DummyClassifier(strategy="prior").fit(X, Y)
    report = hf.assess_estimator(fitted, X, Y, labels="dabc")
    assert assuming(report) == set()
    assert (report["balanced-accuracy"].estimate, report["auc", "d"].estimate) == (None, None)
    assert report["brier"].estimate == hf.assess_estimator(fitted, X, Y)["brier"].estimate
    assert assuming(hf.assess_estimator(fitted, X, Y)) >= OF_CLASSES
