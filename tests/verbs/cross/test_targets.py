"""No promise outlives what it rests on, no row counts twice, and what was left out is said."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import GroupKFold, KFold, PredefinedSplit, StratifiedKFold
from sklearn.naive_bayes import GaussianNB

import holdfast as hf
from holdfast.bounds.progressive import progressive_mixture
from holdfast.claims import Assumption, Guarantee
from holdfast.errors import HoldfastError
from holdfast.evidence.folds.sample import Progressive
from holdfast.resampling import plan

DRAW = np.random.default_rng(7)
X = DRAW.normal(size=(60, 2))
Y = (X[:, 0] + DRAW.normal(size=60) > 0).astype(int)
THREES = np.arange(60) // 3


class Leaning(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Its scores lie between 0 and 1 and are no probabilities."""

    def fit(self, X: Any, y: Any) -> Leaning:
        self.classes_ = np.unique(y)
        return self

    def decision_function(self, X: Any) -> Any:
        return 1 / (1 + np.exp(-X[:, 0]))

    def predict(self, X: Any) -> Any:
        return self.classes_[(X[:, 0] > 0).astype(int)]


def crossed(learner: Any = None, y: Any = Y, **options: Any) -> hf.Report:
    return hf.cross_assess(learner or GaussianNB(), X, y, engine="serial", **options).report


def firm(report: hf.Report) -> set[str]:
    return {line.measure for line in report.lines if line.claim.guarantee is Guarantee.FINITE}


@pytest.mark.parametrize(
    "scheme", [PredefinedSplit((X[:, 0] > 0).astype(int)), [*KFold(3, shuffle=True, random_state=0).split(X)]]
)
@pytest.mark.parametrize("target", ["fold-average", "fold"])
def test_folds_that_may_follow_from_anything_promise_nothing_of_a_class_either(scheme: Any, target: str) -> None:
    report = crossed(scheme=scheme, target=target, only=["error-rate", "recall", "specificity", "auc"])
    assert not firm(report)
    assert any("not known here" in note for note in report.details["notes"])


def test_folds_made_by_the_labels_promise_something_of_each_class_and_assume_no_more() -> None:
    report = crossed(scheme=StratifiedKFold(3), only=["error-rate", "recall", "auc"])
    assert firm(report) == {"recall", "auc"}
    for line in report.lines:
        assert Assumption.RANDOM_FOLDS not in line.claim.assumes
        assert (Assumption.WITHIN_CLASSES in line.claim.assumes) is (line.measure != "error-rate")
        assert (Assumption.INDEPENDENT in line.claim.assumes) is (line.measure == "error-rate")


def test_another_order_of_the_same_rows_adds_no_examples() -> None:
    result = hf.cross_assess(GaussianNB(), X, Y, scheme="progressive", folds=5, repeats=4, only="error-rate")
    claim = result.report["error-rate"]
    expected = progressive_mixture(Progressive(result.crossed.errors.k.sum() / 200, 50), 0.05)
    assert (claim.n, claim.method, claim.guarantee) == (50, "progressive-mixture", Guarantee.FINITE)
    assert (claim.lower, claim.upper) == pytest.approx((expected.lower, expected.upper))


@pytest.mark.parametrize(
    ("options", "most"),
    [({"folds": 3, "repeats": 4}, 60), ({"scheme": "monte-carlo", "rounds": 8, "test_share": 0.25}, 15)],
)
def test_rows_tested_again_do_not_count_again(options: dict[str, Any], most: int) -> None:
    report = crossed(**options, only=["error-rate", "f1", "auc", "mcc"])
    assert {line.measure for line in report.lines} == {"error-rate", "f1", "auc", "mcc"}
    assert max(line.claim.n for line in report.lines) == most


@pytest.mark.parametrize("scheme", ["monte-carlo", "bootstrap", "bootstrap-all", "kfold", "progressive"])
def test_the_model_of_all_rows_is_judged_by_each_row_once(scheme: str) -> None:
    options = {"repeats": 3, "folds": 3} if scheme in ("kfold", "progressive") else {"rounds": 30}
    result = hf.cross_assess(GaussianNB(), X, Y, scheme=scheme, target="refit", only="error-rate", **options)
    frame = result.predictions.unique("row", keep="first")
    claim = result.report["error-rate"]
    assert claim.n == len(frame) <= 60
    assert claim.estimate == pytest.approx((frame["truth"] != frame["predicted"]).mean())
    assert any("each row once" in note for note in result.report.details["notes"])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"scheme": "nested", "folds": 4, "target": "fold", "fold": 4}, "from 0 to 3"),
        ({"scheme": "hold-out", "fold": 1}, "from 0 to 0"),
        ({"folds": 4, "fold": 1}, "is for target='fold'"),
        ({"target": "fold", "fold": 1.0}, "whole number"),
        ({"target": "fold", "fold": -1}, "whole number"),
        ({"scheme": "leave-one-out", "only": "auc"}, "asked of each model by itself"),
        ({"inner": 3}, "give grid="),
        ({"inner": "3", "grid": {"var_smoothing": [1.0]}}, "whole number"),
    ],
)
def test_what_cannot_be_meant_is_refused(options: dict[str, Any], said: str) -> None:
    with pytest.raises(HoldfastError, match=said):
        crossed(**options)


