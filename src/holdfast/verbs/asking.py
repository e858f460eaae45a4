"""The inquiry: what is asked of each measure, who answers, and the lines that come of it.

What can be asked at once is asked at once.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from holdfast.bounds.bootstrap import refuse_degenerate, share_draws
from holdfast.catalog import Bound, Limit, Measure
from holdfast.claims import Assumption, Claim, Guarantee, Per, Side
from holdfast.combine import sayable
from holdfast.evidence import (
    Array,
    Contingency,
    Counts,
    Evidence,
    Losses,
    MonotoneInRecalls,
    Paired,
    Proportions,
    Resampled,
    Scores,
    SmoothStatistic,
    TableStatistic,
)
from holdfast.evidence.counts import MixedCounts
from holdfast.evidence.draws import Influence, Ratio
from holdfast.evidence.folds.sample import FoldSample
from holdfast.evidence.ranking.calibration import ChosenBins
from holdfast.evidence.tables.statistic import AtPrevalence
from holdfast.report import Line
from holdfast.verbs.bound import default_methods
from holdfast.verbs.jointly import Statements, claimed

Limits = dict[tuple[str, float, int], tuple[Array, Array]]  # found for a ranking, by method and share of delta
ONE_SIDED: tuple[Limit, Limit] = ("lower", "upper")
RANGED = {Assumption.STATED_PREVALENCE: Assumption.STATED_RANGE}
FEW = 10_000  # losses of a kind up to which joining costs less than another call


@dataclass(frozen=True)
class Question:
    """The evidence of one measure: of one thing, or of several classes along the last axis."""

    measure: Measure
    evidence: Evidence
    labels: tuple[str | None, ...] = (None,)
    table: Contingency | None = None  # what it was read off, if a table: that can be drawn again
    places: tuple[int, ...] = ()  # of the classes in that table
    share: float = 1.0  # of delta, for each claim: less where several hold together
    per: Per = "row"  # what weighs the same in it
    assumes: tuple[Assumption, ...] = ()  # besides what the method assumes of how the examples were drawn
    only: Limit | None = None  # the one limit that holds of these labels, where the other does not
    beside: Evidence | None = None  # of the same thing, for methods that hold as the sample grows
    group: str | None = None
    ends: tuple[Question, ...] = ()  # the same at the other ends of a range of which the worst is asked for

    @property
    def name(self) -> str:
        return self.measure.name

    @property
    def each_evidence(self) -> tuple[Evidence, ...]:
        return (self.evidence,) if self.beside is None else (self.evidence, self.beside)

    def drawable(self, evidence: Evidence, place: int) -> Resampled:
        """The evidence of one class, or of all together, as something that can be drawn again."""
        if isinstance(evidence, Resampled):
            return evidence
        if self.table is not None:
            return TableStatistic.of(self.measure, self.table, self.places[place] if self.places else None)
        assert isinstance(evidence, (Ratio, Influence))  # nothing else is offered to the bootstrap
        return evidence.redrawn


class _Job(NamedTuple):
    """A question, and one of the methods that answer it."""

    question: Question
    bound: Bound
    evidence: Evidence


@dataclass(frozen=True)
class Inquiry:
    """At which level, on which side and by which methods questions are answered."""

    delta: Array
    side: Side
    methods: tuple[Bound, ...] = ()  # asked for by name; where none of them fits, the default answers
    options: Mapping[str, int] = field(default_factory=dict)  # of the bootstrap

    def lines(self, questions: Sequence[Question]) -> list[Line]:
        """The lines of all questions, in their order."""
        return [line for lines in self.lines_of_each(questions) for line in lines]

    def lines_of_each(self, questions: Sequence[Question]) -> list[list[Line]]:
        """The same, question by question."""
        fixed = iter(self._at_once([question for question in questions if not question.ends]))
        worst = iter(self._at_the_worst([question for question in questions if question.ends]))
        return [next(worst if question.ends else fixed) for question in questions]

    def _at_the_worst(self, questions: Sequence[Question]) -> list[list[Line]]:
        """What can be said of quantities where they are worst, each at one of its ends, nobody knows at which.

        A quantity is beyond the worst of the limits that face the bad only if it is beyond that of its own end, so each
        has all of that side's delta. On the other side it is as bad as any end, so the worst of those limits holds,
        too; but only while all of them hold, and so they share that side's delta.
        """
        bad: list[Limit] = ["lower" if question.measure.better == "higher" else "upper" for question in questions]
        of_sides = dict[Limit, list[list[list[Line]]]]()
        for side in (each for each in ONE_SIDED if self.side in (each, "both")):
            ends = [
                replace(end, ends=(), share=question.share / (1 if side == facing else 1 + len(question.ends)))
                for question, facing in zip(questions, bad, strict=True)
                for end in (question, *question.ends)
            ]
            lines = iter(replace(self, delta=self._of_a_side, side=side)._at_once(ends))
            of_sides[side] = [[next(lines) for _ in (question, *question.ends)] for question in questions]
        return [
            [
                _worst_of(dict(zip(of_sides, lines, strict=True)), facing, self._part(question.share), self.side)
                for lines in zip(*(zip(*each, strict=True) for each in each_side), strict=True)
            ]
            for question, facing, *each_side in zip(questions, bad, *of_sides.values(), strict=True)
        ]

    @property
    def _of_a_side(self) -> Array:
        return self.delta / 2 if self.side == "both" else self.delta

    def _at_once(self, questions: Sequence[Question]) -> list[list[Line]]:
        """The lines of questions about one thing each: what is alike is asked in one call."""
        drawn = [
            e
            for q in questions
            if isinstance(e := q.evidence, TableStatistic) and not isinstance(e, (MonotoneInRecalls, SmoothStatistic))
        ]
        if drawn:
            share_draws(drawn, **self.options)
        each = [self._jobs(question) for question in questions]
        jobs = [job for some in each for job in some]
        of_jobs: list[list[Line]] = [[] for _ in jobs]
        alike: dict[object, list[int]] = {}
        limits: Limits = {}
        for place, job in enumerate(jobs):
            question, bound, evidence = job
            kind = () if Resampled in bound.takes else _kind(evidence)  # what draws again draws from one
            if kind and bound.fits(evidence, self.side):
                alike.setdefault((bound.name, question.share, question.only, *kind), []).append(place)
            else:
                of_jobs[place] = list(self._alone(job, limits))
        for places in alike.values():
            for place, lines in zip(places, self._together([jobs[place] for place in places]), strict=True):
                of_jobs[place] = lines
        rest = iter(of_jobs)
        return [[line for _ in some for line in next(rest)] for some in each]

    def statements(self, questions: Sequence[Question], stated: Container[str | None] | None = None) -> Statements:
        """How many statements the answers make, counting those that share a part of delta as one.

        Parameters
        ----------
        stated
            The labels that somebody spoke of, where others were found; by default all were declared.
        """
        fixed, of_each = np.zeros(2), dict[str, Array]()
        for question in questions:
            nested = [job.bound.nested for job in self._jobs(question)]
            number = question.share * np.array([nested.count(True), nested.count(False)])
            per_label = question.measure.per_class or question.measure.takes is Scores
            for label in question.labels:
                if stated is None or not per_label or label in stated:
                    fixed += number
                else:
                    of_each[question.name] = number
        each = sum(of_each.values(), np.zeros(2))
        return Statements(float(fixed[0]), float(fixed[1]), float(each[0]), float(each[1]))

    def _jobs(self, question: Question) -> list[_Job]:
        """The methods asked for that fit any of its evidence; where none does, those that usually answer."""
        fitting = [
            _Job(question, bound, evidence)
            for evidence in question.each_evidence
            for bound in self.methods
            if bound.fits(evidence, self.side) or (Resampled in bound.takes and _drawable(question, evidence))
        ]
        once = {job.bound.name: job for job in reversed(fitting)}  # a method that fits both answers for the first
        by_name = [job for job in fitting if once[job.bound.name] is job]
        usual = [_Job(question, bound, each) for each in question.each_evidence for bound in default_methods(each)]
        return by_name or usual

    def _together(self, jobs: Sequence[_Job]) -> Iterator[list[Line]]:
        """All evidence of a kind in one call of their method: calling costs more than the arithmetic."""
        evidence = [job.evidence for job in jobs]
        kind = MixedCounts if isinstance(evidence[0], Counts) else type(evidence[0])
        joined = kind.joined(evidence)  # type: ignore[attr-defined]  # see _kind
        claims = self._claim(jobs[0]._replace(evidence=joined))
        start = 0
        for question, _, _ in jobs:
            known = {"measure": question.measure.name, "assumes": assumed(claims, question), "per": question.per}
            yield [
                Line(claims.one(start + i, **known), label=label, group=question.group)
                for i, label in enumerate(question.labels)
            ]
            start += len(question.labels)

    def _alone(self, job: _Job, limits: Limits) -> Iterator[Line]:
        question, bound, _ = job
        for place, label in enumerate(question.labels):
            evidence = job.evidence
            if Resampled in bound.takes:
                evidence = question.drawable(evidence, place)
                if bound in self.methods and bound.options:
                    firm = (each for each in default_methods(question.evidence) if each.guarantee is Guarantee.FINITE)
                    exact = next((each.name for each in firm), None)
                    what = question.measure.name + (f" of {label}" if label is not None else "")
                    refuse_degenerate(evidence, what, exact, **self.options)
            if isinstance(evidence, Scores) and Resampled not in bound.takes:
                claim = self._of_ranking(bound, evidence, question.share, limits)
            else:
                claim = self._claim(job._replace(evidence=evidence))
            sentences = assumed(claim, question)
            named = replace(claim, measure=question.measure.name, assumes=sentences, per=question.per)
            yield Line(named, label=label, group=question.group)

    def _of_ranking(self, bound: Bound, scores: Scores, share: float, limits: Limits) -> Claim:
        """The area and the Gini coefficient are the same in other units: what was found for one serves both."""
        key = bound.name, share, id(scores.order)
        if key not in limits:
            bound.check(scores, self.side)
            limits[key] = bound.limits(scores, self._part(share), self.side)
        return bound.claim(scores, self._part(share), self.side, *limits[key])

    def _claim(self, job: _Job) -> Claim:
        question, bound, evidence = job
        options = {name: self.options[name] for name in bound.options}
        return claimed(bound, evidence, self._part(question.share), self.side, question.only, **options)

    def _part(self, share: float) -> Array:
        return self.delta if share == 1.0 else sayable(share * self.delta)


def _worst_of(sides: Mapping[Limit, Sequence[Line]], bad: Limit, delta: Array, side: Side) -> Line:
    """One line of those at each end, on each side that was asked for."""
    worst: Callable[[Iterable[Any]], Any] = min if bad == "lower" else max
    lines = next(iter(sides.values()))
    estimates = [line.claim.estimate for line in lines]
    estimate = None if None in estimates else worst(estimates)
    first = lines[estimates.index(estimate)]
    lower, upper = (worst(getattr(line.claim, each) for line in sides.get(each, lines)) for each in ONE_SIDED)
    assumes = tuple(RANGED.get(sentence, sentence) for sentence in first.claim.assumes)
    worst_claim = replace(
        first.claim, estimate=estimate, lower=lower, upper=upper, delta=delta.item(), side=side, assumes=assumes
    )
    return replace(first, claim=worst_claim)


def _drawable(question: Question, evidence: Evidence) -> bool:
    """Whether it can be drawn again, though it is of another kind."""
    redrawable = isinstance(evidence, (Ratio, Influence)) and evidence.redrawable
    return redrawable or question.table is not None


def _kind(evidence: Evidence) -> tuple[object, ...]:
    """What evidence must share to be joined; nothing where it cannot be."""
    if isinstance(evidence, Proportions):
        return type(evidence), type(evidence.parts), evidence.parts.k.size
    if isinstance(evidence, Losses):
        alike = type(evidence), int(evidence.n), evidence.assumes
        return alike if evidence.has("values") and evidence.n <= FEW else ()
    if isinstance(evidence, AtPrevalence):
        return AtPrevalence, evidence.scale.low, evidence.specificity.parts.k.size
    if isinstance(evidence, Counts):
        return (Counts,)  # limits are on the scale of shares, whatever the units
    if isinstance(evidence, FoldSample):
        return evidence.alike
    return (type(evidence),) if isinstance(evidence, (MonotoneInRecalls, ChosenBins, Paired)) else ()


def assumed(claim: Claim, question: Question) -> tuple[Assumption, ...]:
    """What the claim assumes, once it is known how the examples were drawn."""
    if not {Assumption.WITHIN_CLASSES, Assumption.WITHIN_STRATA, Assumption.CLUSTERS} & {*question.assumes}:
        return tuple(dict.fromkeys((*claim.assumes, *question.assumes)))
    drawn = (sentence for sentence in claim.assumes if sentence is not Assumption.INDEPENDENT)
    return tuple(dict.fromkeys((*question.assumes, *drawn)))
