"""Arrow, as a file or as a stream: columns with their types."""

from __future__ import annotations

from glob import escape
from inspect import signature
from pathlib import Path

from holdfast.predictions.rows import translated
from holdfast.sources.content import Files, head_of
from holdfast.sources.table import Table

FILE, STREAM = b"ARROW1", b"\xff\xff\xff\xff"  # how both kinds begin


def open_arrow(files: Files) -> Table:
    import polars as pl

    handles = files.handles()
    with translated(files.name):
        if any(head_of(content).startswith(STREAM) for content in files.contents):
            frame = pl.concat([pl.read_ipc_stream(handle).lazy() for handle in handles])
        elif "glob" in signature(pl.scan_ipc).parameters:
            frame = pl.scan_ipc(handles, glob=False)
        else:  # before polars 1.35
            frame = pl.scan_ipc([escape(str(each)) if isinstance(each, Path) else each for each in handles])
    return Table.of_frame(files.name, frame)
