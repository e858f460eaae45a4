"""What is said of parts: the bins of the scores, each group of the rows, each question that was asked again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from holdfast.bounds.binomial import clopper_pearson
from holdfast.bounds.influence import influence
from holdfast.bounds.strata import fisher
from holdfast.catalog import Bound, Limit, Measure, find_measure
from holdfast.claims import Assumption, Side
from holdfast.combine import bonferroni, sayable, sidak
from holdfast.errors import HoldfastError
from holdfast.evidence import (
    NO_ANSWER,
    Array,
    Contingency,
    Counts,
    Difference,
    Evidence,
    MonotoneInRecalls,
    Proportions,
)
from holdfast.evidence.ranking.calibration import BINS, Bins, Reliability
from holdfast.predictions import Predictions
from holdfast.report import Block, Line
from holdfast.report.facts.assessment import Asked, Bin, Calibration, Repeats, Spread
from holdfast.tally import Tally, tally
from holdfast.tally.designs.drawn import QUESTION, questions_as_groups
from holdfast.tally.designs.repeats import split
from holdfast.tally.groups import Groups
from holdfast.verbs.asking import Question
from holdfast.verbs.assess.drawn import DrawnSubject
from holdfast.verbs.bound import default_methods
from holdfast.verbs.jointly import assumed_of_classes, claimed, only_limit
from holdfast.wording import quoted

MOST_GAPS = 1_000  # groups up to which each is set against the rest


@dataclass(frozen=True)
class OfGroups:
    """One statement about each group of a division."""

    measure: str
    bound: Bound
    evidence: Evidence
    groups: Sequence[str]
    label: str | None = None
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
        return Block(claim, self.groups, self.label)


def stacked(measure: Measure, groups: int) -> bool:
    """Whether all groups are asked at once, by a stack of their tables: of rates, and of very many groups anything."""
    if measure.takes is not Contingency or measure.required:
        return False
    return groups > MOST_GAPS or all(issubclass(kind, Counts) for kind in measure.gives)


def blocks_of(lines: Sequence[Line]) -> list[Block]:
    """Lines of groups, one by one, as blocks: all groups of one measure, label and method together."""
    together: dict[tuple[object, ...], list[Line]] = {}
    for line in lines:
        claim = line.claim
        kind = (line.measure, line.label, claim.method, claim.per, claim.guarantee, claim.assumes)
        together.setdefault(kind, []).append(line)
    return [Block.of(each) for each in together.values()]


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
        yield OfGroups(measure.name, bound, narrowed, groups.names, label, assumes=assumes, only=only)
        # Where only one limit holds of each, none holds of a difference.
        if type(narrowed) is Counts and only is None and 1 < len(groups.names) <= MOST_GAPS:
            rest = Counts(narrowed.k.sum() - narrowed.k, narrowed.n.sum() - narrowed.n)
            gap = Difference.of(narrowed, rest)
            yield OfGroups(f"{measure.name}-gap", fisher, gap, groups.names, label, disjoint=False)


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

    def at(self, level: Array, side: Side) -> Repeats | None:
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
        share = replace(claim, measure=OWN_SHARE, assumes=(*claim.assumes, Assumption.OWN_SAMPLES))
        return Spread(variance, within, variance - within, share)


NO_PROBABILITIES = (
    "bins= (--bins) asks whether scores mean what they say; that needs scores that are probabilities of one label: a "
    "column of scores from 0 to 1, and positive= (--positive) if there are many labels."
)
TOGETHER = "The intervals of all {number} bins of the score of {label} hold together."
CHOSEN_BINS = "The bins were chosen by these very scores, so their intervals come without proof; give edges beforehand."


class Binned(NamedTuple):
    """What a report is to say about calibration: its questions, the bins if they were asked for, and its notes."""

    questions: list[Question]
    bins: Calibration | None
    notes: list[str]


def calibration_questions(counted: Tally, bins: Bins | None = None) -> Binned:
    """What may be asked about calibration: its error on fixed bins, and the bins themselves where they are given.

    Nothing where there is no one score that is a probability. Bins are a number of equally wide ones, their edges,
    the grades of a scale by name, or "grades" or "quantiles", which are read off the scores.

    Examples
    --------
    >>> from holdfast.predictions import Predictions
    >>> from holdfast.tally import tally
    >>> rows = Predictions.from_arrays(["ill", "ill", "well"], ["ill", "well", "well"], [0.9, 0.4, 0.2])
    >>> asked = calibration_questions(tally(rows, positive="ill"), bins=2)
    >>> [(question.measure.name, question.labels) for question in asked.questions]
    [('ece', ('ill',)), ('calibration', ('[0, 0.5)', '[0.5, 1]'))]
    """
    label = _speaks_for(counted)
    if label is None or not counted.scores[label].probabilities:
        if bins is not None:
            raise HoldfastError(NO_PROBABILITIES)
        return Binned([], None, [])
    scores = counted.scores[label]
    overall = by_bin = Reliability.of(scores, BINS if bins is None else bins)
    if isinstance(bins, str):  # bins that these scores chose
        overall = Reliability.of(scores, BINS)
    ece, calibration = find_measure("ece"), find_measure("calibration")
    questions = [Question(ece, ece(overall), (label,))]
    if bins is None:
        return Binned(questions, None, [])
    if not by_bin.exact:
        return Binned(
            questions, None, ["The bins are left out: so many scores are read in steps, and some step is in two bins."]
        )
    fixed, share = (Assumption.FIXED_BINS,) if not isinstance(bins, str) else (), 1.0 / len(by_bin.names)
    # The intervals of all bins hold together; those that are empty count, for which are is chance.
    questions.append(Question(calibration, calibration(by_bin), by_bin.names, share=share, assumes=fixed))
    means = [None if np.isnan(mean) else mean for mean in by_bin.mean_forecast.tolist()]
    rows = zip(by_bin.names, means, by_bin.n.tolist(), by_bin.positives.tolist(), strict=True)
    note = TOGETHER.format(number=len(by_bin.names), label=quoted(label)) if by_bin.fixed else CHOSEN_BINS
    return Binned(questions, Calibration(label, by_bin.fixed, tuple(Bin(*each) for each in rows)), [note])


def calibration_of_draws(subject: DrawnSubject, each_bin: bool) -> Binned:
    """The same of rows as they were drawn, on bins that no score has chosen; of each bin only where that is asked."""
    label, bins, ranked = subject.speaks_for, subject.bins, subject.counted.ranked
    assert bins is not None  # or nobody asks
    if label is None or ranked is None:
        if each_bin:
            raise HoldfastError(NO_PROBABILITIES)
        return Binned([], None, [])
    questions = [*subject.about(find_measure("ece"))]
    if not each_bin:
        return Binned(questions, None, [])
    rows = ranked.rows.rows
    place, count = bins.places(rows.scores[label]), np.ones(rows.weight.size) if rows.count is None else rows.count
    weight, score, own = (
        np.bincount(place, each, len(bins.names))
        for each in (rows.rows, rows.rows * rows.scores[label], count * (rows.truth == rows.labels.index(label)))
    )
    n = np.bincount(place, count, len(bins.names))
    means = [float(a / b) if b > 0 else None for a, b in zip(score, weight, strict=True)]
    shown = zip(bins.names, means, np.rint(n).astype(int).tolist(), np.rint(own).astype(int).tolist(), strict=True)
    questions += subject.about(find_measure("calibration"))
    note = TOGETHER.format(number=len(bins.names), label=quoted(label))
    return Binned(questions, Calibration(label, True, tuple(Bin(*each) for each in shown)), [note])


def _speaks_for(counted: Tally) -> str | None:
    """The label of the scores to speak about: the positive one, or the only one that has any."""
    if counted.positive in counted.scores:
        return counted.positive
    classes = () if counted.truths is None else [label for label in counted.truths.labels if label != NO_ANSWER]
    return next(iter(counted.scores)) if counted.scores and (len(counted.scores) == 1 or len(classes) == 2) else None
