"""Data frames of any kind as tables: those in memory column by column, those elsewhere stay where they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from holdfast.errors import InvalidEvidence
from holdfast.predictions.rows import translated
from holdfast.predictions.spelling import spelled
from holdfast.sources.header import Header
from holdfast.sources.table import Held, Part, Table
from holdfast.wording import quoted

SOURCE = "the data frame"


def table_of_frame(frame: Any) -> Table | None:
    """The table that a frame is, whatever library it comes from; None for anything else."""
    import narwhals.stable.v2 as nw
    import polars as pl

    if isinstance(frame, pl.LazyFrame):
        return Table.of_frame(SOURCE, frame)
    library = type(frame).__module__.partition(".")[0]
    # By position, for in pandas and pyarrow a name may stand twice.
    if library == "pandas" and hasattr(frame, "iloc") and hasattr(frame, "columns"):
        return table_held(
            map(str, frame.columns), lambda place: frame.iloc[:, place], SOURCE, lambda: _row_names(frame)
        )
    if library == "pyarrow" and hasattr(frame, "column_names"):
        return table_held(frame.column_names, frame.column, SOURCE)
    with translated(SOURCE):
        known = nw.from_native(frame, pass_through=True)
        if isinstance(known, nw.LazyFrame):
            return Table(SOURCE, (Part(Header([*known.collect_schema()], SOURCE), known),))
    if not isinstance(known, nw.DataFrame):
        return None
    return table_held(known.columns, lambda place: known.to_polars().to_series(place), SOURCE)


def table_of_columns(columns: Mapping[Any, Any]) -> Table:
    """A table of columns by their names, each a list of its values."""
    for name, values in columns.items():
        if not _is_column(values):
            raise InvalidEvidence(f"Each column is a list of its values; {quoted(name)} is {quoted(values)}.")
    return table_held(map(str, columns), [*columns.values()].__getitem__, "the mapping")


def table_held(
    names: Iterable[str], column: Callable[[int], Any], source: str, row_names: Callable[[], Sequence[str]] = tuple
) -> Table:
    """A table in memory, of which a column is taken when it is asked for."""
    return Table(source, (Part(Header([*names], source), Held(column, row_names)),))


def _row_names(frame: Any) -> list[str]:
    """What the index of a frame of pandas says, where it is more than numbers of rows."""
    numbered = type(frame.index).__name__ == "RangeIndex"
    return [] if numbered else [spelled(name) for name in frame.index.tolist()]


def _is_column(value: object) -> bool:
    try:
        return not isinstance(value, (str, bytes)) and len(value) >= 0  # type: ignore[arg-type]
    except TypeError:
        return False
