"""Disagreements of many classifiers on many inputs, counted from those who do not say what most say."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from importlib.util import find_spec
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.numerics.arrays import Integers
from holdfast.numerics.voting.products import Marks, MarksInCommon, marks_by_row

Codes = NDArray[np.integer]
ASKED = 31  # classifiers whose middle answer is taken for the usual one
FEW = 0.025  # of all classifiers: so many marks or fewer are paired one by one faster than by a product
MOST_CORES = 8  # at work at once: each holds counts of its own for all pairs
SLAB = 2**21  # answers that a core looks at at once
RARE = 2**22  # single marks that are kept before they are paired
TOGETHER = 64  # classifiers whose answers are turned at once
LARGEST = 2**30  # inputs of which twice the number fits into four bytes


def by_dissent(first: Codes, second: Codes | None, labels: int, lowest: int = 0) -> Integers:
    r"""On how many inputs each of the first differs from each of the second, or of the first.

    Notes
    -----
    Whatever is called the usual answer to an input, let x and y give another on the sets X and Y of inputs. Then

    .. math:: D_{xy} = |X| + |Y| - |X \cap Y| - |\{j \in X \cap Y : x_j = y_j\}| ,

    so that inputs on which all agree cost nothing and those on which few dissent little; where all who dissent say the
    same, the last two terms are one. Each core works at a part of the inputs: so none waits for another, as the threads
    of one product do.

    Examples
    --------
    >>> by_dissent(np.array([[0, 1, 2, 2], [0, 1, 1, 2], [1, 1, 0, 0]]), None, labels=3).tolist()
    [[0, 1, 3], [1, 0, 3], [3, 3, 0]]
    """
    several = [first] if second is None else [first, second]
    cores = min(os.cpu_count() or 1, MOST_CORES)
    ends = np.linspace(0, first.shape[1], cores + 1).astype(int).tolist()
    with _a_thread_for_each_product(), ThreadPoolExecutor(cores) as workers:
        parts = ([codes[:, start:end] for codes in several] for start, end in pairwise(ends))
        each = list(workers.map(lambda part: Dissent(part, labels, lowest), parts))
        sizes = [sum(part) for part in zip(*(dissent.sizes for dissent in each), strict=True)]
        apart = sizes[0][:, np.newaxis] + sizes[-1]
        for together in workers.map(Dissent.together, each):
            apart -= together
    return apart


def _a_thread_for_each_product() -> AbstractContextManager[object]:
    """Threads of one product stand in the way of those of another: half the speed, where nothing can hold them back."""
    if find_spec("threadpoolctl") is None:
        return nullcontext()
    from threadpoolctl import threadpool_limits

    return threadpool_limits(1, user_api="blas")


class Dissent:
    """Who dissents together, on a part of the inputs. Matrices have a row for each input, a column for each classifier.

    A row is marked where a classifier dissents; where those who dissent differ among themselves, so is one for each of
    their answers. Rows of many marks go into products, those of few are paired mark by mark.
    """

    def __init__(self, several: Sequence[Codes], labels: int, lowest: int) -> None:
        classifiers, inputs = [len(codes) for codes in several], several[0].shape[1]
        kind = np.int32 if inputs < LARGEST else np.int64
        self.labels, self.few = labels, FEW * sum(classifiers)
        self.sizes = [np.zeros(number, np.int64) for number in classifiers]
        self.twice, self.once = MarksInCommon(classifiers, kind), MarksInCommon(classifiers, kind)
        self.rare: list[list[Any]] = [[] for _ in several]  # sparse matrices, each to stand below the one before
        step = max(SLAB // sum(classifiers), 1)
        for start in range(0, inputs, step):
            self._add([_by_input(codes[:, start : start + step], labels, lowest) for codes in several])
            if sum(matrix.nnz for matrix in self.rare[0]) > RARE:
                self._pair()

    def together(self) -> Integers:
        """On how many inputs two dissent, plus on how many of these they say the same."""
        self._pair()
        together = self.twice.total()
        together *= 2
        if self.labels > 2:
            together += self.once.total()
        return together

    def _pair(self) -> None:
        from scipy.sparse import vstack

        if self.rare[0]:
            rare = [vstack(matrices, format="csr") for matrices in self.rare]
            (self.twice if self.labels == 2 else self.once).include((rare[0].T @ rare[-1]).toarray())
            self.rare = [[] for _ in rare]

    def _add(self, said: Sequence[Codes]) -> None:
        usual = _middle(said[0])
        apart = [codes != usual for codes in said]
        for size, marks in zip(self.sizes, apart, strict=True):
            size += np.add.reduce(marks, axis=0, dtype=np.int32)
        dissenters = marks_by_row(apart)
        few, many = (dissenters > 0) & (dissenters <= self.few), dissenters > self.few
        self._add_few([codes[few] for codes in said], [marks[few] for marks in apart])
        if self.labels == 2:
            self.twice.add([marks[many] for marks in apart])
        else:
            self._add_many([codes[many] for codes in said], [marks[many] for marks in apart], usual[many])

    def _add_few(self, said: Sequence[Codes], apart: Sequence[Marks]) -> None:
        for rare, codes, marks in zip(self.rare, said, apart, strict=True):
            rare.append(_sparse(marks))
            if self.labels > 2:
                rare.append(_sparse(marks, codes, np.ones((len(marks), self.labels), bool)))

    def _add_many(self, said: Sequence[Codes], apart: Sequence[Marks], usual: Codes) -> None:
        given = np.stack([marks_by_row([codes == label for codes in said]) for label in range(self.labels)], axis=1)
        np.put_along_axis(given, usual.astype(np.intp), 0, axis=1)
        one = np.count_nonzero(given, axis=1) == 1  # answer is what all say who dissent
        self.twice.add([marks[one] for marks in apart])
        given, said, apart = given[~one], [codes[~one] for codes in said], [marks[~one] for marks in apart]
        frequent = given > self.few
        place, label = np.nonzero(frequent)
        self.once.add(apart)
        self.once.add([codes[place] == label[:, np.newaxis] for codes in said])
        for rare, codes, marks in zip(self.rare, said, apart, strict=True):
            rare.append(_sparse(marks, codes, ~frequent))


def _by_input(codes: Codes, labels: int, lowest: int) -> Codes:
    """The codes from 0 on, in as few bytes as they need; a few classifiers at a time, so that the cache holds a row."""
    said = np.empty(codes.shape[::-1], np.min_scalar_type(labels - 1))
    from_zero = codes - np.int64(lowest) if lowest else codes.view(np.uint8) if codes.itemsize == 1 else codes
    for start in range(0, len(codes), TOGETHER):
        said[:, start : start + TOGETHER] = from_zero[start : start + TOGETHER].T
    return said


def _middle(said: Codes) -> Codes:
    """What most say, if most of those asked say the same; else what one of them says."""
    asked = said[:, :: max(said.shape[1] // ASKED, 1)]
    middle = asked.shape[1] // 2
    return np.partition(asked, middle, axis=1)[:, middle : middle + 1]


def _sparse(marks: Marks, said: Codes | None = None, wanted: Marks | None = None) -> Any:
    """The few marks, in a row for each input; or in one for each answer to it, where it is wanted."""
    from scipy.sparse import csr_array

    rows, columns = np.divmod(np.flatnonzero(marks), marks.shape[1])
    number = len(marks)
    if said is not None and wanted is not None:
        number = wanted.size
        rows = rows * wanted.shape[1] + said[rows, columns]
        kept = np.flatnonzero(wanted.ravel()[rows])
        kept = kept[np.argsort(rows[kept].astype(np.min_scalar_type(number)), kind="stable")]
        rows, columns = rows[kept], columns[kept]
    ends = np.searchsorted(rows, np.arange(number + 1))
    return csr_array((np.ones(len(rows), np.int32), columns, ends), (number, marks.shape[1]))
