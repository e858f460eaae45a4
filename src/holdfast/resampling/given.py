"""What a plan is asked for, checked: labels, numbers of folds, shares of rows."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from operator import index
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.errors import HoldfastError, InvalidEvidence
from holdfast.predictions.arrays import read_labels
from holdfast.predictions.coded import Coded
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
    found = read_labels(name, given)
    if found.missing:
        row = int(np.argmax(found.codes < 0)) + 1
        others = f" and {found.missing - 1:,} more" if found.missing > 1 else ""
        raise InvalidEvidence(f"{name} has no value in row {row:,}{others}; fill it in, or drop such rows.")
    return found


def group_codes(groups: Any, rows: int, parts: int) -> NDArray[np.int32]:
    """The group of each row, by number; there must be as many groups as parts."""
    if groups is None:
        raise HoldfastError("Grouped folds need groups= (--group), one a row: which rows must stay together?")
    found = coded("groups", groups)
    if len(found.codes) != rows:
        raise InvalidEvidence(f"groups needs one value a row: {rows:,} rows, groups {len(found.codes):,}.")
    if len(found.values) < parts:
        raise HoldfastError(
            f"{parts:,} grouped folds need at least {parts:,} groups; there are {len(found.values):,}. Ask for fewer."
        )
    return found.codes


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
