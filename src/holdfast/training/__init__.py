"""Fit a learner on the splits of a plan: here or elsewhere, with the same numbers, and nothing lost on the way."""

from holdfast.training.engines import ENGINES, WorkersDied
from holdfast.training.fit import Fit, FoldFailed
from holdfast.training.fits import Fits
from holdfast.training.runs import fit_all

__all__ = ["ENGINES", "Fit", "Fits", "FoldFailed", "WorkersDied", "fit_all"]
