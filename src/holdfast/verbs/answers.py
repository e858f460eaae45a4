"""Who answers for each measure, and the lines that come of it; what can be asked at once is asked at once."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from holdfast.bounds.bootstrap import refuse_degenerate, share_draws
from holdfast.catalog import Bound, Limit, Measure
from holdfast.claims import Assumption, Claim, Per, Side
from holdfast.combine import sayable
from holdfast.evidence import (
    Array,
    Box,
    Contingency,
    Counts,
    Evidence,
    Losses,
    Paired,
    Proportions,
    Resampled,
    Scores,
    Tabled,
    Weighted,
)
from holdfast.evidence.folds.sample import FoldSample
from holdfast.evidence.prevalence import AtPrevalence
from holdfast.evidence.proportions import Beside
from holdfast.evidence.ranking.calibration import ChosenBins
from holdfast.report import Line
from holdfast.verbs.assess.found_labels import claimed
from holdfast.verbs.bound import default_methods
from holdfast.verbs.jointly import Statements

Seen = dict[tuple[str, float, int], tuple[Array, Array]]  # limits found for a ranking, by method and share of delta
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
    assumes: tuple[Assumption, ...] = ()  # besides what the method assumes of examples drawn from the population
    only: Limit | None = None  # the one limit that holds of these labels, where the other does not

    @property
    def name(self) -> str:
        return self.measure.name

    def drawable(self, place: int) -> Resampled:
        """The evidence of one class, or of all together, as something that can be drawn again."""
        if isinstance(self.evidence, Resampled):
            return self.evidence
        assert self.table is not None  # only tables are offered to the bootstrap otherwise
        return Tabled.of(self.measure, self.table, self.places[place] if self.places else None)


@dataclass(frozen=True)
class Ask:
    """At which level, on which side and by which methods a report is asked for."""

    delta: Array
    side: Side
    methods: tuple[Bound, ...] = ()  # asked for by name; where none of them fits, the default answers
    options: Mapping[str, int] = field(default_factory=dict)  # of the bootstrap

    def answers(self, questions: Sequence[Question]) -> list[Line]:
        """The lines of all questions, in their order."""
        drawn = [e for q in questions if isinstance(e := q.evidence, Tabled) and not isinstance(e, (Box, Weighted))]
        share_draws(drawn, **self.options)
        jobs = [(question, bound) for question in questions for bound in self._bounds(question)]
        found: list[list[Line]] = [[] for _ in jobs]
        alike: dict[object, list[int]] = {}
        seen: Seen = {}
        for place, (question, bound) in enumerate(jobs):
            kind = () if Resampled in bound.takes else _kind(question.evidence)  # what draws again draws from one
            if kind and bound.fits(question.evidence, self.side):
                alike.setdefault((bound.name, question.share, question.only, *kind), []).append(place)
            else:
                found[place] = list(self._alone(bound, question, seen))
        for places in alike.values():
            for place, lines in zip(places, self._together([jobs[place] for place in places]), strict=True):
                found[place] = lines
        return [line for lines in found for line in lines]

    def statements(self, questions: Sequence[Question], stated: Container[str | None] | None = None) -> Statements:
        """How many statements the answers make, counting those that share a part of delta as one.

        Parameters
        ----------
        stated
            The labels that somebody spoke of, where others were found; by default all were declared.
        """
        fixed, of_each = np.zeros(2), dict[str, Array]()
        for question in questions:
            nested = [bound.nested for bound in self._bounds(question)]
            number = question.share * np.array([nested.count(True), nested.count(False)])
            per_label = question.measure.per_class or question.measure.takes is Scores
            for label in question.labels:
                if stated is None or not per_label or label in stated:
                    fixed += number
                else:
                    of_each[question.name] = number
        each = sum(of_each.values(), np.zeros(2))
        return Statements(float(fixed[0]), float(fixed[1]), float(each[0]), float(each[1]))

    def _bounds(self, question: Question) -> Sequence[Bound]:
        drawn = question.table is not None
        fitting = [b for b in self.methods if b.fits(question.evidence, self.side) or (drawn and Resampled in b.takes)]
        return fitting or default_methods(question.evidence)

    def _together(self, jobs: Sequence[tuple[Question, Bound]]) -> Iterator[list[Line]]:
        """All evidence of a kind in one call of their method: calling costs more than the arithmetic."""
        evidence = [question.evidence for question, _ in jobs]
        kind = Beside if isinstance(evidence[0], Counts) else type(evidence[0])
        joined = kind.joined(evidence)  # type: ignore[attr-defined]  # see _kind
        claims = self._claim(jobs[0][1], joined, jobs[0][0])
        start = 0
        for question, _ in jobs:
            said = {"measure": question.measure.name, "assumes": assumed(claims, question), "per": question.per}
            yield [Line(claims.one(start + i, **said), label=label) for i, label in enumerate(question.labels)]
            start += len(question.labels)

    def _alone(self, bound: Bound, question: Question, seen: Seen) -> Iterator[Line]:
        for place, label in enumerate(question.labels):
            evidence = question.evidence
            if Resampled in bound.takes:
                evidence = question.drawable(place)
                if bound in self.methods and bound.options:
                    exact = default_methods(question.evidence)[0].name
                    what = question.measure.name + (f" of {label}" if label is not None else "")
                    refuse_degenerate(evidence, what, exact, **self.options)
            if isinstance(evidence, Scores) and Resampled not in bound.takes:
                claim = self._of_ranking(bound, evidence, question.share, seen)
            else:
                claim = self._claim(bound, evidence, question)
            sentences = assumed(claim, question)
            named = replace(claim, measure=question.measure.name, assumes=sentences, per=question.per)
            yield Line(named, label=label)

    def _of_ranking(self, bound: Bound, scores: Scores, share: float, seen: Seen) -> Claim:
        """The area and the Gini coefficient are the same in other units: what was found for one serves both."""
        key = bound.name, share, id(scores.order)
        if key not in seen:
            bound.check(scores, self.side)
            seen[key] = bound.limits(scores, self._part(share), self.side)
        return bound.claim(scores, self._part(share), self.side, *seen[key])

    def _claim(self, bound: Bound, evidence: Evidence, question: Question) -> Claim:
        options = {name: self.options[name] for name in bound.options}
        return claimed(bound, evidence, self._part(question.share), self.side, question.only, **options)

    def _part(self, share: float) -> Array:
        return self.delta if share == 1.0 else sayable(share * self.delta)


def _kind(evidence: Evidence) -> tuple[object, ...]:
    """What evidence must share to be joined; nothing where it cannot be."""
    if isinstance(evidence, Proportions):
        return type(evidence), type(evidence.parts), evidence.parts.k.size
    if isinstance(evidence, Losses):
        return (type(evidence), int(evidence.n)) if evidence.has("values") and evidence.n <= FEW else ()
    if isinstance(evidence, AtPrevalence):
        return AtPrevalence, evidence.low, evidence.specificity.parts.k.size
    if isinstance(evidence, Counts):
        return (Counts,)  # limits are on the scale of shares, whatever the units
    if isinstance(evidence, FoldSample):
        return evidence.alike
    return (type(evidence),) if isinstance(evidence, (Box, ChosenBins, Paired)) else ()


def assumed(claim: Claim, question: Question) -> tuple[Assumption, ...]:
    """What the claim assumes, once it is known how the examples were drawn."""
    if not {Assumption.WITHIN_CLASSES, Assumption.CLUSTERS} & {*question.assumes}:
        return (*claim.assumes, *question.assumes)
    drawn = (sentence for sentence in claim.assumes if sentence is not Assumption.INDEPENDENT)
    return tuple(dict.fromkeys((*question.assumes, *drawn)))
