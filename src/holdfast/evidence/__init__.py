"""What inference may look at: counts of events, bounded losses, contingency tables, ranked scores.

Every number here may be an array: a bound is written elementwise, and one test set is the 0-d case.
"""

from holdfast.evidence.contingency import NO_ANSWER, Box, Contingency, Tabled
from holdfast.evidence.counts import Counts
from holdfast.evidence.given import Array, Integers, numbers, shown, whole
from holdfast.evidence.losses import Losses
from holdfast.evidence.proportions import Overlap, Proportions, Strata
from holdfast.evidence.sample import Evidence, Resampled, Sample

__all__ = [
    "NO_ANSWER",
    "Array",
    "Box",
    "Contingency",
    "Counts",
    "Evidence",
    "Integers",
    "Losses",
    "Overlap",
    "Proportions",
    "Resampled",
    "Sample",
    "Strata",
    "Tabled",
    "numbers",
    "shown",
    "whole",
]
