"""Which measures two models of a panel can be compared in, and why not in the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from holdfast.catalog import Measure, measures
from holdfast.catalog.measure import single_rows
from holdfast.evidence import NO_ANSWER, Contingency, Margins, Proportions, Scores, TableStatistic
from holdfast.evidence.pools.panel import Panel
from holdfast.evidence.ranking.calibration import Reliability
from holdfast.tally.designs.reading import MOST_CELLS
from holdfast.tally.panel.drawn import PanelRows
from holdfast.verbs.subject import shown_classes

MOST_RATES = 5 * 10**7  # of a label and a draw each: an average over more would not fit into memory


class Comparable:
    """The answers of all models, and what was stated besides: what they bear."""

    def __init__(self, panel: Panel, stated: Mapping[str, Any], pass_at: Sequence[int] = ()) -> None:
        self.panel, self.stated, self.pass_at = panel, stated, pass_at
        self.rows = PanelRows(panel)
        self._tables: dict[int, Contingency] = {}

    def comparable(self) -> list[Measure]:
        """The measures whose difference the panel bears, in the order of the catalog."""
        return [measure for measure in measures() if self.why_not(measure) is None]

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
        if measure.takes is Margins:
            return self._no_margins(likely)
        if likely:
            return None
        low, high = panel.scores.min(), panel.scores.max()
        return f"the scores run from {low:g} to {high:g}, so they are no probabilities."

    def _no_margins(self, likely: bool) -> str | None:
        if likely:
            return "the scores look like probabilities; a margin needs decision values, negative on one side."
        if (classes := sum(label != NO_ANSWER for label in self.panel.labels)) > 2:
            return f"a margin needs two labels, one on either side of 0, and there are {classes:,}."
        return None

    # ---- What is known of the labels

    def table(self, model: int) -> Contingency:
        """What a model predicted, beside the truth."""
        if model not in self._tables:
            self._tables[model] = self.panel.table(model)
        return self._tables[model]

    def depends(self, measure: Measure) -> bool:
        """Whether it changes with how frequent the classes are."""
        return measure.depends_on_mix(sum(label != NO_ANSWER for label in self.panel.labels) or 2)

    @cached_property
    def shown_labels(self) -> list[str]:
        """The classes that get questions of their own, the positive one first."""
        table, positive = self.table(0), self.panel.positive if self.panel.positive in self.panel.labels else None
        return [table.labels[place] for place in shown_classes(table, positive, self.panel.declared)]
