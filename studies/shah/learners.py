"""The six learners, and the settings among which ten-fold cross-validation on the training part chooses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.ensemble import AdaBoostClassifier
from sklearn.naive_bayes import CategoricalNB, GaussianNB
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

from holdfast.learners import DecisionList, SetCoveringMachine

Array = NDArray[Any]
Setting = dict[str, Any]
EVERY = float("inf")


@dataclass(frozen=True)
class Learner:
    """A learner of the paper: what is trained here, and among which settings."""

    name: str  # as in Table 2
    told: str
    make: Callable[..., Any]
    grid: Mapping[str, tuple[Any, ...]] = field(default_factory=dict)
    staged: str = ""  # the last parameter of the grid, if one fit with its largest value answers for the smaller ones
    scaled: bool = False  # to mean 0 and variance 1, learnt from what it trains on
    counts_words: bool = False  # takes words as codes; all others as indicators

    @property
    def settings(self) -> list[Setting]:
        return [dict(zip(self.grid, values, strict=True)) for values in product(*self.grid.values())]

    def fitted(self) -> Iterator[tuple[Setting, tuple[int, ...]]]:
        """The settings to fit, and for how many stages each answers, in the order of `settings`."""
        stages = self.grid[self.staged] if self.staged else ()
        fixed = {name: values for name, values in self.grid.items() if name != self.staged}
        for values in product(*fixed.values()):
            setting = dict(zip(fixed, values, strict=True))
            yield (setting | {self.staged: stages[-1]} if stages else setting), stages


class NaiveBayes(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Naive Bayes with a normal law for each number and smoothed frequencies for each word, as Weka's.

    scikit-learn has either alone; given the class the attributes are independent, so that their logarithms add up.
    """

    def __init__(self, numbers: int, words: tuple[int, ...] = ()) -> None:
        self.numbers = numbers  # the first columns
        self.words = words  # how many words each other column can have

    def fit(self, X: Array, y: Array) -> Self:
        self.classes_ = np.unique(y)
        self.parts_ = []
        if self.numbers:
            self.parts_.append((slice(0, self.numbers), GaussianNB().fit(X[:, : self.numbers], y)))
        if self.words:
            counting = CategoricalNB(min_categories=np.array(self.words))
            self.parts_.append((slice(self.numbers, None), counting.fit(X[:, self.numbers :].astype(int), y)))
        self.log_prior_ = np.log(np.bincount(np.searchsorted(self.classes_, y)) / len(y))
        return self

    def predict(self, X: Array) -> Array:
        each = [part.predict_joint_log_proba(X[:, columns]) - self.log_prior_ for columns, part in self.parts_]
        return self.classes_[np.argmax(self.log_prior_ + sum(each), axis=1)]


LEARNERS = (
    Learner(
        "SVM",
        "support vector machine with a radial kernel, scikit-learn's `SVC`, numbers scaled",
        partial(SVC, kernel="rbf", cache_size=400),
        {"C": (0.1, 1.0, 10.0, 100.0), "gamma": (0.003, 0.01, 0.03, 0.1, 0.3, 1.0)},
        scaled=True,
    ),
    Learner(
        "Ada",
        "AdaBoost on decision stumps, scikit-learn's `AdaBoostClassifier`",
        partial(AdaBoostClassifier, DecisionTreeClassifier(max_depth=1), random_state=0),
        {"n_estimators": (10, 20, 50, 100, 200)},
        staged="n_estimators",
    ),
    Learner(
        "DT",
        "decision tree, scikit-learn's, pruned by cost and complexity where C4.5 prunes by confidence",
        partial(DecisionTreeClassifier, random_state=0),
        {"ccp_alpha": (0.0, 0.001, 0.003, 0.01, 0.03, 0.1), "min_samples_leaf": (1, 2, 5, 10, 20)},
    ),
    Learner(
        "DL",
        "greedy decision list, `holdfast.learners.DecisionList`",
        DecisionList,
        {"max_tests": (1, 2, 3), "min_covered": (2, 5, 10)},
    ),
    Learner("NB", "naive Bayes, normal laws for numbers and frequencies for words", NaiveBayes, counts_words=True),
    Learner(
        "SCM",
        "set covering machine of balls, `holdfast.learners.SetCoveringMachine`, numbers scaled",
        SetCoveringMachine,
        {"type": ("conjunction", "disjunction"), "p": (0.5, 1.0, 2.0, 5.0, EVERY), "s": tuple(range(1, 21))},
        staged="s",
        scaled=True,
    ),
)
