"""Importing this module declares the procedures of bounds and comparisons; the catalog does so on first look-up."""

from holdfast.bounds import bands, streams, thresholds  # noqa: F401  (imported to declare)
from holdfast.comparisons import bets, folds, mcnemar, ranks, signed_rank  # noqa: F401
from holdfast.comparisons.cores import committee, inference  # noqa: F401
