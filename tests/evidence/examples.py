"""One value of each kind of evidence, and of what evidence is read off."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from holdfast.evidence import (
    AtPrevalence,
    CalibrationError,
    ChosenBins,
    Contingency,
    Costs,
    Counts,
    Difference,
    Evidence,
    Forecasts,
    Losses,
    Margins,
    Overlap,
    Paired,
    Posteriors,
    Proportions,
    Scores,
    Strata,
)
from holdfast.evidence.costs import Charged, ChargedStrata, Tiers
from holdfast.evidence.counts import MixedCounts, Samples
from holdfast.evidence.draws import Draws, Influence, Ratio, combined
from holdfast.evidence.folds.folds import FiveByTwo, FoldDifferences, Folds, RepeatedDifferences
from holdfast.evidence.folds.nested_cv import LeftOut, Nested, Point632, Point632Plus
from holdfast.evidence.folds.sample import FoldCounts, FoldMeans, Progressive
from holdfast.evidence.folds.values import FoldRatio, FoldValues, RepeatedValues
from holdfast.evidence.losses import Grades
from holdfast.evidence.pairs.paired import LossDifferences
from holdfast.evidence.pairs.separate import SeparateEstimates
from holdfast.evidence.pools.panel import Panel
from holdfast.evidence.pools.pool import Compressed, Gibbs, GradedLosses, Pool
from holdfast.evidence.pools.spread import Inputs, PoolSpread, Spread
from holdfast.evidence.ranking.distance import Gini, PairedScores
from holdfast.evidence.tables.statistic import precision_of_rates
from holdfast.evidence.value import OVERLAPS, Value

LOSSES = [0.0, 0.1, 0.5, 0.25]
SCORES = [0.9, 0.8, 0.8, 0.3, 0.1], [True, False, True, True, False]
TABLE = Contingency([[7, 2], [1, 5]], ["ill", "well"], rows="predicted")
ERRORS = Ratio(np.array([0.0, 2.0, 1.0]), np.array([1.0, 4.0, 1.0]), Draws(np.ones(3), most=5.0), over="rows")
RULE = {"seen": 0.1, "chance": 0.5}

STAYING: dict[str, Evidence] = {
    "Counts": Counts([3, 8], [10, 30]),
    "Losses": Losses(LOSSES),
    "Losses in units": Losses([0.0, 1.0, 5.0, 2.5], low=-1, high=9),
    "Losses with ranges": Losses([1.0, 1.0, 4.0], low=[0, 0, 2], high=[1, 2, 5]),
    "Losses drawn": Losses(LOSSES, order="drawn"),
    "Losses joined": Losses.joined([Losses(LOSSES), Losses(LOSSES, low=-1, high=2)]),
    "Losses of moments": Losses.from_moments(50, 2.0, 0.3, low=1, high=4, between=(1.9, 2.1)),
    "Scores": Scores(*SCORES),
    "Scores in bins": Scores.from_counts([0.0, 0.5], [1, 9], [7, 3], width=0.5),
    "ChosenBins": ChosenBins(Counts([3, 9], [20, 20])),
    "FoldCounts": FoldCounts([7, 8, 3, 12], 30, repeats=2, stratified=True),
    "FoldMeans": FoldMeans([1.0, 2.0, 0.5], [4, 5, 6], -1, 2, s2=[0.1, 0.0, 0.3], by_prediction=True),
    "FoldMeans joined": FoldMeans.joined([FoldMeans([0.1, 0.2], 5), FoldMeans([[5.0, 6.0]], 4, low=0, high=10)]),
    "FoldRatio": FoldRatio([0, 2, 1, 1], [1, 4, 2, 1], fold=[0, 0, 1, 1], most=5),
    "FoldValues": FoldValues([0.2, 0.3, 0.1], n_train=20, n_test=10, low=0, high=0.7),
    "RepeatedValues": RepeatedValues([[0.2, 0.3], [0.1, 0.2]]),
    "FoldDifferences": FoldDifferences([0.1, -0.2, 0.05], width=0.7),
    "RepeatedDifferences": RepeatedDifferences([[0.1, -0.2], [0.05, 0.0]]),
    "FiveByTwo": FiveByTwo(np.linspace(-0.1, 0.3, 10).reshape(5, 2)),
    "Nested": Nested([[1, 2, 1]], [[[0, 2, 1], [1, 0, 1], [2, 2, 0]]], 10, low=0, high=2),
    "LeftOut": LeftOut([0.0, 0.5, 1.0, 0.1], **RULE),
    "Point632": Point632([0.0, 0.5, 1.0, 0.1], **RULE),
    "Point632Plus": Point632Plus([0.0, 0.5, 1.0, 0.1], **RULE),
    "Progressive": Progressive(1.2, 500, low=1, high=3),
    "Pool": Pool(Losses([0.0, 0.5, 1.0]), 7, offset=0.1, low=0.05, high=0.8, levels=4),
    "Gibbs": Gibbs(Losses([0.0, 2.0, 4.0], 0, 4), [0.5, 1.0]),
    "Compressed": Compressed([3, 4], examples=50, kept=10, log_message=-1.0),
    "Spread": Spread(100, variance=0.0025, within=0.09),
    "Grades": Grades.of([7, 2, 1], levels=(0, 0.5, 1)),
    "Ratio": ERRORS,
    "Ratio of counts": Ratio.of_counts(Counts([0, 2, 1], [1, 4, 1]), most=5),
    "Ratio of overlaps": replace(ERRORS, scale=OVERLAPS),
    "Ratio of differences": ERRORS - replace(ERRORS, above=np.array([1.0, 1.0, 0.0])),
    "Influence": Influence(0.25, np.array([-0.05, 0.03, 0.02]), np.ones(3), Draws(np.ones(3))),
    "Influence of ratios": combined((0.5, 0.5), (ERRORS, replace(ERRORS, scale=OVERLAPS))),
    "Redrawn": ERRORS.redrawn,
    "PoolSpread": PoolSpread(Spread(100, 0.0025, 0.09), Inputs(0.1, 0.11), unlabelled=50, models=20),
}
GOING: dict[str, Evidence] = {  # kinds that a few new ones are to replace
    "Overlap": Overlap(8, 16),
    "MixedCounts": MixedCounts.joined([Counts(8, 16), Overlap(8, 16)]),
    "Charged": Charged.joined([Charged(18, 285, 0.0, 50.0), Charged(3, 9, -1.0, 2.0)]),
    "Tiers": Tiers(Counts([18, 8], [285, 285]), weights=[0.1, 0.9], n=np.asarray(285), low=0.0, high=10.0),
    "ChargedStrata": ChargedStrata(Counts([8, 10], [104, 181]), weights=[0.2, 0.8], low=0.0, high=0.6),
    "Proportions": Proportions(Counts([7, 5], [10, 10])),
    "Strata": Strata(Counts([90, 30], [100, 40]), weights=[0.2, 0.8]),
    "Difference": Difference.of(Counts(9, 10), Counts(6, 10)),
    "Paired": Paired(won=6, lost=16, n=161),
    "LossDifferences": LossDifferences([0.25, -0.5, 0.0], 2.0),
    "GradedLosses": GradedLosses(Counts([5, 2], 100)),
    "Gini": Gini(*SCORES),
    "PairedScores": PairedScores(SCORES[0], SCORES[0][::-1], SCORES[1]).gini,
    "CalibrationError": CalibrationError(np.array([0.1, -0.05]), np.array(0.2), np.array(50)),
    "SeparateEstimates": SeparateEstimates(Scores(*SCORES), Scores(SCORES[0][::-1], SCORES[1])),
    "AtPrevalence": AtPrevalence(Counts(9, 10), Strata(Counts([8], [10])), np.array(1.0), precision_of_rates),
}
EVIDENCE = {**STAYING, **GOING}
READ_OFF: dict[str, Value] = {
    "Contingency": TABLE,
    "Costs": Costs([[0, 1], [10, 0]], ["ill", "well"], rows="predicted"),
    "Forecasts": Forecasts([0.7, 0.2], [0.14, 0.96]),
    "Margins": Margins([1.5, -0.2, 0.0]),
    "Posteriors": Posteriors([[0.9, 0.1], [0.4, 0.6]], [0, 1], ["ham", "spam"]),
    "Samples": Samples(Counts([7, 0], [10, 10])),
    "Panel": Panel(("a", "b"), np.array([[0, 1, 1, 0], [0, 0, 1, 0]], bool)),
    "Folds": Folds({"naive": [0.2, 0.3], "full": [0.1, 0.2]}, n_test=30),
}
VALUES: dict[str, Value] = {**EVIDENCE, **READ_OFF}
