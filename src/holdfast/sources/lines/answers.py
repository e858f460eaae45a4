"""Lines of a stream as what two models did on each example."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from holdfast.errors import HoldfastError
from holdfast.predictions.coded import any_number_in
from holdfast.predictions.grading import outcome
from holdfast.sources.lines.line_table import Record, TableReader
from holdfast.sources.table import TRUTH, Header
from holdfast.tally.labels import MANY, LabelsSeen
from holdfast.wording import opening, quoted

if TYPE_CHECKING:
    from holdfast.streams.duel import Settings

Row = tuple[float, ...]  # whether each model was right, or each one's loss; and what the row weighs


class Answers(TableReader):
    """Records as rows: the cells of both models, and those of the truth and of the id where there are such."""

    elsewhere = ", or compare a Parquet or Arrow file without --sequential, or with --looks"

    def __init__(
        self,
        settings: Settings,
        name: str,
        truth: str | None,
        pass_fail: bool,
        missing: str,
        separator: str | None,
        id_: str | None = None,
        labels: Sequence[str] | None = None,
        weight: str | None = None,
    ) -> None:
        self.weight = weight
        self.settings, self.truth, self.missing, self.id = settings, truth, missing, id_
        self.labels = not (pass_fail or settings.losses)  # whether the columns hold labels, beside the truth
        if not self.labels and truth is not None:
            raise HoldfastError("--truth goes with columns of predictions; leave it out, or --pass-fail and --losses.")
        if self.settings.losses and missing == "wrong":
            raise HoldfastError("A loss that is missing cannot be counted as wrong; use --missing drop, or refuse.")
        self.declared = None if labels is None else {*labels}
        self.seen = LabelsSeen(settings.names)  # which says whether a model ever gives a label of the truth
        self.dropped = 0
        super().__init__(name, settings.names, separator)

    def update(self, rows: Sequence[Row]) -> Mapping[str, Sequence[float]]:
        """The rows as a duel takes them."""
        names = ("first", "second", *(() if self.weight is None else ("weight",)))
        return {name: [row[place] for row in rows] for place, name in enumerate(names)}

    @property
    def left_out(self) -> str:
        """What was left out, and whose answers are never a label of the truth."""
        rows = "1 row was" if self.dropped == 1 else f"{self.dropped:,} rows were"
        lost = [f"{rows} left out, for want of a truth or an answer."] if self.dropped else []
        return " ".join([*lost, *self._never()])

    def _never(self) -> tuple[str, ...]:
        """The notes on such models; where all are such, that is what is wrong."""
        try:
            return self.seen.notes()
        except HoldfastError as error:
            self.wrong = str(error)
            return ()

    def record(self, cells: list[str]) -> Record | None:
        row = self._row(cells)
        return None if row is None else Record(row, self.line, cells[-1] if self.id else None)

    def end(self) -> None:
        super().end()
        self._never()

    def wanted(self, header: Header) -> list[int]:
        """Where the models' columns stand, and those of the truth and the id."""
        places = [header.place(model) for model in self.settings.names]
        if self.labels:
            place = header.likely(TRUTH) if self.truth is None else header.place(self.truth)
            if place is None:
                raise HoldfastError(
                    f"{opening(self.name)} has no column that looks like the truth; say which with --truth, "
                    "or --pass-fail if the models' columns say whether each was right."
                )
            if place in places:
                raise HoldfastError(
                    f"The column {quoted(header.names[place])} cannot be both the truth and a model; name another."
                )
            places.append(place)
        places += [] if self.weight is None else [header.place(self.weight)]
        return places if self.id is None else [*places, header.place(self.id)]

    def _row(self, cells: list[str]) -> Row | None:
        """What each model did, and what the row weighs; None where the row is left out, or wrong."""
        row = self._answered(cells)
        if row is None or self.weight is None:
            return row
        cell, most = cells[2 + self.labels], float(self.settings.max_weight or 0.0)
        weight = any_number_in(cell)
        if weight is None or not 0.0 <= weight <= most:
            self.wrong = (
                f"Line {self.line} of {self.name} weighs {quoted(cell)} in the column {quoted(self.weight)}, and "
                f"weights lie from 0 to {most:g}, which was stated as the most."
            )
            return None
        return (*row, weight)

    def _answered(self, cells: list[str]) -> Row | None:
        """What each model did; None where the row is left out, or wrong."""
        if self.id is not None and not cells[-1]:
            self.wrong = f"Line {self.line} of {self.name} says nothing in the column {quoted(self.id)} of the ids."
            return None
        answers = cells[: 2 + self.labels]
        unlabelled = self.labels and not answers[2]
        if unlabelled or (self.missing != "wrong" and not all(answers)):
            absent = self.columns[2 if unlabelled else answers.index("")]
            if self.missing == "drop":
                self.dropped += 1
            else:
                self.wrong = (
                    f"Line {self.line} of {self.name} says nothing in the column {quoted(absent)}. Repair it, "
                    "leave such rows out with --missing drop, or count missing answers as errors with --missing wrong."
                )
            return None
        if self.labels:
            self._look_at(answers)
            return float(answers[0] == answers[2]), float(answers[1] == answers[2])
        values = [self._value(cell) for cell in answers]
        for cell, value, column in zip(answers, values, self.columns, strict=False):
            if value is None:
                low, high = self.settings.low, self.settings.high
                wanted = f"a loss between {low:g} and {high:g}" if self.settings.losses else "0 or 1, where 1 is right"
                self.wrong = (
                    f"Line {self.line} of {self.name} says {quoted(cell)} in the column {quoted(column)}, not {wanted}."
                )
                return None
        return values[0], values[1]  # type: ignore[return-value]  # neither is None

    def _look_at(self, answers: list[str]) -> None:
        if self.declared is None:
            self.seen.take(answers[2], answers[:2])
            if self.seen.rows == MANY:  # a stream need not end
                self._never()
        elif left := [answer for answer in answers if answer and answer not in self.declared]:
            self.wrong = (
                f"Line {self.line} of {self.name} holds the label {quoted(left[0])}, which --labels does not list."
            )

    def _value(self, cell: str) -> float | None:
        if not self.settings.losses:
            right = outcome(cell) if cell else False
            return None if right is None else float(right)
        value = any_number_in(cell)
        return value if value is not None and self.settings.low <= value <= self.settings.high else None
