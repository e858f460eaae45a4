"""Lines of a stream as what two models did on each example: tables of text with a header, or objects of JSON."""

from __future__ import annotations

import csv
import json
from typing import TYPE_CHECKING, Any

from holdfast.errors import HoldfastError
from holdfast.predictions.wording import opening, quoted

if TYPE_CHECKING:
    from holdfast.verbs.rounds import Settings

Row = tuple[float, float]  # whether each model was right, or each one's loss

LONGEST = 2**20  # characters of a record
SEPARATORS = (",", ";", "\t", "|")
OUTCOMES = {"0": 0.0, "1": 1.0, "0.0": 0.0, "1.0": 1.0, "false": 0.0, "true": 1.0}


class Answers:
    """Lines as rows: a header and cells, or an object of JSON a line."""

    def __init__(
        self, settings: Settings, name: str, truth: str | None, pass_fail: bool, missing: str, separator: str | None
    ) -> None:
        self.settings, self.name, self.truth, self.missing = settings, name, truth, missing
        self.separator = {"tab": "\t", "\\t": "\t"}.get(separator or "", separator)
        if self.separator is not None and (len(self.separator) != 1 or self.separator in '"\r\n'):
            raise HoldfastError(f"--separator should be one plain character such as ';'; got {quoted(separator)}.")
        self.labels = not (pass_fail or settings.losses)  # whether the columns hold labels, beside the truth
        if not self.labels and truth is not None:
            raise HoldfastError("--truth goes with columns of predictions; leave it out, or --pass-fail and --losses.")
        if self.settings.losses and missing == "wrong":
            raise HoldfastError("A loss that is missing cannot be counted as wrong; use --missing drop, or refuse.")
        self.objects = False  # whether the lines are objects of JSON
        self.header: list[str] = []  # the names of a text file's columns
        self.columns: list[str] = []  # those wanted: both models', and the truth
        self.places: list[int] = []
        self.line, self.empty, self.dropped = 0, 0, 0
        self.pending = ""  # of a record that is still open
        self.wrong: str | None = None  # what is wrong with the line at which reading ended

    @property
    def left_out(self) -> str:
        rows = "1 row was" if self.dropped == 1 else f"{self.dropped:,} rows were"
        return f"{rows} left out, for want of a truth or an answer." * bool(self.dropped)

    def rows(self, lines: list[str]) -> list[Row]:
        """What the lines say, up to one that is no row."""
        found: list[Row] = []
        for text in lines:
            self.line += 1
            if not self.columns:
                text = text.removeprefix("\ufeff")
                self.objects = text.lstrip().startswith("{")
            self.pending = f"{self.pending}\n{text}" if self.pending else text
            # A quoted cell may hold line breaks; an object of JSON has none.
            if self.pending.count('"') % 2 and not self.objects and len(self.pending) < LONGEST:
                continue
            text, self.pending = self.pending, ""
            self._take(text.rstrip("\r"), found)
            if self.wrong:
                break
        return found

    def end(self) -> None:
        if self.pending:
            self.wrong = f"A quote in the row that ends on line {self.line} of {self.name} opens and never closes."
        elif not self.columns:
            self.wrong = f"{opening(self.name)} is empty; its first line should name the columns."

    def _take(self, text: str, found: list[Row]) -> None:
        if not text.strip():
            self.empty = self.empty or (self.line if self.columns else 0)
            return
        if self.empty:
            self.wrong = f"Line {self.empty} of {self.name} is empty; drop or repair missing values."
            return
        if not self.columns and self._begin(text):
            return
        cells = self._cells(text)
        if cells is None or (row := self._row(cells)) is None:
            return
        found.append(row)

    def _begin(self, text: str) -> bool:
        """Find the columns; whether this line was no more than their names."""
        from holdfast.sources.columns import Header

        names = [*_object(text)] if self.objects else self._split(text)
        header = Header(names, self.name)
        header.check_distinct()
        places = [header.place(model) for model in self.settings.names]
        if self.labels:
            place = header.likely("truth") if self.truth is None else header.place(self.truth)
            if place is None:
                raise HoldfastError(
                    f"{opening(self.name)} has no column that looks like the truth; say which with --truth, "
                    "or --pass-fail if the models' columns say whether each was right."
                )
            if place in places:
                raise HoldfastError(
                    f"The column {quoted(names[place])} cannot be both the truth and a model; name another."
                )
            places.append(place)
        self.places, self.columns = places, [names[place] for place in places]
        self.header = [] if self.objects else names
        return not self.objects

    def _split(self, text: str) -> list[str]:
        """The names of the columns, by the separator that was given or that shows the models' names."""
        tried = {
            separator: _record(text, separator) for separator in ([self.separator] if self.separator else SEPARATORS)
        }
        fitting = [separator for separator, names in tried.items() if set(self.settings.names) <= set(names)]
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
        if len(cells) != len(self.header):
            self.wrong = f"Line {self.line} of {self.name} has {len(cells)} cells, and its header {len(self.header)}."
            return None
        return [cells[place] for place in self.places]

    def _row(self, cells: list[str]) -> Row | None:
        """What each model did; None where the row is left out, or wrong."""
        unlabelled = self.labels and not cells[2]
        if unlabelled or (self.missing != "wrong" and not all(cells)):
            absent = self.columns[2 if unlabelled else cells.index("")]
            if self.missing == "drop":
                self.dropped += 1
            else:
                self.wrong = (
                    f"Line {self.line} of {self.name} says nothing in the column {quoted(absent)}. Repair it, "
                    "leave such rows out with --missing drop, or count missing answers as errors with --missing wrong."
                )
            return None
        if self.labels:
            return float(cells[0] == cells[2]), float(cells[1] == cells[2])
        values = [self._value(cell) for cell in cells]
        for cell, value, column in zip(cells, values, self.columns, strict=True):
            if value is None:
                low, high = self.settings.low, self.settings.high
                wanted = f"a loss between {low:g} and {high:g}" if self.settings.losses else "0 or 1, where 1 is right"
                self.wrong = (
                    f"Line {self.line} of {self.name} says {quoted(cell)} in the column {quoted(column)}, not {wanted}."
                )
                return None
        return values[0], values[1]  # type: ignore[return-value]  # neither is None

    def _value(self, cell: str) -> float | None:
        if not self.settings.losses:
            return OUTCOMES.get(cell.strip().lower(), None if cell else 0.0)
        try:
            value = float(cell)
        except ValueError:
            return None
        return value if self.settings.low <= value <= self.settings.high else None


def _record(text: str, separator: str) -> list[str]:
    try:
        return next(csv.reader([text], delimiter=separator), [])
    except csv.Error:  # such as one cell of 100,000 characters
        return []


def _object(text: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _text(value: Any) -> str:
    """A value of JSON as a cell would hold it: 1.0 is 1, and null nothing."""
    if value is None:
        return ""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if isinstance(value, str) else json.dumps(value)
