"""A column of losses from a file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from holdfast.errors import HoldfastError, UnknownName
from holdfast.predictions.coded import any_number_in
from holdfast.predictions.rows import translated
from holdfast.sources.content import BOM, STANDARD_INPUT, Files, inflated, readable, standard_input, told
from holdfast.sources.formats import TEXT, format_of
from holdfast.sources.table import Header, Table
from holdfast.wording import brief, quoted

WORDS = ("loss", "losses")


def read_losses(path: str, column: str | None = None) -> NDArray[np.float64]:
    """The losses in the file ("-" for standard input); text of one column needs no line that names it."""
    import polars as pl

    table = _table(path)
    names = [cell.strip() for cell in table.header.names]
    (part,) = table.parts
    if part.text is not None and all(any_number_in(cell) is not None for cell in names):
        table, names = Table(table.name, (part.text.unheaded(table.name),)), []
    place = _place(table, Header(names, table.name), column)
    cells = table.scanned([{"loss": place}])
    with translated(table.name):
        kind = cells.collect_schema()["loss"]
        if not (kind.is_numeric() or kind in (pl.String, pl.Boolean, pl.Null)):
            title = quoted(table.header.names[place])
            raise HoldfastError(f"{table.name}: {title} should hold losses; it holds values of type {brief(kind, 60)}.")
        # From text, so that nothing is guessed: what is not a number is reported with its line.
        if kind == pl.String:
            cells = cells.select(pl.col("loss").str.strip_chars())
        numbers = cells.select(pl.col("loss").cast(pl.Float64, strict=False)).collect(engine="streaming").to_series()
        wrong = numbers.is_null() | numbers.is_nan()
        if wrong.any():
            row = int(wrong.arg_max() or 0)
            cell = cells.slice(row, 1).collect().item()
            raise HoldfastError(f"{table.name}, {table.where(row)}: a loss should be a number; found {quoted(cell)}.")
    if numbers.is_empty():
        raise HoldfastError(f"{table.name} has a header but no losses below it.")
    return numbers.to_numpy()


def _table(path: str) -> Table:
    """The file as a table; in text, blank lines at the end say nothing."""
    name = STANDARD_INPUT if path == "-" else told(Path(path))
    with readable(f"the losses from {name}"):
        raw = standard_input() if path == "-" else Path(path).read_bytes()
        text = inflated(raw).removeprefix(BOM)
    if not text.strip():
        raise HoldfastError(f"{name} is empty; it should hold one loss a line.")
    content = Path(path) if path != "-" and Path(path).is_file() else raw
    with readable(name):
        kind = format_of(content, name)
        return kind.open(Files(name, [name], [text.rstrip() if kind is TEXT else content]))


def _place(table: Table, header: Header, column: str | None) -> int:
    """Where the losses stand; a header without names is none."""
    name, width = table.name, len(table.header.names)
    if column is not None:
        if not header.names:
            raise UnknownName("column", column, ["(the file has no header)"])
        return header.place(column)
    likely = header.called(WORDS)
    if width == 1:
        if table.is_text and header.names and not likely:  # a loss that is misspelt must not be dropped
            raise HoldfastError(
                f"{name}, {table.where(-1)}: a loss should be a number; found {quoted(header.names[0])}. If it names "
                "the column, say so with --column."
            )
        return 0
    if not header.names:
        raise HoldfastError(f"{name} has {width} columns and no header; give the losses a column and a name.")
    if len(likely) != 1:
        raise HoldfastError(f"{name} has {width} columns; say which holds the losses with --column NAME.")
    return likely[0]
