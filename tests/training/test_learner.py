"""A learner in words: what was given, what is not usual of it, and nothing that a page or a terminal would obey."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC
from sklearn.tree import DecisionTreeClassifier

import holdfast as hf
from holdfast.render.charts import charts_of
from holdfast.render.page import page_html
from holdfast.training.given import LONGEST_NAME, Learner

X = np.random.default_rng(0).normal(size=(40, 2))
Y = np.arange(40) % 2


class Odd:
    """It only acts like an estimator, and does not write itself."""

    def __init__(self, work: Any = None) -> None:
        self.work = work

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        return {"work": self.work}

    def __repr__(self) -> str:
        raise RuntimeError("no words")


@pytest.mark.parametrize(
    ("estimator", "called", "grid", "expected"),
    [
        (GaussianNB(), None, None, "GaussianNB"),
        (SVC(C=10, kernel="linear"), None, None, "SVC(C=10, kernel='linear')"),
        (SVC(C=np.float64(2), tol=float("inf")), None, None, "SVC(C=2.0, tol=inf)"),
        (SVC(), "sklearn.svm:SVC", {"C": [0.1, 1]}, "SVC (C chosen from 0.1, 1)"),
        (SVC(), None, {"C": [1], "kernel": ["rbf"]}, "SVC (C chosen from 1; kernel chosen from 'rbf')"),
        (SVC(), "model.py:make", None, "model.py:make"),
        (SVC(C=2), "my machine", None, "my machine"),
        (make_pipeline(SVC(C=2)), None, None, "Pipeline(steps=[('svc', SVC(C=2))])"),
        (Odd(), None, None, "Odd"),
        (Odd(Odd()), None, None, "Odd(work=<Odd>)"),
    ],
)
def test_in_a_sentence(estimator: Any, called: str | None, grid: Any, expected: str) -> None:
    assert str(Learner.of(estimator, called, grid)) == expected


def test_what_is_varied_or_chosen_has_no_value_of_its_own() -> None:
    assert str(Learner.of(SVC(C=10, tol=1.0), grid={"C": [1, 2]})) == "SVC(tol=1.0) (C chosen from 1, 2)"
    report = hf.decompose(DecisionTreeClassifier(max_depth=9), X, Y, parameter="max_depth", values=[1, 2], rounds=2)
    assert report.details["learner"] == "DecisionTreeClassifier"


def test_where_something_lies_in_memory_says_nothing() -> None:
    assert "0x" not in str(Learner.of(Odd(lambda: 0)))


def test_in_json() -> None:
    found = Learner.of(SVC(C=np.float64(2), class_weight={0: 1}, tol=float("inf")), grid={"degree": np.array([2, 3])})
    told = {
        "name": "sklearn.svm._classes:SVC",
        "parameters": {"C": 2.0, "class_weight": "{0: 1}", "tol": "inf"},
        "grid": {"degree": [2, 3]},
    }
    assert json.loads(json.dumps(found.to_dict(), allow_nan=False)) == told
    assert Learner.of(SVC(), "model.py:make").to_dict() == {"name": "model.py:make", "parameters": {}, "grid": None}


def test_it_stays_on_one_line_and_is_not_too_long() -> None:
    told = str(Learner.of(SVC(kernel="\x1b[31m\n" + "x" * 1_000)))
    assert told.isprintable()
    assert len(told) == LONGEST_NAME


@pytest.mark.crossing(1)
@pytest.mark.parametrize("verb", [hf.cross_assess, hf.decompose, hf.learning_curve])
def test_every_verb_that_trains_names_its_learner(verb: Any) -> None:
    result = verb(DecisionTreeClassifier(max_depth=1, class_weight={0: 1, 1: 2.0}), X, Y, engine="serial")
    report = getattr(result, "report", result)
    whole = "DecisionTreeClassifier(class_weight={0: 1, 1: 2.0}, max_depth=1)"
    assert report.details["learner"] == whole
    assert report.details["estimator"]["parameters"] == {"class_weight": "{0: 1, 1: 2.0}", "max_depth": 1}
    first = " ".join(str(report).split("\n\n")[0].split())
    assert whole in first
    assert whole.replace("'", "&#39;") in page_html(report)
    for chart in charts_of(report).values():
        title = chart.to_dict(validate=False)["title"]
        assert "DecisionTree" in " ".join([title["text"], *title["subtitle"]]), title


def test_a_hostile_name_stays_text() -> None:
    report = hf.cross_assess(GaussianNB(), X, Y, name="<script>alert(1)</script>. Not", engine="serial").report
    page = page_html(report)
    assert "<script>alert(1)" not in page
    assert "10 models of &lt;script&gt;alert(1)&lt;/script&gt;. Not were trained" in page
