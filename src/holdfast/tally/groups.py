"""The table of every group of rows, by one question to the engine."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

import numpy as np

from holdfast.errors import InvalidEvidence, UnknownName
from holdfast.evidence import Contingency, Integers
from holdfast.predictions.spelling import spelled
from holdfast.tally.cells import PAIR, Cells, answers
from holdfast.tally.labels import ordered
from holdfast.tally.rows import Rows, coded

if TYPE_CHECKING:
    import polars as pl

UNNAMED = "(none)"  # what rows without a value are filed under
MOST_CELLS = 50_000_000  # of all groups together, laid out at once


@dataclass(frozen=True, eq=False)
class Groups:
    """Disjoint groups of rows: what each is called, and its table, along the first axis of a stack.

    Examples
    --------
    >>> from holdfast.predictions import Predictions
    >>> from holdfast.tally import tally
    >>> rows = Predictions.from_arrays(correct=[1, 0, 1], groups={"country": ["FR", "DE", "FR"]})
    >>> (counted,) = tally(rows, by=[["country"]]).groups
    >>> counted.names, counted.table.n.tolist(), counted.table.errors.tolist()
    (('country=DE', 'country=FR'), [1, 2], [1, 0])
    """

    names: tuple[str, ...]
    table: Contingency

    @property
    def fingerprint(self) -> bytes:
        """Which rows are together, in any order."""
        _, _, times = self.table.cells
        told = "\n".join(f"{len(name)} {name}" for name in self.names).encode("utf-8", "surrogatepass")
        return sha256(told + times.astype("<i8").tobytes()).digest()


def read_groups(rows: Rows, cells: Cells, by: Sequence[str]) -> Groups:
    """The table of each combination of values in the columns that the user calls by these names."""
    columns = [_column(rows, name) for name in by]
    counted = rows.counted((*columns, *PAIR))
    size = len(cells.labels) + 1
    code = counted.select(
        coded(counted.schema, cells.labels, cells.truth_codes, cells.predicted_codes, cells.no_answer)
    )["cell"]
    where = code.cast(int).to_numpy()
    complete = (where >= size) & (where % size > 0)  # others were dropped, or refused before
    names, group = _groups(counted, by, columns)
    place = np.searchsorted((cells.truth + 1) * size + cells.predicted + 1, where)
    times = _laid_out(group[complete], place[complete], _times(counted)[complete], len(names), cells.times.size)
    table = Contingency.of_cells(cells.labels, cells.predicted, cells.truth, times, truths=cells.table.truths)
    return _seen(names, table)


def read_pass_groups(rows: Rows, by: Sequence[str]) -> Groups:
    """The same of a pass/fail table, of which only right and wrong can be seen."""
    columns = [_column(rows, name) for name in by]
    counted = rows.counted((*columns, "correct"))
    told = answers(counted["correct"], rows.predictions.grading)
    place = np.array([0 if answer else 1 for answer in told], np.int64)
    kept = np.array([answer is not None or rows.predictions.missing != "drop" for answer in told], bool)
    names, group = _groups(counted, by, columns)
    times = _laid_out(group[kept], place[kept], _times(counted)[kept], len(names), 2)
    return _seen(names, Contingency.of_cells(("right", "wrong"), [0, 1], [0, 0], times))


def _column(rows: Rows, name: str) -> str:
    known = rows.predictions.group_names
    if name not in known:
        raise UnknownName("column of groups", name, known)
    return f"by_{known.index(name)}"


def _times(counted: pl.DataFrame) -> Integers:
    return counted["times"].cast(int).to_numpy()


def _groups(counted: pl.DataFrame, by: Sequence[str], columns: Sequence[str]) -> tuple[list[str], Integers]:
    """What each group is called, in an order that no engine decides, and the place of each row's group."""
    titles: list[list[str]] = []
    code = np.zeros(counted.height, np.int64)
    for name, column in zip(by, columns, strict=True):
        values, which = _values(counted[column])
        order = ordered(set(values), None)
        rank = {value: place for place, value in enumerate(order)}
        code = code * len(order) + np.array([rank[value] for value in values], np.int64)[which]
        titles.append([f"{name}={value}" for value in order])
    found, group = np.unique(code, return_inverse=True)
    parts: list[list[str]] = []
    for title in reversed(titles):
        found, place = np.divmod(found, len(title))
        parts.append([title[i] for i in place])
    return [", ".join(name) for name in zip(*reversed(parts), strict=True)], group.reshape(-1)


def _values(column: pl.Series) -> tuple[list[str], Integers]:
    """The values as text, and for each row the place of its own."""
    if column.dtype.is_float():
        column = column.fill_nan(None)
    distinct = column.unique()
    place = column.rank("dense").fill_null(0).to_numpy().astype(np.int64)
    rank = distinct.rank("dense").fill_null(0).to_list()
    names = [""] * (int(max(rank, default=0)) + 1)
    for at, value in zip(rank, distinct.to_list(), strict=True):
        names[int(at)] = UNNAMED if value is None else spelled(value)
    first = 0 if column.null_count() else 1  # the place of missing values, where there are any
    return names[first:], place - first


def _laid_out(group: Integers, cell: Integers, times: Integers, groups: int, cells: int) -> Integers:
    if groups * cells > MOST_CELLS:
        raise InvalidEvidence(
            f"{groups:,} groups of a table of {cells:,} cells are too many to lay out; use fewer columns in by= "
            "(--by), or assess right and wrong alone with correct= (--correct)."
        )
    summed = np.bincount(group * cells + cell, times, groups * cells)  # sums of floats are exact up to 2**53 rows
    return summed.astype(np.int64).reshape(groups, cells)


def _seen(names: list[str], table: Contingency) -> Groups:
    """Without the groups all of whose rows were dropped."""
    kept = table.n > 0
    if kept.all():
        return Groups(tuple(names), table)
    return Groups(tuple(np.array(names, object)[kept]), table.again(table.cells[2][kept]))
