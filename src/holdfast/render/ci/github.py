"""A decision for machines that build: annotations and a summary page of GitHub Actions, and JUnit XML."""

import hashlib
import os
from typing import Any
from xml.etree import ElementTree as Tree

from holdfast.files import append_to
from holdfast.render.ci.verdict import LONGEST_LINE, condition_line, foremost, more, notes_of, one_line, tally, verdict
from holdfast.render.phrases import BRIEF as HOLDS
from holdfast.render.phrases import UNKNOWN, confidence, estimate_and_limits, per
from holdfast.report import Decision
from holdfast.report.decision import WORST_FIRST

COMMANDS = {0: "notice", 1: "error", 3: "warning"}  # by exit code
MARKS = {0: "✅", 1: "❌", 3: "❔"}
MOST_OF_A_KIND = 10  # annotations of a step that GitHub shows
MOST_ROWS = 500  # conditions of a summary, which GitHub takes up to a mebibyte long
MARKUP = frozenset("\\`*_[]<>#!|&~:@$")


def annotations(decision: Decision) -> str:
    """A workflow command for each condition: an error where it is refuted, a warning where nothing decides."""
    lines = []
    for answer in WORST_FIRST:
        parts = [part for part in decision.leaves() if part.answer is answer]
        shown = parts if len(parts) <= MOST_OF_A_KIND else parts[: MOST_OF_A_KIND - 1]
        lines += [_command(part, condition_line(part), verdict(part)) for part in shown]
        if rest := len(parts) - len(shown):
            lines.append(_command(parts[0], f"{rest:,} more conditions", "The summary of the run lists them."))
    return "".join(lines)


def without_commands(text: str) -> str:
    """The text, between two lines that tell the runner to look for no commands in it: labels may look like some."""
    token = hashlib.sha256(text.encode(errors="backslashreplace")).hexdigest()  # which the text cannot hold
    return f"::stop-commands::{token}\n{text}\n::{token}::\n"


def summary(decision: Decision) -> str:
    """Markdown for the page of the run: the answer, a row for each condition, what the claims rest on."""
    parts = list(decision.leaves())
    shown = foremost(decision, MOST_ROWS)
    lines = [
        f"### Holdfast gate: {decision.answer}",
        "",
        "| | condition | estimate | limit | confidence | examples | method | holds at | answer |",
        "|---|---|--:|--:|--:|--:|---|---|---|",
        *(_row(part) for part in shown),
        "",
        f"{tally(decision)}." if parts[1:] else _text(verdict(decision)),
    ]
    if len(shown) < len(parts):
        lines.append(f"{len(parts) - len(shown):,} more conditions are not shown.")
    notes = notes_of(decision)
    assumed = dict.fromkeys(str(sentence) for part in parts if part.claim for sentence in part.claim.assumes)
    lines += ["", *(f"- {_text(one_line(note, LONGEST_LINE))}" for note in notes)] if notes else []
    lines += ["", "This assumes that", "", *(f"- {_text(sentence)}" for sentence in assumed)] if assumed else []
    return "\n".join(lines) + "\n"


def write_summary(decision: Decision) -> bool:
    """Append the summary to the file that GITHUB_STEP_SUMMARY names; False where no runner has named one."""
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if not path:
        return False
    append_to(path, (summary(decision) + "\n").encode(), "the summary")
    return True


def _row(decision: Decision) -> str:
    over = "" if decision.claim is None else per(decision.claim)
    cells = [MARKS[decision.exit_code], _text(f"{condition_line(decision)}{over}")]
    if decision.claim is None:
        cells += [UNKNOWN] * 6
    else:
        claim = decision.claim
        estimate, limits = estimate_and_limits(claim)
        cells += [estimate, f"{ {'upper': '≤ ', 'lower': '≥ ', 'both': ''}[claim.side] }{limits}"]
        cells += [confidence(float(claim.delta)), f"{claim.n:,}", _text(claim.method), HOLDS[claim.guarantee]]
    wanted = "" if decision.needed is None else f"; about {more(decision.needed)} would probably settle it"
    return f"| {' | '.join([*cells, f'{decision.answer}{wanted}'])} |"


def _text(words: str) -> str:
    """Words in which Markdown finds no markup: each sign that could be some, or start a list, becomes its number."""
    plain = [
        sign if sign not in MARKUP and (place or sign.isalpha()) else f"&#{ord(sign)};"
        for place, sign in enumerate(words)
    ]
    return "".join(plain)


def _command(decision: Decision, about: str, message: str) -> str:
    return f"::{COMMANDS[decision.exit_code]} title={_property(f'{decision.answer}: {about}')}::{_data(message)}\n"


def _data(words: str) -> str:
    """The message of a workflow command."""
    return words.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(words: str) -> str:
    """A value before the message, where colons and commas mean something too."""
    return _data(words).replace(":", "%3A").replace(",", "%2C")


SUITE = "holdfast gate"


def junit_xml(decision: Decision) -> str:
    """The decision as a document: whatever does not pass is a failure, of the type that its answer names."""
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


def _case(suite: Tree.Element, decision: Decision) -> None:
    case = Tree.SubElement(suite, "testcase", {"classname": "holdfast.gate", "name": condition_line(decision)})
    claim = {} if decision.claim is None else decision.claim.to_dict()
    stated = ("answer", "label", "group", "at_most", "at_least", "needed", "passes")
    properties: dict[str, Any] = {"claim": verdict(decision), **{name: getattr(decision, name) for name in stated}}
    properties |= {name: value for name, value in claim.items() if name != "assumes"}
    properties["assumes"] = "; ".join(claim.get("assumes", ())) or None
    _properties(case, properties)
    if not decision:
        failure = Tree.SubElement(case, "failure", {"type": str(decision.answer), "message": verdict(decision)})
        failure.text = "\n".join([verdict(decision), *(one_line(note, LONGEST_LINE) for note in decision.notes)])


def _properties(parent: Tree.Element, values: dict[str, Any]) -> None:
    """What is known, as name and value; XML has no way to write a control character, so they are spelled out."""
    listed = Tree.SubElement(parent, "properties")
    for name, value in values.items():
        if value is not None:
            Tree.SubElement(listed, "property", {"name": one_line(name), "value": one_line(value, LONGEST_LINE)})
