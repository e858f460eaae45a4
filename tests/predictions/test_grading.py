"""Right or wrong, in the words that people use or in values that they name."""

from __future__ import annotations

from typing import Any

import pytest

from holdfast.errors import InvalidEvidence, UnknownName
from holdfast.predictions.grading import PAIRS, Grading, named_right, outcome
from tests.snapshots import matches, messages

COLUMN = Grading("the column 'grade'", column="grade")


@pytest.mark.parametrize(("right", "wrong"), [*PAIRS, (1, 0), (1.0, 0.0), ("1.0", "0.0"), (True, False), (" C ", "i")])
def test_words_for_right_and_wrong(right: Any, wrong: Any) -> None:
    assert (outcome(right), outcome(wrong)) == (True, False)
    assert COLUMN.outcomes([right, None, wrong]) == [True, None, False]


@pytest.mark.parametrize("value", [0.5, 2, -1, "P", "N", "maybe", "", "nan"])
def test_what_says_neither(value: Any) -> None:
    assert outcome(value) is None


@pytest.mark.parametrize(
    ("values", "held", "outcomes"),
    [
        ("C", ["C", "I", "P", None], [True, False, False, None]),
        (["C", "P"], ["C", "I", "P"], [True, False, True]),
        ([1], ["1.0", "0.5"], [True, False]),
        ("0.50", [1.0, 0.5], [False, True]),
        (True, [True, False], [True, False]),
        ("True", [True, False], [True, False]),
        ("C", ["I", "I"], [False, False]),  # nobody was right, which is no mistake
        (["C"], [None], [None]),
    ],
)
def test_values_that_are_named_as_right(values: Any, held: list[Any], outcomes: list[bool | None]) -> None:
    assert named_right("grade", values).outcomes(held) == outcomes


def test_a_named_value_may_stand_in_another_table() -> None:
    named = named_right("grade", ["C", "P"])
    assert named.outcomes(["C", "I"], beside=["P"]) == [True, False]
    with pytest.raises(UnknownName):
        named.outcomes(["C", "I"])


def test_refusals() -> None:
    told = messages(
        {
            "a value": lambda: COLUMN.outcomes(["C", "I", "N"]),
            "several values": lambda: COLUMN.outcomes(["good", "bad", "ugly"]),
            "partial credit": lambda: COLUMN.outcomes([1.0, 0.5, 0.0]),
            "partial credit as text": lambda: COLUMN.outcomes(["1.0", "0.5", "0.25", "0.0"]),
            "another number in an array": lambda: Grading().outcomes([1, 2]),
            "a word in an array": lambda: Grading().outcomes(["yes", "<b>maybe\n"]),
            "a near miss": lambda: named_right("grade", ["corect"]).outcomes(["correct", "partial"]),
            "another case": lambda: named_right("grade", ["c"]).outcomes(["C", "I"]),
            "no such value": lambda: named_right("grade", ["A"]).outcomes(["C", "I"]),
            "no value": lambda: named_right("grade", [""]),
            "no values": lambda: named_right("grade", []),
        }
    )
    matches("errors_of_grading", told)


def test_what_is_unclear_is_told_whatever_the_order() -> None:
    refusals = []
    for held in (["x", "y", "1"], ["1", "y", "x"]):
        with pytest.raises(InvalidEvidence) as refusal:
            COLUMN.outcomes(held)
        refusals.append(str(refusal.value))
    assert refusals[0] == refusals[1]
