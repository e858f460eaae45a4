"""A decision list: tests tried one after the other, and the first that an example passes names its class."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from holdfast.errors import HoldfastError
from holdfast.evidence import Array, Integers
from holdfast.wording import quoted

RELATIONS = ("<=", ">", "=")
BLOCK = 2**20  # counts held at once while looking for a test


@dataclass(frozen=True)
class Test:
    """Whether one feature is at most a value, above it, or equal to it."""

    __test__ = False  # not what pytest collects

    feature: int
    relation: str
    value: float

    def passed_by(self, X: Array) -> Array:  # scikit-learn's name
        column = X[:, self.feature]
        return {"<=": column.__le__, ">": column.__gt__, "=": column.__eq__}[self.relation](self.value)

    def told(self, names: Array | None = None) -> str:
        name = f"x{self.feature}" if names is None else names[self.feature]
        return f"{name} {self.relation} {self.value:g}"


@dataclass(frozen=True)
class Rule:
    """Tests that an example must pass together, and the training examples of each class that first passed them."""

    tests: tuple[Test, ...]
    counts: tuple[int, ...]

    def passed_by(self, X: Array) -> Array:
        return np.logical_and.reduce([test.passed_by(X) for test in self.tests])


class DecisionList(ClassifierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    r"""If this, then that class; else if this, then that; and at the end a class for all the rest.

    Parameters
    ----------
    max_rules
        How many rules the list may have before its last class; None for as many as help.
    max_tests
        How many tests a rule may put together with "and".
    min_covered
        How many training examples must be left that pass a rule.
    few_values
        Features with no more values than this are also tested for being equal to one of them.

    Attributes
    ----------
    rules_
        The rules in their order, each with its tests and the training examples it covers, by class.
    rest_
        The training examples of each class that no rule covers.
    classes_
        The labels, sorted.

    Notes
    -----
    Greedy, as Rivest's [1]_: choose a test, drop the examples that pass it, go on with the others. He asks for
    examples of one class only, which noise forbids; here the best of all tests is the one with the largest

    .. math:: \frac{n_c + 1}{n + k}

    for n examples that pass it, :math:`n_c` of them of their most frequent class, and k classes: a precision that few
    examples cannot make large. Of equals the one that covers more; then the first by feature, relation (at most,
    above, equal) and value, so that neither the order of the rows nor a seed plays a part. A rule grows by the same
    rule among the examples that pass it, as long as that helps. The list ends where no test is better than leaving
    the examples that remain to their most frequent class.

    One search is a cumulative count along the sorted values of every feature.

    References
    ----------
    .. [1] R. L. Rivest (1987), Learning decision lists. Machine Learning 2, 229-246.

    Examples
    --------
    >>> X = [[1, 0], [2, 0], [3, 1], [4, 1], [5, 0], [6, 0]]
    >>> model = DecisionList(min_covered=1).fit(X, ["no", "no", "yes", "yes", "no", "no"])
    >>> print(model.as_text())
    if x1 <= 0.5: no (4 of 4)
    else: yes (2 of 2)
    """

    def __init__(
        self, max_rules: int | None = 100, *, max_tests: int = 1, min_covered: int = 2, few_values: int = 10
    ) -> None:
        self.max_rules = max_rules
        self.max_tests = max_tests
        self.min_covered = min_covered
        self.few_values = few_values

    def fit(self, X: Any, y: Any) -> Self:
        """Find the rules, one after the other."""
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        self._check_options()
        self.classes_, codes = np.unique(y, return_inverse=True)
        left = _Sorted.of(X, codes, len(self.classes_), self.few_values)
        self.rules_: list[Rule] = []
        while self.max_rules is None or len(self.rules_) < self.max_rules:
            rule = self._rule(left)
            if rule is None:
                break
            self.rules_.append(rule)
            left = left.only(~rule.passed_by(X))
        self.rest_ = left.counts  # never none: no test is passed by all that are left
        return self

    def predict_proba(self, X: Any) -> Array:
        """The shares of the classes among the training examples under the same rule, one example a class added."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        place = np.full(len(X), len(self.rules_))
        for number in reversed(range(len(self.rules_))):  # an earlier rule has the last word
            place[self.rules_[number].passed_by(X)] = number
        counts = self._counts + 1
        return (counts / counts.sum(axis=1, keepdims=True))[place]

    def predict(self, X: Any) -> Array:
        """The most frequent class under the first rule that an example passes, of equals the first in `classes_`."""
        best = self.predict_proba(X).argmax(axis=1)
        return self.classes_[best]

    def as_text(self) -> str:
        """The list as one reads it, with the training examples that each line gets right and covers."""
        check_is_fitted(self)
        names = getattr(self, "feature_names_in_", None)
        heads = [f"if {' and '.join(test.told(names) for test in rule.tests)}" for rule in self.rules_]
        heads[1:] = [f"else {head}" for head in heads[1:]]
        lines = zip([*heads, "else"], self._counts, strict=True)
        return "\n".join(
            f"{head}: {self.classes_[counts.argmax()]} ({counts.max():,} of {counts.sum():,})" for head, counts in lines
        )

    @property
    def _counts(self) -> Integers:
        """The training examples of each class under each rule, and at last under none."""
        return np.array([*(rule.counts for rule in self.rules_), self.rest_])

    def _rule(self, left: _Sorted) -> Rule | None:
        """The best rule for the examples that are left; None where none is better than their most frequent class."""
        tests: tuple[Test, ...] = ()
        precision = left.precision
        while len(tests) < self.max_tests:
            found = left.best_test(self.min_covered)
            if found is None or found[0] <= precision:
                break
            precision, test = found
            tests += (test,)
            left = left.only(test.passed_by(left.values))
        return Rule(tests, tuple(left.counts.tolist())) if tests else None

    def _check_options(self) -> None:
        for name, least in (("max_rules", 0), ("max_tests", 1), ("min_covered", 1), ("few_values", 0)):
            value = getattr(self, name)
            if name == "max_rules" and value is None:
                continue
            if not isinstance(value, (int, np.integer)) or value < least:
                raise HoldfastError(f"{name} should be a whole number from {least} upwards; got {quoted(value)}.")


