"""How wide each method's 95 % interval is on the same few pieces of evidence, for docs/methods.md."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from scipy.special import betaincinv

from holdfast.catalog import Bound, Measure
from holdfast.evidence import Contingency, Counts, Evidence, Losses, Resampled, Scores, Strata
from holdfast.evidence.draws import Draws, Influence, Ratio, combined
from holdfast.evidence.folds.folds import FiveByTwo, FoldDifferences
from holdfast.evidence.folds.nested_cv import LeftOut, Nested, Point632, Point632Plus
from holdfast.evidence.folds.sample import FoldCounts, Progressive
from holdfast.evidence.folds.values import FoldRatio, FoldValues
from holdfast.evidence.losses import Grades
from holdfast.evidence.pairs.paired import Paired
from holdfast.evidence.pairs.separate import SeparateEstimates
from holdfast.evidence.pools.pool import Compressed, Gibbs, GradedLosses, Pool
from holdfast.evidence.pools.spread import Inputs, PoolSpread, Spread
from holdfast.evidence.ranking.calibration import CalibrationError, ChosenBins
from holdfast.evidence.ranking.distance import PairedScores
from holdfast.evidence.tables.statistic import AtPrevalence, precision_of_rates
from holdfast.measures.ranking import auc, ks
from holdfast.render.phrases import rounded
from holdfast.tally.designs.drawn import Drawn
from holdfast.tally.designs.reading import readings
from holdfast.verify.simulated import pairs

DELTA, UNLABELLED = 0.05, 1000
FOLDS = [1, 3, 2, 0, 4, 2, 1, 3, 2, 2]  # errors in ten folds of 20 examples
HALVES = np.repeat([0.0, 0.5, 1.0], [170, 20, 10])
SPREAD = Spread(200, variance=0.0009, within=0.0891)
INPUTS, ERRORS = Inputs(contention=0.1, within=0.1), Counts([14, 26] * 5, 200)
GAPS = np.array([4, 1, 3, 2, 0, 2, 3, 1, 2, 2]) / 100
PLACES = np.arange(200)
POSITIVE, CLUSTERS = PLACES % 5 < 2, PLACES // 4
RANKED = tuple((PLACES * step % 200).astype(float) + 60 * POSITIVE for step in (77, 123))


IN_CLUSTERS = Ratio.of_counts(Counts([1, 0] * 20, 5), most=5)


def _ranked(measure: Measure) -> Influence:
    """What two rankings of the same rows differ by, cluster by cluster."""
    drawn, truth = Draws(np.ones(50)), POSITIVE.astype(np.int64)
    rows = Drawn(drawn, CLUSTERS, np.ones(200), truth, labels=("other", "own"), truths=np.arange(2))
    first, second = (next(readings(measure, replace(rows, scores={"own": scores})))[1] for scores in RANKED)
    assert isinstance(first, Influence)
    assert isinstance(second, Influence)
    return first - second


EVIDENCE: dict[str, tuple[Evidence, ...]] = {
    "3 errors in 30": (Counts(3, 30),),
    "20 in 200": (Counts(20, 200),),
    "2 in 200": (Counts(2, 200),),
    "200 losses that are spread as Beta(2, 8)": (Losses(betaincinv(2, 8, (np.arange(200) + 0.5) / 200)),),
    "40 clusters of 5, every second with one error": (IN_CLUSTERS,),
    "20 won and 12 lost of 200": (Paired(won=20, lost=12, n=200),),
    "20 errors in ten folds of 20": (
        FoldCounts(FOLDS, 20),
        FoldValues(np.divide(FOLDS, 20), n_train=180, n_test=20),
        Progressive.from_counts(20, 200),
    ),
    "200 losses of 0, 1/2 and 1 with mean 0.1": (
        GradedLosses.of_values(HALVES, levels=2),
        Grades.of([170, 20, 10], levels=(0, 0.5, 1)),
    ),
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
    "two rankings of 200": (
        PairedScores(*RANKED, POSITIVE),
        SeparateEstimates(*(ks(Scores(each, POSITIVE)) for each in RANKED)),
    ),
    "two rankings of 200 in 50 clusters": (_ranked(auc), _ranked(ks)),
    "the mean of two rates, each as in the 40 clusters of 5": (combined((0.5, 0.5), (IN_CLUSTERS, IN_CLUSTERS)),),
    "the 40 clusters of 5 in ten folds": (FoldRatio([1, 0] * 20, [5] * 40, np.arange(40) // 4, most=5),),
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
    given = [(words, one) for words, several in EVIDENCE.items() for one in several if isinstance(one, bound.takes)]
    found = [each for each in given if bound.needs is None or each[1].has(bound.needs)]
    yield from [each for each in found if isinstance(each[1], Counts)] or found[:1]
    if Counts in bound.takes:
        return
    tried = {measure.name: measure for measure, _ in pairs(bound)}
    for measure in [*tried.values()][: 1 if Resampled in bound.takes else None]:
        yield measure.name, measure(TABLE if measure.takes is Contingency else GRADES)
