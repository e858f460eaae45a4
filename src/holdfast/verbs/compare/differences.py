"""What two models of a panel differ by, in any measure and any group: first minus second."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from holdfast.catalog import Measure
from holdfast.claims import Assumption, Per
from holdfast.errors import HoldfastError
from holdfast.evidence import Array, Contingency, Counts, Evidence, Losses, Scores
from holdfast.evidence.counts import Samples, Strata
from holdfast.evidence.draws import Influence, Ratio
from holdfast.evidence.pairs.separate import SeparateEstimates
from holdfast.evidence.pools.panel import Panel
from holdfast.evidence.ranking.calibration import BINS, Reliability
from holdfast.evidence.ranking.distance import Gini, PairedScores
from holdfast.evidence.value import Differences as Scales
from holdfast.measures.calibration import ece, ece_of_clusters
from holdfast.measures.influences import calibration_error_of
from holdfast.tally.designs.drawn import EVENTS, Drawn
from holdfast.tally.designs.reading import readings
from holdfast.verbs.asking import Question
from holdfast.verbs.assess.drawn import MEAN_VALUE
from holdfast.verbs.compare.comparable import Comparable
from holdfast.verbs.jointly import assumed_of_classes, only_limit

Part = tuple[str, Array]  # a group of examples: what it is called, and which they are


class Differences(Comparable):
    """The answers of all models, read once for each, and what any two of them differ by."""

    def __init__(self, panel: Panel, stated: Mapping[str, Any], pass_at: Sequence[int] = ()) -> None:
        super().__init__(panel, stated, pass_at)
        self._reasons: dict[Measure, str | None] = {}
        self._one_limit: dict[tuple[int, Measure], frozenset[str]] = {}
        self._read: dict[tuple[int, str, str | None], dict[str | None, Evidence]] = {}
        self._models: dict[tuple[int, str | None], Drawn] = {}

    def about(self, first: int, second: int, measure: Measure, part: Part | None = None) -> Iterator[Question]:
        """What the examples say of the first model minus the second: a question for each class, or each k."""
        if measure not in self._reasons:
            self._reasons[measure] = self.why_not(measure)
        if reason := self._reasons[measure]:
            raise HoldfastError(f"{measure.name} of two models cannot be compared: {reason}")
        for label, evidence in self._evidence(first, second, measure, part):
            if not (self._limited(first, measure) & self._limited(second, measure) & {label}):
                yield from self._questions(measure, evidence, label, None if part is None else part[0])

    def own(self, model: int, measure: Measure) -> Question:
        """What the examples say of one model, in a measure that is no class's."""
        if self.panel.counted and measure.right_or_wrong:
            wrong = Counts(np.count_nonzero(self.panel.wrong[model]), self.panel.n)
            return self._question(measure, measure, wrong if measure.better == "lower" else wrong.mirror())
        [(_, evidence)] = readings(measure, self._model(model, None).draw_by_draw())
        assert isinstance(evidence, Ratio)  # a share of right or wrong answers
        averages = self._averages(measure, evidence)
        return self._question(
            measure, measure, evidence.of_average_draw if averages else self._condensed(measure, evidence)
        )

    # ---- The evidence

    def _evidence(
        self, first: int, second: int, measure: Measure, part: Part | None
    ) -> Iterator[tuple[str | None, Evidence]]:
        if measure.takes is Reliability:
            yield from ((self.panel.positive, each) for each in self._calibrated(first, second, part))
        elif measure.takes is Scores and self.panel.plain:
            yield self.panel.positive, self._ranked(first, second, measure, part)
        else:
            one, other = self._each(first, second, measure, part)
            for label, evidence in one.items():
                if isinstance(evidence, (Ratio, Influence)) and label in other:
                    yield label, evidence - other[label]  # type: ignore[operator]  # of one kind

    def _each(self, first: int, second: int, measure: Measure, part: Part | None) -> list[dict[str | None, Evidence]]:
        """What either model's answers say, draw by draw; of draws just alike in both once, where each is one row."""
        if measure.takes is not Contingency or not self.panel.counted or self.panel.predicted is None:
            return [self._readings(model, measure, part) for model in (first, second)]
        pair = self.rows.pair(first, second, None if part is None else part[1])
        return [dict(self._read_off(measure, rows)) for rows in pair]

    def _readings(self, model: int, measure: Measure, part: Part | None) -> dict[str | None, Evidence]:
        """What one model's answers say, draw by draw."""
        key = model, measure.name, None if part is None else part[0]
        if key not in self._read:
            self._read[key] = dict(self._all_readings(model, measure, part))
        return self._read[key]

    def _all_readings(self, model: int, measure: Measure, part: Part | None) -> Iterator[tuple[str | None, Evidence]]:
        if measure.of_question is not None:
            samples = self.panel.samples.each
            asked = Samples(type(samples)(samples.k[model], samples.n[model]))
            for k in self.pass_at:
                rows = self._kept(self.rows.of_values(measure.of_question(asked, k)), part)
                levels = EVENTS if np.all(asked.each.n == k) else ()
                assert rows.value is not None
                yield f"k={k}", rows.ratio(rows.value, over="questions", levels=levels, graded=levels != EVENTS)
            return
        yield from self._read_off(measure, self._model(model, part))

    def _read_off(self, measure: Measure, rows: Drawn) -> Iterator[tuple[str | None, Evidence]]:
        stated = {name: self.stated[name] for name in measure.parameters if name in self.stated}
        labels = self.shown_labels if measure.per_class else None
        yield from readings(measure, rows.draw_by_draw(), labels, **stated)

    def _model(self, model: int, part: Part | None) -> Drawn:
        key = model, None if part is None else part[0]
        if key not in self._models:
            self._models[key] = self._kept(self.rows.model(model), part)
        return self._models[key]

    @staticmethod
    def _kept(rows: Drawn, part: Part | None) -> Drawn:
        return rows if part is None else rows.kept(part[1], part[0])

    def _condensed(self, measure: Measure, evidence: Evidence) -> Evidence:
        """With draws that are single rows as such again: then counts of what each can add are enough.

        Where how many rows there are of each class was chosen, a rate within one class is that class's alone.
        """
        if not isinstance(evidence, Ratio):
            return evidence
        ratio = replace(evidence, draws=replace(evidence.draws, rows=self.rows.draws.rows))
        alone = self.panel.design.by_class and not self.depends(measure)
        return (ratio.of_one_stratum if alone else ratio).condensed

    def _ranked(self, first: int, second: int, measure: Measure, part: Part | None) -> Evidence:
        positive = self.panel.positive
        assert positive is not None  # see why_not
        one, other = (self._model(model, part) for model in (first, second))
        scores, truly = (one.scores[positive], other.scores[positive]), one.truth == one.labels.index(positive)
        if measure.gives[0] in (Scores, Gini):  # what is read off placements goes together
            placed = PairedScores(*scores, truly)
            return placed.gini if measure.gives[0] is Gini else placed
        if not measure.smooth:
            return SeparateEstimates(*(measure(Scores(each, truly)) for each in scores))
        readings_of = (self._readings(model, measure, part)[positive] for model in (first, second))
        return next(readings_of) - next(readings_of)  # type: ignore[operator]  # influences

    def _calibrated(self, first: int, second: int, part: Part | None) -> Iterator[Evidence]:
        """The calibration error of each model, on bins that no data chose; that of the average cluster first."""
        positive = self.panel.positive
        assert positive is not None  # see why_not
        each = [self._model(model, part) for model in (first, second)]
        truly = np.asarray(each[0].truth == each[0].labels.index(positive))
        if self.panel.plain:
            one, other = (ece(Reliability.of(Scores(rows.scores[positive], truly))) for rows in each)
            yield SeparateEstimates(one, other)
            return
        if self.rows.draws.averaged:
            first_error, second_error = (ece_of_clusters(rows.scores[positive], truly, rows.draw) for rows in each)
            yield SeparateEstimates(first_error, second_error)
            sizes = np.unique(each[0].draw, return_counts=True)[1]
            if not np.any(sizes != sizes[:1]):
                return  # then the average row is that of the average cluster
        edges = np.arange(BINS + 1) / BINS
        errors = []
        for rows in each:
            value, added = calibration_error_of(rows.scores[positive], truly, rows.rows, edges=edges)
            errors.append(replace(rows.influence(value, added), smooth=False))
        yield errors[0] - errors[1]

    # ---- The questions

    def _questions(
        self, measure: Measure, evidence: Evidence, label: str | None, group: str | None
    ) -> Iterator[Question]:
        for name, each in self._in_units(measure, evidence):
            high = float(each.scale.units(np.asarray(1.0)))
            named = replace(measure, name=f"{name}-difference", range=(-high, high), aliases=())
            condensed = self._condensed(measure, each)
            # What is read off the same draws holds for large samples, beside limits that know of no others.
            beside = None
            if isinstance(each, Ratio) and isinstance(condensed, (Losses, Strata)):
                beside = replace(each.influence, terms=())
            if isinstance(condensed, Ratio) and self._averages(measure, condensed):
                yield self._question(named, measure, condensed.of_average_draw, label, group)
                if self.panel.sampled or not condensed.uneven:
                    continue  # questions are no rows; and where all hold as many, the average row is the cluster's
            yield replace(self._question(named, measure, condensed, label, group), beside=beside)

    def _in_units(self, measure: Measure, evidence: Evidence) -> Iterator[tuple[str, Evidence]]:
        """The measure and, of a share of all that answers could be worth, the same in the units of their values."""
        yield measure.name, evidence
        values = self.panel.values
        if values is None or not (measure.right_or_wrong and measure.better == "higher"):
            return
        if isinstance(evidence, Ratio) and (values.low, values.high) != (0.0, 1.0):
            yield MEAN_VALUE, replace(evidence, scale=Scales.of(values.high - values.low), levels=())

    def _question(
        self,
        named: Measure,
        measure: Measure,
        evidence: Evidence,
        label: str | None = None,
        group: str | None = None,
    ) -> Question:
        drawn = tuple(each for each in self.rows.draws.assumes if each is not Assumption.INDEPENDENT)
        assumes = drawn + (() if self.panel.declared else assumed_of_classes(measure, self.panel.labels))
        assumes += (Assumption.FIXED_BINS,) if measure.takes is Reliability else ()
        assumes += (Assumption.FIXED_SAMPLES,) if measure.of_question is not None else ()
        if self.panel.design.prevalence is not None and self.depends(measure):
            assumes = (Assumption.STATED_PREVALENCE, *assumes)
        # Samples of a question are a cluster of their own; elsewhere only averages are of clusters.
        clustered = "cluster" in self.rows.held
        averaged = isinstance(evidence, (Losses, SeparateEstimates)) if clustered else self.panel.sampled
        per: Per = "cluster" if averaged else "row"
        return Question(named, evidence, (label,), per=per, assumes=assumes, group=group)

    def _averages(self, measure: Measure, ratio: Ratio) -> bool:
        """Whether it is told of the average cluster first."""
        return ratio.draws.averaged and measure.out_of == "all" and not measure.per_class

    def _limited(self, model: int, measure: Measure) -> frozenset[str]:
        """The labels that were found, of which one limit alone holds; where that is so of both, none holds of a gap."""
        if self.panel.declared or measure.of_found is None or not measure.per_class:
            return frozenset()
        if (model, measure) not in self._one_limit:
            table = self.table(model)
            evidence = measure(table)
            labels = (label for label in self.shown_labels if label != self.panel.positive)
            limited = (
                label for label in labels if only_limit(measure, evidence, table, table.place(label)) is not None
            )
            self._one_limit[model, measure] = frozenset(limited)
        return self._one_limit[model, measure]
