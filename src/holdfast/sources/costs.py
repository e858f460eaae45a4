"""A matrix of costs from a text file."""

from __future__ import annotations

import re
from collections import Counter
from math import isfinite
from os import PathLike
from pathlib import Path

from holdfast.errors import HoldfastError
from holdfast.evidence import NO_ANSWER
from holdfast.evidence.costs import Costs
from holdfast.predictions.rows import translated
from holdfast.predictions.wording import listed, quoted
from holdfast.sources.formats.content import content_of, told
from holdfast.sources.formats.text import Text, examine

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
    r"""The costs in a CSV file: a square whose corner says which way round it is, or one row a pair of labels.

    Examples
    --------
    >>> from tempfile import NamedTemporaryFile
    >>> with NamedTemporaryFile("w", suffix=".csv") as file:
    ...     _ = file.write("predicted \\ actual,ill,well\nill,0,1\nwell,10,0\n")
    ...     file.flush()
    ...     read_costs(file.name)
    Costs(2 labels, from 0 to 10)
    """
    name = told(Path(path))
    text = examine(content_of(Path(path)), name)
    if len(text.header) * text.rows > LARGEST_FILE:
        raise HoldfastError(f"{name} has {text.rows:,} rows of {len(text.header):,} cells, too many for costs.")
    if not text.rows:
        raise HoldfastError(f"{name} has a header but no costs below it. {SHAPES}")
    with translated(name):
        rows = [[cell or "" for cell in row] for row in text.scan().collect().rows()]
    corner = re.findall(r"[a-z]+", text.header[0].lower())
    header = [cell.strip().lower() for cell in text.header]
    found = [[place for place, word in enumerate(header) if word in words] for words in (PREDICTED, ACTUAL, COST)]
    if len(corner) == 2 and {*corner} & PREDICTED and {*corner} & ACTUAL:
        pairs = _square(rows, text, name, down=corner[0] in PREDICTED)
    elif all(found):
        pairs = _listed(rows, text, name, *(places[0] for places in found))
    else:
        raise HoldfastError(
            f"{name} does not say which way round its costs are: its first cell is {quoted(text.header[0])}. {SHAPES}"
        )
    try:
        return Costs.from_pairs(pairs)
    except HoldfastError as error:
        raise HoldfastError(f"{name}: {error}") from None


def _listed(rows: list[list[str]], text: Text, name: str, predicted: int, actual: int, cost: int) -> Pairs:
    """A row for each pair of labels."""
    if len(text.header) > 3:
        raise HoldfastError(f"{name} has the columns {listed([*text.header])}; predicted, actual and cost are enough.")
    pairs: Pairs = {}
    for number, row in enumerate(rows):
        pair, line = (row[predicted], row[actual]), _line(text, number)
        _check_label(pair[0], line, name)
        _check_label(pair[1], line, name)
        if pair in pairs:
            raise HoldfastError(
                f"{name}, line {line}: the cost of predicting {quoted(pair[0])} where {quoted(pair[1])} is true is "
                "given a second time. Keep one."
            )
        pairs[pair] = _cost(row[cost], line, name)
    return pairs


def _square(rows: list[list[str]], text: Text, name: str, down: bool) -> Pairs:
    """Labels along both edges, the predicted ones down or else across."""
    columns, beside = [*text.header[1:]], [row[0] for row in rows]
    for labels in (columns, beside):
        label, often = Counter(labels).most_common(1)[0] if labels else ("", 0)
        if often > 1:
            raise HoldfastError(f"{name} has the label {quoted(label)} twice along one edge. Keep one.")
    for label in columns:
        _check_label(label, text.blank_before + 1, name)
    predicted, actual = ({*beside}, {*columns}) if down else ({*columns}, {*beside})
    spare = {NO_ANSWER} & predicted  # what a missing answer costs needs one edge only
    if odd := sorted((predicted ^ actual) - spare):
        raise HoldfastError(f"{name} has the label {quoted(odd[0])} along one edge only. Both need every label.")
    pairs: Pairs = {}
    for number, row in enumerate(rows):
        line = _line(text, number)
        _check_label(row[0], line, name)
        for label, cell in zip(columns, row[1:], strict=True):
            pairs[(row[0], label) if down else (label, row[0])] = _cost(cell, line, name)
    return pairs


def _line(text: Text, number: int) -> int:
    return text.blank_before + 2 + number


def _check_label(label: str, line: int, name: str) -> None:
    if not label.strip():
        raise HoldfastError(f"{name}, line {line}: a label is missing.")


def _cost(cell: str, line: int, name: str) -> float:
    told = cell.strip()
    if not NUMBER.fullmatch(told) or not isfinite(value := float(told)):
        advice = " Write decimals with a point." if told.count(",") == 1 else ""
        raise HoldfastError(f"{name}, line {line}: a cost should be a number; found {quoted(cell)}.{advice}")
    return value
