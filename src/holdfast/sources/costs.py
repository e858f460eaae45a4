"""Small tables of numbers: what each answer costs, and how frequent each stratum of a population is."""

from __future__ import annotations

import re
from collections import Counter
from math import isfinite
from os import PathLike
from pathlib import Path

from holdfast.errors import HoldfastError
from holdfast.evidence import NO_ANSWER
from holdfast.evidence.costs import Costs
from holdfast.predictions.coded import spelled
from holdfast.sources.opening import open_table
from holdfast.sources.table import Table
from holdfast.wording import listed, quoted

PREDICTED = {"predicted", "prediction"}
ACTUAL = {"actual", "truth", "true"}
COST = {"cost", "costs"}
NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?", re.ASCII)
Pairs = dict[tuple[object, object], float]
LARGEST_FILE = 10**6  # cells
SHAPES = (
    r"Write 'predicted \ actual' (or 'actual \ predicted') into the corner and the labels along both edges, or give "
    "three columns: predicted, actual, cost."
)


def read_costs(path: str | PathLike[str]) -> Costs:
    r"""The costs in a file: a square whose corner says which way round it is, or one row a pair of labels.

    Examples
    --------
    >>> from tempfile import NamedTemporaryFile
    >>> with NamedTemporaryFile("w", suffix=".csv") as file:
    ...     _ = file.write("predicted \\ actual,ill,well\nill,0,1\nwell,10,0\n")
    ...     file.flush()
    ...     read_costs(file.name)
    Costs(2 labels, from 0 to 10)
    """
    table = open_table(Path(path))
    header, name = table.header, table.name
    if len(header.names) * table.height > LARGEST_FILE:
        raise HoldfastError(f"{name} has {table.height:,} rows of {len(header.names):,} cells, too many for costs.")
    if not (header.names and table.height):
        raise HoldfastError(f"{name} has a header but no costs below it. {SHAPES}")
    rows = [*zip(*(map(_cell, table.values(place)) for place in range(len(header.names))), strict=True)]
    corner = re.findall(r"[a-z]+", header.names[0].lower())
    columns = [header.called(words) for words in (PREDICTED, ACTUAL, COST)]
    if len(corner) == 2 and {*corner} & PREDICTED and {*corner} & ACTUAL:
        pairs = _square(rows, table, down=corner[0] in PREDICTED)
    elif all(columns):
        pairs = _listed(rows, table, *(places[0] for places in columns))
    else:
        raise HoldfastError(
            f"{name} does not say which way round its costs are: its first cell is {quoted(header.names[0])}. {SHAPES}"
        )
    try:
        return Costs.from_pairs(pairs)
    except HoldfastError as error:
        raise HoldfastError(f"{name}: {error}") from None


def _listed(rows: list[tuple[str, ...]], table: Table, predicted: int, actual: int, cost: int) -> Pairs:
    """A row for each pair of labels."""
    names = table.header.names
    if len(names) > 3:
        raise HoldfastError(f"{table.name} has the columns {listed([*names])}; predicted, actual and cost are enough.")
    pairs: Pairs = {}
    for number, row in enumerate(rows):
        pair, where = (row[predicted], row[actual]), _where(table, number)
        _check_label(pair[0], where)
        _check_label(pair[1], where)
        if pair in pairs:
            raise HoldfastError(
                f"{where}: the cost of predicting {quoted(pair[0])} where {quoted(pair[1])} is true is given a second "
                "time. Keep one."
            )
        pairs[pair] = _cost(row[cost], where)
    return pairs


def _square(rows: list[tuple[str, ...]], table: Table, down: bool) -> Pairs:
    """Labels along both edges, the predicted ones down or else across."""
    columns, beside = [*table.header.names[1:]], [row[0] for row in rows]
    for labels in (columns, beside):
        label, often = Counter(labels).most_common(1)[0] if labels else ("", 0)
        if often > 1:
            raise HoldfastError(f"{table.name} has the label {quoted(label)} twice along one edge. Keep one.")
    for label in columns:
        _check_label(label, _where(table, -1))
    predicted, actual = ({*beside}, {*columns}) if down else ({*columns}, {*beside})
    spare = {NO_ANSWER} & predicted  # what a missing answer costs needs one edge only
    if odd := sorted((predicted ^ actual) - spare):
        raise HoldfastError(f"{table.name} has the label {quoted(odd[0])} along one edge only. Both need every label.")
    pairs: Pairs = {}
    for number, row in enumerate(rows):
        where = _where(table, number)
        _check_label(row[0], where)
        for label, cell in zip(columns, row[1:], strict=True):
            pairs[(row[0], label) if down else (label, row[0])] = _cost(cell, where)
    return pairs


def _where(table: Table, row: int) -> str:
    return f"{table.name}, {table.where(row)}"


def _cell(value: object) -> str:
    return "" if value is None else spelled(value)


def _check_label(label: str, where: str) -> None:
    if not label.strip():
        raise HoldfastError(f"{where}: a label is missing.")


def _cost(cell: str, where: str) -> float:
    text = cell.strip()
    if not NUMBER.fullmatch(text) or not isfinite(value := float(text)):
        advice = " Write decimals with a point." if text.count(",") == 1 else ""
        raise HoldfastError(f"{where}: a cost should be a number; found {quoted(cell)}.{advice}")
    return value


SHARES = ("share", "shares", "proportion", "fraction")
STRATA = ("stratum", "strata", "name")
MOST = 100_000  # strata


def read_shares(path: str | PathLike[str]) -> dict[str, float]:
    r"""The shares in a file of two columns: stratum and share.

    Examples
    --------
    >>> from tempfile import NamedTemporaryFile
    >>> with NamedTemporaryFile("w", suffix=".csv") as file:
    ...     _ = file.write("stratum,share\nnorth,0.3\nsouth,0.7\n")
    ...     file.flush()
    ...     read_shares(file.name)
    {'north': 0.3, 'south': 0.7}
    """
    table = open_table(Path(path))
    names, places = table.header.names, [table.header.called(words) for words in (STRATA, SHARES)]
    if len(names) != 2 or not (places[0] or places[1]):
        there = listed([*names]) or "none"
        raise HoldfastError(f"{table.name} should have two columns, stratum and share; it has {there}.")
    if table.height > MOST:
        raise HoldfastError(f"{table.name} has {table.height:,} rows, too many for strata.")
    of_shares = places[1][0] if places[1] else 1 - places[0][0]
    shares: dict[str, float] = {}
    for row, (stratum, share) in enumerate(zip(table.values(1 - of_shares), table.values(of_shares), strict=True)):
        where, name = _where(table, row), _cell(stratum)
        if name in shares or not name:
            what = f"the stratum {quoted(name)} stands a second time" if name else "a stratum has no name"
            raise HoldfastError(f"{where}: {what}.")
        try:
            shares[name] = float(share)
        except (TypeError, ValueError):
            raise HoldfastError(f"{where}: a share should be a number; found {quoted(share)}.") from None
    return shares
