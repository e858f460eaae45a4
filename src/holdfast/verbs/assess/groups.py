"""For whom does it work, and how reliably: every measure of every group, and every question that was asked again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from holdfast.bounds.binomial import clopper_pearson
from holdfast.bounds.influence import influence
from holdfast.bounds.strata import fisher
from holdfast.catalog import Bound, Limit, Measure
from holdfast.claims import Assumption, Side
from holdfast.combine import bonferroni, sayable, sidak
from holdfast.evidence import Array, Contingency, Counts, Difference, Evidence, MonotoneInRecalls, Proportions
from holdfast.predictions import Predictions
from holdfast.report import Block, Line
from holdfast.report.facts.assessment import Asked, Repeats, Spread
from holdfast.tally import Tally, tally
from holdfast.tally.designs.drawn import QUESTION, questions_as_groups
from holdfast.tally.designs.repeats import split
from holdfast.tally.groups import Groups
from holdfast.verbs.bound import default_methods
from holdfast.verbs.jointly import assumed_of_classes, claimed, only_limit

MOST_GAPS = 1_000  # groups up to which each is set against the rest


@dataclass(frozen=True)
class OfGroups:
    """One statement about each group of a division."""

    measure: str
    bound: Bound
    evidence: Evidence
    groups: Sequence[str]
    label: str | None = None
    better: str | None = None
    disjoint: bool = True  # then the claims are independent, given how many examples each group has
    assumes: tuple[Assumption, ...] = ()  # besides what the method assumes
    only: Limit | None = None  # the one limit that holds of this label, where the other does not

    @property
    def name(self) -> str:
        return self.measure

    def answer(self, delta: Array, side: Side, together: bool) -> Block:
        # Independent claims share delta as Sidak says, others as Bonferroni does.
        share = sidak if self.disjoint else bonferroni
        part = sayable(share(delta, len(self.groups))) if together else delta
        claim = claimed(self.bound, self.evidence, part, side, self.only)
        claim = replace(claim, measure=self.measure, assumes=(*claim.assumes, *self.assumes))
        return Block(claim, self.groups, self.label, self.better)


def stacked(measure: Measure, groups: int) -> bool:
    """Whether all groups are asked at once, by a stack of their tables: of rates, and of very many groups anything."""
    if measure.takes is not Contingency or measure.required:
        return False
    return groups > MOST_GAPS or all(issubclass(kind, Counts) for kind in measure.gives)


def blocks_of(lines: Sequence[Line], better: Mapping[str, str | None]) -> list[Block]:
    """Lines of groups, one by one, as blocks: all groups of one measure, label and method together."""
    together: dict[tuple[object, ...], list[Line]] = {}
    for line in lines:
        claim = line.claim
        kind = (line.measure, line.label, claim.method, claim.per, claim.guarantee, claim.assumes)
        together.setdefault(kind, []).append(line)
    return [_block(each, better.get(each[0].measure)) for each in together.values()]


def _block(lines: Sequence[Line], better: str | None) -> Block:
    claims = [line.claim for line in lines]
    estimates = [np.nan if claim.estimate is None else claim.estimate for claim in claims]
    numbers: dict[str, Any] = {
        name: np.array([getattr(claim, name) for claim in claims]) for name in ("lower", "upper", "n")
    }
    claim = replace(claims[0], estimate=np.array(estimates, np.float64), **numbers)
    return Block(claim, [str(line.group) for line in lines], lines[0].label, better)


def about_groups(
    counted: Tally, wanted: Sequence[Measure], at_point: bool = False, declared: bool = False
) -> list[OfGroups]:
    """What is said of each group, for measures that are read off stacks of tables.

    Where predictions are those `at_point`, an operating point, it is said that this was fixed beforehand. Where the
    labels were not `declared`, but found, less is said of them.
    """
    if counted.unpredicted is not None:
        wanted = [measure for measure in wanted if not measure.needs_predictions]
    every = [
        each for groups in counted.groups for measure in wanted for each in _about(measure, groups, counted, declared)
    ]
    if not at_point:
        return every
    return [replace(each, assumes=(*each.assumes, Assumption.FIXED_THRESHOLD)) for each in every]


def _about(measure: Measure, groups: Groups, counted: Tally, declared: bool) -> Iterator[OfGroups]:
    labelled = counted.table is not None
    if measure.takes is not Contingency or measure.required or (measure.needs_labels and not labelled):
        return
    evidence = measure(groups.table)
    if not isinstance(evidence, (Counts, Proportions, MonotoneInRecalls)):
        return  # what is drawn again is drawn from one table at a time
    assumes = () if declared else assumed_of_classes(measure, groups.table.labels)
    for label, narrowed in _of_classes(measure, evidence, groups.table, counted.positive):
        bound, only = default_methods(narrowed)[0], None
        if label is not None and not declared and label not in counted.stated:
            only = only_limit(measure, evidence, groups.table, groups.table.place(label))
        yield OfGroups(measure.name, bound, narrowed, groups.names, label, measure.better, assumes=assumes, only=only)
        # Where only one limit holds of each, none holds of a difference.
        if type(narrowed) is Counts and only is None and 1 < len(groups.names) <= MOST_GAPS:
            rest = Counts(narrowed.k.sum() - narrowed.k, narrowed.n.sum() - narrowed.n)
            gap = Difference.of(narrowed, rest)
            yield OfGroups(f"{measure.name}-gap", fisher, gap, groups.names, label, measure.better, disjoint=False)


def _of_classes(
    measure: Measure, evidence: Evidence, table: Contingency, positive: str | None
) -> Iterator[tuple[str | None, Evidence]]:
    if not measure.per_class:
        yield None, evidence
        return
    assert isinstance(evidence, Counts)  # what is said of a class is a count
    for place in [table.place(positive)] if positive is not None else table.classes.tolist():
        yield table.labels[place], type(evidence)(evidence.k[..., place], evidence.n[..., place])


MOST = 1_000  # questions that are told of one by one
OWN_SHARE = "share-of-own-randomness"


class Repeated:
    """Rows that are samples of questions, counted for each question."""

    def __init__(self, rows: Predictions, counted: Tally, positive: object, labels: object) -> None:
        drawn = counted.drawn
        self.names: tuple[str, ...] = ()
        if "value" not in rows.columns and counted.unpredicted is None:
            groups = questions_as_groups(rows)
            each = tally(groups, positive=positive, labels=labels, by=[(QUESTION,)], right_or_wrong=True).groups[0]  # type: ignore[arg-type]  # as they were given
            self.names = tuple(name.removeprefix(f"{QUESTION}=") for name in each.names)
            self.samples = Counts(each.table.n - each.table.errors, each.table.n)
        self.split = None if drawn is None else split(drawn.tables.rows)

    def told(self, level: Array, side: Side) -> Repeats | None:
        """What is said of them at this delta; None where no question was asked twice."""
        if not self.names:
            spread = self._spread(level)  # of partial credit, whose questions are told of together alone
            if spread is None or self.split is None:
                return None
            claim = spread.share
            return Repeats(self.split.questions, float(level), claim.method, claim.guarantee, (), spread)
        if self.samples.n.max() < 2:
            return None
        claim = clopper_pearson(self.samples, level, side)
        lower, upper = np.asarray(claim.lower), np.asarray(claim.upper)
        order = np.lexsort((upper, self.samples.k / self.samples.n))[:MOST].tolist()
        k, n = self.samples.k.tolist(), self.samples.n.tolist()
        each = tuple(Asked(self.names[i], n[i], k[i], float(lower[i]), float(upper[i])) for i in order)
        return Repeats(len(self.names), float(level), claim.method, claim.guarantee, each, self._spread(level))

    def _spread(self, level: Array) -> Spread | None:
        if self.split is None or self.split.share is None:
            return None
        variance, within = self.split.variance, self.split.within
        claim = influence(self.split.share, level, "both")
        assumes = (*claim.assumes, Assumption.OWN_SAMPLES)
        share = type(claim)(**{**vars(claim), "measure": OWN_SHARE, "assumes": assumes})
        return Spread(variance, within, variance - within, share)
