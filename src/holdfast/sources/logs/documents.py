"""A file that may be a log: of which shape it is, and what it begins with, by which tools know their own."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from holdfast.errors import HoldfastError
from holdfast.predictions.rows import translated
from holdfast.sources.content import BOM, Content, Files, opened, readable, told
from holdfast.sources.logs.archives import LARGEST_WHOLE, MAGIC, Archive, JsonStream, parsing, whole

if TYPE_CHECKING:
    import polars as pl

HEAD = 2**16  # bytes that are looked at first
LONGEST_FIRST = 2**24  # bytes of the first line of a file with a record on each line
PARQUET = b"PAR1"


@dataclass(frozen=True, eq=False)
class Document:
    """A file and its shape: an archive, one value of JSON, a record on each line, columns of Parquet, or text.

    `first` is what it begins with: the names in an archive, the value, the first record, or the names of columns.
    """

    name: str
    content: Content
    shape: Literal["archive", "json", "lines", "parquet", "text"]
    first: Any

    @property
    def path(self) -> Path | None:
        """Where it lies, if it lies somewhere."""
        return self.content if isinstance(self.content, Path) else None

    @property
    def keys(self) -> set[str]:
        """The names in its first record."""
        record = self.first[0] if isinstance(self.first, list) and self.first else self.first
        return {*record} if isinstance(record, dict) and self.shape in ("json", "lines") else set()

    def archive(self) -> Archive:
        return Archive(self.content, self.name)

    def records(self) -> Iterator[dict[str, Any]]:
        """Its records one by one: those of its lines, of the list that it is, or the one that it is."""
        if self.shape == "lines":
            with opened(self.content) as stream:
                yield from map(self._record, JsonStream(stream, self.name).records())
        else:
            yield from map(self._record, self.first if isinstance(self.first, list) else [self.first])

    def _record(self, value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise HoldfastError(f"{self.name} should hold records; one of them is {type(value).__name__}.")
        return value

    def beside(self, name: str) -> Document | None:
        """The file of this name in the same folder, if it is there and holds JSON."""
        if self.path is None or not (path := self.path.with_name(name)).is_file():
            return None
        return document_of(path, told(path))

    @cached_property
    def siblings(self) -> list[Path]:
        """All files in its folder."""
        if self.path is None:
            return []
        with readable(told(self.path.parent)):
            return sorted(path for path in self.path.parent.iterdir() if path.is_file())


def document_of(content: Content, name: str) -> Document | None:
    """What a file may be the log of; None where it is of no shape that logs have, or cannot be read as one."""
    if isinstance(content, Path) and not content.is_file():
        return None
    try:
        with opened(content) as stream:
            head = stream.read(HEAD)
        start = head.removeprefix(BOM).lstrip()
        if head.startswith(MAGIC):
            with Archive(content, name) as archive:
                return Document(name, content, "archive", archive.names)
        if head.startswith(PARQUET):
            with translated("the file"):
                return Document(name, content, "parquet", columns_of(content).collect_schema().names())
        if start[:1] not in (b"{", b"["):
            return Document(name, content, "text", start.partition(b"\n")[0])
        return _json(content, name)
    except (HoldfastError, OSError, EOFError):
        return None  # whoever opens it says why


def _json(content: Content, name: str) -> Document | None:
    with opened(content) as stream:
        line = stream.readline(LONGEST_FIRST).removeprefix(BOM)
        while line and not line.strip():
            line = stream.readline(LONGEST_FIRST)
        follows = bool(stream.read(HEAD).strip())
    try:
        first = json.loads(line)
    except (ValueError, RecursionError):
        first = None
    if isinstance(first, dict) and follows:
        return Document(name, content, "lines", first)
    if isinstance(content, Path) and content.stat().st_size > LARGEST_WHOLE:
        return None
    with parsing(name), opened(content) as stream:
        return Document(name, content, "json", whole(stream, name))


def columns_of(content: Content) -> pl.LazyFrame:
    """The columns of a file of Parquet, of which nothing is read yet."""
    import polars as pl

    (handle,) = Files("", [""], [content]).handles()
    return pl.scan_parquet(handle, glob=False)
