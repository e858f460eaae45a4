"""What a command wrote as JSON, as the object that it was: the schema says which, and everything in it is checked."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from holdfast.errors import HoldfastError
from holdfast.plain import Unreadable, read_keys
from holdfast.report.decision import Decision, Threshold
from holdfast.report.facts.assessment import AssessmentFacts, CrossFacts
from holdfast.report.facts.comparison import ComparisonFacts
from holdfast.report.facts.kind import Facts
from holdfast.report.facts.listing import BoundFacts, BoundsFacts, PlanFacts
from holdfast.report.lines import Block, Line
from holdfast.report.look import DuelLook, Look
from holdfast.report.origin import Provenance
from holdfast.wording import quoted

if TYPE_CHECKING:
    from holdfast.report import Report


Answer = TypeVar("Answer")
AnyReport = TypeVar("AnyReport", bound="Report")
COLUMNS = re.compile(r"(?:^|, )([^=,]*)=")  # that a group is of, in its name


def answer_from(text: str | bytes) -> Report | Decision | Threshold | Look | DuelLook:
    """The one answer that this JSON is."""
    from holdfast.report import Report

    return _made(_parsed(text), (Report, Decision, Threshold, Look, DuelLook))


def answer_of(kind: type[Answer], text: str | bytes) -> Answer:
    """The same where it is known what it is to be."""
    answer: Answer = _made(_parsed(text), (kind,))
    return answer


def _made(value: Any, kinds: tuple[Any, ...]) -> Any:
    known = {kind.schema: kind for kind in kinds}
    schema = value.get("schema") if isinstance(value, Mapping) else None
    if not isinstance(schema, str) or not schema.startswith("holdfast/"):
        raise HoldfastError("This JSON is not of holdfast: its schema would say so, as 'holdfast/report/1' does.")
    if schema not in known:
        raise HoldfastError(
            f"This JSON says {quoted(schema, 60)}, and what can be read here is {' or '.join(known)}; what a newer "
            "version has written, that one reads."
        )
    try:
        return known[schema].from_dict(value)
    except Unreadable as error:
        raise HoldfastError(f"This JSON was not written like this: {error}.") from None


def _parsed(text: str | bytes) -> Any:
    """JSON as the standard has it: no NaN, no number that no float holds."""
    try:
        return json.loads(text, parse_constant=_no_number, parse_float=_float)
    except RecursionError:
        raise HoldfastError("This is not JSON of holdfast: it is nested too deeply.") from None
    except ValueError as error:  # UnicodeDecodeError is one
        raise HoldfastError(f"This is not JSON: {str(error)[:100]}.") from None


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no number")


def _float(digits: str) -> float:
    number = float(digits)
    return _no_number(digits[:40]) if number in (float("inf"), -float("inf")) else number


# ---- Reports


def report_from(kind: type[AnyReport], value: Any) -> AnyReport:
    """The report, with its groups in blocks again; what only the verb can make, curves and views, it has not."""
    if not isinstance(value, Mapping):
        raise Unreadable("is no object")
    kinds = {"schema": Literal["holdfast/report/1"], "provenance": Provenance, "claims": tuple[Line, ...]}
    values = read_keys(kinds, {name: value[name] for name in kinds if name in value})
    if "version" not in values["provenance"]:
        raise Unreadable("has no version", ".provenance")
    lines: tuple[Line, ...] = values["claims"]
    alone = len(lines) == 1 and lines[0].coverage is None
    facts = facts_from({name: each for name, each in value.items() if name not in kinds}, alone)
    whole = tuple(line for line in lines if line.group is None or not isinstance(facts, (AssessmentFacts, CrossFacts)))
    grouped = [line for line in lines if line.group is not None] if len(whole) < len(lines) else []
    blocks = tuple(Block.of([*run]) for _, run in groupby(grouped, key=_statement))  # of the groups of one division
    return kind(whole, values["provenance"], _known(facts, lines), blocks=blocks, restored=True)


def _known(facts: Facts, lines: tuple[Line, ...]) -> Facts:
    """The facts, with what of them stands in the claims."""
    if isinstance(facts, PlanFacts) and lines:
        return replace(facts, plan=replace(facts.plan, claim=lines[0].claim))
    if isinstance(facts, ComparisonFacts) and facts.verdict.about.measure == "pass-at-k":
        label = next((line.label for line in facts.differences(lines) if line.label), "")
        facts.verdict.about = replace(facts.verdict.about, called=f"pass@{label.removeprefix('k=')}")
    return facts


def _statement(line: Line) -> tuple[Any, ...]:
    """What lines of the groups of one division have in common."""
    claim = line.claim
    about = (claim.measure, line.label, claim.method, claim.side, claim.delta, claim.per, claim.guarantee)
    return (*about, claim.assumes, claim.source, tuple(COLUMNS.findall(str(line.group))))


def facts_from(details: Mapping[str, Any], alone: bool = False) -> Facts:
    """The facts that these plain values tell; where there are none, whether one claim stands `alone` tells the kind."""
    # Every comparison has pairs, so that those that nothing else marks stand last among them.
    bare: type[Facts] = BoundFacts if alone else BoundsFacts
    kind = next((each for each in Facts.kinds if any(mark in details for mark in each.marks)), bare)
    return kind.from_dict(details)
