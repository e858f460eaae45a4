"""What two models of a panel differ by, in any measure: first minus second."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from types import MappingProxyType
from typing import Any

import numpy as np

from holdfast.catalog import Measure, measures
from holdfast.catalog.single_rows import OfClass, counted_rows, rate_of_class
from holdfast.claims import Assumption, Per
from holdfast.errors import HoldfastError
from holdfast.evidence import Array, Contingency, Evidence, Integers, Losses, Scores
from holdfast.evidence.clusters import Clusters
from holdfast.evidence.contingency import portions
from holdfast.evidence.counts import Counts
from holdfast.evidence.pairs.loss_differences import Gaps
from holdfast.evidence.pairs.paired import Paired
from holdfast.evidence.pairs.paired_table import Joint, JointTable
from holdfast.evidence.pools.panel import Panel
from holdfast.evidence.ranking.calibration import Reliability
from holdfast.measures.clusters import all_wrong, exactly, pass_at_k
from holdfast.verbs.answers import Question
from holdfast.verbs.assess.found_labels import assumed_of_classes, only_limit
from holdfast.verbs.compare.per_draw import gap_of_errors, mean_gap, of_draws, paired_errors
from holdfast.verbs.compare.score_differences import ScoredPair

NOTHING: Mapping[str, Any] = MappingProxyType({})
MOST_CLASSES = 200  # that get questions of their own, unless one of them is the positive one
MOST_LEFT_OUT = 5 * 10**8  # labels of all tables that lack one draw: more would take minutes
ONE_BY_ONE = 512  # answers that are priced at once, a table for each


def differences(
    panel: Panel,
    first: int,
    second: int,
    wanted: Sequence[Measure],
    *,
    given: Mapping[str, Any] = NOTHING,
    pass_at: Sequence[int] = (),
) -> list[Question]:
    """What the examples say of the first model minus the second, a question for each measure, and for each class.

    Parameters
    ----------
    panel
        The answers of all models. Where it has clusters, they are what is drawn; where examples have several samples,
        examples are, and their shares of wrong samples are compared.
    first, second
        Places of the two models in the panel.
    wanted
        Measures, as of one model. One that these data do not bear, or that depends on no model, is refused;
        `comparable` tells which are not.
    given
        Parameters of measures, as in `assess`: clip, costs, classes.
    pass_at
        Values of k: the chance that one of k samples answers a question.

    Examples
    --------
    >>> from holdfast.catalog import find_measure
    >>> panel = Panel(("a", "b"), np.array([[0, 1, 0, 0], [0, 0, 1, 1]], bool))
    >>> [asked] = differences(panel, 0, 1, [find_measure("error-rate")])
    >>> asked.measure.name, asked.evidence
    ('error-rate-difference', Paired(won=2, lost=1, n=4))
    """
    pair = _Pair(panel, first, second)
    asked = [measure for measure in wanted if not (measure is pass_at_k and pass_at)]
    questions = [question for measure in asked for question in pair.about(measure, given)]
    return questions + [pair.passing(k) for k in pass_at]


def comparable(panel: Panel, given: Mapping[str, Any] = NOTHING) -> list[Measure]:
    """The measures whose difference the panel bears, in the order of the catalog."""
    pair = _Pair(panel, 0, 1)
    return [measure for measure in measures() if pair.why_not(measure, given) is None]


def own_losses(panel: Panel) -> list[Losses]:
    """The error rate of each model on each cluster, or else on each example by its share of wrong samples."""
    return [Losses(np.sort(of_draws(panel, wrong.astype(np.float64)))) for wrong in panel.wrong]


class _Pair:
    """The evidence that two models of a panel give for each measure."""

    def __init__(self, panel: Panel, first: int, second: int) -> None:
        self.panel, self.models, self.scored = panel, (first, second), ScoredPair(panel, first, second)
        alike = panel.clusters is None and not panel.sampled
        self.assumes = () if alike else (Assumption.CLUSTERS,)

    def about(self, measure: Measure, given: Mapping[str, Any]) -> Iterator[Question]:
        if reason := self.why_not(measure, given):
            raise HoldfastError(f"{measure.name} of two models cannot be compared: {reason}")
        stated = {name: given[name] for name in measure.parameters if name in given}
        if measure.right_or_wrong or (counted_rows(measure) and not self.assumes):
            yield self._right_or_wrong(measure)
        elif measure.takes is not Contingency:
            yield self._scored(measure, stated)
        elif measure.required:
            yield self._charged(measure, stated)
        elif (kind := rate_of_class(measure)) and not self.assumes:
            places = self._claimed(measure)
            found = self._of_class(kind, places)
            yield from map(self._asked, [measure] * len(places), found, self._labels(places))
        else:
            shown = self._claimed(measure) if measure.per_class else None
            read = Joint.read(measure, self._joint, shown)
            yield from map(self._asked, [measure] * len(read), read, [None] if shown is None else self._labels(shown))

    def why_not(self, measure: Measure, given: Mapping[str, Any]) -> str | None:
        """Why the data do not bear the measure, or why it is not compared; None where there is an answer."""
        panel = self.panel
        if not measure.needs_predictions:
            return "how frequent a class is depends on no model."
        if measure.better is None:
            return "neither more of it nor less is better."
        if measure is pass_at_k:
            return "state the values of k as pass_at= (--pass-at)."
        if missing := [name for name in measure.required if name not in given]:
            return f"state {', '.join(f'{name}= (--{name})' for name in missing)} beforehand."
        if measure.right_or_wrong:
            return None
        if measure.takes is Contingency:
            if panel.sampled:
                return "examples have several samples, and no single prediction; compare error rates or pass@k."
            if panel.truth is None or panel.predicted is None:
                return "the answers are only known as right or wrong; give truth and predictions."
            return self._too_many(measure)
        return self.scored.why_not(measure)

    def _too_many(self, measure: Measure) -> str | None:
        """Why there are more labels than the measure can be told for."""
        labels = len(self.panel.labels)
        if measure.per_class and not self._shown:
            return (
                f"it is told of each class, and there are {labels:,}; say which one matters by positive= (--positive)."
            )
        paired = counted_rows(measure) or measure.required or (rate_of_class(measure) and not self.assumes)
        if not paired and self._joint.alike.size * labels > MOST_LEFT_OUT:
            return f"with {labels:,} labels that would take too long; compare error rates, or the recall of one label."
        return None

    def passing(self, k: int) -> Question:
        """The difference in the chance that one of k samples answers a question."""
        samples = self.panel.samples.parts
        failed, failed_too = (all_wrong(Clusters(Counts(samples.k[i], samples.n[i])), k) for i in self.models)
        if self.panel.clusters is None and exactly(self.panel.samples, k):  # each question is answered, or it is not
            evidence: Evidence = paired_errors(failed == 1, failed_too == 1).mirror()
        else:
            evidence = mean_gap(self.panel, failed_too - failed, 1.0)
        asked = self._asked(pass_at_k, evidence, f"k={k}")
        per: Per = "cluster" if self.assumes else "row"
        return replace(asked, per=per, assumes=(*asked.assumes, Assumption.FIXED_SAMPLES))

    # ---- Each kind of measure

    def _right_or_wrong(self, measure: Measure) -> Question:
        evidence = gap_of_errors(self.panel, *(self.panel.wrong[i] for i in self.models))
        return self._asked(measure, evidence if counted_rows(measure) == "wrong" else evidence.mirror())

    def _of_class(self, kind: OfClass, places: Sequence[int]) -> Iterator[Paired]:
        """Who was right on examples of each class, or on those of no such class: how many there are was not chosen."""
        table, size = self._joint, len(self.panel.labels)
        truth, one, other, times = table.truth, table.one, table.other, table.alike
        counted = (
            np.bincount(said, times * ((said != against) & ((said == truth) == kind.inside)), size).astype(np.int64)
            for said, against in ((one, other), (other, one))
        )
        alone = [*counted][:: table.sign]  # said by the first alone, and by the second alone, label by label
        of_class = np.bincount(truth, times, size).astype(np.int64)
        n = of_class if kind.inside else of_class.sum() - of_class
        first, second = alone if kind.called else alone[::-1]
        return (Paired(won=second[place], lost=first[place], n=n[place]) for place in places)

    def _charged(self, measure: Measure, stated: Mapping[str, Any]) -> Question:
        """A mean of bounded differences: what the costs allow, and not what was seen, sets their range."""
        table = self._joint

        def priced(some: Contingency) -> Evidence:
            narrowed: Evidence = measure(some, **stated)
            return narrowed

        narrowed = priced(table.whole.one)
        most = float(narrowed.units(np.asarray(1.0)) - narrowed.units(np.asarray(0.0)))
        one, other = (_cost_of_each(priced, table, said) for said in (table.one, table.other)[:: table.sign])
        held = np.bincount(table.draw, table.times)
        gaps = np.bincount(table.draw, table.times * (one - other)) / held
        return self._asked(measure, Gaps(np.repeat(np.clip(gaps, -most, most), table.alike), most))

    def _scored(self, measure: Measure, stated: Mapping[str, Any]) -> Question:
        label = self.panel.positive if measure.takes in (Scores, Reliability) else None
        asked = self._asked(measure, self.scored.evidence(measure, **stated), label)
        binned = (Assumption.FIXED_BINS,) if measure.takes is Reliability else ()
        return replace(asked, assumes=(*asked.assumes, *binned))

    def _asked(self, measure: Measure, evidence: Evidence, label: str | None = None) -> Question:
        most = float(evidence.units(np.asarray(1.0)))
        named = replace(measure, name=f"{measure.name}-difference", range=(-most, most), aliases=())
        averaged = self.assumes and isinstance(evidence, Losses)  # over the draws; all else is of all rows together
        classes = () if self.panel.declared else assumed_of_classes(measure, self.panel.labels)
        assumes = (*self.assumes, *classes)
        return Question(named, evidence, (label,), per="cluster" if averaged else "row", assumes=assumes)

    # ---- What the panel holds of the two

    @cached_property
    def _joint(self) -> JointTable:
        panel = self.panel
        assert panel.truth is not None  # see why_not
        assert panel.predicted is not None
        one, other = (panel.predicted[i] for i in self.models)
        return JointTable.of(panel.labels, panel.truth, one, other, panel.clusters, declared=panel.declared)

    @cached_property
    def _shown(self) -> list[int]:
        """Places of the classes that get questions of their own, the positive one first."""
        places: list[int] = self._joint.whole.one.classes.tolist()
        if self.panel.positive in self.panel.labels:
            places.sort(key=self.panel.labels.index(str(self.panel.positive)).__ne__)
            return places[:MOST_CLASSES]
        return places if len(places) <= MOST_CLASSES else []

    def _claimed(self, measure: Measure) -> list[int]:
        """Those of them that have a difference: not those that were found, and of which one limit alone holds."""
        if self.panel.declared or measure.of_found is None:
            return self._shown
        tables = [(table, measure(table)) for table in self._joint.whole]
        return [
            place
            for place in self._shown
            if self.panel.labels[place] == self.panel.positive
            or any(only_limit(measure, evidence, table, place) is None for table, evidence in tables)
        ]

    def _labels(self, places: Sequence[int]) -> list[str]:
        return [self.panel.labels[place] for place in places]


def _cost_of_each(measure: Callable[[Contingency], Evidence], table: JointTable, said: Integers) -> Array:
    """What a single example of each entry costs, as tables of one example tell it."""
    size = len(table.labels)
    answers, where = np.unique(said * size + table.truth, return_inverse=True)
    costs = np.zeros(answers.size)
    for some in portions(answers.size, ONE_BY_ONE):
        here = slice(some.start, some.stop)
        predicted, actual = np.divmod(answers[here], size)
        single = Contingency.of_cells(table.labels, predicted, actual, np.eye(len(some), dtype=np.int64))
        costs[here] = measure(single).estimate
    return costs[where.reshape(-1)]
