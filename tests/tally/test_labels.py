from __future__ import annotations

from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from holdfast.errors import HoldfastError, InvalidEvidence, UnknownName
from holdfast.evidence import NO_ANSWER
from holdfast.predictions.coded import kind, spelled
from holdfast.tally.labels import check_alike, ordered, positive_label, spellings, truth_as_one


@pytest.mark.parametrize(
    ("value", "label"),
    [
        (1, "1"),
        (1.0, "1"),
        (-0.0, "0"),
        (0.5, "0.5"),
        (-2.5e-3, "-0.0025"),
        (10**18 + 1, "1000000000000000001"),
        (Decimal("1.0"), "1"),
        (Decimal("0.5"), "0.5"),
        (True, "True"),
        (np.True_, "True"),
        (np.int8(3), "3"),
        (np.float32(3), "3"),
        (" Spam", " Spam"),
        ("1.0", "1.0"),
        (b"ham", "ham"),
    ],
)
def test_a_label_has_one_spelling(value: Any, label: str) -> None:
    assert spelled(value) == label


def test_kinds_of_labels() -> None:
    assert kind(np.True_) == kind(False) == "true/false values"
    assert kind(np.int64(1)) == kind(1.5) == kind(Decimal(1)) == kind(np.float32(1)) == "numbers"
    assert kind("1") == kind(np.str_("1")) == "text"


@pytest.mark.parametrize(
    ("truth", "predicted", "told"),
    [
        ([2, 1], ["2", "1"], "truth holds numbers such as 1, predicted holds text such as '1'"),
        ([True], [1], "truth holds true/false values such as True, predicted holds numbers such as 1"),
        (["True"], [True], "text such as 'True'"),
        (["spam", "ham"], ["Spam ", "ham"], "'spam' stands only in truth and 'Spam ' only in predicted"),
        (["1", "2"], ["1.0", "2.0"], "'1' stands only in truth"),
        (["1", "0"], ["True", "False"], "only in predicted"),
        (["0", "2"], ["False", "2"], "only in predicted"),
        (["new york"], ["NewYork"], "two ways"),
        (["007"], ["7"], "two ways"),
    ],
)
def test_labels_that_could_never_agree_are_refused(truth: list[Any], predicted: list[Any], told: str) -> None:
    with pytest.raises(InvalidEvidence) as refusal:
        check_alike(spellings("truth", truth), spellings("predicted", predicted))
    assert told in str(refusal.value)
    assert "\n" not in str(refusal.value)
    assert len(str(refusal.value)) < 600


@pytest.mark.parametrize(
    ("truth", "predicted"),
    [
        (["spam", "Spam"], ["Spam"]),  # both are known to the truth
        (["spam"], ["spam", "Spam"]),
        ([1], [1.0, 2.0]),
        (["a"], ["b"]),
        ([], ["b"]),
        (["nan"], ["inf"]),
    ],
)
def test_labels_that_merely_differ_are_fine(truth: list[Any], predicted: list[Any]) -> None:
    check_alike(spellings("truth", truth), spellings("predicted", predicted))


def test_a_label_must_be_finite() -> None:
    with pytest.raises(InvalidEvidence, match="predicted holds inf"):
        spellings("predicted", [1.0, float("inf")])


def test_the_order_of_labels() -> None:
    assert ordered({"10", "9", "-1", "2.5"}, None) == ["-1", "2.5", "9", "10"]
    assert ordered({"10", "9", "b"}, None) == ["10", "9", "b"]
    assert ordered({"nan", "1"}, None) == ["1", "nan"]
    assert ordered({"b", "a", NO_ANSWER}, None) == ["a", "b", NO_ANSWER]
    assert ordered({"1", NO_ANSWER}, [2, 1.0]) == ["2", "1", NO_ANSWER]


def test_a_label_that_is_not_listed_is_named() -> None:
    with pytest.raises(InvalidEvidence, match=r"label 'b' \(and 1 more\), which labels= does not list"):
        ordered({"a", "b", "c"}, ["a"])
    with pytest.raises(InvalidEvidence, match="different"):
        ordered({"1"}, [1, 1.0])


@pytest.mark.parametrize(
    ("labels", "positive"),
    [
        (["0", "1"], "1"),
        (["-1", "1"], "1"),
        (["False", "True"], "True"),
        (["NO", "Yes"], "Yes"),
        (["neg", "pos"], "pos"),
        (["negative", "positive", NO_ANSWER], "positive"),
        (["1"], "1"),
        (["0"], "1"),
        (["False"], "True"),
        (["NEG"], "POS"),
        (["no"], "yes"),
        (["ham", "spam"], None),
        (["0", "1", "2"], None),
        (["no", "true"], None),
        ([NO_ANSWER], None),
    ],
)
def test_the_obvious_positive_label(labels: list[str], positive: str | None) -> None:
    assert positive_label(labels, None) == positive


def test_the_positive_label_as_given() -> None:
    assert positive_label(["0", "1"], 0) == "0"
    assert positive_label(["0", "1"], np.float64(0)) == "0"
    assert positive_label(["ham"], "spam") == "spam"
    with pytest.raises(UnknownName, match="did you mean 'spam'"):
        positive_label(["ham", "spam"], "spma")
    with pytest.raises(HoldfastError):
        positive_label(["ham", "spam", NO_ANSWER], NO_ANSWER)


def test_true_and_false_beside_1_and_0_are_these() -> None:
    truth, predicted = truth_as_one({0: "0", 1: "1"}, {False: "False", True: "True"})
    assert predicted == {False: "0", True: "1"}
    check_alike(truth, predicted)
    kept = truth_as_one({0: "0", 2: "2"}, {False: "False", True: "True"})
    assert kept[1] == {False: "False", True: "True"}
    assert truth_as_one({True: "True"}, {False: "False"}) == [{True: "True"}, {False: "False"}]
    with pytest.raises(InvalidEvidence, match="predicted holds true/false values"):
        check_alike(*kept)
    with pytest.raises(InvalidEvidence, match="predicted holds text"):
        check_alike({1: "1"}, {"1": "1"})
