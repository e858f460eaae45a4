"""Agreement with mlxtend and baycomp where they are right, and what they say where they are not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator

from holdfast.comparisons.folds import correlated_t, five_by_two_f, t_test
from holdfast.evidence.folds.folds import FiveByTwo, FoldDifferences, Folds, RepeatedDifferences
from tests import needs

GENERATOR = np.random.default_rng(31)
FIRST, SECOND = GENERATOR.uniform(0.7, 0.9, (2, 10)) + np.array([[0.08], [0.0]])  # accuracies
X, Y = GENERATOR.normal(size=(40, 2)), np.arange(40) % 2


class Scripted(BaseEstimator):
    """An estimator whose scores are written down beforehand."""

    def __init__(self, scores: Any = ()) -> None:
        self.scores, self.told = scores, iter(scores)

    def fit(self, *_: Any) -> Scripted:
        return self


def told(estimator: Scripted, *_: Any) -> float:
    return float(next(estimator.told))


def peer(name: str, **options: Any) -> tuple[float, float]:
    function: Callable[..., tuple[float, float]] = getattr(needs.module("mlxtend.evaluate"), name)
    return function(Scripted(FIRST), Scripted(SECOND), X, Y, scoring=told, random_seed=1, **options)


def test_mlxtends_5x2cv_t() -> None:
    ours = t_test(FiveByTwo((FIRST - SECOND).reshape(5, 2)), "five-by-two-t")
    assert (ours.statistic, ours.value) == pytest.approx(peer("paired_ttest_5x2cv"), rel=1e-10)


def test_mlxtends_5x2cv_f() -> None:
    ours = five_by_two_f(FiveByTwo((FIRST - SECOND).reshape(5, 2)))
    assert (ours.statistic, ours.value) == pytest.approx(peer("combined_ftest_5x2cv"), rel=1e-10)


def test_mlxtends_kfold_t_is_the_textbooks() -> None:
    ours = t_test(FoldDifferences(FIRST - SECOND), "paired-t")
    assert (ours.statistic, ours.value) == pytest.approx(peer("paired_ttest_kfold_cv", cv=10, shuffle=True), rel=1e-10)


def test_mlxtends_resampled_t_has_no_correction() -> None:
    """The same numbers, another p: at 5 % theirs finds a difference, as it does in half of all cases without one."""
    differences = FoldDifferences(FIRST - SECOND, n_train=28, n_test=12)
    theirs = peer("paired_ttest_resampled", num_rounds=10, test_size=0.3)
    naive, ours = t_test(differences, "paired-t"), t_test(differences, "nadeau-bengio")
    assert (naive.statistic, naive.value) == pytest.approx(theirs, rel=1e-10)
    assert ours.statistic == pytest.approx(naive.statistic / np.sqrt(1 + 10 * 12 / 28), rel=1e-12)
    assert theirs[1] < 0.05 < 0.3 < ours.value


@pytest.mark.long
def test_mlxtends_resampled_t_rejects_a_true_null() -> None:
    """One data set of pure noise: no model can be better, and it finds one of them surely so."""
    from sklearn.naive_bayes import GaussianNB
    from sklearn.tree import DecisionTreeClassifier

    evaluate = needs.module("mlxtend.evaluate")
    rejected = 0
    for seed in range(12):
        draw = np.random.default_rng(seed)
        noise, labels = draw.normal(size=(100, 2)), draw.integers(0, 2, 100)
        models = GaussianNB(), DecisionTreeClassifier(max_depth=1, random_state=0)
        rejected += evaluate.paired_ttest_resampled(*models, noise, labels, num_rounds=30, random_seed=1)[1] < 0.05
    assert rejected >= 4  # at 5 % that many of 12 come up once in 400 times


@pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning")
@pytest.mark.parametrize("name", ["paired_ttest_kfold_cv", "paired_ttest_5x2cv", "combined_ftest_5x2cv"])
def test_mlxtend_has_no_number_for_equal_models_and_we_have_1(name: str) -> None:
    function = getattr(needs.module("mlxtend.evaluate"), name)
    with np.errstate(invalid="ignore", divide="ignore"):
        try:
            theirs = function(Scripted(FIRST), Scripted(FIRST), X, Y, scoring=told, random_seed=1)[1]
        except ZeroDivisionError:
            theirs = np.nan
    assert np.isnan(theirs)
    equal = FiveByTwo(np.zeros((5, 2)))
    assert five_by_two_f(equal).value == t_test(equal, "five-by-two-t").value == t_test(equal, "paired-t").value == 1.0


def beliefs(runs: int, rope: float) -> Iterator[tuple[Any, Any]]:
    """Theirs, of accuracies, and ours, of error rates: left is 'the first is better' for both."""
    single = needs.module("baycomp")
    shape = (runs, 10 // runs)
    for first, second in ((FIRST, SECOND), (SECOND, FIRST), (FIRST + 0.05, SECOND)):
        theirs = single.two_on_single(first, second, rope=rope, runs=runs)
        kind = FoldDifferences if runs == 1 else RepeatedDifferences
        ours = correlated_t(kind((1 - first).reshape(shape) - (1 - second).reshape(shape)), rope)
        yield theirs, ours


@pytest.mark.parametrize("runs", [1, 2, 5])
def test_baycomps_correlated_t(runs: int) -> None:
    for theirs, ours in beliefs(runs, 0.01):
        assert (ours.first, ours.equal, ours.second) == pytest.approx(theirs, abs=1e-12)
    for theirs, ours in beliefs(runs, 0.0):
        assert (ours.first, ours.second) == pytest.approx(theirs, abs=1e-12)


def test_baycomp_is_certain_of_a_constant_difference_and_we_say_nothing() -> None:
    theirs = needs.module("baycomp").two_on_single(np.array([0.80, 0.80]), np.array([0.82, 0.82]), rope=0.01)
    assert theirs == (0.0, 0.0, 1.0)
    folds = Folds({"a": [0.80, 0.80], "b": [0.82, 0.82]}, measure="accuracy", better="higher")
    assert correlated_t(folds.difference("a", "b")).second is None
