"""What the data let one ask about each measure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from holdfast.catalog import Measure
from holdfast.evidence import Contingency, Counts, Forecasts, Losses, Scores, Tabled
from holdfast.evidence.margins import Margins, Posteriors
from holdfast.tally import Tally
from holdfast.verbs.answers import Question

MOST_CLASSES = 200  # that get lines of their own, unless the labels were declared
MOST_CELLS = 10_000  # of a table that is resampled


@dataclass(frozen=True)
class Asking:
    """The tally, and what the user stated besides: a measure is asked for once all that it requires is stated."""

    counted: Tally
    stated: Mapping[str, Any]  # parameters of measures: clip, costs, classes, alpha
    declared: bool = False  # whether the labels were, and not just found
    named: frozenset[str] = frozenset()  # measures that were asked for by name

    def about(self, measure: Measure) -> Iterator[Question]:
        """The questions about one measure; none where the data do not bear it."""
        counted, table = self.counted, self.counted.table
        if not self.stated.keys() >= set(measure.required):
            return
        given = {name: self.stated[name] for name in measure.parameters if name in self.stated}
        if measure.takes is Contingency and table is not None:
            yield from self._read(measure, table, given)
        elif measure.takes is Contingency and not measure.needs_labels:
            plain = _right_or_wrong(counted.counts)
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
            places = self._shown(table)
            labels = tuple(table.labels[place] for place in places)
            yield Question(measure, evidence.of(places), labels, table, tuple(places))
        elif not (isinstance(evidence, Tabled) and table.cells[2].size > MOST_CELLS):
            # Only what is read off without being told anything else can be read off a table drawn again.
            again = table if not given and not isinstance(evidence, Losses) else None
            yield Question(measure, evidence, table=again)

    def _shown(self, table: Contingency) -> list[int]:
        """Places of the classes that get lines of their own, the positive one first."""
        places: list[int] = table.classes.tolist()
        if self.counted.positive is not None:
            first = table.place(self.counted.positive)
            places = [first, *(place for place in places if place != first)]
            return places if self.declared else places[:MOST_CLASSES]
        return places if self.declared or len(places) <= MOST_CLASSES else []


def _right_or_wrong(errors: Counts) -> Contingency:
    """A table in which all that can be seen is how many were wrong."""
    return Contingency.of_cells(("right", "wrong"), [0, 1], [0, 0], [errors.n - errors.k, errors.k])
