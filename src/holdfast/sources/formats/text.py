"""Text files in all their dialects, with rows of one width or refused.

The engine that scans the rows neither checks their widths nor says where a file is broken; so every byte is looked
at once, here, in blocks of whole records.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from holdfast.errors import HoldfastError
from holdfast.sources.content import BOM, Content, Files, in_utf8, opened, readable
from holdfast.sources.formats.csv_records import NEWLINE, QUOTE, Block, outside, within_quotes
from holdfast.sources.header import Header
from holdfast.sources.table import Part, Table
from holdfast.wording import quoted

if TYPE_CHECKING:
    import polars as pl

BLOCK = 2**20  # bytes looked at together: what stays in the cache
LONGEST_RECORD = 2**26
COUNTS_BLANK_LINES = (
    1,
    37,
)  # the polars from which on rows to skip include blank lines, however many columns there are


@dataclass(frozen=True)
class Text:
    """A file whose every row has as many cells as its first."""

    content: Content
    separator: str
    header: tuple[str, ...]
    rows: int  # below the header
    blank_before: int  # lines before the header
    blank_after: bool  # lines after the last row

    def part(self, name: str) -> Part:
        """The rows below the header, of which nothing is read yet."""
        return Part(Header(self.header, name), self.scan(), self)

    def unheaded(self, name: str) -> Part:
        """The same where the first line is a row, too."""
        first = replace(self, rows=self.rows + 1, blank_before=self.blank_before - 1)  # as if another one came before
        return Part(Header(self.header, name), self.scan(header=False), first)

    def scan(self, header: bool = True) -> pl.LazyFrame:
        """The rows, every cell as text; columns are called by their place, since a file's names may be anything.

        A cell without text says nothing, with quotes around it or without.
        """
        import polars as pl

        schema = {str(place): pl.String() for place in range(len(self.header))}
        content, skipped, rows = self.content, self.blank_before + int(header), self.rows + int(not header)
        if not rows:
            return pl.LazyFrame(schema=schema)
        if self.blank_before and tuple(map(int, pl.__version__.split(".")[:2])) < COUNTS_BLANK_LINES:
            content, skipped = self._without_blank_lines(), int(header)
        return pl.scan_csv(
            content,
            has_header=False,
            skip_rows=skipped,
            separator=self.separator,
            schema=schema,
            n_rows=rows if self.blank_after else None,
            glob=False,
        ).select(pl.when(pl.all() != "").then(pl.all()))  # block by block, unlike `replace`: not all are in memory

    def _without_blank_lines(self) -> bytes:
        with opened(self.content) as stream:
            for _ in range(self.blank_before):
                stream.readline()
            return stream.read()


def open_text(files: Files) -> Table:
    """Every file is looked at once, and may have its columns in an order of its own."""
    contents = zip(files.names, files.contents, strict=True)
    texts = [examine(content, name, files.separator) for name, content in contents]
    return Table(files.name, tuple(text.part(name) for name, text in zip(files.names, texts, strict=True)))


def examine(content: Content, name: str, separator: str | None = None) -> Text:
    """Look at every record of a file once; what is no table in UTF-8 is refused with its line."""
    if separator is not None:
        separator = {"tab": "\t", "\\t": "\t"}.get(separator, separator)
        if len(separator) != 1 or not separator.isascii() or separator in '"\r\n':
            raise HoldfastError(
                f"separator= (--separator) should be one plain character such as ';'; got {quoted(separator)}."
            )
    with readable(name):
        return _examined(in_utf8(content, name), name, separator)


def _examined(content: Content, name: str, separator: str | None) -> Text:
    header: tuple[str, ...] = ()
    rows = skipped = blanks = 0  # blank records are forgiven before the header and after the last row
    for block in _blocks(content, name):
        below = block
        if not header:
            leading = block.leading_blanks()
            skipped += leading
            if leading == len(block.ends):
                continue
            separator = separator or block.likely_separator(leading)
            header = block.cells(leading, separator)
            below = block.after(leading)
        assert separator is not None
        kept = below.rows(separator, len(header), blanks)
        rows, blanks = (rows + blanks + kept, 0) if kept else (rows, blanks)
        blanks += len(below.ends) - kept
    if not header or separator is None:
        raise HoldfastError(f"{name} is empty; its first line should name the columns.")
    return Text(content, separator, header, rows, skipped, blanks > 0)


def _blocks(content: Content, name: str) -> Iterator[Block]:
    """The file in blocks of whole records."""
    tail, line = b"", 1
    with opened(content) as stream:
        data = stream.read(len(BOM)).removeprefix(BOM) + stream.read(BLOCK)
        while data:
            whole = tail + data
            data = stream.read(BLOCK)
            if not data and not whole.endswith(b"\n"):
                whole += b"\n"
            size = _whole_records(whole)
            if size:
                block = Block.of(whole[:size], line, name)
                yield block
                line += block.lines
            tail = whole[size:]
            if tail and (not data or len(tail) > LONGEST_RECORD):
                raise HoldfastError(f"{name}: a quote in the row on line {line} opens and never closes. Close it.")


def _whole_records(data: bytes) -> int:
    """How many bytes of the data are whole records: up to the last line break outside quotes."""
    if b'"' not in data:
        return data.rfind(b"\n") + 1
    array = np.frombuffer(data, np.uint8)
    is_quote = array == QUOTE
    end = data.rfind(b"\n") + 1
    if np.count_nonzero(is_quote[:end]) % 2 == 0:
        return end
    ends = outside(array == NEWLINE, within_quotes(is_quote))
    return int(ends[-1]) + 1 if len(ends) else 0
