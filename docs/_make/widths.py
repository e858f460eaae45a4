"""How wide each method's 95 % interval is on the same few pieces of evidence, for docs/methods.md."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from scipy.special import betaincinv

from holdfast.catalog import Bound
from holdfast.evidence import Array, Contingency, Counts, Evidence, Losses, Resampled, Scores, Strata
from holdfast.evidence.clusters import Clusters
from holdfast.evidence.folds.counts import FoldCounts
from holdfast.evidence.folds.differences import FiveByTwo, FoldDifferences
from holdfast.evidence.folds.nested_cv import Nested
from holdfast.evidence.folds.point632 import LeftOut, Point632, Point632Plus
from holdfast.evidence.folds.progressive import Progressive
from holdfast.evidence.folds.values import FoldValues
from holdfast.evidence.pairs.influence import KinkedSway, SmoothSway
from holdfast.evidence.pairs.paired import Paired
from holdfast.evidence.pairs.separate import Apart
from holdfast.evidence.pools.compressed import Compressed
from holdfast.evidence.pools.gibbs import Gibbs
from holdfast.evidence.pools.graded import Levels
from holdfast.evidence.pools.pool import Pool
from holdfast.evidence.pools.spread import Inputs, PoolSpread, Spread
from holdfast.evidence.prevalence import AtPrevalence, precision_of_rates
from holdfast.evidence.ranking.calibration import CalibrationError, ChosenBins
from holdfast.evidence.ranking.paired_scores import PairedScores
from holdfast.measures.separation import ks
from holdfast.measures.sway import sway_of_area, sway_of_distance
from holdfast.render.numbers import rounded
from holdfast.verify.drawn import pairs

DELTA, UNLABELLED = 0.05, 1000
FOLDS = [1, 3, 2, 0, 4, 2, 1, 3, 2, 2]  # errors in ten folds of 20 examples
HALVES = np.repeat([0.0, 0.5, 1.0], [170, 20, 10])
SPREAD = Spread(200, variance=0.0009, within=0.0891)
INPUTS, ERRORS = Inputs(contention=0.1, within=0.1), Counts([14, 26] * 5, 200)
GAPS = np.array([4, 1, 3, 2, 0, 2, 3, 1, 2, 2]) / 100
PLACES = np.arange(200)
POSITIVE, CLUSTERS = PLACES % 5 < 2, PLACES // 4
RANKED = tuple((PLACES * step % 200).astype(float) + 60 * POSITIVE for step in (77, 123))


def _swayed(of_one: Callable[[Array, Any], Array]) -> Array:
    first, second = (of_one(each, POSITIVE) for each in RANKED)
    return first - second


EVIDENCE: dict[str, tuple[Evidence, ...]] = {
    "3 errors in 30": (Counts(3, 30),),
    "20 in 200": (Counts(20, 200),),
    "2 in 200": (Counts(2, 200),),
    "200 losses that are spread as Beta(2, 8)": (Losses(betaincinv(2, 8, (np.arange(200) + 0.5) / 200)),),
    "40 clusters of 5, every second with one error": (Clusters(Counts([1, 0] * 20, 5), most=5),),
    "20 won and 12 lost of 200": (Paired(won=20, lost=12, n=200),),
    "20 errors in ten folds of 20": (
        FoldCounts(FOLDS, 20),
        FoldValues(np.divide(FOLDS, 20), n_train=180, n_test=20),
        Progressive.from_counts(20, 200),
    ),
    "200 losses of 0, 1/2 and 1 with mean 0.1": (Levels.of_values(HALVES, levels=2),),
    "200 losses of 0, 1/2 and 1 with mean 0.1, and 1,000 unlabelled": (Pool(Losses(HALVES), UNLABELLED, levels=2),),
    "a deviation of 0.03 over models, seen on 200": (SPREAD,),
    "a deviation of 0.03 over 10 models, seen on 200, and 1,000 unlabelled": (
        PoolSpread(SPREAD, INPUTS, unlabelled=UNLABELLED, models=10, errors=ERRORS),
    ),
    "a precision of 0.964, at a prevalence of 60 %": (
        AtPrevalence(Counts(108, 120), Strata(Counts([76], [80])), np.array(1.5), precision_of_rates),
    ),
    "an error of 0.15 in two bins of 200": (CalibrationError(np.array([0.06, -0.09]), np.array(0.1), np.array(200)),),
    "a bin of 20 in 200": (ChosenBins(Counts(20, 200)),),
    "two rankings of 200": (PairedScores(*RANKED, POSITIVE), Apart(*(ks(Scores(each, POSITIVE)) for each in RANKED))),
    "two rankings of 200 in 50 clusters": (
        SmoothSway.of(0.0, _swayed(sway_of_area), POSITIVE, CLUSTERS),
        KinkedSway.of(0.0, _swayed(sway_of_distance), POSITIVE, CLUSTERS),
    ),
    "two models on ten folds of 20": (FoldDifferences(GAPS, n_train=180, n_test=20),),
    "two models on five times two halves of 100": (FiveByTwo(np.reshape(GAPS, (5, 2)), n_train=100, n_test=100),),
    "20 errors in ten folds of 20, and 2 in each inner one": (Nested([FOLDS], np.full((1, 10, 10), 2), 20),),
    "200 rows that 0, 20 or 100 % of the models err on": tuple(
        rule(np.repeat([0.0, 0.2, 1.0], [150, 40, 10]), seen=0.05, chance=0.5)
        for rule in (LeftOut, Point632, Point632Plus)
    ),
    "3 errors in 200 of a model made of 4 of them": (Compressed(k=3, examples=200, kept=4),),
    "200 average losses with mean 0.1 and a divergence of 2": (Gibbs(Losses(HALVES), divergence=2.0),),
}
TABLE = Contingency([[90, 20], [10, 80]], rows="predicted")
GRADES = Scores.from_counts(np.arange(3), [8, 24, 48], [72, 36, 12])


def width(bound: Bound) -> str:
    """In the units of what is measured, rounded up; empty where there is no such evidence here."""
    stated = {"unlabelled": UNLABELLED} if "unlabelled" in bound.parameters else {}
    found = [
        f"{rounded(float(bound(evidence, DELTA, 'both', **stated).width), 3, 'up')} for {words}"
        for words, evidence in _fitting(bound)
    ]
    return ", ".join(found) + ("; 1,000 unlabelled each time" if stated else "")


def _fitting(bound: Bound) -> Iterator[tuple[str, Evidence]]:
    found = [(words, one) for words, several in EVIDENCE.items() for one in several if isinstance(one, bound.takes)]
    yield from [each for each in found if isinstance(each[1], Counts)] or found[:1]
    if Counts in bound.takes:
        return
    tried = {measure.name: measure for measure, _ in pairs(bound)}
    for measure in [*tried.values()][: 1 if Resampled in bound.takes else None]:
        yield measure.name, measure(TABLE if measure.takes is Contingency else GRADES)
