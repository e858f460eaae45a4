"""Test sets whose class mix was chosen: what they still say, and what they say once the true mix is stated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from numbers import Real

import numpy as np

from holdfast.catalog import Measure, find_measure
from holdfast.catalog.single_rows import counted_rows, rate_of_class
from holdfast.claims import Assumption
from holdfast.errors import HoldfastError, UnknownName
from holdfast.evidence import Contingency, Counts, Evidence, Strata, shown
from holdfast.evidence.costs import Costs
from holdfast.evidence.prevalence import AtPrevalence, OfRates
from holdfast.evidence.ranking.calibration import Reliability
from holdfast.measures.costs import cost_by_class, expected_cost
from holdfast.predictions.wording import listed, quoted
from holdfast.tally import Tally
from holdfast.verbs.answers import Question

SAMPLINGS = ("random", "by-class")
ROUNDING = 1e-9  # by which stated prevalences may miss adding up to one

Ordinary = Callable[[Measure], Iterable[Question]]


def by_class_questions(
    counted: Tally,
    wanted: Sequence[Measure],
    prevalence: Mapping[str, float] | None,
    asked_by_name: bool,
    ordinary: Ordinary,
) -> tuple[list[Question], list[str]]:
    """What may be asked where how many examples there are of each class was chosen, and what the reader should know.

    Within each class the examples are still independent draws. So everything that speaks of one class at a time
    stands as it is; everything else needs to be told how frequent the classes truly are. `ordinary` gives the
    questions that would be asked of a random sample; the same are asked here, or others in their place.

    Examples
    --------
    >>> from holdfast.catalog import find_measure
    >>> from holdfast.predictions import Predictions
    >>> from holdfast.tally import tally
    >>> counted = tally(Predictions.from_arrays(["ill", "ill", "well", "well"], ["ill", "well", "well", "well"]))
    >>> wanted = [find_measure("recall"), find_measure("precision")]
    >>> asked = lambda measure: [Question(measure, measure(counted.table), counted.table.labels)]
    >>> questions, notes = by_class_questions(counted, wanted, None, False, asked)
    >>> [question.measure.name for question in questions]
    ['recall']
    """
    table = _two_columns(counted)
    mix = None if prevalence is None else class_mix(table, prevalence)
    drawn = _Drawn(table, mix)
    questions: list[Question] = []
    left_out: list[str] = []
    for measure in wanted:
        asked = list(ordinary(measure))
        answered = [each for question in asked for each in drawn.instead_of(question)]
        questions += answered
        binned = measure.takes is Reliability and counted.forecasts is not None  # asked elsewhere, of a random sample
        if (asked or binned) and not answered:
            left_out.append(measure.name)
    notes = [*drawn.notes()]
    if mix is not None and not asked_by_name and "prevalence" in left_out:
        left_out.remove("prevalence")  # it is what was stated
    if left_out:
        notes.append(_left_out(left_out, counted, mix))
    if left_out and asked_by_name:
        raise HoldfastError(notes[-1])
    return questions, notes


def class_mix(table: Contingency, prevalence: Mapping[str, float]) -> dict[str, float]:
    """How frequent each class is, from what was stated; the one that was not said has the rest.

    Examples
    --------
    >>> class_mix(Contingency([[8, 5], [3, 84]], ["fraud", "fair"], rows="predicted"), {"fraud": 0.002})
    {'fraud': 0.002, 'fair': 0.998}
    """
    classes = [table.labels[place] for place in table.classes]
    stated: dict[str, float] = {}
    if not isinstance(prevalence, Mapping):
        raise HoldfastError(
            f"prevalence= says of labels how frequent they are, as {{'fraud': 0.002}}; got {shown(prevalence)}."
        )
    for given, share in prevalence.items():
        label = str(given)
        if label not in classes:
            raise UnknownName("label", label, classes)
        if label in stated:
            raise HoldfastError(f"prevalence= (--prevalence) says twice how frequent {quoted(label)} is; say it once.")
        if not isinstance(share, Real) or isinstance(share, bool) or not 0.0 < float(share) < 1.0:
            raise HoldfastError(
                f"The prevalence of {quoted(label)} must be a number strictly between 0 and 1; got {shown(share)}."
            )
        stated[label] = float(share)
    silent = [label for label in classes if label not in stated]
    if len(silent) > 1:
        raise HoldfastError(
            f"State how frequent each class is, but for one: prevalence= (--prevalence) says nothing of "
            f"{listed(silent)}."
        )
    total = sum(stated.values())
    if total > 1.0 + ROUNDING or (silent and total >= 1.0) or (not silent and total < 1.0 - ROUNDING):
        rest = f", which leaves nothing for {quoted(silent[0])}" if silent else ""
        raise HoldfastError(f"The prevalences of all classes add up to 1; those stated add up to {total:.10g}{rest}.")
    return {label: stated.get(label, 1.0 - total) for label in classes}


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
                told = Assumption.WITHIN_CLASSES, Assumption.STATED_PREVALENCE
                yield Question(question.measure, evidence, (label,), share=question.share, assumes=told)

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

    def notes(self) -> Iterator[str]:
        if self.mix is not None:
            told = ", ".join(f"{label} {share:.6g}" for label, share in self.mix.items())
            yield f"What depends on how frequent the classes are is said for the frequencies stated: {told}."


def answered_at_mix(measure: Measure) -> bool:
    """Whether a stated mix is needed for it, and enough: of each class against the rest, or of two classes together."""
    if measure.of_mix is None:
        return False
    return bool(counted_rows(measure) or rate_of_class(measure) or measure.of_rates is not None)


def _labels(question: Question) -> list[str]:
    return [label for label in question.labels if label is not None]


def _left_out(names: Sequence[str], counted: Tally, mix: Mapping[str, float] | None) -> str:
    told = listed(list(names))
    if mix is not None:
        return f"Left out: {told}, for which no method here has a guarantee at a stated prevalence."
    table = _two_columns(counted)
    label = counted.positive or table.labels[table.classes[0]]
    chosen = f"Left out, for how many examples there are of each class was chosen: {told}."
    answered = [name for name in names if answered_at_mix(find_measure(name))]
    if not answered:
        return f"{chosen} No method here has a guarantee at a stated prevalence either."
    return (
        f"{chosen} To have {listed(answered)}, say how frequent the classes truly are: "
        f"prevalence={{{label!r}: ...}} (--prevalence {label}=...)."
    )


def _two_columns(counted: Tally) -> Contingency:
    if counted.truths is None:
        raise HoldfastError(
            "Sampling by class and a stated prevalence need to know the class of each example: give truth and "
            "predicted, not whether each was right."
        )
    return counted.truths


def refuse_weights(what: str) -> HoldfastError:
    """Why there is no interval for weighted rows, and what there is instead."""
    return HoldfastError(
        f"{what} is not taken: no interval here holds for weighted rows, since weights that were estimated, or that "
        "depend on what came true, void every guarantee. If the weights undo a chosen class mix, leave them out and "
        'say sampling="by-class" (--sampling by-class) with prevalence= (--prevalence LABEL=SHARE). If '
        "they undo another "
        "chosen mix, assess each group by itself with groups= (--by). If they are known exactly, keep each row with "
        "a chance in proportion to its weight, drawn once and before looking, and assess the rows kept."
    )


def cost_question(counted: Tally, costs: Costs, prevalence: Mapping[str, float]) -> Question:
    """What answers cost on average where the classes are as frequent as stated."""
    table = _two_columns(counted)
    told = Assumption.WITHIN_CLASSES, Assumption.STATED_PREVALENCE
    return Question(expected_cost, cost_by_class(table, costs, class_mix(table, prevalence)), assumes=told)
