"""A column of losses from a text file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from holdfast.errors import HoldfastError, UnknownName
from holdfast.predictions.rows import translated
from holdfast.predictions.wording import quoted
from holdfast.sources.formats.content import BOM, STANDARD_INPUT, inflated, readable, standard_input, told
from holdfast.sources.formats.text import examine

LIKELY = ("loss", "losses")


def read_losses(path: str, column: str | None = None) -> NDArray[np.float64]:
    """The losses in the file ("-" for standard input), a header line being optional where there is one column."""
    import polars as pl

    name = STANDARD_INPUT if path == "-" else told(Path(path))
    with readable(f"the losses from {name}"):
        content = inflated(standard_input() if path == "-" else Path(path).read_bytes()).removeprefix(BOM)
    if not content.strip():
        raise HoldfastError(f"{name} is empty; it should hold one loss a line.")
    table = examine(content.rstrip(), name)
    first = [cell.strip() for cell in table.header]
    headed = any(_number(cell) is None for cell in first)
    chosen = _choose(first if headed else [], len(first), column, name)
    # From text, so that nothing is guessed: what is not a number is reported with its line.
    texts = table.scan(headed).select(pl.nth(chosen).str.strip_chars().alias("text"))
    number = pl.col("text").cast(pl.Float64, strict=False)
    with translated(name):
        numbers = texts.select(number).collect(engine="streaming").to_series()
        wrong = numbers.is_null() | numbers.is_nan()
        if wrong.any():
            row = int(wrong.arg_max() or 0)
            line, text = row + 1 + headed + table.blank_before, texts.slice(row, 1).collect().item()
            raise HoldfastError(f"{name}, line {line}: a loss should be a number; found {quoted(text)}.")
    if numbers.is_empty():
        raise HoldfastError(f"{name} has a header but no losses below it.")
    return numbers.to_numpy()


def _choose(header: list[str], width: int, column: str | None, name: str) -> int:
    if column is not None:
        if column not in header:
            raise UnknownName("column", column, header or ["(the file has no header)"])
        if header.count(column) > 1:
            raise HoldfastError(f"{name} has {header.count(column)} columns named {column!r}; rename one.")
        return header.index(column)
    likely = [index for index, title in enumerate(header) if title.lower() in LIKELY]
    if width == 1:
        if header and not likely:  # it may as well be a loss that is misspelt, which must not be dropped
            raise HoldfastError(
                f"{name}, line 1: a loss should be a number; found {quoted(header[0])}. If it names the column, say so "
                "with --column."
            )
        return 0
    if not header:
        raise HoldfastError(f"{name} has {width} columns and no header; give the losses a column and a name.")
    if len(likely) != 1:
        raise HoldfastError(f"{name} has {width} columns; say which holds the losses with --column NAME.")
    return likely[0]


def _number(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None
