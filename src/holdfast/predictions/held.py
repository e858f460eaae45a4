"""Rows that live in this process: labels by their values, numbers as floats."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from holdfast.numerics.arrays import Array
from holdfast.predictions.coded import Coded


@dataclass(frozen=True, eq=False)
class Held:
    """Columns by their names: of labels, where -1 is missing, and of numbers, where NaN is.

    It is asked for columns as a lazy frame is.

    Examples
    --------
    >>> from holdfast.predictions.arrays import read_labels
    >>> rows = Held({"truth": read_labels("truth", ["b", "a"]), "score": np.array([0.5, np.nan])})
    >>> rows.rename({"truth": "cluster"}).filter(~rows.missing("score")).labels("cluster").to_list()
    ['b']
    """

    columns: Mapping[str, Coded | Array]

    @cached_property
    def height(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def labels(self, name: str) -> Coded:
        column = self.columns[name]
        assert isinstance(column, Coded)
        return column

    def numbers(self, name: str) -> Array:
        column = self.columns[name]
        assert not isinstance(column, Coded)
        return column

    def missing(self, name: str) -> Array:
        """Where there is no value."""
        column = self.columns[name]
        return column.codes < 0 if isinstance(column, Coded) else np.isnan(column)

    def select(self, *names: str) -> Held:
        return Held({name: self.columns[name] for name in names})

    def rename(self, names: Mapping[str, str]) -> Held:
        return Held({names.get(name, name): column for name, column in self.columns.items()})

    def filter(self, which: Array) -> Held:
        """Some of the rows."""
        kept = {
            name: column.filter(which) if isinstance(column, Coded) else column[which]
            for name, column in self.columns.items()
        }
        return Held(kept)
