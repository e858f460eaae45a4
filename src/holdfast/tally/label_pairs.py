"""How often each label was predicted for each true one: the one question that all rows answer alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from holdfast.errors import InvalidEvidence
from holdfast.evidence import NO_ANSWER, Array, Contingency, Counts, Integers
from holdfast.evidence.contingency import classes_of
from holdfast.numerics.arrays import distinct
from holdfast.predictions.coded import Coded
from holdfast.predictions.grading import Grading
from holdfast.tally.labels import check_labels, ordered, positive_label, spellings, truth_as_one
from holdfast.tally.rows import Kinds, Rows, so_many
from holdfast.wording import brief

PAIR = ("truth", "predicted")


@dataclass(frozen=True, eq=False)
class Coding:
    """The code of each value that rows hold: the place of its label, counted from 1."""

    labels: tuple[str, ...]
    truth: Mapping[Any, int]
    predicted: Mapping[Any, int]
    no_answer: int  # that of a missing prediction; 0 if there is none or it was dropped

    @property
    def size(self) -> int:
        """One more than the labels."""
        return len(self.labels) + 1

    def cells(self, truth: Coded, predicted: Coded) -> Array:
        """The cell of each row: the code of its truth, times the size, and the code of its prediction; 0 is missing."""
        kind = np.min_scalar_type(self.size**2)
        first = truth.placed([self.truth.get(value, 0) * self.size for value in truth.values], 0, kind)
        second = predicted.placed([self.predicted.get(value, 0) for value in predicted.values], self.no_answer, kind)
        return first + second

    def complete(self, cells: Array) -> NDArray[np.bool_]:
        """Which cells have a truth and a prediction: rows that do not were dropped, or refused before."""
        return (cells >= self.size) & (cells % self.size > 0)


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells that were seen, by the places of their labels, and what was missing."""

    coding: Coding
    truth: Integers
    predicted: Integers
    times: Integers
    missing: dict[str, int] = field(default_factory=dict)
    dropped: int = 0
    declared: bool = False  # whether the labels were, and not just found
    answered: bool = True  # whether there are predictions at all
    notes: tuple[str, ...] = ()  # of the labels

    @property
    def labels(self) -> tuple[str, ...]:
        return self.coding.labels

    @property
    def rows(self) -> int:
        return int(self.times.sum())

    def rank(self, cells: Array) -> Integers:
        """Where each of these stands among those that were seen."""
        return np.searchsorted((self.truth + 1) * self.coding.size + self.predicted + 1, cells)

    @property
    def table(self) -> Contingency:
        truths = classes_of(self.labels) if self.declared else None
        return Contingency.of_cells(self.labels, self.predicted, self.truth, self.times, truths=truths)

    @property
    def errors(self) -> Counts:
        return Counts(int(self.times[self.truth != self.predicted].sum()), self.rows)


def read_cells(
    rows: Rows, labels: Sequence[object] | None, positive: object, counted: Kinds | None = None
) -> tuple[Cells, str | None]:
    """The table of the rows, perhaps counted already, and the positive label, given or obvious."""
    kinds = rows.kinds(PAIR) if counted is None else counted
    if not kinds.rows:
        raise InvalidEvidence(f"There are no rows to assess in {brief(rows.predictions.source)}.")
    gone = {name: kinds.missing(name) for name in (PAIR if rows.answered else PAIR[:1])}
    missing = {rows.called(name): int(kinds.times[which].sum()) for name, which in gone.items() if which.any()}
    way = rows.predictions.missing
    if missing and (way == "refuse" or (way == "wrong" and "truth" in missing)):
        raise refused(rows, missing, kinds.rows, tuple(name for name, which in gone.items() if which.any()))
    total = kinds.rows
    if missing and way == "drop":
        kinds = kinds.filter(~np.logical_or.reduce([*gone.values()]))
    if not kinds.rows:
        raise nothing_left(rows)
    names = truth_as_one(*(spellings(name, kinds[name].distinct) for name in PAIR))
    spelled = {*names[0].values(), *names[1].values()}
    declared = labels is not None or spelled <= {*rows.predictions.score_labels}
    notes = check_labels(names[0], names[1], kinds.rows, declared=declared, positive=positive)
    if NO_ANSWER in names[0].values():
        raise InvalidEvidence(f"truth holds the label {NO_ANSWER!r}, which stands for missing predictions: rename it.")
    unanswered = not rows.answered or bool(missing and way == "wrong")
    places, chosen = label_places(spelled, unanswered, labels, positive)
    codes = [{value: places[label] + 1 for value, label in column.items()} for column in names]
    coding = Coding(tuple(places), codes[0], codes[1], places[NO_ANSWER] + 1 if unanswered else 0)
    cell, where = distinct(coding.cells(kinds["truth"], kinds["predicted"]))
    truth, predicted = np.divmod(cell.astype(np.int64), coding.size)
    times = np.zeros(cell.size, np.int64)
    np.add.at(times, where, kinds.times)
    return Cells(
        coding,
        truth - 1,
        predicted - 1,
        times,
        missing=missing,
        dropped=total - kinds.rows,
        declared=labels is not None,
        answered=rows.answered,
        notes=notes,
    ), chosen


