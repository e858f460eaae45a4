"""Lines of a stream as outcomes: errors one by one or in batches, or losses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from holdfast.predictions import grading
from holdfast.predictions.coded import any_number_in
from holdfast.sources.lines.line_table import Record, TableReader
from holdfast.sources.table import Header
from holdfast.wording import quoted

if TYPE_CHECKING:
    from holdfast.streams.monitor import Settings

Row = tuple[float, int]  # a loss and 1, or errors and n

SPELLINGS = {"0": 0, "1": 1, "0.0": 0, "1.0": 1, "false": 0, "true": 1}
NAMES_TOO = ("correct", "incorrect", "right", "wrong")  # outcomes elsewhere; a first line of a stream may be a name
# What the first line may be and is no row then: names of what is below it. None of them is a way to write an outcome.
HEADERS = {
    "errors": ("error", "errors", "erred", "wrong", "is_error", "is_wrong", "outcome", "outcomes", "errors,n"),
    "correct": ("correct", "is_correct", "right", "is_right", "outcome", "outcomes", "correct,n", "right,n"),
    "losses": ("loss", "losses"),
}


def outcome(text: str, correct: bool) -> int | None:
    """0 or 1 as people write it; words such as pass, which say what is right, only where right ones are given."""
    if not correct or text.lower() in NAMES_TOO:
        return SPELLINGS.get(text.lower())
    right = grading.outcome(text)
    return None if right is None else int(right)


class Outcome:
    """What a text says of one example or of a batch, by what the monitor was made for."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings

    def row(self, text: str) -> Row | None:
        if self.settings.losses:
            loss = any_number_in(text)
            return (loss, 1) if loss is not None and self.settings.low <= loss <= self.settings.high else None
        if (event := outcome(text, self.settings.correct)) is not None:
            return (1 - event if self.settings.correct else event), 1
        parts = [part.strip() for part in text.split(",")]
        if len(parts) != 2 or not all(part.isascii() and part.isdigit() and len(part) < 16 for part in parts):
            return None
        events, n = int(parts[0]), int(parts[1])
        return ((n - events if self.settings.correct else events), n) if events <= n else None

    def update(self, rows: Sequence[Row]) -> Mapping[str, Sequence[float]]:
        """The rows as a monitor takes them."""
        values, sizes = [value for value, _ in rows], [n for _, n in rows]
        return {"losses": values} if self.settings.losses else {"errors": values, "n": sizes}

    @property
    def headers(self) -> tuple[str, ...]:
        return HEADERS["losses" if self.settings.losses else "correct" if self.settings.correct else "errors"]

    @property
    def wanted(self) -> str:
        if self.settings.losses:
            low, high = self.settings.low, self.settings.high
            return (
                f"a row is one loss between {low:g} and {high:g}. "
                "Give the loss's own range as --low and --high, or repair the value."
            )
        one, several = ("right", "right") if self.settings.correct else ("an error", "errors")
        return f"a row is 0 or 1, where 1 is {one}, or {several},n such as 3,100."


class Lines:
    """A line is a row; the first may be a header. An empty line is a missing value, unless nothing follows it."""

    elsewhere = ""

    def __init__(self, settings: Settings, name: str) -> None:
        self.outcome, self.name = Outcome(settings), name
        self.update = self.outcome.update
        self.restart((), 0)

    def restart(self, head: Iterable[str], line: int) -> None:
        self.line = self.complete = line
        self.started, self.empty = line > 0, 0
        self.wrong: str | None = None  # what is wrong with the line at which reading ended

    def rows(self, lines: list[str]) -> list[Record]:
        """What the lines say, up to one that is no row."""
        rows = []
        for text in map(str.strip, lines):
            self.line += 1
            if not text:
                self.empty = self.empty or (self.line if self.started else 0)
                continue
            if self.empty:
                self.wrong = f"Line {self.empty} of {self.name} is empty; drop or repair missing values."
                break
            text = text if self.started else text.removeprefix("\ufeff")
            row = self.outcome.row(text)
            if row is not None:
                rows.append(Record(row, self.line, n=row[1]))
            elif self.started or not self._names(text):
                self.wrong = (
                    f"Line {self.line} of {self.name} is {quoted(text)}; {self.outcome.wanted}{self._hint(text)}"
                )
                break
            self.started, self.complete = True, self.line
        return rows

    def end(self) -> None:
        """Nothing is left open from line to line."""

    def _names(self, text: str) -> bool:
        """Whether the line is a header, by names that nobody writes for an outcome: one is not dropped on a guess."""
        parts = [part.strip().strip('"').lower() for part in text.split(",")]
        return ",".join(parts) in self.outcome.headers

    def _hint(self, text: str) -> str:
        if self.started or any_number_in(text.partition(",")[0]) is not None:
            return ""
        if text.lower() in HEADERS["correct"] and not self.outcome.settings.correct:
            return " If it names the column below it, where 1 is right, say so: --correct."
        return f" If it names the column below it, say so: --column {text if text.isidentifier() else 'NAME'}."


class Cells(TableReader):
    """Records of a table of text, or objects of JSON: one column is the outcome, another may be the id."""

    def __init__(self, settings: Settings, name: str, column: str, id_: str | None) -> None:
        self.outcome = Outcome(settings)
        super().__init__(name, [column, *([] if id_ is None else [id_])])

    def update(self, rows: Sequence[Row]) -> Mapping[str, Sequence[float]]:
        return self.outcome.update(rows)

    def wanted(self, header: Header) -> list[int]:
        return [header.place(name) for name in self.names]

    def record(self, cells: list[str]) -> Record | None:
        row = self.outcome.row(cells[0].strip())
        if row is not None and all(cells):
            return Record(row, self.line, cells[1] if cells[1:] else None, row[1])
        place = cells.index("") if row is not None else 0
        saying = f"says {quoted(cells[place])}" if cells[place] else "says nothing"
        self.wrong = (
            f"Line {self.line} of {self.name} {saying} in the column {quoted(self.names[place])}; "
            f"{'a row needs its id.' if place else self.outcome.wanted}"
        )
        return None
