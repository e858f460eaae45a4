"""Parquet: columns with their types, of which those wanted are read alone."""

from __future__ import annotations

from holdfast.predictions.rows import translated
from holdfast.sources.content import Files
from holdfast.sources.table import Table

MAGIC = b"PAR1"


def open_parquet(files: Files) -> Table:
    import polars as pl

    with translated(files.name):
        frame = pl.scan_parquet(files.handles(), glob=False, hive_partitioning=False, extra_columns="ignore")
    return Table.of_frame(files.name, frame)
