"""What inference may look at: counts of events, bounded losses, contingency tables, ranked scores.

Every number here may be an array: a bound is written elementwise, and one test set is the 0-d case.
"""

from holdfast.evidence.contingency import NO_ANSWER, Contingency
from holdfast.evidence.costs import Costs
from holdfast.evidence.counts import Counts, Difference, Overlap, Proportions, Strata
from holdfast.evidence.evidence import Evidence, Order, Resampled, Sample
from holdfast.evidence.losses import Losses
from holdfast.evidence.pairs.paired import Paired
from holdfast.evidence.ranking.calibration import CalibrationError, ChosenBins, Reliability
from holdfast.evidence.ranking.distance import Distance, Gini, RankedPrecision
from holdfast.evidence.ranking.forecasts import Forecasts, Margins, Posteriors
from holdfast.evidence.ranking.scores import Scores
from holdfast.evidence.tables.statistic import AtPrevalence, MonotoneInRecalls, SmoothStatistic, TableStatistic
from holdfast.evidence.value import Array, Integers, numbers, shown, whole

__all__ = [
    "NO_ANSWER",
    "Array",
    "AtPrevalence",
    "CalibrationError",
    "ChosenBins",
    "Contingency",
    "Costs",
    "Counts",
    "Difference",
    "Distance",
    "Evidence",
    "Forecasts",
    "Gini",
    "Integers",
    "Losses",
    "Margins",
    "MonotoneInRecalls",
    "Order",
    "Overlap",
    "Paired",
    "Posteriors",
    "Proportions",
    "RankedPrecision",
    "Reliability",
    "Resampled",
    "Sample",
    "Scores",
    "SmoothStatistic",
    "Strata",
    "TableStatistic",
    "numbers",
    "shown",
    "whole",
]
