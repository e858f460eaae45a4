"""A plan: which rows train and which test, split by split."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.errors import HoldfastError, InvalidEvidence
from holdfast.predictions.arrays import read_labels
from holdfast.predictions.coded import Coded
from holdfast.resampling.splits import Integers, Parts, Splits
from holdfast.wording import quoted

MOST = 10**9  # of anything that is counted: rows, folds, rounds


@dataclass(frozen=True, eq=False)
class Labels:
    """The labels, one a row, or just the number of rows; they are looked at only by schemes that need them."""

    given: Any

    @cached_property
    def rows(self) -> int:
        if self.bare:
            rows = count("y, as a number of rows,", self.given, 1)
        elif isinstance(self.given, (list, tuple)) or len(getattr(self.given, "shape", ())) == 1:
            rows = len(self.given)  # what they are does not matter to those who do not look
        else:
            rows = len(read_labels("y", self.given))
        if not rows:
            raise InvalidEvidence("A plan needs at least one row; y is empty.")
        return rows

    @property
    def bare(self) -> bool:
        """Whether only the number of rows is known."""
        return isinstance(self.given, (int, np.integer))

    @cached_property
    def coded(self) -> Coded:
        if self.bare:
            raise HoldfastError(f"Stratified folds need the labels, one a row; got the number {quoted(self.given)}.")
        return coded("y", self.given)


def coded(name: str, given: Any) -> Coded:
    """The different values of a column and the place of each row's among them; none may be missing."""
    labels = read_labels(name, given)
    if labels.missing:
        row = int(np.argmax(labels.codes < 0)) + 1
        others = f" and {labels.missing - 1:,} more" if labels.missing > 1 else ""
        raise InvalidEvidence(f"{name} has no value in row {row:,}{others}; fill it in, or drop such rows.")
    return labels


def group_codes(groups: Any, rows: int, parts: int) -> NDArray[np.int32]:
    """The group of each row, by number; there must be as many groups as parts."""
    if groups is None:
        raise HoldfastError("Grouped folds need groups= (--group), one a row: which rows must stay together?")
    column = coded("groups", groups)
    if len(column.codes) != rows:
        raise InvalidEvidence(f"groups needs one value a row: {rows:,} rows, groups {len(column.codes):,}.")
    if len(column.values) < parts:
        raise HoldfastError(
            f"{parts:,} grouped folds need at least {parts:,} groups; there are {len(column.values):,}. Ask for fewer."
        )
    return column.codes


def class_codes(labels: Labels, folds: int) -> NDArray[np.int32]:
    """The class of each row, by number; each must have an example for every fold."""
    found = labels.coded
    sizes = np.bincount(found.codes)
    if sizes.min() < folds:
        rare = quoted(found.values[int(sizes.argmin())])
        fewer = f"at most {sizes.min()} folds, " if sizes.min() > 1 else ""
        raise HoldfastError(
            f"{folds:,} stratified folds need at least {folds:,} examples of each class; {rare} has {sizes.min():,}. "
            f"Ask for {fewer}the scheme 'kfold', which does not look at labels, or join rare classes."
        )
    return found.codes


def count(name: str, given: Any, least: int) -> int:
    """A whole number, at least so large."""
    try:
        number = None if isinstance(given, (bool, np.bool_)) else index(given)
    except TypeError:
        number = None
    if number is None or number < least:
        raise HoldfastError(f"{name} must be a whole number, at least {least}; got {quoted(given)}.")
    if number > MOST:
        raise HoldfastError(f"{name} must be at most {MOST:,}; got {quoted(given)}.")
    return number


def share(name: str, given: Any, rows: int) -> int:
    """The number of rows that a share of them comes to, neither none nor all."""
    try:
        part = float(given)
    except (TypeError, ValueError, OverflowError):
        part = np.nan
    if isinstance(given, (bool, str)) or not 0 < part < 1:
        raise HoldfastError(f"{name} must lie between 0 and 1, ends excluded; got {quoted(given)}.")
    number = round(part * rows)
    if not 0 < number < rows:
        raise HoldfastError(
            f"{part:g} of {rows:,} row{'s' * (rows != 1)}, as {name} asks, comes to {'all' if number else 'none'} of "
            "them, and both to train and to test takes one at least; choose another share, or give more rows."
        )
    return number


