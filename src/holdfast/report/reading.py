"""What a command wrote as JSON, as the object that it was: the schema says which, and everything in it is checked."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import numpy as np

from holdfast.errors import HoldfastError
from holdfast.plain import Unreadable, read_keys
from holdfast.report.decision import Decision, Threshold
from holdfast.report.facts.assessment import AssessmentFacts
from holdfast.report.facts.comparison import ComparisonFacts, DatasetsFacts, DuelFacts, FoldsFacts
from holdfast.report.facts.kind import Facts
from holdfast.report.facts.listing import (
    BoundFacts,
    BoundsFacts,
    ExaminationFacts,
    LedgerFacts,
    MeasuresFacts,
    MethodsFacts,
    PlanFacts,
    VerificationFacts,
)
from holdfast.report.facts.panel import CommitteeFacts, PanelFacts
from holdfast.report.facts.training import CrossFacts, DecompositionFacts, LearningFacts
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
    made: Answer = _made(_parsed(text), (kind,))
    return made


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
    blocks = _blocks([line for line in lines if line.group is not None]) if len(whole) < len(lines) else ()
    return kind(whole, values["provenance"], _known(facts, lines), blocks=tuple(blocks), restored=True)


def _known(facts: Facts, lines: tuple[Line, ...]) -> Facts:
    """The facts, with what of them stands in the claims."""
    if isinstance(facts, PlanFacts) and lines:
        return replace(facts, plan=replace(facts.plan, claim=lines[0].claim))
    if isinstance(facts, ComparisonFacts) and facts.verdict.about.measure == "pass-at-k":
        label = next((line.label for line in facts.differences(lines) if line.label), "")
        facts.verdict.about = replace(facts.verdict.about, called=f"pass@{label.removeprefix('k=')}")
    return facts


def _blocks(lines: list[Line]) -> Iterator[Block]:
    """Lines that say the same of the groups of one division, one after the other."""
    for _, run in groupby(lines, key=_said):
        same = list(run)
        groups = [str(line.group) for line in same]
        estimates = [np.nan if line.claim.estimate is None else line.claim.estimate for line in same]
        lower, upper, n = (np.array([getattr(line.claim, name) for line in same]) for name in ("lower", "upper", "n"))
        claim = replace(same[0].claim, estimate=np.array(estimates), lower=lower, upper=upper, n=n)
        yield Block(claim, groups, same[0].label, same[0].better)


def _said(line: Line) -> tuple[Any, ...]:
    claim = line.claim
    about = (claim.measure, line.label, claim.method, claim.side, claim.delta, claim.per, claim.guarantee)
    return (*about, claim.assumes, claim.source, tuple(COLUMNS.findall(str(line.group))))


FACTS: tuple[type[Facts], ...] = (  # the first of which a mark is there; every comparison has pairs
    AssessmentFacts,
    DuelFacts,
    FoldsFacts,
    DatasetsFacts,
    ComparisonFacts,
    CrossFacts,
    DecompositionFacts,
    LearningFacts,
    PanelFacts,
    CommitteeFacts,
    PlanFacts,
    VerificationFacts,
    MethodsFacts,
    MeasuresFacts,
    ExaminationFacts,
    LedgerFacts,
    BoundFacts,
    BoundsFacts,
)


def facts_from(details: Mapping[str, Any], alone: bool = False) -> Facts:
    """The facts that these plain values tell; where there are none, whether one claim stands `alone` tells the kind."""
    bare: type[Facts] = BoundFacts if alone else BoundsFacts
    kind = next((each for each in FACTS if any(mark in details for mark in each.marks)), bare)
    return kind.from_dict(details)
