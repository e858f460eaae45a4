"""Several statements at once: the part of delta that each may take, so that all of them hold together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from holdfast.catalog import procedure
from holdfast.claims import Claim, Guarantee, Source
from holdfast.evidence import Array


def bonferroni(delta: ArrayLike, number: ArrayLike) -> Array:
    r"""The part of delta for each of so many statements, whatever they have to do with each other.

    Notes
    -----
    .. math:: \delta / m

    Examples
    --------
    >>> bonferroni(0.05, 10)
    array(0.005)
    """
    return np.asarray(np.asarray(delta) / number)


def sidak(delta: ArrayLike, number: ArrayLike) -> Array:
    r"""The part of delta for each of so many independent statements: a little more than an equal share.

    Notes
    -----
    .. math:: 1 - (1 - \delta)^{1/m}

    Examples
    --------
    >>> print(round(float(sidak(0.05, 10)), 6))
    0.005116
    """
    return np.asarray(-np.expm1(np.log1p(-np.asarray(delta, np.float64)) / number))


@procedure(guarantee=Guarantee.FINITE, source=Source("holm1979", "sequentially rejective test"))
def holm(p_values: ArrayLike, delta: ArrayLike) -> Array:
    r"""The delta at which each hypothesis along the last axis is tested: it is rejected if its p-value is no larger.

    Notes
    -----
    Going from the smallest p-value up, the i-th is compared with

    .. math:: \delta / (m - i + 1)

    until one is larger; those that are left are tested at what that one was compared with, and stay. However the
    p-values depend on each other, the chance of rejecting any true hypothesis is at most delta (Holm 1979).

    Examples
    --------
    >>> holm([0.02, 0.4, 0.001, 0.03], 0.08)
    array([0.02666667, 0.08      , 0.02      , 0.04      ])
    """
    p = np.asarray(p_values, np.float64)
    number = p.shape[-1]
    order = np.argsort(p, axis=-1, kind="stable")
    ladder = np.asarray(delta, np.float64)[..., None] / np.arange(number, 0, -1)
    steps = np.broadcast_to(ladder, p.shape)
    rejected = np.logical_and.accumulate(np.take_along_axis(p, order, axis=-1) <= steps, axis=-1)
    last = np.minimum(rejected.sum(axis=-1, keepdims=True), max(number - 1, 0))
    levels = np.where(rejected, steps, np.take_along_axis(steps, last, axis=-1)) if number else steps
    placed = np.empty(p.shape)
    np.put_along_axis(placed, order, levels, axis=-1)
    return placed


def step_by_step(rejected: Callable[[float], ArrayLike], number: int, delta: float) -> Array:
    r"""P-values as far as `holm` needs them, where all that can be asked is what is rejected at some delta.

    Notes
    -----
    All are tried at :math:`\delta / m`. After r rejections the others are tried at :math:`\delta / (m - r)`, until none
    follows. Each p-value is the first delta at which its hypothesis was rejected, or 1.

    Examples
    --------
    >>> p = np.array([0.02, 0.4, 0.001, 0.03])
    >>> step_by_step(lambda delta: p <= delta, 4, 0.08)
    array([0.02, 1.  , 0.02, 0.04])
    """
    first, ladder = np.ones(number), np.asarray(delta) / np.arange(number, 0, -1)
    tried = -1
    while (done := int(np.sum(first < 1))) not in (tried, number):
        tried, level = done, float(ladder[done])
        first = np.where((first == 1) & np.asarray(rejected(level)), level, first)
    return first


def holm_adjusted(p_values: ArrayLike) -> Array:
    r"""Each p-value along the last axis, so enlarged that it may be compared with delta itself.

    Notes
    -----
    .. math:: \max_{j \le i} \min(1, (m - j + 1)\, p_{(j)})

    for the i-th smallest: the least delta at which `holm` rejects it.

    Examples
    --------
    >>> holm_adjusted([0.02, 0.4, 0.001, 0.03])
    array([0.06 , 0.4  , 0.004, 0.06 ])
    """
    p = np.asarray(p_values, np.float64)
    order = np.argsort(p, axis=-1, kind="stable")
    steps = np.arange(p.shape[-1], 0, -1) * np.take_along_axis(p, order, axis=-1)
    placed = np.empty(p.shape)
    np.put_along_axis(placed, order, np.minimum(np.maximum.accumulate(steps, axis=-1), 1.0), axis=-1)
    return placed


def sayable(delta: ArrayLike) -> Array:
    """A part of delta rounded down to three digits: that costs less than one percent, and it can be said.

    Examples
    --------
    >>> print(sayable(0.05 / 32), sayable(0.05 / 5))
    0.00156 0.01
    """
    given = np.asarray(delta, np.float64)
    places = 2 - np.floor(np.log10(given))
    digits = np.floor(given * 10.0**places * (1 + 1e-12))
    # Dividing by a power of ten is exact where multiplying by its inverse is not.
    return np.asarray(np.where(places < 300, digits / 10.0 ** np.minimum(places, 300), given))


def over_folds(claims: Claim, delta: ArrayLike) -> Claim:
    r"""What claims about each fold's model, each made at an equal part of delta, say of the average of the models.

    Notes
    -----
    .. math:: \frac{1}{J} \sum_j U_j(\delta / J)

    All J limits hold together with the chance of error delta, whatever the folds have to do with each other, and then
    so does their mean. The folds lie along the first axis. A fold on which nothing is known leaves its model free.

    Examples
    --------
    >>> from holdfast.bounds.binomial import clopper_pearson
    >>> from holdfast.evidence import Counts
    >>> each = clopper_pearson(Counts([3, 5, 1], 30), bonferroni(0.05, 3))
    >>> print(over_folds(each, 0.05))
    0.100 [0.019, 0.300], clopper-pearson, 95 %, holds at every sample size
    """
    estimate, lower, upper = (np.asarray(each, np.float64) for each in (claims.estimate, claims.lower, claims.upper))
    known = ~np.isnan(estimate)
    with np.errstate(invalid="ignore"):  # nothing is known on any fold
        mean = np.asarray(np.where(known, estimate, 0.0).sum(axis=0) / known.sum(axis=0))
    ends = lower.mean(axis=0), upper.mean(axis=0)
    return replace(
        claims,
        estimate=_plain(mean),
        lower=_plain(np.fmin(ends[0], mean)),
        upper=_plain(np.fmax(ends[1], mean)),
        delta=_plain(np.asarray(delta)),
        n=_plain(np.asarray(claims.n).sum(axis=0)),
    )


def _plain(array: Array) -> Any:
    """A number, or None where it is unknown; of several, the array."""
    return array if array.ndim else None if np.isnan(array) else array.item()
