r"""Thresholds where rows were not drawn one by one, or do not all weigh the same: the same searches, by other tests.

At a threshold that is fixed, a rate is a ratio over the draws: what the rows of a draw add above and below the line.
"It is at most s" is refuted by the evidence E of `squares` reaching :math:`1/\delta`, or that of `strata-bets`. Either
only rises with what a draw adds above the line. Sensitivity and specificity have a line below that no threshold moves,
so that E only rises from one threshold to a safer one: all real numbers can be tested from the safe end on, and where
it stops is found by halving. For a false claim the test at the end of the thresholds that do not keep it must fail, and
that one number is not chosen by the data.

Without the most that a draw can weigh nothing refutes a rate at every sample size: a rare draw of great weight, of
which none was drawn, could change everything. What is left is the test of `influence`. It need not rise, and its
promise is about a fixed threshold as draws grow many: so thresholds are then those of a list fixed beforehand, tested
in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from holdfast.bounds.binomial import clopper_pearson
from holdfast.bounds.influence import influence
from holdfast.bounds.prevalence import rectangle
from holdfast.bounds.squares import finite_for
from holdfast.catalog import ALWAYS, OUTWARD, Bound, procedure
from holdfast.claims import Assumption, Guarantee, Source
from holdfast.evidence import Array, AtPrevalence, Counts, Scores, Strata
from holdfast.evidence.draws import Ratio
from holdfast.evidence.tables.statistic import precision_of_rates
from holdfast.numerics.binomial import binomial_tail
from holdfast.numerics.wealth.ratios import Pairs
from holdfast.selection.stairs import Stairs
from holdfast.selection.thresholds import STARTS, Cut, examples_needed, falling, in_turn, lowest
from holdfast.tally.designs.drawn import EVENTS, Drawn

LEVELS = np.arange(1, 100) / 100  # of a rate that is to be limited at every threshold: each has its part of delta
LARGEST_DELTA = 0.5  # that the evidence of `squares` is made for
MOST_DRAWS = 10**9


@dataclass(frozen=True, eq=False)
class ScoredDraws:
    """Rows with a score each, as they were drawn, and which of them are of the class.

    Examples
    --------
    >>> from holdfast.evidence.draws import Draws
    >>> truth, score = np.array([1, 0, 1, 0]), np.array([0.9, 0.2, 0.6, 0.7])
    >>> rows = Drawn(Draws(np.ones(2), most=2.0), np.array([0, 0, 1, 1]), np.ones(4), truth, labels=("no", "yes"))
    >>> ScoredDraws(rows, score, truth == 1).rate("precision", 0.5)
    Ratio(mean=0.666667, draws=2)
    """

    rows: Drawn
    score: Array
    positive: NDArray[np.bool_]

    @classmethod
    def of(cls, rows: Drawn, label: str) -> ScoredDraws:
        """The rows by the scores of this label."""
        return cls(rows, rows.scores[label], np.asarray(rows.truth == rows.labels.index(label)))

    @cached_property
    def stairs(self) -> Stairs:
        return Stairs.of(Scores(self.score, self.positive))

    @property
    def capped(self) -> bool:
        """Whether the most that a draw can weigh is stated, without which nothing holds at every sample size."""
        return self.rows.draws.most is not None

    def rate(self, word: str, threshold: float) -> Ratio:
        """Sensitivity, specificity or precision where scores from the threshold on are called positive."""
        called = self.score >= threshold
        right, trials = {
            "sensitivity": (called, self.positive),
            "specificity": (~called, ~self.positive),
            "precision": (self.positive, called),
        }[word]
        ratio = self.rows.ratio(right.astype(np.float64), trials.astype(np.float64), levels=EVENTS)
        return self._alone(ratio, word)

    @property
    def prevalence(self) -> Ratio:
        """How frequent the class is."""
        return self._alone(self.rows.ratio(self.positive.astype(np.float64), levels=EVENTS), "prevalence")

    def _alone(self, ratio: Ratio, word: str) -> Ratio:
        """Without strata, where but one can hold a trial: the only one, or the class that the rate is of."""
        stratum = self.rows.draws.stratum
        if stratum is None:
            return ratio
        strata = int(stratum.max(initial=0)) + 1
        of_class = Assumption.WITHIN_CLASSES in self.rows.draws.assumes
        if strata > 1 and not (of_class and (word == "sensitivity" or (word == "specificity" and strata == 2))):
            return ratio
        held = stratum[ratio.below > 0]
        return ratio.within(int(held[0])) if held.size else ratio

    def precise(self, thresholds: Array, at_least: float, delta: float) -> NDArray[np.bool_]:
        """At which of the thresholds so high a precision is proven."""
        return np.array([refutes(self.rate("precision", each), at_least, delta) for each in thresholds], bool)


class Precise(Protocol):
    """Examples of which it can be asked at which thresholds a precision is proven."""

    def precise(self, thresholds: Array, at_least: float, delta: float) -> NDArray[np.bool_]: ...


@dataclass(frozen=True, eq=False)
class WithinClasses:
    """Scores of examples that were drawn one by one within two classes, whose true odds are stated."""

    stairs: Stairs
    odds: float

    def precise(self, thresholds: Array, at_least: float, delta: float) -> NDArray[np.bool_]:
        """At which of the thresholds so high a precision is proven."""
        hits, spared = self.stairs.at_least(thresholds)[0], self.stairs.at_most(thresholds)[1].mirror()
        others = Strata(Counts(spared.k[:, np.newaxis], spared.n[:, np.newaxis]))
        quantity = AtPrevalence(hits, others, np.full(thresholds.shape, self.odds), precision_of_rates)
        return np.asarray(rectangle.limits(quantity, np.asarray(delta), "lower")[0] >= at_least)


# ---- Tests at one threshold


def refutes(ratio: Ratio, at_least: float, delta: float) -> bool:
    """Whether the draws refute that a rate is at most so much; if it is, they do with a chance of delta at most.

    Examples
    --------
    >>> ratio = Ratio.of_counts(Counts([3] * 40 + [2, 0], [3] * 42), most=4)
    >>> refutes(ratio, 0.8, delta=0.05), refutes(ratio, 0.95, delta=0.05)
    (True, False)
    """
    if not ratio.known or ratio.mean <= at_least:
        return False
    if (counts := one_by_one(ratio)) is not None:
        return bool(binomial_tail(counts.n - counts.k, counts.n, 1 - at_least, at_least) <= delta)
    if ratio.draws.most is None:
        return _refutes_asymptotically(ratio, at_least, delta)
    pairs = ratio.mirror().spared
    if ratio.draws.stratum is not None:
        return pairs.lower_limit_by_bets(delta) >= at_least
    return _enough(pairs, at_least, delta)


def _enough(pairs: Pairs, at_least: float, delta: float) -> bool:
    level = min(delta, LARGEST_DELTA)
    return bool(pairs.log_evidence(at_least, level) >= -np.log(level))


def _refutes_asymptotically(ratio: Ratio, at_least: float, delta: float) -> bool:
    """By how much each draw adds; where all add the whole, by how rare that would be of so many draws."""
    if not ratio.complement > 0:
        return int(ratio.n) >= examples_needed(at_least, delta)
    return bool(influence.limits(ratio, np.asarray(delta), "lower")[0] >= at_least)


def one_by_one(ratio: Ratio) -> Counts | None:
    """Events and trials, where they are enough to know."""
    counts = ratio.condensed if ratio.draws.stratum is None else ratio
    return counts if isinstance(counts, Counts) else None


def method_for(ratio: Ratio) -> Bound:
    """The method that limits a rate at a fixed threshold."""
    if one_by_one(ratio) is not None:
        return clopper_pearson
    return influence if ratio.draws.most is None else finite_for(ratio)


def lower_limit(ratio: Ratio, delta: float) -> float:
    """The lower limit of a rate at a fixed threshold, rounded down."""
    counts, bound = one_by_one(ratio), method_for(ratio)
    limit = bound.limits(ratio if counts is None else counts, np.asarray(delta), "lower")[0]
    return float(limit) * (1.0 - OUTWARD)


def draws_needed(at_least: float, delta: float) -> int | None:
    """The fewest draws that prove a rate by `squares`, if all of them are as large as can be and without a failure.

    Examples
    --------
    >>> draws_needed(0.9, 0.05)
    30
    """
    failing, enough = 0, 1
    while not _enough(Pairs(np.ones(1), np.ones(1), np.full(1, float(enough)), enough), at_least, delta):
        failing, enough = enough, 2 * enough
        if enough > MOST_DRAWS:
            return None
    while enough - failing > 1:
        middle = (failing + enough) // 2
        proven = _enough(Pairs(np.ones(1), np.ones(1), np.full(1, float(middle)), middle), at_least, delta)
        failing, enough = (failing, middle) if proven else (middle, enough)
    return enough


# ---- Searches


def drawn_cut(
    draws: ScoredDraws, word: str, at_least: float, delta: float, candidates: Array | None = None
) -> Cut | None:
    """The best threshold whose sensitivity, or specificity, is proven; None where it is proven of none.

    Of all real numbers where the most that a draw can weigh is stated; else of the candidates, or of the hundredths.
    """

    def proven(threshold: float) -> bool:
        return refutes(draws.rate(word, threshold), at_least, delta)

    low_first = word == "sensitivity"  # the safe end
    if candidates is None and draws.capped:
        return _among_scores(draws, low_first, at_least, proven)
    order = falling(candidates)[:: -1 if low_first else 1]
    last = _last(order, proven, rising=draws.capped)
    return None if last < 0 else Cut(float(order[last]), at_least)


def _among_scores(draws: ScoredDraws, low_first: bool, at_least: float, proven: Callable[[float], bool]) -> Cut | None:
    """The search over all real numbers: between two scores of the class that decides nothing changes."""
    stairs = draws.stairs
    below = stairs.positives if low_first else stairs.negatives
    values = stairs.values[np.diff(below) > 0]
    order = values if low_first else np.nextafter(values[::-1], np.inf)
    last = _last(order, proven, rising=True)
    if last < 0:
        return None
    place = int(np.searchsorted(stairs.values, values[last] if low_first else values[::-1][last]))
    if low_first:
        return Cut(stairs.just_below(below, int(below[place]) + 1), at_least)
    return Cut(stairs.just_above(below, int(below[place + 1])), at_least)


def _last(order: Array, proven: Callable[[float], bool], rising: bool) -> int:
    """The place up to which, from the safe end on, all are proven; -1 where not even the first is."""
    if not rising:
        return next((place for place, each in enumerate(order) if not proven(float(each))), order.size) - 1
    passed, failed = -1, order.size
    while failed - passed > 1:
        middle = (passed + failed) // 2
        passed, failed = (middle, failed) if proven(float(order[middle])) else (passed, middle)
    return passed


def precise_cut(parts: Sequence[Precise], at_least: float, delta: float, candidates: Array | None = None) -> Cut | None:
    """The lowest threshold of a fixed list whose precision is proven, of each part; None where it is of none."""
    thresholds = falling(candidates)
    part = delta / min(STARTS, thresholds.size)
    passed = np.logical_and.reduce([each.precise(thresholds, at_least, part) for each in parts])
    return lowest(thresholds[in_turn(passed)], at_least)


@procedure(
    guarantee=Guarantee.FINITE,
    source=Source("bonferroni1936", "inequality"),
    assumes=ALWAYS,
    rests_on=("squares", "strata-bets"),
)
def every_threshold(ratio: Ratio, delta: float, tried: int | None = None) -> float:
    r"""A lower limit of a sensitivity or a specificity that holds at every threshold at once.

    Notes
    -----
    Each of the levels .01, .02, ..., .99 has an equal part of delta, and the limit is the highest for which

    .. math:: E(\text{level}) \ge 99 / \delta

    with the evidence of `squares`, or of `strata-bets`, at the threshold looked at. That a level is wrongly reached at
    any threshold needs its test to fail at the one threshold where the true rate falls below it, for the evidence only
    rises with the rate. Where but a few thresholds come into question (`tried`), each has an equal part of delta
    instead.

    Examples
    --------
    >>> ratio = Ratio.of_counts(Counts([3] * 40 + [2, 0], [3] * 42), most=4)
    >>> every_threshold(ratio, delta=0.05), round(every_threshold(ratio, delta=0.05, tried=1), 4)
    (0.72, 0.8505)
    """
    if tried is not None and (tried <= LEVELS.size or ratio.draws.most is None):
        return lower_limit(ratio, delta / tried)
    below = LEVELS[ratio.mean > LEVELS][::-1]
    return float(next((level for level in below if refutes(ratio, float(level), delta / LEVELS.size)), 0.0))
