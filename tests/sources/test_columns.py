"""Which column is which."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from holdfast.errors import HoldfastError
from holdfast.sources.columns import AnswerColumns, ColumnPlaces
from holdfast.sources.table import ANSWERS, CORRECT, PREDICTED, SCORE, TRUTH, Header, plain
from tests.snapshots import matches, messages


def found(names: str | Sequence[str], **asked: Any) -> ColumnPlaces:
    return AnswerColumns(**asked).find(Header(names.split(",") if isinstance(names, str) else names, "f.csv"))


def places(names: str | Sequence[str], **asked: Any) -> dict[str, int]:
    return found(names, **asked).places


@pytest.mark.parametrize("truth", TRUTH.words)
def test_the_names_people_use(truth: str) -> None:
    for predicted in PREDICTED.words:
        assert places([predicted, "id", truth]) == {"truth": 2, "predicted": 0}
        assert places([predicted.upper(), "id", f" {truth.title()} "]) == {"truth": 2, "predicted": 0}


@pytest.mark.parametrize("score", SCORE.words)
def test_the_names_of_scores(score: str) -> None:
    assert places(["truth", score, "predicted"]) == {"truth": 0, "predicted": 2, "score": 1}


@pytest.mark.parametrize("correct", CORRECT.words)
def test_right_or_wrong_alone(correct: str) -> None:
    assert places(["id", correct.upper()]) == {"correct": 1}
    assert places(["truth", correct]) == {"correct": 1}  # half of a pair is none
    assert places(["truth", "predicted", correct]) == {"truth": 0, "predicted": 1}
    assert places(["truth", "predicted", correct], correct=correct) == {"correct": 2}


def test_no_name_is_used_for_two_things() -> None:
    every = [name for role in ANSWERS for name in role.words]
    assert len(set(every)) == len(every)
    assert [plain(name) for name in every] == every


def test_names_that_are_given() -> None:
    assert places("a,b,c", truth="b", predicted="a") == {"truth": 1, "predicted": 0}
    assert places("a,predicted", truth="a") == {"truth": 0, "predicted": 1}
    assert places("truth,label,y,predicted", truth="y") == {"truth": 2, "predicted": 3}
    assert places("truth,predicted,score,q", score="q") == {"truth": 0, "predicted": 1, "score": 3}


def test_the_name_we_teach_wins() -> None:
    assert places("label,truth,y,pred,predicted,p,score") == {"truth": 1, "predicted": 4, "score": 6}


def test_a_score_for_each_label() -> None:
    several = found("truth,predicted,score_ham,Score_spam")
    assert several.places == {"truth": 0, "predicted": 1, "score_0": 2, "score_1": 3}
    assert several.score_labels == ("ham", "spam")
    assert found("truth,predicted,prob_1,prob_10").score_labels == ("1", "10")
    assert found("truth,predicted,score_date").places == {"truth": 0, "predicted": 1}
    assert found("truth,predicted,score,score_a,score_b").score_labels == ()
    assert found("truth,predicted,a,b", score=["b", "a"]) == ColumnPlaces(
        {"truth": 0, "predicted": 1, "score_0": 3, "score_1": 2}, ("b", "a")
    )
    assert found("truth,predicted,p1,p2", score={"ham": "p1", 2: "p2"}).score_labels == ("ham", "2")
    assert found("truth,predicted,score_x,score_y", score=["score_y", "score_x"]).score_labels == ("y", "x")
    assert found("truth,predicted,p", score=["p"]).places["score"] == 2
    assert found("truth,predicted,score", score=[]).places == {"truth": 0, "predicted": 1}


def test_scores_that_nobody_asked_for_break_nothing() -> None:
    for header in ("truth,predicted,p,prob", "truth,predicted,score_a,prob_a"):
        answers = found(header)
        assert answers.places == {"truth": 0, "predicted": 1}
        (note,) = answers.notes
        assert "were left out" in note
    assert found("truth,predicted,score", by=("score",)).places == {"truth": 0, "predicted": 1, "by_0": 2}
    assert found("truth,predicted,score", margin="score").places == {"truth": 0, "predicted": 1, "margin": 2}
    assert found("truth,score_a,score_b,score_c", predicted="score_a").score_labels == ("b", "c")
    assert found("truth,predicted,score", score=False).places == {"truth": 0, "predicted": 1}


def test_truth_and_score_will_do() -> None:
    assert found("y,p", unpredicted=True).places == {"truth": 0, "score": 1}
    assert not found("y,p", unpredicted=True).guessed
    assert found("y,pred,p", unpredicted=True).guessed
    with pytest.raises(HoldfastError, match="no column that looks like the prediction"):
        found("y,x", unpredicted=True)
    with pytest.raises(HoldfastError, match="no column that looks like the prediction"):
        found("y,p", unpredicted=True, score=False)


def test_columns_without_a_name_do_no_harm() -> None:
    assert places(["", "truth", "", "predicted", " "]) == {"truth": 1, "predicted": 3}


WIDE = [f"feature_{i}" for i in range(10**4)]
REFUSED: dict[str, tuple[Sequence[str], dict[str, Any]]] = {
    "no truth": (["a", "predicted"], {}),
    "no prediction": (["truth", "a"], {}),
    "neither": (["a", "b"], {}),
    "no columns": ([], {}),
    "a prediction only, asked for": (["truth", "correct"], {"truth": "truth"}),
    "two truths": (["y", "label", "pred"], {}),
    "two predictions": (["truth", "pred", "answer"], {}),
    "two scores": (["truth", "p", "prob"], {"unpredicted": True}),
    "two spellings of truth": (["truth", "Truth", "pred"], {}),
    "truth twice": (["truth", "truth", "pred"], {}),
    "another twice": (["truth", "pred", "x", "x", "x"], {}),
    "a near miss": (["truth", "pred"], {"truth": "turth"}),
    "another case": (["truth", "Pred"], {"predicted": "pred"}),
    "no near miss": (["truth", "pred"], {"score": "certainty"}),
    "an unknown among several": (["truth", "pred", "a"], {"score": ["a", "zz"]}),
    "one column for two": (["truth", "pred"], {"predicted": "truth"}),
    "the truth as score": (["truth", "pred"], {"score": "truth"}),
    "correct and truth": (["truth", "pred", "ok"], {"correct": "ok", "truth": "truth"}),
    "correct and score": (["ok", "p"], {"correct": "ok", "score": "p"}),
    "a label twice": (["truth", "pred", "score_a", "prob_a"], {"score": ["score_a", "prob_a"]}),
    "a wide header": (WIDE, {}),
    "a wide header, a near miss": (WIDE, {"truth": "feature_12x"}),
    "a wide header, no near miss": (WIDE, {"truth": "zzz"}),
    "a name of a million letters": (["x" * 10**6, "predicted"], {}),
    "asking for it": (["truth", "pred"], {"truth": "x" * 10**6}),
    "names with line breaks": (["tr\nuth", "pr\x1b[31med"], {}),
}


def test_refusals_of_columns() -> None:
    told = messages({name: lambda asked=asked: found(asked[0], **asked[1]) for name, asked in REFUSED.items()})
    matches("errors_of_columns", told)
    assert "\x1b" not in told
    for line in told.splitlines():
        assert len(line) <= 600


def test_a_refusal_says_what_settles_it() -> None:
    with pytest.raises(HoldfastError, match="Say which one is with predicted="):
        found("truth,pred,answer")


@pytest.mark.parametrize(
    ("correct", "column", "right"),
    [
        ("grade", 0, ()),
        ("grade=C", 0, ("C",)),
        ("grade=C, P", 0, ("C", "P")),
        ("grade=x=y", 0, ("x=y",)),
        ("is=ok", 1, ()),
        ("is=ok=yes", 1, ("yes",)),
        ({"grade": ["A,B", 1.0]}, 0, ("A,B", "1")),
        ({"is=ok": True}, 1, ("True",)),
    ],
)
def test_values_that_count_as_right(correct: Any, column: int, right: tuple[str, ...]) -> None:
    found = AnswerColumns(correct=correct).find(Header(["grade", "is=ok"], "the table"))
    assert (found.places, found.grading.right) == ({"correct": column}, right)
    assert found.grading.column == ["grade", "is=ok"][column]


@pytest.mark.parametrize(
    ("correct", "told"),
    [
        ("grad=C", "did you mean 'grade'"),
        ("grade=", "names no value of 'grade'"),
        ("grade=C,", "names no value of 'grade'"),
        ({"grade": []}, "names no value of 'grade'"),
        ({"grad": "C"}, "did you mean 'grade'"),
        ({}, "one column"),
        ({"grade": "C", "is=ok": "C"}, "got 2 columns"),
    ],
)
def test_values_that_do_not(correct: Any, told: str) -> None:
    with pytest.raises(HoldfastError, match=told):
        AnswerColumns(correct=correct).find(Header(["grade", "is=ok"], "the table"))


def test_scores_may_be_named_by_an_array_of_names() -> None:
    header = Header(["truth", "predicted", "score"], "the table")
    for named in ([], np.array([], object)):
        places = AnswerColumns(score=named).find(header).places  # type: ignore[arg-type]
        assert {*places} == {"truth", "predicted"}
