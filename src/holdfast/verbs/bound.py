"""How wrong is my classifier, when all I have is counts or losses?"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from holdfast.bounds.influence import best_thresholds, influence
from holdfast.bounds.matchings import LARGEST as MOST_MATCHED
from holdfast.bounds.squares import LARGEST, finite_for, sum_of_limits
from holdfast.catalog import Bound, find, methods
from holdfast.claims import Assumption, Claim, Side, chance_of_error
from holdfast.errors import HoldfastError, UnfitMethod
from holdfast.evidence import (
    Array,
    Counts,
    Evidence,
    Losses,
    MonotoneInRecalls,
    Paired,
    Proportions,
    RankedPrecision,
    Sample,
    Scores,
    SmoothStatistic,
    Strata,
    TableStatistic,
    numbers,
)
from holdfast.evidence.draws import Influence, Ratio
from holdfast.evidence.evidence import Need
from holdfast.evidence.folds.sample import FoldCounts, FoldMeans, Progressive
from holdfast.evidence.folds.values import FoldRatio, FoldValues, RepeatedValues
from holdfast.evidence.losses import Grades
from holdfast.evidence.pairs.separate import SeparateEstimates
from holdfast.evidence.pools.pool import Gibbs, GradedLosses, Pool
from holdfast.evidence.ranking.calibration import CalibrationError, ChosenBins
from holdfast.evidence.ranking.distance import Distance, PairedScores
from holdfast.evidence.tables.statistic import AtPrevalence
from holdfast.invert import solve_for_delta
from holdfast.report import Line, Report
from holdfast.verify import worst_coverage

ANSWERS: dict[type[Evidence], tuple[str, ...]] = {  # the narrower kind before the wider
    Strata: ("fisher",),
    Grades: ("nested-fisher",),
    Proportions: ("union",),
    MonotoneInRecalls: ("fisher-region",),
    SmoothStatistic: ("jackknife",),
    TableStatistic: ("bca",),
    RankedPrecision: ("influence",),
    Distance: ("ks-band",),
    Paired: ("paired-fisher", "tango"),
    PairedScores: ("paired-delong",),
    SeparateEstimates: ("apart",),
    AtPrevalence: ("rectangle",),
    CalibrationError: ("signs",),
    ChosenBins: ("chosen-bins",),
    FoldCounts: ("geometric-merge", "bayle"),
    FoldMeans: ("geometric-merge-kl", "bayle"),
    FoldRatio: ("fold-bets",),
    Progressive: ("progressive-mixture",),
    RepeatedValues: ("bouckaert-frank",),
    FoldValues: ("nadeau-bengio",),
    GradedLosses: ("clopper-pearson-levels",),
    Gibbs: ("pac-bayes",),
}
LARGEST_ENUMERATION = 5_000  # all counts of all methods within a second or two


def bound(
    evidence: Sample,
    method: str | Bound | None = None,
    *,
    confidence: float | str | None = None,
    delta: ArrayLike | None = None,
    side: Side = "both",
    unlabelled: ArrayLike | None = None,
) -> Claim:
    """What this evidence lets you claim about the true rate or mean loss.

    Parameters
    ----------
    evidence
        `Counts(k, n)` or `Losses(x)`; arrays inside give arrays of limits. Losses in the order in which the examples
        were drawn may say so, `Losses(x, order="drawn")`: methods that bet on them one by one have a proof only then.
        Where a loss can only be one of a few, declare it, `Losses(x, levels=(0, 0.5, 1))`: limits are narrower.
    method
        A name of the catalog (`hf.methods()`). By default the guaranteed one for this kind of evidence.
    confidence, delta
        One of the two: the confidence of the whole statement, or the chance of its being wrong.
    side
        "upper", "lower" or "both".
    unlabelled
        The number of examples still unlabelled; the claim is then about just these.

    Examples
    --------
    >>> print(bound(Counts(8, 30)))
    0.267 [0.122, 0.459], clopper-pearson, 95 %, holds at every sample size
    >>> bound(Counts(0, 100), delta=0.05, side="upper").upper
    0.0295...
    """
    _check_evidence(evidence)
    level = chance_of_error(confidence, delta)
    if isinstance(evidence, Losses) and evidence.levels and (method is None or not find(method).fits(evidence)):
        by_level = evidence.condensed
        chosen = default_methods(by_level)[0] if method is None else find(method)
        claim = chosen(by_level, level, side, **({} if unlabelled is None else {"unlabelled": unlabelled}))
        return replace(claim, measure="mean-loss", assumes=(*claim.assumes, Assumption.KNOWN_LEVELS))
    parameters: dict[str, Any] = {} if unlabelled is None else {"unlabelled": unlabelled}
    chosen = find(method) if method is not None else default_method(evidence, unlabelled is not None)
    return chosen(evidence, level, side, **parameters)


def default_method(evidence: Sample, unlabelled: bool = False) -> Bound:
    """The guaranteed method for this kind and amount of evidence: never chosen by looking at the values."""
    if isinstance(evidence, Counts):
        return find("hypergeometric" if unlabelled else "clopper-pearson")
    if not evidence.has("one range"):
        return find("hoeffding")
    if evidence.has("values") and np.all(evidence.n <= LARGEST):
        return find("squares")
    return find("maurer-pontil" if evidence.has("s2") else "hoeffding-kl")


def default_methods(evidence: Evidence) -> tuple[Bound, ...]:
    """Who answers for this kind of evidence, the guaranteed one first where there is one."""
    if isinstance(evidence, Sample):
        return (default_method(evidence),)
    if isinstance(evidence, Pool):
        return (_for_pool(evidence),)
    if isinstance(evidence, Ratio):
        return (finite_for(evidence), influence) if evidence.has(Need.CAPPED) else (influence,)
    if isinstance(evidence, Influence):
        soft = influence if evidence.smooth else best_thresholds
        return (sum_of_limits, soft) if evidence.has(Need.TERMS) else (soft,)
    if isinstance(evidence, Scores):
        few = min(evidence.n_positive, evidence.n_negative) <= MOST_MATCHED
        return find("auc-matchings" if few else "auc-bentkus"), find("delong")
    for kind, names in ANSWERS.items():
        if isinstance(evidence, kind):
            bounds = tuple(find(name) for name in names)
            return tuple(bound for bound in bounds if bound.fits(evidence)) or bounds
    raise UnfitMethod(f"No method answers for {type(evidence).__name__}.")


def _for_pool(pool: Pool) -> Bound:
    """The order-free method that is narrowest for so many losses, unlabelled and levels, never by the values.

    Counting at each level costs delta over the levels. The limit of `squares-pool` is about the whole pool, and is
    pushed out by what is known of it already: the more, the less is still unlabelled.
    """
    levels = 4 if np.all(pool.unlabelled >= 2 * pool.n) else 64
    if pool.levels is not None and pool.levels <= levels:
        return find("hypergeometric-levels")
    few_enough = pool.has("values") and np.all(pool.n <= np.minimum(LARGEST, 2 * pool.unlabelled))
    return find("squares-pool" if few_enough else "hoeffding-difference")


def every_bound(
    evidence: Sample, *, confidence: float | str | None = None, delta: float | None = None, side: Side = "both"
) -> Report:
    """The claim of every method that fits, side by side, with its exact worst coverage where that can be counted."""
    _check_evidence(evidence)
    level = chance_of_error(confidence, delta)
    if evidence.mean.ndim or evidence.n.ndim or level.ndim:
        raise UnfitMethod("Side by side goes one sample at one confidence; use bound for arrays.")
    lines = []
    for candidate in methods():
        if candidate.fits(evidence, side):
            covered = None
            if isinstance(evidence, Counts) and 0 < evidence.n <= LARGEST_ENUMERATION:
                covered = worst_coverage(candidate, int(evidence.n), delta=float(level), side=side).coverage
            lines.append(Line(candidate(evidence, level, side), covered))
    return Report.of(lines)


def p_value(evidence: Sample, null: ArrayLike, side: Side = "both", method: str | Bound | None = None) -> float | Array:
    """A p-value against the null: were it true, a value of p or less would come with a chance of at most p.

    `side` is that of the bound: with "upper" a small value speaks against a rate of `null` or more. Of most methods it
    is the bound solved for delta, the least delta at which the null lies outside its interval. What `squares`,
    `mixture`, `betting` and `star` do is sized for their delta, so that their limits are not nested and solving them
    would give no p-value: theirs is one over the evidence of one test, sized for delta = 0.05. It is as firm as the
    method's claim.

    Examples
    --------
    >>> round(p_value(Counts(8, 30), null=0.5, side="upper"), 6)
    0.008062
    """
    _check_evidence(evidence)
    chosen = find(method) if method is not None else default_method(evidence)
    chosen.check(evidence, side)
    low, high, value = evidence.scale.low, evidence.scale.high, numbers("null", null)
    if not np.all((value > low) & (value < high)):
        raise HoldfastError(f"The null must lie strictly between {low:g} and {high:g}; got {null!r}.")
    values = solve_for_delta(chosen, evidence, evidence.scale.share(value), side)
    return values.item() if values.ndim == 0 else values


def _check_evidence(evidence: object) -> None:
    if not isinstance(evidence, Sample):
        raise UnfitMethod(
            f"Declare what the numbers are: Counts(errors, n) or Losses(values); got {type(evidence).__name__}."
        )