@dataclass(frozen=True, eq=False)
class Plan:
    """The splits of a data set: of each, the places of the rows that train and of those that test.

    The splits are counted through all repeats; each repeat has as many as `folds` says. It is a splitter of
    scikit-learn too: give it as `cv=`.

    Examples
    --------
    >>> from holdfast.resampling import plan
    >>> two = plan("kfold", ["a", "b", "a", "b", "b"], folds=2, seed=0)
    >>> len(two), two.n_train.tolist(), two.n_test.tolist()
    (2, [2, 3], [3, 2])
    >>> sorted([*two.train(0), *two.test(0)]) == list(range(5))
    True
    """

    scheme: str
    rows: int
    repeats: int
    folds: int
    seed: int | None  # None where chance was somebody else's, or had no say
    splits: Splits
    stratified: bool | None = False  # None where nobody knows
    grouped: bool = False
    blind: bool = False  # made without looking at the labels

    def __post_init__(self) -> None:
        for array in self.splits.arrays:
            array.flags.writeable = False  # they are handed out, and the fingerprint tells of them

    def __len__(self) -> int:
        return self.repeats * self.folds

    def __iter__(self) -> Iterator[tuple[Integers, Integers]]:
        return ((self.train(number), self.test(number)) for number in range(len(self)))

    def train(self, number: int) -> Integers:
        """The places of the rows that this split trains on; in a bootstrap a row may stand several times."""
        return self.splits.train(self._checked(number))

    def test(self, number: int) -> Integers:
        """The places of the rows that this split tests on, none of them twice."""
        return self.splits.test(self._checked(number))

    def place(self, number: int) -> tuple[int, int]:
        """The repeat and the fold of a split, both from 0."""
        return divmod(self._checked(number), self.folds)

    def _checked(self, number: int) -> int:
        if not 0 <= number < len(self):
            raise HoldfastError(f"The plan has the splits 0 to {len(self) - 1:,}; got {number:,}.")
        return index(number)

    @property
    def n_train(self) -> Integers:
        """The number of rows that each split trains on."""
        return self.splits.sizes[0]

    @property
    def n_test(self) -> Integers:
        """The number of rows that each split tests on."""
        return self.splits.sizes[1]

    @property
    def disjoint(self) -> bool:
        """Whether no split tests a row that it trained on."""
        return self.splits.disjoint

    @property
    def once(self) -> bool:
        """Whether each repeat tests every row exactly once."""
        return self.splits.once

    @property
    def fresh(self) -> bool:
        """Whether, of rows drawn independently, those that a split tests on are still such draws to its model.

        Only then can a count of its errors be binomial: nothing that is guaranteed may be said without it.
        """
        return self.blind and self.disjoint

    @property
    def parts(self) -> NDArray[Any] | None:
        """The number of each row's part, a line a repeat; None where the rows are not in parts."""
        return getattr(self.splits, "parts", None)

    @property
    def held(self) -> NDArray[Any] | None:
        """The two parts that each split of a repeat leaves out, the same one twice where it is one; None without."""
        return self.splits.held if isinstance(self.splits, Parts) else None

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the scheme and of all indices: the same here and elsewhere if and only if the splits are."""
        digest = hashlib.sha256(f"{self.scheme} {self.rows} {self.repeats} {self.folds}".encode())
        for array in self.splits.arrays:
            digest.update(f" {array.shape} ".encode())
            for line in np.atleast_2d(array):
                digest.update(line.astype("<i8").tobytes())
        return digest.hexdigest()

    def to_dict(self) -> dict[str, Any]:
        """What there is to say of it, without the indices; ready for JSON."""
        names = ("scheme", "rows", "repeats", "folds", "seed", "stratified", "grouped", "blind", "fingerprint")
        return {name: getattr(self, name) for name in names}

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[tuple[Integers, Integers]]:
        """The splits, as scikit-learn asks for them."""
        rows = X.shape[0] if hasattr(X, "shape") else len(X)
        if rows != self.rows:
            raise HoldfastError(f"The plan was made for {self.rows:,} rows; got {rows:,}. Make it anew.")
        return iter(self)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """The number of splits, as scikit-learn asks for it."""
        return len(self)

    def __repr__(self) -> str:
        times = f"{self.repeats:,} times " if self.repeats > 1 else ""
        splits = f"{times}{self.folds:,} split{'s' * (self.folds > 1)}"
        seed = "" if self.seed is None else f", seed={self.seed}"
        return f"Plan({self.scheme}, {self.rows:,} rows, {splits}{seed})"
