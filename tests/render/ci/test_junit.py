"""JUnit XML that parses whatever the labels are, and fails where something is not proven."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdfast.render.ci.github import junit_xml
from holdfast.render.ci.verdict import verdict
from holdfast.report import Answer, Decision
from tests.decisions import HOSTILE, decided, together
from tests.snapshots import matches


def parsed(decision: Decision) -> ElementTree.Element:
    root = ElementTree.fromstring(junit_xml(decision).encode())
    assert root.tag == "testsuites"
    (suite,) = root
    assert suite.get("name") == "holdfast gate"
    return suite


def properties(element: ElementTree.Element) -> dict[str, str]:
    return {entry.get("name", ""): entry.get("value", "") for entry in element.findall("properties/property")}


def test_the_document() -> None:
    answers = [answer for answer in Answer if answer is not Answer.NOT_PROVEN]  # a ledger says that, and no more
    parts = [decided(answer, "fraud" if answer is Answer.OPEN else None) for answer in answers]
    matches("gate_junit", junit_xml(together(*parts, provenance={"version": "0.1.0", "rows": 100})))


@pytest.mark.parametrize("answer", Answer)
def test_one_condition_is_one_test_case(answer: Answer) -> None:
    decision = decided(answer, notes=("A note.",))
    suite = parsed(decision)
    (case,) = suite.findall("testcase")
    assert case.get("name") == "error-rate at most 0.05"
    assert properties(case)["claim"] == verdict(decision)
    assert properties(case)["answer"] == str(answer)
    assert float(properties(case)["upper"]) == decision.claim.upper  # type: ignore[union-attr]
    failures = case.findall("failure")
    assert len(failures) == (answer is not Answer.PROVEN)
    assert not case.findall("error")
    for failure in failures:
        assert failure.get("type") == str(answer)
        assert failure.get("message") == verdict(decision)
        assert (failure.text or "").splitlines() == [verdict(decision), "A note."]


@pytest.mark.parametrize(("answer", "failures"), [(Answer.SUPPORTED, 0), (Answer.CONTRADICTED, 1)])
def test_what_holds_for_large_n_passes_where_that_was_accepted(answer: Answer, failures: int) -> None:
    (case,) = parsed(decided(answer, accept="large-n")).findall("testcase")
    assert len(case.findall("failure")) == failures
    assert properties(case)["answer"] == str(answer)
    assert "which was accepted" in properties(case)["claim"]


def test_counts_agree_with_the_cases() -> None:
    parts = [decided(answer, label) for answer in Answer for label in ("a", "b")]
    suite = parsed(together(*parts, provenance={"rows": 100, "fingerprint": "abc", "seed": None}))
    assert len(suite.findall("testcase")) == int(suite.get("tests", "")) == 12
    assert len(suite.findall("testcase/failure")) == int(suite.get("failures", "")) == 10
    assert (suite.get("errors"), suite.get("skipped")) == ("0", "0")
    whole = {"answer": "refuted", "rule": "intersection-union", "rows": "100", "fingerprint": "abc"}
    assert properties(suite) == whole


@pytest.mark.parametrize("label", HOSTILE, ids=range(len(HOSTILE)))
def test_any_label_makes_a_document_that_parses(label: str) -> None:
    notes, provenance = (label,), {label: label}
    decision = decided(Answer.REFUTED, label, group=label, notes=notes, provenance=provenance)
    (case,) = parsed(decision).findall("testcase")
    assert [child.tag for child in case] == ["properties", "failure"]
    if label.isprintable() and len(label) <= 60:
        assert properties(case)["label"] == label
    else:
        assert properties(case)["label"].isprintable()


@given(st.text(st.characters(), max_size=80), st.sampled_from(Answer))
def test_any_text_makes_a_document_that_parses(text: str, answer: Answer) -> None:
    (case,) = parsed(decided(answer, text, group=text, notes=(text,), provenance={text: text})).findall("testcase")
    assert properties(case)["answer"] == str(answer)
