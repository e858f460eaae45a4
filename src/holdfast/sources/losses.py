"""A column of losses from a CSV file."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from holdfast.errors import HoldfastError, UnknownName

LIKELY = ("loss", "losses")


def read_losses(path: str, column: str | None = None) -> NDArray[np.float64]:
    """The losses in the file ("-" for standard input), a header line being optional where there is one column."""
    import polars as pl

    name = "standard input" if path == "-" else path
    try:
        content = sys.stdin.buffer.read() if path == "-" else Path(path).read_bytes()
    except OSError as error:
        raise HoldfastError(f"Cannot read the losses from {name}: {error.strerror}.") from None
    except ValueError as error:  # a name with a NUL in it
        raise HoldfastError(f"Cannot read the losses from {name!r}: {error}.") from None
    if not content.strip():
        raise HoldfastError(f"{name} is empty; it should hold one loss a line.")
    try:
        # As text, so that nothing is guessed: what is not a number is reported with its line.
        frame = pl.read_csv(content.strip(), has_header=False, infer_schema=False)
    except pl.exceptions.PolarsError as error:
        raise HoldfastError(f"Cannot read {name} as CSV in UTF-8: {str(error).splitlines()[0]}") from None
    skipped = content[: len(content) - len(content.lstrip())].count(b"\n")  # blank lines before the first
    first = [str(cell or "").strip() for cell in frame.row(0)]
    headed = any(_number(cell) is None for cell in first)
    chosen = _choose(first if headed else [], frame.width, column, name)
    texts = frame.to_series(chosen).str.strip_chars()[int(headed) :]
    numbers = texts.cast(pl.Float64, strict=False)
    wrong = numbers.is_null() | numbers.is_nan()
    if wrong.any():
        line = int(wrong.arg_max() or 0)
        found = texts[line]
        shown = "nothing" if found is None else repr(found[:40])
        raise HoldfastError(f"{name}, line {line + 1 + headed + skipped}: a loss should be a number; found {shown}.")
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
    if width == 1:
        return 0
    likely = [index for index, title in enumerate(header) if title.lower() in LIKELY]
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