@dataclass(frozen=True, eq=False)
class _Sorted:
    """Training examples, of which some are left, in the order of every feature."""

    values: Array  # all examples
    codes: Integers
    classes: int
    order: Integers  # by feature, the places of the examples that are left
    few: Array  # whether a feature is tested for equality

    @classmethod
    def of(cls, values: Array, codes: Integers, classes: int, few_values: int) -> Self:
        order = np.argsort(values, axis=0, kind="stable").T
        ranked = np.take_along_axis(values, order.T, axis=0)
        distinct = 1 + np.count_nonzero(ranked[1:] > ranked[:-1], axis=0)
        return cls(values, codes, classes, order, (distinct > 2) & (distinct <= few_values))

    @property
    def size(self) -> int:
        return self.order.shape[1]

    @property
    def counts(self) -> Integers:
        return np.bincount(self.codes[self.order[0]], minlength=self.classes)

    @property
    def precision(self) -> float:
        return float(_precision(self.counts.max(), self.size, self.classes))

    def only(self, which: Array) -> Self:
        """Those of them that `which` says of all examples; every feature keeps as many, in its order."""
        return replace(self, order=self.order[which[self.order]].reshape(len(self.order), -1))

    def best_test(self, min_covered: int) -> tuple[float, Test] | None:
        """The test with the largest precision, and that precision."""
        best: tuple[float, int, Test] | None = None
        width = max(1, BLOCK // (self.size * self.classes))
        for start in range(0, len(self.order), width):
            found = self._best_of(slice(start, start + width), min_covered)
            if found is not None and (best is None or found[:2] > best[:2]):
                best = found
        return best and (best[0], best[2])

    def _best_of(self, features: slice, min_covered: int) -> tuple[float, int, Test] | None:
        """The same among some of the features, with how many examples pass it."""
        order = self.order[features]
        here = np.take_along_axis(self.values.T[features], order, axis=1)
        of_class = self.codes[order] == np.arange(self.classes)[:, None, None]
        upto: Any = np.cumsum(of_class, axis=-1, dtype=np.int32)  # class, feature, place in its order
        ends = np.ones(here.shape, bool)  # where the next value is another one
        ends[:, :-1] = here[:, 1:] > here[:, :-1]
        inner = ends.copy()
        inner[:, -1] = False  # a test that all examples pass is none
        relations = [upto, upto[..., -1:] - upto]
        possible = [inner, inner]
        if self.few[features].any():
            relations.append(upto - _at_end_of_last_run(upto, ends))
            possible.append(ends & self.few[features, None] & inner.any(axis=1, keepdims=True))
        counts = np.stack(relations, axis=2)  # class, feature, relation, place
        covered = counts.sum(axis=0)
        allowed = np.stack(possible, axis=1) & (covered >= min_covered)
        if not allowed.any():
            return None
        precision = np.where(allowed, _precision(counts.max(axis=0), covered, self.classes), -1.0)
        first = precision == precision.max()
        number = int(np.where(first, covered, -1).argmax())  # the first of the largest
        feature, relation, place = np.unravel_index(number, covered.shape)
        value = here[feature, place]
        if RELATIONS[relation] != "=":
            value = _between(value, here[feature, place + 1])
        test = Test(int(feature) + features.start, RELATIONS[relation], float(value))
        return float(precision.max()), int(covered.flat[number]), test


def _at_end_of_last_run(upto: Any, ends: Array) -> Any:
    """The counts up to where the run of equal values before the present one ended; none before the first."""
    last = np.maximum.accumulate(np.where(ends, np.arange(ends.shape[1]), -1), axis=1)
    last = np.concatenate([np.full((len(last), 1), -1), last[:, :-1]], axis=1)
    return np.where(last < 0, 0, np.take_along_axis(upto, np.broadcast_to(last, upto.shape), axis=-1))


def _precision(most: Any, covered: Any, classes: int) -> Any:
    return (most + 1) / (covered + classes)


def _between(low: float, high: float) -> float:
    """Half way, and never so near the higher value that rounding reaches it."""
    middle = low / 2 + high / 2
    return middle if low <= middle < high else low