def label_places(
    seen: set[str], unanswered: object, labels: Sequence[object] | None, positive: object
) -> tuple[dict[str, int], str | None]:
    """Where each label stands, and which one is positive."""
    names = ordered(seen | ({NO_ANSWER} if unanswered else set()), labels)
    chosen = positive_label(names, positive)
    if chosen is not None and chosen not in names:  # a class that was looked for and never seen is a class all the same
        names = ordered({*names, chosen}, None)
    return {label: place for place, label in enumerate(names)}, chosen


def nothing_left(rows: Rows) -> InvalidEvidence:
    source = brief(rows.predictions.source)
    return InvalidEvidence(f"Every row of {source} misses something: nothing is left once they are dropped.")


def read_passes(rows: Rows, counted: Kinds | None = None) -> tuple[Counts, Integers, dict[str, int], int]:
    """Errors of a pass/fail table; rights and wrongs; rows without an answer, and how many of them were dropped."""
    kinds = rows.kinds(("correct",)) if counted is None else counted
    right, wrong, absent = (
        int(kinds.times[which].sum()) for which in outcomes(kinds["correct"], rows.predictions.grading)
    )
    if not right + wrong + absent:
        raise InvalidEvidence(f"There are no rows to assess in {brief(rows.predictions.source)}.")
    missing = {"correct": absent} if absent else {}
    if absent and rows.predictions.missing == "refuse":
        raise refused(rows, missing, right + wrong + absent, tuple(missing))
    dropped = absent if rows.predictions.missing == "drop" else 0
    if not right + wrong + absent - dropped:
        raise InvalidEvidence(f"Every row of {brief(rows.predictions.source)} misses its answer: nothing is left.")
    errors = wrong + absent - dropped
    return Counts(errors, right + errors), np.array([right, errors]), missing, dropped


def outcomes(column: Coded, grading: Grading) -> tuple[NDArray[np.bool_], ...]:
    """Which rows or kinds are right, which wrong, and which say nothing, however the user writes it."""
    right = column.placed([bool(answer) for answer in grading.outcomes(column.distinct)], 0, np.bool_)
    absent = column.codes < 0
    return right, ~right & ~absent, absent


def refused(rows: Rows, missing: dict[str, int], total: int, columns: Sequence[str]) -> InvalidEvidence:
    gaps = " and ".join(f"{number:,} without {name}" for name, number in missing.items())
    where = rows.where_missing(columns)
    gaps = f"Of the {so_many(total)} of {brief(rows.predictions.source)}, there are {gaps}{where}."
    if rows.predictions.missing == "wrong":
        return InvalidEvidence(
            f'{gaps} missing="wrong" (--missing wrong) counts a missing prediction as an error, but without the truth '
            'nothing can be said: repair those rows, or leave them out with missing="drop" (--missing drop).'
        )
    return InvalidEvidence(
        f'{gaps} Repair them, or say missing="drop" (--missing drop) to leave such rows out or missing="wrong" '
        "(--missing wrong) to count a missing answer as an error."
    )
