"""Lines as they come as cells of the columns wanted: of a table of text with a header, or of objects of JSON."""

from __future__ import annotations

import csv
import json
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from holdfast.errors import HoldfastError
from holdfast.sources.table import Header
from holdfast.wording import opening, quoted

LONGEST = 2**20  # characters of a record
SEPARATORS = (",", ";", "\t", "|")


class Record(NamedTuple):
    """What a row says, the line it ends on, its id where it has one, and of how many examples it speaks."""

    row: Any
    line: int
    id: str | None = None
    n: int = 1


class TableReader(ABC):
    """Records out of lines, and what they say; it begins anew with every file.

    A quoted cell may hold line breaks, and an object of JSON stands on one line. `names` are some of those that the
    header must have, by which the separator is found.
    """

    elsewhere = ""  # what to do with a file that is no text

    def __init__(self, name: str, names: Sequence[str], separator: str | None = None) -> None:
        self.name, self.names = name, names
        self.given = {"tab": "\t", "\\t": "\t"}.get(separator or "", separator)
        if self.given is not None and (len(self.given) != 1 or self.given in '"\r\n'):
            raise HoldfastError(f"--separator should be one plain character such as ';'; got {quoted(separator)}.")
        self.restart((), 0)

    @abstractmethod
    def wanted(self, header: Header) -> list[int]:
        """The places of the columns that are read."""

    @abstractmethod
    def record(self, cells: list[str]) -> Record | None:
        """What the cells of a record say; None where it is left out, or `wrong` by now."""

    @abstractmethod
    def update(self, rows: Sequence[Any]) -> Mapping[str, Sequence[float]]:
        """What these rows say, by the keywords of the update that counts them."""

    def restart(self, head: Iterable[str], line: int) -> None:
        """A file begins: its first lines, as far as they were read before, and the line after which to go on."""
        self.separator = self.given
        self.objects = False  # whether the lines are objects of JSON
        self.header: list[str] = []  # the names of a text file's columns
        self.columns: list[str] = []  # those wanted
        self.places: list[int] = []
        self.line, self.empty = 0, 0
        self.complete = 0  # the last line that leaves nothing open: what was read up to there need not be read again
        self.pending = ""  # of a record that is still open
        self.wrong: str | None = None  # what is wrong with the line at which reading ended
        for text in head:
            for _ in self.records([text]):
                pass
            if self.columns:
                break
        self.line = self.complete = line

    def rows(self, lines: list[str]) -> list[Record]:
        """What the lines say, up to one that is no row."""
        rows: list[Record] = []
        for cells in self.records(lines):
            record = self.record(cells)
            if self.wrong:
                break
            if record is not None:
                rows.append(record)
        return rows

    def records(self, lines: Iterable[str]) -> Iterator[list[str]]:
        """The cells wanted of each record that the lines complete, up to one that is none."""
        for text in lines:
            self.line += 1
            if not self.columns:
                text = text.removeprefix("\ufeff")
                self.objects = text.lstrip().startswith("{")
            self.pending = f"{self.pending}\n{text}" if self.pending else text
            if self.pending.count('"') % 2 and not self.objects:
                if len(self.pending) < LONGEST:
                    continue
                self.wrong = f"A quote in the row that reaches line {self.line} of {self.name} opens and never closes."
                return
            text, self.pending = self.pending.rstrip("\r"), ""
            if not text.strip():
                self.empty = self.empty or (self.line if self.columns else 0)
                continue
            if self.empty:
                self.wrong = f"Line {self.empty} of {self.name} is empty; drop or repair missing values."
                return
            headed = not self.columns and self._begin(text)
            cells = None if headed else self._cells(text)
            if self.wrong:
                return
            self.complete = self.line
            if cells is not None:
                yield cells

    def end(self) -> None:
        """There are no more lines."""
        if self.pending:
            self.wrong = f"A quote in the row that ends on line {self.line} of {self.name} opens and never closes."
        elif not self.columns:
            self.wrong = f"{opening(self.name)} is empty; its first line should name the columns."

    def _begin(self, text: str) -> bool:
        """Find the columns; whether this line was no more than their names."""
        names = [*_object(text)] if self.objects else self._split(text)
        header = Header(names, self.name)
        header.check_distinct()
        self.places = self.wanted(header)
        self.columns = [names[place] for place in self.places]
        self.header = [] if self.objects else names
        return not self.objects

    def _split(self, text: str) -> list[str]:
        """The names of the columns, by the separator that was given or that shows the names to be expected."""
        tried = {
            separator: _record(text, separator) for separator in ([self.separator] if self.separator else SEPARATORS)
        }
        fitting = [separator for separator, names in tried.items() if set(self.names) <= set(names)]
        self.separator = fitting[0] if fitting else max(tried, key=lambda separator: len(tried[separator]))
        return tried[self.separator]

    def _cells(self, text: str) -> list[str] | None:
        """The cells wanted of a record; none, and what is wrong with it, where it is none."""
        if self.objects:
            if not (record := _object(text)):
                self.wrong = f"Line {self.line} of {self.name} is no object of JSON."
                return None
            return [_text(record.get(column)) for column in self.columns]
        cells = _record(text, self.separator or ",")
        if not cells:
            self.wrong = (
                f"Line {self.line} of {self.name} has a cell of more than {csv.field_size_limit():,} characters; is it "
                "a text file?"
            )
            return None
        if len(cells) != len(self.header):
            self.wrong = f"Line {self.line} of {self.name} has {len(cells)} cells, and its header {len(self.header)}."
            return None
        return [cells[place] for place in self.places]


def _record(text: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([text], delimiter=separator), [])
    except csv.Error:  # such as one cell of 100,000 characters
        return []


def _object(text: str) -> dict[str, Any]:
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return record if isinstance(record, dict) else {}


def _text(value: Any) -> str:
    """A value of JSON as a cell would hold it: 1.0 is 1, and null nothing."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, str) else json.dumps(value)
