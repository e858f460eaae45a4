"""The table of every group of rows, by one count of them all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

import numpy as np

from holdfast.errors import InvalidEvidence, UnknownName
from holdfast.evidence import Contingency, Integers
from holdfast.numerics.arrays import distinct
from holdfast.predictions.coded import spelled
from holdfast.tally.label_pairs import PAIR, Cells, outcomes
from holdfast.tally.labels import ordered
from holdfast.tally.rows import Kinds, Rows

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


PASSED, SEEN = ("right", "wrong"), ([0, 1], [0, 0])  # the table of answers of which only that is told


def read_groups(rows: Rows, cells: Cells, by: Sequence[str], right_or_wrong: bool = False) -> Groups:
    """The table of each combination of values in the columns that the user calls by these names."""
    columns = group_columns(rows, by)
    kinds = rows.kinds((*columns, *PAIR))
    code = cells.coding.cells(kinds["truth"], kinds["predicted"])
    kept = cells.coding.complete(code)
    names, group = group_names(kinds, by, columns)
    if right_or_wrong:
        wrong = (code // cells.coding.size != code % cells.coding.size)[kept].astype(np.int64)
        return _seen(
            names, Contingency.of_cells(PASSED, *SEEN, _laid_out(group[kept], wrong, kinds.times[kept], len(names), 2))
        )
    times = _laid_out(group[kept], cells.rank(code[kept]), kinds.times[kept], len(names), cells.times.size)
    table = Contingency.of_cells(cells.labels, cells.predicted, cells.truth, times, truths=cells.table.truths)
    return _seen(names, table)


def read_pass_groups(rows: Rows, by: Sequence[str]) -> Groups:
    """The same of a pass/fail table, of which only right and wrong can be seen."""
    columns = group_columns(rows, by)
    kinds = rows.kinds((*columns, "correct"))
    right, _, absent = outcomes(kinds["correct"], rows.predictions.grading)
    kept = ~absent | (rows.predictions.missing != "drop")
    names, group = group_names(kinds, by, columns)
    times = _laid_out(group[kept], np.where(right, 0, 1)[kept], kinds.times[kept], len(names), 2)
    return _seen(names, Contingency.of_cells(PASSED, *SEEN, times))


def group_columns(rows: Rows, by: Sequence[str]) -> list[str]:
    """The columns of the groups that the user calls by these names."""
    known = rows.predictions.group_names
    for name in by:
        if name not in known:
            raise UnknownName("column of groups", name, known)
    return [f"by_{known.index(name)}" for name in by]


def group_names(kinds: Kinds, by: Sequence[str], columns: Sequence[str]) -> tuple[list[str], Integers]:
    """What each group is called, in an order that no engine decides, and the place of each kind's group."""
    titles: list[list[str]] = []
    code = np.zeros(kinds.times.size, np.int64)
    for name, column in zip(by, columns, strict=True):
        values = [spelled(value) for value in kinds[column].distinct]
        order = ordered({*values, *([UNNAMED] if kinds[column].missing else [])}, None)
        rank = {value: place for place, value in enumerate(order)}
        code = code * len(order) + kinds[column].placed([rank[value] for value in values], rank.get(UNNAMED, 0))
        titles.append([f"{name}={value}" for value in order])
    found, group = distinct(code)
    parts: list[list[str]] = []
    for title in reversed(titles):
        found, place = np.divmod(found, len(title))
        parts.append([title[i] for i in place])
    return [", ".join(name) for name in zip(*reversed(parts), strict=True)], group


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
