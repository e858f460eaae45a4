"""NDJSON: one record per line."""

from __future__ import annotations

from holdfast.errors import HoldfastError
from holdfast.predictions.rows import translated
from holdfast.sources.content import BOM, Files, head_of
from holdfast.sources.table import Table


def open_ndjson(files: Files) -> Table:
    """The whole file tells the types: a field may first appear in its last row."""
    import polars as pl

    if any(beginning(head_of(content)).startswith(b"[") for content in files.contents):
        raise HoldfastError(f"{files.name} is one list in JSON; write one record a line (NDJSON), or CSV.")
    with translated(files.name):
        frame = pl.scan_ndjson(files.handles(), infer_schema_length=None)
    return Table.of_frame(files.name, frame)


def beginning(head: bytes) -> bytes:
    """The first bytes that say something."""
    return head.removeprefix(BOM).lstrip()
