"""Every report has a kind, typed facts of that kind, and the same facts as a mapping for whoever reads one."""

from __future__ import annotations

import ast
from dataclasses import fields
from pathlib import Path
from types import MappingProxyType

import pytest

import holdfast as hf
from holdfast.report import Kind
from holdfast.report.facts.kind import Facts
from holdfast.report.reading import facts_from
from tests.results import REPORTS, result_of

BESIDE = ("schema", "provenance", "claims")


def test_every_kind_has_facts_of_its_own() -> None:
    assert sorted(each.kind for each in Facts.kinds) == sorted(Kind)
    for each in Facts.kinds:
        assert {*each.marks} <= {field.name for field in fields(each)}  # type: ignore[arg-type]


@pytest.mark.parametrize("name", REPORTS)
def test_facts_are_the_json_beside_the_claims(name: str) -> None:
    report: hf.Report = result_of(name)
    plain = {key: value for key, value in report.to_dict().items() if key not in BESIDE}
    assert report.facts.to_dict() == plain
    assert report.kind is report.facts.kind
    made = facts_from(plain)
    assert type(made) is type(report.facts)
    assert made.to_dict() == plain


@pytest.mark.parametrize("name", REPORTS)
def test_details_are_the_same_for_whoever_reads_a_mapping(name: str) -> None:
    report: hf.Report = result_of(name)
    assert isinstance(report.details, MappingProxyType)
    assert [*report.details] == [*report.facts.to_dict()]
    for key, value in report.details.items():
        plain = value.to_dict() if key in ("verdict", "decision") else value
        assert plain == report.facts.to_dict()[key]
    if "verdict" in report.details:
        assert report.details["verdict"] is report.verdict
    with pytest.raises(TypeError):
        report.details["notes"] = []  # type: ignore[index]


def test_no_code_of_ours_asks_the_mapping_what_a_report_is() -> None:
    """It is for readers outside: in here the kind decides, and typed facts are read."""
    for path in sorted(Path(hf.__file__).parent.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        reads = [node.lineno for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr == "details"]
        assert len(reads) == (path.parts[-2:] == ("report", "__init__.py")), f"{path}, lines {reads}"


def test_what_a_kind_does_not_know_it_does_not_say() -> None:
    facts = hf.Report.of([]).facts
    assert (facts.notes, facts.next, facts.models, facts.positive) == ((), (), (), None)
    assert (facts.simultaneous, facts.verdict, facts.decision) == (None, None, None)
    assert facts.details() == {}
    assert issubclass(type(facts), Facts)
