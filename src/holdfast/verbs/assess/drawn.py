"""What rows say of each measure that were not drawn one by one, or do not all weigh the same: of all, and of groups."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from typing import Any

import numpy as np

from holdfast.catalog import Limit, Measure
from holdfast.claims import Assumption, Per
from holdfast.evidence import Contingency, Evidence, Scores
from holdfast.evidence.counts import Samples
from holdfast.evidence.draws import Influence, Ratio, combined
from holdfast.evidence.ranking.calibration import FixedBins, Reliability
from holdfast.evidence.value import Scale
from holdfast.measures.calibration import ece_of_clusters
from holdfast.predictions.design import Design
from holdfast.predictions.grading import Values
from holdfast.tally import Tally
from holdfast.tally.designs.areas import Others, Readings, calibrated
from holdfast.tally.designs.divided import Divided
from holdfast.tally.designs.drawn import Drawn
from holdfast.tally.designs.draws import DrawnRows
from holdfast.tally.designs.reading import passes, readings
from holdfast.verbs.asking import Question
from holdfast.verbs.jointly import assumed_of_classes, only_limit
from holdfast.verbs.subject import shown_classes, with_influence

MEAN_VALUE = "mean-value"  # what accuracy is called in the units of values that say how right an answer is
MOST_GAPS = 1_000  # groups up to which each is set against the rest


@dataclass(frozen=True)
class DrawnSubject:
    """What was drawn, and what the user stated besides: a measure is asked for once all that it requires is stated."""

    counted: Tally
    design: Design
    stated: Mapping[str, Any]  # parameters of measures: clip, costs, classes, alpha
    declared: bool = False  # whether the labels were, and not just found
    asked_about: Sequence[str] = ()  # labels that were, beside the positive one
    pass_at: Sequence[int] = ()  # values of k
    values: Values = field(default_factory=Values)  # the range of values that say how right an answer is
    bins: FixedBins | None = None  # of scores, where it is asked whether these mean what they say

    @property
    def drawn(self) -> DrawnRows:
        assert self.counted.drawn is not None  # or nobody asks this subject
        return self.counted.drawn

    def about(self, measure: Measure) -> Iterator[Question]:
        """The questions about one measure; none where the data do not bear it."""
        if (divided := self._divided(measure)) is not None:
            rows = divided.whole
            yield from self._of(measure, rows, self._draw_by_draw(measure, rows))

    def about_groups(self, measure: Measure, gaps: bool = True) -> Iterator[Question]:
        """The same of each group and, if asked for, what each has more than the rest."""
        divided = self._divided(measure)
        for division in () if divided is None else divided.divisions:
            assert divided is not None
            share = 1.0 / len(division.names)
            compared = gaps and measure.better is not None and measure.of_question is None
            compared = compared and 1 < len(division.names) <= MOST_GAPS
            others = Others(divided, division, measure, self._draw_by_draw(measure, divided.whole))
            for place, (name, rows) in enumerate(divided.parts(division)):
                spread = self._draw_by_draw(measure, rows)
                for question in self._of(measure, rows, spread, name):
                    yield replace(question, share=share * question.share)
                if compared:
                    rest = others.than(place, rows, spread(), partial(self._draw_by_draw, measure))
                    for question in self._gaps(measure, spread(), rest, name):
                        yield replace(question, share=share)

    def _draw_by_draw(self, measure: Measure, rows: Drawn) -> Callable[[], Readings]:
        """What each draw adds, though it be a row of its own: read off once, where that is asked for."""
        return cache(lambda: dict(self._readings(measure, rows.draw_by_draw())))

    def _gaps(self, measure: Measure, one: Readings, other: Readings, name: str) -> Iterator[Question]:
        """By how much a group is ahead of all others, draw by draw."""
        low, high = measure.range
        named = replace(measure, name=f"{measure.name}-gap", range=(low - high, high - low), aliases=())
        for label, evidence in one.items():
            both = evidence, other.get(label)
            if all(isinstance(each, (Ratio, Influence)) for each in both) and self._only(measure, label) is None:
                gap = combined((1.0, -1.0), both)  # type: ignore[arg-type]  # both are
                yield Question(named, gap, (label,), assumes=self._assumes(measure), group=name)

    # ---- What the rows bear

    def _divided(self, measure: Measure) -> Divided | None:
        """The rows that it is read off, and how they are divided."""
        if not self.stated.keys() >= set(measure.required) - {"k"} or not self._has_target(measure):
            return None
        if measure.takes in (Contingency, Samples):
            return self.drawn.tables
        if self.counted.ranked is None:
            return None
        scored = self.counted.ranked.rows
        return scored.by_score if measure.takes is Scores else scored

    def _has_target(self, measure: Measure) -> bool:
        """Whether the design tells how frequent the classes are, where that matters, and leaves something to ask."""
        if self.design.prevalence is not None and says_mix(measure):
            return False
        return not self.design.by_class or self.design.prevalence is not None or not self._depends(measure)

    def _depends(self, measure: Measure) -> bool:
        """Whether it changes with how frequent the classes are."""
        table = self.counted.truths
        return measure.depends_on_mix(2 if table is None else int(table.classes.size))

    def _readings(self, measure: Measure, rows: Drawn) -> Iterator[tuple[str | None, Evidence]]:
        if measure.takes is Samples:
            for k in self.pass_at:
                yield f"k={k}", passes(measure, rows, k)
            return
        if measure.takes is Reliability:
            if self.bins is not None and (label := self.speaks_for) is not None:
                yield from calibrated(measure, rows, label, self.bins)
            return
        stated = {name: self.stated[name] for name in measure.parameters if name in self.stated}
        labels = self._labels if rows.part is None else self._labels_of_groups
        yield from readings(measure, rows, labels if measure.per_class else None, **stated)

    def _of(
        self, measure: Measure, rows: Drawn, spread: Callable[[], Readings], group: str | None = None
    ) -> Iterator[Question]:
        one_by_one = rows.draws.rows and rows.draws.stratum is None
        for label, evidence in self._readings(measure, rows) if rows.draws.rows else spread().items():
            for named, each in self._in_units(measure, evidence, rows):
                question_of = partial(self._question, named, label=label, group=group)
                if one_by_one:
                    yield with_influence(question_of(each), partial(influence_in, spread, label))
                    continue
                if measure.takes is Reliability and measure.smooth is False and rows.draws.averaged:
                    yield question_of(self._of_average_cluster(rows), per="cluster")
                if isinstance(each, Ratio) and self._averages(measure, each):
                    yield question_of(each.of_average_draw, per="cluster")
                    if not each.uneven:
                        continue  # then the average row is that of the average cluster
                question = measure.takes is Samples and rows.question is None
                yield question_of(each, per="cluster" if question else "row")

    @property
    def speaks_for(self) -> str | None:
        """The label whose scores are probabilities that may mean what they say: the positive one, or the only one."""
        ranked = self.counted.ranked
        if ranked is None or ranked.rows.rows.probability is None:
            return None
        scores = ranked.rows.rows.scores
        if self.counted.positive in scores:
            return self.counted.positive
        table = self.counted.truths
        two = table is not None and table.classes.size == 2
        return next(iter(scores)) if scores and (len(scores) == 1 or two) else None

    def _of_average_cluster(self, rows: Drawn) -> Evidence:
        """The calibration error in which every cluster weighs the same."""
        label = self.speaks_for
        assert label is not None  # see _readings
        assert self.bins is not None
        positive = np.asarray(rows.truth == rows.labels.index(label))
        return ece_of_clusters(rows.scores[label], positive, rows.draw, self.bins)

    def _in_units(self, measure: Measure, evidence: Evidence, rows: Drawn) -> Iterator[tuple[Measure, Evidence]]:
        """The measure and, of a share of all that answers could be worth, the same in the units of their values."""
        yield measure, evidence
        ends = self.values.low, self.values.high
        graded = rows.value is not None and measure.right_or_wrong and measure.better == "higher"
        if graded and ends != (0.0, 1.0) and isinstance(evidence, Ratio):
            yield replace(measure, name=MEAN_VALUE, range=ends, aliases=()), replace(evidence, scale=Scale(*ends))

    def _averages(self, measure: Measure, ratio: Ratio) -> bool:
        """Whether it is told of the average cluster first."""
        return ratio.draws.averaged and measure.out_of == "all" and not measure.per_class

    def _question(
        self, measure: Measure, evidence: Evidence, label: str | None, group: str | None, per: Per = "row"
    ) -> Question:
        if isinstance(evidence, (Ratio, Influence)):
            evidence = self._alone(measure, evidence)
        if isinstance(evidence, Ratio):
            evidence = evidence.condensed
        # Counts and the like do not know how what they count was drawn.
        sentences = () if isinstance(evidence, (Ratio, Influence)) else self.drawn.draws.assumes
        assumes, only = (*sentences, *self._assumes(measure)), self._only(measure, label)
        # The intervals of all bins hold together; those that are empty count, for which are is chance.
        share = 1.0 / len(self.bins.names) if self.bins and measure.label_is == "bin" else 1.0
        return Question(measure, evidence, (label,), per=per, assumes=assumes, only=only, group=group, share=share)

    def _alone(self, measure: Measure, evidence: Ratio | Influence) -> Ratio | Influence:
        """Where how many rows there are of each class was chosen: a rate within one class is that class's alone."""
        if not self.design.by_class or self._depends(measure):
            return evidence
        if isinstance(evidence, Ratio):
            return evidence.of_one_stratum
        return replace(evidence, terms=tuple((factor, ratio.of_one_stratum) for factor, ratio in evidence.terms))

    # ---- What is known of the labels

    @cached_property
    def _labels(self) -> list[str]:
        """Those of the classes that get lines of their own."""
        table = self.counted.truths
        if table is None:
            return []
        return [table.labels[place] for place in shown_classes(table, self.counted.positive, self.declared)]

    @property
    def _labels_of_groups(self) -> list[str]:
        """The same of the rows of a group: the positive class, where there is one, and those asked about."""
        about = (self.counted.positive, *self.asked_about)
        return self._labels if self.counted.positive is None else [label for label in self._labels if label in about]

    def _assumes(self, measure: Measure) -> tuple[Assumption, ...]:
        table = self.counted.truths
        sentences = () if self.declared or table is None else assumed_of_classes(measure, table.labels)
        if self.design.prevalence is not None and self._depends(measure):
            sentences = (Assumption.STATED_PREVALENCE, *sentences)
        if measure.takes is Samples:
            return (*sentences, Assumption.FIXED_SAMPLES)
        if measure.takes is Reliability:
            return (*sentences, Assumption.FIXED_BINS)
        graded = measure.right_or_wrong and len(self.values.levels) > 0
        return (*sentences, Assumption.KNOWN_LEVELS) if graded else sentences

    def _only(self, measure: Measure, label: str | None) -> Limit | None:
        table = self.counted.truths
        stated = (*self.counted.stated, *self.asked_about)
        if label is None or table is None or not measure.per_class or self.declared or label in stated:
            return None
        return only_limit(measure, measure(table), table, table.place(label))


def says_mix(measure: Measure) -> bool:
    """Whether it says how frequent the classes are: what is read off the true labels alone."""
    return measure.takes is Contingency and not measure.needs_predictions


def influence_in(read: Callable[[], Mapping[Any, Evidence]], key: object) -> Influence | None:
    """How much each draw adds to one of the things that were read, where that is known."""
    evidence = read().get(key)
    return evidence.influence if isinstance(evidence, (Ratio, Influence)) else None
