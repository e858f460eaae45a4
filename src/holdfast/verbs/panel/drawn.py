"""Rates of several models over examples that were not drawn one by one, or do not all weigh the same; and of groups."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from holdfast.claims import Assumption, Claim, Guarantee, Per, Side
from holdfast.combine import bonferroni, sayable
from holdfast.errors import UnknownName
from holdfast.evidence import Array, Evidence
from holdfast.evidence.draws import Ratio
from holdfast.evidence.pools.panel import Panel
from holdfast.measures.rates import error_rate
from holdfast.report import Line
from holdfast.tally.designs.drawn import EVENTS
from holdfast.tally.panel.drawn import PanelRows
from holdfast.verbs.asking import Inquiry, Question
from holdfast.verbs.assess.notes import FEW, notes_of_weights
from holdfast.verbs.bound import default_methods
from holdfast.verbs.compare.differences import Differences
from holdfast.verbs.panel.averages import for_any_of

Part = tuple[str, NDArray[np.bool_]]  # a group of examples: what it is called, and which they are
MOST_TESTS = 200  # of two models each, for which of them may be the best
SPREAD = (
    "How far the error rates are apart is not said: the inequality of bounded differences, by which it is, is proven "
    "for examples that are draws of their own and all weigh the same."
)
SOFT_BEST = "Which models may be the best is told by limits that hold only as the sample grows."


def mean_loss(panel: Panel, shares: Array) -> Array:
    """The share of the models that were wrong on each example."""
    return np.minimum(shares @ panel.wrong, 1.0)  # a sum may be rounded up


class DrawnPanel:
    """The examples of a panel as they were drawn: what rate any loss of theirs has."""

    def __init__(self, panel: Panel) -> None:
        self.panel, self.rows = panel, PanelRows(panel)

    def lines(
        self, losses: Array, delta: float, measure: str, part: Part | None = None, side: Side = "both"
    ) -> list[Line]:
        """What is claimed of the mean loss: what holds at every sample size first, where there is such a thing.

        Parameters
        ----------
        losses
            Of each example, from 0 to 1; right or wrong where they are true or false.
        part
            The group whose examples alone are meant.
        """
        about = [*self._questions(losses, measure, part)]
        claimed = Inquiry(np.asarray(delta), side).lines(about)
        firm = [line for line in claimed if line.claim.guarantee is Guarantee.FINITE]
        soft = [line for line in claimed if line.claim.guarantee is not Guarantee.FINITE]
        return [replace(line, claim=for_any_of(line.claim)) for line in (*firm, *soft)]

    def claim(self, losses: Array, delta: float, side: Side = "both") -> Claim:
        """The first of them."""
        return self.lines(losses, delta, error_rate.name, side=side)[0].claim

    def error_rates(self, level: float, part: Part | None = None) -> Iterator[Line]:
        """Those of all models, so that all hold together."""
        each = float(sayable(bonferroni(level, len(self.panel.models))))
        for place, name in enumerate(self.panel.models):
            for line in self.lines(self.panel.wrong[place], each, error_rate.name, part):
                yield replace(line, model=name)

    def parts(self, by: Sequence[Sequence[str]]) -> Iterator[Part]:
        """The groups of each way to divide the examples."""
        for name in (name for names in by for name in names):
            if name not in self.panel.groups:
                raise UnknownName("column of groups", name, [*self.panel.groups])
        for division in self.rows.divisions(by):
            yield from ((name, division.codes == place) for place, name in enumerate(division.names))

    def mean(self, losses: Array) -> float:
        """As estimated, of the average example."""
        return float(self._ratio(losses, None).mean)

    @cached_property
    def rates(self) -> Array:
        """The estimate of each model."""
        return np.array([self.mean(wrong) for wrong in self.panel.wrong])

    def may_be_best(self, delta: float) -> tuple[NDArray[np.bool_], Guarantee]:
        r"""Which models no other is proven better than, and how firmly that holds.

        As `best.may_be_best`, by limits of the difference draw by draw in place of McNemar's test: each model is set
        against the best few, each at delta / (M - 1).
        """
        models, differences = len(self.panel.models), Differences(self.panel, {})
        each = float(bonferroni(delta, models - 1))
        rivals = np.argsort(self.rates, kind="stable")[: max(1, min(models, MOST_TESTS // models))].tolist()
        kept, firmness = np.ones(models, np.bool_), {Guarantee.FINITE}
        for place in range(models):
            for rival in rivals:
                if rival == place or not kept[place] or self.rates[place] <= self.rates[rival]:
                    continue
                evidence = next(differences.about(place, rival, error_rate)).evidence
                claim = default_methods(evidence)[0](evidence, each, "lower")
                kept[place] = not float(claim.lower) > 0.0
                firmness.add(claim.guarantee)
        return kept, max(firmness, key=[*Guarantee].index)

    def notes(self) -> Iterator[str]:
        """What the lines are about, and what the design leaves to be said."""
        panel, number = self.panel, self.rows.draws.number
        if panel.clusters is not None:
            if self.rows.draws.averaged and self._ratio(panel.wrong[0], None).uneven:
                yield (
                    f"What holds at every number of clusters is said of the average cluster: each of the {number:,} "
                    "weighs the same, however many rows it holds. What is said of the average row holds only as "
                    "clusters grow many, unless the most rows that one can hold, fixed beforehand, is stated as "
                    "max_cluster= (--max-cluster)."
                )
            elif panel.design.max_cluster is not None:
                most = panel.design.max_cluster
                yield f"Error rates are over all rows, which came in {number:,} clusters of at most {most:,}."
            if number < FEW:
                yield (
                    f"There are only {number} clusters, and clusters are what counts: what holds only as they grow "
                    "many does not hold yet."
                )
        if panel.weights is not None:
            yield "Rows count by their weights."
            yield from notes_of_weights(self.rows.of_values(np.zeros(panel.n)), panel.design)
        if panel.strata is not None:
            yield f"There are {len(panel.stratum_names):,} strata, within which the draws were made."

    # ---- The evidence

    def _ratio(self, losses: Array, part: Part | None) -> Ratio:
        rows = self.rows.of_values(losses.astype(np.float64))
        rows = rows if part is None else rows.kept(part[1], part[0])
        assert rows.value is not None
        levels = EVENTS if losses.dtype.kind == "b" else ()
        return rows.draw_by_draw().ratio(rows.value, over="rows", levels=levels)

    def _questions(self, losses: Array, measure: str, part: Part | None) -> Iterator[Question]:
        ratio = self._ratio(losses, part)
        group = None if part is None else part[0]
        if ratio.draws.averaged:
            yield self._question(measure, ratio.of_average_draw, group, "cluster")
            if not ratio.uneven:
                return  # then the average row is that of the average cluster
        single = replace(ratio, draws=replace(ratio.draws, rows=self.rows.draws.rows))
        yield self._question(measure, single.condensed, group)

    def _question(self, measure: str, evidence: Evidence, group: str | None, per: Per = "row") -> Question:
        named = replace(error_rate, name=measure, aliases=())
        drawn = tuple(each for each in self.rows.draws.assumes if each is not Assumption.INDEPENDENT)
        stated = (Assumption.STATED_PREVALENCE,) if self.panel.design.prevalence is not None else ()
        return Question(named, evidence, per=per, assumes=(*stated, *drawn), group=group)
