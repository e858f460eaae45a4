"""Bagging by majority: where it differs from averaged probabilities, and the numbers of Example 22.13."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from joblib import parallel_config
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.datasets import load_iris
from sklearn.ensemble import BaggingClassifier
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks

from holdfast.learners.bagging import MajorityBagging
from tests.published.test_slides import status

WEIGHTS = "drawing by weights and repeating rows agree only in distribution; scikit-learn exempts its own class"
EXEMPT = dict.fromkeys(
    (f"check_sample_weight_equivalence_on_{kind}_data" for kind in ("dense", "sparse")),
    WEIGHTS,
)


class Frequencies(ClassifierMixin, BaseEstimator):
    """Knows only how frequent the classes were in its sample."""

    def fit(self, x: Any, y: Any) -> Frequencies:
        self.classes_, counts = np.unique(y, return_counts=True)
        self.shares_ = counts / counts.sum()
        return self

    def predict_proba(self, x: Any) -> Any:
        return np.tile(self.shares_, (len(x), 1))

    def predict(self, x: Any) -> Any:
        return np.full(len(x), self.classes_[self.shares_.argmax()])


@pytest.mark.long
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@parametrize_with_checks(
    [MajorityBagging(n_estimators=5), MajorityBagging(SVC(), n_estimators=3)],
    expected_failed_checks=lambda estimator: EXEMPT,
)
def test_scikit_learn_takes_it_for_one_of_its_own(estimator: Any, check: Any) -> None:
    np.random.seed(0)  # some checks leave the estimator to numpy's own generator, which this seeds
    check(estimator)


def both(estimator: Any, x: Any, y: Any, **options: Any) -> tuple[MajorityBagging, BaggingClassifier]:
    return tuple(kind(estimator, random_state=0, **options).fit(x, y) for kind in (MajorityBagging, BaggingClassifier))


def noisy(n: int = 200, classes: int = 2) -> tuple[Any, Any]:
    rng = np.random.default_rng(8)
    points = rng.normal(size=(n, 4))
    return points, np.digitize(points[:, 0] + 3 * rng.normal(size=n), np.linspace(-2, 2, classes + 1)[1:-1])


@pytest.mark.parametrize("classes", [2, 3])
def test_the_models_are_the_same_and_only_the_vote_differs(classes: int) -> None:
    x, y = noisy(classes=classes)
    ours, theirs = both(DecisionTreeClassifier(max_depth=2), x, y, n_estimators=11)
    answers = np.array([each.predict(x) for each in theirs.estimators_])
    np.testing.assert_array_equal(answers, [each.predict(x) for each in ours.estimators_])
    votes = (answers[..., None] == np.arange(classes)).sum(axis=0)
    np.testing.assert_array_equal(ours.predict(x), votes.argmax(axis=1))
    np.testing.assert_allclose(ours.predict_proba(x), votes / 11)
    differ = ours.predict(x) != theirs.predict(x)
    assert 0 < differ.sum() < len(y) // 2


def test_one_model_that_is_very_sure_outweighs_two_only_where_probabilities_are_averaged() -> None:
    """By hand: shares 0.95, 0.45 and 0.45 of the second class; their mean is above one half, their majority below."""
    ours, theirs = both(Frequencies(), np.zeros((4, 1)), ["n", "n", "p", "p"], n_estimators=3)
    for model in (ours, theirs):
        for each, share in zip(model.estimators_, (0.95, 0.45, 0.45), strict=True):
            each.classes_, each.shares_ = np.array([0, 1]), np.array([1 - share, share])
    assert theirs.predict([[0.0]]).tolist() == ["p"]
    assert ours.predict([[0.0]]).tolist() == ["n"]


def test_without_probabilities_scikit_learn_votes_too() -> None:
    x, y = noisy(60)
    ours, theirs = both(SVC(), x, y, n_estimators=6)
    np.testing.assert_allclose(ours.predict_proba(x), theirs.predict_proba(x))
    np.testing.assert_array_equal(ours.predict(x), theirs.predict(x))


def test_of_two_classes_the_majority_is_the_sign_of_the_sum() -> None:
    x, y = noisy()
    signs = np.where(y == 1, 1, -1)
    model = MajorityBagging(DecisionTreeClassifier(max_depth=1), n_estimators=8, random_state=0).fit(x, signs)
    total = sum(2 * each.predict(x) - 1 for each in model.estimators_)  # they learnt places 0 and 1
    np.testing.assert_array_equal(model.decision_function(x), total)
    np.testing.assert_array_equal(model.predict(x), np.where(total > 0, 1, -1))
    assert (total == 0).any()  # ties go to the first class


def test_features_drawn_for_a_model_are_those_it_is_asked_about() -> None:
    x, y = noisy(300)
    model = MajorityBagging(max_features=0.5, n_estimators=15, random_state=1).fit(x, y)
    assert any(len(features) == 2 for features in model.estimators_features_)
    assert model.score(x, y) > 0.9
    drawn = MajorityBagging(bootstrap_features=True, n_estimators=15, random_state=1).fit(x, y)
    assert drawn.score(x, y) > 0.9


def test_workers_do_not_change_the_vote() -> None:
    x, y = noisy(40)
    with parallel_config(backend="threading"):
        one, two = (MajorityBagging(n_estimators=4, n_jobs=jobs, random_state=0).fit(x, y) for jobs in (1, 2))
        np.testing.assert_array_equal(one.predict_proba(x), two.predict_proba(x))


def test_examples_left_out_are_voted_on_as_well() -> None:
    x, y = noisy(80)
    model = MajorityBagging(DecisionTreeClassifier(max_depth=2), n_estimators=40, oob_score=True, random_state=0)
    model.fit(x, y)
    votes = np.zeros((80, 2))
    for each, sample in zip(model.estimators_, model.estimators_samples_, strict=True):
        rows = sorted(set(range(80)) - set(sample.tolist()))
        for row, place in zip(rows, each.predict(x[rows]), strict=True):
            votes[row, place] += 1
    np.testing.assert_allclose(model.oob_decision_function_, votes / votes.sum(axis=1, keepdims=True))
    assert model.oob_score_ == np.mean(votes.argmax(axis=1) == y)


def test_an_example_that_was_in_every_sample_is_left_out_of_the_score() -> None:
    x, y = noisy(30)
    model = MajorityBagging(n_estimators=2, oob_score=True, random_state=0)
    with pytest.warns(UserWarning, match=r"^\d+ of 30 examples were in every sample, so that no model can speak"):
        model.fit(x, y)
    unseen = np.isnan(model.oob_decision_function_).any(axis=1)
    right = model.oob_decision_function_[~unseen].argmax(axis=1) == y[~unseen]
    assert 0 < unseen.sum() < 30
    assert model.oob_score_ == right.mean()


def test_a_class_nobody_names_has_no_share_and_no_warning() -> None:
    x, y = load_iris(return_X_y=True)
    model = MajorityBagging(n_estimators=3, random_state=0).fit(x, y)
    assert model.predict_log_proba(x[:1]).tolist() == [[0.0, -np.inf, -np.inf]]


# Example 22.13, n = 150: K, zero-one loss, squared loss of the labels +1 and -1.
LOSSES = [
    ("3", "0.047", "0.187"),
    ("5", "0.04", "0.16"),
    ("8", "0.02", "0.10"),
    ("10", "0.027", "0.113"),
    ("15", "0.027", "0.107"),
]


@pytest.mark.parametrize(("models", "zero_one", "squared"), LOSSES)
def test_example_22_13_squared_loss_is_four_times_zero_one_but_for_ties(
    models: str, zero_one: str, squared: str
) -> None:
    """A wrong sign costs (2)^2. Sums of zero, possible with an even K only, were counted right once, and 1 once."""
    wrong = round(150 * float(zero_one))
    ties = round(150 * float(squared)) - 4 * wrong
    assert status(zero_one, wrong / 150).reproduced
    assert status(squared, (4 * wrong + ties) / 150).reproduced
    assert ties == {"8": 3, "10": 1}.get(models, 0)
    assert status(squared, 4 * wrong / 150).reproduced == (int(models) % 2 == 1)


def test_example_22_13_in_its_gist() -> None:
    """A few hundredths of error on the training points, with the quadratic kernel, for every K of the table."""
    from sklearn.decomposition import PCA

    x, species = load_iris(return_X_y=True)
    components, signs = PCA(2).fit_transform(x), np.where(species == 1, 1, -1)
    kernel = SVC(kernel="poly", degree=2, gamma=1, coef0=0, C=1)
    for models, _, _ in LOSSES:
        model = MajorityBagging(kernel, n_estimators=int(models), random_state=0).fit(components, signs)
        assert 0.01 < 1 - model.score(components, signs) < 0.06
