"""What inference may look at: counts of events, and bounded losses with their moments.

Every number here may be an array: a bound is written elementwise, and one test set is the 0-d case.
"""

from holdfast.evidence.counts import Counts
from holdfast.evidence.given import Array, Integers, numbers, shown, whole
from holdfast.evidence.losses import Losses
from holdfast.evidence.sample import Sample

__all__ = ["Array", "Counts", "Integers", "Losses", "Sample", "numbers", "shown", "whole"]
