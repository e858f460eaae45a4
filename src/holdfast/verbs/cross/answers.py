"""What came of training on parts of the data: each model's answers on the rows it was tested on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.catalog import Limit, Measure, find_measure
from holdfast.claims import Per
from holdfast.evidence import (
    Array,
    Contingency,
    Counts,
    Forecasts,
    Integers,
    MonotoneInRecalls,
    Proportions,
    Scores,
)
from holdfast.evidence.folds.folds import Folds, Scheme
from holdfast.evidence.folds.nested_cv import LeftOut, Nested, Point632, Point632Plus
from holdfast.evidence.folds.values import FoldValues, RepeatedValues
from holdfast.measures.rates import prevalence
from holdfast.predictions import Predictions
from holdfast.predictions.coded import spelled
from holdfast.predictions.design import Design
from holdfast.report.facts.assessment import Split
from holdfast.resampling import Plan
from holdfast.tally import Tally, tally
from holdfast.training import Fit, Fits
from holdfast.training.fit import LOWEST
from holdfast.verbs.assess.estimator import place_of
from holdfast.verbs.cross.measure import OnFolds, Weighing, measured, of_draws
from holdfast.verbs.jointly import assumed_of_classes, only_limit
from holdfast.verbs.subject import MOST_CLASSES, Subject

MOST_SCORED = 100  # models whose scores are looked at, one model after another
FOLDS: dict[str, Scheme] = {  # as a comparison calls them; all others tell by their shape
    **dict.fromkeys(("bootstrap", "bootstrap-all"), "bootstrap"),
    **dict.fromkeys(("hold-out", "monte-carlo", "progressive", "resubstitution"), "resampled"),
}


@dataclass(frozen=True, eq=False)
class Crossed:
    """The answers of every split, as rows, as counts and as results of folds."""

    fits: Fits
    positive: str | None
    groups: Integers | None = None  # of each row
    most: int | None = None  # rows that a group can hold, fixed beforehand
    again: Fits | None = None  # the learner tested on what it was trained on, where a rule weighs that in
    declared: tuple[str, ...] | None = None  # all labels that there are, where somebody said so
    weighing: Weighing | None = None  # what each row counts for, where not all count the same
    named: bool = False  # whether measures were named: of draws, others than error rate and accuracy
    part: NDArray[np.bool_] | None = None  # the rows that are asked about, where not all are

    @classmethod
    def of(
        cls,
        fits: Fits,
        groups: Any,
        positive: object,
        again: Fits | None = None,
        declared: tuple[str, ...] | None = None,
        most: int | None = None,
        weighing: Weighing | None = None,
        by_name: bool = False,
    ) -> Crossed:
        named = [*declared] if declared is not None else [spelled(label) for label in fits.classes]
        chosen = None if positive is None else named[place_of(positive, named)]
        if chosen is None and len(named) == 2:
            occurring = [spelled(label) for label in fits.classes]
            chosen = (occurring if len(occurring) == 2 else named)[1]  # as everywhere in scikit-learn
        codes = None if groups is None else np.unique(np.asarray(groups), return_inverse=True)[1].reshape(-1)
        if codes is not None:
            Design(max_cluster=most).check_cap(int(np.bincount(codes).max(initial=0)))
        return cls(fits, chosen, codes, most, again, declared, weighing, by_name)

    def __getstate__(self) -> dict[str, Any]:
        """What it was made of: what was derived may hold functions, which no copy can take along."""
        return {each.name: getattr(self, each.name) for each in fields(self)}

    @property
    def plan(self) -> Plan:
        return self.fits.plan

    @property
    def plain(self) -> bool:
        """Whether rows were drawn one by one, and weigh the same."""
        return self.groups is None and self.weighing is None

    @property
    def columns(self) -> tuple[str, ...]:
        """What a design calls the columns that say what was drawn."""
        weighed = self.weighing is not None and not self.weighing.design.by_class
        return ("cluster",) * (self.groups is not None) + ("weight",) * weighed

    @property
    def design(self) -> Design:
        stated = Design() if self.weighing is None else self.weighing.design
        return replace(stated, max_cluster=self.most)

    def rows(self, split: int) -> Integers:
        """The rows that the model of the split was tested on, those that are asked about."""
        rows = self.plan.test(split)
        return np.asarray(rows if self.part is None else rows[self.part[rows]], np.int64)

    def predicted(self, split: int) -> Integers:
        """What it said of them."""
        predicted = self.fits[split].predicted
        return np.asarray(predicted if self.part is None else predicted[self.part[self.plan.test(split)]], np.int64)

    def cells(self, split: int) -> Integers:
        """Where each of them stands in the table of what was taken for what."""
        places, number = self._places, len(self.labels)
        return np.asarray(places[self.predicted(split)] * number + places[self.fits.truth[self.rows(split)]], np.int64)

    @cached_property
    def labels(self) -> list[str]:
        """Those that were declared, or else those that occur."""
        return [*self.declared] if self.declared is not None else [spelled(label) for label in self.fits.classes]

    @cached_property
    def _places(self) -> Integers:
        """Where each class that occurs stands among the labels."""
        return np.array([self.labels.index(spelled(label)) for label in self.fits.classes], np.int64)

    @cached_property
    def splits(self) -> list[int]:
        return folds_of_plan(self.plan)

    @property
    def shape(self) -> tuple[int, int]:
        """Repeats and folds, where every repeat tests all rows; else one row of splits."""
        repeats = self.plan.repeats if self.plan.once or self.plan.scheme == "nested" else 1
        return repeats, len(self.splits) // repeats

    @property
    def overlapping(self) -> int:
        """How often a row is tested, at most: splits drawn anew each time may all test the same rows."""
        parted = self.plan.once or self.plan.scheme in ("nested", "progressive")
        return self.plan.repeats if parted else len(self.splits)

    def random(self, measure: str) -> bool:
        """Whether a fold is a random sample of what the measure speaks of.

        It is where labels had no say in making it. Where labels had, and nothing else, it still is for what depends on
        no class mix.
        """
        return self.plan.blind or (self.by_label and not find_measure(measure).depends_on_mix(len(self.labels)))

    @property
    def per(self) -> Per:
        """What weighs the same in a rate."""
        return "row" if self.groups is None or self.most is not None else "cluster"

    @property
    def by_label(self) -> bool:
        """Whether folds were made by the labels alone: those of a stranger may follow from anything."""
        return bool(self.plan.stratified) and not self.plan.grouped

    @cached_property
    def errors(self) -> Counts:
        """How many rows each model got wrong, of those it was tested on."""
        wrong = [np.count_nonzero(self._wrong(split)) for split in self.splits]
        return Counts(wrong, [self.rows(split).size for split in self.splits])

    def _wrong(self, split: int) -> NDArray[np.bool_]:
        return np.asarray(self.predicted(split) != self.fits.truth[self.rows(split)])

    # ---- What the folds say of each measure

    def each(self, wanted: Sequence[Measure], clip: float) -> Iterator[OnFolds]:
        """What the folds say of each measure that they bear."""
        for measure in wanted:
            if not self.plain:
                for label, only in self.of_each(measure):
                    evidence: list[Any] = [of_draws(self, measure, label, [split]) for split in self.splits]
                    yield OnFolds(measure, label, evidence, only=only)
            elif measure.takes is Contingency:
                yield from self.of_tables([measure])
            elif measure.takes in (Scores, Forecasts) and self.ranked and self.part is None:
                of_folds = [[*Subject(counted, {"clip": clip}, True).about(measure)] for counted in self.tallies]
                for questions in zip(*of_folds, strict=False):
                    yield OnFolds(measure, questions[0].labels[0], [question.evidence for question in questions])

    def of_each(self, measure: Measure) -> Iterator[tuple[str | None, Limit | None]]:
        """The classes that the measure is told of where draws are no rows of equal weight, if it is told of any."""
        if not (measured(measure) and (measure.right_or_wrong or self.named)):
            return
        if not measure.per_class:
            yield None, None
            return
        evidence = measure(self.tables)
        for place in self._shown:
            only = only_limit(measure, evidence, self.tables, place) if self.declared is None else None
            yield self.tables.labels[place], only

    @property
    def ranked(self) -> bool:
        """Whether the scores of each fold are looked at: not of folds of one row, nor of very many."""
        return len(self.splits) <= MOST_SCORED and int(self.plan.n_test.min()) > 1

    def of_tables(self, wanted: Sequence[Measure]) -> Iterator[OnFolds]:
        """What the folds say of measures that are read off tables; none where groups were drawn."""
        for measure in wanted if self.plain else ():
            if measure.takes is Contingency and not measure.required and measure is not prevalence:
                yield from self._read(measure)

    def _read(self, measure: Measure) -> Iterator[OnFolds]:
        evidence = measure(self.tables)
        if isinstance(evidence, Counts) and measure.per_class:
            kind, labels = type(evidence), self.tables.labels
            for place in self._shown:
                only = only_limit(measure, evidence, self.tables, place) if self.declared is None else None
                yield OnFolds(measure, labels[place], kind(evidence.k[..., place], evidence.n[..., place]), only=only)
        elif isinstance(evidence, (Counts, Proportions)) or (
            isinstance(evidence, MonotoneInRecalls) and evidence.n.ndim
        ):
            # What is drawn again would be drawn from one table at a time.
            assumes = assumed_of_classes(measure, self.labels) if self.declared is None else ()
            yield OnFolds(measure, None, evidence, assumes=assumes)

    @property
    def _shown(self) -> list[int]:
        """Places of the classes that get lines of their own, the positive one first."""
        places: list[int] = self.tables.classes.tolist()
        if self.positive is not None:
            places.sort(key=self.tables.place(self.positive).__ne__)
        elif len(places) > MOST_CLASSES and self.declared is None:
            return []
        return places[:MOST_CLASSES] if self.declared is None else places

    @cached_property
    def tables(self) -> Contingency:
        """What was taken for what, a table a fold."""
        labels, codes = self.labels, [self.cells(split) for split in self.splits]
        cells, where = np.unique(np.concatenate(codes), return_inverse=True)
        fold = np.repeat(np.arange(len(codes)), [len(each) for each in codes])
        times = np.bincount(fold * cells.size + where.reshape(-1), minlength=len(codes) * cells.size)
        counted = *np.divmod(cells, len(labels)), times.reshape(len(codes), cells.size)
        truths = None if self.declared is None else np.arange(len(labels))
        return Contingency.of_cells(labels, *counted, truths=truths)

    @cached_property
    def tallies(self) -> list[Tally]:
        """All that can be counted of each fold."""
        return [self.tally([split]) for split in self.splits]

    def tally(self, splits: Sequence[int]) -> Tally:
        """What the models of these splits answered, as a test set."""
        names, fits = np.asarray(self.fits.classes, object), [self.fits[split] for split in splits]
        tested, first = self.tested(splits)
        scores = self._scores(fits) if self.part is None else None
        rows = Predictions.from_arrays(
            names[self.fits.truth[tested]],
            names[np.concatenate([self.predicted(split) for split in splits])[first]],
            None if scores is None else scores[first],
            labels=self.labels,
        )
        counted = tally(rows, positive=self.positive, labels=self.labels, scores_required=scores is not None)
        if self.fits.scored_by == "predict_proba":
            return counted
        return replace(counted, forecasts=None, posteriors=None)  # wherever such scores happen to lie

    def tested(self, splits: Sequence[int]) -> tuple[Integers, NDArray[np.bool_]]:
        """The rows tested on, each once; and of all answers, which are the first for their row."""
        answers = np.concatenate([self.rows(split) for split in splits])
        first = np.zeros(len(answers), np.bool_)
        first[np.unique(answers, return_index=True)[1]] = True
        return answers[first], first

    def _scores(self, fits: Sequence[Fit]) -> Array | None:
        """The scores of the positive class, or of every label: one that does not occur has none to speak of."""
        if self.fits.scored_by is None or len(self.fits.classes) < 2:
            return None
        scores, likely = np.concatenate([fit.scores for fit in fits]), self.fits.scored_by == "predict_proba"
        if scores.ndim == 1:
            scores = np.stack([1.0 - scores if likely else -scores, scores], axis=1)
        every = np.full((len(scores), len(self.labels)), 0.0 if likely else LOWEST)
        every[:, self._places] = scores
        return every[:, self.labels.index(str(self.positive))] if len(self.labels) == 2 else every

    # ---- What else they say

    def valued(self, values: Array, within: tuple[float, float]) -> FoldValues:
        """Results of the folds, in the shape of the plan."""
        kind = RepeatedValues if self.shape[0] > 1 else FoldValues
        trained, tested = (sizes[self.splits].reshape(self.shape) for sizes in (self.plan.n_train, self.plan.n_test))
        return kind(values.reshape(self.shape), trained, tested, *within)

    def folds(self, errors: Mapping[str, Counts]) -> Folds:
        """The error rate of each fold, as a comparison takes it: of this learner, and of others on the same splits."""
        trained, tested = (sizes[self.splits].reshape(self.shape) for sizes in (self.plan.n_train, self.plan.n_test))
        rates = {name: (each.k / each.n).reshape(self.shape) for name, each in errors.items()}
        return Folds(rates, n_train=trained, n_test=tested, scheme=FOLDS.get(self.plan.scheme))

    @cached_property
    def nested(self) -> Nested | None:
        """Errors of each fold's model, and of the models trained without two folds."""
        if self.plan.scheme != "nested":
            return None
        repeats, folds = self.shape
        assert self.plan.parts is not None  # a nested plan has parts
        assert self.plan.held is not None
        outer = self.errors.k.reshape(repeats, folds)
        pairs = np.zeros((repeats, self.plan.folds - folds, 2))
        for split in sorted(set(range(len(self.plan))) - set(self.splits)):
            repeat, place = self.plan.place(split)
            part = self.plan.parts[repeat][self.plan.test(split)]
            for side, fold in enumerate(self.plan.held[place]):
                pairs[repeat, place - folds, side] = np.count_nonzero(self._wrong(split) & (part == fold))
        return Nested.from_pairs(outer, pairs, self.errors.n.reshape(repeats, folds))

    @cached_property
    def rules(self) -> list[tuple[str, LeftOut]]:
        """By name, the bootstrap's rules and what each of them weighs."""
        if self.again is None or self.part is not None or self.weighing is not None:
            return []
        rows = np.concatenate([self.plan.test(split) for split in self.splits])
        wrong = np.concatenate([self._wrong(split) for split in self.splits])
        times = np.bincount(rows, minlength=self.plan.rows)
        rates = np.bincount(rows, wrong, self.plan.rows)[times > 0] / times[times > 0]
        truth, predicted = self.fits.truth, self.again[0].predicted
        shares = [np.bincount(codes, minlength=len(self.fits.classes)) / self.plan.rows for codes in (truth, predicted)]
        weighed = rates, float(np.mean(predicted != truth)), float(1.0 - shares[0] @ shares[1])
        kinds = {"left-out-bootstrap": LeftOut, "point-632": Point632, "point-632-plus": Point632Plus}
        return [(name, kind(*weighed)) for name, kind in kinds.items()]

    def each_split(self) -> Iterator[Split]:
        """Each fold: what was trained on and tested on, and what came of it."""
        for split, errors in zip(self.splits, self.errors.k.tolist(), strict=True):
            repeat, fold = self.plan.place(split)
            yield Split(repeat, fold, int(self.plan.n_train[split]), int(self.plan.n_test[split]), errors)


def folds_of_plan(plan: Plan) -> list[int]:
    """The splits that are folds: all, but for those of a nested plan that leave out two."""
    held = plan.held if plan.scheme == "nested" else None
    alone = np.ones(plan.folds, np.bool_) if held is None else held[:, 0] == held[:, 1]
    return np.flatnonzero(np.tile(alone, plan.repeats)).tolist()
