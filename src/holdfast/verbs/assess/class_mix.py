"""Test sets whose class mix was chosen: what they still say, and what they say once the true mix is stated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np

from holdfast.catalog import Measure, find_measure
from holdfast.catalog.measure import counted_rows, rate_of_class
from holdfast.claims import Assumption
from holdfast.errors import HoldfastError
from holdfast.evidence import Contingency, Counts, Evidence, Scores, Strata
from holdfast.evidence.costs import Tiers
from holdfast.evidence.draws import Ratio
from holdfast.evidence.ranking.calibration import Reliability
from holdfast.evidence.tables.statistic import AtPrevalence, OfRates
from holdfast.measures.costs import cost_by_class, expected_cost
from holdfast.predictions.design import Prevalence, class_mix
from holdfast.tally import Tally
from holdfast.verbs.asking import Question
from holdfast.verbs.assess.drawn import DrawnSubject, influence_in, says_mix
from holdfast.verbs.subject import Subject, needs_scores, with_influence
from holdfast.wording import listed


class AtMix(NamedTuple):
    """What is asked where how many examples there are of each class was chosen, and what the reader should know."""

    questions: list[Question]
    notes: list[str]


def by_class_questions(
    subject: Subject,
    wanted: Sequence[Measure],
    prevalence: Prevalence | None,
    asked_by_name: bool,
    draw_by_draw: Callable[[bool], DrawnSubject],
) -> AtMix:
    """What may be asked where how many examples there are of each class was chosen, and what the reader should know.

    Within each class the examples are still independent draws. So everything that speaks of one class at a time
    stands as it is; everything else needs to be told how frequent the classes truly are. Then rates and what follows
    from them have limits at every sample size, and what is read off each row those that hold as the sample grows.
    """
    counted, table = subject.counted, subject.counted.truths
    assert table is not None  # see refuse_idle_design
    classes = [table.labels[place] for place in table.classes]
    mix = None if prevalence is None else class_mix(classes, prevalence)
    drawn = _Drawn(table, mix)
    questions: list[Question] = []
    left_out: list[str] = []
    for measure in wanted:
        usual = list(subject.about(measure))
        if measure is expected_cost and usual and mix is not None:
            assumes = Assumption.WITHIN_CLASSES, Assumption.STATED_PREVALENCE
            answered = [Question(measure, cost_by_class(table, subject.stated["costs"], mix), assumes=assumes)]
        else:
            answered = [each for question in usual for each in drawn.instead_of(question)]
        if usual and mix is not None and not answered:
            answered = [*draw_by_draw(needs_scores(measure)).about(measure)]
        elif any(isinstance(each.evidence, AtPrevalence) or each.beside is not None for each in answered):
            each_row = draw_by_draw(needs_scores(measure)).about(measure)
            beside = {question.labels: question.evidence for question in each_row}
            answered = [with_influence(each, partial(influence_in, beside.copy, each.labels)) for each in answered]
        questions += answered
        binned = measure.takes is Reliability and counted.forecasts is not None  # asked elsewhere, of a random sample
        if (usual or binned) and not answered:
            left_out.append(measure.name)
    notes = list[str]()
    if mix is not None and not asked_by_name:
        left_out = [name for name in left_out if not says_mix(find_measure(name))]  # it is what was stated
    if left_out:
        notes.append(_left_out(left_out, counted, mix, classes[0]))
    if left_out and asked_by_name:
        raise HoldfastError(notes[-1])
    return AtMix(questions, notes)


@dataclass(frozen=True)
class _Drawn:
    """A table whose class mix was chosen, and the true mix if that was stated."""

    table: Contingency
    mix: dict[str, float] | None

    def instead_of(self, question: Question) -> Iterator[Question]:
        """The same question, or the one at the stated mix; none where there is no answer."""
        if not question.measure.depends_on_mix(self.table.classes.size):
            yield replace(question, table=None, places=(), assumes=(Assumption.WITHIN_CLASSES, *question.assumes))
        elif self.mix is not None:
            for label, evidence in self._at_mix(question, self.mix):
                assumes = Assumption.WITHIN_CLASSES, Assumption.STATED_PREVALENCE
                yield Question(question.measure, evidence, (label,), share=question.share, assumes=assumes)

    def _at_mix(self, question: Question, mix: dict[str, float]) -> Iterator[tuple[str | None, Evidence]]:
        measure, table = question.measure, self.table
        if rows := counted_rows(measure):
            hits, actual = table.hits[table.classes], table.actual[table.classes]
            yield None, Strata(Counts(hits if rows == "right" else actual - hits, actual), np.array(list(mix.values())))
        elif (kind := rate_of_class(measure)) and not kind.inside:
            for label in _labels(question):
                kept_out = self._kept_out(label, mix)
                yield label, kept_out.mirror() if kind.called else kept_out
        elif (of_rates := measure.of_rates) is not None and measure.per_class:
            for label in _labels(question):
                yield label, self._against_rest(label, mix, of_rates, *measure.range)
        elif of_rates is not None and len(table.labels) == 2:  # and not a third for those without an answer
            yield None, self._against_rest(table.labels[0], mix, of_rates, *measure.range)

    def _against_rest(
        self, label: str, mix: dict[str, float], of_rates: OfRates, low: float, high: float
    ) -> AtPrevalence:
        place, rest = self.table.place(label), sum(share for other, share in mix.items() if other != label)
        recall = Counts(self.table.hits[place], self.table.actual[place])
        return AtPrevalence(recall, self._kept_out(label, mix), np.asarray(mix[label] / rest), of_rates, low, high)

    def _kept_out(self, label: str, mix: dict[str, float]) -> Strata:
        """Of each other class, how many were not taken for this one."""
        others = [other for other in mix if other != label]
        predicted, columns, times = self.table.cells
        taken = np.zeros(len(self.table.labels), np.int64)
        here = predicted == self.table.place(label)
        np.add.at(taken, columns[here], times[here])
        places = [self.table.place(other) for other in others]
        actual, shares = self.table.actual[places], np.array([mix[other] for other in others])
        return Strata(Counts(actual - taken[places], actual), shares / shares.sum())


def at_the_worst(each: Sequence[Sequence[Question]], classes: int) -> AtMix:
    """Of the same questions at each end of a range of frequencies, those about the worst over the range.

    A ratio of two sums over the classes, in which each counts as it is frequent, only rises or only falls with each
    frequency: its derivative has the same sign everywhere. Of sums of such ratios, of MCC and of kappa that is not so.
    """
    questions, left_out = list[Question](), list[str]()
    for question, *others in zip(*each, strict=True):
        if not question.measure.depends_on_mix(classes):
            questions.append(question)
        elif _worst_at_an_end(question):
            questions.append(replace(question, ends=tuple(others)))
        else:
            left_out.append(question.name)
    if not left_out:
        return AtMix(questions, [])
    names = [*dict.fromkeys(left_out)]
    they_are, them = ("they are", "them") if names[1:] else ("it is", "it")
    note = (
        f"Left out: {listed(names)}, of which it is not known that {they_are} worst where a range of frequencies ends."
    )
    return AtMix(questions, [f"{note} Ask for {them} at one frequency of each class."])


def _worst_at_an_end(question: Question) -> bool:
    measure, evidence = question.measure, question.evidence
    of_class = isinstance(evidence, AtPrevalence) and measure.per_class
    return measure.better is not None and (of_class or isinstance(evidence, (Ratio, Strata, Tiers)))


def answered_at_mix(measure: Measure) -> bool:
    """Whether a stated mix is needed for it, and enough: so for what is read off tables or rows, but the mix itself."""
    if measure.of_mix is None or says_mix(measure):
        return False
    return measure.takes in (Contingency, Scores) or measure.row_losses is not None


def _labels(question: Question) -> list[str]:
    return [label for label in question.labels if label is not None]


def _left_out(names: Sequence[str], counted: Tally, mix: Mapping[str, float] | None, first: str) -> str:
    names_listed = listed(list(names))
    if mix is not None:
        return f"Left out: {names_listed}, for which no method here has a guarantee at a stated prevalence."
    label = counted.positive or first
    chosen = f"Left out, for how many examples there are of each class was chosen: {names_listed}."
    answered = [name for name in names if answered_at_mix(find_measure(name))]
    if not answered:
        return f"{chosen} No method here has a guarantee at a stated prevalence either."
    return (
        f"{chosen} To have {listed(answered)}, say how frequent the classes truly are: "
        f"prevalence={{{label!r}: ...}} (--prevalence {label}=...)."
    )
