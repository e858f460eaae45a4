r"""Thresholds that may be chosen on the very examples that prove what is claimed of them.

A threshold that was picked because it did well is flattered by the examples that picked it, and the limit of a
threshold fixed beforehand no longer holds. What holds is a threshold found by testing in an order that was fixed
without looking: each test may use the whole of delta as long as the first failure ends the search, for a false claim
needs the first false hypothesis in that order to be rejected, and that one hypothesis is not chosen by the data.

*Specificity*, the share of the others with a score below t, only rises with t. Test every real number from the highest
down, so that no candidate depends on the data; t passes while so few of the others score t or more that Clopper and
Pearson's test rejects "the specificity is below what is wanted". With n others that is any t above the k-th smallest
of their scores, where k depends on n, the wish and delta alone: Wilks' tolerance limit,

.. math:: P(F(Y_{(k)}) < s) \le P(\mathrm{Beta}(k, n - k + 1) < s) = P(\mathrm{Bin}(n, s) \ge k) \le \delta,

an equality for scores without ties. With ties the left side is only smaller, as the rule leaves out all examples at
:math:`Y_{(k)}`. Since the specificity rises, every higher t keeps the claim too. *Sensitivity* is the same from the
lowest number up, on the examples of the class. Either way the examples of the other class had no part in the choice.

*Precision* need not rise with t, and far up there is nothing to test it on. Half of delta goes to the hundredths from 1
down, tested in turn from each of several of them, with an equal part each (Learn then Test): numbers fixed for good,
at home where the scores are probabilities. The other half goes to ranks, which are at home on every scale: so many
examples at the top, whatever their labels. Given the score v that comes next below the top r, and all lower ones, the
examples above it are independent draws from those above v, so their hits are binomial with the precision there. Each
rank has its own part of delta; they may not be tested in turn from the top, for that the higher scores were good ones
says something about the examples that are counted again further down. Thresholds named beforehand take the place of
both.

*Groups.* What shall hold in each of several groups is accepted of a threshold only where the test of every group, with
the whole of delta, accepts it: a false claim needs the test of that one group to fail in which it is false. Rows that
were not drawn one by one have other tests, and the same order (`selection/drawn_thresholds.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, log

import numpy as np

from holdfast.bounds.binomial import clopper_pearson
from holdfast.catalog import ALWAYS, OUTWARD, procedure
from holdfast.claims import Guarantee, Source
from holdfast.evidence import Array, Counts, Scores
from holdfast.numerics.binomial import binomial_tail
from holdfast.selection.stairs import Stairs

STEP = 1.25  # from one rank to the next: finer, each has a smaller part of delta; coarser, the best may lie between
HUNDREDTHS = np.arange(100, 0, -1) / 100
STARTS = 5  # thresholds from which lower ones are tested in turn


@dataclass(frozen=True)
class Cut:
    """A threshold from which on examples are called positive, and what is proven of it."""

    threshold: float
    at_least: float
    kept: int | None = None  # of the class it was chosen on, those on the right side: as many at least, by design


@procedure(
    guarantee=Guarantee.FINITE,
    source=Source("wilks1941", "tolerance limits"),
    assumes=ALWAYS,
    rests_on=("clopper-pearson", "squares", "strata-bets"),
)
def fixed_sequence(
    scores: Scores, rate: str, at_least: float, delta: float, candidates: Array | None = None
) -> Cut | None:
    r"""The best threshold whose sensitivity, or specificity, is proven by tests made in a fixed order up to a failure.

    Notes
    -----
    Each threshold of the order may use the whole of delta, for a false claim needs the first false hypothesis of the
    order to be rejected, and that one is not chosen by the data. With n examples of the class that decides it is Wilks'
    tolerance limit, k depending on n, the rate s that is wanted and delta alone:

    .. math:: P(F(Y_{(k)}) < s) \le P(\mathrm{Bin}(n, s) \ge k) \le \delta

    What is claimed is the rate itself, or a little more where so many examples prove more. Clusters, weights and strata
    have the tests of `squares` and `strata-bets` in place of the binomial one; those, too, never speak less against a
    low rate at a safer threshold, so that the same order will do.

    Examples
    --------
    >>> fixed_sequence(Scores(np.arange(200), np.arange(200) >= 100), "sensitivity", at_least=0.9, delta=0.05)
    Cut(threshold=104.0, at_least=0.9108..., kept=96)
    """
    return (for_sensitivity if rate == "sensitivity" else for_specificity)(scores, at_least, delta, candidates)


def for_specificity(scores: Scores, at_least: float, delta: float, candidates: Array | None = None) -> Cut | None:
    """The lowest threshold whose specificity is proven; None where there are too few others.

    Examples
    --------
    >>> for_specificity(Scores(np.arange(200), np.arange(200) >= 100), at_least=0.9, delta=0.05)
    Cut(threshold=95.1, at_least=0.9108..., kept=96)
    """
    spared = failures_allowed(scores.n_negative, at_least, delta)
    if spared < 0:
        return None
    stairs, kept = Stairs.of(scores), scores.n_negative - spared
    proven = _limit(kept, scores.n_negative, delta, at_least)
    if candidates is None:
        return Cut(stairs.just_above(stairs.negatives, kept), proven, kept)
    passed = candidates[stairs.at_most(candidates)[1].k <= spared]
    return Cut(float(passed.min()), proven, kept) if passed.size else None


def for_sensitivity(scores: Scores, at_least: float, delta: float, candidates: Array | None = None) -> Cut | None:
    """The highest threshold whose sensitivity is proven; None where there are too few examples of the class.

    Examples
    --------
    >>> for_sensitivity(Scores(np.arange(200), np.arange(200) >= 100), at_least=0.9, delta=0.05)
    Cut(threshold=104.0, at_least=0.9108..., kept=96)
    """
    spared = failures_allowed(scores.n_positive, at_least, delta)
    if spared < 0:
        return None
    stairs, kept = Stairs.of(scores), scores.n_positive - spared
    proven = _limit(kept, scores.n_positive, delta, at_least)
    if candidates is None:
        return Cut(stairs.just_below(stairs.positives, spared + 1), proven, kept)
    passed = candidates[stairs.at_least(candidates)[0].k >= kept]
    return Cut(float(passed.max()), proven, kept) if passed.size else None


@procedure(
    name="learn-then-test",
    guarantee=Guarantee.FINITE,
    source=Source("angelopoulos2021", "fixed sequence testing"),
    assumes=ALWAYS,
    rests_on=("clopper-pearson", "squares", "strata-bets", "rectangle"),
)
def for_precision(
    scores: Scores, at_least: float, delta: float, candidates: Array | None = None, groups: Sequence[Scores] = ()
) -> Cut | None:
    r"""The lowest threshold whose precision is proven, of all examples or in every group; None where it is of none.

    Notes
    -----
    With a examples called positive at a threshold, f of them wrongly, a precision of s or less is rejected where

    .. math:: P(\mathrm{Bin}(a, 1 - s) \le f) \le \delta'

    Half of delta goes to the hundredths from 1 down, tested in turn from each of several starts, an equal part each;
    half to so many examples at the top, each number of them with its own part. Thresholds named beforehand take the
    place of both. Where rows come in clusters, with weights or within strata, nothing is known of the examples at the
    top, and all of delta goes to thresholds that are fixed, each tested by `squares`, `strata-bets` or `rectangle`.

    Examples
    --------
    >>> for_precision(Scores(np.arange(200), np.arange(200) >= 100), at_least=0.9, delta=0.05)
    Cut(threshold=98.1, at_least=0.9, kept=None)
    """
    tested = [Stairs.of(each) for each in groups or (scores,)]
    if candidates is not None:
        return lowest(_named(tested, falling(candidates), at_least, delta), at_least)
    every = Stairs.of(scores) if groups else tested[0]
    hundredths = _named(tested, HUNDREDTHS, at_least, delta / 2)
    return lowest(np.append(hundredths, _ranked(every, tested, int(scores.n), at_least, delta / 2)), at_least)


@procedure(
    guarantee=Guarantee.FINITE,
    source=Source("bonferroni1936", "inequality"),
    assumes=ALWAYS,
    rests_on=("clopper-pearson",),
)
def bayes_union(recall: Counts, specificity: Counts, positives: Counts | float, delta: float) -> float:
    r"""The least precision that exact limits of recall, specificity and prevalence leave, at a third of delta each.

    Notes
    -----
    By Bayes' rule the precision rises with each of the three,

    .. math:: \frac{\pi\, r}{\pi\, r + (1 - \pi)(1 - s)},

    so that lower limits of recall r, specificity s and prevalence :math:`\pi`, which hold together with the chance of
    error delta, whatever the three have to do with each other, give one of the precision. It is rounded down. Where the
    prevalence is stated, half of delta goes to either rate.

    Examples
    --------
    >>> print(f"{bayes_union(Counts(96, 100), Counts(90, 100), Counts(100, 200), 0.05):.3f}")
    0.782
    """
    rates = (recall, specificity) if isinstance(positives, float) else (recall, specificity, positives)
    limits = [float(clopper_pearson(each, delta / len(rates), "lower").lower) for each in rates]
    return precision_of(limits[0], limits[1], positives if isinstance(positives, float) else limits[2])


def precision_of(recall: float, specificity: float, prevalence: float) -> float:
    """The precision that these come to, rounded down; 0 where nothing is found."""
    right, wrong = prevalence * recall, (1 - prevalence) * (1 - specificity)
    return right / (right + wrong) * (1 - 8 * OUTWARD) if right else 0.0


def falling(candidates: Array | None) -> Array:
    """Thresholds that are fixed beforehand, from the highest down: those named, or the hundredths."""
    return HUNDREDTHS if candidates is None else np.unique(candidates)[::-1]


def lowest(passed: Array, at_least: float) -> Cut | None:
    """The lowest of the thresholds for which so much is proven."""
    return Cut(float(passed.min()), at_least) if passed.size else None


def _named(tested: Sequence[Stairs], thresholds: Array, at_least: float, delta: float) -> Array:
    """Of the thresholds, which are fixed and falling, those whose precision is proven in turn."""
    return thresholds[in_turn(_surprise(tested, thresholds, at_least) <= delta / min(STARTS, thresholds.size))]


def _ranked(every: Stairs, tested: Sequence[Stairs], n: int, at_least: float, delta: float) -> Array:
    """Thresholds that leave a number of examples above them, those whose precision is proven one by one."""
    ranks, both = ranks_tried(n, at_least, delta), every.positives + every.negatives
    tried = np.array([every.just_above(both, n - rank) for rank in ranks])
    return tried[_surprise(tested, tried, at_least) <= delta / max(len(ranks), 1)]


def _surprise(tested: Sequence[Stairs], thresholds: Array, at_least: float) -> Array:
    """The chance of so few false alarms, were the precision just below what is wanted; the largest of all groups."""
    chances = np.zeros(thresholds.shape)
    for stairs in tested:
        hits, alarms = stairs.at_least(thresholds)[0].k, stairs.at_most(thresholds)[1].k
        chances = np.maximum(chances, binomial_tail(alarms, hits + alarms, 1 - at_least, at_least))
    return chances


def in_turn(passed: Array) -> Array:
    """Which tests count that are made in turn from each of some places on, up to its first failure."""
    places = np.arange(passed.size)
    starts = np.arange(STARTS) * passed.size // STARTS if passed.size > STARTS else places
    failed = np.append(np.flatnonzero(~passed), passed.size)
    ends = failed[np.searchsorted(failed, starts)]
    return np.asarray(np.any((starts[:, np.newaxis] <= places) & (places < ends[:, np.newaxis]), axis=0))


def ranks_tried(n: int, at_least: float, delta: float) -> list[int]:
    """How many examples at the top are looked at together, from nearly all down to the fewest that may prove it."""
    fewest = examples_needed(at_least, delta)
    steps = np.arange(ceil(log(max((n - 1) / fewest, 1)) / log(STEP)) + 1)
    ranks = np.unique(((n - 1) / STEP**steps).astype(np.int64))[::-1]
    return [int(rank) for rank in ranks if rank >= fewest]


def failures_allowed(n: int, at_least: float, delta: float) -> int:
    """The most failures of n examples with which a rate of success is still proven; -1 where none is few enough."""
    low, high = -1, n
    while high - low > 1:
        middle = (low + high) // 2
        few = binomial_tail(middle, n, 1 - at_least, at_least) <= delta
        low, high = (middle, high) if few else (low, middle)
    return low


def examples_needed(at_least: float, delta: float) -> int:
    """The fewest examples that prove a rate of success if none of them fails."""
    n = max(ceil(log(delta) / log(at_least) - 1e-9), 1)  # a whole number may have come out a little too large
    return n if at_least**n <= delta else n + 1


def fewest_called(at_least: float, delta: float, candidates: Array | None = None) -> int:
    """The fewest examples called positive that prove a precision if all of them are: by the easier of the two routes.

    A rank that is tried alone has half of delta to itself; a hundredth shares that half with other starts.

    Examples
    --------
    >>> fewest_called(0.9, 0.05), fewest_called(0.9, 0.05, np.array([0.5, 0.7]))
    (36, 36)
    """
    parts = 2 if candidates is None else min(STARTS, np.unique(candidates).size)
    return examples_needed(at_least, delta / parts)


def _limit(successes: int, n: int, delta: float, at_least: float) -> float:
    """What is proven, which may be a little more than was asked for."""
    return max(float(clopper_pearson(Counts(successes, n), delta, "lower").lower), at_least)
