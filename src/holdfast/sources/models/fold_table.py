"""A small table of results in memory: its cells as numbers and as names, and the column of the results."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, Self

import numpy as np

from holdfast.errors import HoldfastError
from holdfast.predictions.rows import not_a_number
from holdfast.predictions.wording import opening
from holdfast.sources.header import Header
from holdfast.sources.table import Table
from holdfast.wording import listed, quoted

ERROR = ("error", "error_rate", "err", "test_error")
ERRORS = ("errors", "n_errors", "wrong", "mistakes")
SCORE = ("score", "test_score")  # higher is better, as scikit-learn has it
LARGEST = 10**7  # cells


@dataclass(frozen=True)
class FoldTable:
    """Cells by column, as text or as numbers."""

    name: str
    header: Header
    columns: list[list[Any]]

    @classmethod
    def of(cls, table: Table) -> Self:
        """The cells of a table that has some, and not too many."""
        header, rows = table.header, table.height
        cells = rows * len(header.names)
        if not cells:
            raise HoldfastError(f"{opening(table.name)} has no rows of results.")
        if cells > LARGEST:
            raise HoldfastError(f"{opening(table.name)} has {cells:,} cells, too many for the results of folds.")
        header.check_distinct()
        return cls(table.name, header, [table.values(place) for place in range(len(header.names))])

    def value(self, found: Mapping[str, int]) -> int:
        """The column of results in a long table."""
        rest = [i for i in range(len(self.columns)) if i not in found.values()]
        for words in (ERROR, ERRORS, SCORE):
            fitting = self.header.called(words, found.values())
            if len(fitting) == 1:
                return fitting[0]
        if len(rest) == 1:
            return rest[0]
        names = listed([self.header.names[i] for i in rest]) or "none"
        raise HoldfastError(
            f"{opening(self.name)} has no column called error or score; say which with value= (--score): {names}."
        )

    def number(self, place: int, row: int) -> float:
        cell = self.columns[place][row]
        try:
            found = float(cell.strip() if isinstance(cell, str) else cell)
        except (TypeError, ValueError):
            found = np.nan
        if not isfinite(found):
            raise not_a_number(self.name, quoted(self.header.names[place]), row + 1, cell)
        return found

    def text(self, place: int | None, row: int) -> str:
        if place is None:
            return ""
        cell = self.columns[place][row]
        said = "" if cell is None or cell != cell else str(cell).strip()
        if not said:
            raise HoldfastError(f"{opening(self.name)}, row {row + 1}: {quoted(self.header.names[place])} is empty.")
        return said

    @property
    def rows(self) -> range:
        return range(len(self.columns[0]))
