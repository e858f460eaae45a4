"""A small table of results as it was written, and which of its columns is which."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from holdfast.errors import HoldfastError
from holdfast.predictions.rows import not_a_number, translated
from holdfast.predictions.wording import listed, opening, quoted
from holdfast.sources.columns import Header, plain
from holdfast.sources.formats.content import STANDARD_INPUT, content_of, standard_input, told
from holdfast.sources.formats.text import examine

KNOWN = {
    "fold": ("fold", "split", "cv_fold", "fold_id", "cv"),
    "repeat": ("repeat", "repetition", "rep", "run"),
    "model": ("model", "classifier", "learner", "algorithm", "estimator"),
    "n_train": ("n_train", "train_size", "trained_on"),
    "n_test": ("n_test", "test_size", "tested_on", "n"),
}
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

    def place(self, role: str, asked: str | None) -> int | None:
        if asked is not None:
            return self.header.place(asked)
        named = [i for i, name in enumerate(self.header.names) if plain(name) in KNOWN[role]]
        taught = [i for i in named if plain(self.header.names[i]) == role]
        found = taught if len(taught) == 1 else named
        if len(found) > 1:
            names = listed([self.header.names[i] for i in found])
            raise HoldfastError(f"{opening(self.name)} has several columns that may be {role}: {names}. Give {role}=.")
        return found[0] if found else None

    def value(self, found: Mapping[str, int]) -> int:
        """The column of results in a long table."""
        rest = [i for i in range(len(self.columns)) if i not in found.values()]
        for words in (ERROR, ERRORS, SCORE):
            fitting = [i for i in rest if plain(self.header.names[i]) in words]
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


def read_table(source: Any, separator: str | None) -> FoldTable:
    """The cells of a CSV file, or of a frame of any library."""
    if isinstance(source, (str, PathLike)):
        name = STANDARD_INPUT if source == "-" else told(Path(source))
        content = standard_input() if source == "-" else content_of(Path(source))
        text = examine(content, name, separator)
        header = Header(text.header, name)
        _check_size(len(text.header) * text.rows, text.rows, name)
        with translated(name):
            columns = [column.to_list() for column in text.scan().collect().get_columns()]
    else:
        import narwhals.stable.v2 as nw

        name = "the data frame"
        with translated(name):
            frame: Any = nw.from_native(source, pass_through=True)
            if not isinstance(frame, (nw.DataFrame, nw.LazyFrame)):
                kind = type(source).__name__
                raise HoldfastError(f"Cannot read folds from an object of type {kind}; give a path or a data frame.")
            frame = frame.collect() if isinstance(frame, nw.LazyFrame) else frame
            header = Header([str(title) for title in frame.columns], name)
            _check_size(len(header.names) * len(frame), len(frame), name)
            columns = [frame[title].to_list() for title in frame.columns]
    header.check_distinct()
    return FoldTable(name, header, columns)


def _check_size(cells: int, rows: int, name: str) -> None:
    if not rows:
        raise HoldfastError(f"{opening(name)} has no rows of results.")
    if cells > LARGEST:
        raise HoldfastError(f"{opening(name)} has {cells:,} cells, too many for the results of folds.")
