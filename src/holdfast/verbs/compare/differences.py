"""What two models of a panel differ by, in any measure and any group: first minus second; or why not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, cached_property
from typing import Any

import numpy as np

from holdfast.catalog import Measure
from holdfast.catalog.measure import single_rows
from holdfast.claims import Assumption, Per
from holdfast.errors import HoldfastError
from holdfast.evidence import (
    NO_ANSWER,
    Array,
    Contingency,
    Counts,
    Evidence,
    Losses,
    Margins,
    Proportions,
    Scores,
    TableStatistic,
)
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
from holdfast.tally.designs.reading import MOST_CELLS, readings
from holdfast.tally.panel.drawn import PanelRows
from holdfast.verbs.asking import Question
from holdfast.verbs.assess.drawn import MEAN_VALUE
from holdfast.verbs.jointly import assumed_of_classes, only_limit
from holdfast.verbs.subject import shown_classes

MOST_RATES = 5 * 10**7  # of a label and a draw each: an average over more would not fit into memory
Part = tuple[str, Array]  # a group of examples: what it is called, and which they are


class Differences:
    """The answers of all models, read once for each, and what any two of them differ by."""

    def __init__(self, panel: Panel, stated: Mapping[str, Any], pass_at: Sequence[int] = ()) -> None:
        self.panel, self.stated, self.pass_at = panel, stated, pass_at
        self.rows = PanelRows(panel)
        self.table = cache(panel.table)  # of what a model predicted, beside the truth
        self._reason = cache(self.why_not)
        self._models: dict[tuple[int, str | None], Drawn] = {}
        self._limited = cache(self._one_limited)
        self._read: dict[tuple[int, str, str | None], dict[str | None, Evidence]] = {}

    def about(self, first: int, second: int, measure: Measure, part: Part | None = None) -> Iterator[Question]:
        """What the examples say of the first model minus the second: a question for each class, or each k."""
        if reason := self._reason(measure):
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

    # ---- What can be compared

    def why_not(self, measure: Measure) -> str | None:
        """Why the data do not bear the measure, or why it is not compared; None where there is an answer."""
        panel = self.panel
        if not measure.needs_predictions:
            return "how frequent a class is depends on no model."
        if measure.better is None:
            return "neither more of it nor less is better."
        if measure.of_question is not None:
            if panel.grades is not None:
                return "answers may be partly right, and it counts samples that are right; compare error rates."
            return None if self.pass_at else "state the values of k as pass_at= (--pass-at)."
        if missing := [name for name in measure.required if name not in self.stated]:
            return f"state {', '.join(f'{name}= (--{name})' for name in missing)} beforehand."
        if measure.right_or_wrong:
            return self._no_mix(measure)
        if measure.takes is Contingency:
            if panel.sampled:
                return "examples have several samples, and no single prediction; compare error rates or pass@k."
            if panel.grades is not None:
                return "answers that may be partly right have no label; compare error rates, or accuracy."
            if panel.truth is None or panel.predicted is None:
                return "the answers are only known as right or wrong; give truth and predictions."
            return self._too_many(measure) or self._no_mix(measure)
        return self._no_scores(measure) or self._no_mix(measure)

    def _too_many(self, measure: Measure) -> str | None:
        """Why there are more labels than the measure can be told for."""
        labels = len(self.panel.labels)
        if measure.per_class:
            if self.shown_labels:
                return None
            return (
                f"it is told of each class, and there are {labels:,}; say which one matters by positive= (--positive)."
            )
        single = None if measure.required else measure(single_rows())
        averaged = isinstance(single, Proportions) and self._different * labels > MOST_RATES
        if averaged or (isinstance(single, TableStatistic) and self._cells > MOST_CELLS):
            return f"with {labels:,} labels that would take too long; compare error rates, or the recall of one label."
        return None

    @cached_property
    def _different(self) -> int:
        """Different draws of two models."""
        alike = self.rows.pair(0, 1)[0].draws.times if self.panel.counted else self.rows.draws.times
        return int(alike.size)

    @cached_property
    def _cells(self) -> int:
        """Different cells of the table of that model which has most of them."""
        assert self.panel.predicted is not None  # see why_not
        return max(self.table(model).seen.cells[0].size for model in range(len(self.panel.models)))

    def _no_mix(self, measure: Measure) -> str | None:
        design = self.panel.design
        if design.by_class and design.prevalence is None and self.depends(measure):
            chosen = "it depends on how frequent the classes are, which was chosen"
            return f"{chosen}: state that by prevalence= (--prevalence)."
        return None

    def _no_scores(self, measure: Measure) -> str | None:
        """Why the scores do not bear the measure; None where they do."""
        panel = self.panel
        if panel.scores is None or panel.truth is None or panel.positive is None:
            return "it needs the true labels and the scores of the positive one for every model."
        if measure.takes is Scores:
            return None if measure.influence is not None else "how much each example changes it is not declared."
        if measure.takes is not Reliability and measure.row_losses is None:
            return "what each example loses is not declared."
        likely = not np.any((panel.scores < 0) | (panel.scores > 1))
        if measure.takes is Margins and likely:
            return "the scores look like probabilities; a margin needs decision values, negative on one side."
        if measure.takes is Margins:
            classes = sum(label != NO_ANSWER for label in panel.labels)
            two = f"a margin needs two labels, one on either side of 0, and there are {classes:,}."
            return two if classes > 2 else None
        if likely:
            return None
        low, high = panel.scores.min(), panel.scores.max()
        return f"the scores run from {low:g} to {high:g}, so they are no probabilities."

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
            of_model = Samples(type(samples)(samples.k[model], samples.n[model]))
            for k in self.pass_at:
                rows = self._kept(self.rows.of_values(measure.of_question(of_model, k)), part)
                levels = EVENTS if np.all(of_model.each.n == k) else ()
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

    def _one_limited(self, model: int, measure: Measure) -> frozenset[str]:
        """The labels that were found, of which one limit alone holds; where that is so of both, none holds of a gap."""
        if self.panel.declared or measure.of_found is None or not measure.per_class:
            return frozenset()
        table = self.table(model)
        evidence, labels = measure(table), (label for label in self.shown_labels if label != self.panel.positive)
        return frozenset(
            label for label in labels if only_limit(measure, evidence, table, table.place(label)) is not None
        )

    # ---- What is known of the labels

    def depends(self, measure: Measure) -> bool:
        """Whether it changes with how frequent the classes are."""
        return measure.depends_on_mix(sum(label != NO_ANSWER for label in self.panel.labels) or 2)

    @cached_property
    def shown_labels(self) -> list[str]:
        """The classes that get questions of their own, the positive one first."""
        table, positive = self.table(0), self.panel.positive if self.panel.positive in self.panel.labels else None
        return [table.labels[place] for place in shown_classes(table, positive, self.panel.declared)]
