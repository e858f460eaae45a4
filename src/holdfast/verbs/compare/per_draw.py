"""Differences of two models over what was drawn: examples, or clusters of them."""

from __future__ import annotations

import numpy as np

from holdfast.evidence import Array, Evidence, Integers
from holdfast.evidence.pairs.loss_differences import Gaps
from holdfast.evidence.pairs.paired import Paired
from holdfast.evidence.pools.panel import Panel


def of_draws(panel: Panel, values: Array) -> Array:
    """Means over the examples of each cluster, or the values themselves where examples are what was drawn."""
    if panel.clusters is None:
        return values
    sizes: Integers = np.bincount(panel.clusters)
    return np.bincount(panel.clusters, values)[sizes > 0] / sizes[sizes > 0]


def mean_gap(panel: Panel, gaps: Array, most: float) -> Gaps:
    """The mean of differences none of which is larger than `most` either way."""
    return Gaps(np.clip(of_draws(panel, gaps), -most, most), most)


def gap_of_errors(panel: Panel, wrong: Array, wrong_too: Array) -> Evidence:
    """How much more often the first model errs: where counts say it all, by the examples that tell the two apart."""
    if not panel.counted:
        return mean_gap(panel, wrong.astype(np.float64) - wrong_too, 1.0)
    return paired_errors(wrong, wrong_too)


def paired_errors(wrong: Array, wrong_too: Array) -> Paired:
    """The draws on which one of two models alone was right."""
    return Paired(np.count_nonzero(wrong_too & ~wrong), np.count_nonzero(wrong & ~wrong_too), wrong.size)
