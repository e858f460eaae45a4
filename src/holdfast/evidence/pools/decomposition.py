r"""What the loss of a way of training is made of: what all its models get wrong alike, and how much they disagree.

Many training sets give many models. At each test point these have a *main* prediction, the one nearest to all of
them; the loss of the main prediction is the bias, and how far the models stray from it is the variance. All functions
work on whole arrays, the training sets along the last axis but one and the test points along the last, and keep the
points apart: each point's values are draws with a known range, so that their means get limits like any other.

Without knowing how often nature itself contradicts the best label, noise cannot be told from bias, and counts as it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from holdfast.errors import InvalidEvidence
from holdfast.evidence import Array, Counts, Integers, Losses


@dataclass(frozen=True, eq=False)
class Decomposition:
    """At each test point the loss averaged over the training sets, and its parts: arrays whose last axis is the points.

    `net` is what the variance adds to the loss: the loss is the bias plus it, point by point.
    """

    loss: Array
    bias: Array
    variance: Array
    net: Array
    highest_loss: float
    lowest_bias: float
    highest_variance: float
    lowest_net: float
    main: Integers | None = None  # codes of the main predictions, where it is labels that err or not

    @classmethod
    def joined(cls, several: Sequence[Decomposition]) -> Decomposition:
        """Those of several ways of training on the same test points, along a new first axis."""
        arrays = ("loss", "bias", "variance", "net", *([] if several[0].main is None else ["main"]))
        stacked: dict[str, Any] = {name: np.stack([getattr(each, name) for each in several]) for name in arrays}
        return replace(several[0], **stacked)

    def evidence(self) -> dict[str, Counts | Losses]:
        """By its name what each claim rests on; the ranges follow from the loss, never from the values."""
        whole = Losses(self.loss, 0.0, self.highest_loss), Losses(self.variance, 0.0, self.highest_variance)
        if self.main is None:
            bias = Losses(self.bias, self.lowest_bias, self.highest_loss)
            return {"expected-loss": whole[0], "squared-bias": bias, "variance": whole[1]}
        errors = Counts(self.bias.sum(axis=-1).astype(np.int64), self.bias.shape[-1])
        net = Losses(self.net, self.lowest_net, self.highest_variance)
        return {"expected-loss": whole[0], "bias": errors, "variance": whole[1], "net-variance": net}


def zero_one(predicted: Array, truth: Array, classes: int, predictable: int | None = None) -> Decomposition:
    r"""Domingos' decomposition of the zero-one loss, of two classes or many, with the truth taken for noiseless.

    Parameters
    ----------
    predicted
        Codes from 0 on of the classes predicted: (..., training sets, points).
    truth
        Codes of the true classes, one per point.
    classes
        How many classes there are.
    predictable
        How many of them a model may predict, whatever the points are: those that some training set may hold.

    Notes
    -----
    With M the model of a random training set, y the truth and :math:`y_m` the most frequent prediction (of equally
    frequent ones the first in the order of the labels),

    .. math::
        P(M \ne y) = B + c\,V, \qquad B = 1\{y_m \ne y\}, \quad V = P(M \ne y_m), \qquad
        c = \begin{cases} 1 & y_m = y \\ -P(M = y \mid M \ne y_m) & y_m \ne y \end{cases}

    so that disagreement helps where the main prediction is wrong; c is then -1 if there are two classes. `net` is
    :math:`c\,V`. The bias is the error of a vote of all models.

    Examples
    --------
    >>> votes = np.array([[0, 1, 2], [0, 1, 1], [1, 0, 2]])  # of three training sets, on three points
    >>> parts = zero_one(votes, truth=np.array([0, 0, 1]), classes=3)
    >>> for part in (parts.loss, parts.bias, parts.variance, parts.net):
    ...     print(part.round(2))
    [0.33 0.67 0.67]
    [0. 1. 1.]
    [0.33 0.33 0.33]
    [ 0.33 -0.33 -0.33]
    """
    rounds, points = _shape(predicted, truth)
    rivals = classes if predictable is None else predictable
    votes = _votes(predicted, classes)
    main = votes.argmax(axis=-1)
    right = votes[..., np.arange(points), truth]
    biased = main != truth
    strays = (rounds - votes.max(axis=-1)) / rounds
    return Decomposition(
        loss=(rounds - right) / rounds,
        bias=biased.astype(np.float64),
        variance=strays,
        net=np.where(biased, -right / rounds, strays),
        highest_loss=1.0,
        lowest_bias=0.0,
        highest_variance=(rounds - -(-rounds // rivals)) / rounds,  # the most frequent class has at least its share
        lowest_net=-(rounds // 2) / rounds,  # the truth was predicted no more often than the main prediction
        main=main,
    )


def squared(predicted: Array, truth: Array, classes: Sequence[float]) -> Decomposition:
    r"""The decomposition of the squared loss into noise with squared bias, and variance.

    Parameters
    ----------
    predicted
        Numbers: (..., training sets, points).
    truth
        The true numbers, one per point.
    classes
        All the numbers that classes may be; predictions may lie between them.

    Notes
    -----
    zaki2014 (22.16), whose "average bias" is the squared bias:

    .. math:: E[(y - M)^2] = E[(y - E[y])^2] + E\bigl[(E[M] - E[y])^2\bigr] + E\bigl[(M - E[M])^2\bigr]

    Estimated of B training sets, with :math:`s^2` the variance of their predictions, divisor :math:`B - 1`,

    .. math:: \overline{(y - M)^2} = \Bigl[(y - \bar M)^2 - \tfrac{s^2}{B}\Bigr] + s^2

    exactly. The term in brackets is unbiased for noise and squared bias together; :math:`(y - \bar M)^2` alone counts
    a B-th of the variance twice. At a point whose truth lies between other classes it may be negative.

    Examples
    --------
    >>> parts = squared(np.array([[1.0, -1.0], [1.0, 1.0]]), truth=np.array([1.0, 1.0]), classes=[-1, 1])
    >>> for part in (parts.loss, parts.bias, parts.variance):
    ...     print(part)
    [0. 2.]
    [0. 0.]
    [0. 2.]
    """
    rounds, _ = _shape(predicted, truth)
    square = float(max(classes) - min(classes)) ** 2
    lowest = -square / (4 * (rounds - 1)) if len(set(classes)) > 2 else 0.0  # of two classes none lies between
    return _squared((np.asarray(predicted) - truth)[..., np.newaxis], square, square / 4, lowest)


def squared_probabilities(probabilities: Array, truth: Array) -> Decomposition:
    """The decomposition of the squared distance from all classes' probabilities to the truth, which has all of one.

    Of two classes it is that of the second alone, half of the sum over both, as Brier's score is usually told.

    Examples
    --------
    >>> forecasts = np.array([[[0.9, 0.1]], [[0.7, 0.3]]])  # of two training sets, on one point, for two classes
    >>> parts = squared_probabilities(forecasts, truth=np.array([0]))
    >>> print(parts.loss.round(3), parts.bias.round(3), parts.variance.round(3))
    [0.05] [0.03] [0.02]
    """
    forecasts = np.asarray(probabilities)
    classes = forecasts.shape[-1]
    _shape(forecasts[..., 0], truth)
    distances = forecasts - np.eye(classes)[truth]
    if classes == 2:
        return _squared(distances[..., 1:], 1.0, 0.25, 0.0)
    # Each coordinate's truth is an end of its range: no corrected bias is negative.
    return _squared(distances, 2.0, 1.0 - 1.0 / classes, 0.0)


def _squared(distances: Array, highest: float, spread: float, lowest: float) -> Decomposition:
    """From the distances to the truth, (..., training sets, points, coordinates); spread is the largest variance."""
    rounds = distances.shape[-3]
    mean = distances.mean(axis=-3, keepdims=True)
    most = spread * rounds / (rounds - 1)
    variance = np.minimum(((distances - mean) ** 2).sum(axis=(-3, -1)) / (rounds - 1), most)
    loss = np.minimum((distances**2).sum(axis=-1).mean(axis=-2), highest)
    bias = np.clip((mean[..., 0, :, :] ** 2).sum(axis=-1) - variance / rounds, lowest, highest)
    return Decomposition(loss, bias, variance, variance, highest, lowest, most, 0.0)


def _votes(predicted: Array, classes: int) -> Integers:
    """How many training sets predicted each class: (..., points, classes)."""
    *many, rounds, points = predicted.shape
    codes = predicted.reshape(-1, rounds, points).astype(np.int64)
    if codes.size and not 0 <= codes.min() <= codes.max() < classes:
        raise InvalidEvidence(f"Predictions are codes from 0 to {classes - 1}, one a class.")
    cells = (np.arange(len(codes))[:, np.newaxis, np.newaxis] * points + np.arange(points)) * classes + codes
    counts = np.bincount(cells.ravel(), minlength=len(codes) * points * classes)
    return counts.reshape(*many, points, classes)


def _shape(predicted: Array, truth: Array) -> tuple[int, int]:
    rounds, points = np.shape(predicted)[-2:] if np.ndim(predicted) >= 2 else (0, 0)
    if rounds < 2 or np.shape(truth) != (points,) or not points:
        raise InvalidEvidence(
            "A decomposition needs predictions of at least two training sets, and one truth for each of their points; "
            f"got predictions of shape {np.shape(predicted)} and truths of shape {np.shape(truth)}."
        )
    return rounds, points
