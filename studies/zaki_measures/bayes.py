"""The Bayes classifiers of the book, one normal distribution a class, trained on thousands of samples at once.

Variances have divisor n, as in the book. scikit-learn's classifiers say the same, one sample at a time: a test
compares them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.resampling import Plan

Array = NDArray[Any]
AT_ONCE = 500  # samples


def weights(plan: Plan) -> tuple[Array, Array]:
    """How often each row trains, and whether it tests: a line a split."""
    trains, tests = np.zeros((len(plan), plan.rows)), np.zeros((len(plan), plan.rows), bool)
    for place, (train, test) in enumerate(plan):
        trains[place] = np.bincount(train, minlength=plan.rows)
        tests[place, test] = True
    return trains, tests


def posteriors(points: Array, codes: Array, trains: Array, naive: bool) -> Array:
    """Logarithms of density times prior, by each sample's classifier for every point: (samples, points, classes)."""
    some = [trains[i : i + AT_ONCE] for i in range(0, len(trains), AT_ONCE)]
    return np.concatenate([_posteriors(points, codes, each, naive) for each in some])


def moments(points: Array, weight: Array) -> tuple[Array, Array, Array]:
    """Size, mean and covariance of each sample."""
    size = weight.sum(axis=1)
    mean = weight @ points / size[:, None]
    squares = np.einsum("sp,pi,pj->sij", weight, points, points, optimize=True) / size[:, None, None]
    return size, mean, squares - mean[:, :, None] * mean[:, None, :]


def _posteriors(points: Array, codes: Array, trains: Array, naive: bool) -> Array:
    said = []
    for code in range(codes.max() + 1):
        size, mean, spread = moments(points, trains * (codes == code))
        if naive:
            spread = spread * np.eye(points.shape[1])
        off = points - mean[:, None]
        far = np.einsum("spi,sij,spj->sp", off, np.linalg.inv(spread), off, optimize=True)
        prior = np.log(size / trains.sum(axis=1))
        said.append((prior - np.linalg.slogdet(spread)[1] / 2)[:, None] - far / 2)
    return np.stack(said, axis=-1)
