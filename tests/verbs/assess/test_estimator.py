"""An estimator with X and y gives the same report as its predictions do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn import datasets
from sklearn.dummy import DummyClassifier
from sklearn.linear_model import LinearRegression, LogisticRegression, Perceptron
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import holdfast as hf
from holdfast.evidence import Array

Data = tuple[Array, Array, Array, Array]


def split(features: Array, labels: Array) -> Data:
    order = np.random.default_rng(0).permutation(len(labels))
    train, test = order[: len(order) // 2], order[len(order) // 2 :]
    return features[train], labels[train], features[test], labels[test]


@pytest.fixture(scope="module")
def two() -> Data:
    return split(*datasets.load_breast_cancer(return_X_y=True))


@pytest.fixture(scope="module")
def three() -> Data:
    return split(*datasets.load_iris(return_X_y=True))


def same(found: hf.Report, wanted: hf.Report) -> None:
    assert [line.to_dict() for line in found.lines] == [line.to_dict() for line in wanted.lines]
    assert found.details == wanted.details
    assert found.provenance["fingerprint"] == wanted.provenance["fingerprint"]


def test_two_classes_with_probabilities(two: Data) -> None:
    x, y, x_test, y_test = two
    model = make_pipeline(StandardScaler(), LogisticRegression()).fit(x, y)
    score = model.predict_proba(x_test)
    same(
        hf.assess_estimator(model, x_test, y_test, confidence=0.9),
        hf.assess(y_test, model.predict(x_test), score[:, 1], positive=1, confidence=0.9),
    )
    same(
        hf.assess_estimator(model, x_test, y_test, positive=0),
        hf.assess(y_test, model.predict(x_test), score[:, 0], positive=0),
    )
    assert hf.assess_estimator(model, x_test, y_test).views["thresholds"]["declared"] == 0.5


def test_text_labels_and_a_search_around_the_model(two: Data) -> None:
    x, y, x_test, y_test = two
    names = np.array(["malignant", "benign"])
    model = GridSearchCV(make_pipeline(StandardScaler(), LogisticRegression()), {}, cv=2).fit(x, names[y])
    report = hf.assess_estimator(model, x_test, names[y_test])
    assert report.details["positive"] == "malignant"  # the second in the alphabet
    assert report["auc"].estimate > 0.98
    flipped = hf.assess_estimator(model, x_test, names[y_test], pos_label="benign")
    assert flipped["auc"].estimate == pytest.approx(report["auc"].estimate, abs=1e-12)
    assert flipped.provenance["command"] == "holdfast.assess_estimator(GridSearchCV, positive='benign')"


def test_two_classes_with_decision_values(two: Data) -> None:
    x, y, x_test, y_test = two
    model = make_pipeline(StandardScaler(), SVC()).fit(x, y)
    score, said = model.decision_function(x_test), model.predict(x_test)
    report = hf.assess_estimator(model, x_test, y_test)
    same(report, hf.assess(y_test, said, score, positive=1))
    assert report.views["thresholds"]["declared"] == 0.0
    same(hf.assess_estimator(model, x_test, y_test, positive=0), hf.assess(y_test, said, -score, positive=0))


def test_many_classes(three: Data) -> None:
    x, y, x_test, y_test = three
    model = LogisticRegression(max_iter=200).fit(x, y)
    said, score = model.predict(x_test), model.predict_proba(x_test)
    same(hf.assess_estimator(model, x_test, y_test), hf.assess(y_test, said, score))
    same(hf.assess_estimator(model, x_test, y_test, positive=2), hf.assess(y_test, said, score, positive=2))
    by_distance = SVC().fit(x, y)
    report = hf.assess_estimator(by_distance, x_test, y_test)
    same(report, hf.assess(y_test, by_distance.predict(x_test), by_distance.decision_function(x_test)))


def test_a_class_that_the_test_set_lacks_keeps_its_scores(three: Data) -> None:
    x, y, x_test, y_test = three
    model = LogisticRegression(max_iter=200).fit(x, y)
    some = (y_test != 2) & (model.predict(x_test) != 2)
    report = hf.assess_estimator(model, x_test[some], y_test[some])
    assert report["auc", 0].estimate == 1.0
    assert report["log-loss"].estimate is not None


def test_scores_of_pairs_of_classes_are_left_out(three: Data) -> None:
    x, y, x_test, y_test = three
    four, four_test = y + 1 * (x[:, 0] > 6.5), y_test + 1 * (x_test[:, 0] > 6.5)
    model = SVC(decision_function_shape="ovo").fit(x, four)
    assert model.decision_function(x_test).shape[1] == 6
    same(hf.assess_estimator(model, x_test, four_test), hf.assess(four_test, model.predict(x_test)))


def test_an_estimator_without_scores_and_one_of_a_single_class(three: Data) -> None:
    x, y, x_test, y_test = three

    class Says:
        def predict(self, rows: Array) -> list[int]:
            return [int(row[2] > 2.5) + int(row[2] > 4.9) for row in rows]

    same(hf.assess_estimator(Says(), x_test, y_test), hf.assess(y_test, Says().predict(x_test)))
    alone = DummyClassifier(strategy="most_frequent").fit(x, np.ones_like(y))
    same(hf.assess_estimator(alone, x_test, y_test), hf.assess(y_test, np.ones_like(y_test)))


def test_options_that_belong_to_the_rows(two: Data) -> None:
    x, y, x_test, y_test = two
    model = DecisionTreeClassifier(max_depth=2, random_state=0).fit(x, y)
    said, score = model.predict(x_test), model.predict_proba(x_test)[:, 1]
    size = np.where(x_test[:, 0] > 14, "large", "small")
    for options in ({"groups": {"size": size}}, {"clusters": np.arange(len(y_test)) // 3}):
        same(hf.assess_estimator(model, x_test, y_test, **options), hf.assess(y_test, said, score, **options))
    holes = y_test.astype(float)
    holes[::9] = np.nan
    report = hf.assess_estimator(model, x_test, holes, missing="drop")
    assert report.details["missing"] == {"truth": len(holes[::9])}


class TestRefusals:
    @pytest.mark.parametrize(
        ("estimator", "told"),
        [
            (LogisticRegression, "LogisticRegression is a class; make one and fit it first"),
            (LogisticRegression(), "This LogisticRegression is not fitted yet"),
            (make_pipeline(StandardScaler(), Perceptron()), "This Pipeline is not fitted yet"),
            (LinearRegression(), "LinearRegression is a regressor"),
            (make_pipeline(StandardScaler(), LinearRegression()), "Pipeline is a regressor"),
            (object(), "needs an estimator with predict; object has none"),
        ],
    )
    def test_what_is_no_fitted_classifier(self, estimator: Any, told: str) -> None:
        with pytest.raises(hf.HoldfastError, match=told):
            hf.assess_estimator(estimator, [[1.0], [2.0]], [0, 1])

    def test_a_regressor_that_says_so_in_the_old_way(self) -> None:
        class Old:
            _estimator_type = "regressor"

            def predict(self, rows: Array) -> Array:
                return rows

        with pytest.raises(hf.HoldfastError, match="Old is a regressor"):
            hf.assess_estimator(Old(), [1.0], [1.0])

    def test_several_outputs(self, two: Data) -> None:
        x, y, x_test, y_test = two
        model = DecisionTreeClassifier(max_depth=1).fit(x, np.stack([y, 1 - y], axis=1))
        with pytest.raises(hf.HoldfastError, match="predicts 2 labels a row"):
            hf.assess_estimator(model, x_test, y_test)

    def test_scores_that_speak_for_nobody_knows_whom(self) -> None:
        class Nameless:
            def predict(self, rows: Any) -> Any:
                return rows

            predict_proba = predict

        with pytest.raises(hf.HoldfastError, match="predict_proba but no classes_"):
            hf.assess_estimator(Nameless(), [0, 1], [0, 1])

    def test_a_positive_class_that_it_does_not_know(self, two: Data) -> None:
        x, y, x_test, y_test = two
        model = DecisionTreeClassifier(max_depth=1).fit(x, y)
        with pytest.raises(hf.HoldfastError, match="no class of the estimator named '7'"):
            hf.assess_estimator(model, x_test, y_test, positive=7)
        with pytest.raises(hf.HoldfastError, match="not both"):
            hf.assess_estimator(model, x_test, y_test, positive=1, pos_label=1)

    def test_what_goes_wrong_in_the_estimator_is_its_own_error(self, two: Data) -> None:
        x, y, x_test, y_test = two
        model = LogisticRegression(max_iter=5000).fit(x[:, :3], y)
        with pytest.raises(ValueError, match="features"):
            hf.assess_estimator(model, x_test, y_test)


def test_scores_of_pairs_of_classes_rank_no_class() -> None:
    from sklearn.datasets import load_iris
    from sklearn.svm import SVC

    X, y = load_iris(return_X_y=True)
    pairs, each = (SVC(decision_function_shape=shape).fit(X[::2], y[::2]) for shape in ("ovo", "ovr"))
    assert "auc" not in {line.measure for line in hf.assess_estimator(pairs, X[1::2], y[1::2]).lines}
    assert "auc" in {line.measure for line in hf.assess_estimator(each, X[1::2], y[1::2]).lines}
    crossed = hf.cross_assess(SVC(decision_function_shape="ovo"), X, y, folds=3)
    assert crossed.fits.scored_by is None
    assert any("no scores" in note for note in crossed.report.details["notes"])
