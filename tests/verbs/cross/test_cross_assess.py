"""What a cross-validation lets one claim: the target governs every line, and no promise outlives what it rests on."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.discriminant_analysis import QuadraticDiscriminantAnalysis
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import GridSearchCV, KFold, cross_val_predict
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

import holdfast as hf
from holdfast.bounds.cross import geometric_merge
from holdfast.claims import Guarantee
from holdfast.errors import HoldfastError
from holdfast.evidence import Counts
from holdfast.evidence.folds.nested_cv import LeftOut, Point632, Point632Plus
from holdfast.evidence.folds.sample import FoldCounts
from holdfast.resampling import SCHEMES
from tests.needs import module

FINITE = Guarantee.FINITE
IRIS = load_iris(return_X_y=True)
CANCER = load_breast_cancer(return_X_y=True)
TARGETS = ("fold-average", "fold", "refit", "algorithm")


def made(target: str, scheme: str, **options: object) -> hf.Report:
    X, y = IRIS
    if scheme == "grouped":
        options["groups"] = np.arange(len(y)) // 3
    return hf.cross_assess(GaussianNB(), X, y, scheme=scheme, target=target, seed=1, **options).report


def bears(target: str, scheme: str) -> bool:
    if scheme in ("resubstitution", "bootstrap-all") and target in ("fold-average", "fold"):
        return False
    return not (scheme in ("resubstitution", "hold-out") and target == "algorithm")


@pytest.mark.crossing(9)
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("target", TARGETS)
def test_nothing_holds_at_every_sample_size_that_should_not(target: str, scheme: str) -> None:
    if not bears(target, scheme):
        with pytest.raises(HoldfastError):
            made(target, scheme)
        return
    report = made(target, scheme, only=["error-rate", "recall", "precision", "f1", "auc"])
    firm = {line.measure for line in report.lines if line.claim.guarantee is FINITE}
    if target in ("refit", "algorithm"):
        assert not firm
    elif scheme == "stratified":
        assert firm == {"recall"}
    else:
        assert "error-rate" in firm
    assert report.details["target"]["name"] == target


def test_the_fold_average_is_the_merge_of_the_folds() -> None:
    result = hf.cross_assess(GaussianNB(), *IRIS, folds=5, seed=3)
    wrong = [sum(row["errors"] for row in result.report.details["splits"] if row["fold"] == fold) for fold in range(5)]
    expected = geometric_merge(FoldCounts(wrong, 30), 0.05)
    claim = result.report["error-rate"]
    assert (claim.estimate, claim.lower, claim.upper) == (expected.estimate, expected.lower, expected.upper)
    assert claim.guarantee is FINITE


def test_what_does_not_merge_is_the_mean_of_limits_at_equal_parts_of_delta() -> None:
    result = hf.cross_assess(GaussianNB(), *IRIS, folds=3, seed=3, only="f1")
    frame = result.predictions
    uppers = []
    for fold in range(3):
        part = frame.filter(frame["fold"] == fold)
        truth, said = part["truth"].to_numpy() == 1, part["predicted"].to_numpy() == 1
        both, either = int(np.sum(truth & said)), int(np.sum(truth | said))
        jaccard = hf.bound(Counts(both, either), delta=0.0166).upper  # 0.05 / 3, rounded down to three digits
        uppers.append(2 * jaccard / (1 + jaccard))
    assert result.report["f1", 1].upper == pytest.approx(np.mean(uppers), rel=1e-9)


def test_a_hold_out_is_a_test_set() -> None:
    X, y = CANCER
    result = hf.cross_assess(GaussianNB(), X, y, scheme="hold-out", seed=2, test_share=0.4)
    frame = result.predictions
    ours, theirs = result.report, hf.assess(frame["truth"], frame["predicted"], frame["score"], positive=1)
    for measure in ("error-rate", "auc", "brier"):
        assert (ours[measure].lower, ours[measure].upper) == (theirs[measure].lower, theirs[measure].upper)
    assert ours["auc"].guarantee is FINITE


def test_predictions_are_those_of_scikit_learn_on_the_same_splits() -> None:
    X, y = IRIS
    result = hf.cross_assess(DecisionTreeClassifier(random_state=0), X, y, folds=7, seed=5)
    theirs = cross_val_predict(DecisionTreeClassifier(random_state=0), X, y, cv=result.plan)
    ours = result.predictions.sort("row")["predicted"].to_numpy()
    np.testing.assert_array_equal(ours, theirs)


def test_parameters_are_chosen_inside_the_training_part() -> None:
    X, y = IRIS
    grid = {"max_depth": [1, 2, 5]}
    result = hf.cross_assess(DecisionTreeClassifier(random_state=0), X, y, folds=4, grid=grid, inner=3, seed=6)
    search = GridSearchCV(DecisionTreeClassifier(random_state=0), grid, cv=KFold(3, shuffle=True, random_state=6))
    theirs = cross_val_predict(search, X, y, cv=result.plan)
    np.testing.assert_array_equal(result.predictions.sort("row")["predicted"].to_numpy(), theirs)


@pytest.mark.parametrize(
    ("grid", "said"),
    [
        ({}, "grid="),
        ({"depth": [1]}, "did you mean"),
        ({"max_depth": 3}, "list of values"),
        ({"max_depth": []}, "list"),
    ],
)
def test_a_grid_that_cannot_be_searched_is_refused(grid: dict[str, object], said: str) -> None:
    with pytest.raises(HoldfastError, match=said):
        hf.cross_assess(DecisionTreeClassifier(), *IRIS, grid=grid)


def test_two_learners_are_compared_on_the_same_splits() -> None:
    one, other = (hf.cross_assess(learner, *IRIS) for learner in (GaussianNB(), DecisionTreeClassifier(max_depth=1)))
    report = hf.compare(one, other)
    assert report.verdict.outcome == "better"
    assert report.verdict.models == ("GaussianNB", "DecisionTreeClassifier")
    assert hf.compare({"bayes": one, "stump": other}).verdict.models == ("bayes", "stump")
    assert hf.compare(one, one).verdict.outcome == "no difference"
    moved = hf.cross_assess(GaussianNB(), *IRIS, seed=1)
    with pytest.raises(HoldfastError, match="same rows"):
        hf.compare(one, moved)


def test_resubstitution_says_what_it_is_worth() -> None:
    report = hf.cross_assess(DecisionTreeClassifier(), *IRIS, scheme="resubstitution").report
    assert report["error-rate"].estimate == 0.0
    assert report["error-rate"].guarantee is Guarantee.HEURISTIC
    assert any("hopelessly optimistic" in note for note in report.details["notes"])


def test_leave_one_out_has_the_majority_learner_err_every_time() -> None:
    X, y = np.zeros((20, 1)), ["a", "b"] * 10
    result = hf.cross_assess(DummyClassifier(strategy="most_frequent"), X, y, scheme="leave-one-out", only="error-rate")
    assert result.report["error-rate"].estimate == 1.0
    by_folds = hf.cross_assess(DummyClassifier(strategy="most_frequent"), X, y, scheme="stratified", folds=2)
    assert by_folds.report["error-rate"].estimate == 0.5


def test_leaving_one_fold_out_of_one_tells_nothing_that_holds() -> None:
    claim = hf.cross_assess(GaussianNB(), *IRIS, scheme="leave-one-out", only="error-rate").report["error-rate"]
    assert claim.guarantee is FINITE
    assert claim.upper > 0.9  # one row a model says next to nothing


def test_groups_are_what_is_drawn() -> None:
    X, y = IRIS
    rows = np.repeat(np.arange(len(y)), 10)  # each row ten times: a group
    plain = hf.cross_assess(GaussianNB(), X[rows], y[rows], folds=5, only="error-rate").report["error-rate"]
    whole = hf.cross_assess(GaussianNB(), X[rows], y[rows], scheme="grouped", groups=rows, folds=5, only="error-rate")
    claim = whole.report["error-rate"]
    assert claim.n == 150
    assert claim.width > 2 * plain.width


def test_the_632_rules_are_mlxtends_sample_by_sample() -> None:
    mlxtend = module("mlxtend.evaluate")
    X, y = CANCER
    tree = DecisionTreeClassifier(max_depth=3, random_state=0)
    for method, rule in (("oob", LeftOut), (".632", Point632), (".632+", Point632Plus)):
        theirs = mlxtend.bootstrap_point632_score(tree, X, y, n_splits=5, method=method, random_seed=7)
        draws = mlxtend.BootstrapOutOfBag(n_splits=5, random_seed=7).split(X)
        ours = []
        for train, test in draws:
            fitted = tree.fit(X[train], y[train])
            seen = fitted.predict(X[train] if rule is LeftOut else X)
            wrong = (fitted.predict(X[test]) != y[test]).astype(float)
            shares = [np.bincount(codes, minlength=2) / len(y) for codes in (y, fitted.predict(X))]
            ours.append(
                1 - rule(wrong, np.mean(seen != (y[train] if rule is LeftOut else y)), 1 - shares[0] @ shares[1]).mean
            )
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)


def test_the_bootstrap_rules_lie_in_order_for_a_learner_that_overfits() -> None:
    report = hf.cross_assess(DecisionTreeClassifier(), *CANCER, scheme="bootstrap", rounds=30, seed=4).report
    found = {line.claim.method: line.claim.estimate for line in report.lines if line.measure == "error-rate"}
    assert 0 < found["point-632"] < found["point-632-plus"] < found["left-out-bootstrap"]


def test_example_22_8_in_distribution() -> None:
    """Fifty bootstrap samples of iris' sepals, full Bayes, tested on all rows: printed 0.213 and 4.815e-4."""
    X, y = IRIS
    learner = QuadraticDiscriminantAnalysis()
    found = []
    for seed in range(8):
        result = hf.cross_assess(learner, X[:, :2], y, scheme="bootstrap-all", rounds=50, seed=seed, only="error-rate")
        rates = result.crossed.errors.mean
        found.append((rates.mean(), rates.var()))
    means, variances = np.array(found).T
    assert means.min() < 0.213 < means.max()
    assert variances.min() < 4.815e-4 < variances.max()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"target": "fold-averge"}, "did you mean"),
        ({"target": "fold", "fold": 10}, "counted from 0 to 9"),
        ({"scheme": "kfolds"}, "did you mean"),
        ({"delta": [0.1, 0.05]}, "one confidence"),
        ({"method": "paired-fisher"}, "fits no measure"),
        ({"scheme": "bootstrap-all", "target": "fold-average"}, "trained on"),
        ({"scheme": "hold-out", "target": "algorithm"}, "at least two"),
        ({"only": "prevalence"}, "No claim"),
    ],
)
def test_what_cannot_be_asked_is_refused_in_words(options: dict[str, object], said: str) -> None:
    with pytest.raises(HoldfastError, match=said):
        hf.cross_assess(GaussianNB(), *IRIS, **options).report  # noqa: B018  # it is made on demand


def test_methods_by_name_answer_where_they_fit() -> None:
    report = hf.cross_assess(GaussianNB(), *IRIS, method=["hoeffding-cv", "averaged-folds"], only="error-rate").report
    assert [line.claim.method for line in report.lines] == ["hoeffding-cv", "averaged-folds"]
    printed = hf.cross_assess(GaussianNB(), *IRIS, target="algorithm", method=["fold-t", "fold-z"], only="error-rate")
    assert [line.claim.guarantee for line in printed.report.lines] == [Guarantee.HEURISTIC] * 2


def test_splits_that_test_the_same_rows_again_make_nothing_narrower() -> None:
    few, many = (
        hf.cross_assess(GaussianNB(), *IRIS, scheme="monte-carlo", rounds=rounds, only="error-rate", method="bayle")
        for rounds in (5, 40)
    )
    assert 0.5 < many.report["error-rate"].width / few.report["error-rate"].width < 1.5
