"""The formats of files that hold tables: one entry each, and whatever reads a table reads it.

Columns with their types, as Parquet and Arrow have them, and records of JSON are the engine's to read; text is looked
at first, in a file of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from glob import escape
from inspect import signature
from pathlib import Path

from holdfast.errors import HoldfastError
from holdfast.predictions.rows import translated
from holdfast.sources.content import BOM, Content, Files, ending, head_of
from holdfast.sources.formats.text import open_text
from holdfast.sources.logs.archives import MAGIC
from holdfast.sources.logs.documents import PARQUET
from holdfast.sources.logs.reading import is_log, open_logs
from holdfast.sources.logs.tools.ragas import EXPERIMENTS
from holdfast.sources.table import Table

ARROW_FILE, ARROW_STREAM = b"ARROW1", b"\xff\xff\xff\xff"  # how both kinds begin


@dataclass(frozen=True)
class Format:
    """How files of a kind are told from others, and how they become a table.

    `open` is given files of this format alone. `recognises` looks at the first bytes, which say more than a name, and
    where they do not suffice at the file itself; without it only the ending tells. A format of folders is asked about
    folders, with no bytes: one that it recognises is a table, and not searched for files.
    """

    name: str
    open: Callable[[Files], Table]
    endings: tuple[str, ...] = ()
    recognises: Callable[[bytes, Content], bool] | None = None
    folders: bool = False


def _begins(*marks: bytes) -> Callable[[bytes, Content], bool]:
    return lambda head, _: head.startswith(marks)


def _is_log(head: bytes, content: Content) -> bool:
    """Whether a tool of evaluations knows it for its own; most files show by their first bytes that they are none."""
    likely = head.startswith((*MAGIC, PARQUET)) or beginning(head).startswith((b"{", b"["))
    experiment = isinstance(content, Path) and content.parent.name == EXPERIMENTS
    return (likely or experiment) and is_log(content)


def open_parquet(files: Files) -> Table:
    """Columns with their types, of which those wanted are read alone."""
    import polars as pl

    with translated(files.name):
        frame = pl.scan_parquet(files.handles(), glob=False, hive_partitioning=False, extra_columns="ignore")
    return Table.of_frame(files.name, frame)


def open_arrow(files: Files) -> Table:
    """A file or a stream: columns with their types."""
    import polars as pl

    handles = files.handles()
    with translated(files.name):
        if any(head_of(content).startswith(ARROW_STREAM) for content in files.contents):
            frame = pl.concat([pl.read_ipc_stream(handle).lazy() for handle in handles])
        elif "glob" in signature(pl.scan_ipc).parameters:
            frame = pl.scan_ipc(handles, glob=False)
        else:  # before polars 1.35
            frame = pl.scan_ipc([escape(str(each)) if isinstance(each, Path) else each for each in handles])
    return Table.of_frame(files.name, frame)


def open_ndjson(files: Files) -> Table:
    """One record per line; the whole file tells the types: a field may first appear in its last row."""
    import polars as pl

    if any(beginning(head_of(content)).startswith(b"[") for content in files.contents):
        raise HoldfastError(f"{files.name} is one list in JSON; write one record a line (NDJSON), or CSV.")
    with translated(files.name):
        frame = pl.scan_ndjson(files.handles(), infer_schema_length=None)
    return Table.of_frame(files.name, frame)


def beginning(head: bytes) -> bytes:
    """The first bytes that say something."""
    return head.removeprefix(BOM).lstrip()


LOG = Format("log", open_logs, (".eval",), _is_log)
TEXT = Format("text", open_text, (".csv", ".tsv", ".tab", ".txt"))
NDJSON = Format("ndjson", open_ndjson, (".ndjson", ".jsonl"))
FORMATS: tuple[Format, ...] = (
    LOG,
    TEXT,
    Format("parquet", open_parquet, (".parquet", ".pq"), _begins(PARQUET)),
    NDJSON,
    Format("arrow", open_arrow, (".arrow", ".feather", ".ipc"), _begins(ARROW_FILE, ARROW_STREAM)),
)


def endings() -> list[str]:
    """How the names of files end that a folder is searched for."""
    return [each for format_ in FORMATS for each in format_.endings]


def is_log_file(path: Path) -> bool:
    """Whether a file whose name does not tell is a log, by what it holds."""
    return ending(path) == ".json" and path.is_file() and _is_log(head_of(path), path)


def is_folder_of_a_format(path: Path) -> bool:
    """Whether a folder is a table, and need not be searched for files."""
    return any(each.folders and _recognises(each, b"", path) for each in FORMATS)


def format_of(content: Content, name: str) -> Format:
    """By the first bytes where they tell, and else by the ending; text, or JSON, where neither does."""
    folder = isinstance(content, Path) and content.is_dir()
    head = b"" if folder else head_of(content)
    for each in FORMATS:
        if each.folders == folder and _recognises(each, head, content):
            return each
    written = ending(content)
    known = next((each for each in FORMATS if written in each.endings), None)
    if known is not None and known.recognises is not None:
        raise HoldfastError(f"{name} is no {known.name} file, though its name says so; it may be cut off or damaged.")
    if known is None and (written == ".json" or beginning(head).startswith((b"{", b"["))):
        return NDJSON
    return known or TEXT


def _recognises(format_: Format, head: bytes, content: Content) -> bool:
    return format_.recognises is not None and format_.recognises(head, content)
