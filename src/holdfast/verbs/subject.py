"""What the data let one ask about each measure."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby
from typing import Any

from holdfast.catalog import Bound, Limit, Measure, Measures, Methods
from holdfast.claims import Assumption
from holdfast.errors import HoldfastError
from holdfast.evidence import (
    AtPrevalence,
    Contingency,
    Evidence,
    Forecasts,
    Losses,
    MonotoneInRecalls,
    Proportions,
    Scores,
    TableStatistic,
    shown,
)
from holdfast.evidence.costs import Costs
from holdfast.evidence.counts import Samples
from holdfast.evidence.draws import Influence, Ratio
from holdfast.evidence.pools.panel import Panel
from holdfast.evidence.ranking.calibration import Reliability
from holdfast.evidence.ranking.forecasts import Margins, Posteriors
from holdfast.predictions import Predictions
from holdfast.tally import Tally
from holdfast.tally.designs.drawn import Drawn
from holdfast.tally.designs.reading import readings
from holdfast.verbs.asking import Question
from holdfast.verbs.jointly import assumed_of_classes, only_limit

MOST_CLASSES = 200  # that get lines of their own, unless the labels were declared
READ_OFF_SCORES = (Scores, Forecasts, Posteriors, Reliability)
READ_OFF_PREDICTIONS = (Contingency, Posteriors, Samples)
MOST_CELLS = 10_000  # of a table that is resampled


def divisions_of(by: str | Sequence[str | Sequence[str]] | None, columns: Sequence[str]) -> list[Sequence[str]]:
    """The ways to divide the rows: those asked for, or all columns of groups crossed."""
    if by is None:
        return [columns] if columns else []
    stated = [by] if isinstance(by, str) else by
    ways = [(names,) if isinstance(names, str) else tuple(names) for names in stated]
    for names in ways:
        if not names or len(set(names)) < len(names):
            raise HoldfastError(
                f"Each way to divide the rows crosses one column or several different ones; got {names}."
            )
    return list(dict.fromkeys(ways))


def refuse_idle_design(rows: Predictions | Panel, pass_at: Sequence[int] = ()) -> None:
    """Refuse what was stated of a design that rows do not have."""
    design, held = rows.design, rows.columns
    if design.order is not None and "cluster" not in held:
        raise HoldfastError(
            "order= (--order) speaks of clusters: give clusters= (--cluster) too. Rows that are draws of their own are "
            "counted, and no order is kept of them; the methods that answer unless others are named need none."
        )
    if design.max_cluster is not None and "cluster" not in held:
        raise HoldfastError("max_cluster= (--max-cluster) speaks of clusters: give clusters= (--cluster) too.")
    if design.max_weight is not None and "weight" not in held:
        raise HoldfastError(
            "max_weight= (--max-weight) speaks of weights: give weights= (--weight) or inclusion= (--inclusion) too."
        )
    if design.shares is not None and "stratum" not in held:
        raise HoldfastError("shares= (--strata-shares) speaks of strata: give strata= (--strata) too.")
    if design.by_class and "truth" not in held:
        raise HoldfastError(
            "Sampling by class and a stated prevalence need to know the class of each example: give truth and "
            "predicted, not whether each was right."
        )
    if pass_at and "cluster" not in held:
        raise HoldfastError(
            "pass_at= (--pass-at) speaks of questions with several samples: say which question a row is a sample of by "
            "ids= (--id), or by clusters= (--cluster) where nothing else is one."
        )


def notes_of_mixes(mixes: Sequence[Mapping[Any, Any] | None], of_clusters: bool = False) -> Iterator[str]:
    """For which frequencies of the classes the answers are; several are the ends of ranges."""
    depending = "What depends on how frequent the classes are is said for"
    first = mixes[0]
    if first is None:
        return
    shares = {name: sorted({float(mix[name]) for mix in mixes if mix is not None}) for name in first}
    stated = ", ".join(f"{name} {' to '.join(f'{each:.6g}' for each in ends)}" for name, ends in shares.items())
    drawn = " They are those of clusters, which are what was drawn." if of_clusters else ""
    if len(mixes) == 1:
        yield f"{depending} the frequencies stated: {stated}.{drawn}"
        return
    yield (
        f"{depending} the worst of the frequencies stated: {stated}. It only rises or only falls with each, so "
        f"that it is worst at the ends.{drawn}"
    )


def check_costs(costs: Any) -> None:
    if costs is not None and not isinstance(costs, Costs):
        raise HoldfastError(
            f"costs= takes hf.Costs(matrix, labels, rows=...) or hf.read_costs(file); got {shown(costs)}."
        )


def several(names: Methods | Measures | None) -> list[Any]:
    """The names that were given, if only one."""
    return [] if names is None else [names] if isinstance(names, (str, Bound, Measure)) else list(names)


def needs_scores(measure: Measure) -> bool:
    """Whether it is read off scores, be it together with predictions."""
    return measure.takes in READ_OFF_SCORES


def needs_predictions(measure: Measure) -> bool:
    """Whether it tells what was predicted."""
    return measure.takes in READ_OFF_PREDICTIONS and measure.needs_predictions


def scores_for(rows: Predictions, named: Sequence[Measure], also: bool = False) -> tuple[Predictions, bool]:
    """The rows with scores if these measures need any, or anything else does; and whether nothing but scores matters.

    Scores that somebody gave are always looked at; those that were found by name only where they are needed, and then
    they must fit as well.
    """
    needing = [needs_scores(measure) for measure in named]
    if rows.guessed and named and not (also or any(needing)):
        rows = rows.without_scores()
    if also or any(needing):
        rows = replace(rows, guessed=False)
    return rows, bool(named) and all(needing) and rows.scored


def at_point(question: Question, rows: Predictions) -> Question:
    """The question with what it takes for granted, where predictions are those at an operating point."""
    if rows.operating_point is None or not needs_predictions(question.measure):
        return question
    return replace(question, assumes=(*question.assumes, Assumption.FIXED_THRESHOLD))


@dataclass(frozen=True)
class Subject:
    """The tally, and what the user stated besides: a measure is asked for once all that it requires is stated."""

    counted: Tally
    stated: Mapping[str, Any]  # parameters of measures: clip, costs, classes, alpha
    declared: bool = False  # whether the labels were, and not just found
    named: frozenset[str] = frozenset()  # measures that were asked for by name
    asked_about: Sequence[str] = ()  # labels that were, beside the positive one

    def about(self, measure: Measure) -> Iterator[Question]:
        """The questions about one measure; none where the data do not bear it."""
        counted, table = self.counted, self.counted.table
        if not self.stated.keys() >= set(measure.required):
            return
        given = {name: self.stated[name] for name in measure.parameters if name in self.stated}
        if measure.takes is Contingency and not measure.needs_predictions and counted.truths is not None:
            yield from self._read(measure, counted.truths, given)
        elif measure.takes is Contingency and table is not None:
            yield from self._read(measure, table, given)
        elif measure.takes is Contingency and not measure.needs_labels and counted.counts.n:
            k, n = counted.counts.k, counted.counts.n  # all that can be seen is how many were wrong
            plain = Contingency.of_cells(("right", "wrong"), [0, 1], [0, 0], [n - k, k])
            yield Question(measure, measure(plain, **given), table=plain)
        elif measure.takes is Scores:
            yield from (Question(measure, measure(scores), (label,)) for label, scores in counted.scores.items())
        elif measure.takes is Forecasts and counted.forecasts is not None:
            yield Question(measure, measure(counted.forecasts, **given))
        elif measure.takes is Margins and counted.margins is not None:
            yield Question(measure, measure(counted.margins, **given))
        elif measure.takes is Posteriors and counted.posteriors is not None and (given or measure.name in self.named):
            yield Question(measure, measure(counted.posteriors(), **given))  # else nobody wonders what it believes

    def _read(self, measure: Measure, table: Contingency, given: Mapping[str, Any]) -> Iterator[Question]:
        evidence = measure(table, **given)
        if measure.per_class:
            shown = shown_classes(table, self.counted.positive, self.declared)
            for only, run in groupby(shown, key=lambda place: self._only(measure, evidence, table, place)):
                places = tuple(run)
                labels = tuple(table.labels[place] for place in places)
                yield Question(measure, evidence.of(places), labels, table, places, only=only)
        elif not (isinstance(evidence, TableStatistic) and table.cells[2].size > MOST_CELLS):
            # Only what is read off without being told anything else can be read off a table drawn again.
            again = table if not given and not isinstance(evidence, Losses) else None
            assumes = () if self.declared else assumed_of_classes(measure, table.labels)
            question = Question(measure, evidence, table=again, assumes=assumes)
            yield with_influence(question, partial(influence_of, measure, table, **given))

    def _only(self, measure: Measure, evidence: Evidence, table: Contingency, place: int) -> Limit | None:
        stated = self.declared or table.labels[place] in (*self.counted.stated, *self.asked_about)
        return None if stated else only_limit(measure, evidence, table, place)


def influence_of(measure: Measure, table: Contingency, **stated: Any) -> Influence | None:
    """How much each example of a table adds to what is read off it, for these parameters of the measure."""
    for _, evidence in readings(measure, Drawn.of_table(table), **stated):
        if isinstance(evidence, (Ratio, Influence)):
            return evidence.influence
    return None


def with_influence(question: Question, spread: Callable[[], Influence | None]) -> Question:
    """The question with what holds as the sample grows beside limits that are wide, or in place of resampling."""
    evidence = question.evidence
    if isinstance(evidence, TableStatistic) and not isinstance(evidence, MonotoneInRecalls):
        influence = spread()
        return question if influence is None else replace(question, evidence=influence)
    if isinstance(evidence, (Proportions, MonotoneInRecalls, AtPrevalence)) and (influence := spread()) is not None:
        return replace(question, beside=replace(influence, terms=()))
    return question


def shown_classes(table: Contingency, positive: str | None, declared: bool) -> list[int]:
    """Places of the classes that get lines of their own, the positive one first."""
    places: list[int] = table.classes.tolist()
    if positive is not None:
        first = table.place(positive)
        places = [first, *(place for place in places if place != first)]
        return places if declared else places[:MOST_CLASSES]
    return places if declared or len(places) <= MOST_CLASSES else []
