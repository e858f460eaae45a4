"""The threshold whose expected cost has the lowest limit, though it was chosen on the very examples that prove it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from holdfast.bounds.binomial import clopper_pearson
from holdfast.bounds.strata import fisher, union
from holdfast.catalog import ALWAYS, Bound, procedure
from holdfast.claims import Claim, Guarantee, Source
from holdfast.evidence import Array, Contingency, Counts, Evidence, Strata
from holdfast.evidence.costs import Costs
from holdfast.evidence.draws import Ratio
from holdfast.evidence.value import Scale
from holdfast.measures.costs import cost_by_class, expected_cost
from holdfast.selection.drawn_thresholds import ScoredDraws, method_for
from holdfast.selection.stairs import Stairs


class Priced(Protocol):
    """Examples of which it can be asked what is the most that answers cost at thresholds."""

    def limits(self, thresholds: Array, delta: float) -> Array: ...

    def claim(self, threshold: float, at_most: float, delta: float) -> Claim: ...


@dataclass(frozen=True, eq=False)
class PricedScores:
    """Scores of examples that were drawn one by one, of all classes together or, where the mix is stated, within two.

    Examples
    --------
    >>> from holdfast.evidence import Scores
    >>> costs = Costs([[0, 1], [10, 0]], ["ill", "well"], rows="predicted")
    >>> stairs = Stairs.of(Scores(np.arange(200) / 200, np.arange(200) >= 100))
    >>> PricedScores(stairs, costs, ("ill", "well")).limits(np.array([0.5, 0.9]), 0.05).round(3)
    array([0.183, 4.715])
    """

    stairs: Stairs
    costs: Costs
    labels: tuple[str, str]  # the class, and the other
    mix: Mapping[str, float] | None = None

    def limits(self, thresholds: Array, delta: float) -> Array:
        """The most that answers cost at each of the thresholds."""
        evidence, bound = self._evidence(thresholds)
        return np.asarray(evidence.units(bound.limits(evidence, np.asarray(delta), "upper")[1]))

    def claim(self, threshold: float, at_most: float, delta: float) -> Claim:
        """That it is no more than so much."""
        return _claim(*self._evidence(np.asarray(threshold)), at_most, delta)

    def _evidence(self, thresholds: Array) -> tuple[Evidence, Bound]:
        """That of a table at each threshold; where bins leave a count open, of the table that costs most."""
        least, most, (own, other) = self.stairs.at_least(thresholds), self.stairs.at_most(thresholds), self.labels
        dear_misses = self.costs[own, own] <= self.costs[other, own]
        dear_alarms = self.costs[own, other] >= self.costs[other, other]
        hits, alarms = (least if dear_misses else most)[0], (most if dear_alarms else least)[1]
        times = np.stack([hits.k, alarms.k, hits.n - hits.k, alarms.n - alarms.k], axis=-1)
        table = Contingency.of_cells(self.labels, [0, 0, 1, 1], [0, 1, 0, 1], times)
        evidence: Evidence
        if self.mix is None:
            evidence = expected_cost(table, costs=self.costs)
        else:
            evidence = cost_by_class(table, self.costs, self.mix)
        return evidence, clopper_pearson if isinstance(evidence, Counts) else _of_parts(evidence)


def _of_parts(evidence: Evidence) -> Bound:
    return fisher if isinstance(evidence, Strata) else union


def _claim(evidence: Evidence, bound: Bound, at_most: float, delta: float) -> Claim:
    limit = evidence.scale.share(np.asarray(at_most))
    return bound.claim(evidence, np.asarray(delta), "upper", np.zeros(()), limit)


@dataclass(frozen=True, eq=False)
class PricedDraws:
    """Rows with scores, as they were drawn, and what answers cost."""

    draws: ScoredDraws
    costs: Costs
    labels: tuple[str, str]

    def limits(self, thresholds: Array, delta: float) -> Array:
        """The most that answers cost at each of the thresholds."""
        each = [self._ratio(float(threshold)) for threshold in thresholds]
        return np.array([one.units(method_for(one).limits(one, np.asarray(delta), "upper")[1]) for one in each])

    def claim(self, threshold: float, at_most: float, delta: float) -> Claim:
        """That it is no more than so much."""
        ratio = self._ratio(threshold)
        return _claim(ratio, method_for(ratio), at_most, delta)

    def _ratio(self, threshold: float) -> Ratio:
        draws, costs, (own, other) = self.draws, self.costs, self.labels
        called = draws.score >= threshold
        of_class = np.where(called, costs[own, own], costs[other, own])
        cost = np.where(draws.positive, of_class, np.where(called, costs[own, other], costs[other, other]))
        share = (cost - costs.low) / (costs.high - costs.low)
        return draws.rows.ratio(share, scale=Scale(costs.low, costs.high), graded=True)


class Cheapest(NamedTuple):
    """The threshold, and the most that it costs in any part."""

    threshold: float
    at_most: float


@procedure(
    guarantee=Guarantee.FINITE,
    source=Source("bonferroni1936", "inequality"),
    assumes=ALWAYS,
    rests_on=("clopper-pearson", "union", "fisher", "squares", "strata-bets"),
)
def least_cost(parts: Sequence[Priced], thresholds: Array, delta: float) -> Cheapest:
    r"""Of thresholds fixed beforehand the one whose expected cost has the lowest limit; of several the lowest.

    Notes
    -----
    Of m thresholds each has a limit with an m-th of delta, so that all of them hold together, also that of the lowest:

    .. math:: \min_t \max_g U_{t,g}, \qquad P(C_{t,g} > U_{t,g}) \le \delta / m

    Where it is to hold in every group g, or at every prevalence of a range, the largest of the limits counts, each with
    the same part: too low is only the largest where that one is which limits the costliest group. The mean cost is
    linear in the prevalence, and hence largest at an end of the range.

    Examples
    --------
    >>> from holdfast.evidence import Scores
    >>> costs = Costs([[0, 1], [10, 0]], ["ill", "well"], rows="predicted")
    >>> stairs = Stairs.of(Scores(np.arange(200) / 200, np.arange(200) >= 100))
    >>> least_cost([PricedScores(stairs, costs, ("ill", "well"))], np.arange(1, 10) / 10, delta=0.05)
    Cheapest(threshold=0.5, at_most=0.290...)
    """
    tried = np.unique(thresholds)
    limits = np.max([part.limits(tried, delta / tried.size) for part in parts], axis=0)
    place = int(np.argmin(limits))
    return Cheapest(float(tried[place]), float(limits[place]))