def test_what_is_asked_for_twice_is_answered_once() -> None:
    report = crossed(folds=3, only=["error-rate", "error-rate"], method=("bayle", "bayle"))
    assert len(report.lines) == 1


def test_what_draws_again_draws_from_no_fold() -> None:
    with pytest.raises(HoldfastError, match="fits no measure"):
        crossed(folds=4, method="bca")


@pytest.mark.parametrize("target", ["fold-average", "fold", "refit", "algorithm"])
def test_scores_that_are_no_probabilities_are_not_taken_for_such(target: str) -> None:
    found = {line.measure for line in crossed(Leaning(), folds=4, target=target).lines}
    assert "auc" in found
    assert not found & {"brier", "log-loss"}


def test_scores_of_ten_times_ten_models_are_looked_at() -> None:
    report = crossed(folds=10, repeats=10, only=["auc"])
    assert report["auc"].n == 60
    more = crossed(folds=10, repeats=11, only=["auc", "error-rate"])
    assert {line.measure for line in more.lines} == {"error-rate"}
    assert any("of 100 at most" in note for note in more.details["notes"])


def test_what_some_fold_does_not_tell_is_said_to_be_left_out() -> None:
    rare = np.where(np.arange(60) < 2, "rare", np.where(Y, "a", "b"))
    report = crossed(y=rare, folds=5, target="algorithm", only=["error-rate", "recall"])
    assert [line.label for line in report.lines] == [None, "a", "b"]
    assert "Left out, for some fold says nothing of it: recall of rare." in report.details["notes"]


@pytest.mark.parametrize("target", ["fold-average", "fold", "refit", "algorithm"])
def test_very_many_classes_get_no_lines_of_their_own(target: str) -> None:
    y = np.arange(240) % 201
    rows = np.random.default_rng(0).normal(size=(240, 1))
    wanted = ["error-rate", "recall"]
    report = hf.cross_assess(Constant(), rows, y, folds=2, target=target, only=wanted, engine="serial").report
    assert {line.label for line in report.lines} == {None}
    assert any("201 labels" in note for note in report.details["notes"])


class Constant(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Says the first class it saw."""

    def fit(self, X: Any, y: Any) -> Constant:
        self.said_ = y[0]
        return self

    def predict(self, X: Any) -> Any:
        return np.full(len(X), self.said_)


# ---- Groups


def test_a_plan_that_keeps_groups_together_needs_them_and_counts_them() -> None:
    kept = plan("grouped", Y, groups=THREES, folds=4)
    with pytest.raises(HoldfastError, match="give them as groups="):
        crossed(scheme=kept)
    claim = crossed(scheme=kept, groups=THREES)["error-rate"]
    named = crossed(scheme="grouped", groups=THREES, folds=4)["error-rate"]
    assert (claim.n, claim.lower, claim.upper) == (20, named.lower, named.upper)


@pytest.mark.parametrize("target", ["fold-average", "fold", "refit", "algorithm"])
def test_groups_are_what_is_assumed_to_be_drawn(target: str) -> None:
    report = crossed(scheme="grouped", groups=THREES, folds=4, target=target)
    for line in report.lines:
        assert Assumption.CLUSTERS in line.claim.assumes
        assert Assumption.INDEPENDENT not in line.claim.assumes
    assert any("every group counts once" in note for note in report.details["notes"])
    assert "every group counted once" in " ".join(str(report).split())
    with pytest.raises(HoldfastError, match="only the error rate and the accuracy"):
        crossed(scheme="grouped", groups=THREES, folds=4, target=target, only="mcc")


def test_groups_dealt_by_a_stranger_are_no_random_sample() -> None:
    report = crossed(scheme=GroupKFold(4), groups=THREES)
    assert not firm(report)
    assert any("not known here" in note and "grouped" in note for note in report.details["notes"])


# ---- Comparing


def test_results_on_rows_that_were_trained_on_are_not_compared() -> None:
    one, other = (
        hf.cross_assess(learner, X, Y, scheme="bootstrap-all", rounds=5) for learner in (GaussianNB(), Leaning())
    )
    with pytest.raises(HoldfastError, match="remembers most"):
        hf.compare(one, other)


def test_a_method_for_another_target_says_which() -> None:
    with pytest.raises(HoldfastError, match=r"nadeau-bengio fits no .* it does of target='algorithm'"):
        crossed(folds=4, method="nadeau-bengio")
