"""What rows can prove or refute of conditions on one model: of all of them together, and in each group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from typing import Any

import numpy as np

from holdfast.catalog import find_measure
from holdfast.claims import Claim, Side, chance_of_error
from holdfast.errors import HoldfastError, UnknownName
from holdfast.predictions import Predictions
from holdfast.report import Report
from holdfast.report.facts.assessment import AssessmentFacts
from holdfast.tally import Tally
from holdfast.verbs.assess.assessment import Assessment, Stated
from holdfast.verbs.gate.conditions import Condition
from holdfast.verbs.gate.decide import Statement
from holdfast.verbs.gate.groups import MOST_GROUPS
from holdfast.verbs.subject import needs_scores
from holdfast.wording import listed


class RowStatements:
    """The rows, counted once, and what they say of each condition."""

    def __init__(self, rows: Predictions, asked: Sequence[Condition], options: Mapping[str, Any]) -> None:
        only = list(dict.fromkeys(condition.measure for condition in asked))
        divisions = list(dict.fromkeys(condition.columns for condition in asked if condition.columns))
        self.assessment = Assessment(rows, Stated(only=only, by=divisions, gaps=False, **options))
        self.groups = dict(zip(divisions, _sizes(self.assessment.counted), strict=True))
        for columns, sizes in self.groups.items():
            check_number(columns, len(sizes))
        self.report = cache(self._report)

    def _report(self, delta: float, side: Side) -> Report:
        return self.assessment.report(chance_of_error(None, delta), side)

    def of(self, asked: Condition, delta: float) -> list[Statement]:
        """The condition of all rows, or in each of its groups; the class that it is about is settled at this delta."""
        report = self.report(delta, asked.sides[0])
        condition = asked.about(label_of(asked, report))
        ends, rows = find_measure(condition.measure).range, int(report.provenance["rows"])
        if not condition.columns:
            return [Statement(condition, partial(self._claim, condition, None), rows, ends)]
        sizes = self.groups[condition.columns]
        return [
            Statement(condition, partial(self._claim, condition, group), sizes[group], ends, group)
            for group in chosen_groups(condition, [*sizes])
        ]

    def _claim(self, condition: Condition, group: str | None, delta: float, side: Side) -> Claim:
        report = self.report(delta, side)
        return report[condition.measure, condition.label] if group is None else self._in_group(report, condition, group)

    @staticmethod
    def _in_group(report: Report, condition: Condition, group: str) -> Claim:
        if not any(block.claim.measure == condition.measure for block in report.blocks):
            raise HoldfastError(
                f"{condition.measure} is not decided on in groups, for what each row adds to it is not declared; leave "
                "out groups= (--by), or keep the rows of one group."
            )
        return report[condition.measure, condition.label, group]


def _sizes(counted: Tally) -> list[dict[str, int]]:
    """Of each way to divide the rows, how many rows there are of each group."""
    if counted.drawn is None:
        return [dict(zip(each.names, each.table.n.tolist(), strict=True)) for each in counted.groups]
    rows, divisions = counted.drawn.tables.rows, counted.drawn.tables.divisions
    factor = 1.0 if rows.draws.factor is None else rows.draws.factor[rows.draw]
    number = rows.rows / factor if rows.count is None else rows.count
    return [
        dict(zip(each.names, np.rint(np.bincount(each.codes, number)).astype(int).tolist(), strict=True))
        for each in divisions
    ]


def check_number(columns: Sequence[str], groups: int) -> None:
    """Refuse more groups than are answered for one by one."""
    if groups > MOST_GROUPS:
        raise HoldfastError(
            f"{listed([*columns])} divides the rows into {groups:,} groups, and up to {MOST_GROUPS:,} are decided on, "
            "but for rates of counted events of rows that were drawn one by one; use fewer columns in by= (--by)."
        )


def chosen_groups(condition: Condition, groups: Sequence[str]) -> Sequence[str]:
    """The groups of a condition: all that there are, or the one that it names."""
    if condition.group is None:
        return groups
    if condition.group not in groups:
        raise UnknownName("group", condition.group, groups)
    return [condition.group]


def divided(asked: Sequence[Condition], by: tuple[str, ...] | None, names: Sequence[str]) -> list[Condition]:
    """The conditions with the columns that each is divided by, of those that the rows have by these names.

    Where nobody says by which, it is by all of them, crossed; unless a condition says so for itself: then the others
    are about all rows.
    """
    if by is None:
        by = () if any(condition.says_where for condition in asked) else tuple(names)
    made = [condition if condition.says_where else replace(condition, by=by) for condition in asked]
    for condition in made:
        for name in condition.columns:
            if name in names:
                continue
            if names:
                raise UnknownName("column of groups", name, names)
            raise HoldfastError(
                f"{condition} is asked by {name}, but the rows have no columns of groups: give them by groups=, or in "
                "files by by= of hf.read (--by)."
            )
    return made


def label_of(condition: Condition, report: Report) -> str | None:
    """The class that is asked about: the one named, else the positive one.

    Unless it is the scores that are asked about, nobody spoke of a class that they chose: it is one that was found, and
    which one that is depends on the rows.
    """
    lines = [line for line in report.whole if line.measure == condition.measure]
    known = list(dict.fromkeys(line.label for line in lines if line.label is not None))
    if condition.label is not None and lines and not known:
        raise HoldfastError(f"{condition.measure} is of all classes together; leave out the label.")
    if condition.label is not None or not known:
        return condition.label
    by_scores = isinstance(report.facts, AssessmentFacts) and report.facts.positive_by is not None
    chosen = by_scores and not needs_scores(find_measure(condition.measure))
    default = None if chosen else report.facts.positive or (known[0] if len(known) == 1 else None)
    if default is None:
        raise HoldfastError(
            f"{condition.measure} belongs to a class: name it with label= (--label), one of {listed(known)}."
        )
    return str(default)
