"""How often each label was predicted for each true one: the one question that every engine answers alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

import numpy as np

from holdfast.errors import InvalidEvidence
from holdfast.evidence import NO_ANSWER, Contingency, Counts, Integers
from holdfast.evidence.contingency import classes_of
from holdfast.predictions.grading import Grading
from holdfast.predictions.wording import brief
from holdfast.tally.labels import ordered, positive_label, spellings, truth_as_one
from holdfast.tally.rows import Coding, Rows, so_many
from holdfast.tally.unmatched import check_labels

if TYPE_CHECKING:
    import polars as pl

PAIR = ("truth", "predicted")


@dataclass(frozen=True, eq=False)
class Cells:
    """The cells that were seen, by the places of their labels, and what was missing."""

    labels: tuple[str, ...]
    truth: Integers
    predicted: Integers
    times: Integers
    truth_codes: Coding = field(default_factory=dict)  # places counted from 1, of the values as the engine holds them
    predicted_codes: Coding = field(default_factory=dict)
    no_answer: int = 0  # the code of a missing prediction; 0 if there is none or it was dropped
    missing: dict[str, int] = field(default_factory=dict)
    dropped: int = 0
    declared: bool = False  # whether the labels were, and not just found
    answered: bool = True  # whether there are predictions at all
    of_rows: Integers | None = None  # the cell of each row as in `coded`, 0 where dropped; where there are few
    notes: tuple[str, ...] = ()  # of the labels

    @property
    def rows(self) -> int:
        return int(self.times.sum())

    @property
    def table(self) -> Contingency:
        truths = classes_of(self.labels) if self.declared else None
        return Contingency.of_cells(self.labels, self.predicted, self.truth, self.times, truths=truths)

    @property
    def errors(self) -> Counts:
        return Counts(int(self.times[self.truth != self.predicted].sum()), self.rows)


def read_cells(rows: Rows, labels: Sequence[object] | None, positive: object) -> tuple[Cells, str | None]:
    """The table of the rows, and the positive label, given or obvious."""
    import polars as pl

    counted = rows.counted(PAIR) if rows.few is None else rows.few
    if fractional := [name for name in PAIR if counted.schema[name].is_float()]:
        counted = counted.with_columns(pl.col(fractional).fill_nan(None))
    times = counted["times"].cast(int).to_numpy() if rows.few is None else np.ones(counted.height, np.int64)
    if not times.sum():
        raise InvalidEvidence(f"There are no rows to assess in {brief(rows.predictions.source)}.")
    awaited = PAIR if rows.answered else PAIR[:1]
    gone = {name: counted[name].is_null().to_numpy() for name in awaited if counted[name].null_count()}
    missing = {rows.called(name): int(times[which].sum()) for name, which in gone.items()}
    way = rows.predictions.missing
    if missing and (way == "refuse" or (way == "wrong" and "truth" in missing)):
        raise _refused(rows, missing, int(times.sum()), tuple(gone))
    dropped = int(times[reduce(or_, gone.values())].sum()) if gone and way == "drop" else 0
    if dropped == times.sum():
        raise nothing_left(rows)
    complete = ~reduce(or_, gone.values()) if dropped else np.ones(times.size, np.bool_)
    if dropped:
        counted = counted.drop_nulls(awaited)
    pairs = [counted[name].to_list() for name in PAIR]
    names = truth_as_one(*(spellings(name, set(held) - {None}) for name, held in zip(PAIR, pairs, strict=True)))
    declared = labels is not None or {*names[0].values(), *names[1].values()} <= {*rows.predictions.score_labels}
    left = int(times[complete].sum())
    notes = check_labels(names[0], names[1], left, declared=declared, positive=positive)
    if NO_ANSWER in names[0].values():
        raise InvalidEvidence(f"truth holds the label {NO_ANSWER!r}, which stands for missing predictions: rename it.")
    unanswered = not rows.answered or bool(missing and way == "wrong")
    places, chosen = label_places({*names[0].values(), *names[1].values()}, unanswered, labels, positive)
    truth, predicted = ({value: places[label] + 1 for value, label in column.items()} for column in names)
    no_answer = places[NO_ANSWER] + 1 if unanswered else 0
    size = len(places) + 1
    placed = np.zeros(times.size, np.int64)
    placed[complete] = [truth[true] * size + predicted.get(said, no_answer) for true, said in zip(*pairs, strict=True)]
    cell, where = np.unique(placed[complete], return_inverse=True)
    summed = np.zeros(cell.size, np.int64)
    np.add.at(summed, where, times[complete])
    return Cells(
        labels=tuple(places),
        truth=cell // size - 1,
        predicted=cell % size - 1,
        times=summed,
        truth_codes=truth,
        predicted_codes=predicted,
        no_answer=no_answer,
        missing=missing,
        dropped=dropped,
        declared=labels is not None,
        answered=rows.answered,
        of_rows=None if rows.few is None else placed,
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


def read_passes(rows: Rows) -> tuple[Counts, Integers, dict[str, int], int]:
    """Errors of a pass/fail table; rights and wrongs; rows without an answer, and how many of them were dropped."""
    counted = rows.counted(("correct",))
    sums = {True: 0, False: 0, None: 0}
    for answer, times in zip(
        answers(counted["correct"], rows.predictions.grading), counted["times"].to_list(), strict=True
    ):
        sums[answer] += int(times)
    right, wrong, absent = sums[True], sums[False], sums[None]
    if not right + wrong + absent:
        raise InvalidEvidence(f"There are no rows to assess in {brief(rows.predictions.source)}.")
    missing = {"correct": absent} if absent else {}
    if absent and rows.predictions.missing == "refuse":
        raise _refused(rows, missing, right + wrong + absent, tuple(missing))
    dropped = absent if rows.predictions.missing == "drop" else 0
    if not right + wrong + absent - dropped:
        raise InvalidEvidence(f"Every row of {brief(rows.predictions.source)} misses its answer: nothing is left.")
    errors = wrong + absent - dropped
    return Counts(errors, right + errors), np.array([right, errors]), missing, dropped


def answers(column: pl.Series, grading: Grading) -> list[bool | None]:
    """Whether each answer was right, however the engine or the user writes it; None where there is none."""
    if column.dtype.is_float():
        column = column.fill_nan(None)
    return grading.outcomes(column.to_list())


def _refused(rows: Rows, missing: dict[str, int], total: int, columns: Sequence[str]) -> InvalidEvidence:
    told = " and ".join(f"{number:,} without {name}" for name, number in missing.items())
    where = rows.where_missing(columns)
    told = f"Of the {so_many(total)} of {brief(rows.predictions.source)}, there are {told}{where}."
    if rows.predictions.missing == "wrong":
        return InvalidEvidence(
            f'{told} missing="wrong" (--missing wrong) counts a missing prediction as an error, but without the truth '
            'nothing can be said: repair those rows, or leave them out with missing="drop" (--missing drop).'
        )
    return InvalidEvidence(
        f'{told} Repair them, or say missing="drop" (--missing drop) to leave such rows out or missing="wrong" '
        "(--missing wrong) to count a missing answer as an error."
    )
