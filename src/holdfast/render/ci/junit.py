"""A decision as JUnit XML, which every CI server reads: a suite of one test case a condition."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from holdfast.render.ci.verdict import LONGEST_LINE, condition_line, one_line, verdict
from holdfast.report import Decision

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

SUITE = "holdfast gate"


def junit_xml(decision: Decision) -> str:
    """The decision as a document: whatever does not pass is a failure, of the type that its answer names."""
    from xml.etree import ElementTree as Tree

    parts = list(decision.leaves())
    failures = sum(not part for part in parts)
    counted = {"tests": str(len(parts)), "failures": str(failures), "errors": "0", "skipped": "0"}
    root = Tree.Element("testsuites", {"name": SUITE, **counted})
    suite = Tree.SubElement(root, "testsuite", {"name": SUITE, **counted})
    _properties(suite, {"answer": decision.answer, "rule": decision.rule, **_listed(decision), **decision.provenance})
    for part in parts:
        _case(suite, part)
    Tree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Tree.tostring(root, encoding="unicode") + "\n"


def _listed(decision: Decision) -> dict[str, str]:
    return {"hold_together": "; ".join(decision.hold_together)} if decision.hold_together else {}


def _case(suite: Element, decision: Decision) -> None:
    from xml.etree.ElementTree import SubElement

    case = SubElement(suite, "testcase", {"classname": "holdfast.gate", "name": condition_line(decision)})
    claim = {} if decision.claim is None else decision.claim.to_dict()
    told: dict[str, Any] = {"claim": verdict(decision), "answer": decision.answer}
    told |= {"label": decision.label, "group": decision.group}
    told |= {"at_most": decision.at_most, "at_least": decision.at_least, "needed": decision.needed}
    told |= {"passes": decision.passes}
    told |= {name: value for name, value in claim.items() if name != "assumes"}
    told["assumes"] = "; ".join(claim.get("assumes", ())) or None
    _properties(case, told)
    if not decision:
        failure = SubElement(case, "failure", {"type": str(decision.answer), "message": verdict(decision)})
        failure.text = "\n".join([verdict(decision), *(one_line(note, LONGEST_LINE) for note in decision.notes)])


def _properties(parent: Element, values: dict[str, Any]) -> None:
    """What is known, as name and value; XML has no way to write a control character, so they are spelled out."""
    from xml.etree.ElementTree import SubElement

    listed = SubElement(parent, "properties")
    for name, value in values.items():
        if value is not None:
            SubElement(listed, "property", {"name": one_line(name), "value": one_line(value, LONGEST_LINE)})
