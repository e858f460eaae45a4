"""The pairs of a comparison in each group of the examples: by how much they differ there, and what is said of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np

from holdfast.combine import bonferroni, sayable
from holdfast.errors import HoldfastError
from holdfast.report import Line
from holdfast.report.facts.comparison import GroupPair
from holdfast.verbs.asking import Inquiry, Question
from holdfast.verbs.compare.differences import Part
from holdfast.verbs.compare.pairs import Contest
from holdfast.verbs.compare.verdicts import by_interval

MOST_PARTS = 20_000  # pairs times groups


class InGroups:
    """What a contest says of each group, in each way to divide the examples.

    The intervals of a group hold together over all pairs, as those of the whole do; where it is asked for, those of all
    groups of a division do. What is said of a pair in a group is where its interval lies.
    """

    def __init__(self, contest: Contest, divisions: Sequence[Sequence[str]], simultaneous: bool) -> None:
        self.contest, self.simultaneous = contest, simultaneous
        rows = contest.deciding.differences.rows
        self.divisions = [*rows.divisions(divisions)]
        groups = sum(len(each.names) for each in self.divisions)
        if groups * contest.number > MOST_PARTS:
            raise HoldfastError(
                f"{contest.number:,} pairs in {groups:,} groups are {groups * contest.number:,} comparisons; that is "
                f"done for up to {MOST_PARTS:,}. Compare fewer models, or divide the examples into fewer groups."
            )
        if simultaneous and not groups:
            raise HoldfastError(
                "simultaneous= (--simultaneous) speaks of groups: give groups= (--by). All pairs hold together "
                "as it is."
            )

    @cached_property
    def lines(self) -> list[Line]:
        """The difference of each pair in each group: in what decides, and in every other measure asked for."""
        contest = self.contest
        lines: list[Line] = []
        for division in self.divisions:
            delta = contest.each
            if self.simultaneous and len(division.names) > 1:
                delta = float(sayable(bonferroni(delta, len(division.names))))
            ask = Inquiry(np.asarray(delta), "both", contest.request.methods, contest.deciding.options)
            for place in contest.shown:
                first, second = contest.names_at(place)
                questions = [
                    question
                    for code, name in enumerate(division.names)
                    for question in self._about(place, (name, np.asarray(division.codes == code)))
                ]
                lines += (replace(line, model=first, against=second) for line in ask.lines(questions))
        return lines

    def _about(self, place: int, part: Part) -> list[Question]:
        contest = self.contest
        pair = int(contest.first[place]), int(contest.second[place])
        measures = (contest.request.decides, *contest.request.measures)
        return [each for measure in measures for each in contest.deciding.differences.about(*pair, measure, part)]

    @cached_property
    def pairs(self) -> tuple[GroupPair, ...]:
        """What is said of each pair in each group: by the first line there of the measure that decides."""
        contest = self.contest
        decided = f"{contest.request.decides.name}-difference"
        foremost: dict[tuple[str | None, str | None, str | None], Line] = {}
        for line in self.lines:
            if line.measure == decided and line.label == contest.deciding.label:
                foremost.setdefault((line.group, line.model, line.against), line)
        return tuple(self._pair(line) for line in foremost.values())

    def _pair(self, line: Line) -> GroupPair:
        about = replace(self.contest.deciding.about, guarantee=line.claim.guarantee)
        first, second, group = str(line.model), str(line.against), str(line.group)
        verdict = by_interval(first, second, line.claim, self.contest.request.margin, about)
        return GroupPair(
            group=group, first=first, second=second, rule=verdict.rule, outcome=verdict.outcome, verdict=str(verdict)
        )

    @property
    def notes(self) -> list[str]:
        together = "all groups together" if self.simultaneous else "each group on its own"
        return [
            f"Of each group it is said where the interval lies, at a confidence that holds for {together}. The groups "
            "are those that occur in these examples."
        ]
