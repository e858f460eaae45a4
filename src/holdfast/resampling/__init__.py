"""Which rows train and which test: indices only, nothing is trained here."""

from holdfast.resampling.planning import plan, redrawn, shares
from holdfast.resampling.plans import Plan
from holdfast.resampling.schemes import SCHEMES

__all__ = ["SCHEMES", "Plan", "plan", "redrawn", "shares"]
