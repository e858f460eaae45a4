"""Text files in all their dialects, with rows of one width or refused.

The engine that scans the rows neither checks their widths nor says where a file is broken; so every byte is looked
at once, here, in blocks of whole records.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Final, Self

import numpy as np
from numpy.typing import NDArray

from holdfast.errors import HoldfastError
from holdfast.sources.content import BOM, Content, Files, in_utf8, opened, readable
from holdfast.sources.table import Header, Part, Table
from holdfast.wording import quoted

if TYPE_CHECKING:
    import polars as pl


NEWLINE: Final = ord("\n")
RETURN: Final = ord("\r")
QUOTE: Final = ord('"')
SEPARATORS = (",", "\t", ";", "|")
SAMPLE = 50  # records that the separator is found from
Places = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Block:
    """Bytes that begin with a record and end with the line break after another."""

    content: bytes
    array: NDArray[np.uint8]
    starts: Places  # of the records
    ends: Places
    quotes: Places
    quoted: NDArray[np.uint8] | None  # 1 at each byte within quotes; None where there are no quotes
    line: int  # of the file, where the block begins
    name: str

    @classmethod
    def of(cls, content: bytes, line: int, name: str) -> Self:
        array = np.frombuffer(content, np.uint8)
        quotes, quoted = np.empty(0, np.intp), None
        if b'"' in content:
            is_quote = array == QUOTE
            quotes, quoted = np.flatnonzero(is_quote), within_quotes(is_quote)
        ends = outside(array == NEWLINE, quoted)
        made = cls(content, array, np.concatenate([[0], ends[:-1] + 1]), ends, quotes, quoted, line, name)
        made._check_encoding()
        made._check_line_breaks()
        return made

    @property
    def lines(self) -> int:
        return int(np.count_nonzero(self.array == NEWLINE))

    def after(self, record: int) -> Self:
        """The records that follow one."""
        return replace(self, starts=self.starts[record + 1 :], ends=self.ends[record + 1 :])

    def leading_blanks(self) -> int:
        filled = np.flatnonzero(~self._blank())
        return int(filled[0]) if len(filled) else len(self.ends)

    def cells(self, record: int, separator: str) -> tuple[str, ...]:
        """The text of each cell of a record."""
        start, end = int(self.starts[record]), int(self.ends[record])
        self._check_quotes(separator, 0, end)
        marks = self._marks(separator)
        edges = [start - 1, *marks[(marks >= start) & (marks < end)].tolist(), end]
        texts = (self.content[left + 1 : right].decode() for left, right in pairwise(edges))
        return tuple(_unquoted(text.removesuffix("\r")) for text in texts)

    def likely_separator(self, first: int) -> str:
        """The character that splits the first records alike, and into the most cells."""
        starts, ends = self.starts[first : first + SAMPLE], self.ends[first : first + SAMPLE]
        filled = ~self._blank()[first : first + SAMPLE]

        def worth(separator: str) -> tuple[bool, int]:
            marks = self._marks(separator, int(ends[-1]))
            counts = (np.searchsorted(marks, ends) - np.searchsorted(marks, starts))[filled]
            return bool(counts[0] and np.all(counts == counts[0])), int(counts[0])

        return max(SEPARATORS, key=worth)

    def rows(self, separator: str, width: int, blanks: int) -> int:
        """How many records there are up to the last that is not blank, each checked; `blanks` came just before."""
        if not len(self.ends):
            return 0
        self._check_quotes(separator, int(self.starts[0]), int(self.ends[-1]))
        marks = self._marks(separator)
        marks = marks[np.searchsorted(marks, self.starts[0]) :]
        blank = self._blank()
        if not blank.any() and self._all_have(width, marks):
            filled = len(self.ends)
        else:
            counts = np.searchsorted(marks, self.ends) - np.searchsorted(marks, self.starts) + 1
            wrong = np.flatnonzero((counts != width) & ~blank)
            if len(wrong):
                self._refuse_width(int(wrong[0]), int(counts[wrong[0]]), width)
            filled = int(np.flatnonzero(~blank)[-1]) + 1 if not blank.all() else 0
        if width > 1 and filled and (blanks or blank[:filled].any()):
            line = self._line(int(self.starts[np.argmax(blank)])) if not blanks else self.line - blanks
            raise HoldfastError(f"{self.name}, line {line}: the line is blank, and rows follow it. Remove it.")
        return filled

    def _all_have(self, width: int, marks: Places) -> bool:
        if len(marks) != (width - 1) * len(self.ends):
            return False
        if width == 1:
            return True
        grid = marks.reshape(-1, width - 1)
        return bool(np.all(grid[:, 0] >= self.starts) and np.all(grid[:, -1] < self.ends))

    def _marks(self, separator: str, end: int | None = None) -> Places:
        quoted = None if self.quoted is None else self.quoted[:end]
        return outside(self.array[:end] == ord(separator), quoted)

    def _blank(self) -> NDArray[np.bool_]:
        lengths = self.ends - self.starts
        return (lengths == 0) | ((lengths == 1) & (self.array[self.starts] == RETURN))

    def _line(self, place: int) -> int:
        return self.line + self.content.count(b"\n", 0, place)

    def _refuse_width(self, record: int, found: int, width: int) -> None:
        cells = f"{found:,} cell{'s' if found != 1 else ''}"
        raise HoldfastError(
            f"{self.name}, line {self._line(int(self.starts[record]))}: the row has {cells}, the header {width:,}. "
            "Repair the row; a cell that holds the separator needs quotes around it."
        )

    def _check_quotes(self, separator: str, start: int, end: int) -> None:
        """Quotes stand around whole cells, and twice within them; anything else could be read in two ways."""
        quotes = self.quotes[np.searchsorted(self.quotes, start) : np.searchsorted(self.quotes, end)]
        if not len(quotes):
            return
        opening, closing = quotes[0::2], quotes[1::2]
        before = self.array[np.maximum(opening - 1, 0)]
        after = self.array[closing + 1]
        fine_before = (opening == 0) | np.isin(before, [ord(separator), NEWLINE, QUOTE])
        fine_after = np.isin(after, [ord(separator), NEWLINE, RETURN, QUOTE])
        if fine_before.all() and fine_after.all():
            return
        wrong = min([*opening[~fine_before][:1].tolist(), *closing[~fine_after][:1].tolist()])
        raise HoldfastError(
            f"{self.name}, line {self._line(wrong)}: a quote stands inside a cell. "
            "Put quotes around the whole cell and write each quote within it twice."
        )

    def _check_encoding(self) -> None:
        if self.content.isascii():
            return
        try:
            self.content.decode()
        except UnicodeDecodeError as error:
            raise HoldfastError(
                f"{self.name}, line {self._line(error.start)}: this is no text in UTF-8. Save the file in UTF-8."
            ) from None

    def _check_line_breaks(self) -> None:
        if b"\r" not in self.content:
            return
        returns = outside(self.array == RETURN, self.quoted)
        alone = returns[self.array[returns + 1] != NEWLINE]
        if len(alone):
            raise HoldfastError(
                f"{self.name}, line {self._line(int(alone[0]))}: a carriage return stands alone. "
                "Save the file with line breaks of today."
            )


def within_quotes(is_quote: NDArray[np.bool_]) -> NDArray[np.uint8]:
    """1 where an odd number of quotes stands up to here; counting may run over, odd stays odd."""
    return np.add.accumulate(is_quote.view(np.uint8), dtype=np.uint8) & np.uint8(1)


def outside(there: NDArray[np.bool_], quoted: NDArray[np.uint8] | None) -> Places:
    """The places outside quotes."""
    return np.flatnonzero(there if quoted is None else there.view(np.uint8) > quoted)


def _unquoted(text: str) -> str:
    return text[1:-1].replace('""', '"') if text.startswith('"') else text


BLOCK = 2**20  # bytes looked at together: what stays in the cache
LONGEST_RECORD = 2**26
COUNTS_BLANK_LINES = (1, 37)  # the polars from which on rows to skip include blank ones, however many columns there are


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
