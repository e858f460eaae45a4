"""One table, whatever holds it: what messages call it, the names of its columns, and where its rows live."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from holdfast.errors import HoldfastError, InvalidEvidence
from holdfast.predictions.coded import spelled
from holdfast.predictions.rows import translated
from holdfast.sources.header import Header
from holdfast.wording import quoted

if TYPE_CHECKING:
    import narwhals.stable.v2 as nw
    import polars as pl

    from holdfast.sources.formats.text import Text


@dataclass(frozen=True, eq=False)
class Held:
    """Columns in memory, each taken by its place when it is asked for."""

    column: Callable[[int], Any]
    row_names: Callable[[], Sequence[str]] = tuple  # where the rows have names of their own


@dataclass(frozen=True, eq=False)
class Part:
    """Rows under one header: of a file, of files that are scanned together, or of a frame."""

    header: Header
    rows: pl.LazyFrame | nw.LazyFrame[Any] | Held  # their columns stand in the order of the header
    text: Text | None = None  # what is known of a file of text, whose every line was looked at

    @cached_property
    def held(self) -> Held:
        """All of it in memory."""
        import polars as pl

        if isinstance(self.rows, Held):
            return self.rows
        with translated(self.header.source):
            if isinstance(self.rows, pl.LazyFrame):
                return Held(self.rows.collect().to_series)
            return Held(self.rows.collect("polars").to_native().to_series)

    @cached_property
    def height(self) -> int:
        """How many rows there are; of files they are counted and not kept."""
        import polars as pl

        if self.text is not None:
            return self.text.rows
        if not isinstance(self.rows, pl.LazyFrame):
            return len(self.held.column(0)) if self.header.names else 0
        with translated(self.header.source):
            return int(self.rows.select(pl.len()).collect().item())


@dataclass(frozen=True, eq=False)
class Table:
    """A file or frame of any kind, or several files of one kind, whose columns may stand in another order in each."""

    name: str
    parts: tuple[Part, ...]

    @classmethod
    def of_frame(cls, name: str, frame: pl.DataFrame | pl.LazyFrame) -> Self:
        """The table that a frame holds, of which only the header is looked at.

        Examples
        --------
        >>> import polars as pl
        >>> table = Table.of_frame("run.log", pl.DataFrame({"id": [1, 2], "score": [0.5, 1.0]}))
        >>> table.header.names, table.height, table.values(1)
        (['id', 'score'], 2, [0.5, 1.0])
        """
        with translated(name):
            rows = frame.lazy()
            return cls(name, (Part(Header(rows.collect_schema().names(), name), rows),))

    @property
    def header(self) -> Header:
        """The names of the columns; where there are several parts, all have the same."""
        first, *others = (part.header for part in self.parts)
        for other in others:
            if [*other.names] != [*first.names]:
                raise HoldfastError(
                    f"{other.source} has other columns than {first.source}; give all files the same, in one order."
                )
        return Header(first.names, self.name)

    @property
    def is_text(self) -> bool:
        """Whether all cells are text, as they were written."""
        return all(part.text is not None for part in self.parts)

    @property
    def height(self) -> int:
        return sum(part.height for part in self.parts)

    @property
    def row_names(self) -> Sequence[str]:
        """The names of the rows, where the table has such beside its columns."""
        rows = self.parts[0].rows
        return rows.row_names() if isinstance(rows, Held) else ()

    def values(self, place: int) -> list[Any]:
        """What a column holds, in memory: of tables that are small."""
        return [value for part in self.parts for value in _listed(part.held.column(place))]

    def scanned(self, places: Sequence[Mapping[str, int]]) -> pl.LazyFrame:
        """Of each part, which stay where they are, the columns at these places under these names."""
        import polars as pl

        frames: list[Any] = [part.rows for part in self.parts]
        return pl.concat(
            frame.select(pl.nth(place).alias(role) for role, place in here.items())
            for frame, here in zip(frames, places, strict=True)
        )

    def where(self, row: int) -> str:
        """What messages call a row, counted from 0: in a file of text by its line. The header comes before it."""
        text = self.parts[0].text
        if text is not None and len(self.parts) == 1:
            return f"line {text.blank_before + 2 + row}"
        return f"row {row + 1:,}" if row >= 0 else "header"


def _listed(values: Any) -> list[Any]:
    """The values of a column of any library as Python has them."""
    if isinstance(values, np.ndarray) and values.dtype.kind in "mM":
        return [*values]  # as numbers they would mean nothing
    for way in ("to_list", "tolist", "to_pylist"):
        if hasattr(values, way):
            return [*getattr(values, way)()]
    return [*values]


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
