"""Decision lists: each rule is the best of all, whatever the order of the rows."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.utils.estimator_checks import parametrize_with_checks

from holdfast.errors import HoldfastError
from holdfast.learners import decision_list
from holdfast.learners.decision_list import DecisionList, Test
from tests.needs import module


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@parametrize_with_checks([DecisionList(), DecisionList(5, max_tests=3)])
def test_scikit_learn_takes_it_for_one_of_its_own(estimator: Any, check: Any) -> None:
    check(estimator)


def every_test(x: Any) -> list[Test]:
    """All tests there are, in the order in which ties are broken."""
    tests = []
    for feature, column in enumerate(x.T):
        values = np.unique(column)
        tests += [Test(feature, relation, (a + b) / 2) for relation in ("<=", ">") for a, b in pairwise(values)]
        tests += [Test(feature, "=", value) for value in values if len(values) > 2]
    return tests


def slowly(x: Any, y: Any, max_rules: int | None, min_covered: int, few_values: int) -> list[tuple[Test, list[int]]]:
    """The list by trying every test on every example, one after the other."""
    classes, found = sorted(set(y.tolist())), []
    few = [2 < len(np.unique(column)) <= few_values for column in x.T]
    while len(y) and (max_rules is None or len(found) < max_rules):
        best: Any = None
        for test in every_test(x):
            passed = test.passed_by(x)
            if not min_covered <= passed.sum() < len(y) or (test.relation == "=" and not few[test.feature]):
                continue
            counts = [int(np.sum(y[passed] == each)) for each in classes]
            worth = ((max(counts) + 1) / (sum(counts) + len(classes)), sum(counts))
            if best is None or worth > best[0]:
                best = worth, test, counts, passed
        rest = [int(np.sum(y == each)) for each in classes]
        if best is None or best[0][0] <= (max(rest) + 1) / (sum(rest) + len(classes)):
            break
        found.append((best[1], best[2]))
        x, y = x[~best[3]], y[~best[3]]
    return found


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    st.integers(0, 10**6),
    st.integers(4, 30),
    st.integers(1, 3),
    st.integers(2, 4),
    st.sampled_from([1, 2, 4]),
    st.sampled_from([0, 4, 10]),
)
def test_every_rule_is_the_best_of_all_tests(
    seed: int, n: int, width: int, classes: int, min_covered: int, few: int
) -> None:
    rng = np.random.default_rng(seed)
    x = rng.integers(0, rng.integers(2, 9), (n, width)).astype(float)
    y = rng.integers(0, classes, n)
    y[:classes] = range(classes)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decision_list, "BLOCK", [1, 2**20][seed % 2])  # a feature at a time, or all together
        model = DecisionList(4, min_covered=min_covered, few_values=few).fit(x, y)
    expected = slowly(x, y, 4, min_covered, few)
    assert [(rule.tests[0], [*rule.counts]) for rule in model.rules_] == expected


@pytest.mark.parametrize("max_tests", [1, 3])
def test_neither_the_order_of_the_rows_nor_the_size_of_blocks_matters(
    max_tests: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    x, y = load_breast_cancer(return_X_y=True)
    model = DecisionList(max_tests=max_tests).fit(x, y)
    order = np.random.default_rng(0).permutation(len(y))
    assert DecisionList(max_tests=max_tests).fit(x[order], y[order]).rules_ == model.rules_
    monkeypatch.setattr(decision_list, "BLOCK", 1)  # a feature at a time
    assert DecisionList(max_tests=max_tests).fit(x, y).rules_ == model.rules_


@pytest.mark.parametrize("block", [1, 2**20])
def test_of_equally_precise_tests_the_one_that_covers_more_is_taken(
    block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """7 of 7 and 15 of 16 are both 8/9, one example a class added."""
    monkeypatch.setattr(decision_list, "BLOCK", block)
    x = np.repeat([[1, 0], [0, 1], [0, 1], [0, 0], [0, 0]], [7, 15, 1, 20, 30], axis=0)
    y = np.repeat(["a", "a", "b", "a", "b"], [7, 15, 1, 20, 30])
    for columns, feature in (([0, 1], 1), ([1, 0], 0)):
        assert DecisionList(1).fit(x[:, columns], y).as_text().startswith(f"if x{feature} > 0.5: a (15 of 16)")


@pytest.mark.parametrize("max_tests", [1, 2])
def test_the_first_rule_passed_decides(max_tests: int) -> None:
    """By hand: the rules one after the other on examples that are left, and their counts add up to all."""
    x, y = load_iris(return_X_y=True)
    model = DecisionList(max_tests=max_tests).fit(x, y)
    left = np.arange(len(y))
    expected = np.empty(len(y), int)
    for rule in model.rules_:
        passed = np.all([test.passed_by(x[left]) for test in rule.tests], axis=0)
        counts = np.bincount(y[left[passed]], minlength=3)
        assert tuple(counts) == rule.counts
        expected[left[passed]] = counts.argmax()
        left = left[~passed]
    expected[left] = model.rest_.argmax()
    np.testing.assert_array_equal(model.predict(x), expected)
    assert sum(sum(rule.counts) for rule in model.rules_) + len(left) == 150
    assert model.score(x, y) > 0.95


def test_the_list_as_one_reads_it() -> None:
    x, y = load_iris(return_X_y=True, as_frame=False)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    model = DecisionList(2).fit(x, names)
    assert model.as_text().splitlines() == [
        "if x2 <= 2.45: setosa (50 of 50)",
        "else if x2 > 5.15: virginica (34 of 34)",
        "else: versicolor (50 of 66)",
    ]
    np.testing.assert_allclose(model.predict_proba(x[:1]), [[51 / 53, 1 / 53, 1 / 53]])


def test_names_of_features_are_used() -> None:
    frame = module("pandas").DataFrame({"length": [1.0, 2.0, 8.0, 9.0], "width": [0.0, 0.0, 0.0, 0.0]})
    model = DecisionList().fit(frame, ["short", "short", "long", "long"])
    assert model.as_text() == "if length <= 5: short (2 of 2)\nelse: long (2 of 2)"
    assert model.feature_names_in_.tolist() == ["length", "width"]


def test_few_values_are_tested_for_equality() -> None:
    x = np.repeat([[0.0], [1], [2]], [10, 25, 10], axis=0)
    y = np.repeat(["out", "in", "out"], [10, 25, 10])
    assert DecisionList(1).fit(x, y).as_text() == "if x0 = 1: in (25 of 25)\nelse: out (20 of 20)"
    assert [rule.tests[0].relation for rule in DecisionList(few_values=2).fit(x, y).rules_] == ["<=", "<="]


def test_tests_joined_find_what_no_single_one_can() -> None:
    """No list of single tests says "the first two, or the last two"."""
    x = np.random.default_rng(1).integers(0, 2, (300, 4))
    y = x[:, :2].all(axis=1) | x[:, 2:].all(axis=1)
    assert DecisionList().fit(x, y).score(x, y) < 0.9
    model = DecisionList(max_tests=2).fit(x, y)
    assert model.score(x, y) == 1
    assert model.as_text().splitlines()[0] == "if x2 <= 0.5 and x0 <= 0.5: False (75 of 75)"


def test_a_list_may_be_its_last_class_alone() -> None:
    model = DecisionList(0).fit([[0.0], [1.0], [2.0]], ["a", "b", "b"])
    assert model.as_text() == "else: b (2 of 3)"
    assert DecisionList().fit([[0.0], [1.0]], ["a", "a"]).rules_ == []


def test_the_last_class_is_always_that_of_some_examples() -> None:
    """However many rules there are, no test is passed by all that are left."""
    rng = np.random.default_rng(2)
    for classes in (2, 5):
        model = DecisionList(None, min_covered=1).fit(rng.normal(size=(60, 2)), rng.integers(0, classes, 60))
        assert len(model.rules_) > 5
        assert model.rest_.sum() > 0


ENORMOUS, SUBNORMAL = (-1.7e308, 1.7e308), (5e-324, 1e-323)
NEIGHBOURS = (1 + 2.0**-52, 1 + 2.0**-51)  # half way between them rounds to the higher


@pytest.mark.parametrize("values", [ENORMOUS, NEIGHBOURS, SUBNORMAL])
def test_neighbouring_and_enormous_values_are_told_apart(values: tuple[float, float]) -> None:
    x = np.repeat(values, 3)[:, None]
    assert DecisionList().fit(x, [0, 0, 0, 1, 1, 1]).predict(x).tolist() == [0, 0, 0, 1, 1, 1]


def test_noise_ends_the_list() -> None:
    """Where no test is better than the most frequent class, none is taken."""
    x = np.array([[0.0], [0], [0], [0], [1], [1], [1], [1]])
    assert DecisionList().fit(x, [0, 0, 0, 1] * 2).rules_ == []


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"max_rules": -1}, "max_rules should be a whole number from 0 upwards; got -1."),
        ({"max_tests": 0}, "max_tests should be a whole number from 1 upwards; got 0."),
        ({"min_covered": "two"}, "min_covered should be a whole number from 1 upwards; got 'two'."),
        ({"few_values": 2.5}, "few_values should be a whole number from 0 upwards; got 2.5."),
    ],
)
def test_options_are_checked(options: Any, message: str) -> None:
    with pytest.raises(HoldfastError, match=message):
        DecisionList(**options).fit([[0.0], [1.0]], [0, 1])
