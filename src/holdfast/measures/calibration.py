"""How far forecasts are from what comes true."""

from __future__ import annotations

import numpy as np

from holdfast.catalog import measure
from holdfast.claims import Source
from holdfast.evidence import Array, Counts, Integers
from holdfast.evidence.ranking.calibration import BINS, CalibrationError, ChosenBins, FixedBins, Reliability
from holdfast.measures.influences import calibration_error_of


@measure(
    better=None,
    unit="rate",
    out_of="predicted",
    label_is="bin",
    source=Source("murphy1977", "reliability diagrams"),
    aliases=("reliability",),
)
def calibration(bins: Reliability) -> Counts | ChosenBins:
    """Examples of the class, out of those whose score lies in the bin: what the score claims to know.

    Notes
    -----
    For scores that are calibrated, the share is the mean score of the bin. The intervals of all bins hold together, so
    that a bin whose mean score lies outside shows that the scores are not calibrated.
    """
    return bins.counts if bins.fixed else ChosenBins(bins.counts)


@measure(
    better="lower",
    unit="index",
    influence=calibration_error_of,
    smooth=False,
    source=Source("naeini2015", "expected calibration error"),
    aliases=("calibration-error",),
)
def ece(bins: Reliability) -> CalibrationError:
    r"""How far the forecasts of a bin are from what came true, on average over all examples.

    Notes
    -----
    .. math:: \sum_b \Big| \frac1n \sum_{i \in b} (y_i - c_i) \Big|, \qquad
              \text{for} \quad \sum_b \big| E\,(y - c)\,[c \in b] \big|

    over bins b that were fixed beforehand. The estimate is too large on average, the more so the more bins there are.
    What it estimates is no larger than the calibration error of the scores themselves, since errors within a bin may
    cancel: an upper limit for it certifies the forecasts as rounded to bins, and no more.
    """
    n = np.asarray(np.sum(bins.n, axis=-1))
    parts = np.maximum(n, 1)
    gaps = (bins.positives - bins.forecasts) / parts[..., np.newaxis]
    square = np.minimum((bins.squares + bins.squares_off) / parts, 1.0)
    return CalibrationError(gaps, square, n, np.asarray(bins.off) / parts[..., np.newaxis])


def ece_of_clusters(
    scores: Array, positive: Array, clusters: Integers, bins: int | FixedBins = BINS
) -> CalibrationError:
    r"""The calibration error where clusters were drawn, each weighing the same, on bins that no score has chosen.

    Notes
    -----
    .. math:: \sum_b \Big| \frac1C \sum_c g_{cb} \Big|, \qquad g_{cb} = \frac{1}{n_c} \sum_{i \in c \cap b} (y_i - c_i)

    A cluster takes the place of an example: whatever the signs of the bins, its gaps with these signs add up to a
    number in [-1, 1] whose square is at most :math:`\big(\sum_b |g_{cb}|\big)^2`, which is what is kept of it.

    Examples
    --------
    >>> ece_of_clusters(np.array([0.1, 0.2, 0.7, 0.9]), np.array([0, 0, 1, 1]), np.array([5, 5, 5, 8]), bins=2)
    CalibrationError(mean=0.15, bins=2, n=2)
    """
    _, cluster, sizes = np.unique(clusters, return_inverse=True, return_counts=True)
    fixed = FixedBins.of(bins) if isinstance(bins, int) else bins
    off, several = (positive - scores) / sizes[cluster], len(fixed.names)
    gaps = np.bincount(cluster * several + fixed.places(scores), off, sizes.size * several).reshape(-1, several)
    number = max(sizes.size, 1)
    square = np.minimum(np.sum(np.sum(np.abs(gaps), axis=-1) ** 2) / number, 1.0)
    return CalibrationError(gaps.sum(axis=0) / number, np.asarray(square), np.asarray(sizes.size))
