"""A report answers by name, tells what it lacks, and is the same thing as text, JSON and frame."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import jsonschema
import numpy as np
import pytest
from scipy.stats import binom

import holdfast as hf
from holdfast.errors import HoldfastError
from holdfast.report import Answer
from holdfast.report.decision import intersection_union
from tests.shapes import validate
from tests.snapshots import matches, messages
from tests.tries import tries

SHAPE = json.loads((Path(hf.__file__).parent / "schemas" / "report-1.json").read_text(encoding="utf-8"))
TRUTH = ["setosa"] * 10 + ["versicolor"] * 10 + ["virginica"] * 10
PREDICTED = ["setosa"] * 10 + ["versicolor"] * 7 + ["virginica"] * 3 + ["versicolor"] * 5 + ["virginica"] * 5


@pytest.fixture(scope="module")
def iris() -> hf.Report:
    return hf.assess(TRUTH, PREDICTED)


@pytest.fixture(scope="module")
def spam() -> hf.Report:
    truth = ["spam", "ham"] * 20
    predicted = ["spam", "ham"] * 15 + ["ham", "spam"] * 5
    scores = [0.9 - 0.01 * i if p == "spam" else 0.1 + 0.01 * i for i, p in enumerate(predicted)]
    return hf.assess(truth, predicted, scores, positive="spam")


def test_a_claim_is_found_by_name_and_class(iris: hf.Report) -> None:
    assert iris["error-rate"].estimate == 8 / 30
    assert iris["recall", "virginica"].estimate == 0.5
    assert iris["Recall", "virginica"] is iris["sensitivity", "virginica"]
    assert iris["coverage", "virginica"] is iris["recall", "virginica"]


def test_the_guaranteed_claim_comes_first_and_all_are_in_the_lines(spam: hf.Report) -> None:
    answers = [line.claim for line in spam.lines if line.measure == "auc"]
    assert {claim.guarantee for claim in answers} == {hf.Guarantee.FINITE, hf.Guarantee.ASYMPTOTIC}
    assert spam["auc"].guarantee is hf.Guarantee.FINITE
    assert spam["auc"] is spam["auc", "spam"]


def test_the_guaranteed_claim_is_the_answer_in_whatever_order_methods_were_asked_for() -> None:
    truth, scores = [0, 0, 0, 1, 1, 1], [0.1, 0.6, 0.2, 0.4, 0.9, 0.8]
    report = hf.assess(truth, truth, scores, method=["delong", "auc-bentkus"])
    assert [line.claim.method for line in report.lines if line.measure == "auc"] == ["delong", "auc-bentkus"]
    assert report["auc"].method == "auc-bentkus"


def test_the_whole_answers_where_no_group_is_named() -> None:
    part, whole = hf.bound(hf.Counts(1, 9)), hf.bound(hf.Counts(3, 20))
    report = hf.Report.of([hf.Line(part, group="country: fr"), hf.Line(whole)])
    assert report["error-rate"] is whole


def test_the_positive_class_answers_where_no_class_is_named(spam: hf.Report) -> None:
    assert spam["recall"] is spam["recall", "spam"]
    assert spam["recall", "ham"].estimate == spam["specificity"].estimate


def test_labels_are_looked_up_as_strings() -> None:
    report = hf.assess([1, 0, 1, 0], [1, 0, 0, 0])
    assert report["recall", 1] is report["recall", "1"]
    assert report["recall"] is report["recall", 1]


def test_a_report_is_gone_through_line_by_line(iris: hf.Report) -> None:
    assert all(line is same for line, same in zip(iris, iris.lines, strict=True))
    assert [line.claim for line in iris if line.measure == "error-rate"] == [iris["error-rate"]]
    grouped = hf.assess(correct=[True, False] * 20, groups={"country": ["DE", "FR"] * 20})
    assert [line.group for line in grouped] == [line.group for line in grouped.lines]
    assert any(line.group == "country=DE" for line in grouped)
    assert bool(hf.Report.of([]))


def test_what_a_report_has_is_what_it_answers(iris: hf.Report) -> None:
    assert "error-rate" in iris
    assert "recall" in iris  # of some class
    assert ("recall", "virginica") in iris
    assert iris.lines[0] in iris
    for asked in ("nonsense", ("recall", "rose"), "auc-of", 7, None, (), object()):
        assert asked not in iris
    assert hf.Report.of([]).whole == ()


def test_every_line_says_what_it_is_about(iris: hf.Report) -> None:
    for line in iris.lines:
        assert line.measure == line.claim.measure
        assert (line.model, line.group) == (None, None)
    assert {line.label for line in iris.lines} == {None, "setosa", "versicolor", "virginica"}


def test_refusals(iris: hf.Report, spam: hf.Report) -> None:
    asked = {
        "no class named": lambda: iris["recall"],
        "no such class": lambda: iris["recall", "virginca"],
        "no such measure": lambda: iris["recal", "virginica"],
        "no scores": lambda: iris["auc"],
        "a class where there is none": lambda: iris["error-rate", "setosa"],
    }
    matches("errors_report", messages(asked))


def test_json_has_the_shape_that_ships_with_the_package(iris: hf.Report, spam: hf.Report) -> None:
    assert SHAPE["$id"] == hf.Report.schema
    jsonschema.Draft202012Validator.check_schema(SHAPE)
    for report in (iris, spam, hf.assess(correct=[1, 0, 1])):
        told = json.loads(report.to_json())
        assert told == report.to_dict()
        validate(told, SHAPE)


def test_a_claim_without_its_label_breaks_the_shape(iris: hf.Report) -> None:
    told = iris.to_dict()
    del told["claims"][0]["label"]
    with pytest.raises(jsonschema.ValidationError):
        validate(told, SHAPE)


def test_the_frame_has_a_row_a_line(spam: hf.Report) -> None:
    frame = spam.to_frame()
    assert frame.height == len(spam.lines)
    row = frame.row(0, named=True)
    assert (row["measure"], row["estimate"], row["n"]) == ("error-rate", 0.25, 40)
    assert (row["lower"], row["upper"]) == (spam["error-rate"].lower, spam["error-rate"].upper)


def test_a_report_shows_itself(iris: hf.Report, spam: hf.Report) -> None:
    matches("report_iris", str(iris))
    matches("report_spam", str(spam))
    assert max(map(len, str(spam).splitlines())) <= 80
    page = spam._repr_html_()
    assert "<table>" in page
    assert page.count("<tr>") == len(spam.lines) + 1


def test_markup_in_a_label_stays_text() -> None:
    hostile = "<script>alert(1)</script>"
    report = hf.assess([hostile, "b", "b"], [hostile, "b", hostile])
    assert "<script>" not in report._repr_html_()
    assert "[bold]" in str(hf.assess(["[bold]", "b"], ["[bold]", "b"]))
    assert "\x1b" not in str(hf.assess(["\x1b[31m", "b"], ["\x1b[31m", "b"]))


def test_provenance(iris: hf.Report) -> None:
    known = iris.provenance
    assert known["rows"] == 30
    assert known["version"] == hf.__version__
    assert len(known["fingerprint"]) == 64
    assert int(known["fingerprint"], 16)
    again = hf.assess(TRUTH[::-1], PREDICTED[::-1])
    assert again.provenance["fingerprint"] == known["fingerprint"]
    other = hf.assess(TRUTH, [*PREDICTED[:-1], "setosa"])
    assert other.provenance["fingerprint"] != known["fingerprint"]


def test_only_what_was_asked_for() -> None:
    report = hf.assess(TRUTH, PREDICTED, only=["kappa", "f1"])
    assert {line.measure for line in report.lines} == {"kappa", "f1"}
    with pytest.raises(HoldfastError, match="did you mean 'kappa'"):
        hf.assess(TRUTH, PREDICTED, only="kapa")


@tries("intersection-union", how="enumerated")
@pytest.mark.parametrize("n", [5, 40])
def test_a_whole_with_a_false_part_is_called_proven_no_more_often_than_delta(n: int) -> None:
    """Of two requirements on error rates one just fails; whatever the other rate, over all pairs of counts."""
    delta, wanted = 0.3, 0.25
    limits = hf.bound(hf.Counts(np.arange(n + 1), n), delta=delta, side="upper").upper
    answers = [Answer.PROVEN if limit < wanted else Answer.OPEN for limit in limits.tolist()]
    proven = np.array([[intersection_union(pair) is Answer.PROVEN for pair in product([a], answers)] for a in answers])
    failing = binom.pmf(np.arange(n + 1), n, wanted)
    for rate in (0.0, 0.01, 0.1, 0.25):
        assert failing @ proven @ binom.pmf(np.arange(n + 1), n, rate) <= delta
    assert failing @ proven @ binom.pmf(np.arange(n + 1), n, 0.0) > 0.1  # and it is proven now and then
