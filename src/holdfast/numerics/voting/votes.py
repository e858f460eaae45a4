"""How much weight stands behind each label, on each of many inputs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from holdfast.numerics.arrays import Array, Integers

BLOCK = 2**22  # answers that are counted at once


def votes(
    predicted: NDArray[np.integer], labels: int, weights: Array | None = None
) -> Iterator[tuple[Integers, Array | Integers]]:
    r"""Labels in order and the weight behind each, a row for an input, some inputs at a time.

    Votes of equal weight are counted, in whole numbers. Of more labels than models only those that are said have a
    column: no row is longer than there are models.

    Examples
    --------
    >>> [(names, weight)] = votes(np.array([[0, 1], [2, 1], [2, 0]]), labels=3)
    >>> print(names, weight, sep="\n")
    [[0 1 2]
     [0 1 2]]
    [[1 0 2]
     [1 2 0]]
    >>> [(names, weight)] = votes(np.array([[0, 7], [9, 7], [9, 1]]), labels=10, weights=np.array([0.5, 0.25, 0.25]))
    >>> print(names[:, :2], weight, sep="\n")
    [[0 9]
     [1 7]]
    [[0.5  0.5  0.  ]
     [0.25 0.75 0.  ]]
    """
    models, inputs = predicted.shape
    step = max(1, BLOCK // max(models, 1))
    for start in range(0, inputs, step):
        here = predicted[:, start : start + step].astype(np.int64)
        size = here.shape[1]
        names, place = _said(here) if labels > models else (np.tile(np.arange(labels), (size, 1)), here)
        code = (place + names.shape[1] * np.arange(size)).reshape(-1)
        each = None if weights is None else np.repeat(weights, size)
        yield names, np.bincount(code, each, minlength=names.size).reshape(names.shape)


def _said(answers: Integers) -> tuple[Integers, Integers]:
    """The labels that are said on each input, a row of as many as there are models, and where each answer is in it."""
    order = np.argsort(answers, axis=0, kind="stable")
    ranked = np.take_along_axis(answers, order, axis=0)
    rank = np.cumsum(np.diff(ranked, axis=0, prepend=ranked[:1]) != 0, axis=0)
    names, place = np.zeros_like(answers), np.empty_like(answers)
    np.put_along_axis(names, rank, ranked, axis=0)
    np.put_along_axis(place, order, rank, axis=0)
    return names.T, place
